"""`/audit`: what was changed of an owner's agents, and by whom."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from cardwright.http.problem import BAD_QUERY, refuse
from cardwright_gateway.a2a.responses import json_response
from cardwright_gateway.api.owner.request import moment, paged

if TYPE_CHECKING:
    from cardwright.http.response import Response
    from cardwright_gateway.api.owner.request import OwnerRequest


async def listed(request: OwnerRequest) -> Response:
    """Answer with a page of changes, the newest first: of all the caller's agents, or of the one that `agent_id` names."""
    page = request.page("audit")
    if page.after and not (page.after.isascii() and page.after.isdigit() and len(page.after) <= 18):
        raise refuse(BAD_QUERY, "page_token is the next_page_token of the page before, of the same list")
    before = int(page.after) if page.after else None
    named = request.exchange.parameter("agent_id")
    agents = request.owned() if named is None else [request.own_of(named)]
    ids = [agent.id for agent in agents]
    entries = await asyncio.to_thread(_gathered, request, ids, page.size + 1, before)
    page_entries = entries[: page.size]
    last = str(page_entries[-1].number) if len(entries) > len(page_entries) else None
    visible = [_entry_json(entry) for entry in page_entries if _own(request, entry)]
    return json_response(200, paged("audit", "entries", visible, last))


def _gathered(request: OwnerRequest, ids: list[str], limit: int, before: int | None) -> list[Any]:
    audit = request.services.audit
    rows = [row for agent_id in ids for row in audit.list(agent_id, limit=limit, before=before)]
    return sorted(rows, key=lambda row: -row.number)[:limit]


def _own(request: OwnerRequest, entry: Any) -> bool:
    """Whether a change is of the caller's time: an id may have been another owner's agent before, or nobody's."""
    return bool(entry.detail.get("owner_id") == request.principal.owner_id)


def _entry_json(entry: Any) -> dict[str, Any]:
    return {
        "number": entry.number,
        "at": moment(entry.at),
        "actor": entry.actor,
        "action": entry.action,
        "agent_id": entry.agent_id,
        "subject": entry.subject,
        "detail": dict(entry.detail),
    }
