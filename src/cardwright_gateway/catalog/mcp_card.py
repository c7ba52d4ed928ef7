"""Cards made of what an MCP server has: in SuperX's form, and as a valid card of A2A 1.0."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.card import Card
from cardwright.conversion import convert
from cardwright.conversion.extensions import SCHEMAS_URI, params_of
from cardwright.jcs import canonical_bytes
from cardwright_gateway.backends.mcp import takes_a_text
from cardwright_gateway.errors import UpstreamInvalid
from cardwright_runtime.violation import steps_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright_gateway.upstream.mcp.inventory import Inventory
    from cardwright_runtime.violation import Violation

# schemas/rules/limits.rules.json: no reader gets through more.
MOST_SKILLS: Final = 1024
MOST_DESCRIPTION: Final = 1_000
_GROUPS: Final = ("tools", "resources", "prompts", "sampling")
_SKILL: Final = ("description", "inputSchema", "outputSchema", "annotations")
_RESOURCE: Final = ("uri", "name", "description", "mimeType")
_PROMPT: Final = ("name", "description", "arguments")
_ARGUMENT: Final = ("name", "description", "required")
# What of a tool a caller can notice; `_meta` and `icons` are none of that (ours).
_MEANINGFUL: Final = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
# What every agent of the gateway answers at its URL.
_INTERFACES: Final = (("JSONRPC", "1.0"), ("HTTP+JSON", "1.0"), ("JSONRPC", "0.3"), ("HTTP+JSON", "0.3"))
# semver.org 2.0.0.
_NUMBER: Final = r"(?:0|[1-9][0-9]*)"
_PRE: Final = r"(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_SEMVER: Final = re.compile(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-{_PRE}(?:\.{_PRE})*)?(?P<build>\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)
_HINTS: Final = {
    "readOnlyHint": "read-only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open-world",
}
_REMOVED: Final = "[removed: it looks like a secret]"


@dataclass(frozen=True, slots=True)
class Described:
    """What an operator says of a server, which counts instead of what the server says of itself.

    Attributes:
        description: What it does.
    """

    description: str


def mcp_card(agent_id: str, inventory: Inventory, described: Described | None = None) -> Card:
    """Return the card in the form that SuperX gives it (SuperX seed, MCP Protocol: Synthesizing Agent Cards).

    Args:
        agent_id: What the server is configured as.
        inventory: What it has.
        described: What the operator says of it.
    """
    info = inventory.server_info or {}
    document: dict[str, Any] = {
        "name": agent_id,
        "protocol": "mcp",
        "protocolVersion": inventory.protocol_version,
        "description": described.description if described else (_text(info.get("name")) or agent_id),
        "version": info.get("version") if type(info.get("version")) is str else None,
        "capabilities": {name: _object(inventory.capabilities.get(name)) for name in _GROUPS},
        "skills": [
            {"id": tool["name"], "name": tool["name"], **_members(tool, _SKILL)} for tool in inventory.tools
        ],
    }
    if inventory.capabilities.get("resources") is not None:
        document["resources"] = [_members(resource, _RESOURCE) for resource in inventory.resources]
    if inventory.capabilities.get("prompts") is not None:
        document["prompts"] = [_prompt(prompt) for prompt in inventory.prompts]
    return Card.of_parts(document, "mcp-2024-11-05")


def a2a_card(
    agent_id: str, inventory: Inventory, public_url: str, described: Described | None = None
) -> Card:
    """Return a valid card of A2A 1.0 that calls of the gateway keep to.

    What A2A has no member for stands in our extensions: the tools' schemas, the server's resources and
    prompts, and MCP's date. Where a text looks like a secret it is taken out, a tool whose name does is
    left out, and a tool whose schema is none has no schema there.

    Args:
        agent_id: What the server is configured as.
        inventory: What it has.
        public_url: Where the gateway answers for it.
        described: What the operator says of it.

    Raises:
        UpstreamInvalid: If the server has no tools, so that there would be no skill, or no valid card can
            be made of what it has.
    """
    tools = {tool["name"]: tool for tool in inventory.tools[:MOST_SKILLS]}
    if not tools:
        raise UpstreamInvalid("the server has no tools")
    source = mcp_card(agent_id, inventory)
    if len(inventory.tools) > MOST_SKILLS:
        document = {**source.document, "skills": source.document["skills"][:MOST_SKILLS]}
        source = Card.of_parts(document, "mcp-2024-11-05")
    made = dict(convert(source)[0].document)
    made |= {
        "name": _named(agent_id, inventory),
        "description": described.description if described else _description(agent_id, inventory),
        "version": version_of(inventory),
        "supportedInterfaces": [
            {"url": public_url, "protocolBinding": binding, "protocolVersion": version}
            for binding, version in _INTERFACES
        ],
        "capabilities": {**made["capabilities"], "streaming": True, "pushNotifications": False},
        "defaultInputModes": ["application/json"],
        "defaultOutputModes": ["text/plain", "application/json"],
        "skills": [_skill(tool, alone=len(inventory.tools) == 1) for tool in tools.values()],
    }
    card = Card.of_parts(made, "a2a-1.0")
    if card.valid:
        return card
    hidden = _unnameable(card)
    if hidden:
        left = tuple(tool for tool in inventory.tools if tool["name"] not in hidden)
        return a2a_card(agent_id, replace(inventory, tools=left), public_url, described)
    return _mended(card)


def version_of(inventory: Inventory) -> str:
    """Return the server's version and, as its build, a digest of its tools: it changes exactly with them.

    The digest is of what a caller can notice of a tool, in whatever order they are listed (ours).
    """
    tools = sorted(inventory.tools, key=lambda tool: str(tool["name"]))
    digest = hashlib.sha256(canonical_bytes([_members(tool, _MEANINGFUL) for tool in tools])).hexdigest()[:8]
    own = (inventory.server_info or {}).get("version")
    found = _SEMVER.fullmatch(own) if type(own) is str and len(own) <= 64 else None
    if found is None:
        return f"0.0.0+tools.{digest}"
    return f"{own}{'.' if found['build'] else '+'}tools.{digest}"


def _skill(tool: dict[str, Any], *, alone: bool) -> dict[str, Any]:
    name = tool["name"]
    hints = tool.get("annotations", {})
    title = _text(tool.get("title")) or _text(hints.get("title"))
    modes = ["text/plain", "application/json"]
    return {
        "id": name,
        "name": title or name,
        "description": _text(tool.get("description")) or title or name,
        "tags": ["mcp", *(word for hint, word in _HINTS.items() if hints.get(hint) is True)],
        "inputModes": ["application/json", *(["text/plain"] if alone and takes_a_text(tool) else [])],
        # Whoever declares what it gives gives that; any other tool may give pictures and sound, too.
        "outputModes": modes if "outputSchema" in tool else [*modes, "image/*", "audio/*"],
    }


def _named(agent_id: str, inventory: Inventory) -> str:
    info = inventory.server_info or {}
    return _text(info.get("title")) or _text(info.get("name")) or agent_id


def _description(agent_id: str, inventory: Inventory) -> str:
    """Return what the server says of itself: its description, or the first paragraph of its instructions."""
    own = _text((inventory.server_info or {}).get("description"))
    first = next((part.strip() for part in re.split(r"\n\s*\n", inventory.instructions) if part.strip()), "")
    told = own or first or f"Tools of the MCP server {_named(agent_id, inventory)}."
    more = len(inventory.tools) - MOST_SKILLS
    rest = f" Only {MOST_SKILLS:,} of its {len(inventory.tools):,} tools are listed." if more > 0 else ""
    return (told if len(told) <= MOST_DESCRIPTION else f"{told[: MOST_DESCRIPTION - 1]}…") + rest


def _unnameable(card: Card) -> set[str]:
    """Return the ids of skills that no card may have."""
    skills = card.document["skills"]
    places = (steps_of(violation.pointer) for violation in _errors(card))
    return {skills[int(at[1])]["id"] for at in places if at[:1] == ["skills"] and at[2:] == ["id"]}


def _mended(card: Card) -> Card:
    """Return the card without what makes it invalid."""
    document = card.document
    for violation in _errors(card):
        document = _without(document, violation)
    mended = Card.of_parts(document, "a2a-1.0")
    if not mended.valid:
        # jsonschema-rs leaves members out of its paths whose name is empty: what stands below one is not found.
        capabilities = {
            name: value for name, value in document["capabilities"].items() if name != "extensions"
        }
        mended = Card.of_parts({**document, "capabilities": capabilities}, "a2a-1.0")
    if not mended.valid:
        raise UpstreamInvalid("no valid card can be made of what the server says")
    return mended


def _errors(card: Card) -> Iterator[Violation]:
    return (violation for violation in card.violations if violation.severity == "error")


def _without(document: dict[str, Any], violation: Violation) -> dict[str, Any]:
    """Return a document without what a violation speaks of: a secret, or the schemas of a tool."""
    steps = steps_of(violation.pointer)
    if violation.rule == "secrets/token":
        replaced: dict[str, Any] = _replaced(document, steps)
        return replaced
    kept = params_of(document, SCHEMAS_URI)
    ours = steps[:2] == ["capabilities", "extensions"]
    if kept is None or not ours or len(steps) < 6 or steps[2] != str(kept[0]):
        return document
    skills = {name: value for name, value in kept[1]["skills"].items() if name != steps[5]}
    extensions = list(document["capabilities"]["extensions"])
    extensions[kept[0]] = {**extensions[kept[0]], "params": {"skills": skills}}
    return {**document, "capabilities": {**document["capabilities"], "extensions": extensions}}


def _replaced(node: Any, steps: list[str]) -> Any:
    """Return a value with every text at a place taken out, as far as the place is there."""
    if not steps:
        return _silenced(node)
    step, *rest = steps
    if type(node) is dict and step in node:
        return {**node, step: _replaced(node[step], rest)}
    if type(node) is list and step.isdecimal() and int(step) < len(node):
        return [_replaced(item, rest) if str(i) == step else item for i, item in enumerate(node)]
    return node


def _silenced(node: Any) -> Any:
    if type(node) is dict:
        return {name: _silenced(value) for name, value in node.items()}
    if type(node) is list:
        return [_silenced(item) for item in node]
    return _REMOVED if type(node) is str else node


def _members(item: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: item[name] for name in names if name in item}


def _prompt(prompt: dict[str, Any]) -> dict[str, Any]:
    made = _members(prompt, _PROMPT)
    given = made.pop("arguments", None)
    if type(given) is list:
        made["arguments"] = [
            _members(one, _ARGUMENT)
            for one in given
            if type(one) is dict
            and type(one.get("name")) is str
            and type(one.get("description", "")) is str
            and type(one.get("required", False)) is bool
        ]
    return made


def _object(value: Any) -> dict[str, Any] | None:
    return value if type(value) is dict else None


def _text(value: Any) -> str:
    return value.strip() if type(value) is str else ""
