"""Cards of MCP servers: in SuperX's form, and as valid A2A 1.0 cards."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from cardwright.card import Card
from cardwright.conversion import convert
from cardwright.conversion.extensions import SCHEMAS_URI, params_of
from cardwright.jcs import canonical_bytes
from cardwright_gateway.a2a.operations import answered_interfaces
from cardwright_gateway.backends.mcp import accepts_text
from cardwright_gateway.errors import UpstreamInvalid
from cardwright_models.a2a_facts import MAX_ITEMS
from cardwright_runtime.violation import steps_of

if TYPE_CHECKING:
    from cardwright_gateway.upstream.mcp.inventory import Inventory
    from cardwright_runtime.violation import Violation

MAX_SKILLS: Final = MAX_ITEMS["/skills"]
# In characters (project decision).
MAX_DESCRIPTION: Final = 1_000
_GROUPS: Final = ("tools", "resources", "prompts", "sampling")
_SKILL: Final = ("description", "inputSchema", "outputSchema", "annotations")
_RESOURCE: Final = ("uri", "name", "description", "mimeType")
_PROMPT: Final = ("name", "description", "arguments")
_ARGUMENT: Final = ("name", "description", "required")
# The fields of a tool that matter to callers; `_meta` and `icons` do not (project decision).
_MEANINGFUL: Final = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
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
    """The operator's description of a server, which replaces the server's own.

    Attributes:
        description: The description in the card.
    """

    description: str


def mcp_card(agent_id: str, inventory: Inventory, described: Described | None = None) -> Card:
    """Return the card in SuperX's form (SuperX seed, MCP Protocol: Synthesizing Agent Cards).

    Args:
        agent_id: The id of the server in the settings.
        inventory: Its tools, resources and prompts.
        described: The operator's description, if any.
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
            {"id": tool["name"], "name": tool["name"], **_fields(tool, _SKILL)} for tool in inventory.tools
        ],
    }
    if inventory.capabilities.get("resources") is not None:
        document["resources"] = [_fields(resource, _RESOURCE) for resource in inventory.resources]
    if inventory.capabilities.get("prompts") is not None:
        document["prompts"] = [_prompt(prompt) for prompt in inventory.prompts]
    return Card.of_parts(document, "mcp-2024-11-05")


def a2a_card(
    agent_id: str, inventory: Inventory, public_url: str, described: Described | None = None
) -> Card:
    """Return the A2A 1.0 card: valid, but for a server without tools, whose card has no skills and says so.

    A2A 1.0 §5.7 requires a skill. Nothing of such a server can be called over A2A, so its card names none: resources
    and prompts are no skills, and a caller reaches them over the gateway's MCP endpoint.

    What A2A has no field for is in extensions of cardwright.dev: the tools' schemas, the server's resources and
    prompts, and MCP's date. Texts that look like a secret are replaced, tools whose name looks like one are
    left out, and invalid tool schemas are omitted.

    Args:
        agent_id: The id of the server in the settings.
        inventory: Its tools, resources and prompts.
        public_url: The public URL of the agent at the gateway; "" for a card without an A2A endpoint, which is invalid.
        described: The operator's description, if any.

    Raises:
        UpstreamInvalid: If no such card can be created.
    """
    tools = {tool["name"]: tool for tool in inventory.tools[:MAX_SKILLS]}
    source = mcp_card(agent_id, inventory)
    if len(inventory.tools) > MAX_SKILLS:
        document = {**source.document, "skills": source.document["skills"][:MAX_SKILLS]}
        source = Card.of_parts(document, "mcp-2024-11-05")
    made = dict(convert(source)[0].document)
    made |= {
        "name": _named(agent_id, inventory),
        "description": (described.description if described else _description(agent_id, inventory))
        + ("" if tools else _without_skills(inventory)),
        "version": version_of(inventory),
        "supportedInterfaces": answered_interfaces(public_url) if public_url else [],
        "capabilities": {**made["capabilities"], "streaming": True, "pushNotifications": False},
        "defaultInputModes": ["application/json"],
        "defaultOutputModes": ["text/plain", "application/json"],
        "skills": [_skill(tool, alone=len(inventory.tools) == 1) for tool in tools.values()],
    }
    card = Card.of_parts(made, "a2a-1.0")
    if not _errors(card):
        return card
    hidden = _unnameable(card)
    if hidden:
        left = tuple(tool for tool in inventory.tools if tool["name"] not in hidden)
        return a2a_card(agent_id, replace(inventory, tools=left), public_url, described)
    return _without_errors(card)


def version_of(inventory: Inventory) -> str:
    """Return the server's version with a digest of its tools as the build part: it changes exactly with them.

    The digest covers the fields that matter to callers, and not the order of the tools (project decision).
    """
    tools = sorted(inventory.tools, key=lambda tool: str(tool["name"]))
    digest = hashlib.sha256(canonical_bytes([_fields(tool, _MEANINGFUL) for tool in tools])).hexdigest()[:8]
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
        "inputModes": ["application/json", *(["text/plain"] if alone and accepts_text(tool) else [])],
        # A tool with an output schema returns JSON; any other tool may also return images and audio.
        "outputModes": modes if "outputSchema" in tool else [*modes, "image/*", "audio/*"],
    }


def _named(agent_id: str, inventory: Inventory) -> str:
    info = inventory.server_info or {}
    return _text(info.get("title")) or _text(info.get("name")) or agent_id


def _description(agent_id: str, inventory: Inventory) -> str:
    """Return the server's own description, or the first paragraph of its instructions."""
    own = _text((inventory.server_info or {}).get("description"))
    first = next((part.strip() for part in re.split(r"\n\s*\n", inventory.instructions) if part.strip()), "")
    kind = "Tools of the MCP server" if inventory.tools else "The MCP server"
    text = own or first or f"{kind} {_named(agent_id, inventory)}."
    more = len(inventory.tools) - MAX_SKILLS
    rest = f" Only {MAX_SKILLS:,} of its {len(inventory.tools):,} tools are listed." if more > 0 else ""
    return (text if len(text) <= MAX_DESCRIPTION else f"{text[: MAX_DESCRIPTION - 1]}…") + rest


def _without_skills(inventory: Inventory) -> str:
    rest = (
        " Its resources and prompts are available over MCP."
        if inventory.resources or inventory.prompts
        else ""
    )
    return f" It has no tools, so this card has no skills.{rest}"


def _unnameable(card: Card) -> set[str]:
    """Return the skill ids that are not allowed in a card."""
    skills = card.document["skills"]
    places = (steps_of(violation.pointer) for violation in _errors(card))
    return {skills[int(at[1])]["id"] for at in places if at[:1] == ["skills"] and at[2:] == ["id"]}


def _without_errors(card: Card) -> Card:
    """Return the card without the parts that make it invalid."""
    document = card.document
    for violation in _errors(card):
        document = _without(document, violation)
    fixed = Card.of_parts(document, "a2a-1.0")
    if _errors(fixed):
        # jsonschema-rs omits empty field names from its paths, so violations below them cannot be located.
        capabilities = {
            name: value for name, value in document["capabilities"].items() if name != "extensions"
        }
        fixed = Card.of_parts({**document, "capabilities": capabilities}, "a2a-1.0")
    if _errors(fixed):
        raise UpstreamInvalid("the server's tools and descriptions do not make a valid card")
    return fixed


def _errors(card: Card) -> list[Violation]:
    """Return the errors of a card, but for those of a card without skills or without an endpoint."""
    empty = [f"/{name}" for name in ("skills", "supportedInterfaces") if not card.document[name]]
    return [violation for violation in card.errors if violation.pointer not in empty]


def _without(document: dict[str, Any], violation: Violation) -> dict[str, Any]:
    """Return a document without the cause of a violation: a secret, or the schemas of a tool."""
    steps = steps_of(violation.pointer)
    if violation.rule == "secrets/token":
        replaced: dict[str, Any] = _replaced(document, steps)
        return replaced
    schemas = params_of(document, SCHEMAS_URI)
    in_extension = steps[:2] == ["capabilities", "extensions"]
    if schemas is None or not in_extension or len(steps) < 6 or steps[2] != str(schemas[0]):
        return document
    skills = {name: value for name, value in schemas[1]["skills"].items() if name != steps[5]}
    extensions = list(document["capabilities"]["extensions"])
    extensions[schemas[0]] = {**extensions[schemas[0]], "params": {"skills": skills}}
    return {**document, "capabilities": {**document["capabilities"], "extensions": extensions}}


def _replaced(node: Any, steps: list[str]) -> Any:
    """Return a value with every text at a path replaced, if the path exists."""
    if not steps:
        return _without_texts(node)
    step, *rest = steps
    if type(node) is dict and step in node:
        return {**node, step: _replaced(node[step], rest)}
    if type(node) is list and step.isdecimal() and int(step) < len(node):
        return [_replaced(item, rest) if str(i) == step else item for i, item in enumerate(node)]
    return node


def _without_texts(node: Any) -> Any:
    if type(node) is dict:
        return {name: _without_texts(value) for name, value in node.items()}
    if type(node) is list:
        return [_without_texts(item) for item in node]
    return _REMOVED if type(node) is str else node


def _fields(item: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: item[name] for name in names if name in item}


def _prompt(prompt: dict[str, Any]) -> dict[str, Any]:
    fields = _fields(prompt, _PROMPT)
    arguments = fields.pop("arguments", None)
    if type(arguments) is list:
        fields["arguments"] = [
            _fields(argument, _ARGUMENT)
            for argument in arguments
            if type(argument) is dict
            and type(argument.get("name")) is str
            and type(argument.get("description", "")) is str
            and type(argument.get("required", False)) is bool
        ]
    return fields


def _object(value: Any) -> dict[str, Any] | None:
    return value if type(value) is dict else None


def _text(value: Any) -> str:
    return value.strip() if type(value) is str else ""
