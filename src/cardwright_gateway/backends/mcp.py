"""Backend for an upstream MCP server: a turn calls one of its tools."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import mcp_types as types

from cardwright.card import Card
from cardwright.discovery import Part, Schemas, input_violations, output_violations
from cardwright.discovery.calling.mcp_results import parts_of_block
from cardwright.discovery.calling.parts import arguments_of
from cardwright.discovery.contracts import UNUSABLE
from cardwright.errors import BadArgument, CallFailed, MalformedDocument
from cardwright_gateway.backends.backend import TurnResult
from cardwright_gateway.errors import BadTurn
from cardwright_gateway.telemetry.tracing import traced
from cardwright_gateway.upstream.mcp.errors import error_of
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from cardwright_gateway.backends.backend import Turn, TurnReporter
    from cardwright_gateway.upstream.mcp.inventory import Inventory
    from cardwright_gateway.upstream.mcp.session import McpSession
    from cardwright_runtime.violation import Violation

# Maximum length of a status or progress text from the server (project decision).
_MAX_TEXT: Final = 1_000
# Pause between two reports of progress of a task: each is a write of the task (project decision).
_PROGRESS_SECONDS: Final = 0.2
_NO_REASON: Final = "the tool failed and gave no reason"
_MAX_VIOLATIONS: Final = 16
# Metadata key for violations of the tool's output schema (project decision).
_VIOLATIONS_KEY: Final = "outputViolations"
# The fields of a call in a data part (project decision).
_CALL: Final = frozenset({"skill", "arguments"})
_MAX_NAMES: Final = 16


class LatestProgress:
    """Listener that reports progress to a caller, with a pause after each report; the last of several is reported.

    mcp calls it in a task for each notification, possibly after the call has ended.

    Args:
        reporter: The reporter.
        pause: The pause, in seconds.
    """

    def __init__(self, reporter: TurnReporter, pause: float) -> None:
        self._reporter = reporter
        self._pause = pause
        self._next: tuple[float, float | None, str | None] | None = None
        self._is_reporting = False
        self.ended = False

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        """Report progress, now or, if more comes meanwhile, instead of that."""
        self._next = progress, total, message
        if self._is_reporting:
            return
        self._is_reporting = True
        try:
            while self._next is not None and not self.ended:
                (done, total, text), self._next = self._next, None
                await self._reporter.progress((text or "")[:_MAX_TEXT], done=done, total=total)
                await asyncio.sleep(self._pause)
        finally:
            self._is_reporting = False


class McpBackend:
    """Backend that calls the tools of one MCP server.

    Args:
        session: The session with the server; closing the backend closes it.

    Attributes:
        session: The session.
    """

    def __init__(self, session: McpSession) -> None:
        self.session = session
        self._inventory: Inventory | None = None
        self._cards: dict[str, Card] = {}
        self._schemas = Schemas()

    async def ready(self) -> None:
        """Wait until tools can be called.

        Raises:
            SessionNotReady: If the session is not ready.
        """
        await self.session.started()

    async def check(self, turn: Turn) -> None:
        """Reject a turn that names no tool, or whose arguments do not match the tool's input schema.

        If the schema itself cannot be used, the arguments are not validated here: the server does it.

        Raises:
            BadTurn: With the reason, and the place in the arguments.
            SessionNotReady: If the session is not ready.
        """
        inventory = await self.session.started()
        tool, arguments = tool_call(turn, inventory)
        try:
            # In a thread, however small they are: a schema can make a single value costly, and is compiled at first.
            violations = await asyncio.to_thread(
                input_violations, self._card(inventory, tool), tool["name"], arguments, schemas=self._schemas
            )
        except MalformedDocument as error:
            raise BadTurn(f"the arguments cannot be read: {error}") from error
        wrong = [violation for violation in violations or () if violation.rule not in UNUSABLE]
        if wrong:
            listed = "; ".join(
                f"{violation.pointer or '(root)'}: {violation.message}" for violation in wrong[:3]
            )
            raise BadTurn(f"the arguments do not match the skill's input schema: {listed}", wrong)

    async def run(self, turn: Turn, reporter: TurnReporter) -> TurnResult:
        """Call the tool, and return its result.

        Raises:
            BadTurn: If the tool no longer exists.
            CardError: If the server cannot be reached or does not respond.
        """
        inventory = await self.session.started()
        tool, arguments = tool_call(turn, inventory)
        progress = LatestProgress(reporter, _PROGRESS_SECONDS if turn.task_id else 0)
        try:
            with traced("call"):
                result = await self.session.call(tool["name"], arguments, progress=progress, caller=turn.mcp)
        except CallFailed as error:
            # The server's error, such as one about the arguments: the connection is as good as before.
            return TurnResult((), "failed", error.remote_text or _NO_REASON, mcp=error_of(error))
        finally:
            progress.ended = True
        if isinstance(result, types.InputRequiredResult):
            return TurnResult((), "input-required", mcp=result)
        card = self._card(inventory, tool) if "outputSchema" in tool else None
        return await asyncio.to_thread(_turn_result, result, tool["name"], card, self._schemas)

    async def close(self) -> None:
        """Close the session."""
        await self.session.close()

    def _card(self, inventory: Inventory, tool: dict[str, Any]) -> Card:
        """Return a card with this tool alone, for validation: a card of all tools would be rebuilt at each change."""
        if inventory is not self._inventory:
            self._inventory, self._cards, self._schemas = inventory, {}, Schemas()
        name = tool["name"]
        if name not in self._cards:
            schemas: dict[str, Any] = {
                side: tool[side] for side in ("inputSchema", "outputSchema") if side in tool
            }
            skill: dict[str, Any] = {"id": name, "name": name, **schemas}
            document = {"name": "", "protocol": "mcp", "skills": [skill]}
            self._cards[name] = Card.of_parts(document, "mcp-2024-11-05")
        return self._cards[name]


def _turn_result(result: types.CallToolResult, tool: str, card: Card | None, schemas: Schemas) -> TurnResult:
    """Return the result of a turn; a card declares the schema of the tool's output."""
    parts = tuple(part for block in result.content for part in parts_of_block(block))
    if result.structured_content is not None:
        parts = (*parts, Part("data", result.structured_content))
    if result.is_error:
        text = "\n".join(part.value for part in parts if part.kind == "text")
        return TurnResult(parts, "failed", text[:_MAX_TEXT] or _NO_REASON, mcp=result)
    metadata = _output_metadata(result, tool, card, schemas) if card else {}
    return TurnResult(parts, metadata=metadata, mcp=result)


def _output_metadata(result: types.CallToolResult, tool: str, card: Card, schemas: Schemas) -> dict[str, Any]:
    """Return result metadata with the violations of the tool's output schema; the result itself is unchanged."""
    if result.structured_content is None:
        message = "the skill declares an output schema, but returned no structured content"
        return _violation_metadata("contract/missing", message)
    try:
        violations = output_violations(card, tool, result.structured_content, schemas=schemas)
    except MalformedDocument as error:
        return _violation_metadata("contract/unreadable", str(error))
    listed: list[dict[str, str]] = [
        _violation(violation) for violation in (violations or ())[:_MAX_VIOLATIONS]
    ]
    return {_VIOLATIONS_KEY: listed} if listed else {}


def _violation(violation: Violation) -> dict[str, str]:
    return {"rule": violation.rule, "pointer": violation.pointer, "message": violation.message}


def _violation_metadata(rule: str, message: str) -> dict[str, Any]:
    return {_VIOLATIONS_KEY: [{"rule": rule, "pointer": "", "message": message}]}


def accepts_text(tool: dict[str, Any]) -> bool:
    """Return whether a tool can be called with a text alone."""
    try:
        arguments_of((Part("text", ""),), tool["name"], tool["inputSchema"])
    except BadArgument:
        return False
    return True


def tool_call(turn: Turn, inventory: Inventory) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the tool that a message calls, and its arguments.

    A data part `{"skill": …, "arguments": {…}}` names both. The message's metadata may name the skill
    instead, and a server with one tool needs no name: then a data part holds the arguments, and
    text parts are the tool's only text argument, if it has one.

    Raises:
        BadTurn: If it names no tool or an unknown one, or its parts cannot be the arguments.
    """
    if not inventory.tools:
        raise BadTurn("the agent has no skills: the MCP server behind it has no tools")
    data = turn.parts[0].value if len(turn.parts) == 1 and turn.parts[0].kind == "data" else None
    skill_id = turn.metadata.get("skill")
    if skill_id is not None:
        if type(skill_id) is not str:
            raise BadTurn("metadata.skill must be a string, the id of a skill")
        return _with_arguments(turn, _tool(skill_id, inventory))
    only_tool = inventory.tools[0] if len(inventory.tools) == 1 else None
    if type(data) is dict and "skill" in data and data.keys() <= _CALL:
        skill, arguments = data["skill"], data.get("arguments", {})
        has_skill_argument = only_tool is not None and _takes_skill(
            only_tool["inputSchema"].get("properties")
        )
        if (
            type(skill) is str
            and type(arguments) is dict
            and (not has_skill_argument or inventory.tool(skill))
        ):
            return _tool(skill, inventory), arguments
        if not has_skill_argument:
            raise BadTurn('a call must be {"skill": "<id>", "arguments": {…}}')
    if only_tool is None:
        raise BadTurn(
            'name a skill: send a data part {"skill": …, "arguments": {…}}, or skill and data to v1/invoke.'
            f" Skills: {_names(inventory)}"
        )
    return _with_arguments(turn, only_tool)


def _takes_skill(properties: Any) -> bool:
    return type(properties) is dict and "skill" in properties


def _with_arguments(turn: Turn, tool: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    try:
        return tool, arguments_of(turn.parts, tool["name"], tool["inputSchema"])
    except BadArgument as error:
        raise BadTurn(str(error)) from error


def _tool(name: str, inventory: Inventory) -> dict[str, Any]:
    tool = inventory.tool(name)
    if tool is None:
        raise BadTurn(f"unknown skill {quote(name)}. Skills: {_names(inventory)}")
    return tool


def _names(inventory: Inventory) -> str:
    names = [quote(tool["name"]) for tool in inventory.tools[:_MAX_NAMES]]
    more = len(inventory.tools) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")
