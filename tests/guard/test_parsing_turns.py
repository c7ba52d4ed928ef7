"""Large responses are parsed one at a time, with a pause after each; small ones wait for none of them."""

from __future__ import annotations

import asyncio

import pytest

from cardwright.guard.parsing_turns import ParsingTurns

LARGE, SMALL = 65 * 1024, 64 * 1024


async def test_a_large_response_waits_until_the_turn_before_has_ended() -> None:
    turns = ParsingTurns()
    one, two = turns.turn(), turns.turn()
    await one.begin(LARGE)
    # More of the same response, and what is small, wait for nothing.
    await one.begin(LARGE)
    await two.begin(SMALL)
    waiting = asyncio.ensure_future(two.begin(LARGE))
    # A turn that were free would be taken in the first of these turns of the loop.
    for _ in range(10):
        await asyncio.sleep(0)
    assert not waiting.done()
    one.end()
    one.end()
    # After the pause.
    assert not waiting.done()
    async with asyncio.timeout(30):
        await waiting
    two.end()
    async with asyncio.timeout(30):
        await one.begin(LARGE)


async def test_ending_a_turn_that_never_began_has_no_effect() -> None:
    turns = ParsingTurns()
    turns.turn().end()
    async with asyncio.timeout(30):
        await turns.turn().begin(LARGE)


async def test_a_cancelled_waiter_takes_no_turn() -> None:
    turns = ParsingTurns()
    one = turns.turn()
    await one.begin(LARGE)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await turns.turn().begin(LARGE)
    one.end()
    async with asyncio.timeout(30):
        await turns.turn().begin(LARGE)
