"""`cardwright gateway`: start errors, signals, and clean shutdown."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.discovery.probe import probe
from cardwright.guard import Guard, GuardedClient
from cardwright.serve.listening import free_port
from tests.cli.command_line import EXAMPLES, process, waited

if TYPE_CHECKING:
    from collections.abc import Generator

    from tests.cli.command_line import Run

PATIENCE_SECONDS = 90
GATEWAY = EXAMPLES / "gateway"
GREETER = {"card": str(GATEWAY / "greeter.card.json"), "backend": {"python": "greeter:answer"}}
MCP_SERVER = {
    "transport": {"type": "stdio", "command": sys.executable, "args": [str(GATEWAY / "harbour.py")]}
}


def written(folder: Path, value: Any) -> Path:
    file = folder / "agents.json"
    file.write_text(json.dumps(value))
    (folder / "greeter.py").write_bytes((GATEWAY / "greeter.py").read_bytes())
    return file


def call_gateway(port: int, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        headers = {"Content-Type": "application/json", "A2A-Version": "1.0"} if body else {}
        connection.request(method, path, body=body, headers=headers)
        reply = connection.getresponse()
        return reply.status, reply.read()
    finally:
        connection.close()


def called(port: int, agent: str, part: Any) -> str:
    """Send an agent a part, and return the text that its first artifact begins with."""
    message = {"messageId": "m", "role": "ROLE_USER", "parts": [part]}
    call = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
    status, body = call_gateway(port, "POST", f"/agents/{agent}", json.dumps(call).encode())
    assert status == 200, body
    return str(json.loads(body)["result"]["task"]["artifacts"][0]["parts"][0]["text"])


def probed(port: int, agent: str) -> list[str]:
    """Return the errors and warnings of a probe of an agent."""

    async def run() -> list[str]:
        async with GuardedClient(Guard(allow=("127.0.0.0/8",))) as client:
            report = await probe(f"http://127.0.0.1:{port}/agents/{agent}", client=client)
        return [str(result) for outcome in ("error", "warning") for result in report.of(outcome)]

    return asyncio.run(run())


def alive(processes: set[int]) -> set[int]:
    """Return the running ones of some processes; a zombie does not count."""
    return {one for one in processes if (state := _stat(one)) is not None and state[0] != "Z"}


def descendants(ancestor: int) -> set[int]:
    """Return all processes that were started by a process, or by one that was."""
    parents = {one: state[1] for one in map(int, _numbers()) if (state := _stat(one)) is not None}
    found: set[int] = set()
    while more := {one for one, parent in parents.items() if parent in {ancestor, *found}} - found:
        found |= more
    return found


def _numbers() -> list[str]:
    return [entry.name for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _stat(number: int) -> tuple[str, int] | None:
    try:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return fields[0], int(fields[1])


@contextmanager
def running(
    folder: Path, config: Path, *more: object
) -> Generator[tuple[subprocess.Popen[bytes], int, Path]]:
    """Run the gateway until the block ends, unless the test ends it sooner."""
    log, port = folder / "log.txt", free_port("127.0.0.1", 0)
    with log.open("wb") as log_file:
        gateway = process("gateway", "--config", config, "--port", port, *more, stdout=None, stderr=log_file)
    try:
        waited(lambda: gateway.poll() is not None or call_gateway(port, "GET", "/healthz")[0] == 200)
        assert gateway.poll() is None, log.read_text()
        yield gateway, port, log
    finally:
        if gateway.poll() is None:
            gateway.terminate()
            gateway.wait(PATIENCE_SECONDS)


def test_help_describes_the_command(run: Run) -> None:
    result = run("gateway", "--help")
    assert result.exit_code == 0
    for option in ("--config", "--host", "--port", "--base-url", "--root", "--start-servers", "--watch"):
        assert option in re.sub(r"\x1b\[[0-9;]*m", "", result.stdout)


@pytest.mark.parametrize(
    ("config", "arguments", "expected"),
    [
        (None, (), "--config is missing"),
        (None, ("--config", "missing.yml"), "missing.yml"),
        (b"agents: [", ("--config", "agents.json"), "agents.json"),
        ({}, ("--config", "agents.json"), "agents"),
        ({"agents": {"one": {"comand": "x"}}}, ("--config", "agents.json"), "^cardwright: agents.json:\n/agents/one/url: .*\n/agents/one: .*\n$"),
        ({"agents": {"rpc": {"url": "https://a.example"}}}, ("--config", "agents.json"), "path of the gateway"),
        ({"agents": {"one": {"url": "https://a.example", "bearer": "${NOT_THERE}"}}}, ("--config", "agents.json"), "NOT_THERE"),
        ({"agents": {"one": {"card": "nowhere.json"}}}, ("--config", "agents.json", "--port", "0"), "nowhere.json"),
        ({"agents": {"one": {**GREETER, "backend": {"python": "nowhere:answer"}}}}, ("--config", "agents.json", "--port", "0"), "module ['\"]nowhere['\"] not found"),
        ({"agents": {}}, ("--config", "agents.json", "--root", "one"), "--root: unknown agent 'one'"),
        ({"agents": {}}, ("--config", "agents.json", "--base-url", "ftp://a"), "--base-url"),
        ({"agents": {}, "store": "no/such/folder/x.db"}, ("--config", "agents.json", "--port", "0"), "no/such/folder does not exist"),
        ({"agents": {}, "admin_token": "short"}, ("--config", "agents.json"), "/admin_token"),
        ({"agents": {}}, ("--config", "agents.json", "--host", "no.such.host.invalid"), "--host"),
        (b'{"agents": {}, "grpc": {"port": PORT}}', ("--config", "agents.json", "--port", "PORT"), "/grpc/port: .* use another port"),
    ],
)  # fmt: skip
def test_invalid_settings_are_reported_one_per_line(
    run: Run, here: Path, config: Any, arguments: tuple[str, ...], expected: str
) -> None:
    port = str(free_port("127.0.0.1", 0))
    if config is not None:
        body = config if isinstance(config, bytes) else json.dumps(config).encode()
        (here / "agents.json").write_bytes(body.replace(b"PORT", port.encode()))
    done = run("gateway", *(argument.replace("PORT", port) for argument in arguments))
    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1 + expected.count("\n/"), done.stderr
    assert re.search(expected, done.stderr)


def test_the_schema_of_the_settings_is_printed(run: Run) -> None:
    assert json.loads(run("schema", "show", "gateway").stdout)["title"] == "GatewayFile"


def test_a_port_in_use_is_reported_before_anything_starts(run: Run, here: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("gateway", "--config", written(here, {"agents": {"one": GREETER}}), "--port", port)
    assert done.exit_code == 2
    assert f"port {port}" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.process
def test_a_signal_ends_the_gateway_and_its_servers(here: Path, number: signal.Signals) -> None:
    if not Path("/proc/self/stat").exists():
        pytest.skip("this system does not list its processes in /proc")
    config = written(here, {"agents": {"greeter": GREETER, "harbour": MCP_SERVER}, "store": ":memory:"})
    with running(here, config, "--start-servers") as (gateway, port, log):
        argument = {"data": {"skill": "berth", "arguments": {"ship": "Anna"}}}
        assert called(port, "harbour", argument) == "Anna lies at berth 12."
        assert called(port, "greeter", {"text": "a b"}) == "Good day! You wrote 2 words."
        started = {gateway.pid, *descendants(gateway.pid)}
        assert len(started) > 2
        gateway.send_signal(number)
        assert gateway.wait(PATIENCE_SECONDS) == 0
        waited(lambda: not alive(started))
    assert "Traceback" not in log.read_text()
    assert f"http://127.0.0.1:{port}/ lists 2 agents" in log.read_text()


@pytest.mark.process
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP")
def test_sighup_applies_the_changed_file_without_a_restart(tmp_path: Path) -> None:
    agents = {"greeter": GREETER}
    config = written(tmp_path, {"agents": agents})
    with running(tmp_path, config) as (gateway, port, log):
        written(tmp_path, {"agents": {**agents, "second": GREETER}})
        gateway.send_signal(signal.SIGHUP)
        waited(lambda: call_gateway(port, "GET", "/agents/second/.well-known/agent-card.json")[0] == 200)
        assert called(port, "greeter", {"text": "a b"}) == "Good day! You wrote 2 words."
        config.write_text("{")
        gateway.send_signal(signal.SIGHUP)
        waited(lambda: "the previous one stays" in log.read_text())
        assert called(port, "second", {"text": "a"}) == "Good day! You wrote 1 words."
        assert gateway.poll() is None


@pytest.mark.process
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP")
def test_sighup_during_the_start_does_not_end_it(tmp_path: Path) -> None:
    config, log, port = (
        written(tmp_path, {"agents": {"greeter": GREETER}}),
        tmp_path / "log.txt",
        free_port("127.0.0.1", 0),
    )
    with log.open("wb") as log_file:
        gateway = process("gateway", "--config", config, "--port", port, stdout=None, stderr=log_file)
    try:
        # Until the command runs, the signal ends Python.
        waited(lambda: _ignores(gateway.pid, signal.SIGHUP))

        def started() -> bool:
            gateway.send_signal(signal.SIGHUP)
            return gateway.poll() is not None or call_gateway(port, "GET", "/healthz")[0] == 200

        waited(started)
        assert gateway.poll() is None, log.read_text()
        assert called(port, "greeter", {"text": "a b"}) == "Good day! You wrote 2 words."
    finally:
        gateway.terminate()
        gateway.wait(PATIENCE_SECONDS)


def _ignores(number: int, signal_number: int) -> bool:
    """Return whether a process ignores a signal, or handles it."""
    status = Path(f"/proc/{number}/status")
    if not status.exists():
        pytest.skip("this system does not list the signals of a process in /proc")
    masks = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if line.startswith("Sig"))
    return bool((int(masks["SigIgn"], 16) | int(masks["SigCgt"], 16)) >> (signal_number - 1) & 1)


@pytest.mark.process
def test_make_run_starts_and_stops_four_working_agents(tmp_path: Path) -> None:
    port, log = free_port("127.0.0.1", 0), tmp_path / "log.txt"
    command = [sys.executable, "-W", "error", str(GATEWAY / "run.py"), str(port)]
    with log.open("wb") as log_file:
        whole = subprocess.Popen(
            command, cwd=tmp_path, stdout=log_file, stderr=log_file, start_new_session=True
        )
    try:
        waited(lambda: whole.poll() is not None or call_gateway(port, "GET", "/healthz")[0] == 200)
        assert whole.poll() is None, log.read_text()
        assert f"http://127.0.0.1:{port}/ lists 4 agents" in log.read_text()
        listed = json.loads(call_gateway(port, "GET", "/.well-known/ai-catalog.json")[1])
        # Each is an A2A agent and an MCP server.
        assert len(listed["entries"]) == 9
        assert called(port, "tides", {"text": "Oban"}) == "Oban: high water at 14:20, 3.1 m."
        assert called(port, "weather", {"text": "Fair Isle"}) == "Fair Isle: west 4, good."
        assert called(port, "greeter", {"text": "a b c"}) == "Good day! You wrote 3 words."
        fee = {"data": {"skill": "berth", "arguments": {"ship": "Borkum"}}}
        assert called(port, "harbour", fee) == "Borkum lies at berth 7."
        for agent in ("greeter", "harbour", "tides", "weather"):
            assert probed(port, agent) == []
        started = {whole.pid, *descendants(whole.pid)}
    finally:
        # To the whole process group, as a terminal does.
        os.killpg(whole.pid, signal.SIGINT)
        status = whole.wait(PATIENCE_SECONDS)
    assert status == 0, log.read_text()
    waited(lambda: not alive(started))
    assert "Traceback" not in log.read_text(), log.read_text()
