"""Claims on events: which process delivers which of them next, in one short transaction.

The rows of the events are the queue. `due_at` says when a row is to be looked at next: when its next attempt or its
redelivery is due, or, while a process has it (`lease_owner`), when that lease ends. So what a killed process had
under way becomes due by itself.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import case, func, or_, select, update

from cardwright.store.database import advisory_lock
from cardwright_gateway.database.tables import EVENTS
from cardwright_gateway.webhooks.rows import WAITING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Connection

_E: Final = EVENTS.c
# How many rows one query takes: a transaction of SQLite keeps all other writers waiting (project decision).
_CHUNK: Final = 100


@dataclass(frozen=True, slots=True)
class ClaimRequest:
    """What a process asks for.

    Attributes:
        replica: The id of the process.
        now: Seconds since 1970.
        lease_until: When its leases end.
        limit: How many events it takes at most.
        concurrency: How many events of one receiver are leased at once, over all processes.
        running: The events that it delivers already: their leases are renewed.
        lost: Processes that are gone: their events are due at once.
    """

    replica: str
    now: float
    lease_until: float
    limit: int
    concurrency: int
    running: Collection[str]
    lost: Collection[str]


@dataclass(frozen=True, slots=True)
class Claim:
    """An event that this process delivers now.

    Attributes:
        event_id: The event.
        redelivery: The id of the redelivery that its owner asked for, or None where its schedule is the cause.
    """

    event_id: str
    redelivery: str | None


@dataclass(frozen=True, slots=True)
class Claims:
    """What a process got.

    Attributes:
        claimed: The events.
        next_at: When the next one is due that is not due yet, or None.
    """

    claimed: Sequence[Claim]
    next_at: float | None


@dataclass(frozen=True, slots=True)
class Outlook:
    """What there is to do, as one read sees it.

    Attributes:
        next_at: When the next event is due; in the past where one is due now; None where there is none.
        lessees: Other processes that have leases.
    """

    next_at: float | None
    lessees: frozenset[str]


def outlook(connection: Connection, replica: str) -> Outlook:
    """Return what there is to do, and which other processes have leases."""
    lessees = select(_E.lease_owner).where(_E.lease_owner.is_not(None)).distinct()
    owners = {str(owner) for owner in connection.execute(lessees).scalars()}
    return Outlook(connection.execute(select(func.min(_E.due_at))).scalar(), frozenset(owners - {replica}))


def claim(connection: Connection, request: ClaimRequest) -> Claims:
    """Lease due events to a process: the oldest first, and of one receiver no more than may be under way."""
    if connection.dialect.name == "postgresql":
        # One process claims at a time, so that the limit of a receiver holds over all of them.
        connection.execute(advisory_lock("webhooks:claim"))
    if request.lost:
        gone = update(EVENTS).where(_E.lease_owner.in_(request.lost))
        connection.execute(gone.values(lease_owner=None, due_at=request.now))
    busy = _leased(connection, request.now)
    full = {partition for partition, count in busy.items() if count >= request.concurrency}
    claimed: list[Claim] = []
    while len(claimed) < request.limit:
        rows = _due(connection, request, full, min(_CHUNK, request.limit - len(claimed)))
        if not rows:
            break
        taken: list[Any] = []
        for row in rows:
            if row.id in request.running:
                taken.append(row)
            elif busy[row.partition] < request.concurrency:
                busy[row.partition] += 1
                taken.append(row)
                claimed.append(Claim(row.id, row.redelivery))
            if busy[row.partition] >= request.concurrency:
                full.add(row.partition)
        leased = update(EVENTS).where(_E.id.in_([row.id for row in taken]))
        connection.execute(leased.values(lease_owner=request.replica, due_at=request.lease_until))
    later = select(func.min(_E.due_at)).where(_E.due_at > request.now)
    return Claims(claimed, connection.execute(later).scalar())


def release(connection: Connection, replica: str, ids: Collection[str], at: float) -> None:
    """Give events back that a process has leased; those that have something to be delivered are due at a time."""
    open_ = or_(_E.redelivery.is_not(None), _E.state == WAITING)
    mine = update(EVENTS).where(_E.id.in_(ids), _E.lease_owner == replica)
    connection.execute(mine.values(lease_owner=None, due_at=case((open_, at), else_=None)))


def due_after(now: float, next_at: float | None) -> Any:
    """Return when an event is due whose attempt has ended: at once where its owner asked for it meanwhile."""
    return case((_E.redelivery.is_not(None), now), else_=next_at)


def _leased(connection: Connection, now: float) -> Counter[str]:
    asked = (
        select(_E.partition, func.count())
        .where(_E.lease_owner.is_not(None), _E.due_at > now)
        .group_by(_E.partition)
    )
    return Counter({row[0]: row[1] for row in connection.execute(asked)})


def _due(connection: Connection, request: ClaimRequest, full: Collection[str], limit: int) -> Sequence[Any]:
    asked = (
        select(_E.id, _E.partition, _E.redelivery)
        .where(_E.due_at <= request.now)
        .order_by(_E.due_at, _E.id)
        .limit(limit)
    )
    if full:
        asked = asked.where(_E.partition.not_in(full))
    return connection.execute(asked.with_for_update(skip_locked=True)).all()
