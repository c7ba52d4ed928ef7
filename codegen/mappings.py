"""The tables of `schemas/mappings` for the template."""

from __future__ import annotations

from typing import Any, Final

from codegen.lint_rules.mappings import HUB

# The kind of conversion by the key that a field has in a mapping file.
_KINDS: Final = {
    "object": "object",
    "items": "items",
    "entries": "entries",
    "by": "hand",
    "lost": "lost",
    "values": "values",
    "constant": "constant",
}


def table(document: Any) -> dict[str, Any]:
    """Return a mapping with all defaults filled in: the context of `mapping.py.jinja`."""
    objects = {
        name: {**entry, "members": {n: _field(n, f) for n, f in entry.get("members", {}).items()}}
        for name, entry in document["objects"].items()
    }
    return {
        "title": document["title"],
        "dialect": document["dialect"],
        "hub": document.get("hub", HUB),
        "root": next(iter(objects)),
        "values": document.get("values", {}),
        "objects": objects,
    }


def _field(name: str, field: Any) -> dict[str, Any]:
    key = next((key for key in _KINDS if key in field), None)
    return {
        "to": list(field.get("to", [name])),
        "kind": _KINDS[key] if key else "copy",
        "of": field[key] if key else "",
    }
