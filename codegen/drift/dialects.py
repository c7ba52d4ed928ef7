"""Which of our dialects an upstream specification is to be held against."""

import re
from pathlib import Path

from codegen.drift.source import DriftError, Json
from codegen.sources import BrokenTree, Dialect, read_tree

# From 1.0 on A2A publishes a proto and no JSON Schema: A2A 1.0 §1.4.
PROTO_DIALECT = "a2a-1.0"
VERSION = re.compile(r"(?<![\d.])(\d+\.\d+)(?:\.\d+)?(?!\.?\d)")


def find_dialects(schemas: Path) -> dict[str, Dialect]:
    """Return every dialect below `schemas` that has a schema of its own, by name.

    Raises:
        DriftError: there is none, or the tree is broken.
    """
    try:
        tree = read_tree(schemas)
    except BrokenTree as broken:
        raise DriftError(str(schemas), str(broken.problems[0]), "mend the tree first") from broken
    found = {dialect.name: dialect for dialect in tree.dialects if dialect.schema}
    if not found:
        raise DriftError(str(schemas), "no dialect.json that names a schema", "run this in the repository")
    return found


def choose_dialect(spec: Path, document: Json, known: dict[str, Dialect]) -> Dialect:
    """Return the dialect a specification belongs to; `document` is None for a proto.

    A JSON Schema tells by the version in its file name, else by the default of
    its card's `protocolVersion`.

    Raises:
        DriftError: neither says, or what they say is no dialect of ours.
    """
    if document is None:
        return named_dialect(PROTO_DIALECT, known, spec)
    for said in (spec.name, _protocol_version(document)):
        version = VERSION.search(said)
        if version:
            return named_dialect(f"a2a-{version[1]}", known, spec)
    fault = "neither the file's name nor its protocolVersion says which version it is"
    raise DriftError(str(spec), fault, f"add --dialect {_listed(known)}")


def named_dialect(name: str, known: dict[str, Dialect], spec: Path) -> Dialect:
    """Return the dialect of that name.

    Raises:
        DriftError: there is none.
    """
    if name not in known:
        raise DriftError(str(spec), f"there is no dialect {name}", f"add --dialect {_listed(known)}")
    return known[name]


def _listed(known: dict[str, Dialect]) -> str:
    return " or ".join(sorted(known))


def _protocol_version(document: Json) -> str:
    """Return the default of `AgentCard.protocolVersion`, or nothing."""
    for way in (["definitions", "AgentCard"], ["$defs", "AgentCard"], []):
        node = document
        for step in [*way, "properties", "protocolVersion", "default"]:
            node = node.get(step) if isinstance(node, dict) else None
        if isinstance(node, str):
            return node
    return ""
