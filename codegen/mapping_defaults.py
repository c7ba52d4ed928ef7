"""Mappings that follow from the schemas: an optional field whose meaning is plain needs no line in a mapping."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from codegen.lint_rules.mappings import HUB, objects_of, unmapped_fields, unreached_fields

if TYPE_CHECKING:
    from codegen.sources import Dialect, Tree


@dataclass(frozen=True, slots=True)
class Default:
    """A default for one field.

    Attributes:
        path: The mapping file.
        object: The name of the dialect's object.
        field: The name of the field.
        reason: Why the field of the hub is lost; "" for a field that is copied under its name.
        unknown: Whether the hub has no field of this name, so that it is kept as an unknown one.
    """

    path: str
    object: str
    field: str
    reason: str = ""
    unknown: bool = False

    def __str__(self) -> str:
        """Return it as one line of the generator's output."""
        result = "copied under the same name"
        if self.reason:
            result = f"lost: {self.reason}"
        elif self.unknown:
            result += f", which {HUB} lacks: add a mapping if another field of it means the same"
        return f"{self.path}: {self.object}.{self.field}: {result}"


def with_defaults(tree: Tree) -> tuple[Tree, list[Default]]:
    """Return the tree with complete mappings, and the defaults that were added.

    A field has a default if it is optional and contains no object of the schemas:

    - a field of the dialect is copied under its name, which the hub may lack: unknown fields are kept;
    - a field of the hub that the dialect lacks is lost, with this as the reason.

    Everything else still needs a line in the mapping, and the lint rules name it.
    """
    if tree.problems:
        return tree, []
    dialects = {dialect.name: dialect for dialect in tree.dialects}
    mappings, defaults = dict(tree.mappings), list[Default]()
    for path, document in tree.mappings.items():
        dialect, hub_dialect = dialects.get(document["dialect"]), dialects.get(document.get("hub", HUB))
        hub = objects_of(tree, hub_dialect) if hub_dialect is not None and hub_dialect.schema else {}
        own = objects_of(tree, dialect) if dialect is not None and dialect.schema is not None else {}
        if dialect is None or not own or not hub:
            continue
        found = _defaults_of(path, document["objects"], dialect, own, hub)
        if found:
            mappings[path] = _completed(document, found)
            defaults += found
    return replace(tree, mappings=mappings), defaults


def _defaults_of(
    path: str, objects: Any, dialect: Dialect, own: dict[str, Any], hub: dict[str, Any]
) -> list[Default]:
    found = []
    for name, entry in objects.items():
        if name not in own or entry["hub"] not in hub:
            continue
        own_object, hub_object = own[name], hub[entry["hub"]]
        copied = [
            field
            for field in unmapped_fields(objects, name, own_object)
            if _is_plain(own_object, field)
            and (field not in hub_object["properties"] or _is_same(own_object, hub_object, field))
        ]
        found += [
            Default(path, name, field, unknown=field not in hub_object["properties"]) for field in copied
        ]
        reason = f"there is no such field in the {dialect.title}"
        found += [
            Default(path, name, field, reason)
            for field in unreached_fields(objects, name, hub_object)
            if field not in own_object.get("properties", {}) and field not in hub_object.get("required", ())
        ]
    return found


def _is_plain(schema: Any, field: str) -> bool:
    """Return whether a field is optional and contains no object with a definition of its own."""
    return field not in schema.get("required", ()) and not _refers(schema["properties"][field])


def _is_same(own_object: Any, hub_object: Any, field: str) -> bool:
    """Return whether a field of the hub has the same JSON type, and is plain as well."""
    types = [schema["properties"][field].get("type") for schema in (own_object, hub_object)]
    return types[0] == types[1] and _is_plain(hub_object, field)


def _refers(node: Any) -> bool:
    if isinstance(node, list):
        return any(map(_refers, node))
    return isinstance(node, dict) and ("$ref" in node or any(map(_refers, node.values())))


def _completed(document: Any, defaults: list[Default]) -> Any:
    completed = deepcopy(document)
    for default in defaults:
        entry = completed["objects"][default.object]
        if default.reason:
            entry.setdefault("beyond", {})[default.field] = default.reason
        else:
            entry.setdefault("members", {})[default.field] = {}
    return completed
