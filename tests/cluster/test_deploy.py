"""The files in deploy/ work: their commands are started, with other ports and paths."""

from __future__ import annotations

import asyncio
import base64
import configparser
import re
import shlex
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import aiohttp
import yaml

from cardwright.serve.listening import free_port
from tests.cluster.replicas import ROOT, Replica, becomes, command_environ

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

DEPLOY = ROOT / "deploy"
PUBLIC = "http://localhost:4000"
KEY = base64.urlsafe_b64encode(bytes(range(32))).decode()
SECRETS = {
    "ADMIN_TOKEN": "a-token-of-20-letters", "WEBHOOK_KEY": KEY, "POSTGRES_PASSWORD": "canary-password",
    "REDIS_PASSWORD": "canary-of-redis",
}  # fmt: skip
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
GATEWAYS = ("gateway-1", "gateway-2")


def filled(text: str, environ: Mapping[str, str]) -> str:
    """Return a text as Compose fills it in."""
    return re.sub(r"\$\{(\w+)(?::\?[^}]*)?\}", lambda match: environ[match[1]], text)


def unit() -> configparser.SectionProxy:
    """Return how systemd runs the service."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign] # as the documentation has it
    parser.read(DEPLOY / "cardwright-gateway.service", encoding="utf-8")
    return parser["Service"]


def moved(words: list[str], port: int, program: str) -> list[str]:
    """Return a command with what is elsewhere on this machine."""
    assert words[0] == program
    places = {"/etc/cardwright/gateway.yml": str(DEPLOY / "gateway.yml"), "4000": str(port)}
    host = words.index("--host") + 1
    words = [*words[:host], "127.0.0.1", *words[host + 1 :]]
    return [sys.executable, "-m", "cardwright", *(places.get(word, word) for word in words[1:])]


def of_compose(name: str, port: int) -> list[str]:
    words = [filled(word, {**SECRETS, "PUBLIC_URL": PUBLIC}) for word in COMPOSE["services"][name]["command"]]
    return moved(words, port, "cardwright")


def of_systemd(port: int) -> list[str]:
    words = filled(unit()["ExecStart"], {"LISTEN": "127.0.0.1", "PUBLIC_URL": PUBLIC})
    return moved(shlex.split(words), port, "/opt/cardwright/bin/cardwright")


def test_the_compose_and_systemd_commands_serve_one_gateway(place: str, redis: str, tmp_path: Path) -> None:
    environ = {**SECRETS, "STORE_URL": place, "REDIS_URL": redis}

    async def run(replicas: list[Replica]) -> None:
        async with aiohttp.ClientSession() as session:
            for replica in replicas:

                async def is_ready(at: Replica = replica) -> bool:
                    assert at.popen.poll() is None, at.log.read_text()
                    try:
                        async with session.get(f"{at.origin}/readyz") as answer:
                            return answer.status == 200
                    except aiohttp.ClientError:
                        return False

                await becomes(is_ready, 90)

    with ExitStack() as stack:
        replicas: list[Replica] = []
        for number in range(len(GATEWAYS) + 1):
            port = free_port("127.0.0.1", 0)
            command = of_systemd(port) if number == len(GATEWAYS) else of_compose(GATEWAYS[number], port)
            log = tmp_path / f"log-{number}"
            with log.open("wb") as kept:
                popen = subprocess.Popen(
                    command, cwd=tmp_path, env={**command_environ(), **environ}, stdout=kept, stderr=kept,
                    start_new_session=True,
                )  # fmt: skip
            replicas.append(Replica(f"http://127.0.0.1:{port}", popen, log))
            stack.callback(replicas[-1].kill)
        asyncio.run(run(replicas))
        for replica in replicas:
            assert all(secret not in replica.log.read_text() for secret in SECRETS.values())


def test_compose_sets_every_required_environment_variable() -> None:
    variables = set(re.findall(r"\$\{(\w+)\}", (DEPLOY / "gateway.yml").read_text(encoding="utf-8")))
    for name in GATEWAYS:
        assert set(COMPOSE["services"][name]["environment"]) == variables


def test_services_restart_and_wait_for_their_stores() -> None:
    services = COMPOSE["services"]
    assert all(service["restart"] == "always" for service in services.values())
    # The image of the gateway has its own check.
    image = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    assert image.partition("HEALTHCHECK")[2].count("/readyz") == 1
    for name in GATEWAYS:
        assert "healthcheck" not in services[name]
        assert set(services[name]["depends_on"]) == {"postgres", "redis"}
    balancer = (DEPLOY / "haproxy.cfg").read_text(encoding="utf-8")
    assert all(f"{name}:4000" in balancer for name in GATEWAYS)


def test_no_deploy_file_contains_a_secret() -> None:
    compose = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    for name in SECRETS:
        assert re.search(rf"\${{{name}:\?", compose), name


def test_the_systemd_service_has_minimal_privileges() -> None:
    settings = unit()
    wanted = {
        "DynamicUser": "yes", "ProtectSystem": "strict", "ProtectHome": "yes", "NoNewPrivileges": "yes",
        "StateDirectory": "cardwright", "Restart": "always", "CapabilityBoundingSet": "",
    }  # fmt: skip
    assert {name: settings[name] for name in wanted} == wanted
