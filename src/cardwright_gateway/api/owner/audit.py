"""`/audit`: the changes of an owner's agents, and who made them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from cardwright.http.problem import BAD_QUERY, refuse
from cardwright_gateway.api.owner.request import answer, component, page_token
from cardwright_models.api import gateway as api

if TYPE_CHECKING:
    from cardwright.http.response import Response
    from cardwright_gateway.api.owner.request import OwnerRequest


async def listed(request: OwnerRequest) -> Response:
    """Return a page of changes, the newest first: of all the caller's agents, or of the one that `agent_id` names."""
    page = request.page("audit")
    if page.after and not (page.after.isascii() and page.after.isdigit() and len(page.after) <= 18):
        raise refuse(BAD_QUERY, "page_token is the next_page_token of the page before, of the same list")
    before = int(page.after) if page.after else None
    named = request.exchange.parameter("agent_id")
    agents = request.owned() if named is None else [request.own_of(named)]
    ids = [agent.id for agent in agents]
    found = await asyncio.to_thread(_gathered, request, ids, page.size + 1, before)
    shown = found[: page.size]
    last = str(shown[-1].number) if len(found) > len(shown) else None
    entries = [component(api.AuditEntry, one) for one in shown if _own(request, one)]
    return answer(200, api.AuditPage(entries=entries, next_page_token=page_token("audit", last)))


def _gathered(request: OwnerRequest, ids: list[str], limit: int, before: int | None) -> list[Any]:
    audit = request.services.audit
    rows = [row for agent_id in ids for row in audit.list(agent_id, limit=limit, before=before)]
    return sorted(rows, key=lambda row: -row.number)[:limit]


def _own(request: OwnerRequest, entry: Any) -> bool:
    """Whether the caller owned the agent at that time: the id may have belonged to another agent before."""
    return bool(entry.detail.get("owner_id") == request.principal.owner_id)
