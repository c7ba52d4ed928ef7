"""Fixes as data: those beside a rule and those of a whole file, by the rule that they fix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codegen.sources import Dialect, Tree

# The functions that a fix may name in `make`; `cardwright_runtime/fix_functions.py` defines them.
FIX_FUNCTIONS: Final = frozenset(
    {
        "agreed-security", "air-identifier", "air-prefix", "authentication", "authentication-schemes", "declared", "dual-scheme", "flags", "known-flags",
        "emptied", "interface", "listed", "main-listed", "main-transport", "minor", "named-schemes",
        "numbered", "one-skill", "origin", "padded", "repeated", "requirement", "scheme", "scopes",
        "security", "server-name", "shortened", "skill", "slug", "spoken", "text", "trimmed", "unneeded", "wrapped-authentication",
        "wrapped-declared", "wrapped-scheme",
    }
)  # fmt: skip


def fixes_of(tree: Tree, dialect: Dialect) -> dict[str, list[Any]]:
    """Return a dialect's fixes by the rule that they fix, in the order in which they are tried.

    A later file is more specific than an earlier one, so its fixes come first.
    """
    fixes: dict[str, list[Any]] = {}
    for path in reversed(dialect.rules):
        for of, fix in written(tree.rule_sets[path].rules, tree.rule_sets[path].fixes):
            fixes.setdefault(of, []).append({name: value for name, value in fix.items() if name != "of"})
    return dict(sorted(fixes.items()))


def written(rules: tuple[Any, ...], fixes: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """Yield (rule, fix) of each fix in a rules file: first the fixes beside a rule."""
    for rule in rules:
        beside = rule.get("fix", [])
        yield from (
            (rule["id"], _placed(fix, rule["at"]))
            for fix in (beside if isinstance(beside, list) else [beside])
        )
    for fix in fixes:
        yield fix["of"], fix


def _placed(fix: Any, places: Any) -> Any:
    """Return a fix beside a rule, with the places of the rule if a `*` of its own pointers needs them."""
    pointers = [fix.get("path", ""), *fix.get("from", ())]
    return {"at": places, **fix} if any("*" in pointer for pointer in pointers) else fix
