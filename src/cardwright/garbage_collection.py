"""The garbage collection of processes that handle many requests."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator

# A request makes thousands of objects, and hardly one in a cycle; by default, Python collects after 700.
_COLLECT_AFTER: Final = (20_000, 20, 20)


def collect_rarely() -> None:
    """Take what was loaded out of the garbage collection, and collect after 20,000 new objects instead of 700.

    A collection of everything that was loaded would stop all requests for 100 ms.
    """
    gc.freeze()
    gc.set_threshold(*_COLLECT_AFTER)


@contextmanager
def collecting_rarely() -> Generator[None]:
    """Collect rarely until the block ends, and then as before."""
    before = gc.get_threshold()
    collect_rarely()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
