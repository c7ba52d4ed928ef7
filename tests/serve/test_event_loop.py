"""The event loop of the workers: uvloop where it is installed, asyncio's elsewhere."""

from __future__ import annotations

import sys

import pytest
from granian.constants import Loops

from cardwright.serve.command_process import CommandProcess


def loop_of_workers() -> Loops:
    process = CommandProcess(lambda: None, host="127.0.0.1", port=0, workers=1, log_requests=False)
    return process.loop


def test_workers_run_on_uvloop_where_it_is_installed() -> None:
    pytest.importorskip("uvloop", reason="uvloop is not installed")

    assert loop_of_workers() == Loops.uvloop


def test_workers_run_on_asyncio_without_uvloop(monkeypatch: pytest.MonkeyPatch) -> None:
    # None in the table of modules: it cannot be found.
    monkeypatch.setitem(sys.modules, "uvloop", None)

    assert loop_of_workers() == Loops.asyncio
