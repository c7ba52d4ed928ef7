"""The bytes that count for each owner's agents: their tasks, and the events of these in the outbox."""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import case, func, select
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
    anonymous = func.sum(case((_B.anonymous, _B.bytes), else_=0))
    query = select(func.coalesce(func.sum(_B.bytes), 0), func.coalesce(anonymous, 0))
    total, of_anonymous = connection.execute(query.where(_B.agent_owner == agent_owner)).one()
    return UsedBytes(int(total), int(of_anonymous))


def count(connection: Connection, changes: Iterable[Change]) -> None:
    """Count what a transaction writes and deletes, in that transaction."""
    changed = Counter[tuple[str, bool, int]]()
    for change in changes:
        part = zlib.crc32(change.task_id.encode()) % _PARTS
        changed[change.agent_owner, is_anonymous(change.caller), part] += change.size
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    # In one order, so that no two transactions wait for each other.
    for (agent_owner, anonymous, part), size in sorted(changed.items()):
        if size:
            added = dialect.insert(TASK_BYTES).values(
                agent_owner=agent_owner, anonymous=anonymous, part=part, bytes=size
            )
            total = {"bytes": _B.bytes + added.excluded.bytes}
            key = [_B.agent_owner, _B.anonymous, _B.part]
            connection.execute(added.on_conflict_do_update(index_elements=key, set_=total))
