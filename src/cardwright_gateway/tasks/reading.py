"""Pages of stored tasks: their sizes are read first, then only what the page contains."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import orjson
from a2a.types.a2a_pb2 import ListTasksResponse, TaskState
from a2a.utils.task import decode_list_tasks_cursor, encode_list_tasks_cursor
from sqlalchemy import Text, case, cast, func, select

from cardwright_gateway.a2a_server.paging import fitting, page_size_of, wants_history
from cardwright_gateway.tasks.models import TaskRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from a2a.server.context import ServerCallContext
    from a2a.server.tasks import DatabaseTaskStore
    from a2a.types.a2a_pb2 import ListTasksRequest, Task
    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncSession

# Columns with JSON, by their attributes: in every page, and if the request has them.
_ALWAYS: Final = ("status", "task_metadata")
_JSON: Final = frozenset({*_ALWAYS, "artifacts", "history"})


async def list_tasks(
    store: DatabaseTaskStore, params: ListTasksRequest, context: ServerCallContext
) -> ListTasksResponse:
    """Return a page of the tasks of a caller, like a2a-sdk's `DatabaseTaskStore.list`.

    That one loads a hundred whole tasks, on the event loop, and answers with all of them.

    Raises:
        InvalidParamsError: If the page token is not valid.
    """
    owner = store.owner_resolver(context)
    page_size = page_size_of(params)
    async with store.async_session_maker() as session:
        matching = _matching(params, owner)
        total = (await session.execute(select(func.count(TaskRow.id)).where(*matching))).scalar_one()
        after = await _after(store, session, owner, params.page_token)
        keys = (
            select(TaskRow.id, TaskRow.last_updated, (TaskRow.size - TaskRow.event_bytes).label("size"))
            .where(*matching, *after)
            .order_by(
                # As in a2a-sdk: those without a time come last.
                case((TaskRow.last_updated.is_(None), 1), else_=0),
                TaskRow.last_updated.desc(),
                TaskRow.id.desc(),
            )
            .limit(page_size + 1)
        )
        found = (await session.execute(keys)).all()
        page = found[: fitting(key.size for key in found[:page_size])]
        rows = await _read(session, [key.id for key in page], owner, params)
    token = (
        encode_list_tasks_cursor(store._cursor_for(page[-1]))  # type: ignore[arg-type] # noqa: SLF001 - it has the columns
        if len(page) < len(found)
        else ""
    )
    tasks = await asyncio.to_thread(parsed, store, rows)
    return ListTasksResponse(tasks=tasks, total_size=total, next_page_token=token, page_size=page_size)


def _matching(params: ListTasksRequest, owner: str) -> list[ColumnElement[bool]]:
    matching: list[ColumnElement[bool]] = [TaskRow.owner == owner]
    if params.context_id:
        matching.append(TaskRow.context_id == params.context_id)
    if params.status:
        matching.append(TaskRow.state == TaskState.Name(params.status))
    if params.HasField("status_timestamp_after"):
        matching.append(TaskRow.last_updated >= params.status_timestamp_after.ToDatetime())
    return matching


async def _after(
    store: DatabaseTaskStore, session: AsyncSession, owner: str, page_token: str
) -> list[ColumnElement[bool]]:
    """Return the condition for the tasks after a page token of a2a-sdk."""
    if not page_token:
        return []
    cursor = decode_list_tasks_cursor(page_token)
    if cursor is not None:
        return [store._after_cursor(cursor)]  # pyright: ignore[reportPrivateUsage] # noqa: SLF001 - so that the tokens stay those of a2a-sdk
    return [await store._legacy_page_clause(session, owner, page_token)]  # pyright: ignore[reportPrivateUsage] # noqa: SLF001 - as above


async def _read(session: AsyncSession, ids: Sequence[str], owner: str, params: ListTasksRequest) -> list[Any]:
    """Return the columns that a request asks for of some tasks, in their order; JSON as text."""
    names = [
        *_ALWAYS,
        *(("artifacts",) if params.include_artifacts else ()),
        *(("history",) if wants_history(params) else ()),
    ]
    columns = [cast(getattr(TaskRow, name), Text).label(name) for name in names]
    query = select(TaskRow.id, TaskRow.context_id, TaskRow.protocol_version, *columns)
    rows = (await session.execute(query.where(TaskRow.id.in_(ids), TaskRow.owner == owner))).mappings()
    by_id = {row["id"]: dict(row) for row in rows}
    # A task may have been deleted since its size was read.
    return [by_id[task_id] for task_id in ids if task_id in by_id]


def parsed(store: DatabaseTaskStore, rows: Sequence[dict[str, Any]]) -> list[Task]:
    """Return the tasks of rows by attributes, with JSON as text."""
    tasks: list[Task] = []
    for row in rows:
        values = {
            name: orjson.loads(value) if name in _JSON and value is not None else value
            for name, value in row.items()
        }
        model: Any = TaskRow(**values)
        tasks.append(store._from_orm(model))  # pyright: ignore[reportPrivateUsage] # noqa: SLF001 - as above
    return tasks
