"""Slow anonymous bodies use limited memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cluster.hostile.dripping import added_by_dripping
from tests.cluster.replicas import cluster, function

if TYPE_CHECKING:
    from pathlib import Path

_MEBIBYTE = 1024 * 1024
# Twice the bound that `benchmarks/hostile.py` measures; the bodies have 250 to 8,000 MiB.
_MAX_BYTES = 128 * _MEBIBYTE
_AGENTS = {"keyed": function("answer"), "open": {**function("answer"), "access": "open"}}


@pytest.mark.parametrize(
    ("agent", "size"), [("keyed", 8 * _MEBIBYTE), ("open", 8 * _MEBIBYTE), ("open", 256 * 1024)]
)
async def test_a_thousand_slow_bodies_use_limited_memory(tmp_path: Path, agent: str, size: int) -> None:
    async with cluster(tmp_path, str(tmp_path / "gateway.db"), _AGENTS) as replicas:
        assert (
            await added_by_dripping(await replicas.start(), agent, size, connections=1_000, seconds=15)
        ) < _MAX_BYTES
