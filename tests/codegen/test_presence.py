"""The table of presence: all that the schema states, and nothing that it leaves open."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardwright_rules import DIALECTS
from codegen.__main__ import pin
from codegen.render import render_tree
from codegen.sources import BrokenTree

Json = Any
Edit = Callable[[Path, str, Callable[[Json], object]], None]

FILE = "a2a/1.0/agent-card.schema.json"


def unstated(schema: Json) -> None:
    del schema["properties"]["iconUrl"]["x-presence"]


def implicit_message(schema: Json) -> None:
    schema["properties"]["provider"]["x-presence"] = "implicit"


def implicit_union(schema: Json) -> None:
    schema["$defs"]["OAuth2SecurityScheme"]["properties"]["flows"]["x-presence"] = "implicit"


def unequal_arms(schema: Json) -> None:
    schema["$defs"]["HTTPAuthSecurityScheme"]["properties"]["description"]["x-presence"] = "optional"


@pytest.mark.parametrize(
    ("path", "change", "pointer", "message"),
    [
        (FILE, unstated, "/properties/iconUrl", "the field has no x-presence"),
        (FILE, implicit_message, "/properties/provider", "must be required or optional, not implicit"),
        (FILE, implicit_union, "/$defs/OAuth2SecurityScheme/properties/flows", "not implicit"),
        (
            "a2a/0.3/agent-card.schema.json",
            unequal_arms,
            "/$defs/HTTPAuthSecurityScheme/properties/description",
            "the arms of the union give this field different",
        ),
    ],
)
def test_a_wrong_presence_table_is_not_generated(
    path: str, change: Callable[[Json], object], pointer: str, message: str, schemas: Path, edit: Edit
) -> None:
    edit(schemas, path, change)
    pin(schemas)
    with pytest.raises(BrokenTree) as broken:
        render_tree(schemas)

    assert [(problem.file, problem.pointer) for problem in broken.value.problems] == [(path, pointer)]
    assert message in broken.value.problems[0].message


@pytest.mark.parametrize("name", [name for name, row in DIALECTS.items() if row.states_presence])
def test_the_presence_table_has_every_field_of_the_schema(name: str) -> None:
    schema: Json = DIALECTS[name].schema()
    presence = DIALECTS[name].presence()
    # Whatever is reached, by names alone: the table may know a union by its own name.
    stated = {
        (field, rule["x-presence"])
        for definition in (schema, *schema["$defs"].values())
        for field, rule in definition.get("properties", {}).items()
    }
    printed = {(field, one.rule) for fields in presence.messages.values() for field, one in fields.items()}

    assert printed == stated
    assert set(presence.messages[presence.root.message]) == set(schema["properties"])


def test_only_the_dialects_that_sign_have_a_table() -> None:
    assert {name for name, row in DIALECTS.items() if row.states_presence} == {"a2a-0.3", "a2a-1.0"}
    with pytest.raises(LookupError, match=r"a2a-0\.2 does not state which of its fields count as set"):
        DIALECTS["a2a-0.2"].presence()


def test_the_presence_of_the_worked_example_is_that_of_the_specification() -> None:
    # A2A 1.0 §8.4.1, the comments beside its example.
    card, capabilities = (
        DIALECTS["a2a-1.0"].presence().messages[name] for name in ("AgentCard", "AgentCapabilities")
    )
    rules = {
        name: field.rule
        for fields in (card, capabilities)
        for name, field in fields.items()
        if name
        in ("name", "description", "capabilities", "streaming", "pushNotifications", "extensions", "skills")
    }

    assert json.dumps(rules, sort_keys=True) == json.dumps({
        "capabilities": "required", "description": "required", "extensions": "implicit", "name": "required",
        "pushNotifications": "optional", "skills": "required", "streaming": "optional",
    })  # fmt: skip
