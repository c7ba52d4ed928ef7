"""Which of our dialects an upstream specification is to be held against."""

import re
from dataclasses import dataclass
from pathlib import Path

from codegen.drift.source import DriftError, Json, parse_json, read_text

# A2A publishes a proto from 1.0 on as its only source: A2A 1.0 §1.4.
PROTO_DIALECT = "a2a-1.0"
VERSION = re.compile(r"(?<![\d.])(\d+\.\d+)(?:\.\d+)?(?!\.?\d)")


@dataclass(frozen=True, slots=True)
class Dialect:
    """A dialect's name, its folder and the schema of its root."""

    name: str
    folder: Path
    schema: Path

    @property
    def explanations(self) -> Path:
        """Where its known differences are explained."""
        return self.folder / "drift.json"


def find_dialects(schemas: Path) -> dict[str, Dialect]:
    """Return every dialect whose manifest lies below `schemas`, by name.

    Raises:
        DriftError: there is none, or a manifest names no schema.
    """
    found: dict[str, Dialect] = {}
    for path in sorted(schemas.rglob("dialect.json")):
        manifest = parse_json(read_text(path), str(path))
        given = manifest if isinstance(manifest, dict) else {}
        name, schema = given.get("name"), given.get("schema")
        # A hybrid has a manifest and no schema of its own.
        if isinstance(name, str) and isinstance(schema, str):
            found[name] = Dialect(name, path.parent, path.parent / schema)
    if not found:
        fault = "no dialect.json that names a schema"
        raise DriftError(str(schemas), fault, "run this in the repository")
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
        fault = f"there is no dialect {name}"
        raise DriftError(str(spec), fault, f"add --dialect {_listed(known)}")
    return known[name]


def _listed(known: dict[str, Dialect]) -> str:
    return " or ".join(sorted(known))


def _protocol_version(document: Json) -> str:
    """Return the default of `AgentCard.protocolVersion`, or nothing."""
    for keywords in (["definitions"], ["$defs"], []):
        node = document
        path = [*keywords, *(["AgentCard"] if keywords else [])]
        for step in [*path, "properties", "protocolVersion", "default"]:
            node = node.get(step) if isinstance(node, dict) else None
        if isinstance(node, str):
            return node
    return ""
