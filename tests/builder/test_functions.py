"""Functions as skills and capabilities: derived values, explicit values, and refused functions."""

import asyncio
import functools
import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from cardwright import CardError
from cardwright.builder import capability, skill
from cardwright.builder.described import described
from cardwright.builder.docstrings import docstring_of
from cardwright.errors import BadArgument, BadFunction
from tests.builder import functions as agent_functions

DESCRIBABLE: list[Any] = [
    agent_functions.high_water, agent_functions.find_berths, agent_functions.BerthBooking().hold,
    agent_functions.BerthBooking.hold, agent_functions.BerthBooking.areas, agent_functions.BerthBooking.spots,
    agent_functions.book, agent_functions.wrapped, agent_functions.both, agent_functions.interactive,
    agent_functions.untyped, agent_functions.aliased,
]  # fmt: skip


def skill_of(function: Any) -> dict[str, Any]:
    return described(function).to_skill()


# What is derived


def test_id_name_description_and_examples_come_from_the_function() -> None:
    found = skill_of(agent_functions.find_berths)

    assert {name: value for name, value in found.items() if not name.endswith("Schema")} == {
        "id": "find-berths",
        "name": "Find berths",
        "description": "Finds free berths in a port.",
        "tags": ["sea"],
        "examples": ["Is there a berth for a yacht tonight?", "Two berths in Oban"],
    }


def test_the_schemas_come_from_the_annotations_and_the_docstring() -> None:
    found = skill_of(agent_functions.find_berths)

    taken = found["inputSchema"]
    assert taken["required"] == ["port"]
    assert taken["additionalProperties"] is False
    assert set(taken["$defs"]) == {"Kind", "Port"}
    assert taken["properties"] == {
        "port": {"$ref": "#/$defs/Port", "description": "Where to look."},
        "kind": {"$ref": "#/$defs/Kind", "default": "yacht"},
        "mode": {"enum": ["fast", "slow"], "type": "string", "default": "fast"},
        "length": {
            "type": "number",
            "minimum": 0,
            "default": 1.5,
            "description": "Of the vessel, in metres.",
        },
        "note": {
            "anyOf": [{"type": "string"}, {"type": "null"}],
            "default": None,
            "description": "Text of the field.",
        },
        "schema": {"type": "integer", "default": 0},
        # Neither a path of this machine, nor what JSON cannot hold, is a default.
        "log": {"type": "string", "format": "path"},
        "mark": {},
        "most": {"type": "number"},
    }
    assert found["outputSchema"]["items"] == {"$ref": "#/$defs/Berth"}


@pytest.mark.parametrize("function", DESCRIBABLE, ids=range(len(DESCRIBABLE)))
def test_every_schema_is_valid_and_has_no_external_reference(function: Any) -> None:
    found = skill_of(function)

    for name in found.keys() & {"inputSchema", "outputSchema"}:
        Draft202012Validator.check_schema(found[name])
        references = [text for text in flat(found[name], "$ref") if not text.startswith("#/$defs/")]
        assert references == []


def flat(value: Any, name: str) -> list[str]:
    """Return every value of the fields of a name."""
    if isinstance(value, dict):
        own = [value[name]] if isinstance(value.get(name), str) else []
        return own + [text for item in value.values() for text in flat(item, name)]
    return [text for item in value for text in flat(item, name)] if isinstance(value, list) else []


def test_the_schema_accepts_the_arguments_of_the_function() -> None:
    validator = Draft202012Validator(skill_of(agent_functions.high_water)["inputSchema"])

    assert validator.is_valid({"port": "Oban", "days": 2})
    assert not validator.is_valid({"port": "Oban", "days": "two"})
    assert not validator.is_valid({"days": 2})
    assert not validator.is_valid({"port": "Oban", "moon": 1})


@pytest.mark.parametrize("method", [agent_functions.BerthBooking().hold, agent_functions.BerthBooking.hold])
def test_the_schema_of_a_method_has_no_self(method: Any) -> None:
    assert list(skill_of(method)["inputSchema"]["properties"]) == ["berth"]


def test_arguments_bound_by_a_partial_are_not_in_the_schema() -> None:
    found = skill_of(agent_functions.book)

    assert found["id"] == "booked"
    assert list(found["inputSchema"]["properties"]) == ["berth", "nights"]
    assert "hunter2" not in str(found)
    assert (
        "berth" not in skill_of(functools.partial(agent_functions.booked, "B1"))["inputSchema"]["properties"]
    )


def test_an_untyped_parameter_accepts_any_value() -> None:
    found = skill_of(agent_functions.untyped)

    assert found["inputSchema"]["properties"] == {"port": {}, "days": {"default": 3}}
    assert "outputSchema" not in found


def test_a_parameter_has_the_alias_of_its_field() -> None:
    assert list(skill_of(agent_functions.aliased)["inputSchema"]["properties"]) == ["from", "copy"]


def test_the_doctest_prompt_of_a_docstring_is_no_example() -> None:
    assert "examples" not in skill_of(agent_functions.interactive)


@pytest.mark.parametrize(
    ("name", "identifier", "shown"),
    [
        ("find_berths", "find-berths", "Find berths"),
        ("_private", "private", "Private"),
        ("findBerths", "find-berths", "Find berths"),
        ("read_PDF", "read-pdf", "Read PDF"),
        ("größe_2", "größe-2", "Größe 2"),
        ("x", "x", "X"),
    ],
)
def test_a_name_is_an_id_in_kebab_case_and_words(name: str, identifier: str, shown: str) -> None:
    def function() -> None:
        """Does it."""

    function.__name__ = name

    found = described(function)

    assert (found.id, found.name) == (identifier, shown)


# What counts instead


def test_explicit_values_win_over_derived_ones() -> None:
    found = skill(
        agent_functions.find_berths,
        id="berths",
        name="Berths!",
        description="Berths.",
        tags=("a", "b"),
        examples=[],
        input_modes=["application/json"],
        output_modes=["text/plain"],
        security=[{"key": []}],
        input_schema={"type": "object", "additionalProperties": True},
        output_schema=True,
    )

    assert found.to_skill() == {
        "id": "berths",
        "name": "Berths!",
        "description": "Berths.",
        "tags": ["a", "b"],
        "examples": [],
        "inputModes": ["application/json"],
        "outputModes": ["text/plain"],
        "securityRequirements": [{"schemes": {"key": {}}}],
        "inputSchema": {"type": "object", "additionalProperties": True},
        "outputSchema": True,
    }


def test_a_description_can_be_described_again() -> None:
    once = skill(agent_functions.high_water, tags=["sea"])

    again = skill(once, id="tide")

    assert (again.id, again.to_skill()["tags"], once.id) == ("tide", ["sea"], "high-water")


def test_a_lambda_with_explicit_values_is_a_skill() -> None:
    found = skill(lambda: 1, id="one", description="Gives one.", tags=["n"])

    assert (found.name, found.to_skill()["inputSchema"]["properties"]) == ("One", {})


def test_explicit_schemas_replace_an_unreadable_signature() -> None:
    found = skill(agent_functions.many, tags=["a"], input_schema=True)

    assert found.to_skill()["inputSchema"] is True
    assert skill(agent_functions.stream, output_schema=True).to_skill()["outputSchema"] is True


# Decorators


def test_a_decorated_function_stays_itself() -> None:
    assert inspect.iscoroutinefunction(agent_functions.find_berths)
    port: agent_functions.Port = {"name": "Oban", "zone": 1}
    assert asyncio.run(agent_functions.find_berths(None, port)) == [agent_functions.Berth("Oban", 1.5)]
    assert agent_functions.both("Oban") == "Oban"


def test_a_description_calls_its_function() -> None:
    assert skill(agent_functions.high_water, tags=["sea"])("Oban", days=2) == ["Oban", "Oban"]


def test_settings_of_a_decorator_survive_another_decorator() -> None:
    assert skill_of(agent_functions.wrapped)["tags"] == ["inner"]


def test_one_function_may_be_a_skill_and_a_capability() -> None:
    found = described(agent_functions.both)

    assert found.to_skill()["tags"] == ["both"]
    assert "requiredScopes" not in found.to_skill()
    assert found.to_capability()["requiredScopes"] == ["berths:write"]
    assert "tags" not in found.to_capability()


def test_describing_changes_nothing_on_the_function() -> None:
    before = dict(vars(agent_functions.high_water))

    skill(agent_functions.high_water, tags=["sea"])

    assert vars(agent_functions.high_water) == before


# What is refused


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (agent_functions.bare, "bare: it has no docstring. Write one, or pass description="),
        (lambda: 1, "<lambda>: no id can be derived from its name. Pass id="),
        (agent_functions.positional, "positional: parameter 'port' is positional-only"),
        (agent_functions.many, r"many: parameter '\*ports' accepts any number of values"),
        (agent_functions.anything, r"anything: parameter '\*\*words' accepts any name"),
        (agent_functions.unresolved, "parameter 'port' has the annotation 'Nowhere', which cannot be resolved"),
        (agent_functions.opaque, "parameter 'port' has the type Opaque, which has no JSON Schema"),
        (agent_functions.stream, "its return value has the annotation 'AsyncIterator.str.', which cannot be resolved"),
        (agent_functions.gives_opaque, r"its return value has the type Opaque.*pass output_schema="),
        (agent_functions.patterned, r"parameter 'port' has the type str, which .*unclosed group"),
        (agent_functions.twice, "its input has the type port, at, .*two parameters have the same alias"),
        (print, r"print: parameter '\*args' accepts any number"),
    ],
)  # fmt: skip
def test_an_indescribable_function_is_refused_with_a_fix(function: Any, says: str) -> None:
    with pytest.raises(BadFunction, match=says):
        skill(function)


def test_a_name_that_is_excluded_and_not_there_is_refused() -> None:
    with pytest.raises(
        BadFunction, match=r"exclude= has the unknown parameter 'ctx'; its parameters are port, days"
    ):
        skill(agent_functions.high_water, exclude=["ctx"])


@pytest.mark.parametrize(
    "other", [None.__class__, agent_functions.BerthBooking, agent_functions.BerthBooking(), "times", 3, {}]
)
def test_a_value_that_is_not_a_function_is_refused(other: Any) -> None:
    with pytest.raises(BadArgument, match="must be a function, method or partial, not "):
        skill(other)
    with pytest.raises(BadArgument, match="only a function defined by def can be decorated"):
        capability()(other)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"tags": "sea"}, "tags: must be a list, not str"),
        ({"tags": [1]}, r"tags\[0\]: must be a string, not int"),
        ({"id": 3}, "id: must be a string, not int"),
        ({"input_schema": "x"}, "input_schema: must be a mapping, not str"),
        ({"exclude": "ctx"}, "exclude: must be a list, not str"),
    ],
)
def test_texts_of_a_wrong_type_are_refused_at_once(words: Any, says: str) -> None:
    with pytest.raises(BadArgument, match=says):
        skill(**words)


def test_a_mistake_can_be_caught_as_pythons_own() -> None:
    assert issubclass(BadFunction, CardError)
    assert issubclass(BadFunction, TypeError)


# Docstrings


@given(st.text())
def test_any_docstring_can_be_read(text: str) -> None:
    parsed = docstring_of(text)

    assert "\n" not in parsed.summary


def test_a_missing_docstring_is_an_empty_one() -> None:
    assert docstring_of(None) == docstring_of("")


DRAFT = "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize(
    "schema", [{"type": "nonsense"}, {"properties": []}, {"$schema": DRAFT, "minLength": -1}]
)
def test_a_given_schema_must_be_valid(schema: dict[str, Any]) -> None:
    with pytest.raises(BadArgument, match="is not a valid JSON Schema"):
        skill(agent_functions.high_water, tags=["sea"], input_schema=schema)


def test_a_schema_of_another_draft_is_not_validated_and_nothing_is_fetched() -> None:
    older = {"$schema": "https://schemas.invalid/draft", "type": ["nonsense"]}
    assert skill(agent_functions.high_water, tags=["sea"], input_schema=older)
