"""The envelope as a stream: several receivers, suspension, settlement, failures."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import PartTypeRegistry
from cardwright.errors import BadArgument
from cardwright_beach import merge
from cardwright_beach.delivery import Transport, deliver
from cardwright_beach.errors import BadPart, EnvelopeSpent
from cardwright_beach.events import PartEvent, Settlement
from cardwright_beach.parts import Part
from tests.beach.envelopes import NOON, envelope, live, parts_of, registry, request, response

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

RESPONSE = {"partType": "response", "text": "Here you are."}
DATA = {"partType": "domain-data", "data": {"berths": 3}}


async def test_an_envelope_ends_with_its_settlement_marker_and_nothing_after() -> None:
    events: list[Any] = [event async for event in envelope([RESPONSE, DATA])]

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


async def test_a_part_is_delivered_before_the_next_is_created() -> None:
    order: list[str] = []

    async def handler() -> AsyncIterator[Any]:
        for name in ("a", "b"):
            order.append(f"made {name}")
            yield {"partType": "ack", "text": name}

    delivery = await deliver(envelope(handler()), to=Transport("sse"))
    while (part := await anext(delivery, None)) is not None:
        order.append(f"got {part.text}")
    assert order == ["made a", "got a", "made b", "got b"]


async def test_a_buffered_receiver_gets_nothing_before_the_settlement() -> None:
    made = envelope(live([DATA, RESPONSE, {"partType": "clarify", "text": "When?"}]))
    delivery = await deliver(made, to=Transport("smtp"))
    assert [(part.type, delivery.settlement is not None) async for part in delivery] == [
        ("clarify", False),
        ("domain-data", True),
        ("response", True),
    ]


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


def test_concurrent_receivers_get_every_part_once() -> None:
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


async def test_a_cancelled_receiver_does_not_affect_the_others() -> None:
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
    assert [part.text async for part in staying] == ["a", "b"]


async def test_a_late_receiver_is_refused() -> None:
    made = envelope(live([RESPONSE]))
    await anext(aiter(made))
    with pytest.raises(EnvelopeSpent, match="before reading the first part"):
        await deliver(made, to=Transport("sse"))


async def test_an_envelope_of_a_list_can_be_read_again() -> None:
    made = envelope([RESPONSE, DATA])
    one, other = await parts_of(made), await parts_of(made)

    assert one == other
    assert len(one) == 2


async def test_closing_stops_the_handler_and_waiting_readers() -> None:
    stopped: list[str] = []

    async def handler() -> AsyncIterator[Any]:
        try:
            yield RESPONSE
            await asyncio.Event().wait()
        finally:
            stopped.append("handler")

    made = envelope(handler())
    delivery = await deliver(made, to=Transport("sse"))
    await anext(delivery)

    async def follow() -> list[str]:
        return [part.type async for part in delivery]

    waiting = asyncio.create_task(follow())
    await asyncio.sleep(0)
    await made.aclose()
    assert await waiting == []
    assert stopped == ["handler"]


# Approvals


async def test_a_turn_with_a_pending_approval_is_suspended() -> None:
    made = envelope([request(), RESPONSE])
    delivery = await deliver(made, to=Transport("smtp"))
    first = await anext(delivery)
    state = made.state
    rest = [part.type async for part in delivery]
    assert first.type == "approval-request"
    assert delivery.settlement is not None
    assert (state, delivery.settlement.state, rest) == ("suspended", "suspended", [])


@pytest.mark.parametrize("order", [(request(), response()), (response(), request())])
async def test_a_response_in_the_stream_ends_the_suspension(order: tuple[Any, Any]) -> None:
    made = envelope([*order, RESPONSE])
    await parts_of(made)
    assert made.state == "complete"


async def test_a_response_from_outside_ends_the_suspension() -> None:
    states = []
    made = envelope(live([request(), RESPONSE]))
    reader = aiter(made)
    await anext(reader)
    states.append(made.state)
    made.resume(Part.of(response()))
    states.append(made.state)
    async for _ in reader:
        pass
    assert [*states, made.state] == ["suspended", "awaiting", "complete"]


async def test_only_an_approval_response_resumes_a_turn() -> None:
    with pytest.raises(BadArgument, match="approval-response"):
        envelope([]).resume(Part.of(RESPONSE))


async def test_a_response_to_another_request_does_not_end_the_suspension() -> None:
    made = envelope([request("a1"), response("a2")])
    await parts_of(made)
    assert made.state == "suspended"


# Failures


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
def test_an_invalid_part_is_reported_and_the_others_arrive(wrong: Any, pointer: str, rule: str) -> None:
    parts = asyncio.run(parts_of(envelope([RESPONSE, wrong, DATA])))

    assert [part.type for part in parts] == ["response", "error", "domain-data"]
    assert parts[1].metadata["partIndex"] == 1
    assert parts[1].metadata.get("pointer", "") == pointer
    assert parts[1].metadata["rule"] == rule
    assert "part 1" in (parts[1].text or "")
    Part.of(parts[1])


@pytest.mark.bulk
def test_cyclic_and_swelling_data_is_refused_at_once() -> None:
    cyclic: list[Any] = []
    cyclic.append(cyclic)
    swelling: Any = [1]
    for _ in range(60):
        swelling = [swelling, swelling]

    for data in (cyclic, swelling, {"a": {"b": cyclic}}):
        with pytest.raises(BadPart, match=r"contains itself|more than 1,000,000 values"):
            Part.of({"partType": "domain-data", "data": data})


def test_a_handler_that_raises_becomes_an_error_and_the_turn_settles_as_error() -> None:
    async def handler() -> AsyncIterator[Any]:
        yield RESPONSE
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


def test_a_cancellation_inside_the_handler_fails_only_the_handler() -> None:
    async def handler() -> AsyncIterator[Any]:
        yield RESPONSE
        task = asyncio.create_task(asyncio.sleep(9))
        task.cancel()
        await task

    async def run() -> tuple[list[str], str]:
        made = envelope(handler())
        return [part.type for part in await parts_of(made)], made.state

    assert asyncio.run(run()) == (["response", "error"], "error")


def test_the_final_state_may_come_from_a_function() -> None:
    async def run(state: Any) -> tuple[list[str], str]:
        made = envelope([RESPONSE], conversation_state=state)
        return [part.type for part in await parts_of(made)], made.state

    assert asyncio.run(run(lambda: "clarifying")) == (["response"], "clarifying")
    assert asyncio.run(run(lambda: "finished")) == (["response", "error"], "error")
    assert asyncio.run(run(lambda: 1 / 0)) == (["response", "error"], "error")


@pytest.mark.parametrize(
    "arguments",
    [
        {"session_id": ""}, {"event_id": None}, {"originator_id": 5}, {"slot_key": ""}, {"merge_strategy": "deep"},
        {"conversation_state": "completed"}, {"conversation_state": ["complete"]},
        {"parts": {"partType": "ack", "text": "a"}}, {"parts": "ack"}, {"parts": 5},
        {"mailbox": {"partType": "ack", "text": "a"}},
    ],
)  # fmt: skip
def test_an_invalid_argument_is_refused_by_name(arguments: dict[str, Any]) -> None:
    with pytest.raises(BadArgument) as raised:
        envelope(arguments.pop("parts", []), **arguments)

    assert raised.value.argument in ("parts", *arguments)


# Assembly


def test_only_domain_data_gets_the_default_slot() -> None:
    parts = asyncio.run(
        parts_of(
            envelope([DATA, RESPONSE, {**DATA, "slotKey": "own"}], slot_key="slot", merge_strategy="append")
        )
    )

    assert [dict(part.metadata) for part in parts] == [
        {"partType": "domain-data", "slotKey": "slot", "mergeStrategy": "append"},
        {"partType": "response"},
        {"partType": "domain-data", "slotKey": "own"},
    ]


def test_an_explicit_merge_strategy_is_kept() -> None:
    (part,) = asyncio.run(parts_of(envelope([{**DATA, "mergeStrategy": "append"}], slot_key="slot")))

    assert (part.slot_key, part.merge_strategy) == ("slot", "append")


def test_the_mailbox_comes_first_as_one_domain_object() -> None:
    mailbox = [
        {"partType": "domain-data", "data": [1], "dataKind": "flights"},
        {"partType": "thinking", "text": "hm"},
        {"partType": "domain-data", "data": {"total": 2}},
        {"partType": "domain-data", "data": [2], "dataKind": "flights", "mergeStrategy": "append"},
    ]
    parts = asyncio.run(parts_of(envelope([RESPONSE], mailbox=mailbox)))

    assert [part.type for part in parts] == ["domain-data", "response"]
    assert parts[0].data == {"flights": [1, 2], "total": 2}


def test_an_approval_with_a_response_in_the_mailbox_does_not_suspend() -> None:
    async def run(mailbox: list[Any]) -> str:
        made = envelope([RESPONSE], mailbox=mailbox)
        await parts_of(made)
        return made.state

    assert asyncio.run(run([request()])) == "suspended"
    assert asyncio.run(run([request(), response()])) == "complete"


def test_an_invalid_event_in_the_mailbox_is_reported() -> None:
    parts = asyncio.run(parts_of(envelope([RESPONSE], mailbox=[{"partType": "nope", "text": "x"}])))

    assert [part.type for part in parts] == ["error", "response"]


def test_a_citation_is_sent_when_the_turn_settles() -> None:
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


def test_a_citation_of_replaced_data_is_a_violation() -> None:
    old = {"partType": "domain-data", "data": {"a": 1}, "slotKey": "x"}
    cite = {"partType": "citation", "data": {"path": "/a", "slotKey": "x", "source": {}}}
    parts = asyncio.run(parts_of(envelope([old, cite, {**old, "data": {"b": 1}}])))

    assert [part.type for part in parts] == ["domain-data", "domain-data", "error"]


# Memory


async def streamed(count: int) -> int:
    """Stream many parts to one receiver; return the memory growth in bytes."""

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


@pytest.mark.bulk
def test_streaming_takes_no_more_memory_for_many_parts() -> None:
    tracemalloc.start()
    try:
        few, many = (asyncio.run(streamed(count)) for count in (333, 10_000))
    finally:
        tracemalloc.stop()

    # The memory limit; the ledger takes two bytes per part.
    assert few < 2**20
    assert many < 2**20


# Receivers that leave, late receivers


def test_a_cancelled_wait_for_a_part_loses_nothing() -> None:
    async def run() -> tuple[list[str | None], Any]:
        go = asyncio.Event()

        async def handler() -> AsyncIterator[Any]:
            yield {"partType": "ack", "text": "a"}
            await go.wait()
            yield {"partType": "ack", "text": "b"}

        delivery = await deliver(envelope(handler()), to=Transport("sse"))
        got = [(await anext(delivery)).text]
        for _ in range(3):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(anext(delivery), 0.01)
        go.set()
        got += [part.text async for part in delivery]
        return got, delivery.settlement

    got, settlement = asyncio.run(run())

    assert got == ["a", "b"]
    assert settlement.state == "complete"


async def test_a_cancelled_wait_for_the_settled_message_loses_nothing() -> None:
    go = asyncio.Event()

    class Slow:
        async def translate(self, request: Any) -> str:
            await go.wait()
            return f"prose of {request.event_id}"

    made = envelope(live([DATA, RESPONSE]), translator=Slow())
    delivery = await deliver(
        made, to=Transport("a2a", "buffered", consumes=("domain-data", "response", "llm-context"))
    )
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(anext(delivery), 0.05)
    go.set()
    assert [part.type async for part in delivery] == ["domain-data", "llm-context", "response"]


async def growth_after_leaving(count: int) -> int:
    made = envelope(live({"partType": "progress", "data": {"message": "x" * 500}} for _ in range(count)))
    leaving, staying = [await deliver(made, to=Transport("sse")) for _ in range(2)]
    await anext(leaving)
    await leaving.aclose()
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    async for _ in staying:
        pass
    gc.collect()
    assert len(leaving.explain()) == 1
    return tracemalloc.get_traced_memory()[0] - before


@pytest.mark.bulk
def test_no_events_are_kept_for_a_closed_receiver() -> None:
    tracemalloc.start()
    try:
        growth = asyncio.run(growth_after_leaving(2_000))
    finally:
        tracemalloc.stop()

    assert growth < 200_000


def test_response_text_is_collected_only_for_llm_context() -> None:
    async def run(*consumes: str) -> str:
        requests: list[Any] = []

        class Translator:
            async def translate(self, request: Any) -> str:
                requests.append(request)
                return "prose"

        words = [{"partType": "response", "text": "word ", "mergeStrategy": "append"}] * 3
        made = envelope(live(words), translator=Translator())
        delivery = await deliver(made, to=Transport("sse", consumes=consumes))
        async for _ in delivery:
            pass
        return str(requests[0].response) if requests else repr(made._turn.response_text)  # pyright: ignore[reportPrivateUsage]

    assert asyncio.run(run("llm-context")) == "word word word "
    assert asyncio.run(run()) == "''"


def test_an_envelope_works_in_one_event_loop() -> None:
    made = envelope([RESPONSE, DATA])

    async def first() -> None:
        await anext(aiter(made))

    async def rest() -> None:
        with pytest.raises(BadArgument, match="another event loop"):
            await parts_of(made)

    asyncio.run(first())
    asyncio.run(rest())


async def test_closing_twice_at_once_and_from_the_handler_is_harmless() -> None:
    ended: list[str] = []

    async def handler() -> AsyncIterator[Any]:
        try:
            yield RESPONSE
            yield DATA
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append("handler")

    made = envelope(handler())
    reader = aiter(made)
    await anext(reader)
    waiting = asyncio.create_task(_all(reader))
    for _ in range(10):
        await asyncio.sleep(0)
    await asyncio.gather(made.aclose(), made.aclose(), made.aclose())

    async def suicidal() -> AsyncIterator[Any]:
        yield RESPONSE
        await other.aclose()
        yield DATA

    other = envelope(suicidal())
    first, second = [*ended, *await waiting], [type(event).__name__ async for event in other]

    assert first == ["handler", "PartEvent"]
    assert second == ["PartEvent", "PartEvent"]


async def _all(reader: Any) -> list[str]:
    return [type(event).__name__ async for event in reader]


class Stop(BaseException):
    """Unusual exception of a handler."""


@pytest.mark.parametrize("error", [Stop(), GeneratorExit(), BaseExceptionGroup("all", [Stop()])])
def test_every_receiver_gets_an_error_for_any_exception_of_the_handler(error: BaseException) -> None:
    async def handler() -> AsyncIterator[Any]:
        yield DATA
        yield {"partType": "citation", "data": {"path": "/berths", "source": {}}}
        raise error

    async def run() -> list[Any]:
        made = envelope(handler())
        deliveries = [await deliver(made, to=Transport(name)) for name in ("sse", "smtp")]
        got = [([part.type async for part in one], one.meta["conversationState"]) for one in deliveries]
        return [got, made.failure]

    got, failure = asyncio.run(run())

    assert got == [(["domain-data", "error"], "error"), (["error"], "error")]
    assert failure is error


class Untouchable(dict[str, Any]):
    """Application object that raises."""

    def items(self) -> Any:
        raise OSError("/secret")


def test_an_unreadable_part_loses_only_itself() -> None:
    parts = asyncio.run(parts_of(envelope([{"partType": "domain-data", "data": Untouchable(a=1)}, RESPONSE])))

    assert [part.type for part in parts] == ["error", "response"]
    assert "OSError" in (parts[0].text or "")
    assert "secret" not in (parts[0].text or "")


def test_a_failing_mailbox_keeps_its_earlier_events() -> None:
    def mailbox() -> Any:
        yield DATA
        raise OSError("database is away")

    async def asynchronous() -> AsyncIterator[Any]:
        yield DATA

    parts = asyncio.run(parts_of(envelope([RESPONSE], mailbox=mailbox())))
    others = asyncio.run(parts_of(envelope([RESPONSE], mailbox=asynchronous())))

    assert [part.type for part in parts] == ["error", "domain-data", "response"]
    assert "away" not in (parts[0].text or "")
    assert [part.type for part in others] == ["domain-data", "response"]


def test_an_error_does_not_quote_confidential_parts() -> None:
    wrong = [
        {"partType": "reasoning-trace", "text": "x", "mergeStrategy": "SECRET"},
        {"partType": "setState", "data": {"SECRET": "x"}},
        {"partType": "approval-response", "data": {"decision": "SECRET"}},
    ]
    parts = asyncio.run(parts_of(envelope(wrong)))

    assert [part.type for part in parts] == ["error"] * 3
    assert "SECRET" not in str([part.document for part in parts])
    assert [part.metadata["partIndex"] for part in parts] == [0, 1, 2]


async def test_handler_data_does_not_replace_mailbox_data() -> None:
    made = envelope(
        [{"partType": "domain-data", "data": {"new": 1}}],
        slot_key="k",
        mailbox=[{"partType": "domain-data", "data": {"old": 1}}],
    )
    await parts_of(made)
    assert made.domain == {"k": {"old": 1, "new": 1}}


def test_mailbox_data_is_never_overwritten() -> None:
    mailbox = [
        {"partType": "domain-data", "data": {"berths": ["manual"], "total": 2}},
        {"partType": "domain-data", "data": ["N4"], "dataKind": "berths"},
        {"partType": "domain-data", "data": {"total": 3}},
        {"partType": "domain-data", "data": {"x": 1}},
    ]
    parts = asyncio.run(parts_of(envelope([], mailbox=mailbox)))

    assert [part.data for part in parts] == [{"berths": ["manual"], "total": 2, "x": 1}, ["N4"], {"total": 3}]


def test_a_field_is_not_merged_with_data_of_a_kind_of_the_same_name() -> None:
    mailbox = [
        {"partType": "domain-data", "data": {"y": 1}, "dataKind": "berths"},
        {"partType": "domain-data", "data": {"berths": {"x": 1}}},
    ]
    parts = asyncio.run(parts_of(envelope([], mailbox=mailbox)))

    assert [part.data for part in parts] == [{"berths": {"y": 1}}, {"berths": {"x": 1}}]


def test_a_citation_gets_the_default_slot_of_its_data() -> None:
    cite = {"partType": "citation", "data": {"path": "/berths", "source": {"title": "T"}}}
    parts = asyncio.run(parts_of(envelope([DATA, cite], slot_key="k")))

    assert [part.type for part in parts] == ["domain-data", "citation"]
    assert parts[1].data["slotKey"] == "k"


async def test_changing_merged_data_does_not_change_the_parts() -> None:
    made = envelope([{"partType": "domain-data", "data": {"items": [1]}, "slotKey": "a"}])
    one, other = [await deliver(made, to=Transport(name)) for name in ("sse", "smtp")]
    slots: dict[str, Any] = {}
    async for part in one:
        slots = merge(slots, part)
    slots["a"]["items"].append("mine")
    made.domain["a"]["items"].append("mine")
    assert [part.data async for part in other] == [{"items": [1]}]


@pytest.mark.parametrize("answer", ["A1", "a1"])
async def test_approval_ids_are_compared_without_case(answer: str) -> None:
    made = envelope([request("a1"), response(answer)])
    await parts_of(made)
    assert made.state == "complete"


async def test_only_a_pending_request_can_be_resumed() -> None:
    made = envelope([request("a1")])
    await anext(aiter(made))
    with pytest.raises(BadArgument, match="no approval"):
        made.resume(Part.of(response("b2")))
    await parts_of(made)
    with pytest.raises(BadArgument, match="settled"):
        made.resume(Part.of(response("a1")))


@pytest.mark.bulk
@pytest.mark.parametrize("size", [[0.1234567890123456] * 900_000, ["\u00e9\n" * 10] * 400_000])
def test_the_size_of_a_part_is_that_of_its_json(size: Any) -> None:
    with pytest.raises(BadPart, match="longer than 16,777,216 bytes"):
        Part.of({"partType": "domain-data", "data": size})


class Hanging:
    async def record(self, part: Part, meta: Any) -> None:
        await asyncio.Event().wait()
        raise AssertionError(part, meta)


class Cancelled:
    async def record(self, part: Part, meta: Any) -> None:
        raise asyncio.CancelledError(part, meta)


@pytest.mark.parametrize("sink", [Hanging(), Cancelled()])
async def test_a_hanging_or_cancelled_sink_loses_only_the_record(sink: Any) -> None:
    parts = [{"partType": "reasoning-trace", "text": "x"}, RESPONSE]
    made = envelope(parts, audit=sink, audit_seconds=0.01)
    types, failure = [part.type for part in await parts_of(made)], made.audit_failure

    assert types == ["reasoning-trace", "response"]
    assert failure is not None


@pytest.mark.parametrize("clock", [lambda: NOON.replace(tzinfo=None), None])
def test_a_clock_must_have_a_time_zone(clock: Any) -> None:
    with pytest.raises(BadArgument, match="clock"):
        envelope([], clock=clock)


def test_a_registry_must_contain_the_canonical_core() -> None:
    with pytest.raises(BadArgument, match="canonical"):
        envelope([], registry=PartTypeRegistry())
