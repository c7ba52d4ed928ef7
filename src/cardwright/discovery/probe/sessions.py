"""Interfaces of MCP: a session is opened only where messages may be sent (MCP 2025-06-18, Transports)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from cardwright.canonical import decode
from cardwright.discovery.probe.client import EVENTS
from cardwright.errors import MalformedDocument
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from cardwright.discovery.interfaces import Interface
    from cardwright.discovery.probe.client import Heard
    from cardwright.discovery.probe.context import CheckContext
    from cardwright.discovery.probe.report import Outcome

# What is offered; a server answers with what it speaks.
_VERSION: Final = "2025-06-18"


async def look_at_session(desk: CheckContext, one: Interface, subject: str, url: str) -> None:
    """Look whether a server of MCP is there; with `send`, whether it opens a session, which is ended again."""
    if not desk.send:
        heard = await desk.asker.ask("OPTIONS", url, {})
        outcome: Outcome = "warning" if heard.status >= 500 else "pass"
        seen = f"it answers {heard.status} to OPTIONS; --send opens a session"
        desk.say("probe/interface-reachable", outcome, subject, seen, pointer=one.pointer)
        return
    heard = await _opened(desk, url)
    if heard.denied:
        desk.say(
            "probe/interface-reachable", "pass", subject, f"it answers {heard.status}", pointer=one.pointer
        )
        return
    result = _result(heard)
    version = result.get("protocolVersion")
    if type(version) is str and "serverInfo" in result:
        seen = f"it opens a session of MCP {quote(version)}"
        desk.say("probe/interface-binding", "pass", subject, seen, pointer=one.pointer)
    else:
        seen = f"asked to initialize, it answers HTTP {heard.status} with no result of MCP"
        desk.say("probe/interface-binding", "error", subject, seen, pointer=one.pointer)
    session = heard.headers.get("mcp-session-id")
    if session:
        await desk.asker.ask("DELETE", url, {"Mcp-Session-Id": session})


async def _opened(desk: CheckContext, url: str) -> Heard:
    params = {
        "protocolVersion": _VERSION,
        "capabilities": {},
        "clientInfo": {"name": "cardwright-probe", "version": "1"},
    }
    call = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    fields = {"Content-Type": "application/json", "Accept": f"application/json, {EVENTS}"}
    return await desk.asker.ask("POST", url, fields, content=orjson.dumps(call))


def _result(heard: Heard) -> dict[str, Any]:
    try:
        value = decode(heard.body)
    except MalformedDocument:
        return {}
    result = value.get("result") if type(value) is dict else None
    return result if type(result) is dict else {}
