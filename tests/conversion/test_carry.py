"""Fields that a conversion would lose are carried in an extension and restored, unless edited in between."""

from __future__ import annotations

import copy
import json
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.card import Card
from cardwright.conversion import CONVERTIBLE, convert, delta
from cardwright.conversion.carried import URI
from tests.conversion.test_known_errors import COMMON, NEWER, OLDER

if TYPE_CHECKING:
    from collections.abc import Callable

Json = Any

EXAMPLES = Path(__file__).parents[2] / "examples"
SKILLS: Json = [
    {"id": name, "name": name.title(), "description": "Tells.", "tags": ["sea"], "security": [{"key": []}]}
    for name in ("tides", "moons", "winds")
]
DOCUMENT: Json = {
    **OLDER,
    "protocolVersion": "0.3.1",
    "capabilities": {"streaming": True, "stateTransitionHistory": True},
    "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
    "skills": SKILLS,
    "signatures": [{"protected": "e30", "signature": "AA"}],
}


def carried(document: Json, dialect: str, to: str) -> Json:
    card, _ = convert(Card.from_document(document, dialect=dialect), to=to, carry=True)
    return copy.deepcopy(card.document)


def back(document: Json, dialect: str, to: str) -> Json:
    return convert(Card.from_document(document, dialect=dialect), to=to)[0].document


@pytest.mark.parametrize("target", CONVERTIBLE)
def test_a_round_trip_restores_the_original(target: str) -> None:
    oldest = json.loads((EXAMPLES / "a2a-0.1.card.json").read_bytes())
    for document, dialect in ((DOCUMENT, "a2a-0.3"), (oldest, "a2a-0.1")):
        if target != dialect:
            assert back(carried(document, dialect, target), target, dialect) == document


def test_the_carry_extension_is_declared_as_optional() -> None:
    newer = carried(DOCUMENT, "a2a-0.3", "a2a-1.0")["capabilities"]["extensions"][-1]
    assert (newer["uri"], newer["required"], newer["params"]["from"]) == (URI, False, "a2a-0.3")
    assert carried(DOCUMENT, "a2a-0.3", "a2a-0.1")["capabilities"]["extensions"][-1]["uri"] == URI
    assert carried(DOCUMENT, "a2a-0.3", "beach-1.0")["extensions"][URI]["params"]["from"] == "a2a-0.3"
    assert carried(DOCUMENT, "a2a-0.3", "mcp-2024-11-05")["extensions"][-1]["uri"] == URI


def test_a_card_that_carries_is_valid_in_every_dialect() -> None:
    document = {name: value for name, value in DOCUMENT.items() if name != "signatures"}
    for target in CONVERTIBLE:
        if target != "a2a-0.3":
            card = Card.from_document(carried(document, "a2a-0.3", target), dialect=target)
            assert card.valid, (target, card.violations)


def test_the_carry_extension_has_only_the_lost_fields() -> None:
    params = carried(DOCUMENT, "a2a-0.3", "a2a-1.0")["capabilities"]["extensions"][-1]["params"]

    assert params["members"] == {
        "protocolVersion": "0.3.1",
        "/capabilities": {"stateTransitionHistory": True},
        "signatures": DOCUMENT["signatures"],
    }


def test_without_a_loss_there_is_no_carry_extension() -> None:
    card, report = convert(Card.from_document({**OLDER, "protocolVersion": "0.3.0"}), carry=True)

    assert "extensions" not in card.document["capabilities"]
    assert not report.carried
    assert report.lossless


def edit_name(document: Json) -> None:
    document["name"] = "Moon Table"


def edit_url(document: Json) -> None:
    document["supportedInterfaces"][0]["url"] = "https://moved.example.com"


def test_edits_between_the_conversions_win_and_the_rest_is_restored() -> None:
    document = carried(DOCUMENT, "a2a-0.3", "a2a-1.0")
    edit_name(document)
    edit_url(document)
    result = back(document, "a2a-1.0", "a2a-0.3")

    assert result["name"] == "Moon Table"
    assert result["url"] == "https://moved.example.com"
    assert result["capabilities"] == DOCUMENT["capabilities"]
    assert result["signatures"] == DOCUMENT["signatures"]
    assert result["protocolVersion"] == "0.3.1"


def test_a_field_removed_by_an_edit_is_not_restored() -> None:
    source = {
        **NEWER,
        "securitySchemes": {"login": {"httpAuthSecurityScheme": {"scheme": "bearer", "bearerFormat": "JWT"}}},
        "securityRequirements": [{"schemes": {"login": {"list": []}}}],
        "iconUrl": "https://tides.example.com/icon.png",
    }
    document = carried(source, "a2a-1.0", "a2a-0.1")
    assert document["authentication"] == {"schemes": ["bearer"], "credentials": '{"bearerFormat": "JWT"}'}
    document["authentication"]["schemes"] = ["basic"]
    card, report = convert(Card.from_document(document, dialect="a2a-0.1"))

    schemes = card.document["securitySchemes"]
    assert schemes == {"basic": {"httpAuthSecurityScheme": {"scheme": "basic"}}}
    assert card.document["securityRequirements"] == [{"schemes": {"basic": {"list": []}}}]
    assert card.document["iconUrl"] == source["iconUrl"]
    assert [loss.pointer for loss in report.losses if "edited" in loss.why] == ["/capabilities/extensions/0"]


def lose_first(skills: list[Json]) -> list[Json]:
    return skills[1:]


def turn_round(skills: list[Json]) -> list[Json]:
    return skills[::-1]


def add_one(skills: list[Json]) -> list[Json]:
    return [{"id": "new", "name": "New", "description": "New.", "tags": ["new"]}, *skills]


@pytest.mark.parametrize("change", [lose_first, turn_round, add_one])
def test_carried_fields_follow_their_skill_when_skills_change(
    change: Callable[[list[Json]], list[Json]],
) -> None:
    source = {**NEWER, "skills": [{**one, "examples": [one["id"]], "security": None} for one in SKILLS]}
    for skill in source["skills"]:
        del skill["security"]
    document = carried(source, "a2a-1.0", "beach-1.0")
    document["capabilities"] = [
        {"id": "new", "description": "New.", "requiredScopes": []} if one["id"] == "new" else one
        for one in change(document["capabilities"])
    ]
    result = back(document, "beach-1.0", "a2a-1.0")

    tags = {skill["id"]: (skill["tags"], skill["name"]) for skill in result["skills"]}
    for skill in source["skills"]:
        if skill["id"] in tags:
            assert tags[skill["id"]] == (["sea"], skill["name"])
    assert [skill["id"] for skill in result["skills"]] == [one["id"] for one in change(source["skills"])]


def test_assumed_values_are_removed_on_the_way_back_unless_edited() -> None:
    oldest = {"name": "Tides", "url": "https://t.example.com", "version": "1.0.0", "capabilities": {}}
    source = {**oldest, "skills": [{"id": name, "name": name} for name in "abc"]}
    document = carried(source, "a2a-0.1", "a2a-1.0")
    assert [skill["tags"] for skill in document["skills"]] == [["general"]] * 3
    document["skills"][1]["tags"] = ["harbour"]
    result = back(document, "a2a-1.0", "a2a-0.1")

    assert result["skills"] == [
        {"id": "a", "name": "a"},
        {"id": "b", "name": "b", "tags": ["harbour"]},
        {"id": "c", "name": "c"},
    ]


def test_a_round_trip_through_several_dialects_restores_the_card() -> None:
    path = ["a2a-0.3", "a2a-1.0", "beach-1.0", "mcp-2024-11-05", "a2a-hybrid"]
    document = DOCUMENT
    for source, target in pairwise(path):
        document = carried(document, source, target)
    for source, target in pairwise(path[::-1]):
        document = back(document, source, target)

    assert document == DOCUMENT


PARAMS: list[Json] = [
    {"from": "a2a-0.3", "members": {"/skills": {"/999999.zz": {"a": 1}, "/x": 1, "": 1}}},
    {"from": "a2a-0.3", "members": [1], "absent": {"/skills/*": {"id": "f" * 100}}},
    {"from": "a2a-0.3", "members": {"/name": {"a": 1}}, "absent": {"": {"": "", "*": "1"}, "/": "zz"}},
    {"from": "a2a-0.3", "absent": {"/skills": {"*": "ffffffff"}, "": {"url": "", "name": ""}}},
    {"from": "a2a-0.3", "members": {"url": "https://evil.example.com", "name": "Mallory"}},
    {"from": "a2a-0.3", "members": {str(number): 1 for number in range(3_000)}},
    {"from": "a2a-9.9"},
    {"from": "a2a-0.3", "absent": {"/skills/*": {str(number): "f" * 5_000 for number in range(50)}}},
]


@pytest.mark.parametrize("params", PARAMS, ids=range(len(PARAMS)))
def test_a_forged_carry_extension_changes_no_field_of_the_card(params: Json) -> None:
    entry = {"uri": URI, "required": False, "params": params}
    document = {**NEWER, "capabilities": {"streaming": True, "extensions": [entry]}}
    document["supportedInterfaces"] = [{**NEWER["supportedInterfaces"][0], "protocolVersion": "0.3"}]
    result = back(document, "a2a-1.0", "a2a-0.3")

    assert result["url"] == OLDER["url"]
    assert result["name"] == COMMON["name"]
    assert result["skills"] == COMMON["skills"]
    assert result["capabilities"]["streaming"] is True


def test_a_card_without_extensions_carries_in_a_project_field() -> None:
    source = {**OLDER, "capabilities": ["streaming"], "signatures": []}
    document = carried(source, "a2a-0.3", "a2a-1.0")

    assert document[URI]["params"]["from"] == "a2a-0.3"
    assert back(document, "a2a-1.0", "a2a-0.3") == source


def test_the_carry_extension_of_many_skills_is_small() -> None:
    skills = [{**COMMON["skills"][0], "id": f"skill-{number}", "tags": []} for number in range(500)]
    source = {**OLDER, "skills": skills}
    plain = convert(Card.from_document(source))[0].document
    document = carried(source, "a2a-0.3", "a2a-1.0")

    assert len(json.dumps(document)) - len(json.dumps(plain)) < 1_024
    assert back(document, "a2a-1.0", "a2a-0.3") == source


def test_missing_places_are_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    number, calls = 400, 0
    original = delta.fingerprint

    def counted(item: Json) -> str:
        nonlocal calls
        calls += 1
        return original(item)

    monkeypatch.setattr(delta, "fingerprint", counted)
    skills = [{**COMMON["skills"][0], "id": str(index)} for index in range(number)]
    fields = {"/skills": {f"/{index}.zz": {"a": 1} for index in range(number)}}
    entry = {"uri": URI, "required": False, "params": {"from": "a2a-1.0", "members": fields}}
    document = {**OLDER, "skills": skills, "capabilities": {"extensions": [entry]}}

    assert back(document, "a2a-0.3", "a2a-1.0")["skills"] == skills
    assert calls < 50 * number


SECURED: Json = {
    **NEWER,
    "securitySchemes": {"own": {"apiKeySecurityScheme": {"location": "header", "name": "X-Key"}}},
    "skills": [
        {**COMMON["skills"][0], "securityRequirements": [{"schemes": {"own": {"list": ["read"]}}}]},
        {**COMMON["skills"][0], "id": "moons"},
    ],
    "securityRequirements": [{"schemes": {"own": {"list": []}}}],
}


def test_a_moved_security_requirement_keeps_only_its_own_scheme() -> None:
    document = carried(SECURED, "a2a-1.0", "beach-1.0")
    document["capabilities"].reverse()
    card, report = convert(Card.from_document(document))

    assert card.document["skills"] == [*reversed(SECURED["skills"])]
    assert card.valid
    assert not report.losses


def test_a_scheme_required_by_a_renamed_skill_stays_declared() -> None:
    document = carried(SECURED, "a2a-1.0", "beach-1.0")
    document["capabilities"][0]["id"] = "currents"
    card, _ = convert(Card.from_document(document))

    (requirement,) = card.document["skills"][0]["securityRequirements"]
    assert requirement["schemes"].keys() <= card.document["securitySchemes"].keys()
    assert card.document["securityRequirements"] == SECURED["securityRequirements"]
    assert card.valid


def test_carried_fields_of_a_renamed_skill_are_reported_as_lost() -> None:
    document = carried(SECURED, "a2a-1.0", "a2a-0.2")
    assert not convert(Card.from_document(document))[1].losses
    document["skills"][0]["id"] = "currents"
    card, report = convert(Card.from_document(document))

    assert "securityRequirements" not in card.document["skills"][0]
    assert [loss.pointer for loss in report.losses] == ["/capabilities/extensions/0"]


@pytest.mark.parametrize("odd", [5, [{}], None, {"own": 1}])
def test_malformed_requirements_of_a_card_with_carried_fields_raise_nothing(odd: Json) -> None:
    document = carried(SECURED, "a2a-1.0", "a2a-0.3")
    document["security"] = [odd, {"schemes": odd}]
    document["skills"] = []

    assert convert(Card.from_document(document))[0].document["skills"] == []


@pytest.mark.parametrize("target", ["a2a-0.1", "a2a-0.2", "a2a-0.3"])
def test_a_card_with_carried_fields_is_restored_when_its_dialect_is_detected(target: str) -> None:
    source = {**NEWER, "iconUrl": "https://tides.example.com/icon.png"}
    document = carried(source, "a2a-1.0", target)

    assert convert(Card.from_document(document))[0].document == source


def test_a_field_named_like_the_index_wildcard_is_restored() -> None:
    source = {**NEWER, "securityRequirements": [{"schemes": {"*": {}, "~2": {}}}], "iconUrl": "x"}

    for target in ("a2a-0.3", "a2a-0.2", "a2a-hybrid"):
        assert back(carried(source, "a2a-1.0", target), target, "a2a-1.0") == source


@pytest.mark.parametrize("order", [("x", "httpAuthSecurityScheme"), ("httpAuthSecurityScheme", "x")])
def test_the_order_of_the_fields_of_a_scheme_means_nothing(order: tuple[str, str]) -> None:
    fields: dict[str, Any] = {"x": 1, "httpAuthSecurityScheme": {"scheme": "Bearer"}}
    document: dict[str, Any] = {
        **NEWER,
        "securitySchemes": {"a": {name: fields[name] for name in order}},
        "securityRequirements": [{"schemes": {"a": {}}}],
    }
    card = Card.from_document(document)

    carrying, report = convert(card, to="beach-1.0", carry=True)
    back, _ = convert(carrying, to="a2a-1.0")

    assert report.lossless
    assert back.document == document


def test_elements_with_colliding_fingerprints_are_kept_apart() -> None:
    requirement: Json = {"openIdConnect": []}
    assert delta.fingerprint(requirement) == delta.fingerprint([])

    changes = delta.delta([requirement], [[]])
    assert delta.applied([requirement], changes) == [[]]
