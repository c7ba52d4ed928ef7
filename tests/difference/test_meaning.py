"""A field that one dialect does not have is no difference between cards of two dialects."""

from __future__ import annotations

import json

import pytest

from cardwright.card import Card
from cardwright.conversion import convert
from cardwright.difference import compare, diff
from tests.cli.command_line import EXAMPLES
from tests.conversion.test_known_errors import OLDER, Json

CAPABLE = {**OLDER, "capabilities": {"streaming": True, "stateTransitionHistory": True}}


@pytest.mark.parametrize("to", ["a2a-1.0", "a2a-hybrid", "beach-1.0", "mcp-2024-11-05"])
def test_a_capability_that_the_other_dialect_cannot_express_is_not_removed(to: str) -> None:
    card = Card.from_document(CAPABLE)

    for pair in ((card, convert(card, to=to)[0]), (convert(card, to=to)[0], card)):
        assert not [change for change in diff(*pair) if change.kind.startswith("capability-")]


def test_a_capability_that_the_other_dialect_can_express_is_removed() -> None:
    card = Card.from_document(CAPABLE)
    newer = convert(card)[0].document
    del newer["capabilities"]["streaming"]

    changes = [change for change in diff(card, Card.from_document(newer)) if "form" not in change.kind]
    assert [change.kind for change in changes] == ["capability-withdrawn"]
    assert changes[0].pointer == "/capabilities/streaming"


NAMELESS = {name: value for name, value in OLDER.items() if name != "protocolVersion"}
FORMS = {"form-added", "form-removed"}
BARE = {"name": "A", "url": "https://a.example.com", "version": "1.0.0", "capabilities": {}}
SKILL = {"id": "a", "name": "a"}


def kinds(old: Json, new: Json, dialect: str | None = None) -> list[str]:
    return [
        change.kind
        for change in diff(Card.from_document(old, dialect=dialect), Card.from_document(new, dialect=dialect))
        if change.kind not in FORMS
    ]


@pytest.mark.parametrize("other", [OLDER, convert(Card.from_document(OLDER))[0].document], ids=["0.3", "1.0"])
def test_a_guessed_version_is_no_change(other: Json) -> None:
    detection = Card.from_document(NAMELESS).detection
    assert detection
    assert not detection.sure
    assert kinds(NAMELESS, other) == kinds(other, NAMELESS) == []


def test_two_declared_versions_are_a_change() -> None:
    newer = convert(Card.from_document(OLDER))[0].document
    interface = {**newer["supportedInterfaces"][0], "protocolVersion": "1.0"}

    assert kinds(OLDER, {**newer, "supportedInterfaces": [interface]}) == ["interface-version-changed"]
    assert kinds(OLDER, {**newer, "supportedInterfaces": [without_version(interface)]}) == []


def without_version(interface: Json) -> Json:
    return {name: value for name, value in interface.items() if name != "protocolVersion"}


def test_a_placeholder_is_no_change() -> None:
    bare = {**BARE, "skills": [SKILL]}
    full = {**BARE, "description": "Text.", "skills": [{**SKILL, "description": "Text.", "tags": ["x"]}]}
    full |= {"defaultInputModes": ["image/png"], "defaultOutputModes": ["image/png"]}
    changes = diff(Card.from_document(bare), Card.from_document(full))

    assert changes
    assert all(change.before is None for change in changes)
    assert all(change.after is None for change in diff(Card.from_document(full), Card.from_document(bare)))


@pytest.mark.parametrize("to", ["a2a-0.1", "a2a-0.2", "a2a-0.3", "a2a-1.0", "a2a-hybrid"])
def test_a_card_does_not_differ_from_one_with_its_placeholders(to: str) -> None:
    card = Card.from_document({**BARE, "skills": [SKILL]})

    other = convert(card, to=to)[0]
    assert {change.kind for change in (*diff(card, other), *diff(other, card))} <= FORMS


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a2a-0.3", "a2a-1.0", ["form-removed a2a-0.x", "form-added a2a-1.0"]),
        ("a2a-1.0", "a2a-0.3", ["form-removed a2a-1.0", "form-added a2a-0.x"]),
        ("a2a-0.3", "a2a-hybrid", ["form-added a2a-1.0"]),
        ("a2a-1.0", "a2a-hybrid", ["form-added a2a-0.x"]),
        ("a2a-hybrid", "a2a-0.3", ["form-removed a2a-1.0"]),
        ("a2a-hybrid", "a2a-1.0", ["form-removed a2a-0.x"]),
        ("a2a-0.3", "beach-1.0", ["form-removed a2a-0.x", "form-added beach-1.0"]),
    ],
)
def test_a_form_that_clients_read_is_part_of_the_contract(old: str, new: str, expected: list[str]) -> None:
    cards = [convert(Card.from_document(OLDER), to=dialect)[0] for dialect in (old, new)]
    changes = [change for change in diff(*cards) if change.kind in FORMS]

    assert [f"{change.kind} {change.before or change.after}" for change in changes] == expected
    assert compare(*cards).bump == ("major" if len(diff(*cards)) > 1 or "removed" in expected[0] else "minor")


def test_a_hybrid_is_compared_by_the_form_that_the_other_card_has() -> None:
    hybrid = convert(Card.from_document(OLDER), to="a2a-hybrid")[0].document
    other = {
        **hybrid,
        "supportedInterfaces": [{**hybrid["supportedInterfaces"][0], "protocolVersion": "1.0"}],
    }

    assert [change.kind for change in diff(Card.from_document(OLDER), Card.from_document(other))] == [
        "form-added"
    ]


def test_a_default_of_a2a_0_1_is_a_value() -> None:
    bare = {**BARE, "skills": [SKILL]}

    assert "mode-removed" in kinds(bare, {**bare, "defaultInputModes": ["image/png"]}, "a2a-0.1")
    assert kinds(bare, {**bare, "defaultInputModes": ["text/plain"]}, "a2a-0.1") == []


@pytest.mark.parametrize("at", [("envelope", "maxBytes"), ("extensions", "beach", "retention")])
def test_a_removed_field_of_a_beach_block_is_a_change(at: tuple[str, ...]) -> None:
    card: Json = json.loads((EXAMPLES / "beach-1.0.card.json").read_bytes())
    more = json.loads(json.dumps(card))
    block = more
    for name in at[:-1]:
        block = block[name]
    block[at[-1]] = 1

    assert kinds(card, more) == ["param-added"]
    assert kinds(more, card) == ["param-removed"]
