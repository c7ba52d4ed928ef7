"""Selection of the dialect to compare with an upstream specification."""

import re
from pathlib import Path

from codegen.drift.source import DriftError, Json
from codegen.sources import BrokenTree, Dialect, Tree, read_tree

# From 1.0 on A2A publishes a proto and no JSON Schema: A2A 1.0 §1.4.
PROTO_DIALECT = "a2a-1.0"
VERSION = re.compile(r"(?<![\d.])(\d+\.\d+)(?:\.\d+)?(?!\.?\d)")


def tree_of(schemas: Path) -> Tree:
    """Return the tree of schemas.

    Raises:
        DriftError: If it is broken.
    """
    try:
        return read_tree(schemas)
    except BrokenTree as broken:
        raise DriftError(str(schemas), str(broken.problems[0]), "fix the tree first") from broken


def roots_of(tree: Tree, dialect: Dialect) -> dict[str, tuple[str, ...]]:
    """Return the schema of a dialect's card and those of the messages beside it, each with the objects to start from."""
    folder = dialect.path.rpartition("/")[0]
    beside = [one for one in tree.messages if one.path.rpartition("/")[0] == folder]
    titles = {one.schema: str(tree.schemas[one.schema].document["title"]) for one in beside}
    return {str(dialect.schema): ("AgentCard",)} | {
        one.schema: (titles[one.schema], *one.roots) for one in beside
    }


def find_dialects(tree: Tree) -> dict[str, Dialect]:
    """Return every dialect that has a schema of its own, by name.

    Raises:
        DriftError: If no dialect has a schema.
    """
    dialects = {dialect.name: dialect for dialect in tree.dialects if dialect.schema}
    if not dialects:
        raise DriftError(str(tree.root), "no dialect.json with a schema", "run this in the repository")
    return dialects


def choose_dialect(spec: Path, document: Json, known: dict[str, Dialect]) -> Dialect:
    """Return the dialect of a specification; `document` is None for a proto.

    The version of a JSON Schema is in its file name, or is the default of its
    card's `protocolVersion`.

    Raises:
        DriftError: If both lack a version, or we have no dialect of that version.
    """
    if document is None:
        return named_dialect(PROTO_DIALECT, known, spec)
    for text in (spec.name, _protocol_version(document)):
        version = VERSION.search(text)
        if version:
            return named_dialect(f"a2a-{version[1]}", known, spec)
    fault = "neither the file name nor the default of protocolVersion has a version"
    raise DriftError(str(spec), fault, f"add --dialect {_listed(known)}")


def named_dialect(name: str, known: dict[str, Dialect], spec: Path) -> Dialect:
    """Return the dialect of that name.

    Raises:
        DriftError: If no dialect matches.
    """
    if name not in known:
        raise DriftError(str(spec), f"there is no dialect {name}", f"add --dialect {_listed(known)}")
    return known[name]


def _listed(known: dict[str, Dialect]) -> str:
    return " or ".join(sorted(known))


def _protocol_version(document: Json) -> str:
    """Return the default of `AgentCard.protocolVersion`, or ""."""
    for path in (["definitions", "AgentCard"], ["$defs", "AgentCard"], []):
        node = document
        for step in [*path, "properties", "protocolVersion", "default"]:
            node = node.get(step) if isinstance(node, dict) else None
        if isinstance(node, str):
            return node
    return ""
