"""`cardwright diff`: the JSON contract, the gate, and reports that no card can write on."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from cardwright_runtime.violation import escaped
from tests.cli.command_line import EXAMPLES, Run
from tests.cli.reports.test_reports import HOSTILE, at_terminal
from tests.difference.patched_pairs import BASE, patched

MARKUP = "`` ` <img src=x onerror=alert(1)> [x](javascript:1) @everyone #1 | \\| \n# heading"


@pytest.fixture
def old(here: Path) -> str:
    (here / "old.json").write_text(json.dumps(BASE))
    return "old.json"


@pytest.fixture
def new(here: Path) -> str:
    """Write a card without its second skill, with one more state and another name, one minor version on."""
    patch = [
        {"op": "remove", "path": "/skills/1"},
        {"op": "add", "path": "/capabilities/extensions/1/params/turnStates/-", "value": "delegated"},
        {"op": "replace", "path": "/name", "value": "Port Desk"},
        {"op": "replace", "path": "/version", "value": "2.4.0"},
    ]
    (here / "new.json").write_text(json.dumps(patched(BASE, patch)))
    return "new.json"


@pytest.fixture
def hostile(here: Path) -> str:
    """Write a card whose texts and names try to steer a terminal and to be markup."""
    document = json.loads(json.dumps(BASE))
    for text in (HOSTILE, MARKUP, MARKUP * 99):
        document |= {"name": text, text: text, "version": text}
        document["skills"].append({"id": text, "name": text, "inputSchema": {"properties": {text: 1}}})
        document["securitySchemes"][text] = {"mtlsSecurityScheme": {}}
        document["securityRequirements"].append({"schemes": {text: {"list": [text]}}})
    document["capabilities"]["extensions"][1]["params"] |= {"version": MARKUP, "turnStates": [MARKUP]}
    (here / "hostile.json").write_text(json.dumps(document))
    return "hostile.json"


def test_the_json_has_the_fields_of_the_contract(old: str, new: str, run: Run) -> None:
    result = run("diff", old, new, "--format", "json")

    report = json.loads(result.stdout)
    assert result.exit_code == 0
    assert list(report) == ["old", "new", "bump", "declared", "sufficient", "changes"]
    assert report["bump"] == "major"
    assert report["declared"] == {
        "agent": {"from": "2.3.1", "to": "2.4.0", "bump": "minor"},
        "schema": {"from": "1.0", "to": "1.0", "bump": "none"},
        "beach": {"from": "1.0", "to": "1.0", "bump": "none"},
    }
    assert report["sufficient"] == {"agent": False, "schema": True, "beach": False}
    assert [(c["severity"], c["kind"], c["pointer"]) for c in report["changes"]] == [
        ("major", "skill-removed", "/skills/1"),
        ("minor", "state-added", "/capabilities/extensions/1/params/turnStates/3"),
        ("patch", "text-changed", "/name"),
    ]
    assert report["changes"][0] == {
        "kind": "skill-removed",
        "severity": "major",
        "pointer": "/skills/1",
        "before": BASE["skills"][1],
        "after": None,
        "why": "callers that use the skill do not find it",
    }


def test_a_version_that_no_card_declares_is_null(valid: str, run: Run) -> None:
    report = json.loads(run("diff", valid, valid, "--format", "json").stdout)

    side = {
        "dialect": "a2a-1.0",
        "sure": True,
        "others": [],
        "evidence": ["supportedInterfaces, which 1.0 introduced"],
    }
    assert report == {
        "old": side,
        "new": side,
        "bump": "none",
        "declared": {
            "agent": {"from": "1.6.0", "to": "1.6.0", "bump": "none"},
            "schema": None,
            "beach": None,
        },
        "sufficient": {"agent": True, "schema": True, "beach": True},
        "changes": [],
    }


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_guessed_dialect_is_marked_as_guessed(form: str, valid: str, here: Path, run: Run) -> None:
    (here / "x.json").write_text('{"name": "A", "url": "https://a.example", "skills": []}')

    assert (
        "x.json is compared as a2a-0.2, not sure: " in run("diff", "x.json", valid, "--format", form).stdout
    )
    report = json.loads(run("diff", "x.json", valid, "--format", "json").stdout)
    assert report["old"]["dialect"] == "a2a-0.2"
    assert not report["old"]["sure"]
    assert report["old"]["others"] == ["a2a-0.1", "a2a-0.3"]
    assert report["old"]["evidence"][0].startswith("no known protocolVersion")


@pytest.mark.parametrize("report", ["text", "json", "markdown"])
def test_the_gate_fails_when_the_version_bump_is_too_small(report: str, old: str, new: str, run: Run) -> None:
    assert run("diff", old, new, "--format", report, "--gate").exit_code == 1
    assert run("diff", old, new, "--format", report).exit_code == 0
    assert run("diff", old, old, "--format", report, "--gate").exit_code == 0


@pytest.mark.parametrize(
    ("versions", "status"),
    [(("3.0.0", "1.1"), 0), (("3.0.0", "1.0"), 1), (("2.4.0", "1.1"), 1), (("3.0.0", "0.9"), 1)],
)
def test_the_gate_checks_each_version(
    versions: tuple[str, str], status: int, old: str, new: str, here: Path, run: Run
) -> None:
    document = json.loads((here / new).read_text())
    document["version"] = versions[0]
    document["capabilities"]["extensions"][1]["params"]["version"] = versions[1]
    (here / new).write_text(json.dumps(document))

    assert run("diff", old, new, "--gate").exit_code == status


# Inputs


def test_either_card_may_come_from_standard_input(old: str, new: str, here: Path, run: Run) -> None:
    result = run("diff", old, new)

    assert run("diff", "-", new, stdin=(here / old).read_bytes()).stdout == result.stdout
    assert run("diff", old, "-", stdin=(here / new).read_bytes()).stdout == result.stdout


def test_both_cards_cannot_come_from_standard_input(run: Run) -> None:
    result = run("diff", "-", "-", stdin=b"{}")

    assert (result.exit_code, result.stdout) == (2, "")
    assert (
        result.stderr == "cardwright: standard input contains only one card: give a file for the other one\n"
    )


@pytest.mark.parametrize("gate", [[], ["--gate"]])
@pytest.mark.parametrize("bad", ["missing.json", ".", "broken.json", "other.json"])
def test_a_document_that_is_no_card_is_reported_in_one_line(
    bad: str, gate: list[str], valid: str, broken: str, here: Path, run: Run
) -> None:
    (here / "other.json").write_text('{"hello": 1}')

    for arguments in ((bad, valid), (valid, bad)):
        result = run("diff", *arguments, *gate)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"cardwright: {bad}: ")
        assert len(result.stderr.splitlines()) == 1


def test_limits_and_dialects_are_those_of_the_other_commands(valid: str, run: Run) -> None:
    assert run("diff", valid, valid, "--max-bytes", 10).exit_code == 2
    assert run("diff", valid, valid, "--max-depth", 2).exit_code == 2
    assert run("diff", valid, valid, "--dialect", "a2a-1.0").exit_code == 0
    assert run("diff", valid, valid, "--dialect", "a2a-9").exit_code == 2


# Text


def test_piped_text_is_a_line_a_change_and_a_line_a_version(old: str, new: str, run: Run) -> None:
    assert run("diff", old, new).stdout == (
        'major: /skills/1: - "tide": callers that use the skill do not find it [skill-removed]\n'
        'minor: /capabilities/extensions/1/params/turnStates/3: + "delegated": a new state, which peers handle'
        " by the list (Beach card seed, Extensions) [state-added]\n"
        'patch: /name: "Harbour Desk" → "Port Desk": text for people only, without effect on callers [text-changed]\n'
        'agent version: "2.3.1" → "2.4.0": declares minor, needs major: not sufficient\n'
        'schema version: "1.0" → "1.0": declares none, needs none: sufficient\n'
        'beach version: "1.0" → "1.0": declares none, needs minor: not sufficient\n'
        "bump: major (1 breaking, 1 compatible, 1 cosmetic)\n"
    )


@pytest.mark.process
def test_a_terminal_shows_the_worst_first_and_the_versions_last(old: str, new: str, here: Path) -> None:
    shown = at_terminal("diff", here / old, here / new)

    places = [
        shown.index(word) for word in ("major", "skill-removed", "state-added", "Port Desk", "agent version")
    ]
    assert places == sorted(places)
    assert shown.rstrip().endswith("bump: major (1 breaking, 1 compatible, 1 cosmetic)\x1b[0m")


def test_equal_cards_are_reported_as_equal(old: str, run: Run) -> None:
    assert run("diff", old, old).stdout.splitlines()[-1] == "bump: none (no change)"
    assert run("diff", old, old, "--format", "markdown").stdout.startswith("### Agent card: no change\n")


def test_an_unusual_version_is_reported(old: str, here: Path, run: Run) -> None:
    (here / "back.json").write_text(json.dumps(BASE | {"version": "2.3.0"}))

    assert "needs none (goes backwards): not sufficient" in run("diff", old, "back.json").stdout
    assert "❌ not sufficient: goes backwards" in run("diff", old, "back.json", "--format", "markdown").stdout


def test_an_invalid_card_is_compared_and_reported_as_invalid(valid: str, invalid: str, run: Run) -> None:
    result = run("diff", valid, invalid)

    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "invalid.json has 1 error: only its readable parts were compared"
    assert "[tag-changed]" in result.stdout
    assert "> `invalid.json has 1 error: " in run("diff", valid, invalid, "--format", "markdown").stdout


# Cards that would write on the report


@pytest.mark.process
def test_no_text_of_a_card_steers_a_terminal(old: str, hostile: str, here: Path, run: Run) -> None:
    for arguments in ((old, hostile), (hostile, old)):
        for line in run("diff", *arguments).stdout.splitlines():
            assert escaped(line) == line
            assert len(line) < 1_000
        shown = at_terminal("diff", *(here / name for name in arguments))
        assert "\x1b[31m[bold]" not in shown
        assert "\\u{1b}[31m[bold]" in shown
        plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
        assert all(escaped(line) == line for line in plain.splitlines())


def test_no_text_of_a_card_becomes_markup(old: str, hostile: str, run: Run) -> None:
    parser = MarkdownIt("gfm-like", {"linkify": False, "html": True})

    for arguments in ((old, hostile), (hostile, old)):
        body = run("diff", *arguments, "--format", "markdown").stdout
        tokens = parser.parse(body)
        inline = [child for token in tokens for child in token.children or ()]
        kinds = {token.type for token in (*tokens, *inline)}
        assert not kinds & {"html_inline", "html_block", "link_open", "image", "fence", "code_block"}
        # Text outside code spans is from cardwright.
        text = "".join(token.content for token in inline if token.type == "text")
        assert not any(sign in text for sign in "<>[]@`\\")
        assert all(escaped(line) == line for line in body.splitlines())
        rows = [token for token in tokens if token.type == "tr_open"]
        cells = [token for token in tokens if token.type in ("td_open", "th_open")]
        assert len(cells) == 6 * len(rows) == 6 * 4
        assert sum(token.type == "heading_open" for token in tokens) == body.count("\n#### ") + 1


def test_a_suspected_secret_is_not_printed(old: str, here: Path, run: Run) -> None:
    secret = "sk-" + "a1b2c3d4" * 4
    (here / "x.json").write_text(json.dumps(BASE | {"name": secret, "version": f"1.0.0-{secret}"}))

    for report in ("text", "markdown"):
        assert secret not in run("diff", old, "x.json", "--format", report).stdout


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.card.json")), ids=lambda path: path.name)
def test_an_example_has_no_difference_from_itself(example: Path, run: Run) -> None:
    result = run("diff", example, example, "--gate")

    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "bump: none (no change)"


def test_two_dialects_are_compared_by_meaning(run: Run) -> None:
    result = run("diff", EXAMPLES / "a2a-0.3.card.json", EXAMPLES / "a2a-1.0.card.json", "--format", "json")

    assert [(c["kind"], c["before"], c["after"]) for c in json.loads(result.stdout)["changes"]] == [
        ("form-removed", "a2a-0.x", None),
        ("interface-version-changed", "0.3", "1.0"),
        ("interface-version-changed", "0.3", "1.0"),
        ("form-added", None, "a2a-1.0"),
    ]


def test_json_holds_values_as_they_are(old: str, hostile: str, run: Run) -> None:
    report: Any = json.loads(run("diff", old, hostile, "--format", "json").stdout)

    (name,) = [change for change in report["changes"] if change["pointer"] == "/name"]
    assert name["after"] == MARKUP * 99
