"""The size of what a task contains, and the limits of one task.

Each read and write of a task converts all of it, in Python: its JSON values and its text cost much more than its bytes.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from cardwright.canonical import count_values
from cardwright_gateway.errors import TasksFull

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from a2a.types.a2a_pb2 import Artifact, Message, Task

# The maximum number of JSON values of one task, and its maximum text, in bytes: enough for the longest ASCII message and
# an answer of the same length, with their ids and metadata (project decision).
MAX_TASK_VALUES: Final = 20_000
MAX_TASK_TEXT: Final = 2_200_000
# The maximum text of a task in memory: it costs less, because a2a-sdk searches text for surrogates when it reads a task
# from the database (project decision).
MAX_MEMORY_TEXT: Final = 4 * 1024 * 1024
# By how much the write that ends a task may pass the limits: otherwise a task could not be ended (project decision).
ENDING_BYTES: Final = 16 * 1024
# Larger tasks are converted in a thread, in bytes (project decision).
_INLINE_BYTES: Final = 8 * 1024
_T = TypeVar("_T")
_P = ParamSpec("_P")


@dataclass(frozen=True, slots=True)
class Content:
    """The size of a task, a message or a report.

    Attributes:
        size: All of it, in bytes.
        values: Its messages, artifacts and parts, and the JSON values of their data and metadata.
        text: Its bytes without the content of `raw` parts.
    """

    size: int = 0
    values: int = 0
    text: int = 0

    def __add__(self, other: Content) -> Content:
        return Content(self.size + other.size, self.values + other.values, self.text + other.text)

    def with_report(self, report: Content, reported: Content) -> Content:
        """Return the size of a task after a report, if it has at least the size of all reports on its turn."""
        whole = self + report
        return Content(
            max(whole.size, reported.size), max(whole.values, reported.values), max(whole.text, reported.text)
        )

    def check(self, max_text: int | None = None) -> None:
        """Check the number of values and the text of a task.

        Raises:
            TasksFull: If one exceeds its maximum.
        """
        self.check_growth(Content(), max_text)

    def check_growth(self, before: Content, max_text: int | None = None) -> None:
        """Check what has grown since a task had another size.

        Raises:
            TasksFull: If it exceeds its maximum.
        """
        if self.values > max(before.values, MAX_TASK_VALUES):
            raise TasksFull("values", MAX_TASK_VALUES)
        max_text = max_text or MAX_TASK_TEXT
        if self.text > max(before.text, max_text):
            raise TasksFull("text", max_text)


async def off_loop(size: int, work: Callable[_P, _T], *args: _P.args, **options: _P.kwargs) -> _T:
    """Return the result of work on a task of a size, in bytes; a large one is worked on in a thread."""
    if size > _INLINE_BYTES:
        return await asyncio.to_thread(work, *args, **options)
    return work(*args, **options)


def task_content(task: Task) -> Content:
    """Return the size of a task."""
    messages = (*task.history, task.status.message) if task.status.HasField("message") else task.history
    values, raw = _content(messages, task.artifacts)
    if task.HasField("metadata"):
        values += _count([task.metadata])
    size = task.ByteSize()
    return Content(size, values, size - raw)


def message_content(message: Message) -> Content:
    """Return the size of a message."""
    values, raw = _content([message], ())
    size = message.ByteSize()
    return Content(size, values, size - raw)


def report_content(report: Mapping[str, Any], encoded: bytes) -> Content:
    """Return the size of a worker's report, which is valid.

    Args:
        report: The report.
        encoded: The same as JSON.
    """
    raw = sum(len(part.get("raw", "")) for part in report.get("parts", ()))
    return Content(len(encoded), count_values(encoded, MAX_TASK_VALUES), len(encoded) - raw)


def _content(messages: Sequence[Message], artifacts: Iterable[Artifact]) -> tuple[int, int]:
    """Return how many values messages and artifacts have, and the bytes in their `raw` parts."""
    values = raw = 0
    data: list[Any] = []
    holders: list[Message | Artifact] = [*messages, *artifacts]
    for holder in holders:
        values += 1 + len(holder.parts) + len(holder.extensions)
        if holder.HasField("metadata"):
            data.append(holder.metadata)
        for part in holder.parts:
            if part.HasField("data"):
                data.append(part.data)
            elif part.HasField("raw"):
                raw += len(part.raw)
            if part.HasField("metadata"):
                data.append(part.metadata)
    for message in messages:
        values += len(message.reference_task_ids)
    return values + _count(data), raw


def _count(left: list[Any]) -> int:
    """Return how many values some `Struct` and `Value` have; empties the list."""
    values = 0
    while left:
        value = left.pop()
        values += 1
        fields = getattr(value, "fields", None)
        if fields is None:
            kind = value.WhichOneof("kind")
            if kind == "struct_value":
                fields = value.struct_value.fields
            elif kind == "list_value":
                left.extend(value.list_value.values)
        if fields:
            left.extend(fields.values())
    return values
