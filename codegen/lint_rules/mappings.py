"""House rules of the mappings: every member of a dialect and of the hub has its place, or a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from codegen.bundle import bundle
from codegen.shape import pointer_of
from codegen.sources import BrokenTree, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codegen.sources import Dialect, Tree

# What every dialect is converted through.
HUB: Final = "a2a-1.0"
_KINDS: Final = ("object", "items", "entries", "by", "lost")


def mapping_problems(tree: Tree) -> Iterator[Problem]:
    """Yield what breaks a house rule in any mapping of a tree."""
    dialects = {dialect.name: dialect for dialect in tree.dialects}
    for path, document in tree.mappings.items():
        dialect = dialects.get(document["dialect"])
        if path != f"mappings/{document['dialect']}.mapping.json":
            yield Problem(path, "/dialect", "the file must bear the same name")
        if dialect is None or dialect.schema is None:
            yield Problem(path, "/dialect", f"there is no dialect {document['dialect']} with a schema")
        elif HUB not in dialects:
            yield Problem(path, "", f"there is no hub: the dialect {HUB} is missing")
        elif not tree.problems:
            own, hub = _objects(tree, dialect), _objects(tree, dialects[HUB])
            # Of a schema that cannot be read whole, its own problems are told.
            if own and hub:
                yield from (Problem(path, *fault) for fault in _faults(document, own, hub))


def _objects(tree: Tree, dialect: Dialect) -> dict[str, Any]:
    """Return every object of a dialect's schema, by its name; empty where the schema is broken."""
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
        for member, turned in entry.get("members", {}).items():
            if sum(kind in turned for kind in _KINDS) > 1:
                yield pointer_of([*at, "members", member]), f"one of {', '.join(_KINDS)}, not two"
            for kind in ("object", "items", "entries"):
                if kind in turned and turned[kind] not in objects:
                    yield pointer_of([*at, "members", member, kind]), f"there is no table {turned[kind]}"
        for value, arm in entry.get("arms", {}).items():
            if arm["object"] not in objects:
                yield pointer_of([*at, "arms", value, "object"]), f"there is no table {arm['object']}"
        tags = {e["tag"] for e in objects.values() for a in e.get("arms", {}).values() if a["object"] == name}
        yield from _unturned(at, entry, own[name], tags)
        yield from _unreached(at, entry, hub[entry["hub"]], _from_above(objects, name))


def _unturned(at: list[str], entry: Any, own: Any, tags: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the dialect's members that no table turns, and those that do not exist."""
    members = entry.get("members", {})
    if not entry.get("arms"):
        for name in own.get("properties", {}):
            if name not in members and name not in tags:
                yield pointer_of([*at, "members", name]), "the schema has this member, the mapping has not"
        for name in members:
            if name not in own.get("properties", {}):
                yield pointer_of([*at, "members", name]), "the schema has no such member"


def _from_above(objects: Any, name: str) -> set[str]:
    """Return the hub's members that a table one level up writes into this object."""
    return {
        turned["to"][1]
        for entry in objects.values()
        for above, inner in entry.get("members", {}).items()
        if inner.get("object") == name
        for turned in entry["members"].values()
        if len(turned.get("to", ())) > 1 and turned["to"][0] == inner.get("to", [above])[0]
    }


def _unreached(at: list[str], entry: Any, hub: Any, above: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the hub's members that nothing of the dialect reaches, and that have no reason."""
    members = entry.get("members", {})
    reached = (
        above
        | set(entry.get("elsewhere", {}))
        | {turned.get("to", [name])[0] for name, turned in members.items()}
    )
    reached |= {arm["hub"] for arm in entry.get("arms", {}).values()} | set(entry.get("beyond", {}))
    for name in hub.get("properties", {}):
        if name not in reached:
            yield (
                pointer_of([*at, "beyond", name]),
                "the hub has this member: say where it comes from, or why not",
            )
