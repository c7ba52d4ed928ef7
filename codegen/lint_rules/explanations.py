"""Lint rules of explanations: each rule of `schemas/rules` has one, in the file of its area."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegen.shape import pointer_of
from codegen.sources import EXAMPLE_CARDS, EXPLANATIONS, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codegen.sources import Tree


def explanation_problems(tree: Tree) -> Iterator[Problem]:
    """Yield each rule without an explanation, each explanation in a wrong file and each unknown example card."""
    if not tree.explanations:
        return
    explained: set[str] = set()
    for path, document in tree.explanations.items():
        area = path.removeprefix(EXPLANATIONS).removesuffix(".json")
        for rule, entry in document["rules"].items():
            at = pointer_of(["rules", rule])
            explained.add(rule)
            if not rule.startswith(f"{area}/"):
                yield Problem(path, at, f"this file explains the rules of the area {area}")
            dialect = entry["example"].get("dialect")
            if dialect is not None and dialect not in tree.example_cards:
                yield Problem(path, f"{at}/example/dialect", f"{EXAMPLE_CARDS} has no card of {dialect}")
    for path, rules in tree.rule_sets.items():
        for index, rule in enumerate(rules.rules):
            rule_id = rule.get("id") if isinstance(rule, dict) else None
            if isinstance(rule_id, str) and rule_id not in explained and not tree.problems:
                yield Problem(path, f"/rules/{index}/id", f"{rule_id} has no explanation in {EXPLANATIONS}")
