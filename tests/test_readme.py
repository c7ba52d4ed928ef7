"""The README: short, and true where a page of the documentation is not run (`tests/docs` runs its commands)."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_has_at_most_150_lines() -> None:
    assert len(README.splitlines()) <= 150


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(
        re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    )
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.md")]
    for file in [*pages, *ROOT.glob("*/README.md"), *(ROOT / "tests").rglob("README.md")]:
        if {".venv", "node_modules"} & set(file.parts):
            continue
        named = re.findall(r"(?:`|^\$ )make ([a-z-]+)", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert set(named) <= targets, file


def test_every_link_leads_to_a_file() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


def test_statements_of_the_readme_about_a2a_sdk_are_true() -> None:
    from a2a.client.card_resolver import parse_agent_card
    from a2a.types import AgentCard

    assert parse_agent_card({}) == AgentCard()
    assert parse_agent_card({"name": "Tides", "foo": 1}) == AgentCard(name="Tides")
