"""What `call` and `task` share: the agent, its credentials, its replies as text, and the exit status of a failure."""

from __future__ import annotations

import asyncio
import json
import os
import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final

from cardwright.cli.fetch_options import not_found_hint, reach_of, refusal
from cardwright.cli.option_groups import described
from cardwright.cli.terminal import emit_stderr, fail
from cardwright.errors import (
    AccessDenied,
    BadArgument,
    BadResponse,
    ConnectionDenied,
    PeerTimeout,
    PeerUnreachable,
)
from cardwright_runtime.violation import clipped, escaped

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Coroutine, Mapping

    from cardwright.card import Card
    from cardwright.cli.options import Allowed
    from cardwright.errors import CardError
    from cardwright.guard import GuardedClient

# The exit status of failures, as in the specification of a2a-cli (§11.6).
FAILED: Final = 1
UNREACHABLE: Final = 3
UNAUTHENTICATED: Final = 4
TIMED_OUT: Final = 5
# RFC 9110 §5.1.
FIELD_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}")
_BEARER: Final = "CARDWRIGHT_BEARER"
_API_KEY: Final = "CARDWRIGHT_API_KEY"

Bearer = Annotated[
    str | None,
    described("call --bearer", variable=_BEARER),
]
ApiKey = Annotated[
    str | None,
    described("call --api-key", variable=_API_KEY),
]


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent whose card was fetched, or an MCP server, which has none.

    Attributes:
        url: The URL as given.
        card: Its card; that of an MCP server has only its URL.
        client: The guarded client.
        credentials: The header fields for the origin of the URL.
    """

    url: str
    card: Card
    client: GuardedClient
    credentials: Mapping[str, Mapping[str, str]] = field(repr=False)


@asynccontextmanager
async def agent_at(
    url: str, allowed: Allowed, *, bearer: str | None, api_key: str | None
) -> AsyncGenerator[Agent]:
    """Yield the agent, or the MCP server, at a URL; end the command if credentials cannot be used.

    Raises:
        CardError: If its card cannot be fetched.
    """
    from cardwright.discovery.fetching import fetch_card
    from cardwright.discovery.mcp_servers import mcp_server_at
    from cardwright.guard import GuardedClient, target_of

    reach = reach_of(allowed, [url])
    headers = dict(reach.headers)
    if token := bearer or os.environ.get(_BEARER):
        headers["Authorization"] = f"Bearer {token}"
    async with GuardedClient(reach.guard) as client:
        try:
            card = (await fetch_card(url, client=client, headers=headers)).card
        except BadResponse as error:
            server = await mcp_server_at(error, client, url, headers)
            if server is None:
                raise
            card = server
        if key := api_key or os.environ.get(_API_KEY):
            headers[_key_header(card, given=bool(api_key))] = key
        origin = target_of(url).origin
        yield Agent(url, card, client, {origin: headers} if headers else {})


def _key_header(card: Card, *, given: bool) -> str:
    """Return the header of API keys by a card; end the command if it names none."""
    from cardwright.view.fields import string
    from cardwright.view.security import declared_schemes, scheme_of

    schemes = map(scheme_of, declared_schemes(card.document).values())
    # A2A 1.0 §4.5.2 calls the place `location`, 0.3 `in`.
    names = (
        string(scheme, "name")
        for kind, scheme in schemes
        if kind == "apiKey" and "header" in (string(scheme, "location"), string(scheme, "in"))
    )
    name = next(filter(FIELD_NAME.fullmatch, names), None)
    if name is None:
        source = "--api-key" if given else _API_KEY
        fail(f"{source}: the card names no header for API keys; give the header with --header 'Name: KEY'")
    return name


def complete_url(url: str) -> str:
    """Return a URL with a scheme: https, if it has none."""
    return url if "://" in url else f"https://{url}"


def run(url: str, work: Coroutine[Any, Any, int]) -> int:
    """Run a command for the agent at a URL and return its exit status; an error is one sentence on standard error."""
    from cardwright.errors import CardError

    try:
        return asyncio.run(work)
    except CardError as error:
        return explain(error, url)


def explain(error: CardError, url: str) -> int:
    """Print why a call failed, and return the exit status."""
    if isinstance(error, ConnectionDenied):
        emit_stderr(f"{refusal(error)}\n")
        return 2
    if isinstance(error, BadArgument):
        option = {"tool": "--skill", "message": "--data"}.get(error.argument, error.argument)
        fail(f"{option}{str(error).removeprefix(error.argument)}")
    emit_stderr(f"cardwright: {escaped(str(error))}{not_found_hint(error, url)}\n")
    match error:
        case AccessDenied():
            emit_stderr(
                "Give credentials with --bearer, --api-key or --header; `cardwright show URL` shows what it needs.\n"
            )
            return UNAUTHENTICATED
        case PeerTimeout():
            return TIMED_OUT
        case PeerUnreachable():
            return UNREACHABLE
        case BadResponse() if error.kind == "not-found":
            return UNREACHABLE
        case _:
            return FAILED


def lines(text: str) -> str:
    """Return the text of an agent with control characters escaped, but its lines kept."""
    return "\n".join(escaped(line.replace("\t", "    ")) for line in text.split("\n"))


def part_text(wire: Mapping[str, Any]) -> str:
    """Return a part of a message as text: data as JSON, a file by its name, media type and size."""
    if "text" in wire:
        return lines(str(wire["text"]))
    if "data" in wire:
        return lines(json.dumps(wire["data"], indent=2, ensure_ascii=False))
    name = clipped(str(wire.get("filename") or "file"))
    kind = clipped(str(wire.get("mediaType") or "unknown type"))
    if "raw" in wire:
        encoded = str(wire["raw"]).rstrip("=")
        return f"[{name}, {kind}, {len(encoded) * 3 // 4:,} bytes; --output-dir saves it]"
    return f"[{name}, {kind}: {clipped(str(wire.get('url', '')))}]"


def state_of(task: Mapping[str, Any]) -> str:
    """Return the state of a task as A2A 0.3 spells it, such as `input-required`."""
    state = str(task.get("status", {}).get("state", "")).removeprefix("TASK_STATE_")
    return clipped(state.lower().replace("_", "-")) or "unknown"


def task_line(task: Mapping[str, Any]) -> str:
    """Return the id, the context and the state of a task in a line."""
    context = f" (context {clipped(str(task['contextId']))})" if task.get("contextId") else ""
    return f"Task {clipped(str(task.get('id', '')))}{context}: {state_of(task)}"
