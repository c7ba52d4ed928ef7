"""Errors of `build_agent_card`: all violations at once, or the argument by its name."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright import Card, CardError
from cardwright.builder import skill
from cardwright.errors import BadArgument, InvalidCard, MalformedDocument
from cardwright.jcs import canonical_bytes
from cardwright_models.a2a_v1_0 import models as a2a
from cardwright_models.beach_v1_0 import models as beach
from tests.builder.functions import (
    BEACH,
    REQUIRED,
    SKILL,
    BerthBooking,
    both,
    build,
    find_berths,
    high_water,
    unresolved,
)

# What a caller may do wrong


def test_all_violations_are_raised_at_once() -> None:
    with pytest.raises(InvalidCard) as raised:
        build(
            **{**REQUIRED, "url": "localhost:8080"},
            skills=[{**SKILL, "tags": []}, SKILL],
            icon_url="",
            security=[{"key": []}],
        )

    errors = {one.pointer: one.rule for one in raised.value.violations if one.severity == "error"}
    assert errors == {
        "/supportedInterfaces/0/url": "url/interface-absolute",
        "/skills/0/tags": "schema/minItems",
        "/skills/1/id": "skills/unique-id",
        "/securityRequirements/0/schemes/key": "security/declared",
    }


def test_a_function_without_a_tag_is_a_violation_that_says_how_to_give_it_one() -> None:
    with pytest.raises(InvalidCard) as raised:
        build(**REQUIRED, skills=[SKILL, high_water, skill(high_water, id="other")])

    hints = [one.message for one in raised.value.violations if one.pointer.endswith("/tags")]
    assert len(hints) == 2
    assert all(hint.endswith(". For high_water, use skill(tags=[…])") for hint in hints)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"name": None}, "name: must be a string, not None"),
        ({"name": 3}, "name: must be a string, not int"),
        ({"version": b"1"}, "version: must be a string, not bytes"),
        ({"skills": "times"}, "skills: must be a list, not str"),
        ({"skills": high_water}, "skills: must be a list, not function"),
        ({"skills": SKILL}, "skills: must be a list, not dict"),
        ({"skills": a2a.StringList()}, "skills: must be a list, not StringList"),
        ({"skills": [None]}, r"skills\[0\]: must be a function or a model AgentSkill or a mapping, not None"),
        ({"skills": [SKILL, BerthBooking]}, r"skills\[1\]: .* not the class BerthBooking"),
        ({"skills": [beach.Capability(id="a", description="A.")]}, r"skills\[0\]: .* not Capability"),
        ({"skills": None}, "skills: an A2A card requires skills. Add skills="),
        ({"url": None}, "url: an A2A card requires a URL. Add url=, or interfaces="),
        ({"interfaces": []}, "url: conflicts with interfaces="),
        ({"url": None, "binding": "GRPC", "interfaces": []}, "binding: conflicts with interfaces="),
        ({"streaming": "yes"}, "streaming: must be True or False, not str"),
        ({"streaming": 1}, "streaming: must be True or False, not int"),
        ({"input_modes": "text/plain"}, "input_modes: must be a list, not str"),
        ({"provider": "Port"}, "provider: must be a model AgentProvider or a mapping, not str"),
        ({"provider": {1: "Port"}}, "a name in provider: must be a string, not int"),
        ({"beach": 3}, "beach: must be a model BeachExtensionParams or a mapping, not int"),
        ({"extensions": {"a": {}}}, "extensions: must be a list, not dict"),
        ({"security": ["key"]}, r"security\[0\]: must be a model SecurityRequirement or a mapping, not str"),
        ({"security": [{"key": "read"}]}, r"security\[0\]\['key'\]: must be a list, not str"),
        ({"security_schemes": ["key"]}, "security_schemes: must be a mapping, not list"),
        ({"security_schemes": {"key": 3}}, r"security_schemes\['key'\]: must be a model SecurityScheme"),
        ({"skills": [{**SKILL, "inputModes": [], "input_modes": []}]}, "has 'input_modes' and 'inputModes'"),
        ({"checks": {}}, "checks: must be a Checks, not dict"),
        ({"id": "harbour"}, "id: is for a Beach card, and skills=, url= for an A2A card"),
        (
            {"capabilities": [], "transports": []},
            "capabilities, transports: is for a Beach card, and skills=",
        ),
    ],
)
def test_an_argument_of_the_wrong_type_is_named(given: Any, says: str) -> None:
    with pytest.raises(BadArgument, match=says) as raised:
        build(**{**REQUIRED, "skills": [SKILL], **given})

    assert isinstance(raised.value, TypeError)
    assert isinstance(raised.value, CardError)


@pytest.mark.parametrize("missing", ["id", "capabilities", "transports"])
def test_missing_fields_of_a_beach_card_are_named(missing: str) -> None:
    given = {name: value for name, value in BEACH.items() if name != missing}

    with pytest.raises(BadArgument, match=f"{missing}: a Beach card requires it. Add {missing}="):
        build(**given)


def test_a_repeated_block_is_refused() -> None:
    with pytest.raises(BadArgument, match="beach: extensions= already has a block"):
        build(**BEACH, extensions={"beach": {}}, beach={})


def test_an_unknown_keyword_argument_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'skils'"):
        build(**{**REQUIRED, "skils": [SKILL]})


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_a_text_that_json_cannot_hold_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(MalformedDocument, match="at /name"):
        build(**{**REQUIRED, "name": text}, skills=[SKILL])


def test_a_card_over_the_size_limit_of_readers_is_refused() -> None:
    with pytest.raises(MalformedDocument, match="more than 262,144 bytes"):
        build(**{**REQUIRED, "description": "x" * 300_000}, skills=[SKILL])


def test_a_cyclic_value_is_refused() -> None:
    ring: dict[str, Any] = {}
    ring["ring"] = ring

    with pytest.raises(MalformedDocument, match="levels of nesting"):
        build(**REQUIRED, skills=[{**SKILL, "x": ring}])


def test_a_value_that_is_no_json_is_refused_with_its_place() -> None:
    with pytest.raises(MalformedDocument, match="at /skills/0/when"):
        build(**REQUIRED, skills=[{**SKILL, "when": object()}])


# Laws

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
URLS = st.sampled_from(
    [
        "https://a.example.com/a2a",
        "http://localhost:9",
        "localhost:8080",
        "/a2a",
        "",
        "https://u:p@a.example.com",
    ]
)
LISTS = st.lists(WORDS, max_size=3)
MODES = st.lists(st.sampled_from(["text/plain", "image/png", "text", ""]), max_size=3)
SCHEMA = st.sampled_from([True, False, {}, {"type": "object"}, {"type": "nothing"}, {"$ref": "#/$defs/a"}])
SKILLS = st.lists(
    st.sampled_from([find_berths, high_water, both])
    | st.fixed_dictionaries(
        {"id": st.sampled_from("ab"), "name": WORDS, "description": WORDS, "tags": LISTS},
        optional={"examples": LISTS, "input_modes": MODES, "inputSchema": SCHEMA},
    ),
    max_size=3,
)
SCHEMES = st.sampled_from(
    [
        a2a.APIKeySecurityScheme(location="header", name="X"),
        {"httpAuthSecurityScheme": {"scheme": "Bearer"}},
        {"mtlsSecurityScheme": {}},
        {},
    ]
)
NAMED = st.sampled_from(["one", "two"])
A2A = st.fixed_dictionaries(
    {"name": WORDS, "description": WORDS, "version": WORDS, "url": URLS, "skills": SKILLS},
    optional={
        "binding": st.sampled_from(["JSONRPC", "GRPC", "jsonrpc", ""]),
        "protocol_versions": st.lists(st.sampled_from(["1.0", "0.3", "1.0.0", ""]), max_size=2),
        "provider": st.fixed_dictionaries({"organization": WORDS}, optional={"url": URLS}),
        "documentation_url": URLS,
        "icon_url": URLS,
        "input_modes": MODES,
        "output_modes": MODES,
        "streaming": st.booleans(),
        "push_notifications": st.booleans(),
        "extended_agent_card": st.booleans(),
        "extensions": st.lists(st.fixed_dictionaries({"uri": URLS}), max_size=2),
        "security_schemes": st.dictionaries(NAMED, SCHEMES, max_size=2),
        "security": st.lists(st.dictionaries(NAMED, LISTS, max_size=2), max_size=2),
        "beach": st.fixed_dictionaries({}, optional={"envelope_parts": LISTS, "id": WORDS, "version": WORDS}),
    },
)
OF_BEACH = st.fixed_dictionaries(
    {
        **dict.fromkeys(("id", "name", "description", "version"), WORDS),
        "capabilities": SKILLS,
        "transports": st.lists(
            st.fixed_dictionaries(
                {"protocol": st.sampled_from(["a2a", "mcp", "x"]), "endpoint": URLS},
                optional={"required_scopes": LISTS, "auth": st.fixed_dictionaries({"type": WORDS})},
            ),
            max_size=2,
        ),
    },
    optional={
        "display_name": WORDS,
        "schema_version": st.sampled_from(["1.0", "2.0", "x"]),
        "contact": st.fixed_dictionaries({"email": WORDS}),
        "envelope": st.fixed_dictionaries({"parts": LISTS}),
        "beach": st.fixed_dictionaries({}, optional={"version": WORDS, "turn_states": LISTS}),
    },
)
ANYTHING: Any = st.sampled_from(
    [
        None,
        3,
        2.5,
        float("nan"),
        "text",
        b"x",
        "\x00",
        "�",
        [],
        {},
        [None],
        {"a": None},
        {1: 2},
        {"": []},
        object(),
        BerthBooking,
        BerthBooking(),
        unresolved,
        high_water,
        a2a.StringList(),
        a2a.StringList,
        range(2),
        iter("ab"),
    ]
)


@given(A2A | OF_BEACH)
def test_a_built_card_is_valid_and_reads_back_or_all_violations_are_raised(given: Any) -> None:
    try:
        card = build(**given)
    except InvalidCard as error:
        assert any(one.severity == "error" for one in error.violations)
        return

    assert card.valid
    again = Card.from_bytes(canonical_bytes(card.document))
    assert (again.dialect, again.violations) == (card.dialect, card.violations)


@given(A2A | OF_BEACH, st.data())
def test_any_arguments_raise_only_card_errors(given: Any, data: st.DataObject) -> None:
    # A clock that raises is its owner's.
    names = sorted({*given, "interfaces", "id", "beach", "extensions", "checks"})
    for name in data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=2)):
        given[name] = data.draw(ANYTHING)

    try:
        assert build(**given).valid
    except CardError as error:
        assert "pydantic" not in str(error)
