"""`…/webhooks/{webhookId}/deliveries`: delivery attempts of a webhook, and redelivery (BeeOS seed §7)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cardwright.http.problem import BAD_HEADER, ErrorCode, HttpError, refuse
from cardwright_gateway.api.owner.request import NOTHING_HERE, answer, component, page_token
from cardwright_models.api import gateway as api

if TYPE_CHECKING:
    from cardwright_gateway.a2a.responses import Reply
    from cardwright_gateway.api.owner.request import Asked
    from cardwright_gateway.webhooks import Webhooks

# The maximum number of attempts in one response (reliability 2f).
_MAX_ATTEMPTS: Final = 200
_WEBHOOK_NOT_FOUND: Final = ErrorCode(404, "WEBHOOK_NOT_FOUND")
_IDEMPOTENCY: Final = re.compile(r"[!-~]{1,255}")


async def listed(asked: Asked) -> Reply:
    """Return a page of the attempts, the newest first."""
    agent, page = asked.own(), asked.page("deliveries")
    webhooks, steps = _webhooks(asked), asked.steps
    # One row more than the page shows whether another page follows.
    size = min(page.size, _MAX_ATTEMPTS - 1)
    rows = await webhooks.deliveries(
        agent.id, steps["task"], steps["webhook"], limit=size + 1, before=page.after or None
    )
    if not rows and not page.after and not await webhooks.known(agent.id, steps["task"], steps["webhook"]):
        raise refuse(
            _WEBHOOK_NOT_FOUND, "the task has no such webhook, or is another agent's, or is forgotten"
        )
    shown = rows[:size]
    last = shown[-1].id if len(rows) > len(shown) else None
    records = [component(api.Delivery, row) for row in shown]
    return answer(200, api.DeliveryPage(deliveries=records, next_page_token=page_token("deliveries", last)))


async def redelivered(asked: Asked) -> Reply:
    """Repeat a delivery; requests with the same `Idempotency-Key` repeat it once."""
    agent = asked.own()
    webhooks, steps = _webhooks(asked), asked.steps
    said = asked.header(b"idempotency-key")
    if said is not None and not _IDEMPOTENCY.fullmatch(said):
        raise refuse(BAD_HEADER, "Idempotency-Key has 1 to 255 visible ASCII characters")
    delivery_id = await webhooks.redeliver(
        agent.id,
        steps["task"],
        steps["webhook"],
        steps["delivery"],
        actor=asked.principal.name,
        owner_id=agent.config.owner,
        idempotency_key=said,
    )
    return answer(202, api.Redelivery(delivery_id=delivery_id))


def _webhooks(asked: Asked) -> Webhooks:
    found = asked.services.webhooks
    if found is None:
        raise HttpError(NOTHING_HERE)
    return found
