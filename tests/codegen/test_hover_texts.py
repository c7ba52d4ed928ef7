"""The texts that editors show for a field: a title and a description, in the schemas of cards and settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHEMAS = Path(__file__).parents[2] / "schemas"
FILES = sorted(
    [*SCHEMAS.glob("*/*/agent-card.schema.json"), *SCHEMAS.glob("settings/*.schema.json")], key=str
)
# Their values are not schemas, or only conditions.
NO_FIELDS = frozenset(
    {"allOf", "const", "default", "dependentSchemas", "else", "enum", "examples", "if", "not", "then"}
)


def fields(node: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the pointer and the schema of each field."""
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from fields(item, f"{path}/{index}")
    elif isinstance(node, dict):
        properties = node.get("properties")
        if isinstance(properties, dict):
            yield from ((f"{path}/properties/{name}", field) for name, field in properties.items())
        for name, child in node.items():
            if name not in NO_FIELDS:
                yield from fields(child, f"{path}/{name}")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(SCHEMAS).as_posix())
def test_every_field_has_a_title_and_a_description(file: Path) -> None:
    document = json.loads(file.read_text(encoding="utf-8"))
    found = [field for field in fields(document) if isinstance(field[1], dict)]
    assert found
    lacking = [
        pointer
        for pointer, field in found
        if not (field.get("title") and len(field.get("description", "")) > len(field["title"]))
        # A field that an arm of a union narrows.
        and not (field.keys() <= {"const", "enum", "$ref", "type"})
    ]
    assert lacking == []
