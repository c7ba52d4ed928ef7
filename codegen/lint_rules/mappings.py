"""Lint rules of the mappings: every field of a dialect and of the hub has a place, or a reason why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from codegen.bundle import bundle
from codegen.shape import pointer_of
from codegen.sources import BrokenTree, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codegen.sources import Dialect, Tree

# The dialect through which every other one is converted, unless a mapping names another.
HUB: Final = "a2a-1.0"
_KINDS: Final = ("object", "items", "entries", "by", "lost", "values", "constant")


def mapping_path(dialect: str) -> str:
    """Return the file with the mapping of a dialect to the hub of all dialects, or of its messages."""
    return f"mappings/{dialect}.mapping.json"


def family_mapping_path(dialect: str) -> str:
    """Return the file with the mapping of a dialect to the hub of its family."""
    return f"mappings/family/{dialect}.mapping.json"


def mapping_problems(tree: Tree) -> Iterator[Problem]:
    """Yield each violation of a lint rule in the mappings of a tree."""
    dialects = {dialect.name: dialect for dialect in tree.dialects}
    for path, document in tree.mappings.items():
        dialect = dialects.get(document["dialect"])
        if path not in (mapping_path(document["dialect"]), family_mapping_path(document["dialect"])):
            yield Problem(path, "/dialect", "must match the file name")
        if dialect is None or dialect.schema is None:
            yield Problem(path, "/dialect", f"there is no dialect {document['dialect']} with a schema")
        elif (hub_name := document.get("hub", HUB)) not in dialects:
            yield Problem(path, "", f"there is no hub: the dialect {hub_name} is missing")
        elif not tree.problems:
            own, hub = objects_of(tree, dialect), objects_of(tree, dialects[hub_name])
            # A broken schema has problems of its own.
            if own and hub:
                yield from (Problem(path, *fault) for fault in _faults(document, own, hub))


def objects_of(tree: Tree, dialect: Dialect) -> dict[str, Any]:
    """Return every object of a dialect's schema, by its name; empty if the schema is broken."""
    if dialect.schema not in tree.schemas:
        return {}
    try:
        schema = bundle(tree, dialect.schema)
    except BrokenTree:
        return {}
    return {str(schema.get("title")): schema, **schema.get("$defs", {})}


def _faults(document: Any, own: dict[str, Any], hub: dict[str, Any]) -> Iterator[tuple[str, str]]:
    objects = document["objects"]
    for name, entry in objects.items():
        at = ["objects", name]
        if name not in own:
            yield pointer_of(at), f"the dialect's schema has no object {name}"
            continue
        if entry["hub"] not in hub:
            yield pointer_of([*at, "hub"]), f"the hub has no object {entry['hub']}"
            continue
        for field, rule in entry.get("members", {}).items():
            yield from (
                (pointer_of([*at, "members", field, *steps]), fault)
                for steps, fault in _member(document, rule)
            )
        for value, arm in entry.get("arms", {}).items():
            if arm["object"] not in objects:
                yield pointer_of([*at, "arms", value, "object"]), f"there is no table {arm['object']}"
        for field in unmapped_fields(objects, name, own[name]):
            yield pointer_of([*at, "members", field]), "this field of the schema is missing in the mapping"
        if not entry.get("arms"):
            for field in entry.get("members", {}):
                if field not in own[name].get("properties", {}):
                    yield pointer_of([*at, "members", field]), "the schema has no such field"
        for field in unreached_fields(objects, name, hub[entry["hub"]]):
            message = "nothing is mapped to this field of the hub: add a mapping, or a reason under `beyond`"
            yield pointer_of([*at, "beyond", field]), message


def _member(document: Any, rule: Any) -> Iterator[tuple[list[str], str]]:
    """Yield (steps, message) of each fault of the mapping of one field."""
    if sum(kind in rule for kind in _KINDS) > 1:
        yield [], f"must have only one of {', '.join(_KINDS)}"
    tables = {
        **dict.fromkeys(("object", "items", "entries"), document["objects"]),
        "values": document.get("values", {}),
    }
    for kind, known in tables.items():
        if kind in rule and rule[kind] not in known:
            yield [kind], f"there is no table {rule[kind]}"


def unmapped_fields(objects: Any, name: str, own: Any) -> list[str]:
    """Return the fields of a dialect's object that its table does not map.

    Args:
        objects: The tables of the dialect by object.
        name: The name of the object.
        own: Its schema.
    """
    entry = objects[name]
    if entry.get("arms"):
        return []
    tags = {e["tag"] for e in objects.values() for a in e.get("arms", {}).values() if a["object"] == name}
    mapped = {*entry.get("members", {}), *tags}
    return [field for field in own.get("properties", {}) if field not in mapped]


def unreached_fields(objects: Any, name: str, hub: Any) -> list[str]:
    """Return the fields of the hub's object that no field is mapped to, and that have no reason.

    Args:
        objects: The tables of the dialect by object.
        name: The name of the dialect's object.
        hub: The schema of the hub's object.
    """
    entry = objects[name]
    fields = entry.get("members", {})
    reached = {
        rule.get("to", [field])[0] for field, rule in fields.items() if "constant" not in rule
    } | _from_above(objects, name)
    reached |= {*entry.get("elsewhere", {}), *entry.get("beyond", {})}
    reached |= {arm["hub"] for arm in entry.get("arms", {}).values()}
    return [field for field in hub.get("properties", {}) if field not in reached]


def _from_above(objects: Any, name: str) -> set[str]:
    """Return the hub's fields that a table one level up writes into this object."""
    return {
        rule["to"][1]
        for entry in objects.values()
        for above, inner in entry.get("members", {}).items()
        if inner.get("object") == name
        for rule in entry["members"].values()
        if len(rule.get("to", ())) > 1 and rule["to"][0] == inner.get("to", [above])[0]
    }
