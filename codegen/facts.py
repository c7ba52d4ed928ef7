"""Facts that follow from the schemas, rules and mappings of a dialect with two halves, and that Python code needs as constants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codegen.sources import Dialect, Tree


def facts_of(tree: Tree, hybrid: Dialect) -> dict[str, Any]:
    """Return the values of the facts template.

    Args:
        tree: The tree of schemas.
        hybrid: A dialect whose `halves` are a newer and an older one; the mapping of the older half is to the newer.
    """
    dialects = {dialect.name: dialect for dialect in tree.dialects}
    newer, older = (dialects[name] for name in hybrid.halves)
    newer_fields, older_fields = (_root_fields(tree, dialect) for dialect in (newer, older))
    transports = [
        field["default"] for field in older_fields.values() if field.get("x-registry") == "transports"
    ]
    arms = {
        kind: arm
        for union in tree.mappings[f"mappings/{older.name}.mapping.json"]["objects"].values()
        if union.get("tag") == "type"
        for kind, arm in union["arms"].items()
    }
    required = tree.schemas[str(older.schema)].document["$defs"]
    family = [dialect for dialect in reversed(tree.dialects) if dialect.family == hybrid.family]
    return {
        "title": f"{newer.name} and {older.name}",
        "newer": newer,
        "older": older,
        "transport": transports[0],
        "wrappers": {kind: arm["hub"] for kind, arm in arms.items()},
        "required": {
            kind: tuple(name for name in required[arm["object"]].get("required", ()) if name != "type")
            for kind, arm in arms.items()
        },
        "older_fields": [name for name in older_fields if name not in newer_fields],
        "newer_fields": [name for name in newer_fields if name not in older_fields],
        "max_items": {
            place: rule["schema"]["maxItems"]
            for path in newer.rules
            for rule in tree.rule_sets[path].rules
            if rule["kind"] == "schema" and rule["schema"].keys() == {"maxItems"}
            for place in rule["at"]
        },
        "paths": list(dict.fromkeys(path for dialect in family for path in dialect.well_known)),
    }


def _root_fields(tree: Tree, dialect: Dialect) -> dict[str, Any]:
    return dict(tree.schemas[str(dialect.schema)].document["properties"])
