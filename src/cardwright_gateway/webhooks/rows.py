"""What is kept of webhooks: values as the owner's API gives them; no URL, no secret and no word of a receiver."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

WAITING: Final = "waiting"
DELIVERED: Final = "delivered"
DEAD: Final = "dead"
DROPPED: Final = "dropped"
# How an event is: it waits, or has ended.
STATES: Final = (WAITING, DELIVERED, DEAD, DROPPED)
FAILED: Final = "failed"
REFUSED: Final = "refused"
UNKNOWN: Final = "unknown"
SCHEDULE: Final = "schedule"
REDELIVERY: Final = "redelivery"


@dataclass(frozen=True, slots=True)
class Event:
    """What is to be delivered.

    Attributes:
        id: The same in every delivery of it.
        state: `waiting`, `delivered`, `dead` after its last attempt, or `dropped` where its receiver is disabled
            or its configuration gone.
        attempts: How many of its schedule are done.
        created_at: When it was accepted, in seconds since 1970.
        next_at: When the next attempt is due, or None.
        ended_at: When it came to its end, or None.
        unreadable: Whether it waits for the key that its receiver was encrypted with.
        redelivery: The id of the redelivery that its owner asked for and that has not ended, or None.
    """

    id: str
    task_id: str
    config_id: str
    agent_id: str
    owner: str
    endpoint: str
    media_type: str
    state: str
    attempts: int
    created_at: float
    next_at: float | None
    ended_at: float | None
    unreadable: bool
    redelivery: str | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """One attempt.

    Attributes:
        number: Which attempt of its event it is, from 1.
        cause: `schedule`, or `redelivery` where the owner asked for it.
        outcome: `delivered`, `failed`, `refused` by the guard, or `unknown` while it runs and where it was cut off.
        status_class: 2 to 5, of the answer's status; None where no answer came.
        response_bytes: How much of the answer was read, and thrown away.
    """

    id: str
    event_id: str
    task_id: str
    config_id: str
    agent_id: str
    number: int
    cause: str
    started_at: float
    ended_at: float | None
    outcome: str
    status_class: int | None
    duration_ms: float | None
    response_bytes: int | None

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A caller's receiver, over all of its tasks, and how it does."""

    failing_since: float | None = None
    slow_until: float | None = None
    disabled_at: float | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How an attempt ended.

    Attributes:
        retry_after: Seconds that the receiver asked for.
        status: The HTTP status; it is used, and only its class is kept.
    """

    outcome: str
    status: int | None = None
    retry_after: float | None = None
    duration_ms: float = 0.0
    response_bytes: int = 0
