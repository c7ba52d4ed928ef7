"""Reference page of the part types of the Beach protocol, from their vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docs.sitegen.markdown import code, page, table
from docs.sitegen.schemas import schema_tree

if TYPE_CHECKING:
    from collections.abc import Iterator


def part_type_pages() -> Iterator[tuple[str, str]]:
    """Yield the path and text of the page of part types."""
    vocabulary = schema_tree().vocabularies["part-types"]
    head = ("part type", "meaning", "A2A part", "streaming", "buffered", "transports", "must be consumed")
    yield (
        "part-types.md",
        page(
            "Part types",
            str(vocabulary["description"]),
            table(head, [_row(entry) for entry in vocabulary["entries"]]),
            "## Delivery rules",
            table(
                ("rule", "meaning"), [(code(rule), meaning) for rule, meaning in vocabulary["rules"].items()]
            ),
        ),
    )


def _row(entry: Any) -> tuple[str, ...]:
    transports = entry["allowedTransports"]
    return (
        code(entry["name"]),
        entry["description"],
        entry["a2aKind"] or "–",
        code(entry["deliveryRules"]["streaming"]),
        code(entry["deliveryRules"]["buffered"]),
        "any" if transports is None else ", ".join(transports),
        "yes" if entry["requiresPeerConsumes"] else "–",
    )
