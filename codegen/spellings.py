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
    except (KeyError, TypeError, AttributeError, StopIteration) as error:
        raise BrokenTree(
            [Problem(path, "", f"a rule of kind spelling points to a place without fields: {error}")]
        ) from error


def _names_at(bundled: Any, pointer: str) -> tuple[str, ...]:
    node = bundled
    for step in steps_of(pointer):
        node = _resolved(bundled, node)
        node = (
            node.get("items", node.get("additionalProperties")) if step == "*" else node["properties"][step]
        )
    return tuple(sorted(_resolved(bundled, node)["properties"]))


def _resolved(bundled: Any, node: Any) -> Any:
    """Follow references and, in a union, the arm that has fields (the other is null)."""
    while "$ref" in node:
        node = bundled["$defs"][node["$ref"].rsplit("/", 1)[-1]]
    if "anyOf" in node:
        return next(arm for arm in (_resolved(bundled, arm) for arm in node["anyOf"]) if "properties" in arm)
    return node
