"""Access to fields of a document of any shape; nothing here raises."""

from __future__ import annotations

from typing import Any


def field_at(node: Any, *steps: str) -> Any:
    """Return the value at nested field names, or None if one of them does not exist."""
    for step in steps:
        node = node.get(step) if isinstance(node, dict) else None
    return node


def string(node: Any, *steps: str) -> str:
    """Return the string at nested field names; empty for any other value."""
    value = field_at(node, *steps)
    return value if isinstance(value, str) else ""


def strings(node: Any, *steps: str) -> tuple[str, ...]:
    """Return the strings of an array at nested field names; empty for any other value, other items are skipped."""
    return tuple(item for item in items(node, *steps) if isinstance(item, str))


def items(node: Any, *steps: str) -> list[Any]:
    """Return the items of an array at nested field names; empty for any other value."""
    value = field_at(node, *steps)
    return value if isinstance(value, list) else []


def entries(node: Any, *steps: str) -> dict[str, Any]:
    """Return the fields of an object at nested field names; empty for any other value."""
    value = field_at(node, *steps)
    return value if isinstance(value, dict) else {}
