"""Delivery: the table of the seed, cards of peers, reasons of decisions."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from cardwright import Card, PartTypeRegistry, TransportRegistry
from cardwright.errors import BadArgument, BadName
from cardwright_beach import Artifact, Part
from cardwright_beach.delivery import Delivery, Transport, deliver
from cardwright_beach.errors import BadPart, TranslationFailed
from tests.beach.envelopes import a2a_card, beach_card, envelope, live, registry, request

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


# Table of the seed; then a Beach agent, for types that need no consent, and an agent without Beach.
@pytest.mark.parametrize(
    ("part_type", "streaming", "buffered", "beach", "other"),
    [
        ("ack", True, False, True, False), ("thinking", True, False, True, False),
        ("progress", True, False, True, False), ("response", True, True, True, True),
        ("domain-data", True, True, True, True), ("artifact", True, True, True, True),
        ("reasoning-trace", False, False, False, False), ("clarify", True, True, True, True),
        ("error", True, True, True, True), ("approval-request", True, True, True, False), ("approval-response", False, False, False, False),
        ("setState", False, False, True, False), ("llm-context", False, False, False, False),
    ],
)  # fmt: skip
def test_delivery_follows_the_table_of_the_seed(
    part_type: str, *, streaming: bool, buffered: bool, beach: bool, other: bool
) -> None:
    receivers = [
        (SSE, streaming),
        (EMAIL, buffered),
        (A2A, beach),
        (a2a_card(beach=True), beach),
        (a2a_card(), other),
    ]
    part = request() if part_type == "approval-request" else PARTS[part_type]
    for to, expected in receivers:
        # A request for approval has a surface, too.
        got = [one for one in types_got([part], to) if one != "a2ui-surface"]
        assert got == ([part_type] if expected else []), to


def test_streamed_text_is_sent_in_increments_and_an_email_gets_the_whole_text() -> None:
    parts = [
        {"partType": "response", "text": text, "mergeStrategy": "append"}
        for text in ("Berth ", "N4 ", "is free.")
    ]

    streamed = asyncio.run(delivered(parts, SSE))[1]
    (sent,) = asyncio.run(delivered(parts, EMAIL))[1]

    assert [part.text for part in streamed] == ["Berth ", "N4 ", "is free."]
    assert sent.document == {"text": "Berth N4 is free.", "metadata": {"partType": "response"}}


def test_a_replacing_response_drops_earlier_text() -> None:
    parts = [
        {"partType": "response", "text": "Berth", "mergeStrategy": "append"},
        {"partType": "response", "text": "No."},
    ]

    (sent,) = asyncio.run(delivered(parts, EMAIL))[1]

    assert sent.text == "No."


def test_domain_data_of_one_slot_is_sent_once_in_a_message() -> None:
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


def test_held_parts_can_be_sent_with_the_next_turn() -> None:
    got = asyncio.run(delivered([PARTS["response"]], EMAIL, mailbox=[PARTS["domain-data"]]))[1]

    assert [part.type for part in got] == ["domain-data", "response"]


# llm-context


# Marks a translator that takes a minute.
SLOW = object()


class Translator:
    def __init__(self, answer: Any = "prose") -> None:
        self.answer = answer
        self.requests: list[Any] = []

    async def translate(self, request: Any) -> str:
        self.requests.append(request)
        if isinstance(self.answer, BaseException):
            raise self.answer
        if self.answer is SLOW:
            await asyncio.sleep(60)
        # A translator may return anything.
        return cast("str", self.answer)


def test_a_translator_runs_only_if_a_receiver_takes_llm_context() -> None:
    translator = Translator()
    for to in (SSE, EMAIL, A2A, a2a_card(None), a2a_card(["domain-data"]), beach_card(["domain-data"])):
        assert "llm-context" not in types_got([PARTS["response"]], to, translator=translator)

    assert translator.requests == []


@pytest.mark.parametrize(
    "to",
    [a2a_card(["llm-context"]), beach_card(["llm-context"]), Transport("sse", consumes=("llm-context",))],
)
def test_a_receiver_that_consumes_llm_context_gets_it_once_at_settlement(to: Any) -> None:
    translator = Translator()
    delivery, got = asyncio.run(
        delivered([PARTS["domain-data"], PARTS["response"], PARTS["response"]], to, translator=translator)
    )

    assert [part.type for part in got].count("llm-context") == 1
    (request,) = translator.requests
    assert (request.response, request.data) == ("a", {"": {"a": 1}})
    assert delivery.explain()[-1].outcome == "sent"


async def test_receivers_of_one_language_share_one_translation() -> None:
    translator = Translator()

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

    assert list(await asyncio.gather(*map(context, deliveries))) == [["en"], ["en"], ["de"], ["fr"]]
    assert sorted(request.language for request in translator.requests) == ["de", "en", "fr"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (ValueError("key sk-1234567890abc"), "ValueError"),
        (TranslationFailed("rate-limited", "too many requests to the model"), "too many requests"),
        (5, "no text"),
        (SLOW, "longer than"),
    ],
)
def test_a_failing_translator_loses_only_llm_context(answer: Any, reason: str) -> None:
    delivery, got = asyncio.run(
        delivered(
            [PARTS["domain-data"], PARTS["response"]],
            beach_card(["domain-data", "response", "llm-context"]),
            translator=Translator(answer),
            translation_seconds=0.05,
        )
    )

    assert [part.type for part in got] == ["domain-data", "response"]
    last = delivery.explain()[-1]
    assert (last.type, last.outcome) == ("llm-context", "dropped")
    assert reason in last.reason
    assert "sk-123456" not in last.reason


def test_a_handler_that_writes_llm_context_itself_needs_no_translator() -> None:
    translator = Translator()
    _, got = asyncio.run(
        delivered([PARTS["llm-context"]], beach_card(["llm-context"]), translator=translator)
    )

    assert [part.text for part in got] == ["a"]
    assert translator.requests == []


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

    assert translator.requests == []


# Application types


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        (beach_card(["acme.board"]), True), (beach_card(["domain-data"]), False), (beach_card(), False),
        (a2a_card(["acme.board"]), True), (a2a_card(["domain-data"]), False), (a2a_card(None), False),
        (Transport("a2a", consumes=("acme.board",)), True), (A2A, False), (SSE, True),
        (Transport("sse", consumes=("domain-data",)), False),
    ],
)  # fmt: skip
def test_a_type_with_required_consent_is_sent_only_if_consumed(to: Any, *, expected: bool) -> None:
    types = registry(requires_peer_consumes=True)
    part = {"partType": "acme.board", "data": {}}

    assert types_got([part], to, registry=types) == (["acme.board"] if expected else [])


ALL = [*PARTS.values(), {"partType": "acme.board", "data": {}}]


def test_a_peer_without_beach_gets_only_what_a2a_can_show() -> None:
    got = types_got([*ALL, surface(BASIC)], a2a_card(), registry=registry())

    assert got == ["response", "domain-data", "artifact", "clarify", "error"]


@pytest.mark.parametrize(
    "to",
    [
        a2a_card(["domain-data", "acme.board"]),
        beach_card(["domain-data", "acme.board"]),
        Transport("a2a", "streaming", consumes=("domain-data", "acme.board")),
    ],
)
def test_a_peer_gets_what_it_lists_as_consumed_and_what_explains_the_turn(to: Any) -> None:
    got = types_got([*ALL, surface(BASIC)], to, registry=registry())

    assert sorted(got) == ["acme.board", "clarify", "domain-data", "error", "setState"]


def test_an_empty_list_accepts_nothing_and_no_list_what_needs_no_consent() -> None:
    parts = [PARTS["response"], PARTS["error"], {"partType": "acme.board", "data": {}}]

    assert types_got(parts, a2a_card([]), registry=registry()) == ["error"]
    assert types_got(parts, a2a_card(beach=True), registry=registry()) == ["response", "error", "acme.board"]


def test_a_type_is_sent_only_over_its_allowed_transports() -> None:
    types = registry(allowed_transports=["sse"])
    part = {"partType": "acme.board", "data": {}}

    assert types_got([part], SSE, registry=types) == ["acme.board"]
    for to in (A2A, EMAIL, beach_card()):
        assert types_got([part], to, registry=types) == []


def test_the_example_of_the_seed_is_delivered_as_described() -> None:
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

    assert types_got(parts, SSE, registry=types) == ["response", "domain-data", "ta.itinerary-slot-state"]
    assert types_got(parts, card, registry=types) == ["domain-data", "ta.itinerary-slot-state"]
    assert types_got(parts, EMAIL, registry=types) == ["domain-data", "response"]
    assert types_got(parts, a2a_card(["domain-data"]), registry=types) == ["domain-data"]


# Receivers


@pytest.mark.parametrize(
    ("card", "transport", "delivery_class"),
    [
        (a2a_card(None, streaming=True), "a2a", "streaming"),
        (a2a_card(None, streaming=False), "a2a", "buffered"),
        (beach_card(), "a2a", "buffered"),
    ],
)
def test_the_transport_of_a_peer_comes_from_its_card(card: Card, transport: str, delivery_class: str) -> None:
    delivery, _ = asyncio.run(delivered([], card))

    assert (delivery.receiver.transport, delivery.receiver.delivery_class) == (transport, delivery_class)


def test_over_overrides_the_transport_of_the_card() -> None:
    delivery, _ = asyncio.run(delivered([], a2a_card(None), over=Transport("webhook")))

    assert (delivery.receiver.transport, delivery.receiver.delivery_class) == ("webhook", "buffered")


@pytest.mark.parametrize(
    "damage",
    [
        {"envelope": None},
        {"envelope": {"a2uiCatalog": 5, "llmContextLanguage": []}},
        {"transports": None},
        {"transports": [5, {"protocol": 7}, {"protocol": "carrier-pigeon"}]},
    ],
)
def test_an_invalid_card_gives_no_consent(damage: dict[str, Any]) -> None:
    card = Card.from_document({**beach_card().document, **damage}, dialect="beach-1.0")

    assert types_got([PARTS["llm-context"], PARTS["response"]], card) == ["response"]


@pytest.mark.parametrize("consumes", ["llm-context", 5, {}, [5, None, ["llm-context"]]])
def test_a_list_of_consumed_types_that_names_none_accepts_none(consumes: Any) -> None:
    card = Card.from_document(
        {**beach_card().document, "envelope": {"consumes": consumes}}, dialect="beach-1.0"
    )

    assert types_got([PARTS["llm-context"], PARTS["response"], PARTS["error"]], card) == ["error"]


@pytest.mark.parametrize("to", [None, "sse", {"name": "sse"}, 5])
def test_a_receiver_that_is_neither_card_nor_transport_is_refused(to: Any) -> None:
    with pytest.raises(BadArgument, match="Card or a Transport"):
        asyncio.run(delivered([], to))


@pytest.mark.parametrize(
    ("to", "error"),
    [(Transport("pigeon"), BadName), (Transport(5), BadName), (Transport("sse", "slow"), BadArgument)],  # type: ignore[arg-type]
)
def test_an_unregistered_transport_is_refused(to: Transport, error: type[Exception]) -> None:
    with pytest.raises(error):
        asyncio.run(delivered([], to))


def test_a_registered_application_transport_uses_its_delivery_class() -> None:
    transports = TransportRegistry.canonical()
    transports.register("websocket", delivery_class="streaming")

    delivery, got = asyncio.run(delivered([PARTS["ack"]], Transport("websocket"), transports=transports))

    assert delivery.receiver.delivery_class == "streaming"
    assert len(got) == 1


async def test_the_default_registry_is_that_of_the_envelope() -> None:
    made = envelope([{"partType": "acme.board", "data": {}}], registry=registry())
    with pytest.raises(BadArgument, match=r"acme\.board"):
        await deliver(made, to=SSE, registry=PartTypeRegistry.canonical())
    assert [part.type async for part in await deliver(made, to=SSE)] == ["acme.board"]


# Explanations


def test_explain_lists_every_part_with_outcome_and_reason() -> None:
    parts = [PARTS["ack"], PARTS["reasoning-trace"], PARTS["setState"], request(), PARTS["response"]]
    delivery, _ = asyncio.run(delivered(parts, EMAIL, surfaces=None))

    rows = [(row.index, row.type, row.outcome) for row in delivery.explain() if row.type != "a2ui-surface"]
    assert [row[1:] for row in rows] == [
        ("ack", "dropped"),
        ("reasoning-trace", "dropped"),
        ("setState", "dropped"),
        ("approval-request", "sent"),
        ("response", "held"),
    ]


async def test_the_settlement_is_available_while_the_message_is_sent() -> None:
    delivery = await deliver(envelope([PARTS["clarify"], PARTS["response"]]), to=EMAIL)
    assert [(part.type, "finalizedBy" in delivery.meta) async for part in delivery] == [
        ("clarify", False),
        ("response", True),
    ]


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
def test_a_surface_is_held_if_the_peer_renders_another_catalogue(
    catalogue: str, named: str | None, *, expected: bool
) -> None:
    block: dict[str, Any] = {} if named is None else {"a2uiCatalog": named}
    for to in (beach_card(**block), a2a_card(beach=True, **block)):
        delivery, got = asyncio.run(delivered([surface(catalogue)], to))
        assert len(got) == expected
        assert expected or "another A2UI catalogue" in delivery.explain()[0].reason
        assert expected or delivery.explain()[0].outcome == "held"


def test_updates_of_a_held_surface_are_held_too() -> None:
    create = surface(OWN)
    update = {**create, "data": create["data"][1:]}
    data_model = {**create, "data": [{"version": "v0.9", "updateDataModel": {"surfaceId": "f", "value": {}}}]}

    assert types_got([create, update, data_model], a2a_card(a2uiCatalog=BASIC)) == []
    assert len(types_got([create, update, data_model], a2a_card(a2uiCatalog=OWN))) == 3


def test_a_buffered_channel_without_a_catalogue_gets_no_surfaces() -> None:
    assert types_got([surface(BASIC)], EMAIL) == []
    assert types_got([surface(BASIC)], Transport("smtp", a2ui_catalog=BASIC)) == ["a2ui-surface"]


def test_a_surface_is_identified_by_its_id_across_slots() -> None:
    create, update = surface(OWN)["data"]
    second = {**create, "createSurface": {**create["createSurface"], "catalogId": BASIC}}
    parts = [
        {"partType": "a2ui-surface", "data": [create], "slotKey": "a"},
        {"partType": "a2ui-surface", "data": [update]},
        {"partType": "a2ui-surface", "data": [second, update], "slotKey": "b"},
    ]

    assert types_got(parts, a2a_card(a2uiCatalog=BASIC)) == []


def test_a_deleted_surface_may_be_created_again_in_a_rendered_catalogue() -> None:
    delete = {"version": "v0.9", "deleteSurface": {"surfaceId": "f"}}
    parts = [surface(OWN), {"partType": "a2ui-surface", "data": [delete]}, surface(BASIC)]

    assert len(types_got(parts, a2a_card(a2uiCatalog=BASIC))) == 1


def test_the_creation_of_a_surface_is_sent_before_its_updates() -> None:
    create, update = surface(BASIC)["data"]
    parts = [
        {"partType": "a2ui-surface", "data": [update], "slotKey": "a"},
        {"partType": "a2ui-surface", "data": [create], "slotKey": "b"},
    ]

    got = asyncio.run(delivered(parts, Transport("smtp", a2ui_catalog=BASIC)))[1]

    assert ["createSurface" in part.data[0] for part in got] == [True, False]


def test_a_surface_cancelled_out_by_its_deletion_is_explained() -> None:
    delete = {"version": "v0.9", "deleteSurface": {"surfaceId": "f"}}
    parts = [surface(BASIC), {"partType": "a2ui-surface", "data": [delete]}]
    delivery, got = asyncio.run(delivered(parts, Transport("smtp", a2ui_catalog=BASIC)))

    assert got == []
    assert [row.outcome for row in delivery.explain()] == ["dropped", "dropped"]


# Replaced and held parts


def test_a_replaced_part_is_explained_as_dropped() -> None:
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


def test_held_returns_the_held_parts() -> None:
    parts = [PARTS["domain-data"], PARTS["response"], PARTS["artifact"], PARTS["clarify"]]
    delivery, got = asyncio.run(delivered(parts, EMAIL, conversation_state="clarifying"))

    assert [part.type for part in got] == ["clarify"]
    held = delivery.held()
    assert [part.type for part in held] == ["domain-data", "artifact", "response"]
    assert types_got(held, EMAIL) == ["domain-data", "artifact", "response"]


# Files and kinds of application types


class Store:
    async def put(self, content: bytes, *, media_type: str, filename: str | None = None) -> Any:
        raise NotImplementedError(content, media_type, filename)

    async def get(self, artifact_id: str) -> bytes:
        return artifact_id.encode()

    async def describe(self, artifact_id: str) -> Any:
        return Artifact(artifact_id, "text/plain", None, len(artifact_id), f"https://a.example/{artifact_id}")


def test_artifact_rules_apply_to_every_file_type() -> None:
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
def test_the_content_of_a_part_must_match_its_registered_kind(
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


def test_a_card_with_unregistered_transports_gets_no_transport_bound_types() -> None:
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
        (Transport("sse", consumes=5), {}),  # type: ignore[arg-type]
        (Transport("sse", consumes="llm-context"), {}),  # type: ignore[arg-type]
        (Transport("sse", a2ui_catalog=5), {}),  # type: ignore[arg-type]
        (Transport("sse", llm_context_language=["en"]), {}),  # type: ignore[arg-type]
        (SSE, {"language": ["en"]}),
        (beach_card(), {"over": "smtp"}),
    ],
)
def test_invalid_receiver_values_are_refused(to: Any, arguments: dict[str, Any]) -> None:
    with pytest.raises(BadArgument):
        asyncio.run(delivered([], to, **arguments))


# llm-context: order and failures


def test_llm_context_covers_all_text_in_any_order_of_slots() -> None:
    responses = [
        {"partType": "response", "text": text, "slotKey": slot} for text, slot in (("A.", "a"), ("B.", "b"))
    ]
    texts = []
    for parts in (responses, responses[::-1]):
        translator = Translator()
        asyncio.run(delivered(live(parts), beach_card(["llm-context"]), translator=translator))
        texts.append(translator.requests[0].response)

    assert texts == ["A.\nB."] * 2


@pytest.mark.parametrize("answer", ["", "  \n", asyncio.CancelledError(), "x" * 17 * 2**20])
def test_an_empty_oversized_or_cancelled_translation_loses_only_llm_context(answer: Any) -> None:
    delivery, got = asyncio.run(
        delivered([PARTS["response"]], beach_card(["llm-context", "response"]), translator=Translator(answer))
    )

    assert [part.type for part in got] == ["response"]
    assert delivery.explain()[-1].outcome == "dropped"


def test_a_translator_cannot_change_what_others_get() -> None:
    class Redacting:
        async def translate(self, request: Any) -> str:
            request.data[""].pop("a")
            return "prose"

    _, got = asyncio.run(
        delivered([PARTS["domain-data"]], beach_card(["domain-data", "llm-context"]), translator=Redacting())
    )

    assert got[0].data == {"a": 1}
