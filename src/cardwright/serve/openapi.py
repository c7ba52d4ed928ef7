"""The OpenAPI 3.1 description of a card server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.catalog_entries import ARD_PATH, CATALOGUE_PATH, CATALOGUE_TYPE
from cardwright.http.negotiation import HTML, MEDIA_TYPES
from cardwright.serve.extended import METHODS
from cardwright.serve.routes import CARD_PATH, EXTENDED_PATHS, LEGACY_PATH, ROBOTS_PATH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.serve.settings import Settings

_TAGS: Final = r'^(\*|(W/)?"[!#-~]*"(, ?(W/)?"[!#-~]*")*)$'
_HEADERS: Final = {
    "ETag": {"required": True, "schema": {"type": "string", "pattern": '^"[0-9a-f]{64}"$'}},
    "Cache-Control": {"required": True, "schema": {"type": "string"}},
    "Vary": {"required": True, "schema": {"type": "string"}},
    "Last-Modified": {"schema": {"type": "string"}},
}
_PROBLEMS: Final = {
    "400": "The request is malformed.",
    "401": "Credentials are missing or invalid.",
    "404": "The card or path does not exist.",
    "405": "The method is not one of those in Allow.",
    "406": "None of the accepted media types is offered.",
    "412": "The card does not match If-Match or If-Unmodified-Since.",
    "414": "The query is too long.",
    "431": "A header field is too long.",
}
_CONDITIONS: Final[list[dict[str, Any]]] = [
    {"name": "If-None-Match", "in": "header", "schema": {"type": "string", "pattern": _TAGS}},
    {"name": "If-Modified-Since", "in": "header", "schema": {"type": "string"}},
]


def openapi(
    settings: Settings, *, ids: Sequence[str], root: bool, versions: Sequence[str], extended: bool
) -> dict[str, Any]:
    """Return the description of all routes.

    Args:
        settings: The settings of the application.
        ids: The ids of the cards with a path of their own.
        root: Whether a card is served at the root.
        versions: The versions of A2A that an interface of any card has.
        extended: Whether any card has an extended card.
    """
    paths: dict[str, Any] = {
        ARD_PATH: _document("ard", "application/json", "ARD manifest of all cards"),
        CATALOGUE_PATH: _document("catalogue", CATALOGUE_TYPE, "AI Catalog of all cards"),
    }
    prefixes = [("", [_parameter("id", ids)] if ids else []), *([("/{id}", [_in_path(ids)])] if ids else [])]
    for prefix, id_parameters in prefixes:
        suffix = "ById" if prefix else ""
        parameters = [*id_parameters, *_card_parameters(versions)]
        paths[prefix + CARD_PATH] = _card(f"card{suffix}", "The card", parameters)
        paths[prefix + LEGACY_PATH] = _card(
            f"olderCard{suffix}", "The card, at the path of A2A 0.1 and 0.2", parameters
        )
        if extended and (prefix or root):
            in_path = id_parameters if prefix else []
            paths |= _extended(prefix, suffix, parameters, in_path, versions, settings.rpc_path)
    for at, name, media_type in (
        (settings.index_path, "index", "text/html"),
        (settings.openapi_path, "openapi", "application/json"),
        (ROBOTS_PATH if settings.robots else None, "robots", "text/plain"),
    ):
        if at:
            paths[at] = _document(name, media_type, f"The {name}")
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Agent cards",
            "version": "1.0",
            "description": "Agent cards at their well-known URLs (RFC 8615, A2A 1.0 §8.2).",
        },
        "paths": paths,
        "components": {"schemas": {"Problem": _PROBLEM, "Card": _CARD}},
    }


def _extended(
    prefix: str,
    suffix: str,
    parameters: list[dict[str, Any]],
    in_path: list[dict[str, Any]],
    versions: Sequence[str],
    rpc_path: str | None,
) -> dict[str, Any]:
    """Return the paths of the extended card: operations, which refuse a version that no interface has."""
    if versions:
        own = [parameter for parameter in parameters if parameter["name"] != "A2A-Version"]
        parameters = [_version_parameter({"type": "string", "enum": list(versions)}), *own]
    paths: dict[str, Any] = {}
    for path, version in EXTENDED_PATHS.items():
        name = f"extendedCard{version.replace('.', '')}{suffix}"
        paths[prefix + path] = _card(name, f"The extended card, at the path of A2A {version}", parameters)
    if rpc_path:
        paths[prefix + rpc_path] = {"post": _call(f"extendedCardByCall{suffix}", in_path)}
    return paths


def _card_parameters(versions: Sequence[str]) -> list[dict[str, Any]]:
    """Return the parameters of a request for a card: format, conditions, and the version if any is offered."""
    parameters = [
        {"name": "format", "in": "query", "schema": {"enum": list(dict.fromkeys(MEDIA_TYPES.values()))}},
        *_CONDITIONS,
    ]
    if not versions:
        return parameters
    # A version that the card cannot be written in is no error: the response is the card in its default form.
    return [_version_parameter({"type": "string", "examples": list(versions)}), *parameters]


def _version_parameter(schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": "A2A-Version", "in": "header", "schema": schema}


def _card(name: str, summary: str, parameters: list[dict[str, Any]]) -> dict[str, Any]:
    card: dict[str, Any] = {"$ref": "#/components/schemas/Card"}
    content: dict[str, Any] = {
        media_type: {"schema": {"type": "string"} if kind == HTML else card}
        for media_type, kind in MEDIA_TYPES.items()
    }
    return {
        "get": _operation(name, summary, parameters, content),
        "head": _headless(name, summary, parameters),
    }


def _document(name: str, media_type: str, summary: str) -> dict[str, Any]:
    schema = {"type": "string"} if media_type == "text/html" else {"type": "object"}
    return {
        "get": _operation(name, summary, _CONDITIONS, {media_type: {"schema": schema}}),
        "head": _headless(name, summary, _CONDITIONS),
    }


def _call(name: str, parameters: list[dict[str, Any]]) -> dict[str, Any]:
    descriptions = {
        "200": "The extended card, or a JSON-RPC error.",
        "401": "Credentials are missing or invalid.",
        "413": "The body is too large.",
    }
    content = {"application/json": {"schema": _RPC_RESPONSE}}
    responses = {status: {"description": text, "content": content} for status, text in descriptions.items()}
    return {
        "operationId": name,
        "summary": "The extended card by JSON-RPC (A2A 1.0 §9.4.8, 0.3 §7.10)",
        "parameters": parameters,
        "requestBody": {"required": True, "content": {"application/json": {"schema": _RPC_REQUEST}}},
        "responses": {**_problems(), **responses},
    }


def _problems() -> dict[str, Any]:
    problem: dict[str, Any] = {"$ref": "#/components/schemas/Problem"}
    content = {"application/json": {"schema": problem}, "text/html": {"schema": {"type": "string"}}}
    return {status: {"description": text, "content": content} for status, text in _PROBLEMS.items()}


def _operation(
    name: str, summary: str, parameters: list[dict[str, Any]], content: dict[str, Any]
) -> dict[str, Any]:
    return {
        "operationId": name,
        "summary": summary,
        "parameters": parameters,
        "responses": {
            "200": {"description": summary, "headers": _HEADERS, "content": content},
            "304": {"description": "The caller's copy is current.", "headers": _HEADERS},
            **_problems(),
        },
    }


def _headless(name: str, summary: str, parameters: list[dict[str, Any]]) -> dict[str, Any]:
    operation = _operation(f"{name}Head", f"{summary}: the header only", parameters, {})
    responses = {
        status: {part: value for part, value in response.items() if part != "content"}
        for status, response in operation["responses"].items()
    }
    return {**operation, "responses": responses}


def _parameter(name: str, ids: Sequence[str]) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": {"type": "string", "enum": list(ids)}}


def _in_path(ids: Sequence[str]) -> dict[str, Any]:
    return {**_parameter("id", ids), "in": "path", "required": True}


_RPC_REQUEST: Final = {
    "type": "object",
    "required": ["jsonrpc", "id", "method"],
    "properties": {
        "jsonrpc": {"const": "2.0"},
        "id": {"type": ["string", "integer"]},
        "method": {"enum": list(METHODS)},
    },
}
_RPC_RESPONSE: Final = {
    "type": "object",
    "required": ["jsonrpc", "id"],
    "properties": {"jsonrpc": {"const": "2.0"}, "result": {"type": "object"}, "error": {"type": "object"}},
    "oneOf": [{"required": ["result"]}, {"required": ["error"]}],
}
_CARD: Final = {
    "type": "object",
    "description": "An agent card of the requested version; its schema depends on the version.",
    "required": ["name"],
    "properties": {"name": {"type": "string"}},
}
_PROBLEM: Final = {
    "type": "object",
    "description": "A2A 1.0 §11.6.",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "status", "message", "details"],
            "properties": {
                "code": {"type": "integer", "minimum": 400, "maximum": 599},
                "status": {"type": "string"},
                "message": {"type": "string"},
                "details": {
                    "type": "array",
                    "minItems": 1,
                    "items": {"type": "object", "required": ["@type", "reason", "domain", "metadata"]},
                },
            },
        }
    },
}
