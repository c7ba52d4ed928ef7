"""The skills of a card as tools of MCP: their names, and what they take."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.discovery import input_violations
from cardwright.discovery.calling.parts import Part
from cardwright.discovery.contracts import UNUSABLE
from cardwright.discovery.skill_schemas import declared_schemas
from cardwright.errors import MalformedDocument
from cardwright.outline import outline
from cardwright_gateway.errors import BadTurn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.card import Card
    from cardwright_gateway.backends.backend import Backend

# MCP 2025-11-25, Tools: Tool Names.
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_FOREIGN: Final = re.compile(r"[^A-Za-z0-9_-]+")
_KEPT: Final = 48
_MESSAGE: Final = "message"
# What a skill takes that declares nothing (ours).
_PLAIN: Final[dict[str, Any]] = {
    "type": "object",
    "required": [_MESSAGE],
    "additionalProperties": False,
    "properties": {_MESSAGE: {"type": "string", "minLength": 1, "description": "What to say to the agent."}},
}


@dataclass(frozen=True, slots=True)
class Offered:
    """An agent as it is offered to one caller.

    Attributes:
        agent_id: Its id, for the log.
        card: Its card.
        backend: What answers for it.
        owner: Whose the turns are.
        sender: What the backend is told of who asks.
    """

    agent_id: str
    card: Card
    backend: Backend
    owner: str
    sender: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SkillTool:
    """A skill as a tool.

    Attributes:
        name: What callers name it by: the skill's id, where MCP lets a tool be called so.
        skill: The skill's id.
        title: What the skill is called.
        description: What it does.
        schema: What it takes.
        declared: Whether the card says what it takes; else it takes a message.
    """

    name: str
    skill: str
    title: str
    description: str
    schema: Mapping[str, Any]
    declared: bool

    def part(self, card: Card, arguments: dict[str, Any]) -> Part:
        """Return what is said to the agent.

        Args:
            card: The card that the tool is of.
            arguments: What the tool is given.

        Raises:
            BadTurn: If it takes something else; each place is named.
        """
        if self.declared:
            _check(card, self.skill, arguments)
            return Part("data", arguments)
        message = arguments.get(_MESSAGE)
        if type(message) is not str or not message or len(arguments) > 1:
            raise BadTurn("this tool takes one argument, `message`, a text")
        return Part("text", message)


def tools_of(card: Card) -> dict[str, SkillTool]:
    """Return the skills of a card as tools, by their names, in the card's order."""
    taken = {one.skill: one.schema for one in declared_schemas(card) if one.side == "input"}
    tools: dict[str, SkillTool] = {}
    for skill in outline(card).skills:
        if not skill.id:
            continue
        schema = taken.get(skill.id)
        name = _name(skill.id)
        if name in tools:
            continue
        # MCP asks for an object; what else a card may say of a skill has no place in a tool.
        own = schema if type(schema) is dict and schema.get("type") == "object" else None
        tools[name] = SkillTool(
            name,
            skill.id,
            skill.name or skill.id,
            skill.description,
            own if own is not None else _PLAIN,
            own is not None,
        )
    return tools


def _name(skill: str) -> str:
    """Return what a tool is called: another one for every id, and the same as long as the id is."""
    if _NAME.fullmatch(skill):
        return skill
    digest = hashlib.sha256(skill.encode("utf-8", "backslashreplace")).hexdigest()[:8]
    return f"{_FOREIGN.sub('_', skill)[:_KEPT].strip('_') or 'skill'}-{digest}"


def _check(card: Card, skill: str, arguments: dict[str, Any]) -> None:
    try:
        found = input_violations(card, skill, arguments)
    except MalformedDocument as error:
        raise BadTurn(f"the arguments cannot be read: {error}") from error
    broken = [violation for violation in found or () if violation.rule not in UNUSABLE]
    if broken:
        told = "; ".join(f"{one.pointer or '(root)'}: {one.message}" for one in broken[:3])
        raise BadTurn(f"the arguments break the tool's schema: {told}", broken)
