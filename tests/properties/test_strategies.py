"""The strategies draw what a schema says: a constraint that is added to a schema holds for every drawn card."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema.validators import Draft202012Validator

from cardwright_rules import DIALECTS
from tests.properties.strategies import KEYS, WORDS, Cards

# Changes of a schema, by the place that they are merged into.
CHANGES: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    ("a2a-0.3", ("properties", "version"), {"minLength": 2, "maxLength": 2}),
    ("a2a-1.0", ("$defs", "AgentSkill", "properties", "name"), {"pattern": "^[a-z]{3}$"}),
    ("a2a-1.0", ("$defs", "AgentSkill", "properties", "tags"), {"minItems": 3, "maxItems": 4}),
    ("a2a-0.2", ("$defs", "AgentSkill"), {"minProperties": 5}),
    ("a2a-0.3", ("$defs", "AgentProvider"), {"propertyNames": {"maxLength": 12}}),
    ("beach-1.0", ("properties", "name"), {"minLength": 1, "maxLength": 1}),
]


@pytest.mark.parametrize("lifelike", [False, True])
@pytest.mark.parametrize(("dialect", "place", "change"), CHANGES)
@settings(max_examples=10)
@given(data=st.data())
def test_an_added_constraint_holds_for_every_card(
    dialect: str, place: tuple[str, ...], change: dict[str, Any], data: st.DataObject, *, lifelike: bool
) -> None:
    schema = copy.deepcopy(DIALECTS[dialect].schema())
    node = schema
    for step in place:
        node = node[step]
    node |= change

    document = data.draw(
        Cards(schema, words=WORDS if lifelike else None, keys=KEYS if lifelike else ()).card()
    )

    assert Draft202012Validator(schema).is_valid(document)
