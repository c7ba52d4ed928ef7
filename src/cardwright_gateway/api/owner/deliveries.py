"""`…/webhooks/{webhookId}/deliveries`: what was delivered to receivers, and what is delivered again (BeeOS seed §7)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from cardwright.http.problem import BAD_HEADER, CARD_NOT_FOUND, ErrorCode, refuse
from cardwright_gateway.a2a.responses import json_response
from cardwright_gateway.api.owner.request import NOTHING_HERE, moment, paged

if TYPE_CHECKING:
    from cardwright.http.response import Response
    from cardwright_gateway.api.owner.request import OwnerRequest
    from cardwright_gateway.webhooks import Webhooks

# As many attempts are told at once (reliability 2f).
_MOST: Final = 200
_WEBHOOK_NOT_FOUND: Final = ErrorCode(404, "WEBHOOK_NOT_FOUND")
_IDEMPOTENCY: Final = re.compile(r"[!-~]{1,255}")


async def listed(request: OwnerRequest) -> Response:
    """Answer with a page of the attempts, the newest first."""
    agent, page = request.own(), request.page("deliveries")
    webhooks, params = _webhooks(request), request.params
    # One more than is told says whether there are more; nobody is given more than 200 at once.
    size = min(page.size, _MOST - 1)
    rows = await webhooks.deliveries(
        agent.id, params["task"], params["webhook"], limit=size + 1, before=page.after or None
    )
    if not rows and not page.after and not await webhooks.known(agent.id, params["task"], params["webhook"]):
        raise refuse(
            _WEBHOOK_NOT_FOUND, "the task has no such webhook, or is another agent's, or is forgotten"
        )
    page_rows = rows[:size]
    last = page_rows[-1].id if len(rows) > len(page_rows) else None
    return json_response(
        200, paged("deliveries", "deliveries", [_delivery_json(row) for row in page_rows], last)
    )


async def redelivered(request: OwnerRequest) -> Response:
    """Deliver again what an attempt failed to; the same `Idempotency-Key` twice is once."""
    agent = request.own()
    webhooks, params = _webhooks(request), request.params
    idempotency_key = request.exchange.header(b"idempotency-key")
    if idempotency_key is not None and not _IDEMPOTENCY.fullmatch(idempotency_key):
        raise refuse(BAD_HEADER, "Idempotency-Key has 1 to 255 visible ASCII characters")
    delivery_id = await webhooks.redeliver(
        agent.id,
        params["task"],
        params["webhook"],
        params["delivery"],
        actor=request.principal.name,
        owner_id=agent.config.owner,
        idempotency_key=idempotency_key,
    )
    return json_response(202, {"delivery_id": delivery_id})


def _webhooks(request: OwnerRequest) -> Webhooks:
    webhooks = request.services.webhooks
    if webhooks is None:
        raise refuse(CARD_NOT_FOUND, NOTHING_HERE)
    return webhooks


def _delivery_json(row: Any) -> dict[str, Any]:
    return {
        "id": row.id,
        "event_id": row.event_id,
        "number": row.number,
        "cause": row.cause,
        "started_at": moment(row.started_at),
        "ended_at": moment(row.ended_at),
        "outcome": row.outcome,
        "status_class": row.status_class,
        "duration_ms": row.duration_ms,
        "response_bytes": row.response_bytes,
    }
