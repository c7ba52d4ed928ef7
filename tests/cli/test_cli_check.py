"""`cardwright check`: the JSON contract, the exit status and the options."""

import json
from pathlib import Path
from typing import Any

import pytest

from cardwright.cli import check_run
from cardwright.cli.project import Effective
from cardwright_rules import DIALECTS
from tests.cli.command_line import EXAMPLES, Checked, Run

NULLED = '{"name": "A", "url": "https://a.example", "version": "1", "capabilities": {}, "skills": [], "provider": null}'
MODES = '"defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"]'
NO_VERSION = (
    '{"name": "A", "description": "B", "url": "https://a.example", "version": "1", "capabilities": {}, '
    f'"skills": [], {MODES}}}'
)


def test_a_valid_card_is_a_row_without_violations(valid: str, checked: Checked) -> None:
    assert checked(valid) == {
        "results": [
            {
                "source": "valid.json",
                "dialect": "a2a-1.0",
                "sure": True,
                "evidence": ["supportedInterfaces, which 1.0 introduced"],
                "errorsAs": {},
                "valid": True,
                "violations": [],
            }
        ],
        "summary": {"documents": 1, "valid": 1, "invalid": 0, "unreadable": 0},
    }


def test_a_guessed_dialect_is_a_row_with_the_errors_as_each_dialect(here: Path, checked: Checked) -> None:
    (here / "x.json").write_text(NULLED)

    (row,) = checked("x.json")["results"]

    assert (row["dialect"], row["sure"], row["valid"]) == ("a2a-0.1", False, True)
    assert row["evidence"] == ["provider: null, which only 0.1 allows"]
    assert list(row["errorsAs"].items()) == [("a2a-0.1", 0), ("a2a-0.2", 4)]


def test_a_card_without_a_version_is_valid_but_not_strictly(here: Path, run: Run) -> None:
    (here / "x.json").write_text(NO_VERSION)

    result = run("check", "x.json")

    assert result.exit_code == 0
    assert "a2a-0.2, not sure: 3 warnings" in result.stdout
    assert "[protocol-version/missing]" in result.stdout
    assert "[interfaces/preferred-missing]" in result.stdout
    assert "valid as a2a-0.2 and a2a-0.1 only: as a2a-0.3 it has 1 error; --dialect chooses" in result.stdout
    assert run("check", "--strict", "x.json").exit_code == 1


def test_the_place_of_a_card_is_evidence(here: Path, checked: Checked) -> None:
    (here / ".well-known").mkdir()
    (here / ".well-known" / "agent-card.json").write_text(NO_VERSION)

    (row,) = checked(".well-known/agent-card.json")["results"]

    assert (row["dialect"], row["sure"], row["valid"]) == ("a2a-0.3", False, False)
    assert row["evidence"][1:] == ["found at /.well-known/agent-card.json, the path of a2a-0.3"]


def test_a_violation_has_its_place_and_no_fix_where_there_is_none(
    here: Path, card: dict[str, Any], checked: Checked
) -> None:
    del card["supportedInterfaces"][0]["url"]
    (here / "nowhere.json").write_text(json.dumps(card))

    (row,) = checked("nowhere.json")["results"]

    assert row["valid"] is False
    assert row["violations"] == [
        {
            "rule": "schema/required",
            "severity": "error",
            "pointer": "/supportedInterfaces/0/url",
            "message": '"url" is required and missing. Add it',
            "spec": "A2A 1.0 §4.4.6",
            "line": 1,
            "column": 152,
        }
    ]


def test_a_fix_is_an_rfc_6902_patch(warned: str, checked: Checked) -> None:
    (violation,) = checked(warned)["results"][0]["violations"]

    assert violation["fix"]["safe"] is True
    assert violation["fix"]["description"]
    assert violation["fix"]["patch"] == [
        {"op": "replace", "path": "/supportedInterfaces/0/protocolBinding", "value": "JSONRPC"}
    ]


def test_an_unrecognised_document_is_an_invalid_row(here: Path, checked: Checked, run: Run) -> None:
    (here / "x.json").write_text('{"hello": 1}')

    report = checked("x.json")

    (row,) = report["results"]
    assert (row["dialect"], row["valid"]) == (None, False)
    assert [(v["rule"], v["severity"]) for v in row["violations"]] == [("dialect/unknown", "error")]
    assert report["summary"] == {"documents": 1, "valid": 0, "invalid": 1, "unreadable": 0}
    assert run("check", "x.json").exit_code == 1


def test_an_unreadable_document_is_a_row_with_the_reason(broken: str, checked: Checked) -> None:
    report = checked(broken)

    (row,) = report["results"]
    assert (row["dialect"], row["evidence"], row["valid"]) == (None, [], False)
    assert [(v["rule"], v["severity"]) for v in row["violations"]] == [("decode/not-json", "error")]
    assert report["summary"] == {"documents": 1, "valid": 0, "invalid": 0, "unreadable": 1}


def test_every_input_is_one_row_in_the_order_given(
    valid: str, invalid: str, broken: str, checked: Checked
) -> None:
    report = checked(broken, valid, "missing.json", invalid, valid)

    assert [row["source"] for row in report["results"]] == [broken, valid, "missing.json", invalid, valid]
    assert report["summary"] == {"documents": 5, "valid": 2, "invalid": 1, "unreadable": 2}


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.card.json")), ids=lambda path: path.name)
def test_every_example_is_valid(example: Path, checked: Checked) -> None:
    (row,) = checked(example)["results"]

    assert row["valid"]
    assert row["dialect"] in DIALECTS


# Exit status


@pytest.mark.parametrize(
    ("kinds", "status"),
    [
        (["valid"], 0),
        (["warned"], 0),
        (["valid", "invalid"], 1),
        (["invalid", "broken"], 2),
        (["broken", "invalid", "valid"], 2),
    ],
)
@pytest.mark.parametrize("report", ["text", "json", "sarif", "junit"])
def test_unreadable_wins_over_invalid_over_valid(
    kinds: list[str], status: int, report: str, request: pytest.FixtureRequest, run: Run
) -> None:
    paths: list[str] = [request.getfixturevalue(kind) for kind in kinds]

    assert run("check", "--format", report, *paths).exit_code == status


def test_an_interrupt_exits_with_130_and_says_nothing(
    valid: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(check_run, "read", interrupt)

    result = run("check", valid)

    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--format", "yaml", "x"],
        ["--max-bytes", "0", "x"],
        ["--max-depth", "many", "x"],
        ["--wrong", "x"],
    ],
)
def test_wrong_usage_exits_with_2(arguments: list[str], run: Run) -> None:
    result = run("check", *arguments)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Usage" in result.stderr


# Options


def test_strict_counts_warnings_as_invalid(warned: str, checked: Checked, run: Run) -> None:
    report = checked("--strict", warned)

    assert report["results"][0]["valid"] is False
    assert report["summary"]["invalid"] == 1
    assert run("check", "--strict", warned).exit_code == 1


def test_a_given_dialect_is_the_evidence(valid: str, checked: Checked) -> None:
    (row,) = checked("--dialect", "a2a-0.3", valid)["results"]

    assert (row["dialect"], row["evidence"]) == ("a2a-0.3", ["given by --dialect"])
    assert row["valid"] is False


@pytest.mark.parametrize("body", [b"3", b"[]", b"null", b'"text"'])
def test_a_given_dialect_validates_a_document_that_is_no_object(
    body: bytes, here: Path, checked: Checked
) -> None:
    (here / "x.json").write_bytes(body)

    (row,) = checked("--dialect", "a2a-1.0", "x.json")["results"]

    assert (row["dialect"], row["valid"]) == ("a2a-1.0", False)


def test_an_unknown_dialect_is_refused_in_one_line_that_lists_the_known(valid: str, run: Run) -> None:
    result = run("check", "--dialect", "a2a-\x1b[31m9", valid)

    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert "\x1b" not in line
    assert all(name in line for name in DIALECTS)


@pytest.mark.parametrize(
    ("option", "body", "rule"),
    [
        (("--max-bytes", 10), b'{"name": "more"}', "decode/too-large"),
        (("--max-depth", 3), b'{"a": [[[[]]]]}', "decode/too-deep"),
        (("--max-members", 1), b'{"a": 1, "b": 2, "c": 3}', "decode/too-many-members"),
        (("--max-values", 3), b'{"a": [1, 2, 3]}', "decode/too-many-values"),
    ],
)
def test_a_limit_can_be_set(
    option: tuple[str, int], body: bytes, rule: str, here: Path, checked: Checked
) -> None:
    (here / "x.json").write_bytes(body)

    (row,) = checked(*option, "x.json")["results"]

    assert [violation["rule"] for violation in row["violations"]] == [rule]


def test_a_limit_can_be_raised(here: Path, card: dict[str, Any], checked: Checked) -> None:
    card["x"] = "x" * 300_000
    (here / "x.json").write_text(json.dumps(card))

    assert checked("x.json")["summary"]["unreadable"] == 1
    assert checked("--max-bytes", 400_000, "x.json")["summary"]["valid"] == 1


def test_text_rules_are_applied_only_on_request(
    valid: str, checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[bool] = []
    check_source = check_run.check_source

    def noted(source: Any, settings: Effective) -> check_run.Row | None:
        requests.append("text" in settings.checks.rules)
        return check_source(source, settings)

    monkeypatch.setattr(check_run, "check_source", noted)

    checked(valid)
    checked("--rules", "text", valid)

    assert requests == [False, True]


# Names of the application

BEACH = {
    "schemaVersion": "1.0",
    "id": "a",
    "name": "A",
    "description": "Does things.",
    "version": "1.0.0",
    "capabilities": [{"id": "c", "description": "Does one thing."}],
    "transports": [{"protocol": "websocket", "endpoint": "https://a.example.com/ws"}],
}


def test_every_command_reads_the_names_of_the_project_or_of_a_file(here: Path, run: Run) -> None:
    (here / "card.json").write_text(json.dumps(BEACH))
    assert run("check", "--strict", "card.json").exit_code == 1
    assert run("detect", "card.json").exit_code == 0

    (here / "pyproject.toml").write_text("[tool.cardwright.transports.websocket]")
    assert run("check", "--strict", "card.json").exit_code == 0
    assert "no fixes, valid" in run("fix", "card.json").stderr

    (here / "names.yml").write_text("transports: {grpc: {}}")
    result = run("check", "--strict", "--registries", "names.yml", "card.json")
    assert result.exit_code == 1
    assert "beach/transport-registered" in result.stdout


@pytest.mark.parametrize("command", ["check", "fix", "diff", "show", "convert", "detect"])
def test_an_invalid_registries_file_ends_a_command_with_one_line(here: Path, run: Run, command: str) -> None:
    (here / "card.json").write_text(json.dumps(BEACH))
    (here / "names.yml").write_text("transport: {grpc: {}}")
    more = {"diff": ["card.json"], "convert": ["--to", "a2a-1.0"]}.get(command, [])

    result = run(command, "--registries", "names.yml", "card.json", *more)

    assert result.exit_code == 2
    assert 'names.yml: /: unknown field "transport"' in result.stderr
    assert result.stdout == ""
