"""The settings of a project for `check` and `fix`: where they are found, what they do, what is wrong with them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.command_line import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.command_line import Checked, Run

WARNING, ERROR = "modes/media-type", "schema/required"


@pytest.fixture
def project(here: Path) -> Path:
    """A folder with a card that has an error and a warning, and one in a subfolder."""
    card: dict[str, Any] = json.loads((EXAMPLES / "a2a-1.0.card.json").read_text())
    card["defaultInputModes"] = ["text"]
    del card["skills"][0]["tags"]
    for name in ("a.card.json", "below/b.card.json"):
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_text(json.dumps(card))
    return here


def rules(report: Any) -> dict[str, list[str]]:
    return {row["source"]: [one["rule"] for one in row["violations"]] for row in report["results"]}


def settings(folder: Path, text: str, name: str = "cardwright.toml") -> None:
    (folder / name).write_text(text)


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        ((), [WARNING, ERROR]),
        (("--ignore", "modes"), [ERROR]),
        (("--ignore", f"{WARNING},schema"), []),
        (("--ignore", WARNING, "--ignore", ERROR), []),
        (("--select", "modes"), [WARNING]),
        (("--select", ERROR), [ERROR]),
        (("--select", "ALL", "--ignore", "ALL"), []),
        (("--select", WARNING, "--ignore", "modes"), [WARNING]),
        (("--select", "modes", "--ignore", WARNING), []),
    ],
)
def test_the_closer_selector_counts(
    project: Path, checked: Checked, options: tuple[str, ...], reported: list[str]
) -> None:
    assert project
    assert rules(checked(*options, "a.card.json")) == {"a.card.json": reported}


def test_a_card_whose_errors_are_ignored_is_valid(project: Path, run: Run) -> None:
    assert run("check", "a.card.json").exit_code == 1
    settings(project, 'ignore = ["schema/required"]')
    assert run("check", "a.card.json").exit_code == 0
    assert run("check", "--strict", "a.card.json").exit_code == 1
    settings(project, 'ignore = ["schema/required"]\nstrict = true')
    assert run("check", "a.card.json").exit_code == 1


def test_each_card_has_the_settings_of_the_nearest_file(project: Path, checked: Checked) -> None:
    settings(project, '[tool.cardwright]\nignore = ["modes"]', "pyproject.toml")
    settings(project / "below", "[project]\nname = 'x'", "pyproject.toml")
    assert rules(checked(".")) == {"a.card.json": [ERROR], "below/b.card.json": [ERROR]}
    settings(project / "below", 'ignore = ["schema"]')
    assert rules(checked(".")) == {"a.card.json": [ERROR], "below/b.card.json": [WARNING]}


def test_an_option_adds_to_the_ignored_rules_and_replaces_the_selected_ones(
    project: Path, checked: Checked
) -> None:
    settings(project, 'select = ["modes"]\nignore = ["signatures"]')
    assert rules(checked("a.card.json")) == {"a.card.json": [WARNING]}
    assert rules(checked("--select", "schema", "a.card.json")) == {"a.card.json": [ERROR]}
    assert rules(checked("--ignore", "modes", "a.card.json")) == {"a.card.json": []}


def test_rules_are_ignored_for_the_files_of_a_pattern(project: Path, checked: Checked) -> None:
    settings(project, '[per-file-ignores]\n"below/*.json" = ["schema"]\n"a.*" = ["modes"]')
    assert rules(checked(".")) == {"a.card.json": [ERROR], "below/b.card.json": [WARNING]}


def test_excluded_files_are_left_out_in_folders_and_checked_by_name(project: Path, checked: Checked) -> None:
    settings(project, 'exclude = ["below/"]')
    assert list(rules(checked("."))) == ["a.card.json"]
    assert list(rules(checked("below/b.card.json"))) == ["below/b.card.json"]
    assert list(rules(checked("--exclude", "a.*", "--exclude", "!x", "below"))) == ["below/b.card.json"]


def test_the_dialect_and_rule_sets_of_a_project_are_used(project: Path, checked: Checked) -> None:
    settings(project, 'dialect = "a2a-0.3"\nrules = ["text"]')
    (row,) = checked("a.card.json")["results"]
    assert (row["dialect"], row["evidence"]) == ("a2a-0.3", ["given by --dialect"])
    (row,) = checked("--dialect", "a2a-1.0", "a.card.json")["results"]
    assert row["dialect"] == "a2a-1.0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('strict = true\nselct = ["x"]', 'line 2: /: unknown field "selct"'),
        ('ignore = ["Modes"]', "line 1: /ignore/0: "),
        ('ignore = ["nothing"]', "unknown rule or area 'nothing'; `cardwright explain` lists the rules"),
        ("[per-file-ignores]\na = 1", "line 2: /per-file-ignores/a: expected an array"),
        ("strict = 1\n", "line 1: /strict: expected true or false"),
        ("strict = ", "not valid TOML"),
    ],
)
def test_a_fault_has_its_file_and_line(project: Path, run: Run, text: str, message: str) -> None:
    settings(project, text)
    result = run("check", "a.card.json")
    assert result.exit_code == 2
    assert "cardwright.toml" in result.stderr
    assert message in result.stderr


def test_an_unknown_rule_on_the_command_line_is_refused(project: Path, run: Run) -> None:
    assert project
    result = run("check", "--ignore", "modes,nothing", "a.card.json")
    assert result.exit_code == 2
    assert "--ignore: unknown rule or area 'nothing'" in result.stderr


def test_fix_uses_the_settings_too(project: Path, run: Run) -> None:
    settings(project, 'exclude = ["a.*"]\ndialect = "a2a-1.0"')
    (project / "package.json").write_text('{"name": "x"}')
    result = run("fix", "--write", ".")
    assert "below/b.card.json: a2a-1.0: 1 fix" in result.stderr
    assert "a.card.json" not in result.stderr
    assert "package.json" not in result.stderr
