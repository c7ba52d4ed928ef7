"""The skills of a card as MCP tools: their names and input schemas."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
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
    from cardwright.guard.answer_memory import HeldAnswer
    from cardwright_gateway.backends.backend import Backend
    from cardwright_gateway.upstream.mcp.inventory import Inventory

# MCP 2025-11-25, Tools: Tool Names.
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_-]+")
_MAX_STEM: Final = 48
_MESSAGE: Final = "message"
# The input of a skill without a declared schema (project decision).
_MESSAGE_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "required": [_MESSAGE],
    "additionalProperties": False,
    "properties": {_MESSAGE: {"type": "string", "minLength": 1, "description": "The message to the agent."}},
}
_ANY_SCHEMA: Final[dict[str, Any]] = {"type": "object"}
# MCP 2025-11-25, Tools: ToolAnnotations.
_HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


@dataclass(frozen=True, slots=True)
class Offered:
    """An agent as an MCP server for one caller.

    Attributes:
        agent_id: Its id, for the log.
        card: Its card.
        backend: Its backend.
        owner: The owner of the turns.
        sender: The caller as described to the backend.
        held: The memory of the reply; None for no limit but that of one reply.
        upstream: The inventory of the MCP server behind; None for any other agent, and for a caller of a redacted card.
    """

    agent_id: str
    card: Card
    backend: Backend
    owner: str
    sender: Mapping[str, str]
    held: HeldAnswer | None = None
    upstream: Inventory | None = None


@dataclass(frozen=True, slots=True)
class SkillTool:
    """A skill as a tool.

    Attributes:
        name: The name of the tool: the skill's id, if that is a valid tool name in MCP.
        skill: The skill's id.
        title: The skill's name.
        description: The skill's description.
        schema: The input schema.
        declared: Whether the schema is the agent's own; otherwise the tool takes a message.
        output: The output schema that an MCP server declares.
        hints: The annotations that an MCP server declares: what the tool does to its environment.
    """

    name: str
    skill: str
    title: str
    description: str
    schema: Mapping[str, Any]
    declared: bool
    output: Mapping[str, Any] | None = None
    hints: Mapping[str, bool] = field(default_factory=dict[str, bool])

    def part(self, card: Card, arguments: dict[str, Any]) -> Part:
        """Return the message part for the agent.

        Args:
            card: The card of the agent.
            arguments: The arguments of the tool call.

        Raises:
            BadTurn: If the arguments violate the input schema.
        """
        if self.declared:
            _check(card, self.skill, arguments)
            return Part("data", arguments)
        message = arguments.get(_MESSAGE)
        if type(message) is not str or not message or len(arguments) > 1:
            raise BadTurn("this tool requires exactly one argument: `message`, a non-empty string")
        return Part("text", message)


def tools_of(card: Card, upstream: Inventory | None = None) -> dict[str, SkillTool]:
    """Return the skills of a card as tools, by name, in the card's order.

    Args:
        card: The card.
        upstream: The inventory of the MCP server that the card was made from, if any.
    """
    schemas = {(declared.skill, declared.side): declared.schema for declared in declared_schemas(card)}
    originals = {} if upstream is None else {tool["name"]: tool for tool in upstream.tools}
    tools: dict[str, SkillTool] = {}
    for skill in outline(card).skills:
        if not skill.id:
            continue
        name = _name(skill.id)
        if name in tools:
            continue
        own = _object_schema(schemas.get((skill.id, "input")))
        original = originals.get(skill.id)
        if own is None and original is not None:
            # A schema that is not valid is not in the card: the server itself checks the arguments.
            own = _ANY_SCHEMA
        annotations: dict[str, Any] = {} if original is None else original.get("annotations", {})
        tools[name] = SkillTool(
            name,
            skill.id,
            skill.name or skill.id,
            skill.description,
            own if own is not None else _MESSAGE_SCHEMA,
            own is not None,
            None if original is None else _object_schema(schemas.get((skill.id, "output"))),
            {hint: value for hint in _HINTS if type(value := annotations.get(hint)) is bool},
        )
    return tools


def _object_schema(schema: Any) -> dict[str, Any] | None:
    """Return a schema that MCP allows for a tool, one of an object; None for any other."""
    return schema if type(schema) is dict and schema.get("type") == "object" else None


def _name(skill: str) -> str:
    """Return the name of a tool: unique for each skill id, and stable."""
    if _NAME.fullmatch(skill):
        return skill
    digest = hashlib.sha256(skill.encode("utf-8", "backslashreplace")).hexdigest()[:8]
    return f"{_NOT_IN_NAMES.sub('_', skill)[:_MAX_STEM].strip('_') or 'skill'}-{digest}"


def _check(card: Card, skill: str, arguments: dict[str, Any]) -> None:
    try:
        found = input_violations(card, skill, arguments)
    except MalformedDocument as error:
        raise BadTurn(f"the arguments are not valid JSON: {error}") from error
    violations = [violation for violation in found or () if violation.rule not in UNUSABLE]
    if violations:
        first = "; ".join(
            f"{violation.pointer or '(root)'}: {violation.message}" for violation in violations[:3]
        )
        raise BadTurn(f"the arguments violate the tool's schema: {first}", violations)
