"""Whatever reads a valid card into a model, and whatever writes it, the card comes back as it was."""

from __future__ import annotations

import json
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fastapi import FastAPI
from fastapi.encoders import jsonable_encoder
from fastapi.testclient import TestClient
from pydantic import BaseModel, TypeAdapter, ValidationError, create_model
from pydantic_core import to_jsonable_python

from cardwright import sign, verify
from cardwright.card import Card
from cardwright.errors import CardError
from cardwright.signing import KeySet, new_key
from cardwright_models.base import WireModel
from cardwright_rules import ROWS
from tests.shared import SHARED, corpus_index, shared

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"

KEY = new_key("ES256", "k1")

Json = Any
Model = type[WireModel]
MODELS = {name: row.model_class() for name, row in ROWS.items() if row.model is not None}


@cache
def holder(model: Model) -> type[BaseModel]:
    """Return a user's model with a field of a generated type."""
    return create_model("Holder", item=(model, ...), note=(str | None, None))


@cache
def client(model: Model) -> TestClient:
    """Return a client of an application that answers with the model that it was sent."""
    app = FastAPI()

    def echo(item: Any) -> Any:
        return item

    echo.__annotations__ = {"item": model, "return": model}
    app.post("/")(echo)
    return TestClient(app)


READ: dict[str, Callable[[Model, Json], Any]] = {
    "model_validate": lambda model, document: model.model_validate(document),
    "model_validate_json": lambda model, document: model.model_validate_json(json.dumps(document)),
    "from_wire": lambda model, document: model.from_wire(document),
    "TypeAdapter": lambda model, document: TypeAdapter(list[model]).validate_python([document])[0],  # type: ignore[valid-type] # a class that is a variable
    "nested": lambda model, document: holder(model).model_validate({"item": document}).item,  # type: ignore[attr-defined] # a created class
    "keywords": lambda model, document: model(**document),
}
WRITE: dict[str, Callable[[Any], Json]] = {
    "model_dump": lambda read: read.model_dump(),
    "model_dump_json": lambda read: json.loads(read.model_dump_json()),
    "to_wire": lambda read: read.to_wire(),
    "TypeAdapter": lambda read: TypeAdapter(type(read)).dump_python(read),
    "TypeAdapter JSON": lambda read: json.loads(TypeAdapter(list[Any]).dump_json([read]))[0],
    "nested": lambda read: holder(read.__class__)(item=read).model_dump()["item"],
    "nested JSON": lambda read: json.loads(holder(read.__class__)(item=read).model_dump_json())["item"],
    "jsonable_encoder": jsonable_encoder,
    "to_jsonable_python": to_jsonable_python,
}


def assert_returned(model: Model, document: Json) -> None:
    for way_in, read in READ.items():
        item = read(model, document)
        for way_out, written in WRITE.items():
            assert written(item) == document, (way_in, way_out)
    response = client(model).post("/", json=document)
    assert (response.status_code, response.json()) == (200, document)


@pytest.mark.parametrize("name", MODELS)
def test_an_example_of_a_schema_comes_back_in_every_way(name: str) -> None:
    path = str(ROWS[name].schema_id).partition("/schemas/")[2]
    for example in json.loads((SCHEMAS / path).read_bytes())["examples"]:
        assert_returned(MODELS[name], example)
        assert_returned(MODELS[name], {**example, "x-unknown": {"nested": [None, 1.5, "é"]}})


def test_every_valid_public_card_comes_back_in_every_way() -> None:
    checked = 0
    for row in corpus_index():
        try:
            card = Card.from_bytes(shared("corpus", row["file"]).read_bytes())
        except CardError:
            continue
        if card.valid and str(card.dialect) in MODELS:
            assert_returned(MODELS[str(card.dialect)], card.document)
            checked += 1
    assert checked > 100 or not SHARED.exists()


@pytest.mark.parametrize("name", ["a2a-0.3", "a2a-1.0"])
def test_a_signature_verifies_after_a_route_of_fastapi_returned_the_card(name: str) -> None:
    example = SCHEMAS.parent / "examples" / f"{name}.card.json"
    signed = sign(Card.from_bytes(example.read_bytes()), key=KEY, kid="k1", alg="ES256")

    answer = client(MODELS[name]).post("/", json=signed.document)
    assert verify(Card.from_bytes(answer.content), keys=KeySet.of([KEY])).covered


Tide = StrEnum("Tide", ["LOW"])


class Berth(WireModel):
    high_tide: Tide | None = None
    tides: dict[str, list[Tide]] | None = None


def test_a_model_of_a_user_has_the_same_rules() -> None:
    assert_returned(Berth, {"highTide": "low", "tides": {"oban": ["low"]}})
    assert repr(Berth(high_tide=Tide.LOW)) == "Berth(high_tide=<Tide.LOW: 'low'>)"
    assert Berth(high_tide=None).model_dump() == {}
    with pytest.raises(ValidationError):
        Berth(high_tide="none")  # type: ignore[arg-type] # what is refused
