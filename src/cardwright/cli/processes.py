"""Work on many inputs, by as many processes as there are cores."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

T = TypeVar("T")
R = TypeVar("R")

# Starting processes takes as long as the work on this many inputs (project decision).
_MIN_INPUTS: Final = 500
_AT_ONCE: Final = 32


def in_processes(work: Callable[[T], R], inputs: Sequence[T]) -> Iterator[R]:
    """Yield the result of each input, in order; few inputs, or all on one core, are worked on in this process.

    Args:
        work: A function of a module; an exception that it raises is raised here.
        inputs: Values that can be pickled, like the results.
    """
    cores = _cores()
    if len(inputs) <= _MIN_INPUTS or cores == 1:
        yield from map(work, inputs)
        return
    # A copy of this process has compiled the schemas already; macOS and Windows have no safe copy of a process.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    with context.Pool(cores, _leave_interrupts_to_the_parent) as pool:
        yield from pool.imap(work, inputs, _AT_ONCE)


def _cores() -> int:
    """Return on how many cores this process may run."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
