"""Typed models by datamodel-code-generator: its options, and checks of its output."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tempfile
import threading
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from codegen.references import is_choice
from codegen.sources import BrokenTree, Problem
from codegen.wire_names import wire_name

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHARED: Final = (
    "--input-file-type", "jsonschema",
    "--schema-version", "2020-12",
    "--output-model-type", "pydantic_v2.BaseModel",
    "--target-python-version", "3.11",
    "--snake-case-field",
    "--enum-field-as-literal", "all",
    "--use-one-literal-as-default",
    "--use-union-operator",
    "--use-standard-collections",
    "--use-schema-description",
    "--use-field-description",
    "--use-attribute-docstrings",
    "--disable-timestamp",
    "--no-formatters",
)  # fmt: skip
# Why: an optional field is None and the text has no alias, because `codegen/base.py` derives what is read and written
# from the class. `for_models` marks what it needs to know: assumed values, fields that may be null, required fields that a
# call in Python may leave out, and fields of which one is set.
_MODELS: Final = (
    *_SHARED,
    "--strict-nullable",
    "--use-annotated",
    "--no-alias",
    "--field-extra-keys", "x-default", "x-nullable", "x-argument",
    "--model-extra-keys-without-x-prefix", "x-oneOf",
)  # fmt: skip
OPTIONS: Final = (*_MODELS, "--base-class", "cardwright_models.base.WireModel")
# The fields of the API are in snake case already.
API_OPTIONS: Final = (
    *_MODELS,
    "--use-generic-container-types",
    "--base-class",
    "cardwright_gateway_models.documents_base.DocumentModel",
)
# Settings are read and never written back, and their schema refuses null: an absent field has its
# default, or is None. Without --use-annotated a default may be the JSON of an object.
SETTINGS_OPTIONS: Final = (
    *_SHARED,
    "--strict-nullable",
    "--use-default-kwarg",
    "--use-generic-container-types",
    "--base-class", "cardwright_gateway_models.documents_base.SettingsModel",
)  # fmt: skip

# Python 3.11 raises a SystemError if a second thread parses while this one does (gh-106905), and models are made in two.
_PARSING: Final = threading.Lock()

# Keywords that a model must not have: a format would rewrite URLs and times, and the others are for readers.
_NOT_FOR_MODELS: Final = {
    "format",
    "if",
    "then",
    "else",
    "$comment",
    # Titles are for editors: those of fields are their names in words.
    "title",
}


def model_source(bundled: Any, class_name: str, schema_path: str) -> str:
    """Return the Python text of the models of a bundled schema.

    Raises:
        BrokenTree: If the generator refuses the schema, or creates a class or a field name that no rule explains.
    """
    schema = for_models(bundled)
    module = _generated(
        _text(schema),
        class_name,
        schema_path,
        OPTIONS + _by_class({schema["title"]: schema, **schema["$defs"]}),
    )
    problems = list(_faults(module, schema, schema_path))
    if problems:
        raise BrokenTree(problems)
    return module


def _by_class(definitions: dict[str, Any]) -> tuple[str, ...]:
    """Return the options that depend on the class: the base of a choice, and enumerations with a name."""
    bases = {name: "cardwright_models.base.OneOf" for name, one in definitions.items() if "x-oneOf" in one}
    enums = {name: "enum" for name, one in definitions.items() if "enum" in one}
    values = [str(value) for name in enums for value in definitions[name]["enum"]]
    return (
        # An enumeration names its values in the case that they have.
        *(("--capitalise-enum-members",) if values and all(map(str.isupper, values)) else ()),
        *(("--base-class-map", json.dumps(bases)) if bases else ()),
        *(("--enum-field-as-literal-map", json.dumps(enums)) if enums else ()),
    )


def document_source(schema: Any, schema_path: str, options: tuple[str, ...]) -> str:
    """Return the Python text of the models of a settings file or of an API's components.

    Args:
        schema: The schema as reduced by `codegen.documents`.
        schema_path: Its path, for messages.
        options: `SETTINGS_OPTIONS` or `API_OPTIONS`.

    Raises:
        BrokenTree: If the generator refuses the schema, or creates a class that has no definition.
    """
    module = _generated(_text(schema), str(schema["title"]), schema_path, options)
    problems = list(_unnamed(_parsed(module), schema, schema_path))
    if problems:
        raise BrokenTree(problems)
    return module


def _text(schema: Any) -> str:
    return json.dumps(schema, indent=2)


# Starting the generator takes most of the time of generating; the tests render changed copies of one tree.
@lru_cache(maxsize=64)
def _generated(text: str, class_name: str, schema_path: str, options: tuple[str, ...]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "schema.json"), Path(folder, "models.py")
        source.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "datamodel_code_generator", *options]
        command += ["--class-name", class_name, "--input", str(source), "--output", str(target)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own arguments
        if run.returncode != 0:
            last = (run.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise BrokenTree([Problem(schema_path, "", f"datamodel-code-generator refuses it: {last}")])
        generated = target.read_text(encoding="utf-8")
    # The header of datamodel-code-generator names a temporary file; the renderer adds another one.
    body = generated.split("from __future__", 1)[1]
    return f"from __future__{body}"


def for_models(bundled: Any) -> Any:
    """Return a bundled schema as the generator of models needs it: without what only validates, with marks for `OPTIONS`."""
    definitions = bundled.get("$defs", {})

    def node(schema: Any) -> Any:
        if isinstance(schema, list):
            return [node(item) for item in schema]
        if not isinstance(schema, dict):
            return schema
        name = _definition(schema)
        if name and _is_inlined(definitions[name]):
            return {**node(definitions[name]), **node({key: schema[key] for key in schema if key != "$ref"})}
        made = {key: node(schema[key]) for key in schema if key not in _NOT_FOR_MODELS and key[:2] != "x-"}
        for key in ("properties", "$defs"):
            if key in schema:
                made[key] = {name: node(value) for name, value in schema[key].items()}
        if "$defs" in made:
            # With a discriminator, a union of one field would get a class without a name.
            made["$defs"] = {
                name: one | _discriminator(one, definitions)
                for name, one in made["$defs"].items()
                if not _is_inlined(definitions[name])
            }
        # The default is what a reader assumes; an absent field stays absent.
        if "default" in made:
            made["x-default"] = made.pop("default")
        # The default of an argument in Python; an object that is read must have the field.
        if "x-argument" in schema:
            made["x-argument"], made["default"] = True, schema["x-argument"]
        for field, value in made.get("properties", {}).items():
            if field not in schema.get("required", ()) and _allows_null(
                schema["properties"][field], definitions
            ):
                value["x-nullable"] = True
        filled = {name for name, one in schema.get("properties", {}).items() if "x-argument" in one}
        if filled:
            made["required"] = [name for name in schema["required"] if name not in filled]
        if is_choice(schema):
            made["x-oneOf"] = made.pop("oneOf")
        elif "oneOf" in made or "anyOf" in made:
            # `properties` beside a union only add constraints to the fields of its arms.
            made.pop("properties", None)
            made.pop("type", None)
        return made

    return {"title": bundled["title"], "$defs": {}, **node(bundled)}


def _definition(schema: Any) -> str:
    return str(schema.get("$ref", "")).removeprefix("#/$defs/")


def _is_inlined(definition: Any) -> bool:
    """Return whether a definition gets no class: a list, a map or a plain value without a schema file of its own."""
    return not definition.keys() & {"title", "properties", "oneOf", "anyOf", "enum", "allOf"}


def _allows_null(schema: Any, definitions: dict[str, Any]) -> bool:
    if name := _definition(schema):
        return _allows_null(definitions[name], definitions)
    if "const" in schema or "enum" in schema:
        return None in (schema.get("const", 0), *schema.get("enum", ()))
    arms = schema.get("anyOf") or schema.get("oneOf")
    if arms:
        return any(_allows_null(arm, definitions) for arm in arms)
    types = schema.get("type", "null")
    return "null" in ([types] if isinstance(types, str) else types)


def _discriminator(union: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the field whose constant tells the arms of a union apart, as in OpenAPI, or an empty mapping."""
    arms = [definitions.get(_definition(arm), {}) for arm in union.get("oneOf") or union.get("anyOf", ())]
    tags = [
        {
            name: field["const"]
            for name, field in arm.get("properties", {}).items()
            if "const" in field and name in arm.get("required", ())
        }
        for arm in arms
    ]
    shared = set.intersection(*map(set, tags)) if tags else set[str]()
    found = sorted(name for name in shared if len({tag[name] for tag in tags}) == len(tags))
    return {"discriminator": {"propertyName": found[0]}} if found else {}


def _parsed(module: str) -> ast.Module:
    with _PARSING:
        return ast.parse(module)


def _faults(module: str, schema: Any, schema_path: str) -> list[Problem]:
    try:
        parsed = _parsed(module)
    except SyntaxError as error:
        return [
            Problem(schema_path, "", f"its models are not valid Python (quotes in a description?): {error}")
        ]
    faults = list(_unnamed(parsed, schema, schema_path))
    definitions = {schema["title"]: schema, **schema["$defs"]}
    for node in parsed.body:
        if isinstance(node, ast.ClassDef) and node.name in definitions:
            names = set(definitions[node.name].get("properties", ()))
            faults += [
                Problem(
                    schema_path, "", f"{node.name}.{name}: its wire name does not follow; add it to IRREGULAR"
                )
                for name in _fields(node)
                if wire_name(name) not in names
            ]
    return faults


def classes_of(module: str) -> list[str]:
    """Return the names of the classes of a module, sorted."""
    return sorted(node.name for node in _parsed(module).body if isinstance(node, ast.ClassDef))


def _unnamed(parsed: ast.Module, schema: Any, schema_path: str) -> Iterator[Problem]:
    known = {str(schema["title"]), *schema.get("$defs", {})}
    for node in parsed.body:
        if isinstance(node, ast.ClassDef) and node.name not in known:
            yield Problem(
                schema_path,
                "",
                f"the class {node.name} has no definition: move its schema to a named definition",
            )


def _fields(node: ast.ClassDef) -> list[str]:
    """Return the Python names of a generated class's fields."""
    statements = [
        one for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    ]
    return [
        one.target.id for one in statements if isinstance(one.target, ast.Name) and one.target.id != "root"
    ]
