"""The commands and programs of the documentation, run as shown."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.docs.page_sessions import MACHINE_PATH, ROOT, Session, agrees, blocks_of, steps_of

if TYPE_CHECKING:
    from pathlib import Path

PAGES_FOLDER = ROOT / "docs" / "pages"
PAGES = [
    ROOT / "README.md",
    ROOT / "SKILL.md",
    *sorted(
        page for page in PAGES_FOLDER.rglob("*.md") if page.relative_to(PAGES_FOLDER).parts[0] != "reference"
    ),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
@pytest.mark.process
def test_a_page_does_what_it_shows(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if "curl " in text and shutil.which("curl") is None:
        pytest.skip("curl, which the page uses, is not installed")
    with Session(text, tmp_path) as session:
        mismatches = list(session.mismatches())

    assert mismatches == [], "\n\n".join(map(str, mismatches))


def test_no_page_names_a_local_folder() -> None:
    pages = [*PAGES, *PAGES_FOLDER.rglob("*.md"), *ROOT.glob("*.md")]
    found = [
        f"{page.relative_to(ROOT)}: {match[0]}"
        for page in pages
        for match in MACHINE_PATH.finditer(page.read_text(encoding="utf-8"))
    ]

    assert found == []


def test_an_ellipsis_matches_text_and_on_its_own_lines() -> None:
    assert agrees("a … c\n…\nz\n", "a b c\nd\ne\nz\n")
    assert agrees("", "")
    assert not agrees("a\n", "a\nb\n")
    assert not agrees("a.c\n", "abc\n")


def test_a_command_may_continue_after_a_backslash() -> None:
    steps = steps_of("$ one \\\n    two\nout\n$ three\n")

    assert [(step.command, step.output) for step in steps] == [("one \\\n    two", "out\n"), ("three", "")]


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("~~~console\n$ true\n~~~\n", "fenced in another way"),
        ("  ```console\n  $ true\n  ```\n", "fenced in another way"),
        ("``` console\n$ true\n```\n", "fenced in another way"),
        ("<!-- server-->\n\n```console\n$ true\n```\n", "unknown note"),
        ("<!-- not ran: because -->\n\n```console\n$ true\n```\n", "unknown note"),
    ],
)
def test_a_code_block_that_would_be_skipped_is_refused(page: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        blocks_of(page)


def test_a_console_block_begins_with_a_command() -> None:
    with pytest.raises(ValueError, match="must begin with a command"):
        steps_of("output\n$ true\n")


@pytest.mark.parametrize(
    ("block", "right"),
    [
        ("$ echo a\na\n", True),
        ("$ echo a; false\na\n", True),
        ("$ false\n", False),
        ("$ false\n…\n", False),
        ("$ no-such-command\n…\n", False),
        ("$ python -c 'raise ValueError'\n…\nValueError\n", False),
    ],
)
@pytest.mark.process
def test_a_failure_that_the_page_does_not_show_is_a_mismatch(block: str, right: Any, tmp_path: Path) -> None:
    with Session(f"```console\n{block}```\n", tmp_path) as session:
        assert (list(session.mismatches()) == []) == right


@pytest.mark.process
def test_a_server_that_ends_is_a_mismatch(tmp_path: Path) -> None:
    with Session("<!-- server -->\n\n```console\n$ echo ready\nready\n```\n", tmp_path) as session:
        assert list(session.mismatches())
