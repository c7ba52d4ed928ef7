"""The project's schemas of A2A 0.1, 0.2 and 0.3 against the published ones, card by card."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardwright.validate import violations
from tests.properties.strategies import cards, mutants
from tests.shared import SHARED, corpus_index, shared

DIFFERENCES = json.loads((Path(__file__).parent / "published-differences.json").read_text(encoding="utf-8"))
DIALECTS = ("a2a-0.1", "a2a-0.2", "a2a-0.3")


@cache
def published(version: str) -> jsonschema_rs.Validator:
    schema = json.loads(shared("spec", f"a2a-{version}.json").read_text(encoding="utf-8"))
    place = "$defs" if "$defs" in schema else "definitions"
    return jsonschema_rs.Draft7Validator({"$ref": f"#/{place}/AgentCard", place: schema[place]})


def version_of(dialect: str, document: dict[str, Any]) -> str:
    if dialect == "a2a-0.2":
        return "0.2.6" if "protocolVersion" in document else "0.2.0"
    return {"a2a-0.1": "0.1.0", "a2a-0.3": "0.3.0"}[dialect]


def explanation(dialect: str, document: dict[str, Any], *, cardwright_valid: bool) -> str | None:
    """Return the reason why the two results differ, if one on the list fits."""
    version = version_of(dialect, document)
    published_at = {error_path(error) for error in published(version).iter_errors(document)}
    cardwright_at = {v.pointer for v in violations(document, dialect=dialect) if v.rule.startswith("schema/")}
    for difference in DIFFERENCES["differences"]:
        if difference["published"] != version or difference["ours"] != (
            "valid" if cardwright_valid else "invalid"
        ):
            continue
        at = published_at if cardwright_valid else cardwright_at
        if at and all(fits(pointer, document, difference) for pointer in at):
            return str(difference["reason"])
    return None


def error_path(error: jsonschema_rs.ValidationError) -> str:
    return "".join(f"/{step}" for step in error.instance_path)


def fits(pointer: str, document: Any, difference: dict[str, Any]) -> bool:
    node = document
    for step in pointer.split("/")[1:]:
        node = (
            node[int(step)] if isinstance(node, list) else node.get(step) if isinstance(node, dict) else None
        )
    if difference["what"] == "null":
        return node is None
    return any(pointer == f"/{name}" or pointer.startswith(f"/{name}/") for name in difference["members"])


def agree(dialect: str, document: dict[str, Any]) -> None:
    # A required field with a misspelt name is an error of that rule alone.
    cardwright_valid = not any(
        v.rule.startswith("schema/") or (v.rule == "members/spelling" and v.severity == "error")
        for v in violations(document, dialect=dialect)
    )
    published_valid = published(version_of(dialect, document)).is_valid(document)
    assert cardwright_valid == published_valid or explanation(
        dialect, document, cardwright_valid=cardwright_valid
    ), (cardwright_valid, published_valid)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_real_card_has_the_published_validity(dialect: str) -> None:
    shared("spec")
    validated_count = 0
    for row in corpus_index():
        if row["file"].startswith("cards/") and row["dialect_guess"] in (dialect, "a2a-0.2", "a2a-0.3"):
            document = json.loads((SHARED / "corpus" / row["file"]).read_bytes())
            agree(dialect, document)
            validated_count += 1
    assert validated_count >= 60


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.bulk
def test_generated_cards_have_the_published_validity(dialect: str) -> None:
    shared("spec")

    @settings(max_examples=max(settings().max_examples, 200))
    @given(st.one_of(cards(dialect), mutants(dialect)))
    def same(document: dict[str, Any]) -> None:
        agree(dialect, document)

    same()


def test_every_listed_difference_exists() -> None:
    shared("spec")
    for difference in DIFFERENCES["differences"]:
        document, dialect = difference["example"], difference["dialect"]
        assert version_of(dialect, document) == difference["published"]
        cardwright_valid = not any(
            v.rule.startswith("schema/") for v in violations(document, dialect=dialect)
        )
        assert ("valid" if cardwright_valid else "invalid") == difference["ours"]
        assert published(difference["published"]).is_valid(document) != cardwright_valid, (
            "they agree now: take it off the list"
        )
