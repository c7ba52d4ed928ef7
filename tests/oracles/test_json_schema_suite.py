"""The JSON-Schema-Test-Suite with the run-time validator as configured, and with the second oracle."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema.validators import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012, EMPTY_REGISTRY, specification_with

from cardwright_runtime.engine import compile_schema
from tests.shared import shared

if TYPE_CHECKING:
    from collections.abc import Iterator

# What jsonschema is known to miss, each with the reason.
MISSES = Path(__file__).parent / "jsonschema-misses.json"
REMOTES = "http://localhost:1234"
# Figures of the suite at commit 44401e0c.
REQUIRED, FORMATS = 1299, 764


def remotes(suite: Path) -> list[tuple[str, Any]]:
    """Return the suite's remote schemas by URI."""
    folder = suite / "remotes"
    return [
        (f"{REMOTES}/{file.relative_to(folder).as_posix()}", json.loads(file.read_text(encoding="utf-8")))
        for file in sorted(folder.rglob("*.json"))
        if file.relative_to(folder).parts[0] != "v1"  # a draft after 2020-12
    ]


def cases(folder: Path) -> Iterator[tuple[str, Any, Any, bool]]:
    """Yield (name, schema, data, valid) of every case in a folder, its subfolders left out."""
    for file in sorted(folder.glob("*.json")):
        for case in json.loads(file.read_text(encoding="utf-8")):
            for test in case["tests"]:
                name = f"{file.stem}: {case['description']}: {test['description']}"
                yield name, case["schema"], test["data"], test["valid"]


def accepts(schema: Any, data: Any, resources: list[tuple[str, Any]], *, formats: bool) -> bool:
    return compile_schema(schema, formats=formats, resources=resources).is_valid(data)


def test_every_required_case_agrees() -> None:
    suite = shared("oracles", "json-schema-test-suite")
    resources = remotes(suite)
    wrong, count = [], 0
    for name, schema, data, valid in cases(suite / "tests" / "draft2020-12"):
        count += 1
        if accepts(schema, data, resources, formats=False) != valid:
            wrong.append(name)
    assert wrong == []
    assert count == REQUIRED


def test_every_format_case_agrees() -> None:
    suite = shared("oracles", "json-schema-test-suite")
    wrong, count = [], 0
    for name, schema, data, valid in cases(suite / "tests" / "draft2020-12" / "optional" / "format"):
        count += 1
        if accepts(schema, data, [], formats=True) != valid:
            wrong.append(name)
    assert wrong == []
    assert count == FORMATS


def test_the_second_oracle_misses_only_what_is_listed() -> None:
    suite = shared("oracles", "json-schema-test-suite")
    known = json.loads(MISSES.read_text(encoding="utf-8"))
    registry: Registry[Any] = EMPTY_REGISTRY.with_resources(
        (uri, Resource.from_contents(schema, default_specification=_specification(schema)))
        for uri, schema in remotes(suite)
    )
    missed = []
    for name, schema, data, valid in cases(suite / "tests" / "draft2020-12"):
        validator = Draft202012Validator(schema, registry=registry)
        try:
            agrees = validator.is_valid(data) == valid
        except re.error:  # a pattern that Python's `re` does not know
            agrees = False
        if not agrees:
            missed.append(name)
    assert missed == known["required"]


def _specification(schema: Any) -> Any:
    stated = schema.get("$schema") if isinstance(schema, dict) else None
    return specification_with(stated, default=DRAFT202012) if stated else DRAFT202012


def test_no_foreign_schema_is_fetched() -> None:
    with pytest.raises(Exception, match="not bundled"):
        compile_schema({"$ref": "https://schemas.example.com/anything.json"})
