"""Errors of the gateway."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from cardwright.errors.peers import SessionFailed
from cardwright.errors.root import CardError
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright_runtime.violation import Violation


# The messages of `TasksFull`, by its limit.
_FULL: Final = {
    "task": "the task reaches its maximum size of {:,} bytes; send and return less, or begin another task",
    "values": "the task reaches its maximum of {:,} JSON values; send and return less, or begin another task",
    "text": "the task reaches its maximum of {:,} bytes of text; send and return less or files, or begin another task",
    "running": "the running tasks of this agent reach their maximum total size of {:,} bytes; wait until others have"
    " ended, or return less",
    "owner": "the stored tasks of this owner's agents reach their maximum total size of {:,} bytes"
    " (tasks.owner_bytes); wait until older tasks expire, or send a smaller message",
    "anonymous": "the stored tasks of callers without credentials reach their maximum total size of {:,} bytes, a"
    " sixteenth of tasks.owner_bytes; send a smaller message, wait until running tasks end, or call with a key",
}


class UnknownAgent(CardError):
    """The gateway has no agent with this id.

    Attributes:
        agent_id: The requested id.
    """

    def __init__(self, agent_id: str) -> None:
        super().__init__(escaped(f"unknown agent {agent_id!r}"))
        self.agent_id = agent_id


class ChangedMeanwhile(CardError):
    """The agent was changed by another request since it was read: read it again and repeat the change.

    Attributes:
        agent_id: The agent.
    """

    def __init__(self, agent_id: str) -> None:
        super().__init__(
            "another request added, changed or removed the agent meanwhile; get the agent and try again"
        )
        self.agent_id = agent_id


class SessionNotReady(SessionFailed):
    """An MCP session is not available now: try again after `retry_after` seconds.

    Attributes:
        state: `starting`, `crashed`, `closed`, or `denied` if the guard refuses the connection.
        retry_after: Seconds to wait before a retry, at least 1.
    """

    def __init__(self, url: str, state: str, reason: str, *, retry_after: float = 1.0) -> None:
        super().__init__(url, reason)
        self.state = state
        self.retry_after = max(1.0, retry_after)


class AgentOffline(CardError):
    """The agent is offline: it does not listen, or no worker is connected. Try again later.

    Attributes:
        agent_id: The agent.
        retry_after: Seconds to wait before a retry.
    """

    def __init__(self, agent_id: str, *, retry_after: float = 5.0) -> None:
        super().__init__(escaped(f"the agent {agent_id!r} is offline"))
        self.agent_id = agent_id
        self.retry_after = retry_after


class UpstreamInvalid(CardError):
    """An upstream card cannot be served: it is not a card, or it has no usable interface.

    Attributes:
        reason: Why it cannot be served.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(escaped(f"invalid card: {reason}"))
        self.reason = reason


class BadTurn(CardError):
    """A message that the agent cannot process: correct it as the error says.

    Attributes:
        violations: Where its arguments violate the schema; empty for other errors.
    """

    def __init__(self, reason: str, violations: Sequence[Violation] = ()) -> None:
        super().__init__(escaped(reason))
        self.violations = tuple(violations)


class AgentBusy(CardError):
    """The queue of an agent is full: try again later.

    Attributes:
        agent_id: The agent.
        retry_after: Seconds to wait before a retry.
    """

    def __init__(self, agent_id: str, *, retry_after: float = 5.0) -> None:
        super().__init__(escaped(f"the queue of the agent {agent_id!r} is full"))
        self.agent_id = agent_id
        self.retry_after = retry_after


class UnknownWork(CardError):
    """No worker holds work with this id: the id is unknown, the work is done, or its lease expired. Drop it."""

    def __init__(self) -> None:
        super().__init__(
            "unknown work id: the work is done, was cancelled, has another worker, or never existed"
        )


class UnknownKey(CardError):
    """The agent has no valid key with this id: it never had one, or the key was revoked or has expired."""

    def __init__(self) -> None:
        super().__init__("the agent has no such key, or the key was revoked or has expired; list its keys")


class UnknownToken(CardError):
    """The owner has no token with this id."""

    def __init__(self) -> None:
        super().__init__("the owner has no such token; list the owner's tokens")


class UnknownOwner(CardError):
    """The gateway has no owner with this id.

    Attributes:
        owner_id: The requested id.
    """

    def __init__(self, owner_id: str) -> None:
        super().__init__(escaped(f"unknown owner {owner_id!r}; list the owners"))
        self.owner_id = owner_id


class OwnerConflict(CardError):
    """The owner cannot be added or removed as things are: do first what the message says."""

    def __init__(self, reason: str) -> None:
        super().__init__(escaped(reason))


class UnknownDelivery(CardError):
    """There is no such delivery attempt, or its event is not a dead letter.

    Attributes:
        delivery_id: The requested attempt.
    """

    def __init__(self, delivery_id: str) -> None:
        super().__init__(
            "there is no such delivery, or its event is not a dead letter; list dead letters with --state dead"
        )
        self.delivery_id = delivery_id


class TasksFull(CardError):
    """A task, or the stored tasks of an owner's agents, reach a maximum size: send less, or wait until tasks expire.

    Attributes:
        limit: Which maximum: the size of one `task`, its `values` or its `text`, of all `running` tasks of an agent in
            memory, or the size for the `owner`, or for the `anonymous` callers of the owner's agents.
        maximum: The maximum: JSON values for `values`, otherwise bytes.
    """

    def __init__(
        self, limit: Literal["task", "running", "values", "text", "owner", "anonymous"], maximum: int
    ) -> None:
        super().__init__(_FULL[limit].format(maximum))
        self.limit = limit
        self.maximum = maximum


class SecretsFull(CardError):
    """An agent has the maximum of valid keys, or an owner of valid tokens: revoke one first.

    Attributes:
        maximum: The maximum.
    """

    def __init__(self, kind: Literal["key", "token"], maximum: int) -> None:
        holder = "agent" if kind == "key" else "owner"
        super().__init__(f"the {holder} has the maximum of {maximum:,} valid {kind}s; revoke one first")
        self.maximum = maximum


class BadWork(CardError):
    """A worker's report violates its schema: correct it as the error says.

    Attributes:
        violations: All of them, sorted by pointer.
    """

    def __init__(self, violations: Sequence[Violation]) -> None:
        first = "; ".join(f"{one.pointer or '(root)'}: {one.message} [{one.rule}]" for one in violations[:3])
        more = f"; and {len(violations) - 3} more" if len(violations) > 3 else ""
        super().__init__(f"the worker's report is invalid: {first}{more}")
        self.violations = tuple(violations)


class BadSignature(CardError):
    """The signature of a webhook is not valid: respond with 401, or correct what the error names.

    Attributes:
        kind: `id`, `missing`, `duplicate`, `signature` or `time`.
    """

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(escaped(f"webhook refused: {reason}"))
        self.kind = kind
