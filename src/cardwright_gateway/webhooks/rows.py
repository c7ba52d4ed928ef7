"""Stored values of webhooks, as the owners' API returns them: without URLs, secrets and response texts."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

WAITING: Final = "waiting"
DELIVERED: Final = "delivered"
DEAD: Final = "dead"
DROPPED: Final = "dropped"
# States of an event: it waits, or has ended.
STATES: Final = (WAITING, DELIVERED, DEAD, DROPPED)
FAILED: Final = "failed"
REFUSED: Final = "refused"
UNKNOWN: Final = "unknown"
SCHEDULE: Final = "schedule"
REDELIVERY: Final = "redelivery"


@dataclass(frozen=True, slots=True)
class Event:
    """An event to deliver.

    Attributes:
        id: The same in all its deliveries.
        state: `waiting`, `delivered`, `dead` after its last attempt, or `dropped` if its receiver is disabled or its
            configuration was deleted.
        attempts: How many scheduled attempts have been made.
        created_at: When it was accepted, in seconds since 1970.
        next_at: When the next attempt is due, or None.
        ended_at: When it ended, or None.
        unreadable: Whether it waits because its receiver cannot be decrypted with the current key.
        redelivery: The id of the pending redelivery that its owner requested, or None.
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
    """One delivery attempt.

    Attributes:
        number: The number of the attempt, from 1.
        cause: `schedule`, or `redelivery` if the owner requested it.
        outcome: `delivered`, `failed`, `refused` by the connection guard, or `unknown` while it runs or if it was
            interrupted.
        status: The HTTP status of the response; None if there was no response.
        reason: Why it was not delivered; None if it was, or was interrupted.
        response_bytes: How many bytes of the response were read and discarded.
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
    status: int | None
    duration_ms: float | None
    response_bytes: int | None
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The state of a caller's receiver, over all tasks."""

    failing_since: float | None = None
    slow_until: float | None = None
    disabled_at: float | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The result of an attempt.

    Attributes:
        retry_after: Seconds from the receiver's Retry-After header.
        status: The HTTP status; None without a response.
        reason: Why it was not delivered; None if it was.
    """

    outcome: str
    status: int | None = None
    retry_after: float | None = None
    duration_ms: float = 0.0
    response_bytes: int = 0
    reason: str | None = None
