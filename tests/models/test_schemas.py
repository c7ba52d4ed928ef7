"""The JSON Schema of a class says what the schema says that it was generated from: names, types, required fields, defaults."""

from __future__ import annotations

from typing import Any

import pytest

from cardwright_rules import ROWS
from tests.models.test_ways_in_and_out import MODELS, client

Json = Any
# Annotations, and what pydantic does not check. A constant or an enumeration has its type in its values.
IGNORED = {
    "$comment", "$id", "$schema", "$defs", "description", "title", "format", "examples", "if", "then", "deprecated",
}  # fmt: skip


def stated(schema: Json, definitions: Json, classes: set[str]) -> Json:
    """Return what a schema states, with what has no class inlined, and types as one form."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        if name in classes:
            return {"class": name, **({"default": rest["default"]} if "default" in rest else {})}
        return stated(definitions[name] | rest, definitions, classes)
    types = schema.get("type")
    if isinstance(types, list):
        arms = [{**schema, "type": one} if one != "null" else {"type": one} for one in types]
        return stated({"anyOf": arms}, definitions, classes)
    found: Json = {}
    for key, value in schema.items():
        if key in IGNORED or key[:2] == "x-" or (key == "type" and schema.keys() & {"const", "enum"}):
            continue
        match key:
            case "properties":
                found[key] = {name: stated(one, definitions, classes) for name, one in value.items()}
            case "items" | "additionalProperties" | "propertyNames":
                found |= {key: stated(value, definitions, classes)} if value not in ({}, True) else {}
            case "anyOf" | "oneOf":
                arms = [stated(arm, definitions, classes) for arm in value]
                # A value of any type may be null.
                found |= {"arms": sorted(arms, key=str)} if {} not in arms else {}
            # `typing` keeps one Literal for the same values in two orders.
            case "required" | "enum":
                found[key] = sorted(value)
            case "discriminator":
                pass
            case _:
                found[key] = value
    return found


@pytest.mark.parametrize("mode", ["validation", "serialization"])
@pytest.mark.parametrize("name", MODELS)
def test_a_class_has_the_schema_that_it_was_generated_from(name: str, mode: Any) -> None:
    source, made = ROWS[name].schema(), MODELS[name].model_json_schema(mode=mode)
    sources, classes = {"": source, **source.get("$defs", {})}, {"": made, **made.get("$defs", {})}

    for one, schema in classes.items():
        here = stated(schema, made.get("$defs", {}), set(classes))
        assert here == stated(sources[one], source.get("$defs", {}), set(classes)), one


def test_fastapi_describes_a_class_once() -> None:
    schemas = client(MODELS["a2a-1.0"]).get("/openapi.json").json()["components"]["schemas"]

    assert not [name for name in schemas if name.endswith(("-Input", "-Output"))]
    assert "supportedInterfaces" in schemas["AgentCard"]["properties"]
