"""Proposed edits of our schema for differences from upstream whose meaning is plain."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codegen.drift.compare import ABSENT, Row
from codegen.drift.shape import Field, Kind, Message, Shape, Type
from codegen.drift.source import parse_json, read_text
from codegen.sources import PLACEHOLDER

SIMPLE = {
    Kind.STRING: "string",
    Kind.BOOL: "boolean",
    Kind.INT: "integer",
    Kind.NUMBER: "number",
    Kind.STRUCT: "object",
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """Edits of a schema, as lines, and the rows that need a decision."""

    document: Any
    edits: tuple[str, ...]
    open_rows: tuple[Row, ...]


def propose(rows: Iterable[Row], upstream: Shape, schema: Path) -> Proposal:
    """Return our schema with every row applied that can be: a new field, `required`, `default` or `deprecated`.

    A field of a type that our schema does not define, a limit, a union and a field that upstream lacks are decisions:
    they stay open.

    Raises:
        DriftError: If the schema cannot be read.
    """
    document: Any = parse_json(read_text(schema), str(schema))
    edits: list[str] = []
    open_rows: list[Row] = []
    for row in rows:
        edit = _edit(row, upstream, document)
        if edit:
            edits.append(f"{row.at}: {edit}")
        else:
            open_rows.append(row)
    return Proposal(document, tuple(edits), tuple(open_rows))


def write(proposal: Proposal, schema: Path) -> list[str]:
    """Write the edited schema; return the lines that state what was done and what is left to do."""
    lines = []
    if proposal.edits:
        schema.write_text(
            json.dumps(proposal.document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
        )
        lines += [f"written to {schema}:", *(f"  {edit}" for edit in proposal.edits)]
        lines += [
            "check the description of each new field, upstream's comment, and its x-spec, then make generate"
        ]
    if proposal.open_rows:
        lines.append(f"needs a decision, nothing written: {', '.join(row.at for row in proposal.open_rows)}")
    return lines


def _edit(row: Row, upstream: Shape, document: Any) -> str:
    """Apply one row to our schema; return what was done, "" if it needs a decision."""
    message_name, _, name = row.at.partition(".")
    message = upstream.messages.get(message_name)
    field = message.field(name) if message is not None else None
    schema_object = document if message_name == upstream.root else document.get("$defs", {}).get(message_name)
    if field is None or not isinstance(schema_object, dict) or "properties" not in schema_object:
        return ""
    properties: dict[str, Any] = schema_object["properties"]
    if row.what == "field" and row.local == ABSENT:
        schema = _schema(field.type, document, upstream)
        if schema is None:
            return ""
        properties[name] = _property(field, schema, properties)
        kind = f"array of {json.dumps(schema)}" if field.repeated else json.dumps(schema)
        if field.required:
            schema_object["required"] = [*schema_object.get("required", ()), name]
        return f"field added, {kind}"
    if name not in properties:
        return ""
    return _changed(row, field, schema_object)


def _changed(row: Row, field: Field, schema_object: dict[str, Any]) -> str:
    """Change a field that both sides have."""
    schema: dict[str, Any] = schema_object["properties"][field.name]
    match row.what:
        case "required":
            others = [name for name in schema_object.get("required", ()) if name != field.name]
            schema_object["required"] = [*others, *([field.name] if field.required else ())]
            return "now required" if field.required else "no longer required"
        case "default" if field.default is not None:
            schema["default"] = json.loads(field.default)
            return f"default {field.default}"
        case "deprecated" if field.deprecated:
            schema["deprecated"] = True
            return "deprecated"
        case "default" | "deprecated":
            schema.pop(row.what, None)
            return f"no {row.what}"
        case _:
            return ""


def _property(field: Field, schema: dict[str, Any], siblings: dict[str, Any]) -> dict[str, Any]:
    """Return the property of a new field; its `x-spec` is that of the field before it."""
    sibling: dict[str, Any] = next(reversed(siblings.values()), {})
    found: dict[str, Any] = {"description": field.comment or PLACEHOLDER}
    found |= {"x-spec": sibling["x-spec"]} if "x-spec" in sibling else {}
    found |= {"x-presence": str(field.presence)} if field.presence else {}
    found |= {"default": json.loads(field.default)} if field.default is not None else {}
    found |= {"deprecated": True} if field.deprecated else {}
    typed = {"type": "array", "items": schema} if field.repeated else schema
    return {**typed, **found, **{keyword: json.loads(value) for keyword, value in field.limits}}


def _schema(kind: Type, document: Any, upstream: Shape) -> dict[str, Any] | None:
    """Return the JSON Schema of a type, and define the objects that it needs; None for a union."""
    if kind.kind is Kind.MESSAGE:
        message = upstream.messages[kind.message]
        if message.arms or not message.named:
            return None
        if message.name not in document.setdefault("$defs", {}):
            _define(message, document, upstream)
        return {"$ref": f"#/$defs/{message.name}"}
    if kind.kind in SIMPLE:
        values = {"enum": [json.loads(value) for value in kind.values]} if kind.values else {}
        return {"type": SIMPLE[kind.kind], **values}
    if kind.kind is Kind.ANY:
        return {}
    inner = _schema(kind.of[0], document, upstream) if kind.kind in (Kind.LIST, Kind.MAP) else None
    if inner is None:
        return None
    if kind.kind is Kind.LIST:
        return {"type": "array", "items": inner}
    return {"type": "object", "additionalProperties": inner}


def _define(message: Message, document: Any, upstream: Shape) -> None:
    """Add a definition for an object of upstream, with the section of the schema itself."""
    section = {"x-spec": document["x-spec"]} if "x-spec" in document else {}
    definition: dict[str, Any] = {"description": message.comment or PLACEHOLDER, **section, "type": "object"}
    # Before its fields: a field may be of its own type.
    document["$defs"][message.name] = definition
    required = [field.name for field in message.fields if field.required]
    definition |= {"required": required} if required else {}
    definition["properties"] = {}
    for field in message.fields:
        schema = _schema(field.type, document, upstream) or {}
        written = _property(field, schema, definition["properties"])
        definition["properties"][field.name] = {**section, **written}
    for group in message.oneofs:
        definition["oneOf"] = [{"required": [name]} for name in group]
