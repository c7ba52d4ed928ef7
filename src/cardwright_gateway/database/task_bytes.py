"""The bytes that count for each owner's agents: their tasks, and the events of these in the outbox."""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, case, func, select
from sqlalchemy.dialects import postgresql, sqlite

from cardwright_gateway.database.tables import TASK_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection

# Added to the size of each task and event, so that empty ones count too: about the size of a row (project decision).
ROW_BYTES: Final = 512
# The rows of each owner: as many tasks can be saved at once without a wait (project decision).
_PARTS: Final = 8
_B: Final = TASK_BYTES.c


def _added(new: postgresql.Insert | sqlite.Insert) -> postgresql.Insert | sqlite.Insert:
    """Return the statement that adds bytes to a row of an owner, or inserts it."""
    key = [_B.agent_owner, _B.anonymous, _B.part]
    return new.on_conflict_do_update(index_elements=key, set_={"bytes": _B.bytes + new.excluded.bytes})


# Built once: each save of a task needs both, and building one costs as much as executing it.
_ADDED: Final = {
    "postgresql": _added(postgresql.insert(TASK_BYTES)),
    "sqlite": _added(sqlite.insert(TASK_BYTES)),
}
_USED: Final = select(
    func.coalesce(func.sum(_B.bytes), 0), func.coalesce(func.sum(case((_B.anonymous, _B.bytes), else_=0)), 0)
).where(_B.agent_owner == bindparam("owner_of_agent"))


@dataclass(frozen=True, slots=True)
class Change:
    """Bytes that a transaction adds or removes.

    Attributes:
        task_id: The task.
        agent_owner: The owner of its agent; "" for all agents without an owner.
        caller: The caller that the task belongs to, as a2a-sdk's stores name it.
        size: The bytes; negative if they are removed.
    """

    task_id: str
    agent_owner: str
    caller: str
    size: int


@dataclass(frozen=True, slots=True)
class UsedBytes:
    """What counts for an owner, in bytes.

    Attributes:
        total: All of it.
        anonymous: What callers without credentials caused.
    """

    total: int
    anonymous: int


def is_anonymous(caller: str) -> bool:
    """Whether a caller, as a2a-sdk's stores name it, has no credentials: the name after the agent's id is empty.

    >>> is_anonymous("weather:"), is_anonymous("weather:key:k_1")
    (True, False)
    """
    return caller.endswith(":")


def used_bytes(connection: Connection, agent_owner: str) -> UsedBytes:
    """Return what counts for an owner; reads a few rows, however many tasks there are."""
    total, of_anonymous = connection.execute(_USED, {"owner_of_agent": agent_owner}).one()
    return UsedBytes(int(total), int(of_anonymous))


def count(connection: Connection, changes: Iterable[Change]) -> None:
    """Count what a transaction writes and deletes, in that transaction."""
    changed = Counter[tuple[str, bool, int]]()
    for change in changes:
        part = zlib.crc32(change.task_id.encode()) % _PARTS
        changed[change.agent_owner, is_anonymous(change.caller), part] += change.size
    statement = _ADDED[connection.dialect.name]
    # In one order, so that no two transactions wait for each other.
    for (agent_owner, anonymous, part), size in sorted(changed.items()):
        if size:
            row = {"agent_owner": agent_owner, "anonymous": anonymous, "part": part, "bytes": size}
            connection.execute(statement, row)
