"""`call_agent`: one message to an agent, by whichever protocol its card offers and we speak."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from cardwright.canonical import Limits, copied
from cardwright.card import Card
from cardwright.discovery.calling.exchange import Call
from cardwright.discovery.calling.parts import Part, parts_of
from cardwright.discovery.protocol_support import CALLED, all_spoken
from cardwright.discovery.selection import select_interface
from cardwright.discovery.skill_schemas import declared_schema, skill_ids
from cardwright.errors import BadArgument, PeerTimeout, UnknownPeer, UnknownSkill
from cardwright.extras import requires_extra
from cardwright.guard import Guard, GuardedClient, Timeouts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright.discovery.calling.reply import Reply
    from cardwright.discovery.protocol_support import ProtocolSupport

# A text, which is one part; a value of data; bytes; a `Part`; or several of these.
Message: TypeAlias = "str | bytes | dict[str, Any] | Part | Iterable[Any]"
# Data has more members than a card does (ours).
_DATA_LIMITS: Final = Limits(max_members=100_000)


class HasCard(Protocol):
    """Whatever knows the card of an agent: a peer of a registry, or a card that was fetched."""

    @property
    def card(self) -> Card | None:
        """The card, or None where none was seen yet."""
        ...


async def call_agent(  # noqa: PLR0913 - each is a choice of its own
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
) -> Reply:
    """Send one message to an agent and return its reply.

    The interface is chosen as by `select_interface`: A2A before MCP. By A2A the agent may answer with a
    task that is not finished (`Reply.state`); whoever wants more asks again. If the call is cancelled, or
    takes too long, the agent is asked to give up the task, as far as it has named one.

    Args:
        agent: The card of the agent, or what has one as `card`.
        message: A text; a dict, which is one part of data; bytes; a `Part`; or a list of these. To an
            MCP tool a dict is its arguments, and a text its one argument that takes a text.
        client: What to dial by; one that dials public addresses and `allow` where not given.
        allow: Networks, as CIDR such as `127.0.0.0/8`, that may be dialled though they are not public.
        timeout_seconds: How long the whole may take.
        supported: What to speak, as for `select_interface`; not more than can be spoken here.
        downgrade: Whether an older version of A2A will do, as for `select_interface`.
        credentials: By origin, such as `{"https://a.example": {"Authorization": "Bearer …"}}`, header
            fields that this origin alone sees, whatever endpoint the card names.
        context_id: The conversation to go on with (A2A).
        task_id: The task to go on with (A2A).
        tool: The MCP tool to call, or the skill of a card that was made from an MCP server, where each
            tool is a skill. Not needed where the card names one.
        stream: Whether A2A's events are asked for; where not given, if the card says that it streams.
        configured: An origin that the operator wrote into a configuration file: it alone may be dialled
            wherever it is.

    Raises:
        UnknownPeer: If there is no agent, as a registry's look-up may give, or no card of it.
        BadArgument: If the message or another argument cannot be what it is.
        NoInterface: If the card offers no way that is spoken here, or that may be dialled.
        UnknownSkill: If a card made from an MCP server has no such tool.
        ConnectionDenied: If the guard refuses the endpoint.
        PeerUnreachable: If no connection comes about, or it breaks.
        PeerTimeout: If it takes longer than it may.
        AccessDenied: If it answers 401 or 403.
        BadAnswer: If what comes back is no reply of the protocol, or an HTTP error.
        CallFailed: If the agent answers with an error of the protocol.
        SessionFailed: If an MCP server ends the session.
        MissingPackage: If the SDK of the protocol is not installed.
    """
    if isinstance(agent, str):
        raise BadArgument("agent", "this is a name: give the peer, or ask `AgentRegistry.call`")
    card = agent if isinstance(agent, Card) or agent is None else agent.card
    if card is None:
        raise UnknownPeer(getattr(agent, "url", "") or "what was looked up")
    parts = parts_of(message)
    for part in parts:
        if part.kind == "data":
            copied(part.value, _DATA_LIMITS)
    if timeout_seconds <= 0:
        raise BadArgument("timeout_seconds", "must be more than 0")
    selection = select_interface(card, supported=_callable(supported), downgrade=downgrade)
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
            _streams(card) if stream is None else stream,
            configured,
        )
        try:
            async with asyncio.timeout(timeout_seconds):
                return await _called(call, card, tool)
        except TimeoutError:
            told = f"it took longer than {timeout_seconds:g} seconds"
            raise PeerTimeout(call.shown, told) from None


async def _called(call: Call, card: Card, tool: str | None) -> Reply:
    interface = call.selection.interface
    if interface.protocol == "mcp":
        name, schema = _tool(card, interface.tool, tool)
        with requires_extra("mcp"):
            from cardwright.discovery.calling.mcp import call_mcp
        return await call_mcp(call, name, schema)
    with requires_extra("a2a"):
        from cardwright.discovery.calling.a2a import call_a2a
    return await call_a2a(call)


def _callable(supported: Iterable[ProtocolSupport | str] | None) -> list[ProtocolSupport] | None:
    """Return what of what a caller wants to speak can be spoken here."""
    if supported is None:
        return None
    wanted = all_spoken(supported)
    able = [one for one in CALLED if any(mine.covers(one) for mine in wanted)]
    if not able:
        told = ", ".join(map(str, CALLED))
        raise BadArgument("supported", f"none of it can be spoken here; what can is {told}")
    return able


def _streams(card: Card) -> bool:
    capabilities = card.document.get("capabilities")
    return isinstance(capabilities, dict) and capabilities.get("streaming") is True


def _tool(card: Card, named: str | None, asked: str | None) -> tuple[str, Any]:
    """Return the MCP tool to call, and its input schema where the card has it."""
    if named is not None:
        if asked not in (None, named):
            raise BadArgument("tool", f"the card's transport names the tool {named!r}: leave it out")
        return named, None
    known = skill_ids(card) if card.dialect.family == "mcp" else []
    if asked is None:
        if len(known) != 1:
            told = f"the card has {', '.join(map(repr, known[:16]))}" if known else "the card names none"
            raise BadArgument("tool", f"say which MCP tool to call: {told}")
        asked = known[0]
    if card.dialect.family != "mcp":
        return asked, None
    if asked not in known:
        raise UnknownSkill(asked, known)
    declared = declared_schema(card, asked, "input")
    return asked, declared.schema if declared else None
