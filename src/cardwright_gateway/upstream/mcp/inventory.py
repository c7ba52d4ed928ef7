"""Inventory of an MCP server: its lists, read page by page with limits, without unusable items."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import mcp_types as types
import orjson
from mcp import MCPError
from mcp.shared.inbound import find_invalid_x_mcp_header
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from cardwright.canonical import Limits, checked_copy
from cardwright.errors import MalformedDocument
from cardwright_gateway.errors import UpstreamInvalid
from cardwright_runtime.violation import clipped, quote

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp import Client
    from mcp.client.session import ClientSession

_T = TypeVar("_T")

# Maximum size of all lists; lists of 2 MB have been observed (project decision).
MAX_BYTES: Final = 8 * 1024 * 1024
# Limits of one list (project decision).
MAX_PAGES: Final = 1_000
MAX_ITEMS: Final = 10_000
MAX_NOTES: Final = 100
# How many of them are logged (project decision).
_MAX_LOGGED: Final = 10
_log: Final = logging.getLogger(__name__)
# Maximum number of bytes processed on the event loop itself (project decision).
MAX_ON_THE_LOOP: Final = 8 * 1024
# One item may be as large as the whole list; a deeper item would not fit into a card.
_LIMITS: Final = Limits(max_bytes=MAX_BYTES, max_depth=48, max_members=MAX_ITEMS, max_values=100_000)
# Optional fields of an item, by type.
_OBJECTS: Final = ("outputSchema", "annotations")
_TEXTS: Final = ("title", "description", "mimeType")


@dataclass(frozen=True, slots=True)
class Inventory:
    """The description and the lists of an MCP server.

    Attributes:
        protocol_version: The negotiated protocol version, a date.
        server_info: Its name and version, or None if it sent none.
        capabilities: Its declared capabilities.
        instructions: Its usage instructions, or "".
        tools: The tools as received, except for what `notes` reports.
        resources: Likewise.
        resource_templates: Likewise.
        prompts: Likewise.
        notes: What was left out or added, and why; at most 100 notes.
        size: The size of all lists as received, in bytes.
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
    size: int = field(default=0, compare=False)

    def tool(self, name: str) -> dict[str, Any] | None:
        """Return a tool by its name, or None."""
        return next((tool for tool in self.tools if tool["name"] == name), None)


def log_notes(name: str, notes: tuple[str, ...], logged: tuple[str, ...]) -> tuple[str, ...]:
    """Log the notes of an inventory, unless they were logged before; return what has been logged."""
    if notes and notes != logged:
        more = f"; and {len(notes) - _MAX_LOGGED} more" if len(notes) > _MAX_LOGGED else ""
        _log.warning("agent %s: its MCP server: %s%s", name, "; ".join(notes[:_MAX_LOGGED]), more)
    return notes or logged


async def read_inventory(client: Client, *, max_bytes: int = MAX_BYTES) -> Inventory:
    """Read the inventory of a server: every page of every list that its capabilities declare.

    Args:
        client: A connected client.
        max_bytes: Maximum size of all lists together.

    Raises:
        UpstreamInvalid: If a limit is exceeded.
        MCPError: If the server answers with an error, or the connection ends.
    """
    capabilities = client.server_capabilities
    info = client.server_info
    reader = _ListReader(client.session, max_bytes)
    tools = await reader.all("tools/list", "tools", "name") if capabilities.tools else ()
    if not tools:
        reader.notes.append("it has no tools, so its A2A card has no skills and is not valid (A2A 1.0 §5.7)")
    resources = await reader.all("resources/list", "resources", "uri") if capabilities.resources else ()
    templates = (
        await reader.all("resources/templates/list", "resourceTemplates", "uriTemplate")
        if capabilities.resources
        else ()
    )
    prompts = await reader.all("prompts/list", "prompts", "name") if capabilities.prompts else ()
    if capabilities.tools:
        await _register_tools(client.session, tools, reader.size)
    return Inventory(
        client.protocol_version,
        None if info is None else _readable(info.model_dump(mode="json", by_alias=True, exclude_none=True)),
        _readable(capabilities.model_dump(mode="json", by_alias=True, exclude_none=True)),
        _text(client.instructions),
        tools,
        resources,
        templates,
        prompts,
        tuple(reader.notes[:MAX_NOTES]),
        reader.size,
    )


class _ListReader:
    """Reader for the lists of a server; collects notes."""

    def __init__(self, session: ClientSession, left: int) -> None:
        self._session = session
        self._max_bytes = self._left = left
        self.notes: list[str] = []

    async def all(self, method: str, list_name: str, key: str) -> tuple[dict[str, Any], ...]:
        """Return the items of one list, unique by their key; a cursor that cannot be followed ends the list, with a note."""
        by_key: dict[str, dict[str, Any]] = {}
        seen: set[str] = set()
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            before = self._left
            page = await self._page(method, cursor)
            if page is None:
                break
            items = page.get(list_name)
            add_items = partial(self._add_all, by_key, items if type(items) is list else [], list_name, key)
            await _in_thread_if_large(add_items, before - self._left)
            cursor = page.get("nextCursor")
            if cursor is None:
                break
            if type(cursor) is not str or cursor in seen:
                self.notes.append(f"{method}: the list ends at a cursor that repeats or is not a string")
                break
            seen.add(cursor)
        else:
            raise UpstreamInvalid(f"{method}: more than {MAX_PAGES:,} pages")
        return tuple(by_key.values())

    async def _page(self, method: str, cursor: str | None) -> dict[str, Any] | None:
        """Return one page as received; None if the server does not have the method."""
        try:
            page = await _request_list(self._session, method, cursor)
        except MCPError as error:
            if error.code == types.METHOD_NOT_FOUND:
                return None
            raise
        self._left -= _size(page)
        if self._left < 0:
            raise UpstreamInvalid(f"the server's lists exceed {self._max_bytes:,} bytes")
        return page

    @property
    def size(self) -> int:
        """The number of bytes read."""
        return self._max_bytes - self._left

    def _add_all(self, by_key: dict[str, dict[str, Any]], items: list[Any], list_name: str, key: str) -> None:
        for index, item in enumerate(items):
            self._add(by_key, item, list_name, key, index)
            if len(by_key) > MAX_ITEMS:
                raise UpstreamInvalid(f"the server lists more than {MAX_ITEMS:,} {list_name}")
            # Further notes are not reported.
            del self.notes[MAX_NOTES:]

    def _add(
        self, by_key: dict[str, dict[str, Any]], item: Any, list_name: str, key: str, index: int
    ) -> None:
        name = item.get(key) if type(item) is dict else None
        at = f"{list_name}: {quote(name) if type(name) is str else f'number {index + 1} of a page'}"
        if type(item) is not dict or type(name) is not str or not name:
            self.notes.append(f"{at} was left out: it has no {key}")
        elif name in by_key:
            self.notes.append(f"{at} was left out: its {key} is a duplicate")
        elif (why := self._unusable(item, list_name)) is not None:
            self.notes.append(f"{at} was left out: {why}")
        else:
            try:
                copy = checked_copy(self._valid(item, at, list_name), _LIMITS)
            except MalformedDocument as error:
                self.notes.append(f"{at} was left out: {clipped(str(error))}")
            else:
                by_key[name] = copy

    def _unusable(self, item: dict[str, Any], list_name: str) -> str | None:
        if type(item.get("name")) is not str:
            return "it has no name"
        if list_name != "tools":
            return None
        schema = item.get("inputSchema")
        if schema is not None and type(schema) is not dict:
            return "its inputSchema is not an object"
        # MCP 2026-07-28, Tools: a client must drop a tool whose `x-mcp-header` annotations are invalid.
        modern = self._session.protocol_version in MODERN_PROTOCOL_VERSIONS
        if modern and schema and find_invalid_x_mcp_header(schema) is not None:
            return "its inputSchema has an invalid x-mcp-header"
        return None

    def _valid(self, item: dict[str, Any], at: str, list_name: str) -> dict[str, Any]:
        """Return an item with the schema that MCP requires, without optional fields of a type that MCP does not define."""
        valid: dict[str, Any] = {}
        for name, value in item.items():
            wrong = (name in _OBJECTS and type(value) is not dict) or (
                name in _TEXTS and type(value) is not str
            )
            if not wrong:
                valid[name] = value
            elif value is not None:
                self.notes.append(f"{at}: its {name} was left out: wrong type")
        if list_name == "tools" and valid.get("inputSchema") is None:
            # MCP 2025-06-18, Schema Reference, Tool: required, and an object of any fields is the weakest one.
            valid["inputSchema"] = {"type": "object"}
            self.notes.append(f"{at}: it has no inputSchema; it takes any object")
        return valid


async def _in_thread_if_large(work: Callable[[], _T], size: int) -> _T:
    """Run `work` on `size` bytes, in a thread if it would block the event loop for long."""
    return await asyncio.to_thread(work) if size > MAX_ON_THE_LOOP else work()


async def _request_list(session: ClientSession, method: str, cursor: str | None) -> dict[str, Any]:
    """Return the result of a list request as received.

    `ClientSession.list_tools` and the like reject a whole page for one bad item. So the request is sent with mcp's
    private methods, as they do it; tests detect a change in the next version of mcp.
    """
    params = {} if cursor is None else {"cursor": cursor}
    data: dict[str, Any] = {"method": method, "params": params}
    options: Any = {}
    session._stamp(data, options)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] # see above
    return await session._dispatcher.send_raw_request(method, data["params"], options)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] # see above


def _size(page: dict[str, Any]) -> int:
    try:
        return len(orjson.dumps(page))
    except TypeError:
        # A number or a string that no card may contain: its item is left out later, with a note.
        return len(json.dumps(page))


async def _register_tools(session: ClientSession, tools: tuple[dict[str, Any], ...], size: int) -> None:
    """Register the tools with mcp, which copies arguments into headers as their schemas declare (MCP 2026-07-28)."""
    if session.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return
    plain = await _in_thread_if_large(partial(_tool_models, tools), size)
    listing = types.ListToolsResult(tools=plain)
    session._absorb_tool_listing(listing, complete=True)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] # only `list_tools` does this, with another request


def _tool_models(tools: tuple[dict[str, Any], ...]) -> list[types.Tool]:
    return [types.Tool(name=tool["name"], input_schema=tool["inputSchema"]) for tool in tools]


def _readable(value: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a JSON object that a card may contain."""
    readable: dict[str, Any] = {}
    for name, item in value.items():
        try:
            readable |= checked_copy({name: item}, _LIMITS)
        except MalformedDocument:
            continue
    return readable


def _text(value: str | None) -> str:
    return "" if value is None else str(_readable({"text": value}).get("text", ""))
