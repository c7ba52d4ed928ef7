"""URLs as inputs, `discover`, and `registry`, against a small server on loopback."""

from __future__ import annotations

import json
import signal
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import Card
from cardwright.signing import Key, new_key, sign
from tests.cli.command_line import process

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.command_line import Run


class Site:
    """The responses of a server by path, and the requests to it as (path, headers)."""

    def __init__(self) -> None:
        self.bodies: dict[str, bytes] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.origin = ""


@pytest.fixture
def site() -> Iterator[Site]:
    """Run a server on loopback."""
    found = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            body = found.bodies.get(self.path)
            self.send_response(200 if body is not None else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - the base's own name
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.origin = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield found
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def mill(site: Site, card: dict[str, Any]) -> str:
    """Put a card behind a path, and return its agent's URL."""
    site.bodies["/mill/.well-known/agent-card.json"] = json.dumps(card).encode()
    return f"{site.origin}/mill"


@pytest.mark.parametrize(
    "command",
    [["check"], ["detect"], ["show"], ["convert", "--to", "a2a-0.3"], ["registry", "add"], ["discover"]],
    ids=lambda command: command[0],
)
@pytest.mark.usefixtures("here")
def test_a_url_is_read_where_private_addresses_are_allowed(run: Run, mill: str, command: list[str]) -> None:
    result = run(*command, mill, "--allow-private")
    assert result.exit_code == 0, result.stderr
    refused = run(*command, mill)
    assert refused.exit_code == 2
    lines = (refused.stdout + refused.stderr).splitlines()
    assert [line for line in lines if line.startswith("refused: ") and line.endswith("[guard/address]")]


def test_a_url_is_compared_with_a_file(run: Run, mill: str, tmp_path: Path, card: dict[str, Any]) -> None:
    file = tmp_path / "card.json"
    file.write_text(json.dumps({**card, "skills": card["skills"][:1]}), encoding="utf-8")
    result = run("diff", file, mill, "--allow", "127.0.0.0/8", "--format", "json")
    assert result.exit_code == 0
    assert {change["kind"] for change in json.loads(result.stdout)["changes"]} == {"skill-added"}


def test_a_fetched_card_is_verified(run: Run, site: Site, tmp_path: Path, card: dict[str, Any]) -> None:
    secret = new_key("ES256", "k1")
    signed = sign(Card.from_document(card), key=Key.from_jwk(secret), kid="k1", alg="ES256")
    site.bodies["/.well-known/agent-card.json"] = json.dumps(signed.document).encode()
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps({"keys": [{n: v for n, v in secret.items() if n != "d"}]}), encoding="utf-8")
    assert run("verify", site.origin, "--allow-private", "--keys", keys).exit_code == 0
    assert run("verify", site.origin, "--allow-private").exit_code == 1
    found = run("discover", site.origin, "--allow-private", "--keys", keys, "--format", "json")
    assert json.loads(found.stdout)["results"][0]["signatures"]["state"] == "verified"


def test_a_header_is_sent_to_one_origin_only(run: Run, site: Site, mill: str) -> None:
    run("check", mill, "--allow-private", "--header", "Authorization: Bearer t")
    assert site.requests[0][1]["authorization"] == "Bearer t"
    two = run("check", mill, "https://other.example.com", "--allow-private", "--header", "X: y")
    assert two.exit_code == 2
    assert "one origin" in two.stderr
    assert run("check", mill, "--header", "Host: x").exit_code == 2
    assert run("check", mill, "--header", "nothing").exit_code == 2


def test_a_card_at_the_legacy_path_and_a_missing_one_are_reported(
    run: Run, site: Site, card: dict[str, Any]
) -> None:
    site.bodies["/.well-known/agent.json"] = json.dumps(card).encode()
    result = run("check", site.origin, "--allow-private")
    assert result.exit_code == 0
    assert "(A2A 0.1 and 0.2)" in result.stderr
    missing = run("check", f"{site.origin}/no/card.json", "--allow-private")
    assert missing.exit_code == 2
    assert "HTTP 404 [fetch/not-found]" in missing.stdout


def test_a_command_that_reads_files_says_which_take_urls(run: Run, mill: str) -> None:
    assert "accept URLs" in run("fix", mill).stdout + run("fix", mill).stderr


def test_credentials_in_a_url_are_not_printed(run: Run) -> None:
    result = run("check", "https://user:canary@example.com/?token=canary", "--format", "json")
    assert result.exit_code == 2
    assert "canary" not in result.stdout + result.stderr


def test_discover_reports_how_a_card_was_found(run: Run, mill: str, site: Site) -> None:
    results = json.loads(run("discover", mill, site.origin, "--allow-private", "--format", "json").stdout)[
        "results"
    ]
    assert results[0]["url"] == f"{mill}/.well-known/agent-card.json"
    assert (results[0]["valid"], results[0]["a2aVersion"]) == (True, "1.0")
    assert results[1]["card"] is None
    assert "HTTP 404" in results[1]["error"]


@pytest.mark.parametrize("command", ["discover", "check"])
def test_a_missing_card_is_reported_with_the_next_step(run: Run, site: Site, command: str) -> None:
    result = run(command, site.origin, "--allow-private")
    assert result.exit_code == 2
    output = result.stdout + result.stderr
    assert f"{site.origin}/.well-known/agent-card.json" in output
    assert f"lists them at {site.origin}/.well-known/ai-catalog.json" in output


@pytest.mark.usefixtures("here")
def test_a_registry_is_created_listed_searched_and_emptied(run: Run, mill: str, card: dict[str, Any]) -> None:
    nothing = run("registry", "list")
    assert nothing.exit_code == 2
    assert "registry add URL" in nothing.stderr
    added = run("registry", "add", mill, "--id", "mill", "--allow-private")
    assert added.stdout.startswith("mill  ")
    listed = json.loads(run("registry", "list", "--format", "json").stdout)["peers"]
    assert [(peer["id"], peer["valid"], peer["stale"]) for peer in listed] == [("mill", True, False)]
    assert "mill" in run("registry", "list").stdout
    word = card["name"].split()[0]
    assert json.loads(run("registry", "search", word, "--format", "json").stdout)["hits"][0]["id"] == "mill"
    no_match = run("registry", "search", "", "--tag", "no-such-tag")
    assert (no_match.exit_code, no_match.stdout, no_match.stderr) == (1, "", "No agent matches.\n")
    assert card["name"] in run("registry", "show", "mill").stdout
    assert run("registry", "refresh").stdout == "all cards are fresh\n"
    assert run("registry", "remove", "mill").exit_code == 0
    unknown = run("registry", "show", "mill")
    assert unknown.exit_code == 1
    assert "unknown peer 'mill'" in unknown.stderr


@pytest.mark.usefixtures("here")
def test_a_pinned_card_that_changed_is_approved_by_hand(
    run: Run, mill: str, site: Site, card: dict[str, Any]
) -> None:
    run("registry", "add", mill, "--pin", "first", "--allow-private")
    site.bodies["/mill/.well-known/agent-card.json"] = json.dumps(
        {**card, "description": "Another."}
    ).encode()
    result = run("registry", "refresh", "--force", "--allow-private")
    assert "quarantined" in result.stdout
    assert "waits for approval" in run("registry", "list").stdout
    assert run("registry", "approve", mill).exit_code == 0
    again = run("registry", "approve", mill)
    assert again.exit_code == 2
    assert "waits for approval" in again.stderr


@pytest.mark.usefixtures("here")
def test_a_refresh_names_the_unreachable_peers(run: Run, mill: str, site: Site) -> None:
    run("registry", "add", mill, "--allow-private")
    site.bodies.clear()
    result = run("registry", "refresh", "--force", "--allow-private", "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["events"][0]["kind"] == "gone"
    assert "HTTP 404" in result.stderr


def test_a_settings_file_of_the_folder_is_used_and_may_reach_its_origins(
    run: Run, mill: str, here: Path
) -> None:
    (here / "agents.yml").write_text(
        f"peers:\n- {{url: '{mill}', id: mill}}\nstore: cards.db\n", encoding="utf-8"
    )
    assert "1 new" in run("registry", "refresh").stdout
    assert (here / "cards.db").exists()
    (here / "agents.yml").write_text("peers: 7\n", encoding="utf-8")
    result = run("registry", "list")
    assert result.exit_code == 2
    assert "agents.yml: /peers: expected an array, found the number 7" in result.stderr


@pytest.mark.process
def test_watch_prints_what_happens_until_it_is_interrupted(mill: str, here: Path) -> None:
    (here / "agents.yml").write_text(f"peers: ['{mill}']\n", encoding="utf-8")
    running = process("registry", "watch", "--format", "json", "--config", here / "agents.yml")
    assert running.stdout is not None
    event = json.loads(running.stdout.readline())
    assert event["kind"] == "added"
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=30)
    assert running.returncode == 0
    assert errors.decode().splitlines()[-1] == "Stopped."
    assert time.time() >= event["at"]


# Catalogues


@pytest.fixture
def listed(site: Site, card: dict[str, Any], here: Path) -> Site:
    """Serve a catalogue with an agent at a URL, one in the catalogue and an MCP server; work in an empty folder."""

    def entry(name: str, **fields: Any) -> dict[str, Any]:
        queries = {"representativeQueries": ["When is high tide?", "How deep is it?"]}
        identifier = f"urn:air:example.com:agents:{name}"
        return {
            "identifier": identifier,
            "displayName": name,
            "type": "application/a2a-agent-card+json",
            **queries,
            **fields,
        }

    entries = [
        entry("tides", url=f"{site.origin}/tides.json"),
        entry("harbour", data={**card, "name": "Harbour"}),
        entry("server", url=f"{site.origin}/mcp", type="application/mcp-server-card+json"),
    ]
    site.bodies["/.well-known/ard.json"] = json.dumps({"entries": entries}).encode()
    site.bodies["/tides.json"] = json.dumps({**card, "name": "Tides"}).encode()
    return site


def test_discover_of_a_host_reads_its_catalogue_and_the_cards(listed: Site, run: Run) -> None:
    result = run("discover", listed.origin, "--allow-private")

    assert result.exit_code == 0
    assert "2 agents in 1 catalogue" in result.stdout
    assert "1 resource of another kind: application/mcp-server-card+json" in result.stdout
    assert "note: the catalogue is only at /.well-known/ard.json" in result.stdout
    assert "/tides.json: Tides: " in result.stdout
    assert "/.well-known/ard.json#urn:air:example.com:agents:harbour: Harbour: " in result.stdout


def test_discover_prints_json(listed: Site, run: Run) -> None:
    report = json.loads(run("discover", "--format", "json", listed.origin, "--allow-private").stdout)

    (catalog,) = report["catalogs"]
    assert catalog["urls"] == [f"{listed.origin}/.well-known/ard.json"]
    assert [agent["name"] for agent in catalog["agents"]] == ["tides", "harbour"]
    assert [result["card"]["name"] for result in report["results"]] == ["Tides", "Harbour"]


def test_the_registry_adds_and_removes_the_agents_of_a_catalogue(listed: Site, run: Run) -> None:
    added = run("registry", "add", listed.origin, "--allow-private")
    assert (added.exit_code, "2 agents in 1 catalogue" in added.stdout) == (0, True)

    report = json.loads(run("registry", "list", "--format", "json").stdout)
    assert [one["url"] for one in report["catalogs"]] == [listed.origin]
    assert {one["source"] for one in report["peers"]} == {f"catalog:{listed.origin}"}

    document = json.loads(listed.bodies["/.well-known/ard.json"])
    document["entries"] = document["entries"][:1]
    listed.bodies["/.well-known/ard.json"] = json.dumps(document).encode()
    refreshed = run("registry", "refresh", "--force", "--allow-private")
    assert "unlisted" in refreshed.stdout
    assert "catalogue  " in run("registry", "list").stdout

    assert "1 agent of the catalogue removed" in run("registry", "remove", listed.origin).stdout
    assert json.loads(run("registry", "list", "--format", "json").stdout)["catalogs"] == []


def test_a_file_with_a_catalogue_is_added_and_removed(listed: Site, run: Run, here: Path) -> None:
    (here / "ard.json").write_bytes(listed.bodies["/.well-known/ard.json"])

    assert run("registry", "add", "ard.json", "--allow-private").exit_code == 0
    names = {one["name"] for one in json.loads(run("registry", "list", "--format", "json").stdout)["peers"]}
    assert names == {"Tides", "Harbour"}
    assert "2 agents of the catalogue removed" in run("registry", "remove", "ard.json").stdout


def test_settings_are_those_of_one_agent_and_read_no_catalogue(listed: Site, run: Run) -> None:
    run("registry", "add", "--id", "tides", listed.origin, "--allow-private")
    assert not any("/ard.json" in path for path, _ in listed.requests)
