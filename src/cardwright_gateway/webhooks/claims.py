"""Claims: leases of due events to processes, each in one short transaction.

The event rows are the queue. `due_at` is when a row needs attention next: when its next attempt or its redelivery is
due, or, while a process has leased it (`lease_owner`), when the lease expires. So the events of a killed process
become due by themselves.
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
# Rows per query: a SQLite transaction blocks all other writers (project decision).
_CHUNK: Final = 100


@dataclass(frozen=True, slots=True)
class ClaimRequest:
    """A process's request for leases.

    Attributes:
        replica: The id of the process.
        now: Seconds since 1970.
        lease_until: When the leases expire.
        limit: Maximum number of events.
        concurrency: Maximum number of leased events of one receiver, over all processes.
        running: The events that the process delivers already: their leases are renewed.
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
    """A leased event.

    Attributes:
        event_id: The id of the event.
        redelivery: The id of the redelivery that its owner requested, or None for a scheduled attempt.
    """

    event_id: str
    redelivery: str | None


@dataclass(frozen=True, slots=True)
class Claims:
    """The result of a claim request.

    Attributes:
        claimed: The leased events.
        next_at: When the next event becomes due, or None.
    """

    claimed: Sequence[Claim]
    next_at: float | None


@dataclass(frozen=True, slots=True)
class Outlook:
    """A snapshot of the outbox.

    Attributes:
        next_at: When the next event is due, possibly in the past; None if absent.
        lessees: Other processes that have leases.
    """

    next_at: float | None
    lessees: frozenset[str]


def outlook(connection: Connection, replica: str) -> Outlook:
    """Return when the next event is due, and which other processes have leases."""
    lessees = select(_E.lease_owner).where(_E.lease_owner.is_not(None)).distinct()
    owners = {str(owner) for owner in connection.execute(lessees).scalars()}
    return Outlook(connection.execute(select(func.min(_E.due_at))).scalar(), frozenset(owners - {replica}))


def claim(connection: Connection, request: ClaimRequest) -> Claims:
    """Lease due events to a process, oldest first, within the concurrency limit of each receiver."""
    if connection.dialect.name == "postgresql":
        # One claim at a time, so that the limit of a receiver holds over all processes.
        connection.execute(advisory_lock("webhooks:claim"))
    if request.lost:
        orphaned = update(EVENTS).where(_E.lease_owner.in_(request.lost))
        connection.execute(orphaned.values(lease_owner=None, due_at=request.now))
    busy = _leased(connection, request.now)
    full = {partition for partition, count in busy.items() if count >= request.concurrency}
    claimed: list[Claim] = []
    while len(claimed) < request.limit:
        rows = _due(connection, request, full, min(_CHUNK, request.limit - len(claimed)))
        if not rows:
            break
        leased_rows: list[Any] = []
        for row in rows:
            if row.id in request.running:
                leased_rows.append(row)
            elif busy[row.partition] < request.concurrency:
                busy[row.partition] += 1
                leased_rows.append(row)
                claimed.append(Claim(row.id, row.redelivery))
            if busy[row.partition] >= request.concurrency:
                full.add(row.partition)
        leased = update(EVENTS).where(_E.id.in_([row.id for row in leased_rows]))
        connection.execute(leased.values(lease_owner=request.replica, due_at=request.lease_until))
    later = select(func.min(_E.due_at)).where(_E.due_at > request.now)
    return Claims(claimed, connection.execute(later).scalar())


def release(connection: Connection, replica: str, ids: Collection[str], at: float) -> None:
    """Release a process's leases; events with something left to deliver become due at `at`."""
    unfinished = or_(_E.redelivery.is_not(None), _E.state == WAITING)
    leased = update(EVENTS).where(_E.id.in_(ids), _E.lease_owner == replica)
    connection.execute(leased.values(lease_owner=None, due_at=case((unfinished, at), else_=None)))


def due_after(now: float, next_at: float | None) -> Any:
    """Return when an event is due after an attempt: at once if its owner requested a redelivery meanwhile."""
    return case((_E.redelivery.is_not(None), now), else_=next_at)


def _leased(connection: Connection, now: float) -> Counter[str]:
    query = (
        select(_E.partition, func.count())
        .where(_E.lease_owner.is_not(None), _E.due_at > now)
        .group_by(_E.partition)
    )
    return Counter({row[0]: row[1] for row in connection.execute(query)})


def _due(connection: Connection, request: ClaimRequest, full: Collection[str], limit: int) -> Sequence[Any]:
    query = (
        select(_E.id, _E.partition, _E.redelivery)
        .where(_E.due_at <= request.now)
        .order_by(_E.due_at, _E.id)
        .limit(limit)
    )
    if full:
        query = query.where(_E.partition.not_in(full))
    return connection.execute(query.with_for_update(skip_locked=True)).all()
