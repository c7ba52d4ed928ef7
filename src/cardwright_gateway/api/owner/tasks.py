"""The endpoints `/agents/{agentId}/tasks`: the stored tasks of an owner's agents, and their webhooks."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from cardwright.http.problem import A2A_ERRORS, ErrorCode, refuse
from cardwright_gateway.api.owner.request import answer, component, page_token, state_of
from cardwright_gateway.tasks.owner_tasks import cancel_task, find_task, list_tasks
from cardwright_gateway.tasks.states import TERMINAL, short_state
from cardwright_gateway_models.api import gateway as api

if TYPE_CHECKING:
    from cardwright.http.response import Response
    from cardwright_gateway.api.owner.request import OwnerRequest
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.tasks.owner_tasks import TaskSummary

_TASK_NOT_FOUND: Final = ErrorCode(404, "TASK_NOT_FOUND")
_NOT_CANCELABLE: Final = replace(A2A_ERRORS["TASK_NOT_CANCELABLE"], status=409)


async def list_agent_tasks(request: OwnerRequest) -> Response:
    """Return a page of the stored tasks of an agent, without their content."""
    agent, page = request.own(), request.page("tasks")
    database = request.services.accounts.database
    find = partial(
        list_tasks, database, agent, state=state_of(request), limit=page.size + 1, after=page.after
    )
    found = await asyncio.to_thread(find)
    tasks = found[: page.size]
    last = tasks[-1].id if len(found) > len(tasks) else None
    records = [component(api.TaskRecord, task, state=short_state(task.state)) for task in tasks]
    return answer(200, api.TaskPage(tasks=records, next_page_token=page_token("tasks", last)))


async def cancel_agent_task(request: OwnerRequest) -> Response:
    """Cancel a task of one of the caller's agents; its caller sees it as cancelled."""
    agent = request.own()
    task, owner = await stored_task(request, agent)
    public = request.services.urls.agent(agent.id)
    if task.state in TERMINAL or not await cancel_task(agent, public, task.id, owner):
        raise refuse(_NOT_CANCELABLE, "the task has ended, or the agent cannot cancel it")
    cancelled, _ = await stored_task(request, agent)
    return answer(200, component(api.TaskRecord, cancelled, state=short_state(cancelled.state)))


async def stored_task(request: OwnerRequest, agent: Agent) -> tuple[TaskSummary, str]:
    """Return the task in the path, and the owner of the task.

    Raises:
        HttpError: If the agent has no such task, or it is no longer stored.
    """
    find = partial(find_task, request.services.accounts.database, agent, request.params["task"])
    stored = await asyncio.to_thread(find)
    if stored is None:
        raise refuse(
            _TASK_NOT_FOUND, "the agent has no stored task with this id; list its tasks to get their ids"
        )
    return stored
