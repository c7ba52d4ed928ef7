"""The event loop of a command: uvloop where it is installed, asyncio's elsewhere."""

from __future__ import annotations

import asyncio
import gc
import sys

import pytest

from cardwright.cli import event_loop


async def objects_before_a_collection() -> int:
    return gc.get_threshold()[0]


async def loop_module() -> str:
    return type(asyncio.get_running_loop()).__module__


def test_a_command_runs_on_uvloop_where_it_is_installed() -> None:
    pytest.importorskip("uvloop", reason="uvloop is not installed")

    assert event_loop.run(loop_module()) == "uvloop"


def test_a_command_runs_on_asyncio_without_uvloop(monkeypatch: pytest.MonkeyPatch) -> None:
    # None in the table of modules: it cannot be found.
    monkeypatch.setitem(sys.modules, "uvloop", None)

    assert event_loop.run(loop_module()).startswith("asyncio.")


def test_a_command_collects_garbage_rarely_while_it_runs() -> None:
    before = gc.get_threshold()

    assert event_loop.run(objects_before_a_collection()) >= 20_000
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
