"""The reports of the command line: text, SARIF and JUnit."""

import json
import os
import pty
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from cardwright_runtime.violation import escaped
from tests.cli.command_line import Run, process

HOSTILE = "\x1b[31m[bold]evil[/bold]\x9b2J\u202e\x07"


@pytest.fixture
def hostile(here: Path, card: dict[str, Any]) -> str:
    """Write a card whose texts, field names and file name have escape sequences for a terminal."""
    card["name"] = HOSTILE
    card["skills"][0]["name"] = 3
    card["securityRequirements"].append({"schemes": {HOSTILE: {"list": []}}})
    card["skills"][0][HOSTILE] = None
    name = f"{HOSTILE.replace('/', '')}.json"
    (here / name).write_text(json.dumps(card))
    return name


def at_terminal(*arguments: object, **environment: str) -> str:
    """Run the command line at a terminal of 100 columns and return what it showed."""
    controller, terminal = pty.openpty()
    with process(*arguments, stdout=terminal, COLUMNS="100", TERM="xterm-256color", **environment) as run:
        os.close(terminal)
        shown = b""
        # Linux ends a terminal whose other side has gone with an error instead of an end.
        try:
            while part := os.read(controller, 65_536):
                shown += part
        except OSError:
            pass
        finally:
            os.close(controller)
        assert run.communicate(timeout=30)[1] == b""
    return shown.decode().replace("\r\n", "\n")


# Text


def test_piped_text_is_a_line_a_document_and_a_line_a_violation(
    valid: str, invalid: str, warned: str, broken: str, run: Run
) -> None:
    result = run("check", valid, invalid, warned, broken)

    assert result.stdout == (
        "✓ valid.json: a2a-1.0: valid\n"
        "✗ invalid.json: a2a-1.0: 1 error\n"
        '  invalid.json:89:5: error: /skills/0/tags: "tags" is required and missing. Add it'
        ' [schema/required] (A2A 1.0 §4.4.5) unsafe fix: adds the placeholder tag "general"\n'
        "✓ warned.json: a2a-1.0: 1 warning\n"
        '  warned.json:7:7: warning: /supportedInterfaces/0/protocolBinding: "jsonrpc" is a misspelled'
        " transport name; clients compare the exact name: JSONRPC, GRPC or HTTP+JSON [transports/core-name-case]"
        " (A2A 1.0 §4.4.6; §5.8) fix: replaces the name by its spelling in the specification\n"
        "! broken.json: unreadable\n"
        "  broken.json:3:1: error: the document is not JSON: unexpected character, expected a JSON value,"
        " line 3 column 1 [decode/not-json] (RFC 8259 §2)\n"
        "4 documents: 2 valid, 1 invalid, 1 unreadable\n"
        "1 fixable with `cardwright fix`, 1 more with --unsafe\n"
        "Explain a rule: cardwright explain schema/required\n"
    )


def test_errors_come_before_warnings(here: Path, card: dict[str, Any], run: Run) -> None:
    card["name"] = "a\x07"
    del card["version"]
    (here / "x.json").write_text(json.dumps(card))

    lines = run("check", "x.json").stdout.splitlines()

    assert [line.split(": ")[1] for line in lines if line.startswith("  ")] == ["error", "warning"]


def test_equal_warnings_are_one_finding_with_a_count_and_errors_are_not(
    here: Path, card: dict[str, Any], run: Run
) -> None:
    skill = card["skills"][0]
    card["skills"] = [{**skill, "id": f"s{n}", "inputModes": ["text"]} for n in range(6)]
    card["skills"][5]["inputModes"] = ["data"]
    del card["skills"][0]["tags"], card["skills"][1]["tags"]
    (here / "x.json").write_text(json.dumps(card))

    output = run("check", "x.json").stdout
    lines = [line for line in output.splitlines() if "modes/media-type" in line]

    assert "2 errors, 6 warnings" in output
    assert output.count("[schema/required]") == 2
    assert [
        "and 4 more: /skills/1/inputModes/0, /skills/2/inputModes/0, /skills/3/inputModes/0, …" in line
        for line in lines
    ] == [True, False]
    assert [line.split(": ")[2] for line in lines] == ["/skills/0/inputModes/0", "/skills/5/inputModes/0"]


def test_a_guessed_dialect_is_marked_as_guessed(here: Path, run: Run) -> None:
    (here / "x.json").write_text('{"name": "A", "url": "https://a.example", "skills": []}')

    assert "a2a-0.2, not sure" in run("check", "x.json").stdout


@pytest.mark.parametrize("command", ["check", "detect", "show"])
def test_a_pipe_gets_no_ansi_and_no_control_character(command: str, hostile: str, run: Run) -> None:
    result = run(command, hostile)

    assert all(escaped(line) == line for line in result.stdout.split("\n"))
    assert "[bold]" in result.stdout


@pytest.mark.parametrize("command", ["check", "detect", "show"])
@pytest.mark.process
def test_a_terminal_gets_no_escape_of_the_card_and_no_markup(command: str, hostile: str) -> None:
    shown = at_terminal(command, hostile, NO_COLOR="1")

    # Bold and dim are no colours; whatever else begins with ESC would be the card's.
    plain = shown.replace("\x1b[1m", "").replace("\x1b[2m", "").replace("\x1b[1;2m", "")
    plain = plain.replace("\x1b[3m", "").replace("\x1b[2;3m", "").replace("\x1b[0m", "")
    assert all(escaped(line) == line for line in plain.split("\n"))
    assert "[bold]" in plain


@pytest.mark.process
def test_a_terminal_shows_rule_location_reason_and_fix(invalid: str, warned: str) -> None:
    shown = at_terminal("check", invalid, warned, NO_COLOR="1")

    for words in (
        "✗",
        "invalid.json:89:5",
        '"tags" is required and missing',
        "schema/required · A2A 1.0 §4.4.5",
        "fix",
    ):
        assert words in shown
    assert "2 documents: 1 valid, 1 invalid, 0 unreadable" in shown
    assert "\x1b[31m" not in shown


@pytest.mark.process
def test_a_terminal_is_coloured(invalid: str) -> None:
    assert "\x1b[31m✗\x1b[0m" in at_terminal("check", invalid)


@pytest.mark.parametrize("command", ["check", "detect", "show"])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.process
def test_a_stream_that_cannot_encode_the_symbols_gets_ascii(
    command: str, encoding: str, hostile: str
) -> None:
    with process(command, hostile, PYTHONIOENCODING=encoding) as run:
        shown, error = run.communicate(timeout=30)

    assert shown.isascii()
    assert error == b""


def test_a_progress_bar_is_for_many_documents_at_a_terminal_only(
    here: Path, card: dict[str, Any], run: Run
) -> None:
    for index in range(60):
        (here / f"{index:02}.json").write_text(json.dumps(card))

    result = run("check", ".")

    assert result.stderr == ""
    assert result.stdout.endswith("60 documents: 60 valid, 0 invalid, 0 unreadable\n")


# SARIF


def sarif(run: Run, *arguments: object, stdin: bytes | None = None) -> Any:
    log = json.loads(run("check", "--format", "sarif", *arguments, stdin=stdin).stdout)
    assert log["version"] == "2.1.0"
    (only,) = log["runs"]
    return only


def test_sarif_names_each_rule_once_and_refers_to_it(
    invalid: str, warned: str, broken: str, run: Run
) -> None:
    log = sarif(run, invalid, warned, broken, invalid)

    driver = log["tool"]["driver"]
    rules = [rule["id"] for rule in driver["rules"]]
    assert driver["name"] == "cardwright"
    assert rules == ["decode/not-json", "schema/required", "transports/core-name-case"]
    assert all(rule["shortDescription"]["text"] for rule in driver["rules"])
    assert [rules[result["ruleIndex"]] for result in log["results"]] == [
        result["ruleId"] for result in log["results"]
    ]
    assert [result["level"] for result in log["results"]] == ["error", "warning", "error", "error"]
    assert log["invocations"] == [{"executionSuccessful": False}]


def test_sarif_says_how_sure_the_dialect_of_a_document_is(here: Path, run: Run) -> None:
    (here / "x.json").write_text('{"name": "A", "url": "https://a.example", "skills": [], "provider": null}')

    (run_of_log,) = json.loads(run("check", "--format", "sarif", "x.json").stdout)["runs"]

    (artifact,) = run_of_log["artifacts"]
    assert artifact["location"] == {"uri": "x.json"}
    assert artifact["properties"]["dialect"] == "a2a-0.1"
    assert artifact["properties"]["sure"] is False
    assert list(artifact["properties"]["errorsAs"]) == ["a2a-0.1", "a2a-0.2"]


def test_a_sarif_result_has_line_column_and_pointer(invalid: str, run: Run) -> None:
    (result,) = sarif(run, invalid)["results"]

    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "invalid.json"},
        "region": {"startLine": 89, "startColumn": 5},
    }
    assert location["logicalLocations"] == [{"fullyQualifiedName": "/skills/0/tags"}]
    assert result["message"]["text"] == '"tags" is required and missing. Add it'


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("a b.json", "a%20b.json"),
        ("50%[x].json", "50%25%5Bx%5D.json"),
        ("a:b.json", "a%3Ab.json"),
        ("é.json", "%C3%A9.json"),
    ],
)
def test_a_sarif_uri_is_percent_encoded(name: str, uri: str, here: Path, run: Run) -> None:
    (here / name).write_text("{}")

    for path in (name, here / name):
        (result,) = sarif(run, path)["results"]
        location = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert location.endswith(f"/{uri}" if path is not name else uri)
        assert location.startswith("file:///") is (path is not name)


def test_sarif_calls_standard_input_stdin(run: Run) -> None:
    (result,) = sarif(run, "-", stdin=b"{}")["results"]

    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "stdin"


# JUnit


def junit(run: Run, *arguments: object) -> ET.Element:
    return ET.fromstring(run("check", "--format", "junit", *arguments).stdout)  # noqa: S314 - our own


def test_junit_has_a_case_a_document(valid: str, invalid: str, warned: str, broken: str, run: Run) -> None:
    (suite,) = junit(run, valid, invalid, warned, broken)

    assert {name: suite.get(name) for name in ("name", "tests", "failures", "errors")} == {
        "name": "cardwright",
        "tests": "4",
        "failures": "1",
        "errors": "1",
    }
    assert [(case.get("name"), [child.tag for child in case]) for case in suite] == [
        (valid, []),
        (invalid, ["failure"]),
        (warned, ["system-out"]),
        (broken, ["error"]),
    ]
    assert "/skills/0/tags" in (suite[1][0].text or "")


def test_junit_holds_no_character_that_xml_forbids(hostile: str, run: Run) -> None:
    (suite,) = junit(run, hostile)

    (case,) = suite
    assert case.get("name") == escaped(hostile)
    assert "[bold]" in (case[0].text or "")
