"""What an MCP server has: read once over, with limits, and without what no reader could use."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import mcp_types as types
import orjson
from mcp import MCPError
from mcp.shared.inbound import find_invalid_x_mcp_header
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from cardwright.canonical import Limits, copied
from cardwright.errors import MalformedDocument
from cardwright_gateway.errors import UpstreamInvalid
from cardwright_runtime.violation import clipped, quote

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp import Client
    from mcp.client.session import ClientSession

_T = TypeVar("_T")

# 2 MB of tools are seen; past this it is no list that anybody reads (ours).
MAX_BYTES: Final = 8 * 1024 * 1024
# Of one list (ours).
MOST_PAGES: Final = 1_000
MOST_ITEMS: Final = 10_000
MOST_NOTES: Final = 100
# Of what is judged on the event loop itself, in bytes (ours).
MOST_ON_THE_LOOP: Final = 256 * 1024
# One item may be as large as all; deeper than a card is read, it would stand in none.
_LIMITS: Final = Limits(max_bytes=MAX_BYTES, max_depth=48, max_members=MOST_ITEMS)
# What else than text an optional member is, by its name.
_OBJECTS: Final = ("outputSchema", "annotations")
_TEXTS: Final = ("title", "description", "mimeType")


@dataclass(frozen=True, slots=True)
class Inventory:
    """What an MCP server says of itself, and what it lists.

    Attributes:
        protocol_version: The date that the session agreed on.
        server_info: Its name and version, or None where it gave none.
        capabilities: What it offers.
        instructions: How it wants to be used, or "".
        tools: As they came, but for what is noted.
        resources: Likewise.
        resource_templates: Likewise.
        prompts: Likewise.
        notes: What was left out, and why; at most 100 of them.
    """

    protocol_version: str
    server_info: dict[str, Any] | None
    capabilities: dict[str, Any]
    instructions: str
    tools: tuple[dict[str, Any], ...] = ()
    resources: tuple[dict[str, Any], ...] = ()
    resource_templates: tuple[dict[str, Any], ...] = ()
    prompts: tuple[dict[str, Any], ...] = ()
    notes: tuple[str, ...] = ()

    def tool(self, name: str) -> dict[str, Any] | None:
        """Return a tool by its name; None where there is none."""
        return next((tool for tool in self.tools if tool["name"] == name), None)


async def read_inventory(client: Client, *, max_bytes: int = MAX_BYTES) -> Inventory:
    """Return what a server has: every page of every list that its capabilities speak of.

    Args:
        client: A client that has come in.
        max_bytes: How much all lists together may have.

    Raises:
        UpstreamInvalid: If it is more than is read, or its pages go round in a ring.
        MCPError: If the server answers with an error, or the connection ends.
    """
    has = client.server_capabilities
    info = client.server_info
    reading = _Reading(client.session, max_bytes)
    tools = await reading.all("tools/list", "tools", "name") if has.tools else ()
    resources = await reading.all("resources/list", "resources", "uri") if has.resources else ()
    templates = (
        await reading.all("resources/templates/list", "resourceTemplates", "uriTemplate")
        if has.resources
        else ()
    )
    prompts = await reading.all("prompts/list", "prompts", "name") if has.prompts else ()
    if has.tools:
        await _teach(client.session, tools, reading.size)
    return Inventory(
        client.protocol_version,
        None if info is None else _readable(info.model_dump(mode="json", by_alias=True, exclude_none=True)),
        _readable(has.model_dump(mode="json", by_alias=True, exclude_none=True)),
        _text(client.instructions),
        tools,
        resources,
        templates,
        prompts,
        tuple(reading.notes[:MOST_NOTES]),
    )


class _Reading:
    """One reading of the lists of a server, and what was noted on the way."""

    def __init__(self, session: ClientSession, left: int) -> None:
        self._session = session
        self._most = self._left = left
        self.notes: list[str] = []

    async def all(self, method: str, member: str, key: str) -> tuple[dict[str, Any], ...]:
        """Return the items of one list, each once by its key."""
        found: dict[str, dict[str, Any]] = {}
        seen: set[str] = set()
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            before = self._left
            page = await self._page(method, cursor)
            if page is None:
                return ()
            items = page.get(member)
            taking = partial(self._take_all, found, items if type(items) is list else [], member, key)
            await _apart(taking, before - self._left)
            cursor = page.get("nextCursor")
            if cursor is None:
                return tuple(found.values())
            if type(cursor) is not str or cursor in seen:
                raise UpstreamInvalid(f"the pages of {method} go round: a cursor came twice, or is no text")
            seen.add(cursor)
        raise UpstreamInvalid(f"{method} goes on for more than {MOST_PAGES:,} pages")

    async def _page(self, method: str, cursor: str | None) -> dict[str, Any] | None:
        """Return one page as it came; None where the server has no such method."""
        try:
            page = await _raw(self._session, method, cursor)
        except MCPError as error:
            if error.code == types.METHOD_NOT_FOUND:
                return None
            raise
        self._left -= _size(page)
        if self._left < 0:
            raise UpstreamInvalid(f"the server's lists have more than {self._most:,} bytes")
        return page

    @property
    def size(self) -> int:
        """How many bytes were read."""
        return self._most - self._left

    def _take_all(self, found: dict[str, dict[str, Any]], items: list[Any], member: str, key: str) -> None:
        for index, item in enumerate(items):
            self._take(found, item, member, key, index)
            if len(found) > MOST_ITEMS:
                raise UpstreamInvalid(f"the server lists more than {MOST_ITEMS:,} {member}")
            # More are told to nobody.
            del self.notes[MOST_NOTES:]

    def _take(self, found: dict[str, dict[str, Any]], item: Any, member: str, key: str, index: int) -> None:
        name = item.get(key) if type(item) is dict else None
        at = f"{member}: {quote(name) if type(name) is str else f'number {index + 1} of a page'}"
        if type(item) is not dict or type(name) is not str or not name:
            self.notes.append(f"{at} is left out: it has no {key}")
        elif name in found:
            self.notes.append(f"{at} is left out: there is one of that {key} already")
        elif (why := self._unusable(item, member)) is not None:
            self.notes.append(f"{at} is left out: {why}")
        else:
            try:
                kept = copied(self._without_rubbish(item, at), _LIMITS)
            except MalformedDocument as error:
                self.notes.append(f"{at} is left out: {clipped(str(error))}")
            else:
                found[name] = kept

    def _unusable(self, item: dict[str, Any], member: str) -> str | None:
        if type(item.get("name")) is not str:
            return "it has no name"
        if member != "tools":
            return None
        schema = item.get("inputSchema")
        if type(schema) is not dict:
            return "its inputSchema is no object"
        # MCP 2026-07-28, Tools: a client drops a tool whose arguments cannot be mirrored as it says.
        modern = self._session.protocol_version in MODERN_PROTOCOL_VERSIONS
        if modern and find_invalid_x_mcp_header(schema) is not None:
            return "an x-mcp-header of its inputSchema is none"
        return None

    def _without_rubbish(self, item: dict[str, Any], at: str) -> dict[str, Any]:
        """Return an item without optional members that are not what MCP says they are."""
        kept: dict[str, Any] = {}
        for name, value in item.items():
            wrong = (name in _OBJECTS and type(value) is not dict) or (
                name in _TEXTS and type(value) is not str
            )
            if not wrong:
                kept[name] = value
            elif value is not None:
                self.notes.append(f"{at}: its {name} is left out, for it is of another type")
        return kept


async def _apart(work: Callable[[], _T], size: int) -> _T:
    """Do work on so many bytes, in a thread where the event loop would stand still for it."""
    return await asyncio.to_thread(work) if size > MOST_ON_THE_LOOP else work()


async def _raw(session: ClientSession, method: str, cursor: str | None) -> dict[str, Any]:
    """Return the result of a list as it came.

    `ClientSession.list_tools` and its kin refuse a whole page for one bad item of it, and have no form
    that does not: so the request is sent as they send it, and tests hold mcp's next version to it.
    """
    params = {} if cursor is None else {"cursor": cursor}
    data: dict[str, Any] = {"method": method, "params": params}
    options: Any = {}
    session._stamp(data, options)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] # as said above
    return await session._dispatcher.send_raw_request(method, data["params"], options)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] # as said above


def _size(page: dict[str, Any]) -> int:
    try:
        return len(orjson.dumps(page))
    except TypeError:
        # A number or a text that no card may hold: its item is left out later, with its reason.
        return len(json.dumps(page))


async def _teach(session: ClientSession, tools: tuple[dict[str, Any], ...], size: int) -> None:
    """Have mcp know the tools: it writes arguments into header fields as their schemas say (2026-07-28)."""
    if session.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return
    plain = await _apart(partial(_plain, tools), size)
    listing = types.ListToolsResult(tools=plain)
    session._absorb_tool_listing(listing, complete=True)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] # `list_tools` alone does it, and asks again


def _plain(tools: tuple[dict[str, Any], ...]) -> list[types.Tool]:
    return [types.Tool(name=tool["name"], input_schema=tool["inputSchema"]) for tool in tools]


def _readable(value: dict[str, Any]) -> dict[str, Any]:
    """Return what stands in a JSON object as far as it can stand in a card."""
    kept: dict[str, Any] = {}
    for name, member in value.items():
        try:
            kept |= copied({name: member}, _LIMITS)
        except MalformedDocument:
            continue
    return kept


def _text(value: str | None) -> str:
    return "" if value is None else str(_readable({"text": value}).get("text", ""))
