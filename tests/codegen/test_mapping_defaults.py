"""Defaults of mappings: one edit of a schema is enough where the meaning is plain."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from cardwright_rules import SERVERS
from codegen.__main__ import pin
from codegen.lint import problems_of, sound_tree
from codegen.mapping_defaults import with_defaults
from codegen.render import _dialect_files  # pyright: ignore[reportPrivateUsage] # a whole tree takes 30 s
from codegen.sources import read_available

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
DIALECTS = ("a2a-0.1", "a2a-0.2", "a2a-0.3", "beach-1.0", "mcp-2024-11-05", *SERVERS)
LEAF = {"type": "string", "description": "Region.", "x-spec": "project decision"}


def edited(tmp_path: Path, file: str, field: str, schema: dict[str, Any], *, required: bool = False) -> Path:
    """Return a copy of the schemas with one more field of the card."""
    root = tmp_path / "schemas"
    shutil.copytree(SCHEMAS, root)
    path = root / file
    document = json.loads(path.read_text())
    document["properties"][field] = schema
    document["required"] = [*document["required"], *([field] if required else ())]
    path.write_text(json.dumps(document))
    return root


def outcome(root: Path) -> tuple[dict[str, str], list[str]]:
    """Return the defaults of the added field by dialect, and the problems of the mappings that are left."""
    tree, defaults = with_defaults(read_available(root))
    before = with_defaults(read_available(SCHEMAS))[1]
    added = [one for one in defaults if one not in before]
    found = {one.path.removeprefix("mappings/").removesuffix(".mapping.json"): one.reason for one in added}
    return found, [str(one) for one in problems_of(tree) if one.file.startswith("mappings/")]


def test_an_optional_field_of_the_hub_is_copied_by_the_hub_and_lost_elsewhere(tmp_path: Path) -> None:
    root = edited(tmp_path, "a2a/1.0/agent-card.schema.json", "region", LEAF)
    defaults, problems = outcome(root)

    assert defaults.pop("a2a-1.0") == ""
    assert defaults.keys() == set(DIALECTS)
    assert defaults["a2a-0.3"] == "there is no such field in the A2A 0.3 agent card"
    assert problems == []


def test_an_optional_field_of_another_dialect_is_copied(tmp_path: Path) -> None:
    root = edited(tmp_path, "beach/1.0/agent-card.schema.json", "region", LEAF)

    assert outcome(root) == ({"beach-1.0": ""}, [])
    pin(root)
    tree = sound_tree(root)
    files = next(_dialect_files(tree, one) for one in tree.dialects if one.name == "beach-1.0")
    assert "region: str | None" in files["cardwright_models/beach_v1_0/models.py"]


@pytest.mark.parametrize(
    ("schema", "required"),
    [
        ({"$ref": "#/$defs/AgentProvider"}, False),
        ({"type": "array", "items": {"$ref": "#/$defs/AgentSkill"}}, False),
        (LEAF, True),
    ],
)
def test_an_object_and_a_required_field_need_a_line_in_the_mapping(
    schema: dict[str, Any], tmp_path: Path, *, required: bool
) -> None:
    root = edited(tmp_path, "a2a/0.3/agent-card.schema.json", "region", schema, required=required)
    defaults, problems = outcome(root)

    assert defaults == {}
    assert ["/objects/AgentCard/members/region" in one for one in problems] == [True]


def test_a_field_of_another_type_than_that_of_the_hub_needs_a_line(tmp_path: Path) -> None:
    root = edited(tmp_path, "beach/1.0/agent-card.schema.json", "iconUrl", {**LEAF, "type": "boolean"})
    mapping = root / "mappings" / "beach-1.0.mapping.json"
    document = json.loads(mapping.read_text())
    document["objects"]["AgentCard"]["beyond"].pop("iconUrl", None)
    mapping.write_text(json.dumps(document))
    defaults, problems = outcome(root)

    assert defaults == {}
    assert any("/members/iconUrl" in one for one in problems)
