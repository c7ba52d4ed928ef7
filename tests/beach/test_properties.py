"""Properties of all envelopes, on generated ones."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardwright import Card, PartTypeRegistry
from cardwright_beach.delivery import Delivery, Transport, deliver
from cardwright_beach.merging import Fold, merge, merged
from cardwright_beach.messages import from_message, to_message
from cardwright_beach.wire import envelope_violations
from cardwright_rules.vocabulary import DELIVERY_RULES, PART_TYPES
from tests.beach.envelopes import a2a_card, beach_card, envelope, live, request, response

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright_beach.parts import Part

CANONICAL = {entry.name for entry in PART_TYPES}
CONSUMER = ("acme.board", "acme.plan", "acme.note")
BASIC = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"
OTHER = "https://acme.example/catalogue.json"
NAMES = st.sampled_from(["a", "b", "c"])
SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["x", "y", "é"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
# Objects in which a field always has the same kind of value.
UNIFORM = st.fixed_dictionaries(
    {}, optional={"a": st.fixed_dictionaries({}, optional={"x": SCALARS, "y": SCALARS}), "b": SCALARS}
)
STRATEGIES = st.sampled_from(["replace", "append", "deep-merge"])


# Merging


@given(st.sampled_from(["replace", "append"]), VALUES, VALUES, VALUES)
def test_replace_and_append_are_associative(strategy: str, a: Any, b: Any, c: Any) -> None:
    assert merged(merged(a, b, strategy), c, strategy) == merged(a, merged(b, c, strategy), strategy)


@given(UNIFORM, UNIFORM, UNIFORM)
def test_deep_merge_is_associative_if_fields_keep_their_kind(a: Any, b: Any, c: Any) -> None:
    strategy = "deep-merge"
    assert merged(merged(a, b, strategy), c, strategy) == merged(a, merged(b, c, strategy), strategy)


def test_deep_merge_is_not_associative_if_a_field_changes_its_kind() -> None:
    a, b, c = {"m": {"x": 1}}, {"m": 2}, {"m": {"y": 3}}

    assert merged(merged(a, b, "deep-merge"), c, "deep-merge") == {"m": {"y": 3}}
    assert merged(a, merged(b, c, "deep-merge"), "deep-merge") == {"m": {"x": 1, "y": 3}}


@given(
    st.lists(st.tuples(STRATEGIES, UNIFORM), min_size=1, max_size=8), UNIFORM | st.lists(SCALARS, max_size=2)
)
def test_folded_steps_equal_the_single_merges(pieces: list[tuple[str, Any]], before: Any) -> None:
    fold, one_by_one = Fold(), before
    for strategy, value in pieces:
        fold.add(value, strategy)
        one_by_one = merged(one_by_one, value, strategy)
    at_once = before
    for strategy, value in fold.steps():
        at_once = merged(at_once, value, strategy)

    assert at_once == one_by_one
    assert len(list(fold.steps())) <= 2


@given(st.lists(st.tuples(STRATEGIES, VALUES), max_size=8))
def test_folding_does_not_change_its_input(pieces: list[tuple[str, Any]]) -> None:
    before = repr(pieces)
    fold = Fold()
    for strategy, value in pieces:
        fold.add(value, strategy)
        fold.value()

    assert repr(pieces) == before


# Envelopes


def surface(surface_id: str, catalogue: str = BASIC) -> list[dict[str, Any]]:
    text = {"id": "root", "component": "Text", "text": surface_id}
    return [
        {"version": "v0.9", "createSurface": {"surfaceId": surface_id, "catalogId": catalogue}},
        {"version": "v0.9", "updateComponents": {"surfaceId": surface_id, "components": [text]}},
    ]


def content(part_type: str, draw: Any) -> dict[str, Any]:
    """Return valid content for a part type."""
    match part_type:
        case "domain-data" | "acme.board" | "acme.plan" | "acme.note":
            return {"data": draw(VALUES)}
        case "a2ui-surface":
            return {"data": surface(draw(NAMES), draw(st.sampled_from([BASIC, OTHER])))}
        case "artifact":
            return {"url": "https://acme.example/file"}
        case "progress":
            return {"data": {"message": draw(NAMES)}}
        case "citation":
            return {"data": {"path": "", "slotKey": draw(NAMES), "source": {"title": "T"}}}
        case "setState":
            return {"data": {"a.b": draw(NAMES)}}
        case "approval-request":
            return {"data": request(draw(NAMES))["data"]}
        case "approval-response":
            return {"data": response(draw(NAMES))["data"]}
        case _:
            return {"text": draw(NAMES)}


@st.composite
def sound_parts(draw: Any, types: tuple[str, ...]) -> dict[str, Any]:
    part_type = draw(st.sampled_from(types))
    part: dict[str, Any] = {"partType": part_type, **content(part_type, draw)}
    if draw(st.booleans()) and part_type not in ("citation", "approval-request", "approval-response"):
        part["slotKey"] = draw(NAMES)
    if draw(st.booleans()):
        part["mergeStrategy"] = draw(STRATEGIES)
    return part


EVERY = (*sorted(CANONICAL), *CONSUMER)
# Without approval requests, which suspend the turn.
LISTS = st.lists(sound_parts(EVERY), max_size=14)


@st.composite
def registries(draw: Any) -> PartTypeRegistry:
    made = PartTypeRegistry.canonical()
    for name in CONSUMER:
        made.register(
            name,
            streaming=draw(st.sampled_from(sorted(DELIVERY_RULES))),
            buffered=draw(st.sampled_from(sorted(DELIVERY_RULES))),
            allowed_transports=draw(
                st.none() | st.lists(st.sampled_from(["a2a", "sse", "smtp"]), max_size=2)
            ),
            requires_peer_consumes=draw(st.booleans()),
        )
    return made


@st.composite
def receivers(draw: Any) -> Card | Transport:
    listed = st.sampled_from(["llm-context", "domain-data", "response", "setState", *CONSUMER])
    consumes = draw(st.none() | st.lists(listed, max_size=4, unique=True))
    catalogue = draw(st.sampled_from([{}, {"a2uiCatalog": BASIC}, {"a2uiCatalog": OTHER}]))
    match draw(st.sampled_from(["beach", "extension", "plain", "channel"])):
        case "beach":
            return beach_card(consumes, **catalogue)
        case "extension":
            return a2a_card(consumes, streaming=draw(st.booleans()), beach=True, **catalogue)
        case "plain":
            return a2a_card(None, streaming=draw(st.booleans()))
        case _:
            return Transport(
                draw(st.sampled_from(["sse", "smtp", "whatsapp", "a2a"])),
                draw(st.sampled_from([None, "streaming", "buffered"])),
                consumes=None if consumes is None else tuple(consumes),
                a2ui_catalog=catalogue.get("a2uiCatalog"),
            )


class Prose:
    """Translator that always returns text."""

    async def translate(self, request: object) -> str:  # noqa: ARG002 - the protocol's
        return "prose"


def forbidden(part: Part, delivery: Delivery, types: PartTypeRegistry, state: str) -> str:
    """Return why a receiver must not get a part, "" if it may; a second implementation of the seed's rules."""
    to, entry = delivery.receiver, types[part.type]
    rule = entry.streaming if to.delivery_class == "streaming" else entry.buffered
    reasons = {
        "has no receiver": rule in ("audit", "inbound", "drop"),
        "not on this transport": entry.allowed_transports is not None
        and to.transport not in entry.allowed_transports,
        "not listed": to.consumes is not None
        and part.type not in {*to.consumes, "error", "clarify", "setState"},
        "needs a list": to.consumes is None
        and (
            part.type == "llm-context"
            or (entry.requires_peer_consumes and (to.peer is not None or to.transport == "a2a"))
        ),
        "no standard part": to.peer == "other"
        and part.type not in {"response", "domain-data", "artifact", "error", "clarify"},
        "relayed to a person": (rule == "relay" or part.type == "setState")
        and not (to.peer or to.transport == "a2a"),
        "waits for completion": state != "complete"
        and (rule in ("settle", "final") or (to.delivery_class == "buffered" and rule != "flush")),
        "another catalogue": part.type == "a2ui-surface"
        and to.catalogue is not None
        and any(m.get("createSurface", {}).get("catalogId", to.catalogue) != to.catalogue for m in part.data),
    }
    return ", ".join(reason for reason, holds in reasons.items() if holds)


async def received(
    parts: Any, to: Card | Transport, types: PartTypeRegistry, **more: Any
) -> tuple[Delivery, list[Part]]:
    made = envelope(parts, registry=types, translator=Prose(), **more)
    delivery = await deliver(made, to=to, registry=types)
    got = [part async for part in delivery]
    await made.aclose()
    return delivery, got


@given(LISTS, receivers(), registries(), st.sampled_from(["complete", "clarifying", "error", "awaiting"]))
def test_forbidden_parts_are_not_delivered(
    parts: list[dict[str, Any]], to: Card | Transport, types: PartTypeRegistry, state: str
) -> None:
    delivery, got = asyncio.run(received(parts, to, types, conversation_state=state))

    assert delivery.settlement is not None
    settled = delivery.settlement.state
    assert [why for part in got if (why := forbidden(part, delivery, types, settled))] == []


@given(LISTS, receivers(), registries())
def test_every_part_is_explained_and_every_sent_part_arrives(
    parts: list[dict[str, Any]], to: Card | Transport, types: PartTypeRegistry
) -> None:
    delivery, got = asyncio.run(received(parts, to, types))

    rows = delivery.explain()
    assert [row.index for row in rows if row.index is not None] == list(
        range(sum(row.index is not None for row in rows))
    )
    assert sum(row.index is not None for row in rows) >= len(parts)
    sent = {row.type for row in rows if row.outcome == "sent"}
    # Deleted surfaces leave nothing; these samples delete none.
    assert {part.type for part in got} == sent
    assert all(row.reason for row in rows)


@given(
    st.lists(sound_parts(("domain-data", "response", "progress", "clarify", "acme.board")), max_size=10),
    registries(),
)
def test_allowed_parts_are_sent(parts: list[dict[str, Any]], types: PartTypeRegistry) -> None:
    to = beach_card(["domain-data", "response", *CONSUMER])
    delivery, got = asyncio.run(received(parts, to, types))

    entry = types["acme.board"]
    lets = entry.buffered not in ("audit", "inbound", "drop") and (
        entry.allowed_transports is None or "a2a" in entry.allowed_transports
    )
    wanted = {part["partType"] for part in parts} - {"progress"} - (set() if lets else {"acme.board"})
    assert {part.type for part in got} == wanted, delivery.explain()


def groups(parts: Iterable[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Return parts by slot, or by type without a slot; an interleaving keeps the order within each group."""
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for part in parts:
        key = ("slot", part["slotKey"]) if "slotKey" in part else ("type", part["partType"])
        found.setdefault(key, []).append(part)
    return list(found.values())


@st.composite
def interleavings(draw: Any) -> tuple[list[Any], list[Any]]:
    parts = draw(LISTS)
    rest = [list(group) for group in groups(parts)]
    other = []
    while rest:
        chosen = draw(st.integers(0, len(rest) - 1))
        other.append(rest[chosen].pop(0))
        rest = [group for group in rest if group]
    return parts, other


@given(interleavings(), receivers(), registries())
@settings(deadline=None)
def test_any_interleaving_gives_the_same_buffered_envelope(
    pair: tuple[list[Any], list[Any]], to: Card | Transport, types: PartTypeRegistry
) -> None:
    async def document(parts: list[Any]) -> dict[str, Any]:
        made = envelope(live(parts), registry=types, translator=Prose())
        # Buffered delivery, whatever the transport of the peer.
        over = Transport("a2a", "buffered")
        if isinstance(to, Transport):
            delivery = await deliver(
                made, to=Transport(to.name, "buffered", to.consumes, to.a2ui_catalog), registry=types
            )
        else:
            delivery = await deliver(made, to=to, registry=types, over=over)
        whole = await delivery.document()
        await made.aclose()
        return whole

    one, other = (asyncio.run(document(parts)) for parts in pair)

    assert without_indices(one) == without_indices(other)


def without_indices(document: dict[str, Any]) -> dict[str, Any]:
    """Return an envelope without the part positions in its errors, which depend on the order."""
    parts = [
        {"rule": part["metadata"]["rule"]} if "partIndex" in part["metadata"] else part
        for part in document["parts"]
    ]
    return {**document, "parts": parts}


@given(LISTS)
def test_streaming_and_buffered_receivers_end_with_the_same_data(parts: list[dict[str, Any]]) -> None:
    async def slots(to: Transport) -> dict[str, Any]:
        _, got = await received([p for p in parts if p["partType"] != "approval-request"], to, types)
        value: dict[str, Any] = {}
        for part in got:
            value = merge(value, part)
        return value

    types = PartTypeRegistry.canonical()
    for name in CONSUMER:
        types.register(name, streaming="flush", buffered="drop")

    assert asyncio.run(slots(Transport("sse"))) == asyncio.run(slots(Transport("smtp")))


@given(LISTS, receivers(), registries())
def test_delivered_parts_are_valid_and_survive_a_round_trip_through_a2a(
    parts: list[dict[str, Any]], to: Card | Transport, types: PartTypeRegistry
) -> None:
    async def document() -> dict[str, Any]:
        made = envelope(parts, registry=types, translator=Prose())
        whole = await (await deliver(made, to=to, registry=types)).document()
        await made.aclose()
        return whole

    wire = asyncio.run(document())

    assert envelope_violations(wire, types=types) == []
    assert from_message(to_message(wire)) == wire
    assert from_message(to_message(wire, version="0.3")) == wire


def test_the_canonical_types_are_those_of_the_seed() -> None:
    assert {
        "ack", "thinking", "response", "clarify", "error",
        "domain-data", "llm-context", "a2ui-surface", "artifact", "reasoning-trace", "citation",
        "approval-request", "approval-response", "progress", "setState",
    } == CANONICAL == set(PartTypeRegistry.canonical())  # fmt: skip


# Found by fuzzing


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # The last part determined the name of the merged surfaces.
        (
            [{"partType": "a2ui-surface", "data": surface("a")}, request("a"), response("a")],
            [request("a"), response("a"), {"partType": "a2ui-surface", "data": surface("a")}],
        ),
        # A repeated request with one response was pending in some orders.
        ([request("c"), request("c"), response("c")], [request("c"), response("c"), request("c")]),
        # A text in a slot replaced one without a slot.
        (
            [{"partType": "response", "text": "a"}, {"partType": "response", "text": "b", "slotKey": "s"}],
            [{"partType": "response", "text": "b", "slotKey": "s"}, {"partType": "response", "text": "a"}],
        ),
    ],
)
def test_known_interleavings_give_the_same_envelope(one: list[Any], other: list[Any]) -> None:
    async def document(parts: list[Any]) -> dict[str, Any]:
        made = envelope(live(parts))
        return await (await deliver(made, to=Transport("smtp", a2ui_catalog=BASIC))).document()

    assert asyncio.run(document(one)) == asyncio.run(document(other))
