"""Envelopes: cost per part from handler to bytes for a peer, and memory of a long stream.

Part of `make bench`; alone: `python -m benchmarks.enveloping`.
"""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from typing import TYPE_CHECKING, Any, Final

import orjson
from a2a.types import Message
from google.protobuf.json_format import MessageToDict, ParseDict  # type: ignore[import-untyped] # it has no stubs

from benchmarks.measure import interleaved, machine
from cardwright_beach import Transport, build_envelope, deliver, to_message, to_wire

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from cardwright_beach import AgentResponseEnvelope

PARTS: Final = 300
FEW, MANY = 1_000, 100_000
# Limit in MiB beyond the parts in flight and the merged data.
BOUND = 1
STAMPS: Final = ("partType", "slotKey", "mergeStrategy")
META: Final = {
    "sessionId": "s",
    "eventId": "e",
    "conversationState": "awaiting",
    "timestamp": "2026-05-04T12:00:00Z",
}


def handler_part(number: int) -> dict[str, Any]:
    """Return one of three kinds of part in a handler's form."""
    match number % 3:
        case 0:
            data = {"berths": [{"name": f"N{number % 7}", "depth": 9.5, "free": True}]}
            return {"partType": "domain-data", "data": data, "slotKey": "harbour.berths"}
        case 1:
            return {"partType": "response", "text": "another word ", "mergeStrategy": "append"}
        case _:
            return {"partType": "progress", "data": {"operation": "search", "completed": number}}


async def handler(count: int) -> AsyncIterator[dict[str, Any]]:
    for number in range(count):
        yield handler_part(number)


def envelope(count: int) -> AgentResponseEnvelope:
    return build_envelope(
        session_id="s", event_id="e", originator_id="o", conversation_state="complete", parts=handler(count)
    )


async def cardwright_bytes(count: int) -> int:
    delivery = await deliver(envelope(count), to=Transport("a2a", "streaming"))
    return sum([len(orjson.dumps(to_message(to_wire([part], META)))) async for part in delivery])


async def sdk_bytes(count: int) -> int:
    """Return the size of the same parts in a2a-sdk types and JSON, without validation, merging and delivery rules."""
    size = 0
    async for part in handler(count):
        content: dict[str, Any] = {name: part[name] for name in ("text", "data") if name in part}
        content["metadata"] = {name: part[name] for name in STAMPS if name in part}
        wire: dict[str, Any] = {"messageId": "e", "role": "ROLE_AGENT", "parts": [content]}
        size += len(orjson.dumps(MessageToDict(ParseDict(wire, Message()))))
    return size


async def memory_growth(count: int) -> float:
    """Return the memory growth in MiB while a receiver reads a stream of parts."""
    delivery = await deliver(envelope(count), to=Transport("sse"))
    await anext(delivery)
    gc.collect()
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    async for _ in delivery:
        pass
    return (tracemalloc.get_traced_memory()[1] - before) / 2**20


def enveloping() -> None:
    print(f"{PARTS} parts of a turn, from handler to encoded A2A messages (medians, µs per part)\n")
    contestants: dict[str, Callable[[], object]] = {
        "cardwright: validate, route, merge": lambda: asyncio.run(cardwright_bytes(PARTS)),
        "a2a-sdk: types and JSON only": lambda: asyncio.run(sdk_bytes(PARTS)),
    }
    times = interleaved(contestants, rounds=21)
    for name, time in times.items():
        print(f"{name:36} {time / PARTS:8.1f}")
    print(f"\nMemory growth of a stream (MiB, limit {BOUND}; ! over the limit)\n")
    tracemalloc.start()
    try:
        for count in (FEW, MANY):
            peak = asyncio.run(memory_growth(count))
            print(f"{count:>9,} parts {peak:26.2f}{' !' if peak > BOUND else ''}")
    finally:
        tracemalloc.stop()
    print(f"\n{machine()}")


if __name__ == "__main__":
    enveloping()
