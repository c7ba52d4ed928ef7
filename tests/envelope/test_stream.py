"""The envelope as a stream: several receivers, suspension, settlement, failures."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.envelope.delivery import Transport, deliver
from cardwright.envelope.events import PartEvent, Settlement
from cardwright.envelope.parts import Part
from cardwright.errors import BadArgument, BadPart, EnvelopeSpent
from tests.envelope.making import envelope, live, parts_of, registry, request, response

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

SAID = {"partType": "response", "text": "Here you are."}
DATA = {"partType": "domain-data", "data": {"berths": 3}}


def test_an_envelope_ends_with_its_settlement_marker_and_nothing_after() -> None:
    async def run() -> list[Any]:
        return [event async for event in envelope([SAID, DATA])]

    events = asyncio.run(run())

    assert [type(event) for event in events] == [PartEvent, PartEvent, Settlement]
    assert [event.index for event in events[:2]] == [0, 1]
    assert events[2].meta == {
        "sessionId": "s",
        "eventId": "e",
        "originatorId": "o",
        "conversationState": "complete",
        "timestamp": "2026-05-04T12:00:00Z",
        "finalizedBy": "respond",
    }


def test_a_part_is_there_before_the_next_is_made() -> None:
    async def run() -> list[str]:
        order: list[str] = []

        async def handler() -> AsyncIterator[Any]:
            for name in ("a", "b"):
                order.append(f"made {name}")
                yield {"partType": "ack", "text": name}

        reader = aiter(envelope(handler()))
        while isinstance(event := await anext(reader), PartEvent):
            order.append(f"got {event.part.text}")
        return order

    assert asyncio.run(run()) == ["made a", "got a", "made b", "got b"]


def test_a_buffered_receiver_gets_nothing_before_the_settlement() -> None:
    async def run() -> list[tuple[str, bool]]:
        made = envelope(live([DATA, SAID, {"partType": "clarify", "text": "When?"}]))
        delivery = await deliver(made, to=Transport("smtp"))
        return [(part.type, delivery.settlement is not None) async for part in delivery]

    assert asyncio.run(run()) == [("clarify", False), ("domain-data", True), ("response", True)]


def test_receivers_follow_one_handler_each_at_its_own_pace() -> None:
    runs = 0

    async def handler() -> AsyncIterator[Any]:
        nonlocal runs
        runs += 1
        for name in "abc":
            yield {"partType": "ack", "text": name}

    async def run() -> list[list[str | None]]:
        made = envelope(handler())
        one, other = [await deliver(made, to=Transport("sse")) for _ in range(2)]
        first = await anext(one)
        rest = [part.text async for part in one]
        return [[first.text, *rest], [part.text async for part in other]]

    assert asyncio.run(run()) == [["a", "b", "c"], ["a", "b", "c"]]
    assert runs == 1


def test_receivers_that_wait_at_once_get_every_part_once() -> None:
    async def handler() -> AsyncIterator[Any]:
        for number in range(50):
            await asyncio.sleep(0)
            yield {"partType": "ack", "text": str(number)}

    async def run() -> list[list[str | None]]:
        made = envelope(handler())
        deliveries = [await deliver(made, to=Transport("sse")) for _ in range(5)]

        async def drain(delivery: Any) -> list[str | None]:
            return [part.text async for part in delivery]

        return list(await asyncio.gather(*map(drain, deliveries)))

    assert asyncio.run(run()) == [[str(number) for number in range(50)]] * 5


def test_a_receiver_that_goes_away_takes_nothing_from_the_others() -> None:
    async def run() -> list[str | None]:
        go = asyncio.Event()

        async def handler() -> AsyncIterator[Any]:
            yield {"partType": "ack", "text": "a"}
            await go.wait()
            yield {"partType": "ack", "text": "b"}

        made = envelope(handler())
        leaving, staying = [await deliver(made, to=Transport("sse")) for _ in range(2)]
        await anext(leaving)
        waiting = asyncio.create_task(anext(leaving))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        go.set()
        return [part.text async for part in staying]

    assert asyncio.run(run()) == ["a", "b"]


def test_a_receiver_that_comes_late_is_told_so() -> None:
    async def run() -> None:
        made = envelope(live([SAID]))
        await anext(aiter(made))
        with pytest.raises(EnvelopeSpent, match="before the first part"):
            await deliver(made, to=Transport("sse"))

    asyncio.run(run())


def test_an_envelope_whose_parts_were_all_there_can_be_read_again() -> None:
    async def run() -> tuple[list[Part], list[Part]]:
        made = envelope([SAID, DATA])
        return await parts_of(made), await parts_of(made)

    one, other = asyncio.run(run())

    assert one == other
    assert len(one) == 2


def test_closing_stops_the_handler_and_who_waits_for_it() -> None:
    stopped: list[str] = []

    async def handler() -> AsyncIterator[Any]:
        try:
            yield SAID
            await asyncio.Event().wait()
        finally:
            stopped.append("handler")

    async def run() -> list[str]:
        made = envelope(handler())
        delivery = await deliver(made, to=Transport("sse"))
        await anext(delivery)

        async def follow() -> list[str]:
            return [part.type async for part in delivery]

        waiting = asyncio.create_task(follow())
        await asyncio.sleep(0)
        await made.aclose()
        return await waiting

    assert asyncio.run(run()) == []
    assert stopped == ["handler"]


# Approvals


def test_a_turn_that_waits_for_an_approval_is_suspended_and_does_not_settle_as_complete() -> None:
    async def run() -> tuple[str, str, list[str]]:
        made = envelope([request(), SAID])
        delivery = await deliver(made, to=Transport("smtp"))
        first = await anext(delivery)
        state = made.state
        rest = [part.type async for part in delivery]
        assert first.type == "approval-request"
        assert delivery.settlement is not None
        return state, delivery.settlement.state, rest

    assert asyncio.run(run()) == ("suspended", "suspended", [])


@pytest.mark.parametrize("order", [(request(), response()), (response(), request())])
def test_an_answer_in_the_stream_ends_the_suspension(order: tuple[Any, Any]) -> None:
    async def run() -> str:
        made = envelope([*order, SAID])
        await parts_of(made)
        return made.state

    assert asyncio.run(run()) == "complete"


def test_an_answer_from_outside_ends_the_suspension() -> None:
    async def run() -> list[str]:
        states = []
        made = envelope(live([request(), SAID]))
        reader = aiter(made)
        await anext(reader)
        states.append(made.state)
        made.resume(Part.of(response()))
        states.append(made.state)
        async for _ in reader:
            pass
        return [*states, made.state]

    assert asyncio.run(run()) == ["suspended", "awaiting", "complete"]


def test_a_turn_is_resumed_by_nothing_but_an_answer() -> None:
    async def run() -> None:
        with pytest.raises(BadArgument, match="approval-response"):
            envelope([]).resume(Part.of(SAID))

    asyncio.run(run())


def test_an_answer_to_another_question_ends_nothing() -> None:
    async def run() -> str:
        made = envelope([request("a1"), response("a2")])
        await parts_of(made)
        return made.state

    assert asyncio.run(run()) == "suspended"


# What goes wrong


@pytest.mark.parametrize(
    ("wrong", "pointer", "rule"),
    [
        ({"partType": "nope", "text": "x"}, "/metadata/partType", "envelope/part-type"),
        ({"partType": "progress", "data": 5}, "/data", "envelope/type"),
        ({"partType": "response", "data": {}}, "/text", "envelope/required"),
        ({"text": "x"}, "/metadata", "envelope/required"),
        ({"partType": "domain-data", "data": {1: 2}}, "/data", "decode/not-json"),
        ({"partType": "domain-data", "data": float("nan")}, "/data", "decode/number"),
        ("a text", "", "envelope/type"),
        (None, "", "envelope/type"),
        ({"partType": "domain-data", "data": "x" * 17 * 2**20}, "/data", "decode/too-large"),
    ],
)
def test_a_bad_part_is_named_and_the_others_arrive(wrong: Any, pointer: str, rule: str) -> None:
    parts = asyncio.run(parts_of(envelope([SAID, wrong, DATA])))

    assert [part.type for part in parts] == ["response", "error", "domain-data"]
    assert parts[1].metadata["partIndex"] == 1
    assert parts[1].metadata.get("pointer", "") == pointer
    assert parts[1].metadata["rule"] == rule
    assert "part 1" in (parts[1].text or "")
    Part.of(parts[1])


def test_cyclic_and_swelling_data_is_refused_at_once() -> None:
    cyclic: list[Any] = []
    cyclic.append(cyclic)
    swelling: Any = [1]
    for _ in range(60):
        swelling = [swelling, swelling]

    for data in (cyclic, swelling, {"a": {"b": cyclic}}):
        with pytest.raises(BadPart, match=r"refers to itself|longer than"):
            Part.of({"partType": "domain-data", "data": data})


def test_a_handler_that_raises_becomes_an_error_and_the_turn_settles_as_error() -> None:
    async def handler() -> AsyncIterator[Any]:
        yield SAID
        raise RuntimeError("hunter2 is what the user said")

    async def run() -> tuple[list[Part], Any]:
        made = envelope(handler())
        return await parts_of(made), made

    parts, made = asyncio.run(run())

    assert [part.type for part in parts] == ["response", "error"]
    assert "RuntimeError" in (parts[1].text or "")
    assert "hunter2" not in str(parts[1].document)
    assert isinstance(made.failure, RuntimeError)
    assert made.settlement.meta["conversationState"] == "error"
    assert made.settlement.meta["finalizedBy"] == "failure"


def test_a_handler_whose_own_task_was_cancelled_breaks_off_and_nobody_else_does() -> None:
    async def handler() -> AsyncIterator[Any]:
        yield SAID
        task = asyncio.create_task(asyncio.sleep(9))
        task.cancel()
        await task

    async def run() -> tuple[list[str], str]:
        made = envelope(handler())
        return [part.type for part in await parts_of(made)], made.state

    assert asyncio.run(run()) == (["response", "error"], "error")


def test_the_state_may_be_asked_for_at_the_end() -> None:
    async def run(state: Any) -> tuple[list[str], str]:
        made = envelope([SAID], conversation_state=state)
        return [part.type for part in await parts_of(made)], made.state

    assert asyncio.run(run(lambda: "clarifying")) == (["response"], "clarifying")
    assert asyncio.run(run(lambda: "finished")) == (["response", "error"], "error")
    assert asyncio.run(run(lambda: 1 / 0)) == (["response", "error"], "error")


@pytest.mark.parametrize(
    "arguments",
    [
        {"session_id": ""},
        {"event_id": None},
        {"originator_id": 5},
        {"slot_key": ""},
        {"merge_strategy": "deep"},
        {"conversation_state": "completed"},
        {"conversation_state": ["complete"]},
        {"parts": {"partType": "ack", "text": "a"}},
        {"parts": "ack"},
        {"parts": 5},
        {"mailbox": {"partType": "ack", "text": "a"}},
    ],
)
def test_an_argument_that_cannot_be_is_refused_by_its_name(arguments: dict[str, Any]) -> None:
    with pytest.raises(BadArgument) as raised:
        envelope(arguments.pop("parts", []), **arguments)

    assert raised.value.argument in ("parts", *arguments)


# Assembly


def test_domain_data_is_stamped_and_nothing_else() -> None:
    parts = asyncio.run(
        parts_of(envelope([DATA, SAID, {**DATA, "slotKey": "own"}], slot_key="slot", merge_strategy="append"))
    )

    assert [dict(part.metadata) for part in parts] == [
        {"partType": "domain-data", "slotKey": "slot", "mergeStrategy": "append"},
        {"partType": "response"},
        {"partType": "domain-data", "slotKey": "own"},
    ]


def test_what_says_how_it_merges_keeps_to_it() -> None:
    (part,) = asyncio.run(parts_of(envelope([{**DATA, "mergeStrategy": "append"}], slot_key="slot")))

    assert (part.slot_key, part.merge_strategy) == ("slot", "append")


def test_the_mailbox_comes_first_as_one_domain_object() -> None:
    mailbox = [
        {"partType": "domain-data", "data": [1], "dataKind": "flights"},
        {"partType": "thinking", "text": "hm"},
        {"partType": "domain-data", "data": {"total": 2}},
        {"partType": "domain-data", "data": [2], "dataKind": "flights", "mergeStrategy": "append"},
    ]
    parts = asyncio.run(parts_of(envelope([SAID], mailbox=mailbox)))

    assert [part.type for part in parts] == ["domain-data", "response"]
    assert parts[0].data == {"flights": [1, 2], "total": 2}


def test_an_answered_approval_in_the_mailbox_does_not_suspend() -> None:
    async def run(mailbox: list[Any]) -> str:
        made = envelope([SAID], mailbox=mailbox)
        await parts_of(made)
        return made.state

    assert asyncio.run(run([request()])) == "suspended"
    assert asyncio.run(run([request(), response()])) == "complete"


def test_a_bad_event_in_the_mailbox_is_named() -> None:
    parts = asyncio.run(parts_of(envelope([SAID], mailbox=[{"partType": "nope", "text": "x"}])))

    assert [part.type for part in parts] == ["error", "response"]


def test_a_citation_waits_for_the_data_it_is_bound_to() -> None:
    def cite(path: str, slot: str | None = None) -> dict[str, Any]:
        data = {"path": path, "source": {"title": "T"}, **({"slotKey": slot} if slot else {})}
        return {"partType": "citation", "data": data}

    later = {"partType": "domain-data", "data": {"a": [{"b/c": 1}]}, "slotKey": "x"}
    parts = asyncio.run(
        parts_of(
            envelope(
                [
                    cite("/a/0/b~1c", "x"),
                    cite("/a/1", "x"),
                    later,
                    cite("", "x"),
                    cite("a", "x"),
                    cite("/berths"),
                    cite("", "y"),
                    DATA,
                    cite("/a/00/b~1c", "x"),
                ]
            )
        )
    )

    assert [part.type for part in parts] == [
        "domain-data", "domain-data", "citation", "error", "citation", "error", "citation", "error", "error",
    ]  # fmt: skip
    assert [part.metadata["partIndex"] for part in parts if part.type == "error"] == [1, 4, 6, 8]


def test_a_citation_whose_place_was_replaced_is_a_violation() -> None:
    old = {"partType": "domain-data", "data": {"a": 1}, "slotKey": "x"}
    cite = {"partType": "citation", "data": {"path": "/a", "slotKey": "x", "source": {}}}
    parts = asyncio.run(parts_of(envelope([old, cite, {**old, "data": {"b": 1}}])))

    assert [part.type for part in parts] == ["domain-data", "domain-data", "error"]


# Memory


async def streamed(count: int) -> int:
    """Stream many parts to one receiver, and return how far memory rose meanwhile, in bytes."""

    async def handler() -> AsyncIterator[Any]:
        for number in range(count):
            yield {"partType": "domain-data", "data": {"n": number % 7}, "slotKey": "s"}
            yield {"partType": "response", "text": "word ", "mergeStrategy": "append"}
            yield {"partType": "progress", "data": {"completed": number}}

    made = envelope(handler(), registry=registry())
    delivery = await deliver(made, to=Transport("sse"))
    first = await anext(delivery)
    gc.collect()
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    seen = 1
    async for part in delivery:
        seen += 1
        first = part
    _, peak = tracemalloc.get_traced_memory()
    assert seen == 3 * count
    assert first.type == "progress"
    return peak - before


@pytest.mark.slow
def test_streaming_takes_no_more_memory_for_many_parts() -> None:
    tracemalloc.start()
    try:
        few, many = (asyncio.run(streamed(count)) for count in (333, 33_333))
    finally:
        tracemalloc.stop()

    # The bound, on either; the ledger takes two bytes a part.
    assert few < 2**20
    assert many < 2**20
