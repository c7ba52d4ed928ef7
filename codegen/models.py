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

from cardwright_runtime.wire_names import wire_name
from codegen.sources import BrokenTree, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHARED: Final = (
    "--input-file-type", "jsonschema",
    "--schema-version", "2020-12",
    "--output-model-type", "pydantic_v2.BaseModel",
    "--target-pydantic-version", "2.14",
    "--target-python-version", "3.11",
    "--snake-case-field",
    "--enum-field-as-literal", "all",
    "--use-union-operator",
    "--use-standard-collections",
    "--use-schema-description",
    "--use-field-description",
    "--use-attribute-docstrings",
    "--disable-timestamp",
    "--no-formatters",
)  # fmt: skip
# Why: absent stays absent and null is refused (missing sentinel, strict nullable); Python names build and wire names
# read (snake case with serialization aliases, see cardwright_runtime/wire.py); unknown fields are kept.
OPTIONS: Final = (
    *_SHARED,
    "--use-missing-sentinel",
    "--strict-nullable",
    "--use-serialization-alias",
    "--use-annotated",
    "--base-class", "cardwright_runtime.wire.WireModel",
)  # fmt: skip
# A response distinguishes an absent field from null. The fields of the API are in snake case already.
API_OPTIONS: Final = (
    *_SHARED,
    "--use-missing-sentinel",
    "--use-annotated",
    "--use-generic-container-types",
    "--base-class", "cardwright_runtime.documents.DocumentModel",
)  # fmt: skip
# Settings are read and never written back, and their schema refuses null: an absent field has its
# default, or is None. Without --use-annotated a default may be the JSON of an object.
SETTINGS_OPTIONS: Final = (
    *_SHARED,
    "--strict-nullable",
    "--use-default-kwarg",
    "--use-generic-container-types",
    "--base-class", "cardwright_runtime.documents.SettingsModel",
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
        BrokenTree: If the generator refuses the schema, or creates a class or an alias that no rule explains.
    """
    module = _generated(_text(_for_models(bundled)), class_name, schema_path, OPTIONS)
    problems = list(_faults(module, bundled, schema_path))
    if problems:
        raise BrokenTree(problems)
    return module


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


def _for_models(node: Any, *, names: bool = False) -> Any:
    """Return a schema without the keywords in `_NOT_FOR_MODELS`; `names` marks maps from names to schemas."""
    if isinstance(node, list):
        return [_for_models(item) for item in node]
    if not isinstance(node, dict):
        return node
    if names:
        return {name: _for_models(value) for name, value in node.items()}
    # `properties` beside a union only add constraints to the fields of its arms.
    union = "oneOf" in node or "anyOf" in node
    return {
        key: _for_models(value, names=key in ("properties", "$defs"))
        for key, value in node.items()
        if key not in _NOT_FOR_MODELS
        and not key.startswith("x-")
        and not (union and key in ("properties", "type"))
    }


def _parsed(module: str) -> ast.Module:
    with _PARSING:
        return ast.parse(module)


def _faults(module: str, bundled: Any, schema_path: str) -> list[Problem]:
    try:
        parsed = _parsed(module)
    except SyntaxError as error:
        return [
            Problem(schema_path, "", f"its models are not valid Python (quotes in a description?): {error}")
        ]
    faults = list(_unnamed(parsed, bundled, schema_path))
    for node in parsed.body:
        if not isinstance(node, ast.ClassDef):
            continue
        for name, alias in _fields(node):
            if wire_name(name) != alias:
                faults.append(
                    Problem(
                        schema_path,
                        "",
                        f"{node.name}.{name}: {alias!r} does not follow from the Python name; add it to IRREGULAR",
                    )
                )
    return faults


def _unnamed(parsed: ast.Module, schema: Any, schema_path: str) -> Iterator[Problem]:
    known = {str(schema["title"]), *schema.get("$defs", {})}
    for node in parsed.body:
        if isinstance(node, ast.ClassDef) and node.name not in known:
            yield Problem(
                schema_path,
                "",
                f"the class {node.name} has no definition: move its schema to a named definition",
            )


def _fields(node: ast.ClassDef) -> list[tuple[str, str]]:
    """Return (Python name, wire name) of a generated class's fields."""
    fields = []
    for statement in node.body:
        if not (isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)):
            continue
        name = statement.target.id
        if name == "root":
            continue
        aliases = [
            keyword.value.value
            for call in ast.walk(statement.annotation)
            if isinstance(call, ast.Call)
            for keyword in call.keywords
            if keyword.arg == "serialization_alias" and isinstance(keyword.value, ast.Constant)
        ]
        fields.append((name, str(aliases[0]) if aliases else name))
    return fields
