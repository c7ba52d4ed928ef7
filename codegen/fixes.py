"""Fixes as data: those beside a rule and those of a whole file, by the rule that they mend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codegen.sources import Dialect, Tree

# What a fix may name where no table or value says it; `cardwright_runtime/fix_functions.py` holds them.
MAKES: Final = frozenset(
    {
        "agreed-security", "authentication", "authentication-schemes", "declared", "dual-scheme",
        "emptied", "interface", "listed", "main-listed", "main-transport", "minor", "named-schemes",
        "numbered", "one-skill", "origin", "padded", "repeated", "requirement", "scheme", "scopes",
        "security", "skill", "slug", "spoken", "text", "trimmed", "unneeded", "wrapped-authentication",
        "wrapped-declared", "wrapped-scheme",
    }
)  # fmt: skip


def fixes_of(tree: Tree, dialect: Dialect) -> dict[str, list[Any]]:
    """Return a dialect's fixes by the rule that they mend, in the order in which they are tried.

    A later file knows its dialect better than an earlier one, so its fixes come first.
    """
    found: dict[str, list[Any]] = {}
    for path in reversed(dialect.rules):
        for of, fix in written(tree.rule_sets[path].rules, tree.rule_sets[path].fixes):
            found.setdefault(of, []).append({name: value for name, value in fix.items() if name != "of"})
    return dict(sorted(found.items()))


def written(rules: tuple[Any, ...], fixes: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """Yield (rule, fix) of a file of rules: first those that stand beside a rule."""
    for rule in rules:
        beside = rule.get("fix", [])
        yield from ((rule["id"], fix) for fix in (beside if isinstance(beside, list) else [beside]))
    for fix in fixes:
        yield fix["of"], fix
