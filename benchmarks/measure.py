"""Interleaved timing: every round measures every candidate; the result is the median."""

from __future__ import annotations

import gc
import platform
import statistics
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROUNDS = 41
BATCH_SECONDS = 0.004


def interleaved(contestants: Mapping[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """Return the median time per call of each candidate, in microseconds."""
    batches = {name: _batch(call) for name, call in contestants.items()}
    times: dict[str, list[float]] = {name: [] for name in contestants}
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, call in contestants.items():
                count = batches[name]
                start = time.perf_counter()
                for _ in range(count):
                    call()
                times[name].append((time.perf_counter() - start) / count * 1e6)
    finally:
        gc.enable()
    return {name: statistics.median(values) for name, values in times.items()}


def machine() -> str:
    """Return Python version and platform of the measurement."""
    return f"{platform.python_implementation()} {platform.python_version()}, {platform.system()} {platform.machine()}"


def _batch(call: Callable[[], object]) -> int:
    """Return how many calls fill a batch, after warming up."""
    for _ in range(3):
        call()
    start = time.perf_counter()
    call()
    once = max(time.perf_counter() - start, 1e-7)
    return max(1, int(BATCH_SECONDS / once))
