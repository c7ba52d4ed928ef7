"""Who gets what: the seed's table, the peer's card, and the reasons given."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from cardwright import Card, PartTypeRegistry, TransportRegistry
from cardwright.errors import BadArgument, BadName
from cardwright_beach import Artifact, Part
from cardwright_beach.delivery import Delivery, Transport, deliver
from cardwright_beach.errors import BadPart, TranslationFailed
from tests.beach.making import a2a_card, beach_card, envelope, live, registry, request

SSE, EMAIL, A2A = Transport("sse"), Transport("smtp"), Transport("a2a", "streaming")
PARTS: dict[str, dict[str, Any]] = {
    "ack": {"partType": "ack", "text": "a"},
    "thinking": {"partType": "thinking", "text": "a"},
    "progress": {"partType": "progress", "data": {}},
    "response": {"partType": "response", "text": "a"},
    "domain-data": {"partType": "domain-data", "data": {"a": 1}},
    "artifact": {"partType": "artifact", "url": "https://a.example/f"},
    "reasoning-trace": {"partType": "reasoning-trace", "text": "a"},
    "clarify": {"partType": "clarify", "text": "a"},
    "error": {"partType": "error", "text": "a"},
    "approval-response": {
        "partType": "approval-response",
        "data": {"approvalId": "a", "decision": "denied", "decidedAt": "2026-05-04T12:00:00Z"},
    },
    "setState": {"partType": "setState", "data": {"a.b": "c"}},
    "llm-context": {"partType": "llm-context", "text": "a"},
}


async def delivered(parts: Any, to: Any, **more: Any) -> tuple[Delivery, list[Part]]:
    arguments = {
        name: more.pop(name)
        for name in ("registry", "over", "language", "artifacts", "transports")
        if name in more
    }
    types = arguments.get("registry")
    made = envelope(parts, registry=types, **more)
    delivery = await deliver(made, to=to, **arguments)
    got = [part async for part in delivery]
    await made.aclose()
    return delivery, got


def types_got(parts: Any, to: Any, **more: Any) -> list[str]:
    return [part.type for part in asyncio.run(delivered(parts, to, **more))[1]]


# The seed's table; what reaches an agent by A2A and needs no leave is in the third column.
@pytest.mark.parametrize(
    ("part_type", "streaming", "buffered", "peer"),
    [
        ("ack", True, False, True),
        ("thinking", True, False, True),
        ("progress", True, False, True),
        ("response", True, True, True),
        ("domain-data", True, True, True),
        ("artifact", True, True, True),
        ("reasoning-trace", False, False, False),
        ("clarify", True, True, True),
        ("error", True, True, True),
        ("approval-response", False, False, False),
        ("setState", False, False, True),
        ("llm-context", False, False, False),
    ],
)
def test_the_seeds_table_holds(part_type: str, *, streaming: bool, buffered: bool, peer: bool) -> None:
    for to, expected in ((SSE, streaming), (EMAIL, buffered), (A2A, peer), (a2a_card(None), peer)):
        assert types_got([PARTS[part_type]], to) == ([part_type] if expected else []), to


def test_streamed_text_goes_out_in_increments_and_an_email_gets_what_they_come_to() -> None:
    parts = [
        {"partType": "response", "text": text, "mergeStrategy": "append"}
        for text in ("Berth ", "N4 ", "is free.")
    ]

    streamed = asyncio.run(delivered(parts, SSE))[1]
    (sent,) = asyncio.run(delivered(parts, EMAIL))[1]

    assert [part.text for part in streamed] == ["Berth ", "N4 ", "is free."]
    assert sent.document == {"text": "Berth N4 is free.", "metadata": {"partType": "response"}}


def test_a_whole_response_takes_the_place_of_what_was_said_before() -> None:
    parts = [
        {"partType": "response", "text": "Berth", "mergeStrategy": "append"},
        {"partType": "response", "text": "No."},
    ]

    (sent,) = asyncio.run(delivered(parts, EMAIL))[1]

    assert sent.text == "No."


def test_domain_data_of_one_slot_goes_into_a_message_once() -> None:
    parts = [
        {"partType": "domain-data", "data": {"a": {"x": 1}}, "slotKey": "s", "mergeStrategy": "deep-merge"},
        {"partType": "domain-data", "data": {"a": {"y": 2}}, "slotKey": "s", "mergeStrategy": "deep-merge"},
        {"partType": "domain-data", "data": {"z": 1}},
        {"partType": "domain-data", "data": {"z": 2}},
    ]
    got = asyncio.run(delivered(parts, EMAIL))[1]

    assert [part.data for part in got] == [{"z": 1}, {"z": 2}, {"a": {"x": 1, "y": 2}}]
    assert got[2].metadata == {"partType": "domain-data", "slotKey": "s", "mergeStrategy": "deep-merge"}


@pytest.mark.parametrize("state", ["clarifying", "error", "suspended", "delegated", "passed", "awaiting"])
def test_a_message_waits_until_the_turn_is_complete(state: str) -> None:
    parts = [PARTS["domain-data"], PARTS["error"], PARTS["response"]]
    delivery, got = asyncio.run(delivered(parts, EMAIL, conversation_state=state))

    assert [part.type for part in got] == ["error"]
    rows = {row.type: (row.outcome, row.reason) for row in delivery.explain()}
    assert rows["response"][0] == rows["domain-data"][0] == "held"
    assert f"settled as {state}" in rows["response"][1]


def test_what_was_held_comes_with_the_next_turn_out_of_the_mailbox() -> None:
    got = asyncio.run(delivered([PARTS["response"]], EMAIL, mailbox=[PARTS["domain-data"]]))[1]

    assert [part.type for part in got] == ["domain-data", "response"]


# llm-context


# What a translator says that takes a minute.
SLOW = object()


class Translator:
    def __init__(self, answer: Any = "prose") -> None:
        self.answer = answer
        self.asked: list[Any] = []

    async def translate(self, request: Any) -> str:
        self.asked.append(request)
        if isinstance(self.answer, BaseException):
            raise self.answer
        if self.answer is SLOW:
            await asyncio.sleep(60)
        # A translator may return anything.
        return cast("str", self.answer)


def test_a_translator_is_asked_for_nobody_who_does_not_take_it() -> None:
    translator = Translator()
    for to in (SSE, EMAIL, A2A, a2a_card(None), a2a_card(["domain-data"]), beach_card(["domain-data"])):
        assert "llm-context" not in types_got([PARTS["response"]], to, translator=translator)

    assert translator.asked == []


@pytest.mark.parametrize(
    "to",
    [a2a_card(["llm-context"]), beach_card(["llm-context"]), Transport("sse", consumes=("llm-context",))],
)
def test_a_receiver_that_lists_it_gets_llm_context_once_at_the_settlement(to: Any) -> None:
    translator = Translator()
    delivery, got = asyncio.run(
        delivered([PARTS["domain-data"], PARTS["response"], PARTS["response"]], to, translator=translator)
    )

    assert [part.type for part in got].count("llm-context") == 1
    (asked,) = translator.asked
    assert (asked.response, asked.data) == ("a", {"": {"a": 1}})
    assert delivery.explain()[-1].outcome == "sent"


def test_two_receivers_of_one_language_share_one_translation_and_each_gets_its_own_language() -> None:
    translator = Translator()

    async def run() -> list[Any]:
        made = envelope(live([PARTS["response"]]), translator=translator)
        english = beach_card(["llm-context"], llmContextLanguage="en")
        targets = [
            (english, None),
            (english, None),
            (english, "de"),
            (a2a_card(["llm-context"], llmContextLanguage="fr"), None),
        ]
        deliveries = [await deliver(made, to=card, language=language) for card, language in targets]

        async def context(delivery: Delivery) -> Any:
            return [part.metadata.get("language") async for part in delivery if part.type == "llm-context"]

        return list(await asyncio.gather(*map(context, deliveries)))

    assert asyncio.run(run()) == [["en"], ["en"], ["de"], ["fr"]]
    assert sorted(request.language for request in translator.asked) == ["de", "en", "fr"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (ValueError("key sk-1234567890abc"), "ValueError"),
        (TranslationFailed("rate-limited", "the model is asked too often"), "asked too often"),
        (5, "no text"),
        (SLOW, "longer than"),
    ],
)
def test_a_failing_translator_costs_its_part_and_no_other(answer: Any, told: str) -> None:
    delivery, got = asyncio.run(
        delivered(
            [PARTS["domain-data"], PARTS["response"]],
            beach_card(["llm-context"]),
            translator=Translator(answer),
            translation_seconds=0.05,
        )
    )

    assert [part.type for part in got] == ["domain-data", "response"]
    last = delivery.explain()[-1]
    assert (last.type, last.outcome) == ("llm-context", "dropped")
    assert told in last.reason
    assert "sk-123456" not in last.reason


def test_a_handler_that_writes_llm_context_itself_needs_no_translator() -> None:
    translator = Translator()
    _, got = asyncio.run(
        delivered([PARTS["llm-context"]], beach_card(["llm-context"]), translator=translator)
    )

    assert [part.text for part in got] == ["a"]
    assert translator.asked == []


def test_a_turn_that_is_not_complete_is_not_translated() -> None:
    translator = Translator()
    asyncio.run(
        delivered(
            [PARTS["response"]],
            beach_card(["llm-context"]),
            translator=translator,
            conversation_state="error",
        )
    )

    assert translator.asked == []


# Types of an application


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        (beach_card(["acme.board"]), True),
        (beach_card(["domain-data"]), False),
        (beach_card(), False),
        (a2a_card(["acme.board"]), True),
        (a2a_card(["domain-data"]), False),
        (a2a_card(None), False),
        (Transport("sse", consumes=("acme.board",)), True),
        (SSE, False),
    ],
)
def test_a_type_that_needs_leave_goes_to_who_lists_it(to: Any, *, expected: bool) -> None:
    types = registry(requires_peer_consumes=True)
    part = {"partType": "acme.board", "data": {}}

    assert types_got([part], to, registry=types) == (["acme.board"] if expected else [])


def test_a_peer_without_beach_gets_the_standard_parts_alone() -> None:
    part = {"partType": "acme.board", "data": {}}

    assert types_got([part, PARTS["response"]], a2a_card(None), registry=registry()) == ["response"]
    assert types_got([part, PARTS["response"]], a2a_card([]), registry=registry()) == [
        "acme.board",
        "response",
    ]


def test_a_type_keeps_to_its_transports() -> None:
    types = registry(allowed_transports=["sse"])
    part = {"partType": "acme.board", "data": {}}

    assert types_got([part], SSE, registry=types) == ["acme.board"]
    for to in (A2A, EMAIL, beach_card()):
        assert types_got([part], to, registry=types) == []


def test_the_seeds_worked_example() -> None:
    types = PartTypeRegistry.canonical()
    types.register(
        "ta.itinerary-slot-state",
        streaming="flush",
        buffered="drop",
        allowed_transports=["sse", "a2a"],
        requires_peer_consumes=True,
    )
    parts = [
        {"partType": "response", "text": "Here is your itinerary."},
        {"partType": "domain-data", "data": {"nights": 2}},
        {"partType": "ta.itinerary-slot-state", "data": {"day": 1}},
    ]
    card = a2a_card(["domain-data", "a2ui-surface", "ta.itinerary-slot-state"])
    browser = Transport("sse", consumes=("ta.itinerary-slot-state",))

    for to in (card, browser):
        assert types_got(parts, to, registry=types) == ["response", "domain-data", "ta.itinerary-slot-state"]
    assert types_got(parts, EMAIL, registry=types) == ["domain-data", "response"]
    assert types_got(parts, a2a_card(["domain-data"]), registry=types) == ["response", "domain-data"]


# Receivers


@pytest.mark.parametrize(
    ("card", "transport", "delivery_class"),
    [
        (a2a_card(None, streaming=True), "a2a", "streaming"),
        (a2a_card(None, streaming=False), "a2a", "buffered"),
        (beach_card(), "a2a", "buffered"),
    ],
)
def test_how_a_peer_is_reached_is_what_its_card_says(card: Card, transport: str, delivery_class: str) -> None:
    delivery, _ = asyncio.run(delivered([], card))

    assert (delivery.receiver.transport, delivery.receiver.delivery_class) == (transport, delivery_class)


def test_who_knows_better_how_a_peer_is_reached_says_so() -> None:
    delivery, _ = asyncio.run(delivered([], a2a_card(None), over=Transport("webhook")))

    assert (delivery.receiver.transport, delivery.receiver.delivery_class) == ("webhook", "buffered")


@pytest.mark.parametrize(
    "damage",
    [
        {"envelope": None},
        {"envelope": {"consumes": "llm-context"}},
        {"envelope": {"consumes": [5, None, ["llm-context"]]}},
        {"envelope": {"a2uiCatalog": 5, "llmContextLanguage": []}},
        {"transports": None},
        {"transports": [5, {"protocol": 7}, {"protocol": "carrier-pigeon"}]},
    ],
)
def test_a_card_that_is_not_valid_gives_leave_for_nothing(damage: dict[str, Any]) -> None:
    card = Card.from_document({**beach_card().document, **damage}, dialect="beach-1.0")

    assert types_got([PARTS["llm-context"], PARTS["response"]], card) == ["response"]


@pytest.mark.parametrize("to", [None, "sse", {"name": "sse"}, 5])
def test_who_is_neither_peer_nor_channel_is_refused(to: Any) -> None:
    with pytest.raises(BadArgument, match="Card or a Transport"):
        asyncio.run(delivered([], to))


@pytest.mark.parametrize(
    ("to", "error"),
    [(Transport("pigeon"), BadName), (Transport(5), BadName), (Transport("sse", "slow"), BadArgument)],  # type: ignore[arg-type]
)
def test_a_transport_that_is_none_is_refused(to: Transport, error: type[Exception]) -> None:
    with pytest.raises(error):
        asyncio.run(delivered([], to))


def test_a_transport_of_the_applications_own_is_known_with_its_class() -> None:
    transports = TransportRegistry.canonical()
    transports.register("websocket", delivery_class="streaming")

    delivery, got = asyncio.run(delivered([PARTS["ack"]], Transport("websocket"), transports=transports))

    assert delivery.receiver.delivery_class == "streaming"
    assert len(got) == 1


def test_the_registry_is_that_of_the_envelope_unless_another_is_given() -> None:
    async def run() -> list[str]:
        made = envelope([{"partType": "acme.board", "data": {}}], registry=registry())
        with pytest.raises(BadArgument, match=r"acme\.board"):
            await deliver(made, to=SSE, registry=PartTypeRegistry.canonical())
        return [part.type async for part in await deliver(made, to=SSE)]

    assert asyncio.run(run()) == ["acme.board"]


# Explanations


def test_every_part_is_told_with_its_outcome_and_why() -> None:
    parts = [PARTS["ack"], PARTS["reasoning-trace"], PARTS["setState"], request(), PARTS["response"]]
    delivery, _ = asyncio.run(delivered(parts, EMAIL, surfaces=None))

    told = [(row.index, row.type, row.outcome) for row in delivery.explain() if row.type != "a2ui-surface"]
    assert [row[1:] for row in told] == [
        ("ack", "dropped"),
        ("reasoning-trace", "dropped"),
        ("setState", "dropped"),
        ("approval-request", "sent"),
        ("response", "held"),
    ]


def test_the_settlement_is_known_while_the_message_is_sent() -> None:
    async def run() -> list[Any]:
        delivery = await deliver(envelope([PARTS["clarify"], PARTS["response"]]), to=EMAIL)
        return [(part.type, "finalizedBy" in delivery.meta) async for part in delivery]

    assert asyncio.run(run()) == [("clarify", False), ("response", True)]


# Surfaces


def surface(catalogue: str, surface_id: str = "f") -> dict[str, Any]:
    root = {"id": "root", "component": "Text", "text": "F"}
    data = [
        {"version": "v0.9", "createSurface": {"surfaceId": surface_id, "catalogId": catalogue}},
        {"version": "v0.9", "updateComponents": {"surfaceId": surface_id, "components": [root]}},
    ]
    return {"partType": "a2ui-surface", "data": data}


BASIC = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"
RELEASED = "https://a2ui.org/specification/v0_9/basic_catalog.json"
OWN = "https://acme.example/catalogue.json"


@pytest.mark.parametrize(
    ("catalogue", "named", "expected"),
    [
        (BASIC, BASIC, True),
        (RELEASED, BASIC, True),
        (BASIC, RELEASED, True),
        (OWN, BASIC, False),
        (BASIC, OWN, False),
        (BASIC, None, True),
    ],
)
def test_a_surface_is_held_back_where_the_peer_renders_another_catalogue(
    catalogue: str, named: str | None, *, expected: bool
) -> None:
    block: dict[str, Any] = {} if named is None else {"a2uiCatalog": named}
    for to in (beach_card([], **block), a2a_card([], **block)):
        delivery, got = asyncio.run(delivered([surface(catalogue)], to))
        assert len(got) == expected
        assert expected or "another A2UI catalogue" in delivery.explain()[0].reason
        assert expected or delivery.explain()[0].outcome == "held"


def test_updates_of_a_surface_that_was_held_back_are_held_back_too() -> None:
    create = surface(OWN)
    update = {**create, "data": create["data"][1:]}
    data_model = {**create, "data": [{"version": "v0.9", "updateDataModel": {"surfaceId": "f", "value": {}}}]}

    assert types_got([create, update, data_model], a2a_card([], a2uiCatalog=BASIC)) == []
    assert len(types_got([create, update, data_model], a2a_card([], a2uiCatalog=OWN))) == 3


def test_a_message_to_people_leaves_surfaces_out_unless_the_channel_renders_them() -> None:
    assert types_got([surface(BASIC)], EMAIL) == []
    assert types_got([surface(BASIC)], Transport("smtp", a2ui_catalog=BASIC)) == ["a2ui-surface"]


def test_a_surface_is_known_by_its_id_whatever_slot_its_parts_name() -> None:
    create, update = surface(OWN)["data"]
    second = {**create, "createSurface": {**create["createSurface"], "catalogId": BASIC}}
    parts = [
        {"partType": "a2ui-surface", "data": [create], "slotKey": "a"},
        {"partType": "a2ui-surface", "data": [update]},
        {"partType": "a2ui-surface", "data": [second, update], "slotKey": "b"},
    ]

    assert types_got(parts, a2a_card([], a2uiCatalog=BASIC)) == []


def test_a_surface_that_was_deleted_may_come_again_in_a_catalogue_that_is_rendered() -> None:
    delete = {"version": "v0.9", "deleteSurface": {"surfaceId": "f"}}
    parts = [surface(OWN), {"partType": "a2ui-surface", "data": [delete]}, surface(BASIC)]

    assert len(types_got(parts, a2a_card([], a2uiCatalog=BASIC))) == 1


def test_what_creates_a_surface_comes_before_what_changes_it() -> None:
    create, update = surface(BASIC)["data"]
    parts = [
        {"partType": "a2ui-surface", "data": [update], "slotKey": "a"},
        {"partType": "a2ui-surface", "data": [create], "slotKey": "b"},
    ]

    got = asyncio.run(delivered(parts, Transport("smtp", a2ui_catalog=BASIC)))[1]

    assert ["createSurface" in part.data[0] for part in got] == [True, False]


def test_a_surface_of_which_nothing_is_left_is_told() -> None:
    delete = {"version": "v0.9", "deleteSurface": {"surfaceId": "f"}}
    parts = [surface(BASIC), {"partType": "a2ui-surface", "data": [delete]}]
    delivery, got = asyncio.run(delivered(parts, Transport("smtp", a2ui_catalog=BASIC)))

    assert got == []
    assert [row.outcome for row in delivery.explain()] == ["dropped", "dropped"]


# What was put in the place of something else


def test_what_a_later_part_replaced_is_told_as_dropped() -> None:
    parts = [
        {"partType": "response", "text": "draft"},
        {"partType": "response", "text": "fi"},
        {"partType": "response", "text": "nal", "mergeStrategy": "append"},
        {"partType": "domain-data", "data": 1, "slotKey": "k"},
        {"partType": "domain-data", "data": 2, "slotKey": "k"},
    ]
    delivery, got = asyncio.run(delivered(parts, EMAIL))

    assert [part.document.get("text", part.data) for part in got] == [2, "final"]
    assert [row.outcome for row in delivery.explain()] == ["dropped", "sent", "sent", "dropped", "sent"]
    assert "replaced by a later part" in delivery.explain()[0].reason


def test_what_a_turn_held_back_can_be_had() -> None:
    parts = [PARTS["domain-data"], PARTS["response"], PARTS["artifact"], PARTS["clarify"]]
    delivery, got = asyncio.run(delivered(parts, EMAIL, conversation_state="clarifying"))

    assert [part.type for part in got] == ["clarify"]
    held = delivery.held()
    assert [part.type for part in held] == ["domain-data", "artifact", "response"]
    assert types_got(held, EMAIL) == ["domain-data", "artifact", "response"]


# Files and kinds of an application's own types


class Store:
    async def put(self, content: bytes, *, media_type: str, filename: str | None = None) -> Any:
        raise NotImplementedError(content, media_type, filename)

    async def get(self, artifact_id: str) -> bytes:
        return artifact_id.encode()

    async def describe(self, artifact_id: str) -> Any:
        return Artifact(artifact_id, "text/plain", None, len(artifact_id), f"https://a.example/{artifact_id}")


def test_the_rules_of_artifacts_hold_for_any_type_that_is_a_file() -> None:
    types = PartTypeRegistry.canonical()
    types.register("ta.scan", streaming="reference", buffered="attach", a2a_kind="file")
    part = {"partType": "ta.scan", "data": {"artifactId": "scan-1"}}

    (streamed,) = asyncio.run(delivered([part], SSE, registry=types, artifacts=Store()))[1]
    (mailed,) = asyncio.run(delivered([part], EMAIL, registry=types, artifacts=Store()))[1]

    assert (streamed.type, streamed.url) == ("ta.scan", "https://a.example/scan-1")
    assert (mailed.type, mailed.raw) == ("ta.scan", b"scan-1")


@pytest.mark.parametrize(
    ("kind", "content", "allowed"),
    [
        ("text", {"text": "a"}, True),
        ("text", {"data": {}}, False),
        ("data", {"data": 1}, True),
        ("data", {"text": "a"}, False),
        ("file", {"url": "https://a.example"}, True),
        ("file", {"data": {"artifactId": "a"}}, True),
        ("file", {"data": {"name": "a"}}, False),
        ("file", {"text": "a"}, False),
        (None, {"text": "a"}, True),
    ],
)
def test_a_part_has_the_content_that_its_type_was_registered_with(
    kind: Any, content: Any, *, allowed: bool
) -> None:
    types = PartTypeRegistry.canonical()
    types.register("ta.x", streaming="flush", buffered="drop", a2a_kind=kind)
    value = {"partType": "ta.x", **content}

    if allowed:
        assert Part.of(value, types=types).type == "ta.x"
    else:
        with pytest.raises(BadPart, match=r"registered as|artifactId"):
            Part.of(value, types=types)


def test_a_card_that_names_only_transports_of_its_own_is_reached_by_none_that_a_rule_names() -> None:
    document = {
        **beach_card().document,
        "transports": [{"protocol": "acme-bus", "endpoint": "https://a.example"}],
    }
    card = Card.from_document(document)
    delivery, got = asyncio.run(delivered([PARTS["setState"], PARTS["response"]], card))

    assert delivery.receiver.transport == "acme-bus"
    assert [part.type for part in got] == ["response"]


@pytest.mark.parametrize(
    ("to", "arguments"),
    [
        (Transport("sse", consumes=None), {}),  # type: ignore[arg-type]
        (Transport("sse", consumes="llm-context"), {}),  # type: ignore[arg-type]
        (Transport("sse", a2ui_catalog=5), {}),  # type: ignore[arg-type]
        (Transport("sse", llm_context_language=["en"]), {}),  # type: ignore[arg-type]
        (SSE, {"language": ["en"]}),
        (beach_card(), {"over": "smtp"}),
    ],
)
def test_what_a_receiver_cannot_mean_is_refused_at_the_door(to: Any, arguments: dict[str, Any]) -> None:
    with pytest.raises(BadArgument):
        asyncio.run(delivered([], to, **arguments))


# llm-context, once more


def test_llm_context_is_of_all_that_was_said_in_whatever_order_the_slots_came() -> None:
    said = [
        {"partType": "response", "text": text, "slotKey": slot} for text, slot in (("A.", "a"), ("B.", "b"))
    ]
    asked = []
    for parts in (said, said[::-1]):
        translator = Translator()
        asyncio.run(delivered(live(parts), beach_card(["llm-context"]), translator=translator))
        asked.append(translator.asked[0].response)

    assert asked == ["A.\nB."] * 2


@pytest.mark.parametrize("answer", ["", "  \n", asyncio.CancelledError(), "x" * 17 * 2**20])
def test_a_translator_that_says_nothing_or_too_much_or_was_cancelled_costs_its_part(answer: Any) -> None:
    delivery, got = asyncio.run(
        delivered([PARTS["response"]], beach_card(["llm-context"]), translator=Translator(answer))
    )

    assert [part.type for part in got] == ["response"]
    assert delivery.explain()[-1].outcome == "dropped"


def test_a_translator_cannot_change_what_others_get() -> None:
    class Redacting:
        async def translate(self, request: Any) -> str:
            request.data[""].pop("a")
            return "prose"

    _, got = asyncio.run(
        delivered([PARTS["domain-data"]], beach_card(["llm-context"]), translator=Redacting())
    )

    assert got[0].data == {"a": 1}
