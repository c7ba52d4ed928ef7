"""Turns whose agent has left the task open: they only wait, each with its message in memory and polling the agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.http.problem import Problem
from cardwright_gateway.a2a.problems import AGENT_FAILED
from cardwright_gateway.auth.principal import anonymous_share

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright_gateway.a2a_server.messages import Running

# Turns that only wait are not concurrent ones, but have a limit, too: this many for each concurrent turn (project
# decision).
PER_CONCURRENT: Final = 16
# The maximum size of the messages of callers without credentials, of one agent (project decision).
_STRANGERS_BYTES: Final = 8 * 1024 * 1024
PROBLEM: Final = Problem(AGENT_FAILED, "the agent left too many tasks open; send the message again")


def superfluous(turns: Iterable[Running], concurrency: int) -> Sequence[Running]:
    """Return the waiting turns of callers without credentials that have to end for younger ones, the oldest first.

    Otherwise strangers could take the places and the memory of all callers with messages to an agent that ends no task.

    Args:
        turns: The turns of one agent, the oldest first.
        concurrency: The maximum number of its concurrent turns.
    """
    waiting = [turn for turn in turns if turn.open.is_set() and not turn.ended and not turn.caller]
    anonymous = sum(turn.anonymous for turn in waiting)
    size = sum(turn.size for turn in waiting)
    ended: list[Running] = []
    for turn in waiting[:-1]:
        many = turn.anonymous and anonymous > anonymous_share(concurrency * PER_CONCURRENT)
        if not many and size <= _STRANGERS_BYTES:
            break
        ended.append(turn)
        anonymous -= turn.anonymous
        size -= turn.size
    return ended
