"""The Kubernetes manifests fit the image and the gateway; `python -m checks.deployment` validates them against the schemas."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml

from cardwright_gateway.settings.config import GatewayConfig
from checks.deployment import DOCKERFILE, instructions
from tests.gateway.gateways import gateway

if TYPE_CHECKING:
    import pytest

ROOT: Final = Path(__file__).parents[2]
DOCUMENTS: Final[list[dict[str, Any]]] = list(
    yaml.safe_load_all((ROOT / "deploy/kubernetes/gateway.yaml").read_text(encoding="utf-8"))
)
KINDS: Final = {document["kind"]: document for document in DOCUMENTS}
POD: Final = KINDS["Deployment"]["spec"]["template"]["spec"]
(CONTAINER,) = POD["containers"]
SECRETS: Final = {
    "STORE_URL": "postgresql://cardwright:secret@postgres/cardwright",
    "REDIS_URL": "redis://:secret@redis:6379/0",
    "ADMIN_TOKEN": "a-token-of-20-letters",
    "WEBHOOK_KEY": "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
}


def test_the_settings_load_with_the_secrets_that_the_manifest_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    file = tmp_path / "gateway.yml"
    file.write_text(KINDS["ConfigMap"]["data"]["gateway.yml"], encoding="utf-8")
    config = GatewayConfig.from_file(file)

    assert config.base_url == f"https://{KINDS['Ingress']['spec']['rules'][0]['host']}"
    assert config.limits.processes == KINDS["Deployment"]["spec"]["replicas"]
    assert POD["terminationGracePeriodSeconds"] > int(CONTAINER["lifecycle"]["preStop"]["exec"]["command"][1])


def test_the_container_starts_what_the_image_starts() -> None:
    image = dict(instructions(DOCKERFILE.read_text(encoding="utf-8")))

    assert CONTAINER["args"] == yaml.safe_load(image["CMD"])
    assert str(CONTAINER["ports"][0]["containerPort"]) == image["EXPOSE"] == CONTAINER["args"][-1]
    context = POD["securityContext"]
    assert image["USER"] == f"{context['runAsUser']}:{context['runAsGroup']}"
    assert CONTAINER["securityContext"]["readOnlyRootFilesystem"] is True
    mounts = {mount["name"]: mount["mountPath"] for mount in CONTAINER["volumeMounts"]}
    assert CONTAINER["args"][3] == f"{mounts['settings']}/gateway.yml"
    assert mounts["tmp"] == image["WORKDIR"]


async def test_the_gateway_answers_the_probes_and_no_internal_path_is_public() -> None:
    probes = [CONTAINER[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "readiness", "liveness")]
    async with gateway() as ask:
        assert [(await ask("GET", path)).status for path in probes] == [200, 200, 200]
    public = [path["path"] for path in KINDS["Ingress"]["spec"]["rules"][0]["http"]["paths"]]
    assert not {"/health", "/healthz", "/readyz", "/metrics"} & set(public)
    services = {str(path["backend"]) for path in KINDS["Ingress"]["spec"]["rules"][0]["http"]["paths"]}
    assert len(services) == 1


def test_every_selector_matches_the_pods() -> None:
    labels = KINDS["Deployment"]["spec"]["template"]["metadata"]["labels"]

    for selector in (
        KINDS["Deployment"]["spec"]["selector"]["matchLabels"],
        KINDS["Service"]["spec"]["selector"],
        KINDS["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
    ):
        assert selector == labels
    assert KINDS["Service"]["spec"]["ports"][0]["targetPort"] == CONTAINER["ports"][0]["name"]
