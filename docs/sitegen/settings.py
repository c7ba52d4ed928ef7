"""Reference page of the settings files: every field of `gateway.yml`, `agents.yml` and `cardwright.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.engine import load
from docs.sitegen.markdown import anchor, code, page, prose, table

if TYPE_CHECKING:
    from collections.abc import Iterator

# Each file: its schema in `cardwright_gateway_models.settings`, its usual name, its command.
FILES: Final = (
    ("gateway", "The gateway's file", "`cardwright gateway --config gateway.yml` reads it, as YAML or JSON."),
    (
        "agents",
        "The registry's file",
        "`cardwright registry` reads it (`--config FILE` names another), as YAML or JSON.",
    ),
    (
        "project",
        "The file of a project",
        "Every command reads the nearest `cardwright.toml`, or table `[tool.cardwright]` of `pyproject.toml`.",
    ),
)


def settings_pages() -> Iterator[tuple[str, str]]:
    """Yield the path and text of the page of the settings."""
    parts = [part for name, title, use in FILES for part in _file(name, title, use)]
    introduction = (
        "The schemas of these files are bundled: `cardwright schema show` with `gateway`, `agents` or `project`"
        " prints one. `${NAME}` in the fields that say so is taken from the environment. An unknown field is an error."
    )
    yield "settings.md", page("Settings", introduction, *parts)


def _file(name: str, title: str, use: str) -> Iterator[str]:
    schema = load("cardwright_rules.settings", f"{name}.json")
    definitions = schema.get("$defs", {})
    yield f"## {title}"
    yield prose(schema.get("description", ""))
    yield use
    yield _fields(schema, definitions)
    for definition, part in definitions.items():
        if "properties" in part and not definition.startswith("Not"):
            yield f"### {definition}"
            yield prose(part.get("description", ""))
            yield _fields(part, definitions)


def _fields(schema: Any, definitions: Any) -> str:
    required = set(schema.get("required", ()))
    rows = [
        (
            code(name) + (" (required)" if name in required else ""),
            _type(field, definitions),
            _meaning(field, definitions),
        )
        for name, field in schema["properties"].items()
        if type(field) is dict
    ]
    return table(("field", "type", "meaning"), rows)


def _meaning(field: Any, definitions: Any) -> str:
    """Return the description of a field, with its default if the description does not name it."""
    text = prose(field.get("description") or _target(field, definitions).get("description", ""))
    return text if "Default:" in text else text + _default(field)


def _target(field: Any, definitions: Any) -> Any:
    name = field.get("$ref", "").rpartition("/")[2]
    return definitions.get(name, {})


def _default(field: Any) -> str:
    value = field.get("default")
    if value is None or value in ({}, []):
        return ""
    return f" Default: {code('true' if value is True else 'false' if value is False else value)}."


def _type(field: Any, definitions: Any) -> str:
    """Return the type of a field as a person reads it, with its limits."""
    name = field.get("$ref", "").rpartition("/")[2]
    if name in definitions:
        target = definitions[name]
        return f"[{name}](#{anchor(name)})" if "properties" in target else _type(target, definitions)
    if "enum" in field:
        return " or ".join(code(value) for value in field["enum"])
    if "const" in field:
        return code(field["const"])
    for union in ("anyOf", "oneOf"):
        if union in field:
            return " or ".join(dict.fromkeys(_type(arm, definitions) for arm in field[union]))
    kind = field.get("type", "any")
    kinds = kind if type(kind) is list else [kind]
    if kind == "array" and type(field.get("items")) is dict:
        return f"list of {_type(field['items'], definitions)}"
    if kind == "object" and type(field.get("additionalProperties")) is dict and field["additionalProperties"]:
        return f"object of {_type(field['additionalProperties'], definitions)}"
    return " or ".join(kinds) + _range(field)


def _range(field: Any) -> str:
    low = field.get("minimum", field.get("exclusiveMinimum"))
    high = field.get("maximum", field.get("exclusiveMaximum"))
    if low is None and high is None:
        return ""
    above = "more than " if "exclusiveMinimum" in field else ""
    if high is None:
        return f", {above or 'at least '}{low}"
    return f", {above}{low} to {high}" if low is not None else f", at most {high}"
