"""`call_agent`: send one message to an agent over a protocol that both sides support."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from cardwright.canonical import Limits, checked_copy
from cardwright.card import Card
from cardwright.conversion.extensions import MCP_URI, params_of
from cardwright.discovery.calling.exchange import Call
from cardwright.discovery.calling.parts import Part, parts_of
from cardwright.discovery.protocol_support import called, supported_protocols
from cardwright.discovery.selection import select_interface
from cardwright.discovery.skill_schemas import declared_schema, skill_ids
from cardwright.errors import BadArgument, PeerTimeout, UnknownPeer, UnknownSkill
from cardwright.extras import requires_extra
from cardwright.guard import Guard, GuardedClient, Timeouts
from cardwright.view import flag, output_modes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cardwright.discovery.calling.reply import Reply
    from cardwright.discovery.protocol_support import ProtocolSupport

# A text (one part), a JSON object, bytes, a `Part`, or several of these.
Message: TypeAlias = "str | bytes | dict[str, Any] | Part | Iterable[Any]"
# Data has more fields than a card (project decision).
_DATA_LIMITS: Final = Limits(max_members=100_000, max_values=100_000)
_POLLING_SHARE: Final = 0.9


class HasCard(Protocol):
    """An object with the card of an agent: a peer of a registry, or a fetched card."""

    @property
    def card(self) -> Card | None:
        """The card, or None before the first fetch."""
        ...


async def call_agent(  # noqa: PLR0913 - each argument is an independent option
    agent: Card | HasCard | None,
    message: Message,
    *,
    client: GuardedClient | None = None,
    allow: Iterable[str] = (),
    timeout_seconds: float = 60.0,
    supported: Iterable[ProtocolSupport | str] | None = None,
    downgrade: bool = True,
    credentials: Mapping[str, Mapping[str, str]] | None = None,
    context_id: str | None = None,
    task_id: str | None = None,
    tool: str | None = None,
    stream: bool | None = None,
    configured: str | None = None,
    wait: bool = True,
    on_event: Callable[[dict[str, object]], None] | None = None,
) -> Reply:
    """Send one message to an agent and return its reply.

    The interface is selected as by `select_interface`: A2A before MCP. If an A2A agent replies with a task on which it
    still works, the task is read again until it ends; if it works on for nine tenths of the time limit, or cannot be
    read, the reply is the unfinished task (`Reply.state`). If the agent asks for more (`input-required`), call again
    with `task_id`. If the call is cancelled or times out, the agent is asked to cancel the task, if its id is known:
    a new task of A2A 0.1 has an id that the client chose, any other one the id that the agent sent.

    Args:
        agent: The card of the agent, or an object with a `card` attribute.
        message: A text; a dict, which is one data part; bytes; a `Part`; or a list of these. For an MCP tool a
            dict is its arguments, and a text is its only text argument.
        client: The guarded HTTP client; by default a new one for public addresses and `allow`.
        allow: Networks in CIDR form, such as `127.0.0.0/8`, to allow although they are not public.
        timeout_seconds: The limit for the whole call.
        supported: Protocols to use, as for `select_interface`; only those that this package can call.
        downgrade: Whether to accept an older version of A2A, as for `select_interface`.
        credentials: Header fields by origin, such as `{"https://a.example": {"Authorization": "Bearer …"}}`;
            each origin gets only its own, whatever endpoint the card names.
        context_id: The conversation to continue (A2A).
        task_id: The task to continue (A2A).
        tool: The MCP tool to call, or the skill of a card that was created from an MCP server, where each tool is
            a skill; over A2A the message names it in its metadata (`skill`), for the gateway. Not needed if the card,
            or the server, has one tool.
        stream: Whether to request A2A events; by default if the card declares streaming.
        configured: An origin from the operator's configuration; connections to it are allowed at any address.
        wait: Whether to wait for the end of a task; otherwise the reply is the task as the agent first sends it.
        on_event: Called with each event of an A2A agent, and each reading of the task, in the A2A 1.0 form: an object
            with `message`, `task`, `statusUpdate` or `artifactUpdate`.

    Raises:
        UnknownPeer: If `agent` is None (a failed lookup) or has no card.
        BadArgument: If the message or another argument is invalid.
        NoInterface: If the card has no interface that is supported here and may be used.
        UnknownSkill: If a card created from an MCP server has no such tool.
        ConnectionDenied: If the guard denies the endpoint.
        PeerUnreachable: If the connection fails or breaks.
        PeerTimeout: If the call takes longer than `timeout_seconds`.
        AccessDenied: If the response is 401 or 403.
        BadResponse: If the response is an HTTP error, or not a response of the protocol.
        CallFailed: If the agent responds with an error of the protocol.
        SessionFailed: If an MCP server ends the session.
        MissingPackage: If the SDK of the protocol is not installed.
    """
    if isinstance(agent, str):
        raise BadArgument(
            "agent", "expected a card or a peer, found a name; use `AgentRegistry.call` for names"
        )
    card = agent if isinstance(agent, Card) or agent is None else agent.card
    if card is None:
        name = getattr(agent, "url", "") or "(lookup without a result)"
        raise UnknownPeer(name, getattr(agent, "why_no_card", ""))
    parts = parts_of(message)
    for part in parts:
        if part.kind == "data":
            checked_copy(part.value, _DATA_LIMITS)
    if timeout_seconds <= 0:
        raise BadArgument("timeout_seconds", "must be greater than 0")
    selection = select_interface(card, supported=_callable_protocols(supported), downgrade=downgrade)
    async with AsyncExitStack() as stack:
        if client is None:
            client = await stack.enter_async_context(GuardedClient(Guard(allow=tuple(allow))))
        call = Call(
            client,
            selection,
            parts,
            credentials or {},
            Timeouts(first_byte=timeout_seconds, total=None),
            context_id,
            task_id,
            flag(card.document, "streaming") if stream is None else stream,
            configured,
            output_modes(card),
            # The rest of the time is for a request that began just before (project decision).
            asyncio.get_running_loop().time() + timeout_seconds * _POLLING_SHARE,
            waits=wait,
            on_event=on_event,
        )
        try:
            async with asyncio.timeout(timeout_seconds):
                return await _dispatch(call, card, tool)
        except TimeoutError:
            reason = f"no complete response within {timeout_seconds:g} seconds"
            raise PeerTimeout(call.safe_url, reason) from None


async def _dispatch(call: Call, card: Card, tool: str | None) -> Reply:
    interface = call.selection.interface
    if interface.protocol == "mcp":
        name, schema = _tool(card, interface.tool, tool)
        with requires_extra("mcp"):
            from cardwright.discovery.calling.mcp import call_mcp
        return await call_mcp(call, name, schema)
    with requires_extra("grpc" if interface.binding == "GRPC" else "a2a"):
        from cardwright.discovery.calling.a2a import call_a2a
    return await call_a2a(call, _skill(card, tool))


def _callable_protocols(supported: Iterable[ProtocolSupport | str] | None) -> list[ProtocolSupport] | None:
    """Return the requested protocols that this package can call."""
    if supported is None:
        return None
    requested = supported_protocols(supported)
    usable = [support for support in called() if any(wanted.covers(support) for wanted in requested)]
    if not usable:
        names = ", ".join(map(str, called()))
        raise BadArgument("supported", f"none of these protocols can be called; supported: {names}")
    return usable


def _skill(card: Card, tool: str | None) -> str | None:
    """Return the skill that a message over A2A names, None for no skill: only the gateway's cards of MCP servers have it."""
    if tool is None:
        return None
    if params_of(card.document, MCP_URI) is None:
        raise BadArgument(
            "tool",
            "A2A has no field for a tool, and this card was not created from an MCP server; leave this argument out",
        )
    known = skill_ids(card)
    if tool not in known:
        raise UnknownSkill(tool, known)
    return tool


def _tool(card: Card, card_tool: str | None, tool: str | None) -> tuple[str | None, Any]:
    """Return the MCP tool to call, None for the server's only one, and its input schema where the card has it."""
    if card_tool is not None:
        if tool not in (None, card_tool):
            raise BadArgument(
                "tool", f"the card already names the tool {card_tool!r}; leave this argument out"
            )
        return card_tool, None
    known = skill_ids(card) if card.dialect.family == "mcp" else []
    if not known:
        # The server lists its tools.
        return tool, None
    if tool is None:
        if len(known) != 1:
            names = ", ".join(map(repr, known[:16]))
            raise BadArgument("tool", f"required: name the MCP tool to call; the card has {names}")
        tool = known[0]
    if tool not in known:
        raise UnknownSkill(tool, known)
    declared = declared_schema(card, tool, "input")
    return tool, declared.schema if declared else None
