"""Definitions of the JSON-RPC requests, responses and errors of a version, which follow from its methods and errors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from codegen.sources import Json

# JSON-RPC 2.0 §4: the id of a request, and that of a response, which is null if the request could not be read.
_REQUEST_ID: Final = {"type": ["string", "integer"], "description": "Identifier that the client chose."}
_ANY_ID: Final = {
    "type": ["string", "integer", "null"],
    "description": "Identifier of the request; null if it could not be read.",
}
_VERSION: Final = {"const": "2.0", "description": "Version of JSON-RPC."}


def envelopes_of(operations: Json, version: str, modules: Mapping[str, str]) -> dict[str, Any]:
    """Return a schema whose definitions are the envelopes of a version; its types are those of other modules.

    Args:
        operations: The table of operations and errors.
        version: The version; its rows with a `type` have envelopes.
        modules: The module of each type of parameters and results.
    """
    rows = [row for one in operations["operations"] if "type" in (row := one["versions"].get(version, {}))]
    definitions = _errors(operations["errors"], version) | _general()
    for row in rows:
        definitions |= _of_method(row, modules)
    errors = [error["names"][version] for error in operations["errors"] if version in error["names"]]
    definitions |= {
        "A2AError": _union("An error of JSON-RPC or A2A; `code` tells which.", errors),
        "A2ARequest": _union("A request; `method` tells which.", [f"{row['type']}Request" for row in rows]),
        "JSONRPCErrorResponse": _object(
            "Response with an error.",
            {
                "jsonrpc": _VERSION,
                "id": _ANY_ID,
                "error": _union("What went wrong.", [*errors, "JSONRPCError"]),
            },
        ),
        "JSONRPCResponse": _union(
            "A response of any method.",
            ["JSONRPCErrorResponse", *(f"{row['type']}SuccessResponse" for row in rows if _answers(row))],
        ),
    }
    message = definitions.pop("JSONRPCMessage")
    return {"title": "JSONRPCMessage", **message, "$defs": dict(sorted(definitions.items()))}


def _general() -> dict[str, Any]:
    anything = {"type": "object", "description": "Parameters of the method."}
    return {
        "JSONRPCMessage": _object(
            "What every message of JSON-RPC has.", {"jsonrpc": _VERSION, "id": _ANY_ID}, optional=("id",)
        ),
        "JSONRPCRequest": _object(
            "A request of any method.",
            {
                "jsonrpc": _VERSION,
                "id": _ANY_ID,
                "method": {"type": "string", "description": "Name of the method."},
                "params": anything,
            },
            optional=("id", "params"),
        ),
        "JSONRPCSuccessResponse": _object(
            "Response with a result.",
            {"jsonrpc": _VERSION, "id": _ANY_ID, "result": {"description": "Result of the method."}},
        ),
        "JSONRPCError": _object(
            "An error of any code.",
            {
                "code": {"type": "integer", "description": "Code of the error."},
                "message": {"type": "string", "description": "The error in a sentence."},
                "data": {"description": "More about the error."},
            },
            optional=("data",),
        ),
    }


def _errors(errors: Iterable[Json], version: str) -> dict[str, Any]:
    return {
        error["names"][version]: _object(
            error["description"],
            {
                "code": {"const": error["code"], "description": "Code of the error."},
                "message": {
                    "type": "string",
                    "x-argument": error["message"],
                    "description": "The error in a sentence.",
                },
                "data": {"description": "More about the error."},
            },
            optional=("data",),
        )
        for error in errors
        if version in error["names"]
    }


def _of_method(row: Json, modules: Mapping[str, str]) -> dict[str, Any]:
    """Return the request of a method and, unless its responses are those of another one, its responses."""
    name, method = row["type"], row["method"]
    fields = {
        "jsonrpc": _VERSION,
        "id": _REQUEST_ID,
        "method": {"const": method, "description": "Name of the method."},
    }
    if row["params"] != "None":
        fields["params"] = {**_types(row["params"], modules), "description": "Parameters of the method."}
    optional = ("params",) if row.get("paramsOptional") else ()
    request = {f"{name}Request": _object(f"Request of `{method}`.", fields, optional)}
    if not _answers(row):
        return request
    result = {**_types(row["result"], modules), "description": "Result of the method."}
    return request | {
        f"{name}SuccessResponse": _object(
            f"Result of `{method}`.", {"jsonrpc": _VERSION, "id": _ANY_ID, "result": result}
        ),
        f"{name}Response": _union(
            f"Response to `{method}`.", ["JSONRPCErrorResponse", f"{name}SuccessResponse"]
        ),
    }


def _answers(row: Json) -> bool:
    """Return whether a method has responses of its own: a resubscription continues the stream of another method."""
    return bool(row.get("responses", True))


def _types(text: str, modules: Mapping[str, str]) -> dict[str, Any]:
    """Return the schema of types as Python writes them, which are imported from their modules."""
    if text == "None":
        return {"type": "null"}
    if listed := re.fullmatch(r"list\[(\w+)\]", text):
        return {"type": "array", "items": _types(listed[1], modules)}
    arms = [{"type": "object", "customTypePath": f"{modules[name]}.{name}"} for name in text.split(" | ")]
    return arms[0] if len(arms) == 1 else {"anyOf": arms}


def _object(description: str, fields: dict[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    required = [name for name in fields if name not in optional]
    return {"description": description, "type": "object", "required": required, "properties": fields}


def _union(description: str, names: list[str]) -> dict[str, Any]:
    return {"description": description, "anyOf": [{"$ref": f"#/$defs/{name}"} for name in names]}
