"""Cases that follow from the schema of a dialect: a wrong type for each property, and both sides of each limit.

Nothing here reads cardwright's results: the schema and one of its examples decide what a case expects.
"""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final

from jsonschema import Draft202012Validator

from cardwright_rules import MESSAGES, ROWS
from codegen.sources import ID_BASE, read_available

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jsonschema import ValidationError

    Schema = dict[str, Any]
    Steps = tuple[str | int, ...]
    # What a case shows, the value, the keyword that it breaks or "", and the missing property, if that is the place.
    Limit = tuple[str, Any, str] | tuple[str, Any, str, str]

_ABSENT: Final = object()
# The definition that a schema of messages takes from the schema of cards.
_CARD: Final = "AgentCard"
# A text that no enumeration has.
_OTHER_TEXT: Final = "no-such-value"
# Values, of which the first with another type than a property has is its wrong one.
_VALUES: Final[tuple[tuple[Any, frozenset[str]], ...]] = (
    ("text", frozenset({"string"})), (7, frozenset({"integer", "number"})), ({}, frozenset({"object"})), ([], frozenset({"array"})),
)  # fmt: skip
_TYPED: Final[dict[type, str]] = {
    bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "an array", dict: "an object",
}  # fmt: skip
_FORMATS: Final = {
    "uri": "https://agents.example.com/",
    "date-time": "2026-01-02T03:04:05Z",
    "email": "desk@example.com",
}


@dataclass(frozen=True, slots=True)
class SchemaCase:
    """A document, and what the schema says of it.

    Attributes:
        description: What the case shows, with the place.
        document: The document.
        spec: The section of the property or object.
        violation: The pointer and the rule of the violation; None if the document is valid.
    """

    description: str
    document: Any
    spec: str
    violation: tuple[str, str] | None = None


def schema_cases(dialect: str, schemas: Path) -> Iterator[SchemaCase]:
    """Yield the cases of a dialect; none if it has no schema.

    Args:
        dialect: The name of the dialect.
        schemas: The folder `schemas/`, whose file of the dialect has examples.
    """
    row = ROWS[dialect]
    if not row.schema_id:
        return
    examples = _examples(row.schema_id.removeprefix(ID_BASE), schemas)
    walk = _Walk(row.schema())
    for example in examples:
        walk.learn(walk.schema, example)
    if dialect not in MESSAGES:
        base = min(examples, key=lambda example: len(json.dumps(example)))
        yield from walk.at((), walk.schema, base, walk.schema["x-spec"])
        return
    # A document of one type has nothing of the others; which type it is depends on its fields.
    engine = Draft202012Validator(row.schema())
    bases = [*(("", example) for example in examples), *walk.requests(), *walk.responses()]
    for _, base in bases:
        walk.learn(walk.schema, base)
    for about, base in bases:
        for case in walk.at((), walk.schema, base, walk.schema["x-spec"]):
            if _is_of(engine, case):
                yield replace(case, description=f"{case.description} ({about})") if about else case


def _is_of(engine: Draft202012Validator, case: SchemaCase) -> bool:
    """Return whether a document is still of the type that a case is about: without the field that tells it, it is not."""
    errors = list(engine.iter_errors(case.document))
    if case.violation is None:
        return not errors
    found = set()
    while errors:
        error = errors.pop()
        path = [*error.absolute_path, *([_missing(error)] if error.validator == "required" else [])]
        found.add((_pointer(tuple(path)), f"schema/{error.validator}"))
        errors += error.context or []
    return case.violation in found or case.violation[1] in ("schema/enum", "schema/anyOf")


def _missing(error: ValidationError) -> str:
    required: Any = error.validator_value
    instance: Any = error.instance
    return next(str(name) for name in required if name not in instance)


@cache
def _examples(path: str, schemas: Path) -> list[Any]:
    """Return the examples of a schema file, or of one that is derived from others."""
    examples: list[Any] = read_available(schemas).schemas[path].document["examples"]
    return examples


class _Walk:
    """One visit of each part of a schema, each with a document that has a value there."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._seen: set[int] = set()
        # Values of the examples by the part of the schema that describes them.
        self._values: dict[int, Any] = {}

    @cached_property
    def _definitions(self) -> dict[str, Schema]:
        return dict(self.schema.get("$defs", {}))

    def learn(self, schema: Schema, value: Any) -> None:
        """Keep the values of a valid example, to be used where another example lacks them."""
        schema = self._resolved(schema)
        self._values.setdefault(id(schema), value)
        for arm in schema.get("anyOf", ()):
            if Draft202012Validator({**arm, "$defs": self._definitions}).is_valid(value):
                self.learn(arm, value)
        for arm in self._applied(schema, value):
            self.learn(arm, value)
        if isinstance(value, list) and "items" in schema:
            for item in value:
                self.learn(schema["items"], item)
        elif isinstance(value, dict):
            for name, item in value.items():
                inner = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
                if isinstance(inner, dict):
                    self.learn(inner, item)

    def requests(self) -> Iterator[tuple[str, Any]]:
        """Yield the name and a request of each method with parameters, in a schema of messages."""
        for arm in self._definitions["Request"]["allOf"]:
            method = arm["if"]["properties"]["method"]["const"]
            params = self._sample(arm["then"]["properties"]["params"])
            yield method, {"jsonrpc": "2.0", "id": "1", "method": method, "params": params}

    def responses(self) -> Iterator[tuple[str, Any]]:
        """Yield the name and a value of each type that a response carries, and a response of each kind."""
        values = dict(self._results(self._definitions["Payload"]))
        yield from values.items()
        yield "a result", {"jsonrpc": "2.0", "id": "1", "result": next(iter(values.values()))}
        yield "an error", {"jsonrpc": "2.0", "id": "1", "error": self._sample(self._definitions["Error"])}

    def _results(self, schema: Schema) -> Iterator[tuple[str, Any]]:
        """Yield the name and a value of each object of a choice by conditions; a card has cases of its own."""
        for arm in (schema.get("then"), schema.get("else"), schema):
            name = str((arm or {}).get("$ref", "")).rpartition("/")[2]
            if not name:
                continue
            definition = self._definitions[name]
            if name == _CARD:
                self._seen.add(id(definition))
                continue
            naming = [
                one for one in schema.get("if", {}).get("required", ()) if one in definition["properties"]
            ]
            fields = {one: self._sample(definition["properties"][one]) for one in naming}
            yield name, {**fields, **self._sample(definition)}
        if "if" in schema.get("else", {}):
            yield from self._results(schema["else"])

    def _applied(self, schema: Schema, value: Any) -> Iterator[Schema]:
        """Yield the arms of a schema that say more about a value, by its conditions."""
        yield from schema.get("allOf", ())
        if "if" in schema:
            holds = Draft202012Validator({**schema["if"], "$defs": self._definitions}).is_valid(value)
            yield schema.get("then" if holds else "else", {})

    def at(self, steps: Steps, schema: Schema, document: Any, spec: str) -> Iterator[SchemaCase]:
        """Yield the cases of the value at a place of a valid document, and of all values below."""
        schema = self._resolved(schema)
        for arm in self._applied(schema, _value(document, steps)):
            yield from self.at(steps, arm, document, spec)
        if id(schema) in self._seen:
            return
        self._seen.add(id(schema))
        spec = schema.get("x-spec", spec)
        yield from self._limits(steps, schema, document, spec)
        value = _value(document, steps)
        if schema.get("type") == "array" and "items" in schema:
            given = document if value else _with(document, steps, [self._sample(schema["items"])])
            yield from self.at((*steps, 0), schema["items"], given, spec)
        extra = schema.get("additionalProperties")
        if isinstance(extra, dict):
            name = next(iter(value), "example")
            given = document if name in value else _with(document, (*steps, name), self._sample(extra))
            yield from self._typed((*steps, name), extra, given, spec)
            yield from self.at((*steps, name), extra, given, spec)
        if isinstance(value, dict):
            yield from self._properties(steps, schema, document, spec)
        yield from self._tag(steps, schema, document, spec)
        for arm in schema.get("anyOf", ()):
            name = str(arm.get("$ref", "")).rpartition("/")[2]
            for case in self.at(steps, arm, _with(document, steps, self._sample(arm)), spec):
                about = f"{case.description} ({name})" if name else case.description
                pointer, rule = case.violation or ("", "")
                is_own = rule == "schema/required" and pointer.rpartition("/")[0] == _pointer(steps)
                union = (_pointer(steps), "schema/anyOf")
                found = union if is_own and self._differ(schema) else case.violation
                yield replace(case, description=about, violation=found)

    def _differ(self, schema: Schema) -> bool:
        """Return whether each alternative of a union requires another field: then none of them is named as missing."""
        first = [tuple(self._resolved(arm).get("required", ()))[:1] for arm in schema["anyOf"]]
        tagged = any(
            "const" in one
            for arm in schema["anyOf"]
            for one in self._resolved(arm).get("properties", {}).values()
        )
        return all(first) and len(set(first)) == len(first) and not tagged

    def _tag(self, steps: Steps, schema: Schema, document: Any, spec: str) -> Iterator[SchemaCase]:
        """Yield the case of a union whose tag names none of its objects."""
        arms = [self._resolved(arm).get("properties", {}) for arm in schema.get("anyOf", ())]
        tags = [(name, inner) for arm in arms for name, inner in arm.items() if "const" in inner]
        if len(tags) < len(arms) or not tags:
            return
        self._seen.update(id(inner) for _, inner in tags)
        place = (*steps, tags[0][0])
        given = _with(_with(document, steps, self._sample(schema)), place, _OTHER_TEXT)
        yield SchemaCase(
            f"{_pointer(place)} names none of the alternatives", given, spec, (_pointer(place), "schema/enum")
        )

    def _properties(self, steps: Steps, schema: Schema, document: Any, spec: str) -> Iterator[SchemaCase]:
        choices = _choices(schema)
        value = _value(document, steps)
        for name, inner in schema.get("properties", {}).items():
            place = (*steps, name)
            base = document
            if name in choices and name not in value:
                others = {key: item for key, item in value.items() if key not in choices}
                base = _with(document, steps, others)
            given = base if _value(base, place) is not _ABSENT else _with(base, place, self._sample(inner))
            own = inner.get("x-spec", spec)
            yield from self._typed(place, inner, given, own)
            yield from self.at(place, inner, given, own)

    def _typed(self, steps: Steps, schema: Schema, document: Any, spec: str) -> Iterator[SchemaCase]:
        """Yield the case of a value of a wrong type."""
        kinds = self._types(schema)
        if not kinds:
            return
        wrong = next(value for value, types in _VALUES if not types & {*kinds})
        union = len({*kinds} - {"null"}) > 1 and "anyOf" in self._resolved(schema)
        yield SchemaCase(
            f"{_pointer(steps)} is {_TYPED[type(wrong)]}, not of type {' or '.join(kinds)}",
            _with(document, steps, wrong),
            schema.get("x-spec", spec),
            (_pointer(steps), "schema/anyOf" if union else "schema/type"),
        )

    def _limits(self, steps: Steps, schema: Schema, document: Any, spec: str) -> Iterator[SchemaCase]:
        """Yield a case on each side of each limit of a value."""
        pointer = _pointer(steps)
        kinds = (self._of_objects, self._of_lengths, _of_numbers, _of_values)
        for limit in (one for limits in kinds for one in limits(schema, _value(document, steps))):
            about, value, keyword, *name = limit
            violation = (_pointer((*steps, *name)), f"schema/{keyword}") if keyword else None
            yield SchemaCase(
                f"{pointer or 'the document'} {about}", _with(document, steps, value), spec, violation
            )

    def _of_objects(self, schema: Schema, value: Any) -> Iterator[Limit]:
        for name in schema.get("required", ()):
            rest = {key: item for key, item in value.items() if key != name}
            yield f"without {name}", rest, "required", name
        choices = _choices(schema)
        if choices:
            bare = {key: item for key, item in value.items() if key not in choices}
            two = {name: self._sample(schema["properties"][name]) for name in choices[:2]}
            yield "has none of its alternatives", bare, "oneOf"
            yield "has two of its alternatives", {**bare, **two}, "oneOf"

    def _of_lengths(self, schema: Schema, _: Any) -> Iterator[Limit]:
        if least := schema.get("minItems"):
            items = [self._sample(schema["items"])] * least
            yield f"has {least - 1} of at least {least} items", items[1:], "minItems"
        if (most := schema.get("maxItems")) is not None:
            items = [self._sample(schema["items"])] * (most + 1)
            yield f"has {most} items, the most", items[1:], ""
            yield f"has {most + 1} of at most {most} items", items, "maxItems"
        # Which text of a length matches a pattern is not computed here.
        if {"pattern", "format", "x-format"} & schema.keys():
            return
        if least := schema.get("minLength"):
            yield f"has {least} characters, the fewest", "x" * least, ""
            yield f"has {least - 1} of at least {least} characters", "x" * (least - 1), "minLength"
        if (most := schema.get("maxLength")) is not None:
            yield f"has {most} characters, the most", "x" * most, ""
            yield f"has {most + 1} of at most {most} characters", "x" * (most + 1), "maxLength"

    def _resolved(self, schema: Schema) -> Schema:
        while "$ref" in schema:
            schema = self._definitions[schema["$ref"].removeprefix("#/$defs/")]
        return schema

    def _types(self, schema: Schema) -> list[str]:
        """Return the JSON types that a schema accepts; none if it accepts any, or lists its values."""
        schema = self._resolved(schema)
        if "const" in schema or "enum" in schema:
            return []
        if "anyOf" in schema:
            arms = [self._types(arm) for arm in schema["anyOf"]]
            return list(dict.fromkeys(kind for arm in arms for kind in arm)) if all(arms) else []
        kinds = schema.get("type", [])
        return [kinds] if isinstance(kinds, str) else list(kinds)

    def _sample(self, schema: Schema) -> Any:
        """Return a valid value of a schema: that of an example, or a small one."""
        schema = self._resolved(schema)
        if id(schema) in self._values:
            return self._values[id(schema)]
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema and "properties" not in schema:
                return self._sample(schema[keyword][0])
        if "const" in schema or "enum" in schema:
            return schema.get("const", schema.get("enum", [None])[0])
        kind = schema.get("type", "string")
        match kind if isinstance(kind, str) else kind[0]:
            case "object":
                names = [*schema.get("required", ()), *schema.get("oneOf", [{}])[0].get("required", ())]
                return {name: self._sample(schema["properties"][name]) for name in names}
            case "array":
                return [self._sample(schema.get("items", {}))] * schema.get("minItems", 1)
            case "boolean":
                return True
            case "integer" | "number":
                return schema.get("minimum", 1)
            case _:
                form = str(schema.get("x-format") or schema.get("format"))
                return _FORMATS.get(form, "text".ljust(schema.get("minLength", 0), "x"))


def _of_numbers(schema: Schema, _: Any) -> Iterator[Limit]:
    for keyword, change in (("minimum", -1), ("maximum", 1)):
        if (limit := schema.get(keyword)) is not None:
            yield f"is {limit}, the {keyword}", limit, ""
            yield f"is {limit + change}, and the {keyword} is {limit}", limit + change, keyword
    for keyword, change in (("exclusiveMinimum", 1), ("exclusiveMaximum", -1)):
        if (limit := schema.get(keyword)) is not None:
            yield f"is {limit + change}, within the {keyword}", limit + change, ""
            yield f"is {limit}, the {keyword}", limit, keyword


def _of_values(schema: Schema, _: Any) -> Iterator[Limit]:
    for allowed in schema.get("enum", ()):
        # Protobuf's word for an absent value, which a rule refuses.
        if not str(allowed).endswith("_UNSPECIFIED"):
            yield f"is {json.dumps(allowed)}", allowed, ""
    if "enum" in schema:
        yield "is no value of its enumeration", _OTHER_TEXT, "enum"
    if "const" in schema:
        yield f"is not {json.dumps(schema['const'])}", _OTHER_TEXT, "const"


def _choices(schema: Schema) -> list[str]:
    """Return the properties of which an object has exactly one."""
    return [one["required"][0] for one in schema.get("oneOf", ()) if set(one) == {"required"}]


def _pointer(steps: Steps) -> str:
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def _value(document: Any, steps: Steps) -> Any:
    for step in steps:
        if isinstance(document, dict):
            document = document.get(step, _ABSENT)
        elif isinstance(document, list) and isinstance(step, int) and step < len(document):
            document = document[step]
        else:
            return _ABSENT
    return document


def _with(document: Any, steps: Steps, value: Any) -> Any:
    """Return a copy of a document with a value at a place, whose holder exists."""
    if not steps:
        return value
    document = copy.deepcopy(document)
    holder = _value(document, steps[:-1])
    holder[steps[-1]] = value
    return document
