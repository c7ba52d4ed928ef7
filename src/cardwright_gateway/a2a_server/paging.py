"""Pages of `ListTasks` (A2A 1.0 §3.1.4) that end when their tasks reach a maximum size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from a2a.types.a2a_pb2 import ListTasksResponse, Task
from a2a.utils.constants import DEFAULT_LIST_TASKS_PAGE_SIZE
from a2a.utils.errors import InvalidParamsError
from a2a.utils.task import (
    ListTasksCursor,
    decode_list_tasks_cursor,
    decode_page_token,
    encode_list_tasks_cursor,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from a2a.types.a2a_pb2 import ListTasksRequest

# The total size of the tasks of a page; a page has at least one task (project decision).
MAX_PAGE_BYTES: Final = 1024 * 1024


def page_size_of(params: ListTasksRequest) -> int:
    """Return the maximum number of tasks of a page."""
    return params.page_size or DEFAULT_LIST_TASKS_PAGE_SIZE


def empty_page(params: ListTasksRequest) -> ListTasksResponse:
    """Return the response to a caller without tasks."""
    return ListTasksResponse(page_size=page_size_of(params))


def wants_history(params: ListTasksRequest) -> bool:
    """Whether a request wants messages of the history (A2A 1.0 §3.2.4)."""
    return not params.HasField("history_length") or params.history_length > 0


def fitting(sizes: Iterable[int]) -> int:
    """Return how many of the first tasks fit on a page, at least one; `sizes` is read no further than that.

    >>> fitting([600_000, 400_000, 100_000]), fitting([9_000_000, 1])
    (2, 1)
    """
    count = total = 0
    for size in sizes:
        total += size
        if count and total > MAX_PAGE_BYTES:
            break
        count += 1
    return count


def page_of(tasks: Iterable[Task], params: ListTasksRequest) -> ListTasksResponse:
    """Return the page of a caller's tasks that a request asks for, with copies of what it asks for.

    Args:
        tasks: All tasks of the caller.
        params: The request.

    Raises:
        InvalidParamsError: If the page token is not valid.
    """
    matching = sorted(
        (task for task in tasks if _matches(task, params)),
        key=lambda task: _cursor(task).sort_key(),
        reverse=True,
    )
    page_size = page_size_of(params)
    start = _start(matching, params.page_token) if params.page_token else 0
    page: list[Task] = []

    def sizes() -> Iterable[int]:
        for task in matching[start : start + page_size]:
            page.append(_listed(task, params))
            yield page[-1].ByteSize()

    end = start + (count := fitting(sizes()))
    last = encode_list_tasks_cursor(_cursor(matching[end - 1])) if end < len(matching) and count else ""
    return ListTasksResponse(
        tasks=page[:count], total_size=len(matching), next_page_token=last, page_size=page_size
    )


def _matches(task: Task, params: ListTasksRequest) -> bool:
    if params.context_id and task.context_id != params.context_id:
        return False
    if params.status and task.status.state != params.status:
        return False
    if not params.HasField("status_timestamp_after"):
        return True
    after = params.status_timestamp_after.ToNanoseconds()
    return bool(task.status.HasField("timestamp") and task.status.timestamp.ToNanoseconds() >= after)


def _cursor(task: Task) -> ListTasksCursor:
    dated = task.status.HasField("timestamp")
    return ListTasksCursor(task.status.timestamp.ToNanoseconds() if dated else None, task.id)


def _start(tasks: Sequence[Task], page_token: str) -> int:
    """Return the index of the first task after a page token."""
    cursor = decode_list_tasks_cursor(page_token)
    if cursor is not None:
        after = cursor.sort_key()
        return next((i for i, task in enumerate(tasks) if _cursor(task).sort_key() < after), len(tasks))
    # Tokens of older versions of a2a-sdk name the first task of the page.
    first = decode_page_token(page_token)
    for index, task in enumerate(tasks):
        if task.id == first:
            return index
    raise InvalidParamsError(f"Invalid page token: {page_token}")


def _listed(task: Task, params: ListTasksRequest) -> Task:
    """Return a copy of a task with the fields that a request asks for."""
    listed = Task(id=task.id, context_id=task.context_id)
    if task.HasField("status"):
        listed.status.CopyFrom(task.status)
    if task.HasField("metadata"):
        listed.metadata.CopyFrom(task.metadata)
    if params.include_artifacts:
        listed.artifacts.extend(task.artifacts)
    if wants_history(params):
        last = params.history_length if params.HasField("history_length") else len(task.history)
        listed.history.extend(task.history[max(0, len(task.history) - last) :])
    return listed
