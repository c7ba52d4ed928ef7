"""Which tool a message means, and what it gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.discovery.calling.parts import Part, arguments_of
from cardwright.errors import BadArgument
from cardwright_gateway.errors import BadTurn
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from cardwright_gateway.backends.backend import Turn
    from cardwright_gateway.upstream.mcp.inventory import Inventory

# A call as one part of data says it (ours).
_CALL: Final = frozenset({"skill", "arguments"})
_MOST_TOLD: Final = 16


def takes_a_text(tool: dict[str, Any]) -> bool:
    """Whether a text alone can be all that a tool is given."""
    try:
        arguments_of((Part("text", ""),), tool["name"], tool["inputSchema"])
    except BadArgument:
        return False
    return True


def asked(turn: Turn, inventory: Inventory) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the tool that a message means, and its arguments.

    A part of data `{"skill": …, "arguments": {…}}` says both. The message's metadata may say the skill
    instead, and a server with one tool needs none said: then a part of data is the arguments whole, and
    texts are the tool's only text, if it takes one.

    Raises:
        BadTurn: If it says no tool, or one that is not there, or nothing that can be its arguments.
    """
    data = turn.parts[0].value if len(turn.parts) == 1 and turn.parts[0].kind == "data" else None
    said = turn.metadata.get("skill")
    if said is not None:
        if type(said) is not str:
            raise BadTurn("the metadata's `skill` is the id of a skill, a text")
        return _whole(turn, _known(said, inventory))
    alone = inventory.tools[0] if len(inventory.tools) == 1 else None
    if type(data) is dict and "skill" in data and data.keys() <= _CALL:
        skill, arguments = data["skill"], data.get("arguments", {})
        own = alone is not None and _takes_skill(alone["inputSchema"].get("properties"))
        if type(skill) is str and type(arguments) is dict and (not own or inventory.tool(skill)):
            return _known(skill, inventory), arguments
        if not own:
            raise BadTurn('a call is {"skill": a text, "arguments": an object}')
    if alone is None:
        raise BadTurn(
            f'say which skill: send a data part {{"skill": …, "arguments": {{…}}}}; there are {_names(inventory)}'
        )
    return _whole(turn, alone)


def _takes_skill(properties: Any) -> bool:
    return type(properties) is dict and "skill" in properties


def _whole(turn: Turn, tool: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    try:
        return tool, arguments_of(turn.parts, tool["name"], tool["inputSchema"])
    except BadArgument as error:
        raise BadTurn(str(error)) from error


def _known(name: str, inventory: Inventory) -> dict[str, Any]:
    tool = inventory.tool(name)
    if tool is None:
        raise BadTurn(f"there is no skill {quote(name)}; there are {_names(inventory)}")
    return tool


def _names(inventory: Inventory) -> str:
    names = [quote(tool["name"]) for tool in inventory.tools[:_MOST_TOLD]]
    more = len(inventory.tools) - len(names)
    return (", ".join(names) or "none") + (f" and {more} more" if more else "")
