"""The output of `check`: source lines, places, what can be fixed, annotations, files, YAML."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from cardwright.cli.check_run import check_source
from cardwright.cli.inputs import Source
from cardwright.cli.project import Effective
from cardwright.cli.reports.words import excerpt_of
from tests.cli.command_line import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.command_line import Checked, Run


@pytest.fixture
def wrong(here: Path) -> str:
    """A card with an error and a warning."""
    card: dict[str, Any] = json.loads((EXAMPLES / "a2a-1.0.card.json").read_text())
    card["version"] = 1
    card["defaultInputModes"] = ["text"]
    (here / "wrong.json").write_text(json.dumps(card, indent=2))
    return "wrong.json"


def excerpts(name: str) -> dict[str, tuple[int, str, str]]:
    row = check_source(Source(name), Effective())
    assert row is not None
    found = {one.pointer: excerpt_of(row, one) for one in row.violations}
    return {pointer: (one.number, one.line, one.marks) for pointer, one in found.items() if one}


def test_the_value_of_a_finding_is_marked_in_its_line(wrong: str) -> None:
    assert excerpts(wrong) == {
        "/defaultInputModes/0": (81, '    "text"', "    ^^^^^^"),
        "/version": (20, '  "version": 1,', "  ^^^^^^^^^^^^"),
    }


def test_a_long_line_is_clipped_around_the_value(here: Path, wrong: str) -> None:
    card = json.loads((here / wrong).read_text())
    (here / "one-line.json").write_text(json.dumps(card))
    for _, line, marks in excerpts("one-line.json").values():
        assert len(line) <= 102
        assert line.startswith("…")
        marked = line[marks.index("^") : len(marks)]
        assert marked in ('"version": 1', '"text"')


def test_control_characters_of_a_card_are_escaped_in_its_lines(here: Path) -> None:
    (here / "x.card.json").write_text('{"name": "\x9b31m", "url": 7, "version": "1", "skills": []}')
    assert all("\x9b" not in line for _, line, _ in excerpts("x.card.json").values())


def test_the_source_line_is_printed_with_verbose(wrong: str, run: Run) -> None:
    output = run("check", "-v", wrong).stdout
    assert '  20 |   "version": 1,\n     |   ^^^^^^^^^^^^\n' in output
    assert "^" not in run("check", wrong).stdout


def test_quiet_prints_findings_alone(wrong: str, run: Run) -> None:
    lines = run("check", "-q", wrong).stdout.splitlines()
    assert [line.split(": ")[1] for line in lines] == ["error", "warning"]
    assert all(line.startswith("wrong.json:") for line in lines)


def test_fixable_violations_are_counted(wrong: str, run: Run) -> None:
    assert "2 fixable with `cardwright fix`\n" in run("check", wrong).stdout
    run("fix", "--write", wrong)
    assert "fixable" not in run("check", wrong).stdout


def test_json_has_lines_and_columns(wrong: str, checked: Checked) -> None:
    (row,) = checked(wrong)["results"]
    assert [(one["line"], one["column"]) for one in row["violations"]] == [(20, 3), (81, 5)]


def test_annotations_of_github_have_the_place_and_no_line_break(here: Path, wrong: str, run: Run) -> None:
    lines = run("check", "--format", "github", wrong).stdout.splitlines()
    assert lines[0].startswith(
        "::error file=wrong.json,line=20,col=3,title=schema/type::/version: expected a"
    )
    assert lines[1].startswith("::warning file=wrong.json,line=81,col=5,title=modes/media-type::")
    (here / "a,b:%.card.json").write_text('{"name": "50%\\n::error::x", "unknown": 1, "url": 3}')
    output_lines = run("check", "--format", "github", "a,b:%.card.json").stdout.splitlines()
    assert all(
        line.startswith(("::error file=a%2Cb%3A%25.card.json", "::warning file=a%2C", "1 document"))
        for line in output_lines
    )


def test_a_code_quality_report_has_stable_fingerprints(here: Path, wrong: str, run: Run) -> None:
    before = json.loads(run("check", "--format", "gitlab", wrong).stdout)
    assert {(one["check_name"], one["severity"], one["location"]["lines"]["begin"]) for one in before} == {
        ("schema/type", "major", 20),
        ("modes/media-type", "minor", 81),
    }
    (here / wrong).write_text("\n\n" + (here / wrong).read_text())
    after = json.loads(run("check", "--format", "gitlab", f"./{wrong}").stdout)
    assert [one["fingerprint"] for one in after] == [one["fingerprint"] for one in before]
    assert len({one["fingerprint"] for one in before}) == len(before)


@pytest.mark.parametrize("form", ["text", "json", "github", "gitlab", "sarif", "junit"])
def test_a_report_is_written_to_a_file(here: Path, wrong: str, run: Run, form: str) -> None:
    printed = run("check", "--format", form, wrong).stdout
    result = run("check", "--format", form, "--output", "report", wrong)
    assert (result.exit_code, result.stdout) == (1, "")
    assert (here / "report").read_text() == printed
    unwritable = run("check", "--output", "missing/report", wrong)
    assert unwritable.exit_code == 2
    assert "missing/report: the report cannot be written" in unwritable.stderr


def test_a_yaml_card_is_checked_as_json_with_its_own_lines(here: Path, run: Run) -> None:
    card: dict[str, Any] = json.loads((EXAMPLES / "a2a-1.0.card.json").read_text())
    del card["skills"][0]["tags"]
    (here / "x.card.yaml").write_text(
        yaml.safe_dump({"version": 1.0} | {k: v for k, v in card.items() if k != "version"}, sort_keys=False)
    )
    result = run("check", ".")
    assert "x.card.yaml:1:1: error: /version: expected a string, found the number 1.0" in result.stdout
    assert re.search(r"x\.card\.yaml:[0-9]+:3: error: /skills/0/tags: ", result.stdout)
    assert "x.card.yaml is checked as JSON; agents publish cards as JSON, not YAML" in result.stderr
    (here / "x.card.yaml").write_text("a: &x 1\nb: *x")
    broken = run("check", "x.card.yaml")
    assert broken.exit_code == 2
    assert "line 2: aliases are not allowed" in broken.stdout
    (here / "values.yaml").write_text("name: X\n")
    assert "values.yaml" not in run("check", "-v", ".").stderr
