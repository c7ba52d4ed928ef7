"""The OpenAPI 3.1 description of a card server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.catalog_entries import ARD_PATH, CATALOGUE_PATH, CATALOGUE_TYPE
from cardwright.http.negotiation import HTML, MEDIA_TYPES
from cardwright.serve.routes import CARD_PATH, EXTENDED_PATHS, LEGACY_PATH, ROBOTS_PATH
from cardwright_runtime.engine import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.serve.settings import Settings

# The parts of the description that are the same for all servers.
_PARTS: Final = load("cardwright.serve", "openapi.json")


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
    return {**_PARTS["document"], "paths": paths}


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
        *_PARTS["conditions"],
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
    conditions = _PARTS["conditions"]
    return {
        "get": _operation(name, summary, conditions, {media_type: {"schema": schema}}),
        "head": _headless(name, summary, conditions),
    }


def _call(name: str, parameters: list[dict[str, Any]]) -> dict[str, Any]:
    call = _PARTS["call"]
    return {
        "operationId": name,
        "summary": call["summary"],
        "parameters": parameters,
        "requestBody": {"required": True, "content": {"application/json": {"schema": call["request"]}}},
        "responses": {**_responses(_PARTS["problems"]), **_responses(call["responses"])},
    }


def _responses(group: dict[str, Any]) -> dict[str, Any]:
    """Return the responses of a group by status: all have the same content."""
    return {
        status: {"description": text, "content": group["content"]}
        for status, text in group["descriptions"].items()
    }


def _operation(
    name: str, summary: str, parameters: list[dict[str, Any]], content: dict[str, Any]
) -> dict[str, Any]:
    headers = _PARTS["headers"]
    return {
        "operationId": name,
        "summary": summary,
        "parameters": parameters,
        "responses": {
            "200": {"description": summary, "headers": headers, "content": content},
            "304": {"description": "The caller's copy is current.", "headers": headers},
            **_responses(_PARTS["problems"]),
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
