"""`cardwright serve`: a server process, with the requests of SDKs and browsers."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from cardwright import Card, verify
from cardwright.signing import KeySet, new_key
from tests.cli.command_line import EXAMPLES, Run, process, waited
from tests.serve.cards import both, newer

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Generator

CARD_PATH = "/.well-known/agent-card.json"
PATIENCE_SECONDS = 60


@dataclass
class Server:
    """A running server and its log."""

    running: subprocess.Popen[bytes]
    base: str
    log: Path

    def ask(self, path: str = CARD_PATH, **headers: str) -> tuple[int, dict[str, str], bytes]:
        place = urlsplit(self.base)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=10)
        try:
            connection.request("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})
            reply = connection.getresponse()
            return reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()
        finally:
            connection.close()

    def logged(self, pattern: str) -> str:
        return str(waited(lambda: (found := re.search(pattern, self.log.read_text())) and found[0]))


@contextmanager
def serving(folder: Path, *arguments: object, **environment: str) -> Generator[Server]:
    log = folder / "log.txt"
    with log.open("wb") as log_file:
        running = process("serve", "--port", 0, *arguments, stdout=None, stderr=log_file, **environment)
    try:
        match = waited(
            lambda: running.poll() is not None or re.search(r"^(http\S+)/ ", log.read_text(), re.MULTILINE)
        )
        assert running.poll() is None, log.read_text()
        server = Server(running, match[1], log)
        waited(lambda: server.ask("/"))
        yield server
    finally:
        running.send_signal(signal.SIGINT)
        status = running.wait(PATIENCE_SECONDS)
    assert status == 0, log.read_text()
    assert "Traceback" not in log.read_text()


def written(path: Path, card: Card | bytes) -> Path:
    beside = path.with_suffix(".new")
    beside.write_bytes(card if isinstance(card, bytes) else json.dumps(card.document).encode())
    os.replace(beside, path)  # noqa: PTH105 - as an editor does
    return path


@pytest.mark.process
def test_a_card_is_served_with_its_page_its_catalogue_and_its_description(here: Path) -> None:
    with serving(here, EXAMPLES / "a2a-hybrid.card.json") as server:
        status, headers, body = server.ask()
        assert status == 200
        assert Card.from_bytes(body).valid
        assert server.ask(If_None_Match=headers["etag"])[0] == 304
        assert json.loads(server.ask(A2A_Version="0.3")[2])["protocolVersion"] == "0.3.0"
        assert server.ask(A2A_Version="7")[0] == 200
        assert server.ask("/", Accept="text/html")[1]["content-type"] == "text/html; charset=utf-8"
        assert b"<h1" in server.ask(Accept="text/html")[2]
        assert json.loads(server.ask("/.well-known/ai-catalog.json")[2])["entries"]
        assert json.loads(server.ask("/openapi.json")[2])["openapi"] == "3.1.0"
        assert server.logged(r'agent-card\.json  "Parcel Tracker": A2A 1\.0, A2A 0\.3, hybrid')


@pytest.mark.process
def test_a_folder_of_cards_is_served_each_by_the_name_of_its_file(here: Path) -> None:
    with serving(here, EXAMPLES, "--root", "beach-1.0") as server:
        assert json.loads(server.ask()[2])["name"] == "OrchardPlanner"
        assert server.ask(f"/superx{CARD_PATH}")[0] == 200
        assert server.ask(f"{CARD_PATH}?id=a2a-0.1")[0] == 200


@pytest.mark.process
def test_watch_reloads_a_new_version_and_refuses_an_invalid_one(here: Path) -> None:
    path = written(here / "card.json", both())
    with serving(here, path, "--watch") as server:
        written(path, both(version="4.0.0"))
        assert waited(lambda: json.loads(server.ask()[2])["version"] == "4.0.0")
        written(path, b"{")
        assert "card.json" in server.logged("ERROR: rejected, the previous version stays: .*")
        assert json.loads(server.ask()[2])["version"] == "4.0.0"


@pytest.mark.process
def test_two_workers_and_a_second_start_serve_the_same_signed_bytes(here: Path) -> None:
    key = here / "k1.jwk"
    key.write_text(json.dumps(new_key("ES256", "k1")))
    key.chmod(0o600)
    path = written(here / "card.json", both())
    arguments = (path, "--workers", 2, "--key", key, "--alg", "ES256", "--state", here / "state")
    seen: set[bytes] = set()
    for _ in range(2):
        with serving(here, *arguments) as server:
            seen |= {server.ask()[2] for _ in range(20)}
    (body,) = seen
    assert verify(Card.from_bytes(body), keys=KeySet.from_bytes(key.read_bytes())).covered


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="children are found in /proc")
@pytest.mark.process
def test_a_killed_worker_is_replaced(here: Path) -> None:
    with serving(here, written(here / "card.json", both())) as server:
        before = server.ask()[2]
        (worker,) = children(server.running.pid)
        os.kill(worker, signal.SIGKILL)
        assert (
            waited(lambda: children(server.running.pid) not in ([], [worker]) and server.ask()[2]) == before
        )


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="children are found in /proc")
@pytest.mark.process
def test_a_later_worker_starts_with_the_last_valid_card(here: Path) -> None:
    path = written(here / "card.json", both())
    with serving(here, path, "--watch") as server:
        before = server.ask()[2]
        written(path, b"{")
        server.logged("ERROR: rejected")
        (worker,) = children(server.running.pid)
        os.kill(worker, signal.SIGKILL)
        assert (
            waited(lambda: children(server.running.pid) not in ([], [worker]) and server.ask()[2]) == before
        )


@pytest.mark.process
def test_no_worker_outlives_its_parent(here: Path) -> None:
    log = here / "log.txt"
    with log.open("wb") as log_file:
        running = process(
            "serve", "--port", 0, written(here / "card.json", both()), stdout=None, stderr=log_file
        )
    base = waited(lambda: re.search(r"^(http\S+)/ ", log.read_text(), re.MULTILINE))[1]
    server = Server(running, base, log)
    waited(server.ask)
    running.kill()
    running.wait()
    assert waited(lambda: not answers(server))


def answers(server: Server) -> bool:
    try:
        return bool(server.ask())
    except OSError:
        return False


def children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return [
        child for child in found if b"resource_tracker" not in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


@pytest.mark.process
def test_views_and_keys_give_each_caller_its_own_card(here: Path) -> None:
    (here / "views.json").write_text(json.dumps({"skills": {"audit": "owner"}}))
    keys = here / "keys.json"
    keys.write_text(json.dumps({"owner-key-0123456789": "owner"}))
    keys.chmod(0o600)
    path = written(here / "card.json", newer())
    with serving(here, path, "--views", here / "views.json", "--api-keys", keys) as server:
        assert len(json.loads(server.ask()[2])["skills"]) == 2
        assert len(json.loads(server.ask(X_API_Key="owner-key-0123456789")[2])["skills"]) == 3
        assert server.ask(X_API_Key="guessed")[0] == 401


INSIDE = newer(
    supportedInterfaces=[
        {"url": "http://localhost:9/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    ]
)


@pytest.mark.process
def test_only_a_loopback_server_may_serve_a_card_that_names_localhost(here: Path) -> None:
    with serving(here, written(here / "card.json", INSIDE)) as server:
        assert server.ask()[0] == 200


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["missing.json"], 2, r"missing\.json: No such file"),
        (["-"], 2, "standard input cannot be served"),
        (["broken.json"], 2, r"broken\.json: .*JSON"),
        (["invalid.json"], 1, r"invalid\.json: .*/skills.*cardwright check"),
        (
            ["inside.json", "--host", "::"],
            1,
            r"inside\.json: .*/supportedInterfaces/0/url.*internal host.*--publish-sensitive hosts",
        ),
        (["inside.json", "--base-url", "nonsense"], 1, "invalid base URL"),
        (["card.json", "--default", "newest"], 1, "unknown default 'newest'"),
        (["card.json", "--root", "x"], 1, "root: unknown card id 'x'"),
        (["card.json", "./card.json"], 2, "have the same id"),
        (["card.json", "--key", "k1.jwk"], 2, "signing needs --alg"),
        (["card.json", "--alg", "HS256"], 2, "unknown algorithm 'HS256'"),
        (["card.json", "--alg", "ES256", "--key", "none.jwk"], 2, "no such file"),
        (["card.json", "--alg", "ES256", "--key", "k1.jwk", "--workers", "2"], 1, "--state DIR"),
        (["card.json", "--views", "views.json"], 2, "needs --api-keys FILE"),
        (["card.json", "--state", "here"], 2, "--state needs --alg and a key"),
        (["card.json", "--host", "none.invalid"], 2, "choose another with --host"),
        (
            ["card.json", "--views", "card.json", "--api-keys", "keys.json"],
            1,
            "unknown field .capabilities. in views",
        ),
        (["card.json", "--api-keys", "card.json"], 2, "other users can read|expected a JSON object"),
        (["card.json", "--api-keys", "listed.json"], 2, "expected a JSON object"),
        (["card.json", "--port", "70000"], 2, "65535"),
        (["card.json", "--host", "192.0.2.1"], 2, "cannot listen on 192.0.2.1"),
        (["card.json", "--publish-sensitive", "some"], 1, 'publish_sensitive must be "hosts"'),
    ],
)
def test_an_unservable_card_is_reported_in_one_line(
    here: Path, run: Run, arguments: list[str], status: int, message: str
) -> None:
    written(here / "card.json", newer())
    written(here / "inside.json", INSIDE)
    written(here / "broken.json", b"{")
    written(here / "invalid.json", json.dumps({**newer().document, "skills": []}).encode())
    written(here / "views.json", b'{"skills":{"audit":"owner"}}')
    private = {
        "k1.jwk": new_key("ES256", "k1"),
        "keys.json": {"a-key-of-some-length": "owner"},
        "listed.json": {"a-key-of-some-length": ["owner"]},
    }
    for name, value in private.items():
        written(here / name, json.dumps(value).encode()).chmod(0o600)
    result = run("serve", *arguments)
    assert result.exit_code == status
    assert re.search(message, result.stderr), result.stderr
    assert "publish_sensitive" not in result.stderr.replace('publish_sensitive must be "hosts"', "")
    assert result.stdout == ""


def test_a_port_in_use_is_reported(here: Path, run: Run) -> None:
    written(here / "card.json", newer())
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = run("serve", "--port", taken.getsockname()[1], "card.json")
    assert result.exit_code == 2
    assert "address already in use; choose another with --port or --host" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "hosts"),
    [
        ([], ("127.0.0.1",)),
        (["--host", "localhost", "--allow-host", "dev.example"], ("localhost", "dev.example")),
        (["--host", "0.0.0.0"], None),  # noqa: S104 - nothing listens
    ],
)
def test_only_a_server_on_loopback_checks_the_host(
    here: Path, run: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str], hosts: tuple[str, ...] | None
) -> None:
    written(here / "card.json", newer())
    started: list[Any] = []
    monkeypatch.setattr("cardwright.serve.server.run", lambda served, **_: started.append(served))

    assert run("serve", "--port", "0", *arguments, "card.json").exit_code == 0

    assert started[0].settings["local_hosts"] == hosts
