"""`cardwright probe`: the exit status, the reports, and what it sends where."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from cardwright import Card, sign
from cardwright.cli import probe, terminal
from cardwright.signing import Key, new_key
from tests.a2a_v0_1_agent import OlderAgent
from tests.discovery.probe.agents import KEY, SECURED, Agent, card, older
from tests.peers import RecordedRequest, Reply, peer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator
    from pathlib import Path

    import pytest

    from tests.cli.command_line import CommandResult, Run
    from tests.peers import Peer

FIELDS = {"id", "section", "outcome", "subject", "pointer", "seen", "expected", "fix", "spec"}


@contextmanager
def listening(agent: Agent) -> Generator[str]:
    """Run an agent on loopback while the command runs; yield its origin."""

    def as_http(request: RecordedRequest) -> Reply:
        reply = agent.answer(request)
        host = request.headers["host"].encode()
        body = reply.body.replace(b"https://" + host, b"http://" + host)
        fields = {name: value for name, value in reply.headers.items() if name != "Content-Length"}
        return Reply(reply.status, body, fields)

    with beside(as_http) as one:
        agent.requests = one.requests
        yield one.origin


@contextmanager
def beside(answer: Callable[[RecordedRequest], Reply | Awaitable[Reply]]) -> Generator[Peer]:
    """Run a peer beside the command."""
    peers: list[Peer] = []
    started, ended = threading.Event(), threading.Event()

    async def scene() -> None:
        async with peer(answer) as one:
            peers.append(one)
            started.set()
            await asyncio.to_thread(ended.wait)

    thread = threading.Thread(target=lambda: asyncio.run(scene()))
    thread.start()
    try:
        assert started.wait(60)
        yield peers[0]
    finally:
        ended.set()
        thread.join()


def probed(run: Run, agent: Agent, *options: object) -> CommandResult:
    with listening(agent) as origin:
        return run("probe", origin, "--allow-private", *options)


def misspelt(origin: str) -> dict[str, Any]:
    """A card with a field that check warns of."""
    return card(origin, documentationUri="https://docs.tide-mill.org/")


def mismatched_agent() -> Agent:
    """Declares 1.0 and supports 0.3."""
    return Agent(misspelt, speaks=("0.3",))


def test_an_agent_of_0_1_is_found_and_called_in_its_own_version(run: Run) -> None:
    agent = OlderAgent(streaming=True, push=True)
    with beside(agent.answer) as there:
        found = run("discover", there.origin, "--allow-private")
        result = run("probe", there.origin, "--allow-private", "--send")

    assert "A2A 0.1 over JSONRPC" in found.stdout
    assert result.exit_code == 0
    assert "✗" not in result.stdout
    assert {"tasks/send", "tasks/sendSubscribe"} <= {*agent.methods()}


def test_an_agent_that_matches_its_card_exits_with_0(run: Run) -> None:
    result = probed(run, Agent())

    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].startswith("passed: the agent does what its card declares")
    assert "✓ interfaces: A2A 1.0 over JSONRPC" in result.stdout


def test_an_agent_that_does_not_match_its_card_exits_with_1(run: Run) -> None:
    result = probed(run, mismatched_agent())

    assert result.exit_code == 1
    line = next(line for line in result.stdout.splitlines() if line.startswith("✗"))
    assert "the card declares A2A 1.0; the interface supports 0.3" in line
    assert "expected: the interface supports the declared A2A version" in line
    assert "fix: declare the A2A version that the interface supports" in line
    assert line.endswith("[probe/interface-version] (A2A 1.0 §3.6)")
    assert result.stdout.splitlines()[-1].startswith("failed: ")


def test_warnings_count_with_strict(run: Run) -> None:
    assert probed(run, Agent(), "--strict").exit_code == 0
    assert probed(run, Agent(misspelt)).exit_code == 0
    assert probed(run, Agent(misspelt), "--strict").exit_code == 1


def test_a_url_that_the_guard_refuses_is_one_line_that_says_so(run: Run) -> None:
    result = run("probe", "http://127.0.0.1:9/")

    assert (result.exit_code, result.stdout) == (2, "")
    assert re.fullmatch(r"refused: .*--allow-private.*\n", result.stderr)


def test_an_unreachable_agent_exits_with_2(run: Run) -> None:
    result = run("probe", "http://127.0.0.1:1/", "--allow-private")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "the agent could not be probed" in result.stderr


def test_a_card_that_requires_authentication_exits_with_2(run: Run) -> None:
    result = probed(run, Agent(override=lambda _: Reply(401)))

    assert result.exit_code == 2
    assert "authentication is required" in result.stderr


def test_the_json_is_a_contract(run: Run) -> None:
    report = json.loads(probed(run, mismatched_agent(), "--format", "json").stdout)

    assert list(report) == ["url", "card", "dialect", "true", "complete", "requests", "checks", "summary"]
    assert (report["dialect"], report["true"], report["complete"]) == ("a2a-1.0", False, True)
    assert all(set(check) == FIELDS for check in report["checks"])
    (untrue,) = [check for check in report["checks"] if check["outcome"] == "error"]
    assert (untrue["id"], untrue["pointer"]) == ("probe/interface-version", "/supportedInterfaces/0")
    assert sum(report["summary"].values()) == len(report["checks"])


def test_junit_has_a_case_for_each_check(run: Run) -> None:
    root = ET.fromstring(probed(run, mismatched_agent(), "--format", "junit").stdout)  # noqa: S314 - we have just written it

    cases = root.findall("testsuite/testcase")
    assert int(root.attrib["tests"]) == len(cases)
    assert root.attrib["failures"] == "1"
    (failure,) = root.findall("testsuite/testcase/failure")
    assert failure.attrib["type"] == "probe/interface-version"
    assert len(root.findall("testsuite/testcase/skipped")) == int(root.attrib["skipped"]) > 0


def test_sarif_has_a_result_for_each_fault_at_the_url_of_the_card(run: Run) -> None:
    log = json.loads(probed(run, mismatched_agent(), "--format", "sarif").stdout)

    results = log["runs"][0]["results"]
    assert {(one["ruleId"], one["level"]) for one in results} == {
        ("probe/card-valid", "warning"),
        ("probe/interface-version", "error"),
    }
    place = results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\.well-known/agent-card\.json", place)


def test_the_given_header_authenticates(run: Run) -> None:
    agent = Agent(lambda origin: card(origin, **SECURED), demands=True)

    result = probed(run, agent, "--header", f"X-API-Key: {KEY['X-API-Key']}")

    assert result.exit_code == 0
    assert "the agent accepts the header given with --header" in result.stdout


def test_it_identifies_itself_and_sends_messages_only_if_allowed(run: Run) -> None:
    agent, other = Agent(), Agent()

    probed(run, agent)
    result = probed(run, other, "--send")

    assert all(request.headers["user-agent"].startswith("cardwright-probe/") for request in agent.requests)
    assert not any(b'"SendMessage"' in request.body for request in agent.requests)
    assert any(b'"SendMessage"' in request.body for request in other.requests)
    assert "messages: A2A 1.0" in result.stdout


def test_a_terminal_gets_a_table_by_section(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "at_terminal", lambda _: True)
    monkeypatch.setattr(terminal, "at_terminal", lambda _: True)

    result = probed(run, Agent(older))
    uncoloured = re.sub(r"\x1b\[[0-9;]*m", "", result.stdout)

    assert re.search(r"^interfaces$", uncoloured, re.MULTILINE)
    assert re.search(r"✓ interface-version\s+response to A2A", uncoloured)
    assert result.exit_code == 0


def test_the_time_and_the_format_are_checked(run: Run) -> None:
    assert run("probe", "https://a.example", "--timeout", "0").exit_code == 2
    assert run("probe", "https://a.example", "--format", "xml").exit_code == 2


def test_text_of_a_card_is_shown_escaped(run: Run) -> None:
    def document(origin: str) -> dict[str, Any]:
        binding = {"url": f"{origin}/x", "protocolBinding": "\u001b[31mred", "protocolVersion": "1.0"}
        return card(origin, supportedInterfaces=[binding])

    result = probed(run, Agent(document))

    assert "\u001b" not in result.stdout


def test_a_signature_is_verified_with_a_given_key(run: Run, tmp_path: Path) -> None:
    key = Key.from_jwk(new_key("ES256", "mill"))
    (tmp_path / "keys.json").write_text(json.dumps({"keys": [key.to_jwk()]}))

    def document(origin: str) -> dict[str, Any]:
        unsigned = Card.from_document(card(origin.replace("https:", "http:")))
        return sign(unsigned, key=key, kid="mill", alg="ES256").document

    result = probed(run, Agent(document), "--keys", tmp_path / "keys.json")

    assert "a signature verifies with a trusted key" in result.stdout
