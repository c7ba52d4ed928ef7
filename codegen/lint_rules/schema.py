"""Lint rules of the JSON Schemas: names, descriptions, open objects, and examples that validate."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urldefrag, urljoin

import jsonschema_rs
from jsonschema.validators import Draft202012Validator
from referencing.exceptions import Unresolvable

from codegen.references import is_choice
from codegen.shape import pointer_of
from codegen.sources import ID_BASE, PLACEHOLDER, SETTINGS, Problem, is_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referencing import Registry

    from codegen.sources import SchemaFile, Tree

    Steps = tuple[str | int, ...]

META: Final = "https://json-schema.org/draft/2020-12/schema"
CLASS_NAME: Final = re.compile(r"[A-Z][A-Za-z0-9]*[A-Za-z]\Z")
PRESENCE: Final = ("implicit", "optional", "required")
BUNDLED_SUFFIX: Final = ".bundled.schema.json"
# Keywords whose values are schemas (2020-12 Core §10): a map, a list, or one.
_MAPS: Final = ("$defs", "properties", "patternProperties", "dependentSchemas")
_LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
_ALONE: Final = (
    "items", "contains", "additionalProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties",
    "if", "then", "else", "not",
)  # fmt: skip
# Schemas below these keywords are conditions: they describe no field and have no model.
_CONDITIONS: Final = {"if", "then", "else", "not", "dependentSchemas"}


@dataclass(frozen=True, slots=True)
class _Node:
    """One schema inside a file; `is_condition` is true inside a condition."""

    steps: Steps
    schema: dict[str, Any]
    is_condition: bool


def schema_problems(tree: Tree, registry: Registry[Any]) -> Iterator[Problem]:
    """Yield each violation of a lint rule in the JSON Schemas of a tree; `registry` resolves their references."""
    unsound: set[str] = set()
    for path, file in tree.schemas.items():
        faults = list(_malformed(file)) or [
            fault for node in _nodes(file.document) for fault in _unusable(node, path, registry)
        ]
        if faults:
            unsound.add(path)
        yield from (Problem(path, pointer_of(steps), message) for steps, message in faults)
    for path, file in tree.schemas.items():
        yield from (Problem(path, pointer_of(steps), message) for steps, message in _root(file))
        if any(Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(file.document)):
            continue
        for node in _nodes(file.document):
            yield from (Problem(path, pointer_of(steps), message) for steps, message in _node(tree, node))
            # A card may have further fields; an unknown field in a settings file is a spelling mistake.
            if not path.startswith(SETTINGS):
                yield from (Problem(path, pointer_of(steps), message) for steps, message in _closed(node))
        if not unsound.intersection(_reached(tree, path)):
            faults = list(_examples(file, registry))
            yield from (Problem(path, pointer_of(steps), message) for steps, message in faults)


def _malformed(file: SchemaFile) -> Iterator[tuple[Steps, str]]:
    for error in Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(file.document):
        yield tuple(error.absolute_path), error.message


def _unusable(node: _Node, path: str, registry: Registry[Any]) -> Iterator[tuple[Steps, str]]:
    """Yield references that do not resolve and patterns that one of the two engines refuses."""
    reference = node.schema.get("$ref")
    if reference is not None:
        fault = _reference_fault(registry, ID_BASE + path, reference)
        if fault:
            yield (*node.steps, "$ref"), fault
    patterns = [("pattern", node.schema["pattern"])] if "pattern" in node.schema else []
    patterns += [("patternProperties", pattern) for pattern in node.schema.get("patternProperties", ())]
    for keyword, pattern in patterns:
        if not _is_pattern(pattern):
            steps = (*node.steps, keyword) if keyword == "pattern" else (*node.steps, keyword, pattern)
            yield steps, f"{pattern} is not a valid pattern in both Python and jsonschema-rs"


def _reference_fault(registry: Registry[Any], base: str, reference: str) -> str:
    """Return the fault of a chain of references: it does not resolve, or is circular; "" if absent."""
    followed: set[str] = set()
    uri = urljoin(base, reference)
    while uri not in followed:
        followed.add(uri)
        try:
            contents = registry.resolver(base).lookup(uri).contents
        except Unresolvable:
            return f"{reference} does not resolve"
        following = contents.get("$ref") if isinstance(contents, dict) else None
        if not isinstance(following, str):
            return ""
        uri = urljoin(uri, following)
    return f"{reference} refers to itself"


def _is_pattern(pattern: str) -> bool:
    try:
        re.compile(pattern)
        jsonschema_rs.validator_for(
            {"pattern": pattern}, pattern_options=jsonschema_rs.RegexOptions(), offline=True
        )
    except (re.error, ValueError):
        return False
    return True


def _root(file: SchemaFile) -> Iterator[tuple[Steps, str]]:
    document = file.document
    if file.path.endswith(BUNDLED_SUFFIX):
        yield (), "this file name is reserved for the bundled schemas that `make schemas` writes"
    if document.get("$schema") != META:
        yield ("$schema",), f"must be {META}"
    if document.get("$id") != ID_BASE + file.path:
        yield ("$id",), f"must be {ID_BASE}{file.path}"
    for name in ("title", "description", "x-spec"):
        if not _is_text(document.get(name)):
            yield (name,), f"the root must have a {name}, as text"
    if not document.get("examples"):
        yield ("examples",), "the root must have at least one example"
    if not CLASS_NAME.match(str(document.get("title", ""))):
        yield ("title",), "must be a class name in PascalCase that ends in a letter"


def _closed(node: _Node) -> Iterator[tuple[Steps, str]]:
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if node.schema.get(keyword) is False:
            yield (*node.steps, keyword), "must not be false: unknown fields are always allowed"


def _node(tree: Tree, node: _Node) -> Iterator[tuple[Steps, str]]:
    yield from _annotations(tree, node)
    if not node.is_condition:
        yield from _names(node)
        yield from _descriptions(node)


def _names(node: _Node) -> Iterator[tuple[Steps, str]]:
    """Yield objects, union arms and definitions without a name for their class."""
    schema, steps = node.schema, node.steps
    is_named = not steps or (len(steps) == 2 and steps[0] == "$defs")
    if not is_named and "properties" in schema:
        yield steps, "an object with properties must be a named definition"
    for keyword in () if is_choice(schema) else ("oneOf", "anyOf"):
        for index, arm in enumerate(schema.get(keyword, ())):
            if type(arm) is not dict or "$ref" not in arm:
                yield (*steps, keyword, index), "a union arm must be a $ref to a named definition"
    for name in schema.get("$defs", ()):
        if not CLASS_NAME.match(name):
            yield (*steps, "$defs", name), "must be a class name in PascalCase that ends in a letter"


def _descriptions(node: _Node) -> Iterator[tuple[Steps, str]]:
    schema, steps = node.schema, node.steps
    for name, subschema in schema.get("properties", {}).items():
        for annotation in ("description", "x-spec"):
            if not (isinstance(subschema, dict) and _is_text(subschema.get(annotation))):
                yield (*steps, "properties", name), f"the property has no {annotation}"
        if isinstance(subschema, dict) and subschema.get("description") == PLACEHOLDER:
            yield (
                (*steps, "properties", name, "description"),
                "spec-drift wrote this text: say what the property is",
            )
    for name, definition in schema.get("$defs", {}).items():
        if not (isinstance(definition, dict) and _is_text(definition.get("description"))):
            yield (*steps, "$defs", name), "the definition has no description"


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _annotations(tree: Tree, node: _Node) -> Iterator[tuple[Steps, str]]:
    schema, steps = node.schema, node.steps
    if schema.get("x-presence", "required") not in PRESENCE:
        yield (*steps, "x-presence"), f"must be one of {', '.join(PRESENCE)}"
    if "x-registry" not in schema:
        return
    if not is_vocabulary(tree, schema["x-registry"]):
        yield (*steps, "x-registry"), "must name a vocabulary of the tree"
    if "enum" in schema:
        yield (*steps, "enum"), "an open vocabulary must not be an enum"
    if schema.get("type") != "string":
        yield (*steps, "type"), "an open vocabulary must be a string"


def _examples(file: SchemaFile, registry: Registry[Any]) -> Iterator[tuple[Steps, str]]:
    validator = Draft202012Validator({"$ref": ID_BASE + file.path}, registry=registry)
    for index, example in enumerate(file.document.get("examples", ())):
        try:
            for error in validator.iter_errors(example):
                yield ("examples", index, *error.absolute_path), error.message
        except RecursionError:
            yield ("examples", index), "validation does not end: a $ref refers to itself"
            return


def _reached(tree: Tree, path: str) -> set[str]:
    """Return the paths of the files that a schema refers to, including its own path."""
    reached: set[str] = set()
    pending = [path]
    while pending:
        here = pending.pop()
        if here in reached or here not in tree.schemas:
            continue
        reached.add(here)
        for node in _nodes(tree.schemas[here].document):
            reference = node.schema.get("$ref")
            if isinstance(reference, str):
                uri = urldefrag(urljoin(ID_BASE + here, reference)).url
                pending.append(uri.removeprefix(ID_BASE))
    return reached


def _nodes(schema: Any, steps: Steps = (), *, is_condition: bool = False) -> Iterator[_Node]:
    """Yield a schema and every schema inside it; skip malformed ones."""
    if not isinstance(schema, dict):
        return
    yield _Node(steps, schema, is_condition)
    for keyword in schema:
        value, inside = schema[keyword], is_condition or keyword in _CONDITIONS
        if keyword in _ALONE:
            yield from _nodes(value, (*steps, keyword), is_condition=inside)
        elif keyword in _MAPS and isinstance(value, dict):
            for name, inner in value.items():
                yield from _nodes(inner, (*steps, keyword, name), is_condition=inside)
        elif keyword in _LISTS and isinstance(value, list):
            for index, inner in enumerate(value):
                yield from _nodes(inner, (*steps, keyword, index), is_condition=inside)
