"""Fixes as data, and their application: a fix rule becomes a patch for one document.

The rules are tried in order at each violation; the first that applies there gives the violation its fix.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.checks import EACH, ITEM
from cardwright_runtime.fix_functions import MISSING, PATCHES, VALUES, Place, at, unknown_names
from cardwright_runtime.spelling import claims
from cardwright_runtime.unions import UNIONS
from cardwright_runtime.violation import Fix, pointer_of, quote, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cardwright_runtime.violation import Violation

    Steps = tuple[str, ...]
    Row = Mapping[str, Any]

_STARS: Final = (EACH, ITEM)
_UNIONS: Final = tuple(f"schema/{keyword}" for keyword in UNIONS)
# So many dropped entries are named; all are counted.
_NAMED: Final = 3
# Values that count as absent: a field may replace them.
_VOID: Final[tuple[Any, ...]] = (None, [], {})


@dataclass(frozen=True, slots=True)
class FixRule:
    """One fix of a rules file: where it is tried, how its patch is built, and whether it invents what describes an agent.

    A `*` in `path` and `sources` is replaced by the step that the same `*` of the matching `at` captured.
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
    invents: bool

    @classmethod
    def of(cls, row: Row) -> FixRule:
        """Return a fix rule from its entry in a rules file."""
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
            invents=row.get("invents", False),
        )

    def is_for(self, depth: int) -> bool:
        """Return whether it may apply to a place with so many steps."""
        return not self.at or any(len(pattern) == depth for pattern in self.at)

    def fix(self, document: Any, steps: Steps, memo: dict[str, Any]) -> Fix | None:
        """Return the fix of a violation at a place, or None if this rule does not apply there."""
        captured = self._captured(steps)
        if captured is None:
            return None
        target = steps if self.path is None else _filled(self.path, captured)
        sources = [_filled(source, captured) for source in self.sources]
        place = Place(document, target, at(document, target), self.table, self.value, memo)
        patch = self._patch(place, steps, sources)
        return Fix(self.safe, self._described(place), tuple(patch), self.invents) if patch else None

    def _described(self, place: Place) -> str:
        """Return the description, with the entries of a list or an object that the fix drops."""
        gone: list[Any] = []
        if self.make in ("flags", "known-flags", "named-interfaces"):
            gone = unknown_names(place)
        elif type(place.current) in (list, dict) and (self.op == "remove" or not self.make):
            gone = list(place.current)
        if not gone or self.op == "move":
            return self.description
        named = ", ".join(map(quote, gone[:_NAMED])) + (", …" if len(gone) > _NAMED else "")
        return (
            f"{self.description}, and drops {len(gone)} {'entry' if len(gone) == 1 else 'entries'}: {named}"
        )

    def _captured(self, steps: Steps) -> list[str] | None:
        """Return the steps that the stars of the first matching `at` capture; None if no `at` matches."""
        for pattern in self.at:
            if len(pattern) == len(steps) and all(
                expected in (EACH, step) or (expected == ITEM and step.isdecimal())
                for expected, step in zip(pattern, steps, strict=True)
            ):
                return [step for expected, step in zip(pattern, steps, strict=True) if expected in _STARS]
        return None if self.at else []

    def _patch(self, place: Place, steps: Steps, sources: list[Steps]) -> Sequence[Row] | None:
        if self.op == "rewrite":
            return PATCHES[self.make](place)
        if self.op == "remove":
            return None if place.current is MISSING else [{"op": "remove", "path": place.pointer}]
        holder = at(place.document, place.steps[:-1])
        if type(holder) is not dict and not (type(holder) is list and place.current is not MISSING):
            return None
        if self.op == "move":
            return _moved(place, sources or [steps])
        return self._written(place, sources)

    def _written(self, place: Place, sources: list[Steps]) -> Sequence[Row] | None:
        """Return the patch that writes a value: given, looked up, copied from a source or computed from one."""
        if self.op == "add" and place.current is not MISSING and place.current not in _VOID:
            return None
        source = _first(place.document, sources) if sources else place.current
        if self.table and not self.make:
            value = self.table.get(source.strip().casefold(), MISSING) if type(source) is str else MISSING
        elif self.make:
            value = MISSING if source is MISSING else VALUES[self.make](source, place)
        else:
            value = source if sources else self.value
        if value is MISSING or _same(value, place.current):
            return None
        others = at(place.document, place.steps[:-1])
        if self.table and type(others) is list and value in others:
            # The intended value is in the list already.
            return [{"op": "remove", "path": place.pointer}]
        op = "add" if place.current is MISSING else "replace"
        return [{"op": op, "path": place.pointer, "value": value}]


class FixRules:
    """The fix rules of one dialect, by the rule that they fix."""

    def __init__(self, rows: Mapping[str, Iterable[Row]]) -> None:
        self._of = {rule: tuple(map(FixRule.of, rules)) for rule, rules in rows.items()}
        # Of the fix rules of a rule those that may apply to a place with so many steps: most do not.
        self._of_depth: dict[tuple[str, int], tuple[FixRule, ...]] = {}

    def after(self, first: FixRules) -> FixRules:
        """Return these fix rules and others, which are tried first."""
        both = FixRules({})
        both._of = {
            rule: first._of.get(rule, ()) + self._of.get(rule, ())
            for rule in self._of.keys() | first._of.keys()
        }
        return both

    def attached(self, violations: list[Violation], document: Any) -> list[Violation]:
        """Return the violations, each with its fix if there is one; a fix is made when it is first read."""
        memo: dict[str, Any] = {}
        claimed = claims(violations)

        def make(violation: Violation) -> Fix | None:
            fix = self._fix(violation, document, memo)
            # Another spelling of the field has the value that it should get.
            return None if fix and fix.safe and any(_writes(fix, pointer) for pointer in claimed) else fix

        return [
            violation.with_fix(make) if self._may_fix(violation) else violation for violation in violations
        ]

    def _may_fix(self, violation: Violation) -> bool:
        return violation.fix is None and (violation.rule in self._of or violation.rule.startswith("schema/"))

    def _fix(self, violation: Violation, document: Any, memo: dict[str, Any]) -> Fix | None:
        steps = tuple(steps_of(violation.pointer))
        rules = [violation.rule]
        if violation.rule == "schema/type" and at(document, steps) is None:
            # A null in a required field is like a missing field.
            rules.append("schema/required")
        fix = self._of_union(violation, document, steps, memo)
        return fix or next(filter(None, (self._first(rule, document, steps, memo) for rule in rules)), None)

    def _first(self, rule: str, document: Any, steps: Steps, memo: dict[str, Any]) -> Fix | None:
        """Return the first fix of a rule that applies to a place."""
        key = rule, len(steps)
        if key not in self._of_depth:
            self._of_depth[key] = tuple(one for one in self._of.get(rule, ()) if one.is_for(len(steps)))
        fixes = (fix_rule.fix(document, steps, memo) for fix_rule in self._of_depth[key])
        return next((fix for fix in fixes if fix is not None), None)

    def _of_union(
        self, violation: Violation, document: Any, steps: Steps, memo: dict[str, Any]
    ) -> Fix | None:
        """Return the fix of the union that contains an error: the errors of a union are those of one alternative."""
        if not violation.rule.startswith("schema/"):
            return None
        places = ((rule, steps[:depth]) for depth in range(len(steps), 0, -1) for rule in _UNIONS)
        fixes = ((self._first(rule, document, place, memo), place) for rule, place in places)
        return next((fix for fix, place in fixes if fix and _changes(fix, document, place, steps)), None)


def _writes(fix: Fix, pointer: str) -> bool:
    """Return whether a fix adds an absent field, alone or in the object around it."""
    return any(
        operation["op"] in ("add", "replace")
        and f"{pointer}/".startswith(f"{operation['path']}/")
        and at(operation["value"], steps_of(pointer[len(operation["path"]) :])) is not MISSING
        for operation in fix.patch
    )


def _changes(fix: Fix, document: Any, union: Steps, steps: Steps) -> bool:
    """Return whether a fix that replaces a union changes the value at a place in it, or the object around it."""
    operation = fix.patch[0]
    if operation["op"] != "replace" or operation["path"] != pointer_of(union):
        return True
    inner = steps[len(union) :]
    if inner and at(operation["value"], inner[:-1]) is MISSING:
        return True
    return not _same(at(operation["value"], inner), at(document, steps))


def _moved(place: Place, sources: list[Steps]) -> Sequence[Row] | None:
    for source in sources:
        value = at(place.document, source)
        if value is MISSING or source == place.steps:
            continue
        origin = pointer_of(source)
        if place.current is MISSING:
            return [{"op": "move", "from": origin, "path": place.pointer}]
        # The same value at both places: remove the source.
        return [{"op": "remove", "path": origin}] if _same(place.current, value) else None
    return None


def _first(document: Any, sources: list[Steps]) -> Any:
    """Return the first source with a value; blank text does not count."""
    for source in sources:
        value = at(document, source)
        if value is not MISSING and value not in _VOID and not (type(value) is str and not value.strip()):
            return value
    return MISSING


def _filled(pattern: Steps, captured: list[str]) -> Steps:
    stars = iter(captured)
    return tuple(next(stars) if step in _STARS else step for step in pattern)


def _same(expected: Any, other: Any) -> bool:
    """Return whether two JSON values are equal; in Python, True == 1 == 1.0."""
    return type(expected) is type(other) and expected == other
