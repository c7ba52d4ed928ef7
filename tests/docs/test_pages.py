"""What the documentation shows works as it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.docs.session import ROOT, Session, agrees, steps_of

if TYPE_CHECKING:
    from pathlib import Path

PAGES = [
    ROOT / "README.md",
    *sorted(page for page in (ROOT / "docs" / "pages").rglob("*.md") if "reference" not in page.parts),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
@pytest.mark.process
def test_a_page_does_what_it_shows(page: Path, tmp_path: Path) -> None:
    with Session(page.read_text(encoding="utf-8"), tmp_path) as session:
        mismatches = list(session.mismatches())

    assert mismatches == [], "\n\n".join(map(str, mismatches))


def test_an_ellipsis_stands_for_text_and_alone_for_lines() -> None:
    assert agrees("a … c\n…\nz\n", "a b c\nd\ne\nz\n")
    assert agrees("", "")
    assert not agrees("a\n", "a\nb\n")
    assert not agrees("a.c\n", "abc\n")


def test_a_command_may_go_on_after_a_backslash() -> None:
    steps = steps_of("$ one \\\n    two\nout\n$ three\n")

    assert [(step.command, step.output) for step in steps] == [("one \\\n    two", "out\n"), ("three", "")]
