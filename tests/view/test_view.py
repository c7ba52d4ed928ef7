"""The view of a card: one reading for every dialect, with defaults, of any shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright import Card, CardView, Provider, RequiredScheme
from cardwright.view.security import declared_schemes
from cardwright_rules import DIALECTS
from tests.properties.strategies import cards, lifelike, mutants

EXAMPLES = Path(__file__).parents[2] / "examples"
SKILL = {"id": "tides", "name": "Tides", "inputModes": ["text/csv"], "tags": ["sea"], "examples": ["When?"]}


def view(dialect: str, **fields: Any) -> CardView:
    return Card.from_document({"name": "A", **fields}, dialect=dialect).view


def example(dialect: str) -> CardView:
    return Card.from_bytes((EXAMPLES / f"{dialect}.card.json").read_bytes()).view


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_every_example_has_its_name_interfaces_and_skills(dialect: str) -> None:
    document = json.loads((EXAMPLES / f"{dialect}.card.json").read_bytes())

    read = example(dialect)

    assert read.name == document.get("displayName", document["name"])
    assert (read.description, read.version) == (document["description"], document["version"] or "")
    assert read.interfaces
    assert [skill.id for skill in read.skills]
    assert all(skill.name or skill.id for skill in read.skills)


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_an_absent_flag_is_false(dialect: str) -> None:
    read = view(dialect)

    flags = (read.streaming, read.push_notifications, read.state_transition_history, read.extended_card)
    assert flags == (False, False, False, False)


@pytest.mark.parametrize("value", ["true", 1, {}, None])
def test_a_flag_that_is_not_true_is_false(value: Any) -> None:
    assert view("a2a-1.0", capabilities={"streaming": value}).streaming is False


def test_flags_are_read_in_the_fields_of_every_version() -> None:
    read = view("a2a-0.3", capabilities={"streaming": True, "stateTransitionHistory": True})
    assert (read.streaming, read.state_transition_history, read.push_notifications) == (True, True, False)
    assert view("a2a-0.3", supportsAuthenticatedExtendedCard=True).extended_card
    assert view("a2a-1.0", capabilities={"extendedAgentCard": True}).extended_card


def test_a_skill_has_its_own_modes_or_those_of_the_card() -> None:
    read = view(
        "a2a-1.0", defaultInputModes=["text/plain"], defaultOutputModes=["image/png"], skills=[SKILL, {}]
    )

    own, inherited = read.skills
    assert (own.input_modes, own.output_modes) == (("text/csv",), ("image/png",))
    assert (inherited.input_modes, inherited.output_modes) == (("text/plain",), ("image/png",))
    assert (own.tags, own.examples) == (("sea",), ("When?",))


def test_only_a2a_0_1_has_default_modes() -> None:
    assert view("a2a-0.1").input_modes == ("text/plain",)
    assert view("a2a-0.1", skills=[{"id": "a"}]).skills[0].output_modes == ("text/plain",)
    assert {view(name).input_modes for name in DIALECTS if name != "a2a-0.1"} == {()}


SCHEMES_0X = {"k": {"type": "apiKey", "in": "header", "name": "X"}, "o": {"type": "oauth2", "flows": {}}}
SCHEMES_10 = {"k": {"apiKeySecurityScheme": {"location": "header"}}, "o": {"oauth2SecurityScheme": {}}}
CARD_SECURITY = ((RequiredScheme("k", "apiKey"), RequiredScheme("o", "oauth2", ("read",))),)


def test_security_is_read_alike_in_0_3_and_1_0_and_resolved_for_each_skill() -> None:
    older = view(
        "a2a-0.3",
        securitySchemes=SCHEMES_0X,
        security=[{"k": [], "o": ["read"]}],
        skills=[{"id": "a", "security": [{"x": []}, {}]}, {"id": "b"}],
    )
    newer = view(
        "a2a-1.0",
        securitySchemes=SCHEMES_10,
        securityRequirements=[{"schemes": {"k": {"list": []}, "o": {"list": ["read"]}}}],
        skills=[{"id": "a", "securityRequirements": [{"schemes": {"x": {}}}, {"schemes": {}}]}, {"id": "b"}],
    )

    for read in (older, newer):
        assert read.security == CARD_SECURITY
        assert read.skills[0].security == ((RequiredScheme("x"),), ())
        assert read.skills[1].security == CARD_SECURITY


def test_security_of_a2a_0_1_has_an_alternative_for_each_scheme() -> None:
    read = view("a2a-0.1", authentication={"schemes": ["Bearer", 5, "Basic"]})

    assert read.security == ((RequiredScheme("Bearer", "http"),), (RequiredScheme("Basic", "http"),))


@pytest.mark.parametrize("scopes", ['{"read": "Reads."}', '["read", 5]', '"read"', "5"])
def test_the_details_of_schemes_of_a2a_0_1_are_in_its_credentials(scopes: str) -> None:
    """The example of A2A 0.1 §5.5.3: the header of a key, the URLs and scopes of OAuth."""
    credentials = (
        f'{{"in": "header", "name": "X-Key", "tokenUrl": "https://a.example/t", "scopes": {scopes}}}'
    )
    authentication = {"schemes": ["ApiKey", "OAuth2"], "credentials": credentials}
    read = view("a2a-0.1", authentication=authentication)
    named = () if scopes == "5" else ("read",)
    assert read.security == (
        (RequiredScheme("ApiKey", "apiKey"),),
        (RequiredScheme("OAuth2", "oauth2", named),),
    )
    assert declared_schemes({"authentication": authentication})["ApiKey"] == {
        "apiKeySecurityScheme": {"location": "header", "name": "X-Key"}
    }


def test_the_scheme_none_of_0_1_admits_every_caller() -> None:
    assert view("a2a-0.1", authentication={"schemes": ["None"]}).security == ((),)


@pytest.mark.parametrize("requirement", [None, 5, "k", {"schemes": None}, {"schemes": ["k"]}])
def test_an_unreadable_requirement_does_not_make_an_agent_public(requirement: Any) -> None:
    assert view("a2a-1.0", securityRequirements=[requirement]).security == ()


def test_a_requirement_of_0_x_in_the_field_of_1_0_still_requires_its_scheme() -> None:
    read = view("a2a-1.0", securitySchemes=SCHEMES_10, securityRequirements=[{"k": []}])

    assert read.security == ((RequiredScheme("k", "apiKey"),),)


def test_a_beach_card_has_an_alternative_for_each_kind_of_authentication() -> None:
    oauth = {"protocol": "mcp", "endpoint": "https://a.example", "auth": {"type": "oauth2", "scope": "read"}}
    anyone = {"protocol": "smtp", "endpoint": "mailto:a@b.example", "auth": {"type": "none"}}
    capability = {"id": "a", "requiredScopes": ["write"]}

    read = view("beach-1.0", transports=[oauth, anyone, oauth], capabilities=[capability, {"id": "b"}])

    assert read.security == ((RequiredScheme("oauth2", "oauth2", ("read",)),), ())
    assert read.skills[0].security[0] == (RequiredScheme("oauth2", "oauth2", ("read", "write")),)
    assert read.skills[1].security == read.security


def test_the_interfaces_of_a_hybrid_are_those_of_both_halves() -> None:
    assert [one.version for one in example("a2a-hybrid").interfaces] == ["1.0", "0.3"]


def test_a_provider_is_read_in_every_form() -> None:
    assert view("a2a-1.0", provider={"organization": "P", "url": "u"}).provider == Provider("P", "u")
    assert view("beach-1.0", provider={"name": "P"}).provider == Provider("P")
    assert view("a2a-0.3", provider="P").provider == Provider("P")
    assert view("a2a-0.3", provider={"organization": 5}).provider is None


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@pytest.mark.parametrize("document", [[], "A", 3, None])
def test_a_value_that_is_not_an_object_has_an_empty_view(dialect: str, document: Any) -> None:
    read = Card.from_document(document, dialect=dialect).view

    assert (read.name, read.interfaces, read.skills) == ("", (), ())


def test_a_view_is_a_frozen_value() -> None:
    read = example("a2a-1.0")

    assert read == example("a2a-1.0")
    assert hash(read)
    with pytest.raises(AttributeError):
        read.name = "B"  # type: ignore[misc]


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@given(data=st.data())
def test_any_card_has_a_view(dialect: str, data: st.DataObject) -> None:
    whole = cards(dialect) if DIALECTS[dialect].schema_id else lifelike(dialect)
    card = Card.from_document(data.draw(whole | mutants(dialect)), dialect=dialect)

    read = card.view

    assert hash(read)
    skills = card.document.get("capabilities" if card.dialect.family == "beach" else "skills")
    assert len(read.skills) <= (len(skills) if isinstance(skills, list) else 0)
    assert isinstance(read.streaming, bool)
