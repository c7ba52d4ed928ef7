"""Lint rules of the fixes: the fixed rule exists, and every `*` is bound by the fixed place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codegen.fixes import FIX_FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codegen.sources import RuleSet, Tree


def fix_problems(tree: Tree, rule_set: RuleSet) -> Iterator[tuple[str, str]]:
    """Yield (pointer, message) of each problem of the fixes in a rules file, whatever its shape."""
    every = (rule for rules in tree.rule_sets.values() for rule in rules.rules)
    ids = {str(rule.get("id")) for rule in every if isinstance(rule, dict)}
    for index, rule in enumerate(rule_set.rules):
        fix = rule.get("fix") if isinstance(rule, dict) else None
        many = isinstance(fix, list)
        for number, entry in enumerate(fix if isinstance(fix, list) else [fix]):
            if isinstance(entry, dict):
                at = f"/rules/{index}/fix{f'/{number}' if many else ''}"
                if "of" in entry:
                    yield f"{at}/of", "a fix beside a rule always fixes that rule: remove this field"
                yield from ((at + name, fault) for name, fault in _faults(entry, rule.get("at")))
    for index, entry in enumerate(rule_set.fixes):
        if isinstance(entry, dict):
            at = f"/fixes/{index}"
            of = str(entry.get("of"))
            if not of.startswith("schema/") and of not in ids:
                yield f"{at}/of", f"there is no rule {of}"
            yield from ((at + name, fault) for name, fault in _faults(entry, ()))


def _faults(fix: Any, places: Any) -> Iterator[tuple[str, str]]:
    if "make" in fix and str(fix["make"]) not in FIX_FUNCTIONS:
        yield "/make", f"must be one of {', '.join(sorted(FIX_FUNCTIONS))}"
    pointers = fix.get("at", places)
    at = [str(pointer) for pointer in pointers] if isinstance(pointers, list) else []
    least = min((pointer.count("*") for pointer in at), default=0)
    pointers_with_stars = [("/path", fix.get("path"))] if "path" in fix else []
    sources = fix.get("from")
    pointers_with_stars += [
        (f"/from/{n}", source) for n, source in enumerate(sources if isinstance(sources, list) else ())
    ]
    for place, pointer in pointers_with_stars:
        if str(pointer).count("*") > least:
            yield place, "has more * than the place that is fixed"
