"""The endpoint `/audit`: the changes to an owner's agents, and who made them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from cardwright.http.problem import BAD_QUERY, refuse
from cardwright_gateway.api.owner.request import WRONG_PAGE, answer, component, page_token
from cardwright_gateway_models.api import gateway as api

if TYPE_CHECKING:
    from cardwright.http.response import Response
    from cardwright_gateway.api.owner.request import OwnerRequest


async def list_changes(request: OwnerRequest) -> Response:
    """Return a page of changes, newest first, to all of the caller's agents or to the one in `agent_id`."""
    page = request.page("audit")
    if page.after and not (page.after.isascii() and page.after.isdigit() and len(page.after) <= 18):
        raise refuse(BAD_QUERY, WRONG_PAGE)
    before = int(page.after) if page.after else None
    agent_id = request.exchange.parameter("agent_id")
    agents = request.owned() if agent_id is None else [request.own_of(agent_id)]
    ids = [agent.id for agent in agents]
    found = await asyncio.to_thread(_gathered, request, ids, page.size + 1, before)
    rows = found[: page.size]
    last = str(rows[-1].number) if len(found) > len(rows) else None
    entries = [component(api.AuditEntry, row) for row in rows if _own(request, row)]
    return answer(200, api.AuditPage(entries=entries, next_page_token=page_token("audit", last)))


def _gathered(request: OwnerRequest, ids: list[str], limit: int, before: int | None) -> list[Any]:
    audit = request.services.audit
    rows = [row for agent_id in ids for row in audit.list(agent_id, limit=limit, before=before)]
    return sorted(rows, key=lambda row: -row.number)[:limit]


def _own(request: OwnerRequest, entry: Any) -> bool:
    """Whether the caller owned the agent at that time: another owner may have used the id before."""
    return bool(entry.detail.get("owner_id") == request.principal.owner_id)
