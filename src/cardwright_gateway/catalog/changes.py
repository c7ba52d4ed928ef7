"""What a change of an agent is, whether it is allowed, and that one runs at a time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeGuard, TypeVar

from cardwright.errors import BadConfiguration

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Coroutine, Iterable

    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.settings.agents import AgentConfig

# What a changed configuration file did to an agent.
FileChange: TypeAlias = Literal["added", "changed", "removed"]

_T = TypeVar("_T")

_FROM_FILE: Final = "the agent {!r} is in the configuration file; {} it there"


class OneAtATime:
    """Runs changes one at a time; a change that has begun is completed even if its waiter is cancelled.

    Otherwise this process and the table could have different revisions of an agent.

    Attributes:
        lock: Held during a change.
    """

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        # The event loop has only a weak reference to the task.
        self._running: asyncio.Task[Any] | None = None

    async def run(self, change: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
        """Run a change after those before it, and return its result."""
        await self.lock.acquire()
        try:
            self._running = asyncio.create_task(change())
        except BaseException:
            self.lock.release()
            raise
        self._running.add_done_callback(lambda _: self.lock.release())
        done: _T = await asyncio.shield(self._running)
        return done


def nothing_to_check(_: Agent) -> None:
    """Allow the change."""


def check_submitted(agent: Agent | None, agent_id: str, verb: str) -> None:
    """Check that an agent is not in the configuration file.

    Raises:
        BadConfiguration: If it is.
    """
    if agent is not None and agent.config.from_file:
        raise BadConfiguration("", _FROM_FILE.format(agent_id, verb))


def differs_in_visibility_alone(agent: Agent | None, config: AgentConfig) -> TypeGuard[Agent]:
    """Return whether settings differ from an agent's in the visibility and in nothing else."""
    return (
        agent is not None
        and agent.config.visibility != config.visibility
        and same_but_visibility(agent, config)
    )


def same_but_visibility(agent: Agent, config: AgentConfig) -> bool:
    """Return whether settings differ from an agent's at most in the visibility."""
    names = ("visibility", "definition", "definition_bytes")
    return agent.config.model_copy(update={name: getattr(config, name) for name in names}) == config


def file_changes(
    before: Container[str], applied: Iterable[str], gone: Iterable[str]
) -> dict[str, FileChange]:
    """Return what a changed configuration file did: `{id: change}`."""
    changes: dict[str, FileChange] = {name: "changed" if name in before else "added" for name in applied}
    return {**changes, **dict.fromkeys(gone, "removed")}
