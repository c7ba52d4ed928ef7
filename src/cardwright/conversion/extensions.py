"""Extensions of a card, and the extension for the schemas of its skills."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any, Final

from cardwright.conversion.notes import Notes, below
from cardwright_rules import ROWS
from cardwright_runtime.checks import dig, listed, objects

SCHEMAS_URI: Final = "https://cardwright.dev/extensions/skill-schemas/v1"
MCP_URI: Final = "https://cardwright.dev/extensions/mcp/v1"
MCP_DESCRIPTION: Final = "MCP data that an A2A card has no field for."
# Dialects whose skills have fields that an A2A skill does not have.
_WITH_SCHEMAS: Final = ("mcp-2024-11-05", "beach-1.0", "mcp-server-card-1649")


@cache
def skill_members() -> tuple[str, ...]:
    """Return the fields of an MCP tool or a Beach capability that an A2A skill does not have, by their mappings."""
    skill = ROWS["a2a-1.0"].mapping().objects["AgentSkill"].fields
    objects = [table for name in _WITH_SCHEMAS for table in ROWS[name].mapping().objects.values()]
    fields = [pair for table in objects if table.hub == "AgentSkill" for pair in table.fields.items()]
    return tuple(dict.fromkeys(name for name, to in fields if to.to == (name,) and name not in skill))


def declared(hub: dict[str, Any]) -> list[Any]:
    """Return the extensions that a hub declares; empty if it has no array of them."""
    return listed(dig(hub, ("capabilities", "extensions")))


def only(hub: dict[str, Any], notes: Notes, why: str) -> list[Any] | None:
    """Return the extensions of a hub for a dialect without other capabilities, which are lost; None if it has no array."""
    for name, items in notes.object(hub.get("capabilities"), "/capabilities").items():
        if name != "extensions":
            notes.lose(below("/capabilities", name), why)
        elif type(items) is not list:
            notes.lose("/capabilities/extensions", "it is not an array")
    items = dig(hub, ("capabilities", "extensions"))
    return items if type(items) is list else None


def params_of(hub: dict[str, Any], uri: str) -> tuple[int, dict[str, Any]] | None:
    """Return (index, parameters) of an extension; None if it is not declared exactly once with parameters."""
    places = [(index, item) for index, item in objects(declared(hub)) if item.get("uri") == uri]
    if len(places) != 1 or type(places[0][1].get("params")) is not dict:
        return None
    return places[0][0], places[0][1]["params"]


def without(hub: dict[str, Any], index: int) -> dict[str, Any]:
    """Return the hub without one of its extensions, and without the array if it was the last one."""
    extensions = declared(hub)
    remaining = extensions[:index] + extensions[index + 1 :]
    capabilities = {n: v for n, v in hub["capabilities"].items() if n != "extensions" or remaining}
    if remaining:
        capabilities["extensions"] = remaining
    return {**hub, "capabilities": capabilities}


def declare(hub: dict[str, Any], uri: str, description: str, params: dict[str, Any]) -> None:
    """Add an optional extension to a hub during its construction."""
    capabilities = hub.get("capabilities", {})
    if type(capabilities) is not dict:
        return
    entry = {"uri": uri, "description": description, "required": False, "params": params}
    hub["capabilities"] = {**capabilities, "extensions": [*declared(hub), entry]}


def lift_schemas(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub with the schemas moved from the extension to the skills."""
    skills = hub.get("skills")
    for index, skill in objects(skills):
        for name in skill.keys() & skill_members():
            notes.doubt(below("/skills", index, name), "A2A has no such field: it is moved to an extension")
    extension = params_of(hub, SCHEMAS_URI)
    if extension is None or extension[1].keys() != {"skills"} or type(extension[1]["skills"]) is not dict:
        return hub
    by_id = extension[1]["skills"]
    if type(skills) is not list:
        return hub
    ids = Counter(skill["id"] for skill in skills if _has_id(skill))
    if any(ids[name] != 1 or type(value) is not dict for name, value in by_id.items()):
        return hub
    lifted = [
        {**skill, **by_id[skill["id"]]} if _has_id(skill) and skill["id"] in by_id else skill
        for skill in skills
    ]
    result = without({**hub, "skills": lifted}, extension[0])
    return result if sink_schemas(result, Notes()) == hub else hub


def sink_schemas(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub with the schemas moved from the skills to the extension."""
    skills = hub.get("skills")
    if type(skills) is not list or type(hub.get("capabilities", {})) is not dict:
        return hub
    if not any(type(skill) is dict and not skill.keys().isdisjoint(skill_members()) for skill in skills):
        return hub
    ids = Counter(skill["id"] for skill in skills if _has_id(skill))
    by_id: dict[str, Any] = {}
    remaining: list[Any] = []
    at = below("/capabilities/extensions", len(declared(hub)), "params", "skills")
    for index, skill in enumerate(skills):
        has_unique_id = _has_id(skill) and ids[skill["id"]] == 1
        schemas = {n: skill[n] for n in skill_members() if n in skill} if has_unique_id else {}
        if not schemas:
            remaining.append(skill)
            continue
        by_id[skill["id"]] = schemas
        remaining.append({n: v for n, v in skill.items() if n not in schemas})
        for name in schemas:
            notes.move(below(at, skill["id"], name), below("/skills", index, name))
    if not by_id:
        return hub
    if any(item.get("uri") == SCHEMAS_URI for _, item in objects(declared(hub))):
        notes.doubt("/skills", "the card already declares the extension for the schemas")
    result = {**hub, "skills": remaining}
    declare(result, SCHEMAS_URI, "JSON Schemas of what the skills take and give.", {"skills": by_id})
    return result


def _has_id(skill: Any) -> bool:
    return type(skill) is dict and type(skill.get("id")) is str


def sunk(hub: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the hub as A2A can express it; SuperX's form of an A2A card keeps the schemas on its skills."""
    return hub if hub.get("protocol") == "a2a" else sink_schemas(hub, notes)
