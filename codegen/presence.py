"""The table of `x-presence` for the template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from codegen.references import is_choice
from codegen.shape import pointer_of
from codegen.sources import BrokenTree, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

_KINDS: Final = {"string": "text", "boolean": "flag", "number": "number", "integer": "number"}
_DEFS: Final = "#/$defs/"

Steps = tuple[str | int, ...]


def states_presence(bundled: Any) -> bool:
    """Return whether a schema states with `x-presence` when its fields count as set."""
    return any("x-presence" in field for field in bundled.get("properties", {}).values())


def presence_table(bundled: Any, path: str) -> dict[str, Any]:
    """Return the context of `presence.py.jinja`: the root's name, and the fields of every message.

    Raises:
        BrokenTree: If a field has no `x-presence`, a message is marked as implicit, or the arms of
            a union disagree about a field that they share.
    """
    root = str(bundled["title"])
    definitions = {root: bundled, **bundled.get("$defs", {})}
    problems: list[Problem] = []
    messages: dict[str, dict[str, tuple[str, str]]] = {}
    for name, definition in definitions.items():
        steps = () if name == root else ("$defs", name)
        fields: dict[str, tuple[str, str]] = {}
        for at, field, schema in _fields(definition, steps, definitions):
            shape = _shape(schema, definitions)
            stated = schema.get("x-presence")
            fault = _fault(stated, schema, definitions)
            if not fault and fields.get(field, (stated, shape)) != (stated, shape):
                fault = "the arms of the union give this field different x-presence values or types"
            if fault:
                problems.append(Problem(path, pointer_of(at), fault))
            fields.setdefault(field, (str(stated), shape))
        if fields:
            messages[name] = fields
    if problems:
        raise BrokenTree(problems)
    return {"root": f"Shape('message', message={root!r})", "messages": _reached(root, messages)}


def _reached(root: str, messages: dict[str, dict[str, tuple[str, str]]]) -> dict[str, Any]:
    """Return the messages reachable from the root; a union already has the fields of its arms."""
    reached: dict[str, Any] = {}
    waiting = [root]
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached[name] = messages[name]
        shapes = [shape for _, shape in messages[name].values()]
        waiting += [other for other in messages if any(f"message={other!r}" in shape for shape in shapes)]
    return dict(sorted(reached.items()))


def _fields(
    definition: Any, steps: Steps, definitions: dict[str, Any]
) -> Iterator[tuple[Steps, str, dict[str, Any]]]:
    """Yield (place, name, schema) of an object's fields; for a union without its own, those of its arms."""
    if definition.get("properties"):
        for name, schema in definition["properties"].items():
            yield (*steps, "properties", name), name, schema
        return
    for arm in _arms(definition):
        name = arm["$ref"].removeprefix(_DEFS)
        yield from _fields(definitions[name], ("$defs", name), definitions)


def _arms(definition: Any) -> list[Any]:
    return [] if is_choice(definition) else [*definition.get("oneOf", ()), *definition.get("anyOf", ())]


def _fault(stated: Any, schema: Any, definitions: dict[str, Any]) -> str:
    if stated is None:
        return "the field has no x-presence, but other fields of the schema have one"
    target = definitions.get(schema.get("$ref", "").removeprefix(_DEFS), {})
    if stated == "implicit" and (target.get("properties") or _arms(target)):
        return "x-presence of a message must be required or optional, not implicit"
    return ""


def _shape(schema: Any, definitions: dict[str, Any]) -> str:
    """Return the expression of a schema's `Shape`."""
    reference = schema.get("$ref")
    if reference is not None:
        name = reference.removeprefix(_DEFS)
        target = definitions[name]
        if target.get("properties") or _arms(target):
            alone = ", alone=True" if is_choice(target) else ""
            return f"Shape('message', message={name!r}{alone})"
        return _shape(target, definitions)
    kind = schema.get("type")
    if kind == "array":
        return f"Shape('list', {_shape(schema['items'], definitions)})"
    if kind == "object":
        inner = schema.get("additionalProperties")
        return f"Shape('map', {_shape(inner, definitions)})" if isinstance(inner, dict) else "Shape('opaque')"
    return f"Shape({_KINDS.get(str(kind), 'opaque')!r})"
