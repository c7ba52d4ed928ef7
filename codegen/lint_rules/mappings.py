"""Lint rules of the mappings: every field of a dialect and of the hub has a place, or a reason why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from codegen.bundle import bundle
from codegen.shape import pointer_of
from codegen.sources import BrokenTree, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codegen.sources import Dialect, Tree

# The dialect through which every other one is converted.
HUB: Final = "a2a-1.0"
_KINDS: Final = ("object", "items", "entries", "by", "lost")


def mapping_problems(tree: Tree) -> Iterator[Problem]:
    """Yield each violation of a lint rule in the mappings of a tree."""
    dialects = {dialect.name: dialect for dialect in tree.dialects}
    for path, document in tree.mappings.items():
        dialect = dialects.get(document["dialect"])
        if path != f"mappings/{document['dialect']}.mapping.json":
            yield Problem(path, "/dialect", "must match the file name")
        if dialect is None or dialect.schema is None:
            yield Problem(path, "/dialect", f"there is no dialect {document['dialect']} with a schema")
        elif HUB not in dialects:
            yield Problem(path, "", f"there is no hub: the dialect {HUB} is missing")
        elif not tree.problems:
            own, hub = _objects(tree, dialect), _objects(tree, dialects[HUB])
            # A broken schema has problems of its own.
            if own and hub:
                yield from (Problem(path, *fault) for fault in _faults(document, own, hub))


def _objects(tree: Tree, dialect: Dialect) -> dict[str, Any]:
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
            if sum(kind in rule for kind in _KINDS) > 1:
                yield pointer_of([*at, "members", field]), f"must have only one of {', '.join(_KINDS)}"
            for kind in ("object", "items", "entries"):
                if kind in rule and rule[kind] not in objects:
                    yield pointer_of([*at, "members", field, kind]), f"there is no table {rule[kind]}"
        for value, arm in entry.get("arms", {}).items():
            if arm["object"] not in objects:
                yield pointer_of([*at, "arms", value, "object"]), f"there is no table {arm['object']}"
        tags = {e["tag"] for e in objects.values() for a in e.get("arms", {}).values() if a["object"] == name}
        yield from _unmapped(at, entry, own[name], tags)
        yield from _unreached(at, entry, hub[entry["hub"]], _from_above(objects, name))


def _unmapped(at: list[str], entry: Any, own: Any, tags: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the dialect's fields that no table maps, and mapped fields that do not exist."""
    fields = entry.get("members", {})
    if not entry.get("arms"):
        for name in own.get("properties", {}):
            if name not in fields and name not in tags:
                yield pointer_of([*at, "members", name]), "this field of the schema is missing in the mapping"
        for name in fields:
            if name not in own.get("properties", {}):
                yield pointer_of([*at, "members", name]), "the schema has no such field"


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


def _unreached(at: list[str], entry: Any, hub: Any, above: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the hub's fields that no field of the dialect is mapped to, and that have no reason."""
    fields = entry.get("members", {})
    reached = (
        above | set(entry.get("elsewhere", {})) | {rule.get("to", [name])[0] for name, rule in fields.items()}
    )
    reached |= {arm["hub"] for arm in entry.get("arms", {}).values()} | set(entry.get("beyond", {}))
    for name in hub.get("properties", {}):
        if name not in reached:
            yield (
                pointer_of([*at, "beyond", name]),
                "nothing is mapped to this field of the hub: add a mapping, or a reason under `beyond`",
            )
