"""Documentation pages generated from the data: `docs/part-types.md`, the table of part types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from codegen.sources import Tree

PART_TYPES: Final = "docs/part-types.md"
_HEADER: Final = """# Part types

<!-- Generated from schemas/vocabulary/part-types.json by `make generate`. Do not edit. -->

"""


def pages(tree: Tree) -> dict[str, str]:
    """Return the text of each generated page by its path in the project; empty if the tree has no part types."""
    vocabulary = tree.vocabularies.get("part-types")
    return {} if vocabulary is None else {PART_TYPES: _part_types(vocabulary)}


def _part_types(vocabulary: Any) -> str:
    head = ("part type", "description", "A2A part", "streaming", "buffered", "transports", "must be consumed")
    rows = [_row(entry) for entry in vocabulary["entries"]]
    words = [f"| `{word}` | {meaning} |" for word, meaning in vocabulary["rules"].items()]
    table = [_line(head), _line(("---",) * len(head)), *map(_line, rows)]
    about = str(vocabulary["description"])
    rules = ["## Delivery rules", "", "| rule | meaning |", "| --- | --- |", *words]
    return _HEADER + "\n".join([about, "", *table, "", *rules]) + "\n"


def _row(entry: Any) -> tuple[str, ...]:
    allowed = entry["allowedTransports"]
    return (
        f"`{entry['name']}`",
        entry["description"],
        entry["a2aKind"] or "–",
        f"`{entry['deliveryRules']['streaming']}`",
        f"`{entry['deliveryRules']['buffered']}`",
        "any" if allowed is None else ", ".join(allowed),
        "yes" if entry["requiresPeerConsumes"] else "–",
    )


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
