"""Resolution of the tree's `$ref`s, without fetching."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referencing import Registry
from referencing.jsonschema import DRAFT202012

from codegen.sources import ID_BASE

if TYPE_CHECKING:
    from codegen.sources import Tree


def registry_of(tree: Tree) -> Registry[Any]:
    """Return a registry that resolves every `$ref` of the tree and fetches nothing."""
    registry: Registry[Any] = Registry()
    return registry.with_resources(
        # Under the correct `$id`, even if the file has another one, which is a problem of its own.
        (ID_BASE + path, DRAFT202012.create_resource({**file.document, "$id": ID_BASE + path}))
        for path, file in tree.schemas.items()
    )


def is_choice(schema: Any) -> bool:
    """Return whether a schema requires exactly one of its own fields, as a `oneof` of protobuf."""
    arms = schema.get("oneOf", ())
    return bool(arms) and all(isinstance(arm, dict) and arm.keys() == {"required"} for arm in arms)
