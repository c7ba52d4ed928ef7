"""What goes wrong behind a gateway."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.errors.peers import SessionFailed
from cardwright.errors.root import CardError
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright_runtime.violation import Violation


class UnknownAgent(CardError):
    """The gateway has no agent of that id: name one that it has.

    Attributes:
        agent_id: What was asked for.
    """

    def __init__(self, agent_id: str) -> None:
        super().__init__(escaped(f"there is no agent {agent_id!r} here"))
        self.agent_id = agent_id


class ChangedMeanwhile(CardError):
    """Somebody else changed the agent since it was looked at: look at it again, and then change it.

    Attributes:
        agent_id: The agent.
    """

    def __init__(self, agent_id: str) -> None:
        super().__init__("the agent was added, changed or removed meanwhile: look at it, and try again")
        self.agent_id = agent_id


class SessionNotReady(SessionFailed):
    """An MCP session is not there now: try again after `retry_after` seconds.

    Attributes:
        state: `starting`, `crashed`, or `closed`.
        retry_after: Seconds until it is worth asking again, at least 1.
    """

    def __init__(self, url: str, state: str, reason: str, *, retry_after: float = 1.0) -> None:
        super().__init__(url, reason)
        self.state = state
        self.retry_after = max(1.0, retry_after)


class AgentOffline(CardError):
    """Nothing of the agent takes work now: it does not listen, or no worker is connected. Try again later.

    Attributes:
        agent_id: The agent.
        retry_after: Seconds until it is worth asking again.
    """

    def __init__(self, agent_id: str, *, retry_after: float = 5.0) -> None:
        super().__init__(escaped(f"nothing of the agent {agent_id!r} is connected"))
        self.agent_id = agent_id
        self.retry_after = retry_after


class UpstreamInvalid(CardError):
    """An agent's card cannot be served at all: it is no card, or names no interface that can be used.

    Attributes:
        reason: Why.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(escaped(f"invalid card: {reason}"))
        self.reason = reason


class BadTurn(CardError):
    """A message is none that the agent can answer: mend what the message says.

    Attributes:
        violations: Where its arguments break the schema; empty where something else is wrong.
    """

    def __init__(self, reason: str, violations: Sequence[Violation] = ()) -> None:
        super().__init__(escaped(reason))
        self.violations = tuple(violations)


class AgentBusy(CardError):
    """As much work waits for an agent as may wait: try again later.

    Attributes:
        agent_id: The agent.
        retry_after: Seconds until it is worth asking again.
    """

    def __init__(self, agent_id: str, *, retry_after: float = 5.0) -> None:
        super().__init__(escaped(f"too much work waits for the agent {agent_id!r}"))
        self.agent_id = agent_id
        self.retry_after = retry_after


class UnknownWork(CardError):
    """No worker has work of that id now: it never had, it is done, or its lease ran out; drop it."""

    def __init__(self) -> None:
        super().__init__(
            "there is no such work: it is done, cancelled, given to another worker, or never was"
        )


class UnknownKey(CardError):
    """The agent has no such key that counts: it never had, or it was revoked or has expired; list its keys."""

    def __init__(self) -> None:
        super().__init__("the agent has no such key, or it was revoked or has expired: list its keys")


class UnknownDelivery(CardError):
    """There is no such attempt, or its event is no dead letter: list those with the state `dead`.

    Attributes:
        delivery_id: The attempt that was named.
    """

    def __init__(self, delivery_id: str) -> None:
        super().__init__(
            "there is no such delivery, or its event is no dead letter: list those with --state dead"
        )
        self.delivery_id = delivery_id


class BadWork(CardError):
    """What a worker says of its work is not in the form that it has to be: mend what the message names.

    Attributes:
        violations: All of them, sorted by pointer.
    """

    def __init__(self, violations: Sequence[Violation]) -> None:
        told = "; ".join(f"{one.pointer or '(root)'}: {one.message} [{one.rule}]" for one in violations[:3])
        more = f"; and {len(violations) - 3} more" if len(violations) > 3 else ""
        super().__init__(f"what the worker says cannot be used: {told}{more}")
        self.violations = tuple(violations)


class BadSignature(CardError):
    """A webhook is not to be trusted: answer it 401, or mend what the message names.

    Attributes:
        kind: `id`, `missing`, `duplicate`, `signature` or `time`.
    """

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(escaped(f"the webhook is refused: {reason}"))
        self.kind = kind
