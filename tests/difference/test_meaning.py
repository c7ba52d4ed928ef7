"""What a form has no word for is no difference between cards of two forms."""

from __future__ import annotations

import pytest

from cardwright.card import Card
from cardwright.conversion import convert
from cardwright.difference import diff
from tests.conversion.test_hazards import OLDER

CAPABLE = {**OLDER, "capabilities": {"streaming": True, "stateTransitionHistory": True}}


@pytest.mark.parametrize("to", ["a2a-1.0", "a2a-hybrid", "beach-1.0", "mcp-2024-11-05"])
def test_a_capability_that_the_other_form_cannot_name_is_not_withdrawn(to: str) -> None:
    card = Card.from_document(CAPABLE)

    for pair in ((card, convert(card, to=to)[0]), (convert(card, to=to)[0], card)):
        assert not [change for change in diff(*pair) if change.kind.startswith("capability-")]


def test_a_capability_that_the_other_form_can_name_is_missed_there() -> None:
    card = Card.from_document(CAPABLE)
    newer = convert(card)[0].document
    del newer["capabilities"]["streaming"]

    changes = diff(card, Card.from_document(newer))
    assert [change.kind for change in changes] == ["capability-withdrawn"]
    assert changes[0].pointer == "/capabilities/streaming"
