"""The schema of any message of a version: a request, a response or what they contain, which follows from the operations.

It is derived when the tree is read, and then a schema of the tree like any other, so that validators, lints, published
schemas and TypeScript types follow from it as they do from a file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from codegen.sources import Dialect, Json, Messages

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_JSON_RPC: Final = "JSON-RPC 2.0"
_VERSION: Final = {"const": "2.0", "description": "Version of JSON-RPC.", "x-spec": f"{_JSON_RPC} §4"}


def document_schema(
    dialect: Dialect, operations: Json, references: Mapping[str, str], identifier: str, examples: list[Json]
) -> Json:
    """Return the schema of a document of a dialect of messages.

    Args:
        dialect: The dialect; its `documents` say by which fields each type is known, the last one applies otherwise.
        operations: The table of operations of its protocol.
        references: The `$ref` of each type of the version.
        identifier: The `$id`.
        examples: Messages of the version.
    """
    rows = [
        row
        for one in operations["operations"]
        if "params" in (row := one["versions"].get(dialect.version, {}))
    ]
    listed = [row["result"] for row in rows if row["result"].startswith("list[")]
    results = {name for row in rows for name in row["result"].split(" | ")}
    value = _choice([one for one in dialect.documents if one["type"] in results], references)
    if listed:
        value = {"if": {"type": "array"}, "then": _types(listed[0], references), "else": value}
    return {
        "$schema": _DIALECT,
        "$id": identifier,
        "title": "MessageDocument",
        "description": "A request or a response of JSON-RPC, what they contain, or an array of the elements of a stream.",
        "x-spec": f"A2A {dialect.version}, JSON-RPC",
        "type": ["object", "array"],
        "if": {"type": "array"},
        "then": {"items": {"$ref": "#/$defs/AnyMessage"}},
        "else": {"$ref": "#/$defs/AnyMessage"},
        "examples": examples,
        "$defs": {
            "AnyMessage": {
                "description": "A request, a response, or what they contain.",
                "type": "object",
                "if": {"required": ["jsonrpc"]},
                "then": {
                    "if": {"required": ["method"]},
                    "then": {"$ref": "#/$defs/Request"},
                    "else": {"$ref": "#/$defs/Response"},
                },
                "else": {"$ref": "#/$defs/Payload"},
            },
            "Request": _request(rows, references),
            "Response": _response(value),
            "Error": _error(),
            "Payload": {
                "description": "What a request, a response, a stream or a webhook carries; its fields tell which type it is.",
                **_choice(dialect.documents, references),
            },
        },
    }


def _response(value: Json) -> Json:
    """Return the schema of a response, whose result is a value."""
    return {
        "description": "A response: the result of a method, or an error.",
        "x-spec": f"{_JSON_RPC} §5",
        "type": "object",
        "required": ["jsonrpc", "id"],
        "properties": {
            "jsonrpc": _VERSION,
            "id": _own(
                ["string", "integer", "null"],
                "Identifier of the request; null if it could not be read.",
                5,
            ),
            "result": {
                # The empty message of protobuf is {} in JSON, for which a2a-sdk writes null.
                "if": {"enum": [None, {}]},
                "else": value,
                "description": "Result of the method.",
                "x-spec": f"{_JSON_RPC} §5",
            },
            "error": {
                "$ref": "#/$defs/Error",
                "description": "What went wrong.",
                "x-spec": f"{_JSON_RPC} §5.1",
            },
        },
        "oneOf": [{"required": ["result"]}, {"required": ["error"]}],
    }


def _error() -> Json:
    return {
        "description": "An error of JSON-RPC or A2A; `code` tells which.",
        "x-spec": f"{_JSON_RPC} §5.1",
        "type": "object",
        "required": ["code", "message"],
        "properties": {
            "code": _own("integer", "Code of the error.", 5.1),
            "message": _own("string", "The error in a sentence.", 5.1),
            "data": {"description": "More about the error.", "x-spec": f"{_JSON_RPC} §5.1"},
        },
    }


def references_of(messages: Iterable[tuple[Messages | Dialect, Json]], base: str) -> dict[str, str]:
    """Return the `$ref` of each type that the schemas of a package define: their roots and their definitions."""
    found: dict[str, str] = {}
    for manifest, document in messages:
        found[document["title"]] = f"{base}{manifest.schema}"
        found |= {name: f"{base}{manifest.schema}#/$defs/{name}" for name in document.get("$defs", {})}
    return found


def as_schema(condition: Json) -> Json:
    """Return a condition of a detection rule (`codegen/detection.py`) as a JSON Schema.

    >>> as_schema({"equals": ["kind", "task"]})["properties"]
    {'kind': {'const': 'task'}}
    """
    ((kind, value),) = condition.items()
    match kind:
        case "all" | "any":
            return {f"{kind}Of": [as_schema(part) for part in value]}
        case "not":
            return {"not": as_schema(value)}
        case "has":
            return _field(value, {})
        case "lacks":
            return {"not": _field(value, {})}
        case "is":
            return _field(value[0], {"type": value[1]})
        case "equals":
            return _field(value[0], {"const": value[1]})
        case _:
            msg = f"{kind} has no form in JSON Schema"
            raise ValueError(msg)


def _field(path: str, schema: Json) -> Json:
    outer, _, inner = path.partition("/")
    return {
        "type": "object",
        "required": [outer],
        "properties": {outer: _field(inner, schema) if inner else schema},
    }


def _own(types: str | list[str], description: str, section: float) -> Json:
    """Return the schema of a field of JSON-RPC."""
    return {"type": types, "description": description, "x-spec": f"{_JSON_RPC} §{section}"}


def _request(rows: list[Json], references: Mapping[str, str]) -> Json:
    return {
        "description": "A request; `method` tells which.",
        "x-spec": f"{_JSON_RPC} §4",
        "type": "object",
        "required": ["jsonrpc", "method", "id"],
        "properties": {
            "jsonrpc": _VERSION,
            "id": _own(["string", "integer"], "Identifier that the client chose.", 4),
            "method": {
                "enum": [row["method"] for row in rows],
                "description": "Name of the method.",
                "x-spec": f"{_JSON_RPC} §4",
            },
        },
        "allOf": list(_parameters(rows, references)),
    }


def _parameters(rows: list[Json], references: Mapping[str, str]) -> Iterator[Json]:
    """Yield for each method with parameters that its requests have them."""
    for row in rows:
        if row["params"] == "None":
            continue
        yield {
            "if": _field("method", {"const": row["method"]}),
            "then": {
                "required": ["params"],
                "properties": {"params": {**_types(row["params"], references), "x-spec": row["spec"]}},
            },
        }


def _choice(documents: Iterable[Json], references: Mapping[str, str]) -> Json:
    first, *others = documents
    arm = {"$ref": references[first["type"]]}
    if "when" not in first:
        return arm
    return {"if": as_schema(first["when"]), "then": arm, "else": _choice(others, references)}


def _types(text: str, references: Mapping[str, str]) -> Json:
    """Return the schema of types as Python writes them: one, a list of one, or a choice."""
    if listed := re.fullmatch(r"list\[(\w+)\]", text):
        return {"type": "array", "items": _types(listed[1], references)}
    arms = [{"$ref": references[name]} for name in text.split(" | ")]
    return arms[0] if len(arms) == 1 else {"anyOf": arms}
