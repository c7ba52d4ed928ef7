"""`check --for` and `convert --for`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cardwright.cli import app

EXAMPLES = Path(__file__).parents[2] / "examples"
OLDER, NEWER = (str(EXAMPLES / f"a2a-{version}.card.json") for version in ("0.3", "1.0"))


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, list(arguments))
    return done.exit_code, done.stdout, done.stderr


def test_a_card_that_a_platform_takes_passes() -> None:
    status, output, _ = run("check", "--for", "gemini-enterprise", OLDER)

    assert status == 0
    assert output.startswith(f"✓ {OLDER}: gemini-enterprise\n")
    assert "unknown for gemini-enterprise: " in output


def test_a_card_that_a_platform_does_not_take_says_why_and_where_that_is_stated() -> None:
    status, output, _ = run("check", "--for", "servicenow", NEWER)

    assert status == 1
    assert "  (root): reads a2a-0.3, and the card is a2a-1.0 [form] (https://www.servicenow.com/" in output
    assert "`cardwright convert --for servicenow` makes the card that it reads" in output


def test_all_platforms_and_several_cards_are_a_table() -> None:
    status, output, _ = run("check", "--for", "all", OLDER, NEWER)

    lines = output.splitlines()
    assert status == 1
    assert lines[0].endswith("┌ a2a-inspector")
    assert lines[8] == f"{OLDER}  ✓ ✓ ✓ ✗ ? ✓ ✓ ✓"
    assert lines[9] == f"{NEWER}  ✓ ✓ ✓ ✓ ? ✓ ✗ ✗"
    assert lines[-1].startswith("of 2 cards, taken by: a2a-inspector 2, ans 2, ")


def test_the_report_for_programs_has_each_objection(tmp_path: Path) -> None:
    (tmp_path / "broken.card.json").write_text("{")
    (tmp_path / "other.json").write_text('{"a": 1}')
    status, output, _ = run("check", "--for", "all", "--format", "json", str(tmp_path), NEWER)

    report = json.loads(output)
    broken, card = report["results"]
    assert status == 2
    assert broken["platforms"] is None
    assert "not JSON" in broken["reason"]
    assert card["platforms"]["servicenow"]["objections"][0]["rule"] == "form"
    assert card["platforms"]["chrome-lighthouse"]["accepted"] is None
    assert report["platforms"]["ans"]["title"] == "Agent Name Service (ANS)"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "--for", "none", NEWER), "there is no profile 'none'; known: a2a-inspector, "),
        (("check", "--for", "all", "--format", "sarif", NEWER), "--for prints text or json, not sarif"),
        (("convert", "--for", "none", NEWER), "there is no profile 'none'"),
        (("convert", "--for", "ans", NEWER), "no source states which version Agent Name Service (ANS) reads"),
        (("convert", "--for", "servicenow", "--to", "a2a-0.3", NEWER), "give either --to or --for"),
        (("convert", NEWER), "give either --to or --for"),
    ],
)
def test_invalid_options_are_reported(arguments: tuple[str, ...], message: str) -> None:
    status, output, error = run(*arguments)

    assert (status, output) == (2, "")
    assert message in error


def test_a_card_is_converted_for_a_platform(tmp_path: Path) -> None:
    status, output, _ = run("convert", "--for", "gemini-enterprise", NEWER)

    assert status == 0
    assert json.loads(output)["protocolVersion"] == "0.3.0"


def test_violations_of_a_platform_after_the_conversion_are_reported(tmp_path: Path) -> None:
    card = json.loads(Path(NEWER).read_bytes())
    card["supportedInterfaces"] = [
        {"url": "http://agents.example.com/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "0.3"}
    ]
    (tmp_path / "card.json").write_text(json.dumps(card))
    status, output, error = run("convert", "--for", "servicenow", str(tmp_path / "card.json"))

    assert status == 1
    assert json.loads(output)["url"] == "http://agents.example.com/a2a"
    assert "servicenow: /url: the URL must be https, to be reachable from ServiceNow [url]" in error
