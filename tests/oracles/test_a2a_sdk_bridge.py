"""Cards to a2a-sdk's message and back: every lost field is in the report."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from a2a.types import AgentCard, AgentExtension, AgentSkill
from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped] # it has no stubs
from hypothesis import given
from hypothesis import strategies as st

from cardwright import Card, CardError, build_agent_card, convert
from cardwright.a2a_sdk import from_a2a_sdk, to_a2a_sdk
from cardwright.canonical import Limits
from cardwright.checks import Checks
from cardwright.errors import BadArgument, MalformedDocument
from cardwright_rules import DIALECTS
from cardwright_rules.a2a_v1_0.presence import PRESENCE
from tests.oracles.test_sdk_conversion import corpus, examples
from tests.oracles.valid_cards import sound
from tests.properties.strategies import lifelike, mutants

if TYPE_CHECKING:
    from cardwright.conversion import ConversionReport
    from cardwright_rules.presence_tables import Shape

EXAMPLE = json.loads((Path(__file__).parents[2] / "examples" / "a2a-1.0.card.json").read_bytes())
WIDE = Checks(limits=Limits(max_bytes=4 * 1024 * 1024, max_depth=128))
EMPTY: tuple[Any, ...] = ("", [], {}, False)


def without(value: Any, pointers: set[str], at: str = "") -> Any:
    """Return a JSON value without the values at some pointers."""

    def step(name: object) -> str:
        return at + "/" + str(name).replace("~", "~0").replace("/", "~1")

    if isinstance(value, dict):
        kept = {name: item for name, item in value.items() if step(name) not in pointers}
        return {name: without(item, pointers, step(name)) for name, item in kept.items()}
    if isinstance(value, list):
        return [
            without(item, pointers, step(index))
            for index, item in enumerate(value)
            if step(index) not in pointers
        ]
    return value


def counted(value: Any, shape: Shape | None = PRESENCE.root) -> Any:
    """Return a card without fields that equal their default (A2A 1.0 §5.7)."""
    if shape is None or shape.kind == "opaque":
        return value
    if shape.kind == "list" and isinstance(value, list):
        return [counted(item, shape.of) for item in value]
    if shape.kind == "map" and isinstance(value, dict):
        return {name: counted(item, shape.of) for name, item in value.items()}
    if shape.kind == "message" and isinstance(value, dict):
        fields = PRESENCE.messages[shape.message]
        return {
            name: counted(item, fields[name].shape if name in fields else None)
            for name, item in value.items()
            if not (name in fields and fields[name].rule == "implicit" and item in EMPTY)
        }
    return value


def check_way_back(card: Card) -> ConversionReport:
    """Assert that the round trip gives the card minus its losses and plus its assumptions."""
    before = copy.deepcopy(card.document)
    converted, first = convert(card, to="a2a-1.0")
    proto, report = to_a2a_sdk(card)
    untouched = proto.SerializeToString(deterministic=True)
    back = from_a2a_sdk(proto)

    assert card.document == before
    assert proto.SerializeToString(deterministic=True) == untouched
    assert {one.pointer for one in first.losses} <= {one.pointer for one in report.losses}
    if converted is card:
        kept = without(card.document, {loss.pointer for loss in report.losses})
        assumed = {one.pointer for one in report.assumptions}
        assert counted(without(back.document, assumed)) == counted(kept)
    return report


# There and back


@pytest.mark.parametrize(("name", "card"), [pytest.param(*pair, id=pair[0]) for pair in examples()])
def test_an_example_round_trips_to_its_conversion(name: str, card: Card) -> None:
    converted, first = convert(card, to="a2a-1.0")

    proto, report = to_a2a_sdk(card)

    # SuperX's own form of an A2A card has fields of no A2A version.
    own = {"/agentCard", "/protocol", "/skills/0/inputSchema", "/skills/0/outputSchema"}
    added = {loss.pointer for loss in report.losses} - {loss.pointer for loss in first.losses}
    assert added == (own if name == "superx.card.json" else set())
    assert report.assumptions == first.assumptions
    assert counted(from_a2a_sdk(proto).document) == counted(without(converted.document, added))
    assert from_a2a_sdk(proto).valid


def test_every_real_card_survives_a_round_trip_minus_its_losses() -> None:
    compared = 0
    for _, card in corpus():
        check_way_back(card)
        compared += 1

    assert compared >= 140


@given(sound())
def test_a_valid_card_survives_a_round_trip(document: dict[str, Any]) -> None:
    card = Card.from_document(document)

    assert check_way_back(card).losses == ()
    assert counted(from_a2a_sdk(to_a2a_sdk(card)[0]).document) == counted(document)


@given(lifelike("a2a-1.0") | mutants("a2a-1.0"))
def test_any_card_survives_a_round_trip_minus_its_losses(document: dict[str, Any]) -> None:
    check_way_back(Card.from_document(document, dialect="a2a-1.0", checks=WIDE))


@pytest.mark.parametrize("dialect", sorted(set(DIALECTS) - {"a2a-1.0"}))
def test_any_card_of_another_dialect_round_trips_to_its_conversion(dialect: str) -> None:
    @given(lifelike(dialect))
    def back(document: dict[str, Any]) -> None:
        card = Card.from_document(document, dialect=dialect, checks=WIDE)
        report = check_way_back(card)
        converted, _ = convert(card, to="a2a-1.0")
        proto, further = to_a2a_sdk(converted)
        assert proto == to_a2a_sdk(card)[0]
        assert bool(further.losses) <= bool(report.losses)

    back()


# Losses


def test_a_field_unknown_to_the_sdk_is_a_loss_with_its_pointer() -> None:
    card = Card.from_document({**EXAMPLE, "x/y": 1, "skills": [{**EXAMPLE["skills"][0], "cost": {"a": 1}}]})

    proto, report = to_a2a_sdk(card)

    assert [(loss.pointer, loss.kind) for loss in report.losses] == [
        ("/skills/0/cost", "object"),
        ("/x~1y", "number"),
    ]
    assert "cost" not in MessageToDict(proto)["skills"][0]


def test_a_value_of_another_type_is_a_loss_and_the_rest_is_held() -> None:
    document = {**EXAMPLE, "iconUrl": 3, "provider": None, "defaultInputModes": ["text/plain", 4]}

    proto, report = to_a2a_sdk(Card.from_document(document))

    assert [loss.pointer for loss in report.losses] == ["/defaultInputModes/1", "/iconUrl", "/provider"]
    assert list(proto.default_input_modes) == ["text/plain"]
    assert not proto.HasField("provider")


def test_the_second_of_two_kinds_of_one_scheme_is_a_loss() -> None:
    scheme = {"mtlsSecurityScheme": {}, "httpAuthSecurityScheme": {"scheme": "Bearer"}}

    _, report = to_a2a_sdk(Card.from_document({**EXAMPLE, "securitySchemes": {"s": scheme}}))

    assert [loss.pointer for loss in report.losses] == ["/securitySchemes/s/httpAuthSecurityScheme"]


def test_a_value_equal_to_its_default_is_no_loss() -> None:
    interface = {**EXAMPLE["supportedInterfaces"][0], "tenant": ""}
    document = {**EXAMPLE, "supportedInterfaces": [interface], "signatures": []}

    assert to_a2a_sdk(Card.from_document(document))[1].losses == ()


def test_a_loss_of_another_dialect_has_the_pointer_of_the_card() -> None:
    path = Path(__file__).parents[2] / "examples" / "beach-1.0.card.json"
    document: dict[str, Any] = {**json.loads(path.read_bytes()), "shadow": 1}
    document["capabilities"][0]["cost"] = 3

    _, report = to_a2a_sdk(Card.from_document(document))

    assert {"/shadow", "/capabilities/0/cost"} <= {loss.pointer for loss in report.losses}


def test_a_missing_required_field_is_read_as_empty_and_assumed() -> None:
    document = {name: value for name, value in EXAMPLE.items() if name != "description"}

    proto, report = to_a2a_sdk(Card.from_document(document))

    assert [(one.pointer, one.value) for one in report.assumptions] == [("/description", "")]
    assert from_a2a_sdk(proto).document["description"] == ""


def test_signatures_are_kept() -> None:
    signature = {"protected": "e30", "signature": "c2ln", "header": {"kid": "a", "n": [1, None, 2.5]}}

    proto, report = to_a2a_sdk(Card.from_document({**EXAMPLE, "signatures": [signature]}))

    assert report.losses == ()
    assert from_a2a_sdk(proto).document["signatures"] == [signature]


# From the SDK


def test_a_message_of_the_sdk_becomes_a_validated_card() -> None:
    proto = AgentCard(name="Tides", skills=[AgentSkill(id="times", name="Times", tags=["sea"])])

    card = from_a2a_sdk(proto)

    assert str(card.dialect) == "a2a-1.0"
    assert not card.valid
    assert card.document["skills"][0] == {"id": "times", "name": "Times", "description": "", "tags": ["sea"]}
    assert {"/supportedInterfaces", "/capabilities"} <= {one.pointer for one in card.violations} | {""}


def test_a_built_card_keeps_every_field() -> None:
    def high_water(port: str) -> list[str]:
        """Finds times of high water."""
        return [port]

    from cardwright.builder import skill

    card = build_agent_card(
        name="Tides",
        description="When the water is high.",
        version="1.0.0",
        url="https://tides.example.com/a2a",
        skills=[skill(high_water, tags=["sea"])],
    )

    proto, report = to_a2a_sdk(card)

    assert report.lossless
    assert counted(from_a2a_sdk(proto).document) == counted(card.document)


@pytest.mark.parametrize("other", [None, {}, AgentSkill(), "card", AgentCard])
def test_another_message_type_is_refused_by_name(other: Any) -> None:
    with pytest.raises(BadArgument, match=r"proto: must be an a2a\.types\.AgentCard"):
        from_a2a_sdk(other)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_values_that_json_cannot_represent_are_refused(number: float) -> None:
    proto = AgentCard(name="A")
    extension = AgentExtension(uri="https://a.example/x")
    extension.params.update({"n": number})
    proto.capabilities.extensions.append(extension)

    with pytest.raises(MalformedDocument, match="cannot be written as JSON"):
        from_a2a_sdk(proto)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_survives_a_round_trip(number: float) -> None:
    document = copy.deepcopy(EXAMPLE)
    document["capabilities"]["extensions"] = [{"uri": "https://a.example/x", "params": {"n": number}}]

    back = from_a2a_sdk(to_a2a_sdk(Card.from_document(document))[0])

    assert back.document["capabilities"]["extensions"][0]["params"] == {"n": number}


@pytest.mark.process
def test_without_the_sdk_the_error_names_what_to_install() -> None:
    code = (
        "import sys; sys.modules['a2a'] = None\n"
        "from cardwright import CardError\n"
        "from cardwright.a2a_sdk import from_a2a_sdk\n"
        "try: from_a2a_sdk(None)\n"
        "except (CardError, ImportError) as error: print(type(error).__name__, error)\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert (
        done.stdout
        == 'MissingPackage a2a-sdk is not installed; install it with: pip install "cardwright[a2a]"\n'
    )
    assert issubclass(BadArgument, CardError)
