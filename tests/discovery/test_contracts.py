"""Contracts: input and output are validated with the schemas of the card, and no hostile schema can do harm."""

from __future__ import annotations

import asyncio
import json
import socket
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from cardwright.card import Card
from cardwright.conversion.extensions import SCHEMAS_URI
from cardwright.discovery.contracts import check_input, check_output, input_violations, output_violations
from cardwright.discovery.schemas import MAX_CACHED, SchemaLimits, Schemas, fetch_schemas, wanted_schemas
from cardwright.errors import (
    BadArgument,
    CardError,
    ContractBroken,
    MalformedDocument,
    PeerUnreachable,
    UnknownSkill,
)
from tests.properties.strategies import JSON

if TYPE_CHECKING:
    from collections.abc import Mapping

HOST = "https://schemas.example"
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


@pytest.fixture(autouse=True)
def no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test open a connection."""

    def refused(*_: object, **__: object) -> None:
        msg = "a socket was opened"
        raise AssertionError(msg)

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "create_connection", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)


def mcp(schema: Any, side: str = "input") -> Card:
    skill = {"id": "add", "name": "add", f"{side}Schema": schema}
    return Card.from_document({"name": "A", "protocol": "mcp", "capabilities": {}, "skills": [skill]})


def beach(schema: Any) -> Card:
    capability = {"id": "add", "description": "Adds.", "inputSchema": schema}
    return Card.from_document({"schemaVersion": "1.0", "capabilities": [capability], "transports": []})


def a2a(schema: Any) -> Card:
    extension = {"uri": SCHEMAS_URI, "params": {"skills": {"add": {"inputSchema": schema}}}}
    document = {
        "supportedInterfaces": [],
        "skills": [{"id": "add"}],
        "capabilities": {"extensions": [extension]},
    }
    return Card.from_document(document)


def superx(schema: Any) -> Card:
    skill = {"id": "add", "name": "add", "inputSchema": schema}
    return Card.from_document({"protocol": "a2a", "protocolVersion": "0.3.0", "url": HOST, "skills": [skill]})


def rules(card: Card, data: Any, schemas: Schemas | None = None, base: str = "") -> list[str]:
    found = input_violations(card, "add", data, schemas=schemas, base=base)
    assert found is not None
    return [one.rule for one in found]


def served(documents: Mapping[str, Any]) -> tuple[Any, list[str]]:
    """Return a function that fetches some documents, and the list of the URLs it was called with."""
    requests: list[str] = []

    async def fetch(url: str) -> bytes:
        requests.append(url)
        if url not in documents:
            raise PeerUnreachable(url, "no connection was opened")
        body: bytes = (
            documents[url] if isinstance(documents[url], bytes) else json.dumps(documents[url]).encode()
        )
        return body

    return fetch, requests


def fetched(card: Card, documents: Mapping[str, Any], **more: Any) -> Schemas:
    return asyncio.run(fetch_schemas(card, served(documents)[0], **more))


@pytest.mark.parametrize("made", [mcp, beach, a2a, superx], ids=["mcp", "beach", "a2a", "superx"])
def test_the_schema_of_each_dialect_is_found(made: Any) -> None:
    found = input_violations(made(NUMBER), "add", {"n": "1"})
    assert found is not None
    (one,) = found
    assert (one.rule, one.severity, one.pointer) == ("contract/type", "error", "/n")
    assert one.spec.startswith("the card's /")
    assert one.spec.endswith("/inputSchema")
    assert check_input(made(NUMBER), "add", {"n": 1}) is True


def test_all_violations_of_a_contract_are_raised_together() -> None:
    schema = {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    with pytest.raises(
        ContractBroken,
        match=r"the input of \"add\" violates the card's schema: /a: expected a string, found the number 1",
    ) as caught:
        check_input(mcp(schema), "add", {"a": 1, "b": 2})
    assert [one.pointer for one in caught.value.violations] == ["/a", "/b"]
    assert (caught.value.skill, caught.value.side) == ("add", "input")


def test_output_is_validated_with_the_output_schema() -> None:
    card = mcp(NUMBER, "output")
    with pytest.raises(ContractBroken, match="the output"):
        check_output(card, "add", {})
    assert output_violations(card, "add", {"n": 1}) == ()


def test_without_a_schema_there_is_no_validation() -> None:
    assert output_violations(mcp(NUMBER), "add", {}) is None
    assert check_output(mcp(NUMBER), "add", {}) is False
    assert input_violations(mcp(None), "add", {}) is None


def test_an_unknown_skill_names_those_that_are_known() -> None:
    with pytest.raises(UnknownSkill, match='the card has no skill "sub"; it has "add"') as caught:
        check_input(mcp(NUMBER), "sub", {})
    assert caught.value.known == ("add",)


def test_data_that_is_not_json_is_refused() -> None:
    with pytest.raises(MalformedDocument):
        check_input(mcp(NUMBER), "add", {"n": float("nan")})


def test_validation_changes_neither_card_nor_data() -> None:
    card, data = mcp(NUMBER), {"n": "1"}
    before = card.digest
    input_violations(card, "add", data)
    assert (card.digest, data) == (before, {"n": "1"})


def test_an_older_draft_is_honoured() -> None:
    schema = {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": True}
    assert rules(mcp(schema), 1) == ["contract/exclusiveMinimum"]
    assert rules(mcp({**schema, "$schema": "http://json-schema.org/draft-07/schema#"}), 1) == [
        "contract/schema"
    ]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "strin"}, [1], 5, "x", {"$schema": "https://example.com/mine"}, {"$schema": 7}, {"multipleOf": 0},
    ],
    ids=str,
)  # fmt: skip
def test_an_invalid_schema_is_reported(schema: Any) -> None:
    assert rules(mcp(schema), 1) == ["contract/schema"]


def test_an_unfetched_reference_is_reported_and_not_followed() -> None:
    card = beach({"$ref": f"{HOST}/in.json"})
    found = input_violations(card, "add", {})
    assert found is not None
    assert [one.rule for one in found] == ["contract/reference"]
    assert f'"{HOST}/in.json": it was not fetched' in found[0].message


def test_validating_opens_no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        msg = "a socket was made"
        raise AssertionError(msg)

    monkeypatch.setattr(socket, "socket", refused)
    for reference in (
        f"{HOST}/in.json",
        "http://127.0.0.1:1/x",
        "https://json-schema.org/draft/2019-09/schema",
    ):
        input_violations(beach({"$ref": reference, "$schema": "http://127.0.0.1:1/s"}), "add", {})
        input_violations(beach({"items": {"$dynamicRef": reference}}), "add", {})


def test_a_reference_that_was_fetched_is_followed() -> None:
    card = beach({"$ref": f"{HOST}/in.json"})
    schemas = fetched(card, {f"{HOST}/in.json": NUMBER})
    assert rules(card, {}, schemas) == ["contract/required"]
    assert rules(card, {"n": 1}, schemas) == []


def test_a_chain_of_references_is_fetched_to_its_end() -> None:
    documents = {f"{HOST}/{number}": {"$ref": f"{number + 1}"} for number in range(5)}
    documents[f"{HOST}/5"] = {"type": "string"}
    card = beach({"properties": {"a": {"$ref": f"{HOST}/0#"}}})
    fetch, fetched_urls = served(documents)
    schemas = asyncio.run(fetch_schemas(card, fetch))
    assert fetched_urls == [f"{HOST}/{number}" for number in range(6)]
    assert rules(card, {"a": 1}, schemas) == ["contract/type"]
    assert wanted_schemas(card, schemas=schemas) == ()


def test_a_chain_of_references_past_the_limit_is_left() -> None:
    documents = {f"{HOST}/{number}": {"$ref": f"{number + 1}"} for number in range(50)}
    card = beach({"$ref": f"{HOST}/0"})
    schemas = fetched(card, documents, rounds=3)
    assert schemas.failures == {f"{HOST}/3": "not fetched: the chain of references has more than 3 steps"}
    assert rules(card, 1, schemas) == ["contract/reference"]


def test_a_relative_reference_is_relative_to_where_the_card_came_from() -> None:
    card = beach({"$ref": "../in.json#/$defs/n"})
    base = f"{HOST}/.well-known/agent-card.json"
    assert wanted_schemas(card) == ()
    assert rules(card, 1) == ["contract/reference"]
    assert wanted_schemas(card, base=base) == (f"{HOST}/in.json",)
    schemas = fetched(card, {f"{HOST}/in.json": {"$defs": {"n": {"type": "string"}}}}, base=base)
    assert rules(card, 1, schemas, base) == ["contract/type"]


def test_references_are_relative_to_the_id_of_their_schema() -> None:
    card = beach({"$id": f"{HOST}/a/in.json", "items": {"$ref": "b.json"}})
    assert wanted_schemas(card) == (f"{HOST}/a/b.json",)


def test_a_cycle_of_references_through_properties_is_followed() -> None:
    documents = {
        f"{HOST}/a": {"type": "object", "properties": {"b": {"$ref": "b"}}},
        f"{HOST}/b": {"type": "object", "properties": {"a": {"$ref": "a"}}},
    }
    card = beach({"$ref": f"{HOST}/a"})
    schemas = fetched(card, documents)
    assert rules(card, {"b": {"a": {"b": 1}}}, schemas) == ["contract/type"]


def test_a_cycle_of_references_without_a_value_is_reported() -> None:
    card = beach({"$ref": f"{HOST}/a"})
    schemas = fetched(card, {f"{HOST}/a": {"$ref": "b"}, f"{HOST}/b": {"allOf": [{"$ref": "a"}]}})
    assert rules(card, 1, schemas) == ["contract/endless"]


def test_an_unavailable_schema_is_reported_and_requested_again() -> None:
    card = beach({"$ref": f"{HOST}/in.json"})
    schemas = fetched(card, {})
    found = input_violations(card, "add", {}, schemas=schemas)
    assert found is not None
    assert "fetching it failed" in found[0].message
    assert fetched(card, {f"{HOST}/in.json": NUMBER}, known=schemas).failures == {}


@pytest.mark.parametrize(
    "body", [b"<html>", b'"text"', b"[" * 500, b'{"a": 1, "a": 2}', b'"' + b"x" * 300_000 + b'"']
)
def test_a_response_that_is_no_schema_is_refused(body: bytes) -> None:
    card = beach({"$ref": f"{HOST}/in.json"})
    schemas = fetched(card, {f"{HOST}/in.json": body})
    assert set(schemas.failures) == {f"{HOST}/in.json"}
    assert schemas.documents == {}


def test_the_number_of_fetched_schemas_is_limited() -> None:
    card = beach({"allOf": [{"$ref": f"{HOST}/{number}"} for number in range(10)]})
    fetch, fetched_urls = served({f"{HOST}/{number}": True for number in range(10)})
    schemas = asyncio.run(fetch_schemas(card, fetch, known=Schemas(limits=SchemaLimits(max_count=3))))
    assert len(fetched_urls) == len(schemas.documents) == 3
    assert len(schemas.failures) == 7


def test_the_total_size_of_schemas_is_limited() -> None:
    schemas = Schemas(limits=SchemaLimits(max_total_bytes=20)).with_schema(f"{HOST}/a", {"type": "string"})
    with pytest.raises(MalformedDocument, match="together is 20 bytes"):
        schemas.with_schema(f"{HOST}/b", {"type": "string"})
    with pytest.raises(BadArgument):
        SchemaLimits(max_count=0)


def test_a_replaced_schema_is_used_for_the_next_validation() -> None:
    card = beach({"$ref": f"{HOST}/in.json"})
    first = Schemas().with_schema(f"{HOST}/in.json", {"type": "string"})
    assert rules(card, 1, first) == ["contract/type"]
    assert rules(card, 1, first.with_schema(f"{HOST}/in.json", {})) == []
    assert rules(card, 1, first) == ["contract/type"]


def test_an_unexpected_error_ends_the_fetching() -> None:
    async def fetch(url: str) -> bytes:
        raise OSError(url)

    with pytest.raises(ExceptionGroup) as caught:
        asyncio.run(fetch_schemas(beach({"$ref": HOST}), fetch))
    assert isinstance(caught.value.exceptions[0], OSError)


@pytest.mark.parametrize(
    "reference", ["file:///etc/passwd", "urn:x:y", "#/$defs/none", "#none", "https://[", "data:,x", "in.json"]
)
def test_a_denied_or_missing_reference_is_reported(reference: str) -> None:
    card = mcp({"properties": {"a": {"$ref": reference}}})
    assert [url for url in wanted_schemas(card) if not url.startswith("https://")] == []
    assert rules(card, {"a": 1})[0] == "contract/reference"


def test_a_reference_inside_schema_data_is_not_followed() -> None:
    schema = {
        "const": {"$ref": f"{HOST}/a"},
        "examples": [{"$ref": f"{HOST}/b"}],
        "properties": {"$ref": {"type": "string"}},
    }
    assert wanted_schemas(mcp(schema)) == ()


def test_the_meta_schemas_are_bundled() -> None:
    card = mcp({"$ref": "https://json-schema.org/draft/2020-12/schema"})
    assert wanted_schemas(card) == ()
    assert rules(card, {"type": 1}) == ["contract/anyOf"]


# Patterns that take a backtracking engine exponential or high polynomial time, from advisories and papers.
REDOS = [
    r"^(a+)+$", r"^(a*)*$", r"^(a|a)*$", r"^(a|aa)+$", r"^(a|a?)+$", r"(.*a){25}$", r"^([a-zA-Z]+)*$",
    r"^(([a-z])+.)+[A-Z]([a-z])+$", r"^([0-9]+)*x$", r"^(\w+\s?)*$", r"^(\d+)+\.$", r"^\s+|\s+$", r"^(?:a?){30}a{30}$",
    r"^(a+){2,}b$", r"^((a+)+)+$", r"^[\w.+-]+@([\w-]+\.)+[\w-]{2,}$", r"^(([^,\s]+)\s*,?)*$", r"^.*\d+\d+\d+\d+x$",
    r"^(x+x+)+y$", r"^([\s\S]*)*z$",
]  # fmt: skip


@pytest.mark.parametrize("pattern", REDOS, ids=[str(number) for number in range(len(REDOS))])
@pytest.mark.parametrize(
    "text", ["a" * 5_000 + "!", "0" * 5_000 + "!", " " * 5_000 + "!", "x" * 5_000], ids="a0 x"
)
def test_no_pattern_stalls(pattern: str, text: str) -> None:
    assert len(rules(mcp({"pattern": pattern}), text)) <= 1


@pytest.mark.parametrize(
    "pattern", [r"(?=a)b", r"(?<!a)b", r"(a)\1", r"((a{1000}){1000}){10}", "(", r"\d{1,1000000000}"]
)
@pytest.mark.parametrize("place", ["pattern", "patternProperties"])
def test_an_unsafe_pattern_is_reported(pattern: str, place: str) -> None:
    schema = {place: pattern if place == "pattern" else {pattern: True}}
    assert rules(mcp(schema), "a") == ["contract/pattern-unusable"]


# The engine needs up to 0.2 ns for each byte of the compiled pattern and each character.
DEAR = "^(?:(?:a?b?){1000})*[cd]"


# How a pattern is reached, and the value that a text makes of it.
MATCHING: dict[str, tuple[Any, Any]] = {
    "pattern": ({"not": {"pattern": DEAR}}, lambda text: text),
    "patternProperties": ({"patternProperties": {DEAR: False}}, lambda text: {text: 1}),
    "propertyNames": ({"propertyNames": {"not": {"pattern": DEAR}}}, lambda text: {text: 1}),
    "items": (
        {"items": {"not": {"pattern": DEAR}}},
        lambda text: [text[at : at + 20] for at in range(0, len(text), 20)],
    ),
    "prefixItems": ({"prefixItems": [{"not": {"pattern": DEAR}}]}, lambda text: [text]),
}


@pytest.mark.parametrize("place", MATCHING)
def test_matching_a_pattern_has_a_time_limit(place: str) -> None:
    schema, value = MATCHING[place]
    assert rules(mcp(schema), value("ab" * 10)) == []
    assert rules(mcp(schema), value("ab" * 500_000)) == ["contract/too-costly"]


def test_an_ordinary_pattern_is_matched_with_a_long_text() -> None:
    assert rules(mcp({"pattern": "^[a-z]+$"}), "a" * 500_000) == []
    assert rules(mcp({"pattern": r"\S"}), " " * 60_000) == ["contract/pattern"]


@pytest.mark.parametrize(
    "patterns",
    [
        [f"a{number}" for number in range(201)],
        [f"{number}{'a' * 100}" for number in range(40)],
        [rf"\p{{L}}{{20}}{number}" for number in range(10)],
    ],
    ids=["number", "characters", "size"],
)
@pytest.mark.parametrize("place", ["pattern", "patternProperties", "unused"])
def test_the_cache_of_compiled_patterns_is_limited(patterns: list[str], place: str) -> None:
    schemas: list[Any] = [{"pattern": pattern} for pattern in patterns]
    places: dict[str, Any] = {
        "pattern": {"allOf": schemas},
        "patternProperties": {"patternProperties": dict.fromkeys(patterns, True)},
        "unused": {"$defs": {str(number): one for number, one in enumerate(schemas)}},
    }
    assert rules(mcp(places[place]), "a") == ["contract/too-costly"]


def doubling(levels: int, keyword: str = "allOf") -> dict[str, Any]:
    """Return a schema that validates a value 2^levels times."""
    twice = [[{"$ref": f"#/$defs/{level + 1}"}] * 2 for level in range(levels)]
    steps = {str(level): {keyword: both} for level, both in enumerate(twice)}
    return {"$ref": "#/$defs/0", "$defs": {**steps, str(levels): {"type": "string"}}}


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
@pytest.mark.parametrize("levels", [20, 40, 60])
def test_an_exponential_schema_is_refused_without_validation(levels: int, keyword: str) -> None:
    for data in ("a", 1):
        assert rules(mcp(doubling(levels, keyword)), data) == ["contract/too-costly"]


def test_a_smaller_exponential_schema_is_validated_and_its_violations_cut() -> None:
    assert rules(mcp(doubling(15)), "a") == []
    assert rules(mcp(doubling(15)), 1) == ["contract/broken"]
    assert set(rules(mcp(doubling(5)), 1)) == {"contract/type"}


def test_a_schema_exponential_in_the_depth_of_data_is_refused() -> None:
    schema = {"type": "object", "properties": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}}
    data: dict[str, Any] = {}
    for _ in range(60):
        data = {"a": data}
    assert rules(mcp(schema), data) == ["contract/too-costly"]
    assert rules(mcp(schema), {"a": {"a": {}}}) == []


def test_a_schema_exponential_over_documents_is_refused() -> None:
    documents: dict[str, Any] = {
        f"{HOST}/{n}": {"allOf": [{"$ref": f"{n + 1}"}, {"$ref": f"{n + 1}"}]} for n in range(40)
    }
    documents[f"{HOST}/40"] = {"type": "string"}
    schemas = Schemas()
    for url, schema in documents.items():
        schemas = schemas.with_schema(url, schema)
    assert rules(beach({"$ref": f"{HOST}/0"}), "a", schemas) == ["contract/too-costly"]


def test_a_schema_that_validates_a_value_too_often_is_refused() -> None:
    schema: dict[str, Any] = {"properties": {"a": True}}
    for _ in range(25):
        schema = {"allOf": [schema], "unevaluatedProperties": False}
    assert rules(mcp(schema), {"a": 1}) == ["contract/too-costly"]


def test_a_recursive_schema_of_a_tree_is_validated() -> None:
    tree = {"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}}

    def grown(levels: int) -> dict[str, Any]:
        return {"left": grown(levels - 1), "right": grown(levels - 1)} if levels else {}

    data = grown(8)
    assert rules(mcp(tree), data) == []
    data["left"]["right"] = 1
    assert rules(mcp(tree), data) == ["contract/type"]


def test_of_many_violations_one_is_reported() -> None:
    found = rules(mcp({"items": {"type": "string"}}), [1] * 30_000)
    assert sorted(found) == ["contract/more", "contract/type"]


@pytest.mark.parametrize("keyword", ["allOf", "anyOf"])
def test_a_large_value_is_not_copied_into_each_of_many_errors(keyword: str) -> None:
    schema = {keyword: [{"required": [f"r{number}"]} for number in range(20)]}
    assert rules(mcp(schema), {"a": ["b" * 2_000_000]}) == ["contract/broken"]
    assert "contract/broken" not in rules(mcp(schema), {"a": ["b" * 2_000]})


def noted(made: list[int], number: int) -> int:
    made.append(number)
    return number


def test_compiled_schemas_are_cached_and_the_oldest_evicted() -> None:
    schemas, made = Schemas(), list[int]()
    for number in (*range(MAX_CACHED), *range(MAX_CACHED), MAX_CACHED, 1, 0):
        assert schemas.cached(number, partial(noted, made, number)) == number
    assert made == [*range(MAX_CACHED), MAX_CACHED, 0]


SCHEMA = st.recursive(
    st.sampled_from(
        [True, {"type": "string"}, {"type": ["integer", "null"]}, {"$ref": "#"}, {"$ref": "#/$defs/d"}]
    ),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "not": inner,
            "items": inner,
            "properties": st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
            "additionalProperties": inner,
            "required": st.lists(st.sampled_from("ab"), unique=True),
            "$defs": st.fixed_dictionaries({"d": inner}),
        },
    ),
    max_leaves=6,
)


@given(schema=SCHEMA, data=JSON | st.dictionaries(st.sampled_from("ab"), JSON, max_size=2))
def test_a_second_engine_gives_the_same_validity(schema: Any, data: Any) -> None:
    found = input_violations(mcp(schema), "add", data)
    assert found is not None
    unjudged = ("contract/reference", "contract/endless", "contract/too-costly")
    if not any(one.rule in unjudged for one in found):
        assert Draft202012Validator(schema).is_valid(data) == (not found)


@given(
    schema=JSON
    | st.dictionaries(st.sampled_from(["$ref", "$id", "allOf", "items", "properties", "$anchor"]), JSON),
    data=JSON,
)
def test_no_schema_raises_anything_else(schema: Any, data: Any) -> None:
    card = mcp(schema)
    wanted_schemas(card, base="https://a.example/card.json")
    try:
        found = input_violations(card, "add", data)
    except CardError:
        return
    if found == ():
        try:
            Draft202012Validator.check_schema(schema)
        except SchemaError:
            pytest.fail("an invalid schema accepted a value")
