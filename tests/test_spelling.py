"""Misspelt and synonymous names of fields: one finding that names the field, and no safe fix that adds it beside."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import Document, fix
from cardwright_rules.synonyms import SYNONYMS
from cardwright_runtime.fix_functions import at
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Iterator

BASES: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "schemas" / "explanations" / "bases.json").read_bytes()
)
# A letter that is missing, doubled, swapped or another one, and two of them.
SLIPS = {
    "without its last letter": lambda name: name[:-1],
    "with a letter twice": lambda name: name[:2] + name[1:],
    "with two letters swapped": lambda name: name[0] + name[2] + name[1] + name[3:],
    "with another letter": lambda name: f"{name[:2]}q{name[3:]}",
    "with two slips": lambda name: f"{name[0]}q{name[1:-1]}",
    "in capitals": str.upper,
}
# What these fields hold says which dialect it is, or which kind of value.
DISTINGUISHING = {"$schema", "jsonrpc", "id", "method", "kind", "protocol", "type", "remotes", "params"}


def objects(node: Any, steps: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield (steps, object) of each object with named fields: not of maps, whose keys are names of their own."""
    if isinstance(node, dict) and (
        not steps or steps[-1] not in {"securitySchemes", "schemes", "inputSchema"}
    ):
        yield steps, node
    pairs = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for step, inner in pairs:
        if step not in {"inputSchema", "security"}:
            yield from objects(inner, (*steps, step))


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("dialect", BASES)
def test_a_misspelt_field_is_one_finding_and_never_added_beside(dialect: str, slip: str) -> None:
    for steps, holder in objects(BASES[dialect]):
        for name in holder.keys() - DISTINGUISHING:
            wrong = SLIPS[slip](name)
            if len(name) < (6 if slip == "with two slips" else 4) or wrong == name:
                continue
            document = copy.deepcopy(BASES[dialect])
            place = at(document, tuple(map(str, steps)))
            place[wrong] = place.pop(name)
            found = Document.from_document(document, dialect=dialect).violations
            named = [one for one in found if one.rule.endswith("/spelling")]
            assert [one.pointer for one in named] == [pointer_of((*steps, wrong))], (name, wrong)
            assert f"did you mean {name}" in named[0].message
            assert pointer_of((*steps, name)) not in {one.pointer for one in found}
            better, _ = fix(Document.from_document(document, dialect=dialect), safe_only=True)
            after = at(better.document, tuple(map(str, steps)))
            assert not {name, wrong} <= after.keys(), (name, wrong)


def test_the_first_of_very_many_unknown_names_are_listed() -> None:
    names = {f"q{number:04}": 1 for number in range(1_100)}
    found = Document.from_document(BASES["mcp-registry-2025-12-11"] | names).violations
    assert [one.pointer for one in found] == ["", *(f"/{name}" for name in [*names][:1_000])]


def test_a_synonym_is_named_where_its_field_is_absent_alone() -> None:
    card = BASES["a2a-0.3"] | {"provider": {"name": "Harbour", "url": "https://harbour.example.com"}}
    (found,) = Document.from_document(card).violations
    assert (found.severity, found.pointer) == ("error", "/provider/name")
    card["provider"]["organization"] = "Harbour Office"
    assert Document.from_document(card).violations == ()
    assert SYNONYMS["name"][0] == ("organization", True)
