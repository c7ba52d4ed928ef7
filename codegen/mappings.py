"""The tables of `schemas/mappings`, as the template prints them."""

from __future__ import annotations

from typing import Any, Final

# Which key of a member says by what kind of table it is turned.
_KINDS: Final = {"object": "object", "items": "items", "entries": "entries", "by": "hand", "lost": "lost"}


def table(document: Any) -> dict[str, Any]:
    """Return a mapping with every default written out: the context of `mapping.py.jinja`."""
    objects = {
        name: {**entry, "members": {n: _member(n, m) for n, m in entry.get("members", {}).items()}}
        for name, entry in document["objects"].items()
    }
    return {
        "title": document["title"],
        "dialect": document["dialect"],
        "root": next(iter(objects)),
        "objects": objects,
    }


def _member(name: str, member: Any) -> dict[str, Any]:
    key = next((key for key in _KINDS if key in member), None)
    return {
        "to": list(member.get("to", [name])),
        "kind": _KINDS[key] if key else "copy",
        "of": member[key] if key else "",
    }
