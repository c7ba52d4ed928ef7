"""Rules and fixes that name a definition instead of a pointer, such as `#/$defs/Part/raw`: every place that has it.

A rule about spelling may name every object (`/**`). Tasks, events, requests and responses contain parts of messages. The places follow from the schema.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.checks import ITEM
from codegen.bundle import bundle
from codegen.sources import BrokenTree, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codegen.sources import Dialect, RuleSet, Tree

    Json = Any

_DEFINITION: Final = "#/$defs/"
# Every object of a dialect.
EVERYWHERE: Final = "/**"
SPELLING: Final = "spelling"
_ARMS: Final = ("allOf", "anyOf", "oneOf")


def rule_sets_of(tree: Tree, dialect: Dialect) -> list[RuleSet]:
    """Return the rules files of a dialect, with each name of a definition replaced by the pointers of its places.

    Raises:
        BrokenTree: If the dialect's schema does not contain such a definition.
    """
    sets = [tree.rule_sets[path] for path in dialect.rules]
    if not any(
        _is_placed(entry, pointer) for one in sets for entry in _entries(one) for pointer in entry["at"]
    ):
        return sets
    bundled = bundle(tree, str(dialect.schema), dialect.also)
    found = places(bundled)

    def placed(entry: Json, path: str) -> Json:
        if entry.get("kind") == SPELLING and entry["at"] == [EVERYWHERE]:
            return {**entry, "at": objects(bundled, found)}
        try:
            return {**entry, "at": [one for pointer in entry["at"] for one in _pointers(pointer, found)]}
        except KeyError as error:
            problem = Problem(path, "", f"{dialect.schema} has no place of the definition {error}")
            raise BrokenTree([problem]) from None

    def placed_fixes(fix: Json, path: str, at: Json) -> list[Json]:
        """Return a fix once for each place if its own pointers name a definition: they are those of the same place."""
        sources = fix.get("from", [])
        if not any(map(_is_named, (fix.get("path", ""), *sources))):
            return [placed(fix, path) if "at" in fix else fix]
        columns = {
            pointer: placed({"at": [pointer]}, path)["at"]
            for pointer in (*sources, *([fix["path"]] if "path" in fix else ()))
        }
        return [
            {
                **fix,
                "at": [place],
                **({"path": columns[fix["path"]][index]} if "path" in fix else {}),
                **({"from": [columns[source][index] for source in sources]} if sources else {}),
            }
            for index, place in enumerate(placed({"at": fix.get("at", at)}, path)["at"])
        ]

    def of(one: RuleSet) -> RuleSet:
        rules = []
        for rule in one.rules:
            beside = rule.get("fix", [])
            made = [
                fix
                for entry in (beside if isinstance(beside, list) else [beside])
                for fix in placed_fixes(entry, one.path, rule["at"])
            ]
            rules.append({**placed(rule, one.path), **({"fix": made} if made else {})})
        fixes = [made for fix in one.fixes for made in placed_fixes(fix, one.path, fix["at"])]
        return replace(one, rules=tuple(rules), fixes=tuple(fixes))

    return [of(one) for one in sets]


def places(bundled: Json) -> dict[str, list[str]]:
    """Return the pointers of every place of each definition of a bundled schema, `[*]` for items and `*` for other fields."""
    found: dict[str, dict[str, None]] = {}
    for name, pointer in _walk(bundled, bundled, "", ()):
        found.setdefault(name, {})[pointer] = None
    return {name: list(pointers) for name, pointers in found.items()}


def objects(bundled: Json, found: Mapping[str, list[str]]) -> list[str]:
    """Return the pointers of every object with fields of its own, the root first."""
    named = [name for name, schema in bundled["$defs"].items() if "properties" in schema]
    return ["", *dict.fromkeys(pointer for name in named for pointer in found.get(name, ()) if pointer)]


def _walk(root: Json, node: Json, pointer: str, inside: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield (definition, pointer) of each place below a node; a definition inside itself is not entered again."""
    if not isinstance(node, dict):
        return
    name = str(node.get("$ref", "")).removeprefix(_DEFINITION)
    if name and name not in inside:
        yield name, pointer
        yield from _walk(root, root["$defs"][name], pointer, (*inside, name))
    for keyword in _ARMS:
        for arm in node.get(keyword, ()):
            yield from _walk(root, arm, pointer, inside)
    for keyword in ("then", "else"):
        yield from _walk(root, node.get(keyword), pointer, inside)
    for field, inner in node.get("properties", {}).items():
        yield from _walk(root, inner, f"{pointer}/{field}", inside)
    yield from _walk(root, node.get("items"), f"{pointer}/{ITEM}", inside)
    yield from _walk(root, node.get("additionalProperties"), f"{pointer}/*", inside)


def _entries(rule_set: RuleSet) -> Iterator[Json]:
    return (entry for entry in (*rule_set.rules, *rule_set.fixes) if "at" in entry)


def _is_placed(entry: Json, pointer: str) -> bool:
    return _is_named(pointer) or (entry.get("kind") == SPELLING and pointer == EVERYWHERE)


def _is_named(pointer: str) -> bool:
    return pointer.startswith(_DEFINITION)


def _pointers(pointer: str, found: Mapping[str, list[str]]) -> list[str]:
    if not _is_named(pointer):
        return [pointer]
    name, slash, rest = pointer.removeprefix(_DEFINITION).partition("/")
    return [f"{place}{slash}{rest}" for place in found[name]]
