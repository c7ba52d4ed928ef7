"""The lint rules of `schemas/mappings`: every field has a place or a reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Json = Any
Edit = Callable[[Path, str, Callable[[Json], object]], None]
Find = Callable[[Path], dict[tuple[str, str], str]]

FILE = "mappings/a2a-0.3.mapping.json"


def card(document: Json) -> Json:
    return document["objects"]["AgentCard"]


def drop_field(document: Json) -> None:
    del card(document)["members"]["iconUrl"]


def unknown_field(document: Json) -> None:
    card(document)["members"]["colour"] = {}


def unknown_object(document: Json) -> None:
    document["objects"]["Gadget"] = {"hub": "AgentCard", "members": {}}


def unknown_hub(document: Json) -> None:
    document["objects"]["AgentProvider"]["hub"] = "Supplier"


def unknown_table(document: Json) -> None:
    card(document)["members"]["provider"]["object"] = "Supplier"


def unknown_arm(document: Json) -> None:
    document["objects"]["SecurityScheme"]["arms"]["http"]["object"] = "Padlock"


def two_ways(document: Json) -> None:
    card(document)["members"]["skills"]["by"] = "skills"


def unreached(document: Json) -> None:
    del document["objects"]["AuthorizationCodeOAuthFlow"]["beyond"]


def unknown_dialect(document: Json) -> None:
    document["dialect"] = "a2a-0.9"


def no_reason(document: Json) -> None:
    card(document)["members"]["signatures"]["lost"] = ""
    del document["objects"]["AgentProvider"]["hub"]


@pytest.mark.parametrize(
    ("change", "pointer", "part"),
    [
        (drop_field, "/objects/AgentCard/members/iconUrl", "missing in the mapping"),
        (unknown_field, "/objects/AgentCard/members/colour", "no such field"),
        (unknown_object, "/objects/Gadget", "no object Gadget"),
        (unknown_hub, "/objects/AgentProvider/hub", "no object Supplier"),
        (unknown_table, "/objects/AgentCard/members/provider/object", "no table Supplier"),
        (unknown_arm, "/objects/SecurityScheme/arms/http/object", "no table Padlock"),
        (two_ways, "/objects/AgentCard/members/skills", "must have only one"),
        (
            unreached,
            "/objects/AuthorizationCodeOAuthFlow/beyond/pkceRequired",
            "nothing is mapped to this field",
        ),
        (unknown_dialect, "/dialect", "no dialect a2a-0.9"),
        (no_reason, "/objects/AgentProvider/hub", "missing"),
    ],
)
def test_a_gap_in_a_mapping_is_reported_at_its_place(
    schemas: Path, edit: Edit, found: Find, change: Callable[[Json], None], pointer: str, part: str
) -> None:
    edit(schemas, FILE, change)

    assert part in found(schemas)[FILE, pointer]


def test_a_new_field_of_a_schema_needs_a_line_in_its_mapping(schemas: Path, edit: Edit, found: Find) -> None:
    def gain(document: Json) -> None:
        document["properties"]["motto"] = {"type": "string", "description": "A motto.", "x-spec": "ours"}

    edit(schemas, "a2a/0.3/agent-card.schema.json", gain)
    problems = {
        place: message for place, message in found(schemas).items() if place[0].startswith("mappings/")
    }

    assert list(problems) == [(FILE, "/objects/AgentCard/members/motto")]


def test_a_new_field_of_the_hub_needs_a_line_in_every_mapping(schemas: Path, edit: Edit, found: Find) -> None:
    def gain(document: Json) -> None:
        document["properties"]["motto"] = {"type": "string", "description": "A motto.", "x-spec": "ours"}

    edit(schemas, "a2a/1.0/agent-card.schema.json", gain)
    reported = {file for file, pointer in found(schemas) if pointer.endswith("/motto")}

    mappings = {file: json.loads(file.read_bytes()) for file in (schemas / "mappings").glob("*.json")}
    assert reported == {
        file.relative_to(schemas).as_posix()
        for file, one in mappings.items()
        if one.get("hub", "a2a-1.0") == "a2a-1.0"
    }


def test_every_dialect_with_a_schema_but_those_of_catalogues_has_a_mapping(schemas: Path) -> None:
    manifests = [json.loads(file.read_bytes()) for file in schemas.glob("*/*/dialect.json")]

    # Messages have a hub of their own, which needs no mapping to itself.
    assert {one["name"] for one in manifests if "schema" in one and one.get("kind") != "catalog"} - {
        "a2a-messages-1.0"
    } == {file.name.removesuffix(".mapping.json") for file in (schemas / "mappings").glob("*.json")}
