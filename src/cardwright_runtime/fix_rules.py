"""Fixes as data, and how one becomes a patch for what stands in a document.

A recipe is tried where its rule is broken; the first that has an answer there is the violation's fix.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.fix_functions import MISSING, PATCHES, VALUES, Place, at
from cardwright_runtime.violation import Fix, pointer_of, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cardwright_runtime.violation import Violation

    Steps = tuple[str, ...]
    Row = Mapping[str, Any]

EACH: Final = "*"
# What stands in for nothing: a member may be added over it.
_VOID: Final[tuple[Any, ...]] = (None, [], {})


@dataclass(frozen=True, slots=True)
class Recipe:
    """One fix of a file of rules: where it is tried, and how a patch is made of it.

    In `path` and `sources` a `*` stands for the step that the same `*` of the matching place stood for.
    """

    safe: bool
    description: str
    op: str
    at: tuple[Steps, ...]
    path: Steps | None
    sources: tuple[Steps, ...]
    value: Any
    table: Mapping[str, Any]
    make: str

    @classmethod
    def of(cls, row: Row) -> Recipe:
        """Return a recipe as a file of rules writes it."""
        return cls(
            safe=row["safe"],
            description=row["description"],
            op=row["op"],
            at=tuple(tuple(steps_of(pointer)) for pointer in row.get("at", ())),
            path=tuple(steps_of(row["path"])) if "path" in row else None,
            sources=tuple(tuple(steps_of(pointer)) for pointer in row.get("from", ())),
            value=row.get("value", MISSING),
            table=row.get("table", {}),
            make=row.get("make", ""),
        )

    def fix(self, document: Any, steps: Steps, memo: dict[str, Any]) -> Fix | None:
        """Return the fix of what is wrong at a place, or None where this recipe has no answer."""
        bound = self._bound(steps)
        if bound is None:
            return None
        target = steps if self.path is None else _filled(self.path, bound)
        sources = [_filled(source, bound) for source in self.sources]
        place = Place(document, target, at(document, target), self.table, self.value, memo)
        patch = self._patch(place, steps, sources)
        return Fix(self.safe, self.description, tuple(patch)) if patch else None

    def _bound(self, steps: Steps) -> list[str] | None:
        """Return the steps that the stars of the first matching place stand for; None where none matches."""
        for pattern in self.at:
            if len(pattern) == len(steps) and all(
                one in (EACH, step) for one, step in zip(pattern, steps, strict=True)
            ):
                return [step for one, step in zip(pattern, steps, strict=True) if one == EACH]
        return None if self.at else []

    def _patch(self, place: Place, steps: Steps, sources: list[Steps]) -> Sequence[Row] | None:
        if self.op == "rewrite":
            return PATCHES[self.make](place)
        if self.op == "remove":
            return None if place.seen is MISSING else [{"op": "remove", "path": place.pointer}]
        holder = at(place.document, place.steps[:-1])
        if type(holder) is not dict and not (type(holder) is list and place.seen is not MISSING):
            return None
        if self.op == "move":
            return _moved(place, sources or [steps])
        return self._written(place, sources)

    def _written(self, place: Place, sources: list[Steps]) -> Sequence[Row] | None:
        """Return the patch that writes a value: given, looked up, copied from a source or made of one."""
        if self.op == "add" and place.seen is not MISSING and place.seen not in _VOID:
            return None
        source = _first(place.document, sources) if sources else place.seen
        if self.table and not self.make:
            value = self.table.get(source.strip().casefold(), MISSING) if type(source) is str else MISSING
        elif self.make:
            value = MISSING if source is MISSING else VALUES[self.make](source, place)
        else:
            value = source if sources else self.value
        if value is MISSING or _same(value, place.seen):
            return None
        others = at(place.document, place.steps[:-1])
        if self.table and type(others) is list and value in others:
            # What is meant stands in the list already.
            return [{"op": "remove", "path": place.pointer}]
        op = "add" if place.seen is MISSING else "replace"
        return [{"op": op, "path": place.pointer, "value": value}]


class Recipes:
    """The fixes of one dialect, by the rule that they mend."""

    def __init__(self, rows: Mapping[str, Iterable[Row]]) -> None:
        self._of = {rule: tuple(map(Recipe.of, listed)) for rule, listed in rows.items()}

    def after(self, first: Recipes) -> Recipes:
        """Return these recipes behind others, which are tried before them."""
        both = Recipes({})
        both._of = {
            rule: first._of.get(rule, ()) + self._of.get(rule, ())
            for rule in self._of.keys() | first._of.keys()
        }
        return both

    def attached(self, found: list[Violation], document: Any) -> list[Violation]:
        """Return violations with the fixes that there are for them."""
        memo: dict[str, Any] = {}
        return [self._attached(violation, document, memo) for violation in found]

    def _attached(self, violation: Violation, document: Any, memo: dict[str, Any]) -> Violation:
        listed = self._of.get(violation.rule, ())
        null = violation.rule == "schema/type"
        if violation.fix is not None or not (listed or null):
            return violation
        steps = tuple(steps_of(violation.pointer))
        if null and at(document, steps) is None:
            # A null where a member must stand is as good as no member.
            listed += self._of.get("schema/required", ())
        for recipe in listed:
            fix = recipe.fix(document, steps, memo)
            if fix is not None:
                return replace(violation, fix=fix)
        return violation


def _moved(place: Place, sources: list[Steps]) -> Sequence[Row] | None:
    for source in sources:
        value = at(place.document, source)
        if value is MISSING or source == place.steps:
            continue
        origin = pointer_of(source)
        if place.seen is MISSING:
            return [{"op": "move", "from": origin, "path": place.pointer}]
        # Said twice and alike, once is enough.
        return [{"op": "remove", "path": origin}] if _same(place.seen, value) else None
    return None


def _first(document: Any, sources: list[Steps]) -> Any:
    """Return the first source that holds something; blank text is nothing."""
    for source in sources:
        value = at(document, source)
        if value is not MISSING and value not in _VOID and not (type(value) is str and not value.strip()):
            return value
    return MISSING


def _filled(pattern: Steps, bound: list[str]) -> Steps:
    stars = iter(bound)
    return tuple(next(stars) if step == EACH else step for step in pattern)


def _same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal; to Python true is 1, and 1.0 too."""
    return type(one) is type(other) and one == other
