"""Conversions, read by the real a2a-sdk 1.3: it accepts every card and reads the same facts."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from a2a.client.card_resolver import parse_agent_card
from a2a.compat.v0_3 import types as compat
from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped] # it has no stubs
from hypothesis import given, settings

from cardwright import Card, CardError, convert
from cardwright.canonical import Limits
from cardwright.checks import Checks
from cardwright_rules import DIALECTS
from tests.oracles.card_facts import CardFacts, newer, older, sayable
from tests.oracles.valid_cards import sound
from tests.properties.strategies import cards
from tests.shared import SHARED, corpus_index, shared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
WIDE = Checks(limits=Limits(max_bytes=4 * 1024 * 1024))
# Where a2a-sdk sees more than the card says to others, and why; one that it sees no longer fails.
LISTED = json.loads((Path(__file__).parent / "sdk-differences.json").read_text(encoding="utf-8"))
FIELDS = ("interfaces", "skills", "schemes", "requirements", "extended")


def corpus() -> Iterator[tuple[str, Card]]:
    """Yield every document of the corpus that is a card."""
    shared("corpus")
    for row in corpus_index():
        body = (SHARED / "corpus" / row["file"]).read_bytes()
        try:
            yield row["file"], Card.from_bytes(body, checks=WIDE)
        except CardError:
            continue


def examples() -> Iterator[tuple[str, Card]]:
    for path in sorted(EXAMPLES.glob("*.card.json")):
        yield path.name, Card.from_bytes(path.read_bytes())


def converted(card: Card, to: str) -> dict[str, Any] | None:
    """Return a card in another dialect, where the result has no error."""
    result, _ = convert(card, to=to)
    return result.document if result.valid else None


def seen(document: dict[str, Any]) -> CardFacts:
    """Return what a2a-sdk sees in a document, of which it changes the copy that it is given."""
    return newer(MessageToDict(parse_agent_card(copy.deepcopy(document))))


def seen_as_older(document: dict[str, Any]) -> CardFacts:
    """Return what a2a-sdk's types of A2A 0.3 see in a document."""
    model = compat.AgentCard.model_validate(copy.deepcopy(document))
    return older(model.model_dump(mode="json", by_alias=True, exclude_none=True))


def differences(expected: CardFacts, other: CardFacts) -> list[str]:
    return [
        f"{name}: {getattr(expected, name)} but {getattr(other, name)}"
        for name in FIELDS
        if getattr(expected, name) != getattr(other, name)
    ]


def of_newer(document: dict[str, Any]) -> list[str]:
    return differences(newer(document), seen(document))


def of_hybrid(document: dict[str, Any]) -> list[str]:
    """Return where either reader of a hybrid sees something else than it says, or than the other."""
    expected = newer(document)
    return [
        *differences(expected, seen(document)),
        *differences(older(document), seen_as_older(document)),
        *differences(sayable(expected), replace(seen_as_older(document), interfaces=[])),
    ]


def of_older(document: dict[str, Any]) -> list[str]:
    return differences(older(document), seen_as_older(document))


WAYS = {"a2a-1.0": of_newer, "a2a-hybrid": of_hybrid, "a2a-0.3": of_older}


@pytest.mark.parametrize(("to", "least"), [("a2a-1.0", 140), ("a2a-hybrid", 128), ("a2a-0.3", 128)])
def test_the_sdk_reads_every_converted_real_card_alike(
    to: str, least: int, record_property: Callable[[str, object], None]
) -> None:
    known = LISTED["documents"]
    compared: list[str] = []
    found: dict[str, list[str]] = {}
    for file, card in corpus():
        document = converted(card, to)
        if document is not None:
            compared.append(file)
            different = {difference.partition(":")[0] for difference in WAYS[to](document)}
            if different != set(known.get(file, {}).get(to, ())):
                found[file] = sorted(different)

    record_property("compared", len(compared))
    assert found == {}, "what is seen otherwise is not what the list says"
    assert len(compared) >= least
    assert all(row["reason"] for row in known.values())
    assert {file for file, row in known.items() if to in row} <= set(compared)


@pytest.mark.parametrize("to", WAYS)
@pytest.mark.parametrize(("name", "card"), [pytest.param(*pair, id=pair[0]) for pair in examples()])
def test_the_sdk_reads_every_converted_example_alike(name: str, card: Card, to: str) -> None:
    document = converted(card, to)

    assert document is not None, name
    assert document["skills"]
    assert WAYS[to](document) == []


@pytest.mark.bulk
@pytest.mark.parametrize("dialect", ["a2a-0.1", "a2a-0.2", "a2a-0.3"])
def test_the_sdk_reads_every_generated_card_alike(dialect: str) -> None:
    compared = 0

    @settings(max_examples=100)
    @given(cards(dialect))
    def alike(document: dict[str, Any]) -> None:
        nonlocal compared
        card = Card.from_document(document, dialect=dialect)
        for to, compare in WAYS.items():
            result = converted(card, to)
            if result is not None:
                compared += 1
                assert compare(result) == []

    alike()
    assert compared >= 5


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_sdk_reads_every_valid_card_of_any_dialect_alike(dialect: str) -> None:
    compared = 0

    @given(sound())
    def alike(document: dict[str, Any]) -> None:
        nonlocal compared
        card = Card.from_document(document, dialect="a2a-1.0")
        assert card.valid, card.violations
        between, _ = convert(card, to=dialect)
        for to, compare in WAYS.items():
            result = converted(between, to)
            if result is not None:
                compared += 1
                assert compare(result) == []

    alike()
    assert compared >= 25


# What was wrong once


def test_device_code_and_pkce_of_a_hybrid_are_in_the_older_encoding_too() -> None:
    token = "https://login.example.com/token"  # noqa: S105 - an address
    device = {"deviceAuthorizationUrl": token, "tokenUrl": token, "scopes": {"read": "to read"}}
    code = {"authorizationUrl": token, "tokenUrl": token, "scopes": {}, "pkceRequired": True}
    card = json.loads((EXAMPLES / "a2a-1.0.card.json").read_bytes())
    card["securitySchemes"] |= {
        "tv": {"oauth2SecurityScheme": {"flows": {"deviceCode": device}}},
        "app": {"oauth2SecurityScheme": {"flows": {"authorizationCode": code}}},
    }

    document = converted(Card.from_document(card), "a2a-hybrid")

    assert document is not None
    schemes = seen(document).schemes
    assert schemes["tv"][2] == {"deviceCode": device}
    assert schemes["app"][2] == {"authorizationCode": {n: v for n, v in code.items() if v != {}}}
    assert seen_as_older(document).schemes["tv"][2] == {}
    assert convert(Card.from_document(document))[0].document == card


def test_fields_of_0_2_are_read_in_a_card_of_0_1() -> None:
    card = json.loads((EXAMPLES / "a2a-0.1.card.json").read_bytes()) | {
        "url": "https://agent.example.com/grpc",
        "preferredTransport": "GRPC",
        "additionalInterfaces": [{"url": "https://agent.example.com/a2a", "transport": "JSONRPC"}],
        "supportsAuthenticatedExtendedCard": True,
    }
    given = Card.from_document(card, dialect="a2a-0.1")

    document = converted(given, "a2a-1.0")

    assert document is not None
    assert seen(document) == newer(document)
    assert [(url, binding) for url, binding, _, _ in newer(document).interfaces] == [
        ("https://agent.example.com/grpc", "GRPC"),
        ("https://agent.example.com/a2a", "JSONRPC"),
    ]
    assert newer(document).extended
    assert not document.keys() & {"preferredTransport", "additionalInterfaces"}
    there, _ = convert(given, to="a2a-1.0", carry=True)
    assert convert(there, to="a2a-0.1")[0].document == card


def test_the_older_half_of_a_hybrid_converts_to_0_3_with_listed_assumptions() -> None:
    card = json.loads((EXAMPLES / "a2a-1.0.card.json").read_bytes())

    def older_half(*versions: str) -> tuple[list[str], dict[str, Any]]:
        card["supportedInterfaces"] = [
            {
                "url": f"https://agent.example.com/{version}",
                "protocolBinding": "JSONRPC",
                "protocolVersion": version,
            }
            for version in versions
        ]
        result, report = convert(Card.from_document(card), to="a2a-hybrid")
        assert result.valid
        assumed = {one.pointer: one.value for one in report.assumptions}
        return [url for url, *_ in seen_as_older(result.document).interfaces], assumed

    base = "https://agent.example.com"
    nearby = {"/additionalInterfaces/1": f"{base}/0.2"}
    assert older_half("1.0", "0.2", "0.3") == ([f"{base}/0.3", f"{base}/0.2"], nearby)
    assert older_half("1.0", "0.2") == ([f"{base}/0.2"], {"/url": f"{base}/0.2"})
    assert older_half("1.0") == ([f"{base}/1.0"], {"/url": f"{base}/1.0"})


def test_an_assumption_of_a_hybrid_has_the_right_pointer() -> None:
    oldest = Card.from_bytes((EXAMPLES / "a2a-0.1.card.json").read_bytes())

    result, report = convert(oldest, to="a2a-hybrid")

    assumed = {one.pointer: one.value for one in report.assumptions}
    assert assumed["/supportedInterfaces/0/protocolVersion"] == "0.1"
    assert assumed["/url"] == result.document["url"]
    assert "/protocolVersion" not in assumed
