"""`deploy/compose.yaml` and the unit of systemd: what a service may do, use, and show to the outside."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from cardwright.serve.listening import free_port
from tests.serve.server_process import HOST

DEPLOY: Final = Path(__file__).parents[2] / "deploy"
COMPOSE: Final[dict[str, Any]] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: Final[dict[str, dict[str, Any]]] = COMPOSE["services"]
PATIENCE_SECONDS: Final = 30


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_has_no_rights_and_limited_memory_and_processes(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["pids_limit"] > 0
    assert service["mem_limit"]
    # The image of the gateways has a user of its own.
    assert service.get("user") or "build" in service


def test_only_the_balancer_has_ports_and_they_are_those_of_this_machine() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["balancer"]
    for port in SERVICES["balancer"]["ports"]:
        assert port.startswith("${BIND_ADDRESS:-127.0.0.1}:")
    bound = {port.rpartition(":")[2] for port in SERVICES["balancer"]["ports"]}
    assert bound == set(re.findall(r"^ +bind :(\d+)", _haproxy(), re.MULTILINE))


def test_databases_are_in_an_internal_network() -> None:
    assert COMPOSE["networks"]["stores"] == {"internal": True}
    for name in ("postgres", "redis"):
        assert SERVICES[name]["networks"] == ["stores"]
    assert "networks" not in SERVICES["balancer"]


def test_each_file_of_the_load_balancer_is_mounted_at_its_configured_path() -> None:
    places = dict(volume.split(":")[1::-1] for volume in SERVICES["balancer"]["volumes"])
    assert places["/usr/local/etc/haproxy/haproxy.cfg"] == "./haproxy.cfg"
    certificate = re.search(r"ssl crt (\S+)", _haproxy())
    assert certificate is not None
    assert certificate[1] in places


def test_every_secret_of_compose_is_created_by_the_readme() -> None:
    required = set(re.findall(r"\$\{(\w+):\?", (DEPLOY / "compose.yaml").read_text(encoding="utf-8")))
    readme = (DEPLOY / "README.md").read_text(encoding="utf-8")
    assert required == set(re.findall(r"^ +?echo (\w+)=", readme, re.MULTILINE))


def test_the_unit_limits_memory_processes_and_files() -> None:
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.read(DEPLOY / "cardwright-gateway.service", encoding="utf-8")
    assert {"memorymax", "tasksmax", "limitnofile"} <= set(unit["Service"])


@pytest.mark.process
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    text = (DEPLOY / "cardwright-gateway.service").read_text(encoding="utf-8")
    unit = tmp_path / "cardwright-gateway.service"
    unit.write_text(text.replace("/opt/cardwright/bin/cardwright", "/bin/sh"), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.process
def test_redis_requires_the_password_and_no_process_list_shows_it(tmp_path: Path) -> None:
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    shell, option, script = SERVICES["redis"]["command"]
    port = free_port(HOST, 0)
    # What Compose makes of it, and another port.
    script = script.replace("$$", "$").replace("redis-server -", f"redis-server - --port {port}", 1)
    log = tmp_path / "log"
    with log.open("wb") as kept:
        running = subprocess.Popen(
            [shell, option, script], cwd=tmp_path, stdout=kept, stderr=kept,
            env={**os.environ, "REDIS_PASSWORD": "canary-password"},
        )  # fmt: skip
    try:
        end = time.monotonic() + PATIENCE_SECONDS
        while "NOAUTH" not in (ping_reply := _ping(port)):
            assert running.poll() is None, log.read_text()
            assert time.monotonic() < end, ping_reply
            time.sleep(0.05)
        assert _ping(port, "canary-password") == "PONG"
        if (arguments := Path(f"/proc/{running.pid}/cmdline")).exists():
            assert b"canary" not in arguments.read_bytes()
    finally:
        # The shell is Redis now, so that it receives the signal of `docker stop`.
        running.send_signal(signal.SIGTERM)
        running.wait(PATIENCE_SECONDS)
    assert running.returncode == 0


def _ping(port: int, password: str | None = None) -> str:
    environ = {**os.environ, **({"REDISCLI_AUTH": password} if password else {})}
    command = ["redis-cli", "-p", str(port), "ping"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environ)
    return (done.stdout + done.stderr).strip()


def _haproxy() -> str:
    return (DEPLOY / "haproxy.cfg").read_text(encoding="utf-8")
