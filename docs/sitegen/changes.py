"""Reference page of the kinds of change that `cardwright diff` reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright_rules.changes import CHANGES
from docs.sitegen.markdown import code, page, table
from docs.sitegen.schemas import schema_tree

if TYPE_CHECKING:
    from collections.abc import Iterator


def change_pages() -> Iterator[tuple[str, str]]:
    """Yield the path and text of the page of kinds of change."""
    yield "changes.md", page("Kinds of change", str(schema_tree().changes["description"]), *_tables())


def _tables() -> Iterator[str]:
    for about in dict.fromkeys(change.about for change in CHANGES.values()):
        rows = [
            (code(case), change.severity, change.why)
            for case, change in CHANGES.items()
            if change.about == about
        ]
        yield f"## {about}"
        yield table(("kind", "severity", "effect on callers"), rows)
