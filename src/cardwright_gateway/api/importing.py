"""Imports of large packages when the first call needs them, without stopping the event loop."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Final

_imported: Final[set[str]] = set()


async def import_in_thread(module: str) -> None:
    """Import a module, so that importing it at once takes no time: a2a-sdk and mcp take half a second and more.

    Args:
        module: Its full name.

    Raises:
        ImportError: If it cannot be imported.
    """
    if module not in _imported:
        # Even if another request is importing it: waiting for that one here would stop the event loop.
        await asyncio.to_thread(import_module, module)
        _imported.add(module)
