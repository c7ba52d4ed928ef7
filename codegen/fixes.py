"""Fixes as data: those beside a rule and those of a whole file, by the rule that they fix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from codegen.placing import rule_sets_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codegen.sources import Dialect, Tree

# The functions that a fix may name in `make`; `cardwright_runtime/fix_functions.py` defines them.
FIX_FUNCTIONS: Final = frozenset(
    {
        "agreed-security", "air-identifier", "air-prefix", "authentication", "authentication-schemes", "base64", "data-url", "declared", "dual-scheme", "flags", "known-flags",
        "emptied", "flat-file", "interface", "listed", "main-listed", "main-transport", "media-types", "minor", "named-interfaces", "named-schemes",
        "no-authentication", "numbered", "older-security", "one-skill", "origin", "padded", "part-kind", "repeated", "requirement", "scheme", "scopes",
        "security", "server-name", "shortened", "skill", "slug", "spoken", "text", "trimmed", "unneeded", "void", "wrapped-authentication",
        "wrapped-declared", "wrapped-scheme", "zoned",
    }
)  # fmt: skip


def fixes_of(tree: Tree, dialect: Dialect) -> dict[str, list[Any]]:
    """Return a dialect's fixes by the rule that they fix, in the order in which they are tried.

    A later file is more specific than an earlier one, so its fixes come first.
    """
    fixes: dict[str, list[Any]] = {}
    for rule_set in reversed(rule_sets_of(tree, dialect)):
        for of, fix in written(rule_set.rules, rule_set.fixes):
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
