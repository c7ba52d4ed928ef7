"""Work on many inputs, by as many processes as there are cores."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Final, TypeVar

from cardwright.cli.terminal import fail

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import ProcessPoolExecutor

T = TypeVar("T")
R = TypeVar("R")

# Starting processes takes as long as the work on this many inputs (project decision).
_MIN_INPUTS: Final = 500
_AT_ONCE: Final = 32


def in_processes(work: Callable[[T], R], inputs: Sequence[T]) -> Iterable[R]:
    """Return the result of each input, in order; few inputs, or all on one core, are worked on in this process.

    Processes are started at once, before a progress bar has a thread. If one of them is killed, the command ends with a
    message.

    Args:
        work: A function of a module; an exception that it raises is raised here.
        inputs: Values that can be pickled, like the results.
    """
    cores = _cores()
    if len(inputs) <= _MIN_INPUTS or cores == 1:
        return map(work, inputs)
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # A copy of this process has compiled the schemas already; macOS and Windows have no safe copy of a process.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    pool = ProcessPoolExecutor(cores, context, _leave_interrupts_to_the_parent)
    return _results(pool, pool.map(work, inputs, chunksize=_AT_ONCE))


def _results(pool: ProcessPoolExecutor, results: Iterator[R]) -> Iterator[R]:
    from concurrent.futures.process import BrokenProcessPool

    try:
        yield from results
    except BrokenProcessPool:
        fail(
            "a process that worked on the files was killed, perhaps because memory ran out: name fewer files"
        )
    finally:
        # Without waiting, the end of the interpreter wakes the pool's thread while that closes its pipe, and CPython
        # prints a traceback ("Bad file descriptor").
        pool.shutdown(cancel_futures=True)


def _cores() -> int:
    """Return on how many cores this process may run."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
