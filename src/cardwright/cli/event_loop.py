"""Event loop of the commands that send many requests; that of the servers is in `cardwright.serve.command_process`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from cardwright.extras import is_installed
from cardwright.garbage_collection import collecting_rarely

if TYPE_CHECKING:
    from collections.abc import Coroutine

_Result = TypeVar("_Result")


def run(work: Coroutine[Any, Any, _Result]) -> _Result:
    """Run a coroutine with uvloop if it is installed, else with asyncio, and return its result.

    Meanwhile the process collects garbage rarely.
    """
    with collecting_rarely():
        if not is_installed("uvloop"):
            return asyncio.run(work)
        import uvloop

        return uvloop.run(work)
