"""The messages and JSON-RPC objects of A2A 0.3 against the published schema: both give a drawn document the same validity.

A valid one comes back from its class as it was.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from cardwright.testing.strategies import Cards
from cardwright_models import a2a_v0_3
from cardwright_models.a2a_v0_3 import jsonrpc
from tests.conformance.case_files import RULES
from tests.properties.strategies import mutated
from tests.shared import shared

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = Any
OWN: Json = json.loads((RULES.parent / "a2a" / "0.3" / "messages.schema.json").read_bytes())
# The published schema has the values of a role in the message.
NAMES = sorted({"Task", *OWN["$defs"]} - {"Role"})
ENVELOPES = sorted(
    name for name in a2a_v0_3.__all__ if getattr(a2a_v0_3, name).__module__ == jsonrpc.__name__
)


def own(name: str) -> Json:
    if name in ENVELOPES:
        return getattr(a2a_v0_3, name).model_json_schema()
    root = {key: value for key, value in OWN.items() if key not in ("$id", "examples")}
    return root if name == "Task" else OWN["$defs"][name] | {"$defs": root["$defs"]}


@cache
def definitions() -> Json:
    return json.loads(shared("spec", "a2a-0.3.0.json").read_bytes())["definitions"]


def published(name: str) -> Json:
    text = json.dumps(definitions()).replace("#/definitions/", "#/$defs/")
    return {**json.loads(text)[name], "$defs": json.loads(text)}


def validators(name: str) -> tuple[jsonschema_rs.Validator, jsonschema_rs.Validator]:
    """Return the validators of our schema and of the published one."""
    other = {"$ref": f"#/definitions/{name}", "definitions": definitions()}
    return jsonschema_rs.Draft202012Validator(own(name)), jsonschema_rs.Draft7Validator(other)


def drawn(name: str) -> st.SearchStrategy[Json]:
    """Return valid documents of both schemas, and as many with a field removed or replaced."""
    whole = Cards(own(name)).card() | Cards(published(name)).card()
    return whole | st.composite(lambda draw: mutated(draw, draw(whole)))()


def with_integers(document: Json) -> Json:
    """Return a document without the integers that are written as 1.0: JSON Schema takes them, and a strict model does not."""
    return json.loads(
        json.dumps(document),
        parse_float=lambda text: int(float(text)) if float(text).is_integer() else float(text),
    )


@pytest.mark.parametrize("name", [*NAMES, *ENVELOPES])
@pytest.mark.bulk
def test_drawn_messages_have_the_published_validity(name: str) -> None:
    here, other, model = *validators(name), getattr(a2a_v0_3, name)

    # The requests and responses are made of messages.
    @settings(
        max_examples=max(settings().max_examples, 300 if name in NAMES else 60),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
    @given(drawn(name))
    def same(document: Json) -> None:
        valid = here.is_valid(document)
        assert valid == other.is_valid(document)
        if valid and issubclass(model, BaseModel):
            plain = with_integers(document)
            assert model.model_validate(plain).model_dump(mode="json") == plain

    same()


def parts(document: Json) -> Iterator[Json]:
    """Yield a document and all that is in it."""
    yield document
    for inner in (
        document.values() if isinstance(document, dict) else document if isinstance(document, list) else ()
    ):
        yield from parts(inner)


@pytest.mark.parametrize("name", NAMES)
def test_examples_and_their_parts_have_the_published_validity(name: str) -> None:
    here, other = validators(name)
    for document in parts(OWN["examples"]):
        assert here.is_valid(document) == other.is_valid(document)
