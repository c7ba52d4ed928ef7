"""Folders of `check`: which files in them are agent cards, and what is left out."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.cli.command_line import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.command_line import Checked, Run


def card(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(EXAMPLES / "a2a-1.0.card.json", folder / name)


def found(checked: Checked, *arguments: str) -> list[str]:
    return [row["source"] for row in checked(*arguments)["results"]]


def test_a_folder_is_searched_for_cards_and_other_files_are_counted(here: Path, run: Run) -> None:
    card(here, "agent.json", "x/any.json")
    (here / "package.json").write_text('{"name": "x", "version": "1.0.0"}')
    (here / "tsconfig.json").write_text("{ // a comment\n}")
    result = run("check", ".")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:2] == ["✓ agent.json: a2a-1.0: valid", "✓ x/any.json: a2a-1.0: valid"]
    assert result.stderr == "2 other JSON files skipped\n"
    assert "skipped package.json: not an agent card" in run("check", "-v", ".").stderr
    assert run("check", "-q", ".").stdout == run("check", "-q", ".").stderr == ""


@pytest.mark.parametrize(
    "name", ["agent-card.json", "x.card.json", "my-agent-card.json", ".well-known/agent.json"]
)
def test_a_file_named_like_a_card_is_checked_whatever_it_contains(here: Path, run: Run, name: str) -> None:
    (here / name).parent.mkdir(exist_ok=True)
    (here / name).write_text("{}")
    assert run("check", ".").exit_code == 1
    (here / name).write_text("{")
    assert run("check", ".").exit_code == 2


def test_a_file_that_is_named_is_checked(here: Path, run: Run) -> None:
    (here / "package.json").write_text('{"name": "x"}')
    assert run("check", "package.json").exit_code == 1
    assert run("check", "*.json").exit_code == 1


def test_a_folder_without_a_card_is_an_error(here: Path, run: Run) -> None:
    (here / "package.json").write_text('{"name": "x"}')
    result = run("check", ".")
    assert result.exit_code == 2
    assert "no agent card was found: 1 other JSON file skipped" in result.stderr


def test_a_given_dialect_does_not_make_every_file_a_card(here: Path, checked: Checked) -> None:
    card(here, "a.json")
    (here / "package.json").write_text('{"name": "x"}')
    assert found(checked, "--dialect", "a2a-1.0", ".") == ["a.json"]


def test_git_ignored_files_are_left_out(here: Path, checked: Checked) -> None:
    card(
        here,
        "a.json",
        "build/b.json",
        "sub/c.json",
        "sub/kept.json",
        "sub/deep/d.json",
        "info.json",
        "e.json",
    )
    (here / ".git/info").mkdir(parents=True)
    (here / ".git/info/exclude").write_text("info.json\n")
    (here / ".gitignore").write_text("build/\nsub/*.json\n/e.json\n")
    (here / "sub/.gitignore").write_text("!kept.json\ndeep\n")
    assert found(checked, ".") == ["a.json", "sub/kept.json"]
    assert found(checked, "sub") == ["sub/kept.json"]
    assert found(checked, "build") == ["build/b.json"]
    assert found(checked, "e.json") == ["e.json"]


def test_an_ignore_file_has_no_costly_pattern_and_is_no_link(here: Path, checked: Checked, run: Run) -> None:
    card(here, "a" * 200 + ".json", "b.json")
    (here / ".git").mkdir()
    (here / ".gitignore").write_text(
        "*a" * 20 + "b\n" + "[" * 500_000 + "\n[z-a]\nb.json\n" + "a" * 1_000_000
    )
    assert found(checked, ".") == ["a" * 200 + ".json"]
    (here / ".gitignore").write_text("[z-a]")
    assert len(found(checked, ".")) == 2
    (here / ".gitignore").unlink()
    (here / ".gitignore").symlink_to("/dev/zero")
    assert len(found(checked, ".")) == 2
    for pattern in ("*a" * 20, "*a*a*a/" * 3 + "z", "**/a/" * 4, "[" * 9, "[z-a]", "a" * 5_000):
        refused = run("check", "--exclude", pattern, ".")
        assert (refused.exit_code, "too many wildcards" in refused.stderr) == (2, True)
    assert found(
        checked, "--exclude", "*.*.*.*", "--exclude", "*/*/*/*/*.json", "--exclude", r"\*[*]\*[*]\*", "b.json"
    )


@pytest.mark.parametrize("name", ["node_modules", ".venv", ".git", "__pycache__"])
def test_folders_of_tools_are_left_out_unless_they_are_named(here: Path, checked: Checked, name: str) -> None:
    card(here, "a.json", f"{name}/x/agent-card.json")
    assert found(checked, ".") == ["a.json"]
    assert found(checked, name) == [f"{name}/x/agent-card.json"]


def test_symbolic_links_out_of_the_folder_are_not_followed(here: Path, run: Run) -> None:
    card(here, "outside/a.card.json", "in/b.card.json")
    (here / "in/link.card.json").symlink_to(here / "outside/a.card.json")
    (here / "in/same.card.json").symlink_to("b.card.json")
    (here / "in/folder").symlink_to(here / "outside")
    (here / "in/device.card.json").symlink_to("/dev/zero")
    result = run("check", "in")
    assert [line.split(":")[0] for line in result.stdout.splitlines()[:-1]] == [
        "✓ in/b.card.json",
        "✓ in/same.card.json",
    ]
    assert "in/device.card.json is a link out of the folder and is skipped" in result.stderr
    assert "in/link.card.json is a link out of the folder" in result.stderr
    assert run("check", "in/link.card.json").exit_code == 0


def test_a_pattern_follows_the_rules_of_folders(here: Path, checked: Checked) -> None:
    card(here, ".well-known/agent-card.json", "node_modules/x/agent-card.json", "built/agent-card.json")
    card(here, "drafts/agent-card.json")
    (here / ".git").mkdir()
    (here / ".gitignore").write_text("built/\n")
    (here / "loop").symlink_to(here)
    assert found(checked, "--exclude", "drafts", "**/agent-card.json") == [".well-known/agent-card.json"]
    assert found(checked, f"{here}/*/agent-card.json")[1:] == [f"{here}/drafts/agent-card.json"]
