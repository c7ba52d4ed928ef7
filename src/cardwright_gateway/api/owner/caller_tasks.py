"""The endpoints `/tasks`: a caller's own tasks, with their webhooks and deliveries."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from cardwright.dates import rfc3339
from cardwright.http.problem import A2A_ERRORS, BAD_QUERY, NO_SUCH_PATH, refuse
from cardwright_gateway.api.owner.deliveries import delivery_page
from cardwright_gateway.api.owner.request import UNKNOWN_PATH, WRONG_PAGE, answer, page_token, state_of
from cardwright_gateway.auth.access import owner_of
from cardwright_gateway.auth.limiter import OWN_TASKS
from cardwright_gateway.errors import UnknownAgent
from cardwright_gateway.tasks.states import short_state
from cardwright_gateway_models.api import gateway as api

if TYPE_CHECKING:
    from cardwright.http.response import Response
    from cardwright_gateway.api.owner.request import OwnerRequest
    from cardwright_gateway.auth.principal import Principal
    from cardwright_gateway.tasks.caller_tasks import CallerTask
    from cardwright_gateway.webhooks import Webhooks

_TASK_NOT_FOUND: Final = A2A_ERRORS["TASK_NOT_FOUND"]
_UNKNOWN: Final = "you have no such task; it was never stored, belongs to another caller, or was deleted"


async def list_tasks(request: OwnerRequest) -> Response:
    """Return a page of the caller's tasks, those first that changed last."""
    owners = await _owners(request, await counted(request))
    page = request.page("tasks")
    find = partial(
        request.services.tasks.list,
        owners,
        state=state_of(request),
        limit=page.size + 1,
        before=_opened(page.after) if page.after else None,
    )
    found = await asyncio.to_thread(find)
    tasks = found[: page.size]
    last = f"{tasks[-1].last_updated.isoformat()} {tasks[-1].id}" if len(found) > len(tasks) else None
    records = [record(task) for task in tasks]
    return answer(200, api.CallerTaskPage(tasks=records, next_page_token=page_token("tasks", last)))


async def list_webhooks(request: OwnerRequest) -> Response:
    """Return the webhooks of one of the caller's tasks."""
    task = await own_task(request, await counted(request))
    receivers = await webhooks_of(request).configs.receivers(task.id)
    records = [
        api.CallerWebhook(
            id=receiver.config_id,
            url=receiver.url if receiver.readable else None,
            signed=bool(receiver.secrets),
        )
        for receiver in receivers
    ]
    return answer(200, api.CallerWebhookList(webhooks=records))


async def list_deliveries(request: OwnerRequest) -> Response:
    """Return a page of the delivery attempts of a webhook of one of the caller's tasks, the newest first."""
    task = await own_task(request, await counted(request))
    return await delivery_page(request, webhooks_of(request), task.agent_id)


async def own_task(request: OwnerRequest, principal: Principal) -> CallerTask:
    """Return a caller's task in the path.

    Raises:
        HttpError: If the caller has no such task.
        UnknownAgent: If there is no agent as in `agent_id`, or the caller's key is for another.
    """
    owners = await _owners(request, principal)
    task = await asyncio.to_thread(request.services.tasks.find, owners, request.params["task"])
    if task is None:
        raise refuse(_TASK_NOT_FOUND, _UNKNOWN)
    return task


def record(task: CallerTask) -> api.CallerTask:
    """Return a task as its caller sees it."""
    return api.CallerTask(
        id=task.id,
        agent_id=task.agent_id,
        context_id=task.context_id,
        state=short_state(task.state),
        updated_at=rfc3339(task.last_updated.replace(tzinfo=UTC)),
    )


def webhooks_of(request: OwnerRequest) -> Webhooks:
    """Return the webhook service.

    Raises:
        HttpError: If webhooks are off.
    """
    if request.services.webhooks is None:
        raise refuse(NO_SUCH_PATH, UNKNOWN_PATH)
    return request.services.webhooks


async def counted(request: OwnerRequest) -> Principal:
    """Return the caller, and count the request.

    Raises:
        HttpError: If the caller is anonymous, or has sent too many requests.
    """
    principal = await request.caller()
    limiter = request.services.limiter
    request.exchange.rate_limit = await limiter.admit(principal.agent_id or OWN_TASKS, principal, "")
    return principal


async def _owners(request: OwnerRequest, principal: Principal) -> list[str]:
    """Return a caller as the owner of tasks, for each agent, or for the one in `agent_id`."""
    agents = [principal.agent_id] if principal.agent_id else list(request.services.agents.by_id)
    agent_id = request.exchange.parameter("agent_id")
    if agent_id is not None:
        if agent_id not in agents or not _may_know(request, principal, agent_id):
            raise UnknownAgent(agent_id)
        agents = [agent_id]
    return [owner_of(one, principal.name) for one in agents]


def _may_know(request: OwnerRequest, principal: Principal, agent_id: str) -> bool:
    """Whether a caller may know that an agent exists."""
    agent = request.services.agents.get(agent_id)
    if agent is None:
        return False
    if agent.config.visibility != "private" or principal.kind == "key":
        return True
    return bool(principal.owner_id) and principal.owner_id == agent.config.owner


def _opened(last: str) -> tuple[datetime, str]:
    """Return the time and the id in a page token.

    Raises:
        HttpError: If it is not the token of such a page.
    """
    text, _, task_id = last.partition(" ")
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None), task_id
    except ValueError:
        raise refuse(BAD_QUERY, WRONG_PAGE) from None
