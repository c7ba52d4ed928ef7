"""The entries of the changelog: short, and of a kind that `python -m towncrier build` knows."""

from __future__ import annotations

import re

from tests.docs.page_sessions import ROOT

_NAME = re.compile(r"\+[a-z0-9-]+\.(?:added|changed|fixed|removed|security)\.md")


def test_an_entry_has_a_known_kind_and_at_most_two_lines() -> None:
    faults = [
        file.name
        for file in (ROOT / "changes").glob("*.md")
        if file.name != "README.md"
        and not (_NAME.fullmatch(file.name) and _is_short(file.read_text("utf-8")))
    ]

    assert faults == []


def test_the_changelog_has_entries_of_at_most_two_lines() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert [
        entry for entry in re.findall(r"^- .*(?:\n  .*)*", text, re.MULTILINE) if not _is_short(entry)
    ] == []


def _is_short(entry: str) -> bool:
    lines = entry.rstrip("\n").split("\n")
    return len(lines) <= 2 and all(len(line) <= 120 for line in lines)
