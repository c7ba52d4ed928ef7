"""House rules of the fixes: what they mend is there, and every `*` is one of the place they mend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codegen.fixes import MAKES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codegen.sources import RuleSet, Tree


def fix_problems(tree: Tree, rule_set: RuleSet) -> Iterator[tuple[str, str]]:
    """Yield (pointer, fault) of the fixes in a file of rules of any shape."""
    every = (rule for rules in tree.rule_sets.values() for rule in rules.rules)
    ids = {str(rule.get("id")) for rule in every if isinstance(rule, dict)}
    for index, rule in enumerate(rule_set.rules):
        fix = rule.get("fix") if isinstance(rule, dict) else None
        many = isinstance(fix, list)
        for number, one in enumerate(fix if isinstance(fix, list) else [fix]):
            if isinstance(one, dict):
                at = f"/rules/{index}/fix{f'/{number}' if many else ''}"
                if "of" in one:
                    yield f"{at}/of", "a fix beside a rule mends that rule"
                yield from ((at + name, fault) for name, fault in _faults(one, rule.get("at")))
    for index, one in enumerate(rule_set.fixes):
        if isinstance(one, dict):
            at = f"/fixes/{index}"
            of = str(one.get("of"))
            if not of.startswith("schema/") and of not in ids:
                yield f"{at}/of", "no rule has that id"
            yield from ((at + name, fault) for name, fault in _faults(one, ()))


def _faults(fix: Any, places: Any) -> Iterator[tuple[str, str]]:
    if "make" in fix and str(fix["make"]) not in MAKES:
        yield "/make", f"must be one of {', '.join(sorted(MAKES))}"
    pointers = fix.get("at", places)
    at = [str(pointer) for pointer in pointers] if isinstance(pointers, list) else []
    least = min((pointer.count("*") for pointer in at), default=0)
    named = [("/path", fix.get("path"))] if "path" in fix else []
    sources = fix.get("from")
    named += [(f"/from/{n}", one) for n, one in enumerate(sources if isinstance(sources, list) else ())]
    for place, pointer in named:
        if str(pointer).count("*") > least:
            yield place, "has more * than the place that is mended"
