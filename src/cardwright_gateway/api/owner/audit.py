"""`/audit`: the changes of an owner's agents, and who made them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from cardwright.http.problem import BAD_QUERY, refuse
from cardwright_gateway.api.owner.request import answer, component, page_token
from cardwright_models.api import gateway as api

if TYPE_CHECKING:
    from cardwright_gateway.a2a.responses import Reply
    from cardwright_gateway.api.owner.request import Asked


async def listed(asked: Asked) -> Reply:
    """Return a page of changes, the newest first: of all the caller's agents, or of the one that `agent_id` names."""
    page = asked.page("audit")
    if page.after and not (page.after.isascii() and page.after.isdigit() and len(page.after) <= 18):
        raise refuse(BAD_QUERY, "page_token is the next_page_token of the page before, of the same list")
    before = int(page.after) if page.after else None
    named = asked.field("agent_id")
    agents = asked.owned() if named is None else [asked.own_of(named)]
    ids = [agent.id for agent in agents]
    found = await asyncio.to_thread(_gathered, asked, ids, page.size + 1, before)
    shown = found[: page.size]
    last = str(shown[-1].number) if len(found) > len(shown) else None
    entries = [component(api.AuditEntry, one) for one in shown if _own(asked, one)]
    return answer(200, api.AuditPage(entries=entries, next_page_token=page_token("audit", last)))


def _gathered(asked: Asked, ids: list[str], limit: int, before: int | None) -> list[Any]:
    audit = asked.services.audit
    rows = [row for agent_id in ids for row in audit.list(agent_id, limit=limit, before=before)]
    return sorted(rows, key=lambda row: -row.number)[:limit]


def _own(asked: Asked, entry: Any) -> bool:
    """Whether the caller owned the agent at that time: the id may have belonged to another agent before."""
    return bool(entry.detail.get("owner_id") == asked.principal.owner_id)
