"""Checks of MCP interfaces; a session is opened only with `send` (MCP 2025-06-18, Transports)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from cardwright.canonical import decode
from cardwright.discovery.probe.client import EVENTS
from cardwright.errors import MalformedDocument
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from cardwright.discovery.probe.client import HttpResponse
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.discovery.probe.report import Outcome
    from cardwright.view.interfaces import Interface

# The offered version; the server responds with the one it uses.
_VERSION: Final = "2025-06-18"


async def check_session(context: CheckContext, interface: Interface, subject: str, url: str) -> None:
    """Check that an MCP server responds; with `send`, open a session and close it."""
    if not context.send:
        response = await context.client.request("OPTIONS", url, {})
        outcome: Outcome = "warning" if response.status >= 500 else "pass"
        seen = f"HTTP {response.status} to OPTIONS; use --send to open a session"
        context.add("probe/interface-reachable", outcome, subject, seen, pointer=interface.pointer)
        return
    response = await _open_session(context, url)
    if response.denied:
        context.add(
            "probe/interface-reachable", "pass", subject, f"HTTP {response.status}", pointer=interface.pointer
        )
        return
    result = _result(response)
    version = result.get("protocolVersion")
    if type(version) is str and "serverInfo" in result:
        seen = f"an MCP session opened, version {quote(version)}"
        context.add("probe/interface-binding", "pass", subject, seen, pointer=interface.pointer)
    else:
        seen = f"response to initialize: HTTP {response.status}, not an MCP result"
        context.add("probe/interface-binding", "error", subject, seen, pointer=interface.pointer)
    session = response.headers.get("mcp-session-id")
    if session:
        await context.client.request("DELETE", url, {"Mcp-Session-Id": session})


async def _open_session(context: CheckContext, url: str) -> HttpResponse:
    params = {
        "protocolVersion": _VERSION,
        "capabilities": {},
        "clientInfo": {"name": "cardwright-probe", "version": "1"},
    }
    call = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    fields = {"Content-Type": "application/json", "Accept": f"application/json, {EVENTS}"}
    return await context.client.request("POST", url, fields, content=orjson.dumps(call))


def _result(response: HttpResponse) -> dict[str, Any]:
    try:
        value = decode(response.body)
    except MalformedDocument:
        return {}
    result = value.get("result") if type(value) is dict else None
    return result if type(result) is dict else {}
