"""Reference page of the gateway's HTTP API, from its OpenAPI description."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.engine import load
from docs.sitegen.markdown import anchor, code, page, prose, table

if TYPE_CHECKING:
    from collections.abc import Iterator

_METHODS: Final = ("get", "post", "put", "patch", "delete")


def http_api_pages() -> Iterator[tuple[str, str]]:
    """Yield the path and text of the page of the HTTP API."""
    api = load("cardwright_gateway_models.api", "gateway.json")
    introduction = prose(api["info"].get("description", ""))
    served = "The gateway serves this description at `/api/v1/openapi.json`."
    tags = [tag["name"] for tag in api.get("tags", ())]
    parts = [part for tag in tags for part in _tag(api, tag)]
    yield "http-api.md", page("HTTP API of the gateway", introduction, served, *parts, *_schemas(api))


def _tag(api: Any, tag: str) -> Iterator[str]:
    operations = [
        (method.upper(), path, item[method])
        for path, item in api["paths"].items()
        for method in _METHODS
        if method in item and tag in item[method].get("tags", ())
    ]
    if not operations:
        return
    description = next(one.get("description", "") for one in api["tags"] if one["name"] == tag)
    yield f"## {tag}"
    yield prose(description)
    for method, path, operation in operations:
        yield from _operation(api, method, path, operation)


def _operation(api: Any, method: str, path: str, operation: Any) -> Iterator[str]:
    yield f"### {method} {path}"
    summary = operation["summary"].rstrip(".")
    yield f"{summary}. {prose(operation.get('description', ''))}".strip()
    if operation.get("security"):
        yield (
            "Authentication: "
            + " or ".join(code(name) for one in operation["security"] for name in one)
            + "."
        )
    parameters = [_resolved(api, one) for one in operation.get("parameters", ())]
    if parameters:
        rows = [
            (
                code(one["name"]) + (" (required)" if one.get("required") else ""),
                one["in"],
                prose(one.get("description", "")),
            )
            for one in parameters
        ]
        yield table(("parameter", "in", "meaning"), rows)
    body = _resolved(api, operation.get("requestBody", {}))
    for media, content in body.get("content", {}).items():
        yield f"Request body, `{media}`: {_schema_link(content.get('schema', {}))}."
    rows = [
        (status, _body(_resolved(api, response)), prose(_resolved(api, response).get("description", "")))
        for status, response in sorted(operation["responses"].items())
    ]
    yield table(("status", "body", "meaning"), rows)


def _body(response: Any) -> str:
    return ", ".join(
        _schema_link(content["schema"]) if "schema" in content else code(media)
        for media, content in response.get("content", {}).items()
    )


def _merged(api: Any, schema: Any) -> Any:
    """Return a schema with the fields of all in its `allOf`."""
    if "allOf" not in schema:
        return schema
    merged: dict[str, Any] = {**schema, "properties": {}, "required": []}
    for one in schema["allOf"]:
        part = _merged(api, _resolved(api, one))
        merged["properties"] |= part.get("properties", {})
        merged["required"] += part.get("required", [])
    return merged


def _schemas(api: Any) -> Iterator[str]:
    yield "## Bodies"
    for name, written in api["components"]["schemas"].items():
        schema = _merged(api, written)
        yield f"### {name}"
        yield prose(schema.get("description", ""))
        if "properties" in schema:
            required = set(schema.get("required", ()))
            yield table(
                ("field", "type", "meaning"),
                [
                    (
                        code(field) + (" (required)" if field in required else ""),
                        _type(part),
                        prose(part.get("description", "")),
                    )
                    for field, part in schema["properties"].items()
                ],
            )
        elif "enum" in schema:
            yield "One of " + ", ".join(code(value) for value in schema["enum"]) + "."
        elif "properties" not in schema:
            yield f"A value of type {_type(schema)}."


def _type(schema: Any) -> str:
    if "$ref" in schema:
        return _schema_link(schema)
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " or ".join(dict.fromkeys(map(_type, schema[union])))
    if "enum" in schema:
        return " or ".join(code(value) for value in schema["enum"])
    if "const" in schema:
        return code(schema["const"])
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    text = kind if type(kind) is str else " or ".join(kind)
    return f"{text} ({schema['format']})" if "format" in schema else text


def _schema_link(schema: Any) -> str:
    if "$ref" not in schema:
        return _type(schema)
    name = schema["$ref"].rpartition("/")[2]
    return f"[{name}](#{anchor(name)})"


def _resolved(api: Any, part: Any) -> Any:
    """Return what a `#/components/…` reference names, or the part itself."""
    while "$ref" in part:
        target = api
        for step in part["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        part = target
    return part
