"""Properties of the difference of any two cards."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cardwright import Checks
from cardwright.canonical import Limits
from cardwright.card import Card
from cardwright.difference import MAX_CHANGES, Change, compare, diff
from cardwright.difference.change import SEVERITIES
from cardwright_rules import DIALECTS
from tests.difference.patched_pairs import BASE, EXAMPLES, Pairing, at, pairings, patched, steps
from tests.properties.strategies import JSON, SCHEMA_DIALECTS, cards, mutants, mutated

READ = SCHEMA_DIALECTS
EDITS = [pair for pair in pairings() if pair.patch]
# Arrays without a significant order, by the name of the field.
UNORDERED = {
    "skills", "tags", "inputModes", "outputModes", "defaultInputModes", "defaultOutputModes", "list", "schemes",
    "securityRequirements", "extensions", "turnStates", "envelopeParts", "envelopeConsumes", "transports",
    "resources", "prompts", "requiredScopes", "required", "enum", "type", "oneOf",
}  # fmt: skip


def card_of(document: Any, dialect: str | None = None) -> Card:
    return Card.from_document(document, dialect=dialect)


def shuffled(draw: st.DrawFn, value: Any, name: str = "") -> Any:
    """Return a value with its fields, and arrays without a significant order, in another order."""
    if isinstance(value, dict):
        names = draw(st.permutations(list(value)))
        return {field: shuffled(draw, value[field], field) for field in names}
    if isinstance(value, list):
        items = [shuffled(draw, item) for item in value]
        return list(draw(st.permutations(items))) if name in UNORDERED else items
    return value


def shuffles(document: Any) -> st.SearchStrategy[Any]:
    """Return strategies of the same card in other orders."""

    @st.composite
    def shuffle(draw: st.DrawFn) -> Any:
        return shuffled(draw, document)

    return shuffle()


@st.composite
def mangled(draw: st.DrawFn) -> Any:
    """Return the base card with some fields removed or replaced."""
    document: Any = BASE
    for _ in range(draw(st.integers(1, 6))):
        document = mutated(draw, document)
    return document


def mentioned(changes: tuple[Change, ...], *, turned: bool = False) -> Counter[str]:
    """Return the places of changes, each with the value before and after."""
    return Counter(
        json.dumps([change.after, change.before] if turned else [change.before, change.after], sort_keys=True)
        for change in changes
    )


def region(pointer: str) -> tuple[str, ...]:
    """Return the part of a card that an edit is in: edits in different ones do not meddle with each other."""
    _, first, *rest = steps(pointer)
    # The values that a skill takes from its card, and the required schemes, are decided by these together.
    if first in ("defaultInputModes", "defaultOutputModes", "securityRequirements", "securitySchemes"):
        return ("skills",)
    return (first, *rest[:1]) if first == "capabilities" else (first,)


def apart(edits: list[Pairing]) -> bool:
    """Whether edits are in regions of which none is a part of another's."""
    regions = [{region(operation["path"]) for operation in edit.patch} for edit in edits]
    return not any(
        one[: len(other)] == other[: len(one)]
        for left, right in combinations(regions, 2)
        for one in left
        for other in right
    )


@st.composite
def edits_apart(draw: st.DrawFn) -> list[Pairing]:
    """Return edits of which none meddles with another."""
    chosen: list[Pairing] = []
    for edit in draw(st.lists(st.sampled_from(EDITS), min_size=2, max_size=5)):
        if apart([*chosen, edit]):
            chosen.append(edit)
    return chosen


# Itself


@given(st.sampled_from(READ).flatmap(lambda name: st.tuples(st.just(name), cards(name))))
def test_a_card_does_not_differ_from_itself(case: tuple[str, Any]) -> None:
    name, document = case

    assert diff(card_of(document, name), card_of(json.loads(json.dumps(document)), name)) == ()


@given(st.sampled_from(READ).flatmap(lambda name: st.tuples(st.just(name), mutants(name))))
@example(("a2a-1.0", {"skills": [None], "supportedInterfaces": [None], "defaultInputModes": [None]}))
def test_an_invalid_card_does_not_differ_from_itself(case: tuple[str, Any]) -> None:
    name, document = case

    assert diff(card_of(document, name), card_of(document, name)) == ()


@given(shuffles(BASE))
def test_an_insignificant_order_is_no_difference(document: Any) -> None:
    assert diff(card_of(BASE), card_of(document)) == ()


@given(st.sampled_from(EDITS).flatmap(lambda edit: st.tuples(st.just(edit), shuffles(edit.new))))
def test_an_insignificant_order_changes_no_difference(case: tuple[Pairing, Any]) -> None:
    edit, new = case

    changes = diff(card_of(BASE), card_of(new))

    assert sorted(change.kind for change in changes) == edit.kinds


# More changes


@given(edits_apart())
def test_a_bump_never_shrinks_when_changes_are_added(edits: list[Pairing]) -> None:
    document: Any = BASE
    bumps = ["none"]

    for edit in edits:
        document = patched(document, edit.patch)
        bumps.append(compare(card_of(BASE), card_of(document)).bump)

    assert bumps == sorted(bumps, key=SEVERITIES.index)
    assert bumps[-1] == max((edit.bump for edit in edits), key=SEVERITIES.index)


@given(edits_apart())
def test_changes_of_independent_edits_add_up(edits: list[Pairing]) -> None:
    document: Any = BASE
    for edit in edits:
        document = patched(document, edit.patch)

    kinds = [change.kind for change in diff(card_of(BASE), card_of(document))]

    assert sorted(kinds) == sorted(kind for edit in edits for kind in edit.kinds or ())


# The other way round


@given(st.lists(st.sampled_from(EDITS), min_size=1, max_size=2))
@example([edit for edit in EDITS if "interfaces in another order" in edit.name])
def test_both_directions_report_the_same_changes(edits: list[Pairing]) -> None:
    old, new = card_of(BASE), card_of(edits[0].new)
    if len(edits) > 1:
        old = card_of(edits[1].new)

    there, back = diff(old, new), diff(new, old)

    assert mentioned(there) == mentioned(back, turned=True)


@given(st.sampled_from(EDITS))
def test_both_directions_point_at_the_same_places(edit: Pairing) -> None:
    there, back = diff(*edit.cards()), diff(*reversed(edit.cards()))

    moved = {change.pointer for change in there if change.before is not None and change.after is not None}
    gone = {change.pointer for change in there} - moved
    assert gone <= {change.pointer for change in back}


@given(st.sampled_from(READ).flatmap(lambda name: st.tuples(mutants(name), mutants(name), st.just(name))))
def test_both_directions_of_any_two_cards_report_the_same_changes(case: tuple[Any, Any, str]) -> None:
    one, other, name = case

    there = diff(card_of(one, name), card_of(other, name))
    back = diff(card_of(other, name), card_of(one, name))

    assert mentioned(there) == mentioned(back, turned=True)


# Whatever the cards are


@given(
    st.sampled_from(SCHEMA_DIALECTS).flatmap(lambda name: st.tuples(mutants(name), st.just(name))),
    st.sampled_from(SCHEMA_DIALECTS).flatmap(lambda name: st.tuples(mutants(name), st.just(name))),
)
def test_any_two_cards_are_compared(old: tuple[Any, str], new: tuple[Any, str]) -> None:
    changes = diff(card_of(*old), card_of(*new))

    assert_sound(changes, old[0], new[0])


@given(JSON, st.sampled_from(sorted(DIALECTS)), JSON, st.sampled_from(sorted(DIALECTS)))
def test_any_two_values_held_as_cards_are_compared(old: Any, one: str, new: Any, other: str) -> None:
    changes = diff(card_of(old, one), card_of(new, other))

    assert_sound(changes, old, new)


@given(mangled())
def test_a_mutated_card_is_compared_with_its_original(document: Any) -> None:
    changes = diff(card_of(BASE), card_of(document, "a2a-1.0"))

    assert_sound(changes, BASE, document)


def assert_sound(changes: tuple[Change, ...], old: Any, new: Any) -> None:
    """Assert that each change has an existing pointer and no text of the cards, and that the worst come first."""
    for change in changes:
        at(old if change.after is None else new, change.pointer)
        assert change.why.isprintable()
    ranks = [SEVERITIES.index(change.severity) for change in changes]
    assert ranks == sorted(ranks, reverse=True)
    assert 0 not in ranks


def test_every_example_has_no_difference_from_itself() -> None:
    for path in sorted(Path(EXAMPLES).glob("*.card.json")):
        card = Card.from_bytes(path.read_bytes())
        assert compare(card, card).changes == ()


@pytest.mark.bulk
def test_too_many_changes_count_as_breaking() -> None:
    def many(letter: str) -> Card:
        # Each skill of the old card is removed, and each of the new one added.
        skills = [{"id": f"{letter}{number}"} for number in range(MAX_CHANGES // 2 + 1)]
        return Card.from_document(BASE | {"skills": skills}, checks=Checks(limits=Limits(max_values=2**20)))

    changes = diff(many("a"), many("b"))

    assert len(changes) == MAX_CHANGES + 1
    assert changes[0].kind == "too-many-changes"
    assert changes[0].severity == "major"


def test_a_comparison_changes_neither_card() -> None:
    old, new = card_of(BASE), card_of(EDITS[-1].new)
    before = json.dumps([old.document, new.document])

    compare(old, new)

    assert json.dumps([old.document, new.document]) == before
