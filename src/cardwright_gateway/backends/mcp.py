"""An MCP server behind an agent: a turn is the call of one of its tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.card import Card
from cardwright.discovery import Part, Schemas, input_violations, output_violations
from cardwright.discovery.calling.mcp_answers import parts_of_block
from cardwright.discovery.calling.parts import arguments_of
from cardwright.discovery.contracts import UNUSABLE
from cardwright.errors import BadArgument, MalformedDocument
from cardwright_gateway.backends.backend import TurnResult
from cardwright_gateway.errors import BadTurn
from cardwright_gateway.telemetry.tracing import traced
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from mcp_types import CallToolResult

    from cardwright_gateway.backends.backend import Turn, TurnReporter
    from cardwright_gateway.upstream.mcp.inventory import Inventory
    from cardwright_gateway.upstream.mcp.session import McpSession
    from cardwright_runtime.violation import Violation

# What is said of an end, or of progress, of what the server said (ours).
MOST_TEXT: Final = 1_000
_MOST_TOLD: Final = 16
# Where an outcome says how an answer breaks the contract of its tool (ours).
BREACHES: Final = "outputViolations"
# A call as one part of data says it (project decision).
_CALL: Final = frozenset({"skill", "arguments"})
_MAX_NAMES: Final = 16


class McpBackend:
    """Answers turns by the tools of one MCP server.

    Args:
        session: The session with it; it is closed with the backend.
    """

    def __init__(self, session: McpSession) -> None:
        self._session = session
        self._of: Inventory | None = None
        self._cards: dict[str, Card] = {}
        self._schemas = Schemas()

    async def ready(self) -> None:
        """Return when tools can be called.

        Raises:
            SessionNotReady: If they cannot be now.
        """
        await self._session.started()

    async def check(self, turn: Turn) -> None:
        """Refuse a turn that names no tool, or whose arguments break the tool's schema.

        A schema that cannot be used says nothing here: the server judges by it itself.

        Raises:
            BadTurn: Why, and where in the arguments.
            SessionNotReady: If the session broke meanwhile.
        """
        inventory = await self._session.started()
        tool, arguments = tool_call(turn, inventory)
        try:
            found = input_violations(
                self._card(inventory, tool), tool["name"], arguments, schemas=self._schemas
            )
        except MalformedDocument as error:
            raise BadTurn(f"the arguments cannot be read: {error}") from error
        broken = [violation for violation in found or () if violation.rule not in UNUSABLE]
        if broken:
            listed = "; ".join(f"{one.pointer or '(root)'}: {one.message}" for one in broken[:3])
            raise BadTurn(f"the arguments break the skill's schema: {listed}", broken)

    async def run(self, turn: Turn, tell: TurnReporter) -> TurnResult:
        """Call the tool, and return what it gave.

        Raises:
            BadTurn: If the tool is not there any more.
            CardError: If the server could not be asked, or gave no answer.
        """
        inventory = await self._session.started()
        tool, arguments = tool_call(turn, inventory)
        over = False

        async def progress(done: float, total: float | None, text: str | None) -> None:
            # mcp tells from a task of its own, which may be late.
            if not over:
                await tell.progress((text or "")[:MOST_TEXT], done=done, total=total)

        try:
            with traced("call"):
                result = await self._session.call(tool["name"], arguments, progress=progress)
        finally:
            over = True
        parts = tuple(part for block in result.content for part in parts_of_block(block))
        given = result.structured_content
        if given is not None:
            parts = (*parts, Part("data", given))
        if result.is_error:
            said = "\n".join(part.value for part in parts if part.kind == "text")
            return TurnResult(parts, "failed", said[:MOST_TEXT] or "the tool failed and does not say why")
        return TurnResult(parts, metadata=self._breaches(inventory, tool, result))

    async def close(self) -> None:
        """End the session."""
        await self._session.close()

    def _breaches(self, inventory: Inventory, tool: dict[str, Any], result: CallToolResult) -> dict[str, Any]:
        """Return what an answer breaks of the tool's own schema: it is told, and the answer given all the same."""
        if "outputSchema" not in tool:
            return {}
        if result.structured_content is None:
            message = "the skill declares what it gives, and gave nothing structured"
            return _breach("contract/missing", message)
        card = self._card(inventory, tool)
        try:
            found = output_violations(card, tool["name"], result.structured_content, schemas=self._schemas)
        except MalformedDocument as error:
            return _breach("contract/unreadable", str(error))
        told: list[dict[str, str]] = [_told(one) for one in (found or ())[:_MOST_TOLD]]
        return {BREACHES: told} if told else {}

    def _card(self, inventory: Inventory, tool: dict[str, Any]) -> Card:
        """Return a card of one tool to judge by; a whole one would be judged anew at each change."""
        if inventory is not self._of:
            self._of, self._cards, self._schemas = inventory, {}, Schemas()
        name = tool["name"]
        if name not in self._cards:
            schemas: dict[str, Any] = {
                side: tool[side] for side in ("inputSchema", "outputSchema") if side in tool
            }
            skill: dict[str, Any] = {"id": name, "name": name, **schemas}
            document = {"name": "", "protocol": "mcp", "skills": [skill]}
            self._cards[name] = Card.of_parts(document, "mcp-2024-11-05")
        return self._cards[name]


def _told(violation: Violation) -> dict[str, str]:
    return {"rule": violation.rule, "pointer": violation.pointer, "message": violation.message}


def _breach(rule: str, message: str) -> dict[str, Any]:
    return {BREACHES: [{"rule": rule, "pointer": "", "message": message}]}


def takes_a_text(tool: dict[str, Any]) -> bool:
    """Whether a text alone can be all that a tool is given."""
    try:
        arguments_of((Part("text", ""),), tool["name"], tool["inputSchema"])
    except BadArgument:
        return False
    return True


def tool_call(turn: Turn, inventory: Inventory) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the tool that a message means, and its arguments.

    A part of data `{"skill": …, "arguments": {…}}` says both. The message's metadata may say the skill
    instead, and a server with one tool needs none said: then a part of data is the arguments whole, and
    texts are the tool's only text, if it takes one.

    Raises:
        BadTurn: If it says no tool, or one that is not there, or nothing that can be its arguments.
    """
    data = turn.parts[0].value if len(turn.parts) == 1 and turn.parts[0].kind == "data" else None
    named = turn.metadata.get("skill")
    if named is not None:
        if type(named) is not str:
            raise BadTurn("the metadata's `skill` is the id of a skill, a text")
        return _whole(turn, _known(named, inventory))
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
            f'name a skill: send a data part {{"skill": …, "arguments": {{…}}}}; there are {_names(inventory)}'
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
    names = [quote(tool["name"]) for tool in inventory.tools[:_MAX_NAMES]]
    more = len(inventory.tools) - len(names)
    return (", ".join(names) or "none") + (f" and {more} more" if more else "")
