"""The field names that a schema defines at a place, for the rule that finds misspelt names."""

from __future__ import annotations

from typing import Any

from codegen.shape import steps_of
from codegen.sources import BrokenTree, Problem


def spellings_of(rules: list[Any], bundled: Any, path: str) -> dict[str, tuple[str, ...]]:
    """Return the known field names by the pointer of each place of a rule of kind `spelling`.

    Raises:
        BrokenTree: If the schema has no object with fields at such a place.
    """
    places = {pointer for rule in rules if rule["kind"] == "spelling" for pointer in rule["at"]}
    try:
        return {pointer: _names_at(bundled, pointer) for pointer in sorted(places)}
    except (KeyError, TypeError, AttributeError) as error:
        raise BrokenTree(
            [Problem(path, "", f"a rule of kind spelling points to a place without fields: {error}")]
        ) from error


def _names_at(bundled: Any, pointer: str) -> tuple[str, ...]:
    nodes = _arms(bundled, bundled)
    for step in steps_of(pointer):
        nodes = [arm for node in nodes for inner in _inner(node, step) for arm in _arms(bundled, inner)]
    names = {name for node in nodes for name in node.get("properties", ())}
    if not names:
        raise KeyError(pointer)
    return tuple(sorted(names))


def _inner(node: Any, step: str) -> list[Any]:
    """Return the schema of a field, or those of all items and fields."""
    fields = node.get("properties", {})
    if step != "*":
        return [fields[step]] if step in fields else []
    others = [node[name] for name in ("items", "additionalProperties") if isinstance(node.get(name), dict)]
    return others or list(fields.values())


def _arms(bundled: Any, node: Any) -> list[Any]:
    """Follow references, and return the arms of a union."""
    while "$ref" in node:
        node = bundled["$defs"][node["$ref"].rsplit("/", 1)[-1]]
    arms = [arm for keyword in ("anyOf", "oneOf") for arm in node.get(keyword, ())]
    return [node, *(inner for arm in arms for inner in _arms(bundled, arm))]
