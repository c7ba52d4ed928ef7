"""A violation of any JSON Schema keyword is not mistaken for an error of the schema."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped] # it has no py.typed

from cardwright.card import Card
from cardwright.discovery.contracts import UNUSABLE, check_input, input_violations
from cardwright.errors import ContractBroken, ContractUnusable
from tests.discovery.keywords import ANNOTATING, PLACES, REFUSING, placed

VOCABULARIES = "https://json-schema.org/draft/2020-12/meta/"
NAMES = ("core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation", "content")


def card_of(schema: Any) -> Card:
    skill = {"id": "t", "name": "t", "inputSchema": schema}
    return Card.from_document({"name": "A", "protocol": "mcp", "capabilities": {}, "skills": [skill]})


def test_the_table_has_every_keyword_of_the_vocabularies() -> None:
    schemas: list[Any] = [REGISTRY.contents(VOCABULARIES + name) for name in NAMES]
    keywords = {keyword for schema in schemas for keyword in schema["properties"]}

    assert keywords - ANNOTATING == set(REFUSING)


@pytest.mark.parametrize("place", ["bare", *PLACES])
@pytest.mark.parametrize("keyword", sorted(REFUSING))
def test_data_that_violates_a_keyword_is_a_violation(keyword: str, place: str) -> None:
    schema, data = REFUSING[keyword]
    if place != "bare":
        schema, data = placed(place, schema, data)

    with pytest.raises(ContractBroken) as caught:
        check_input(card_of(schema), "t", data)
    assert not {violation.rule for violation in caught.value.violations} & UNUSABLE


def test_no_rule_of_an_unusable_schema_is_named_like_a_keyword() -> None:
    assert not {f"contract/{keyword}" for keyword in REFUSING.keys() | ANNOTATING} & UNUSABLE


@pytest.mark.parametrize("pattern", [r"(?=a)b", r"(a)\1"])
def test_an_unsupported_pattern_is_an_error_of_the_schema(pattern: str) -> None:
    card = card_of({"properties": {"x": {"pattern": pattern}}})

    assert [one.rule for one in input_violations(card, "t", {"x": "b"}) or ()] == [
        "contract/pattern-unusable"
    ]
    with pytest.raises(ContractUnusable):
        check_input(card, "t", {"x": "b"})
