"""The endpoints `…/webhooks/{webhookId}/deliveries`: delivery attempts and redelivery (BeeOS seed §7)."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final

from cardwright.dates import rfc3339_at
from cardwright.http.problem import BAD_HEADER, NO_SUCH_PATH, ErrorCode, refuse
from cardwright_gateway.api.owner.request import UNKNOWN_PATH, answer, component, page_token
from cardwright_gateway.api.owner.tasks import stored_task
from cardwright_gateway.webhooks.admin import Deliveries
from cardwright_gateway.webhooks.rows import STATES
from cardwright_gateway_models.api import gateway as api

if TYPE_CHECKING:
    from cardwright.http.response import Response
    from cardwright_gateway.api.owner.request import OwnerRequest
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.webhooks import Webhooks

# The maximum number of attempts in one response (project decision).
_MAX_ATTEMPTS: Final = 200
_WEBHOOK_NOT_FOUND: Final = ErrorCode(404, "WEBHOOK_NOT_FOUND")
_NO_WEBHOOK: Final = "the task has no such webhook, belongs to another agent, or is no longer stored"
_IDEMPOTENCY: Final = re.compile(r"[!-~]{1,255}")


async def list_webhooks(request: OwnerRequest) -> Response:
    """Return the webhooks of a task, without their URLs and secrets."""
    agent = request.own()
    await _own_webhooks(request, agent)
    admin = Deliveries(request.services.accounts.database)
    webhooks = await asyncio.to_thread(admin.webhooks, agent.id, request.params["task"])
    if not webhooks:
        await stored_task(request, agent)
    records = [
        api.WebhookRecord(
            id=webhook.id,
            caller=webhook.caller,
            disabled_at=rfc3339_at(webhook.disabled_at),
            **{state: webhook.events.get(state, 0) for state in STATES},
        )
        for webhook in webhooks
    ]
    return answer(200, api.WebhookPage(webhooks=records))


async def list_events(request: OwnerRequest) -> Response:
    """Return a page of the events of a webhook, the newest first: one row for each delivery."""
    agent, page, params = request.own(), request.page("events"), request.params
    webhooks = await _own_webhooks(request, agent)
    find = partial(
        Deliveries(request.services.accounts.database).events,
        agent.id, params["task"], params["webhook"], limit=page.size + 1, before=page.after,
    )  # fmt: skip
    rows = await asyncio.to_thread(find)
    if not rows and not page.after and not await webhooks.known(agent.id, params["task"], params["webhook"]):
        raise refuse(_WEBHOOK_NOT_FOUND, _NO_WEBHOOK)
    shown = rows[: page.size]
    last = str(shown[-1]["id"]) if len(rows) > len(shown) else None
    events = [component(api.DeliveryEvent, SimpleNamespace(**row)) for row in shown]
    return answer(200, api.DeliveryEventPage(events=events, next_page_token=page_token("events", last)))


async def list_deliveries(request: OwnerRequest) -> Response:
    """Return a page of the attempts, the newest first."""
    agent = request.own()
    return await delivery_page(request, await _own_webhooks(request, agent), agent.id)


async def delivery_page(request: OwnerRequest, webhooks: Webhooks, agent_id: str) -> Response:
    """Return a page of the attempts of the webhook in the path, the newest first.

    Args:
        request: The request.
        webhooks: The webhook service.
        agent_id: The agent of the task.

    Raises:
        HttpError: If the task has no such webhook.
    """
    page, params = request.page("deliveries"), request.params
    # One row more than the page shows whether another page follows.
    size = min(page.size, _MAX_ATTEMPTS - 1)
    rows = await webhooks.deliveries(
        agent_id, params["task"], params["webhook"], limit=size + 1, before=page.after or None
    )
    if not rows and not page.after and not await webhooks.known(agent_id, params["task"], params["webhook"]):
        raise refuse(_WEBHOOK_NOT_FOUND, _NO_WEBHOOK)
    attempts = rows[:size]
    last = attempts[-1].id if len(rows) > len(attempts) else None
    records = [component(api.Delivery, row) for row in attempts]
    return answer(200, api.DeliveryPage(deliveries=records, next_page_token=page_token("deliveries", last)))


async def redeliver(request: OwnerRequest) -> Response:
    """Repeat a delivery; requests with the same `Idempotency-Key` repeat it once."""
    agent = request.own()
    webhooks, params = await _own_webhooks(request, agent), request.params
    key = request.exchange.header(b"idempotency-key")
    if key is not None and not _IDEMPOTENCY.fullmatch(key):
        raise refuse(BAD_HEADER, "Idempotency-Key must have 1 to 255 visible ASCII characters")
    delivery_id = await webhooks.redeliver(
        agent.id,
        params["task"],
        params["webhook"],
        params["delivery"],
        actor=request.principal.name,
        owner_id=agent.config.owner,
        idempotency_key=key,
    )
    return answer(202, api.Redelivery(delivery_id=delivery_id))


async def _own_webhooks(request: OwnerRequest, agent: Agent) -> Webhooks:
    """Return the webhook service, for the task in the path.

    Raises:
        HttpError: If webhooks are off, or the task was one of a former owner's agent.
    """
    webhooks = request.services.webhooks
    if webhooks is None:
        raise refuse(NO_SUCH_PATH, UNKNOWN_PATH)
    admin = Deliveries(request.services.accounts.database)
    task = request.params["task"]
    if await asyncio.to_thread(admin.is_of_another_owner, agent.id, agent.config.owner, task):
        raise refuse(_WEBHOOK_NOT_FOUND, _NO_WEBHOOK)
    return webhooks
