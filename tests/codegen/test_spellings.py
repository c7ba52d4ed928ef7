"""The schema of field names: which documents need no look at each name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cardwright_runtime.engine import compile_schema, load
from codegen.__main__ import pin
from codegen.render import render_tree
from codegen.sources import BrokenTree
from codegen.spellings import names_schema, spellings_of

if TYPE_CHECKING:
    from collections.abc import Callable

HYBRID = Path(__file__).parents[2] / "examples" / "a2a-hybrid.card.json"
RULES: list[Any] = [
    {"id": "one/spelling", "kind": "spelling", "at": ["/links/*"]},
    {"id": "one/version", "kind": "absent", "at": ["/version"]},
]
BUNDLED: Any = {"properties": {"links": {"items": {"properties": {"url": {}}}}}}
RELATED = {"/links/*": (("uri", "transport"), ()), "/other": (("x",), ())}
SCHEMA = names_schema(RULES, spellings_of(RULES[:1], BUNDLED, "one", [RELATED]))


@pytest.mark.parametrize(
    ("document", "accepted"),
    [
        ({"links": [{"url": "a"}]}, True),
        ({"links": [{"transport": "a"}], "anything": 1}, True),
        # Another version's name, but here a spelling of `url`.
        ({"links": [{"uri": "a"}]}, False),
        ({"links": [{"url": "a"}, {"colour": "a"}]}, False),
        ({"version": "1"}, False),
    ],
)
def test_names_of_other_versions_are_no_misspellings(document: Any, *, accepted: bool) -> None:
    assert compile_schema(SCHEMA).is_valid(document) is accepted


@pytest.mark.parametrize("half", ["a2a_v0_2", "a2a_v0_3", "a2a_v1_0"])
def test_a_hybrid_has_no_unusual_name_for_its_halves(half: str) -> None:
    schema = load(f"cardwright_rules.{half}", "lints.json")["rules"]["names"]
    # A hybrid silences the rules about fields of the other half.
    silenced = {**schema, "$defs": dict.fromkeys(schema["$defs"], True)}
    assert compile_schema(silenced).is_valid(json.loads(HYBRID.read_bytes()))


def test_a_rule_about_spelling_is_for_every_object(
    schemas: Path, edit: Callable[[Path, str, Callable[[Any], object]], None]
) -> None:
    def misplace(rules: Any) -> None:
        rule = next(rule for rule in rules["rules"] if rule["kind"] == "spelling")
        rule["at"] = ["/name"]

    edit(schemas, "rules/a2a-1.0.rules.json", misplace)
    pin(schemas)
    with pytest.raises(BrokenTree) as broken:
        render_tree(schemas)

    assert [problem.file for problem in broken.value.problems] == ["rules/a2a-1.0.rules.json"]
