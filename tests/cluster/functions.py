"""Functions behind the agents of replicas; the file is copied beside their configuration."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright_gateway import Turn, TurnResult

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

HERE = Path(__file__).parent


def answer(text: str) -> str:
    """Return the number of words."""
    return f"{len(text.split())} words"


async def steps(text: str) -> AsyncGenerator[str]:
    """Say `one`, then `two` when there is a file of the message's name."""
    yield "one"
    while not (HERE / text).exists():  # noqa: ASYNC110 - the test is another process
        await asyncio.sleep(0.02)
    yield "two"


def ask(turn: Turn) -> TurnResult:
    """Ask back once."""
    if turn.earlier:
        return TurnResult(message=f"so it is {turn.parts[0].value}")
    return TurnResult(ending="input-required", message="which one?")


async def forever(text: str) -> str:
    """Never answer."""
    await asyncio.Event().wait()
    return text
