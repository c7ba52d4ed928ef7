"""Rounds of fixes: all that do not overlap at once, validated again, until nothing is left to fix.

Whether a round did good is asked at its end only, so that a card with a thousand violations is validated
a few times. Where something is worse than before, the fixes that may have caused it are barred and it begins anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import text_of
from cardwright.dialect import strongest
from cardwright.repair.patch import Moves, deepest_first, patched, places_of
from cardwright.validator import violations_of
from cardwright_runtime.violation import steps_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from cardwright.card import Card
    from cardwright.checks import Checks
    from cardwright_runtime.violation import Violation

    Steps = tuple[str, ...]
    # A violation's rule and where it is.
    Fault = tuple[str, Steps]

# One document may be wrong in a million places; past these none is fixed (project decision).
MAX_VIOLATIONS: Final = 10_000
# What a fix brings to light is fixed in the next round; no card needs more than a few (project decision).
_ROUNDS: Final = 32
# How often it is begun anew without those that did harm; the last times, without their rules (project decision).
_RESTARTS: Final = 6
_RESTARTS_BY_FIX: Final = 4
# With more fixes than these, none is tried alone (project decision).
_MAX_SINGLES: Final = 24
_END: Final = ("-",)


class FixRun:
    """The card to fix, how its documents are validated on the way, and which guesses are welcome.

    `ask` is None where no guess is welcome.
    """

    def __init__(self, card: Card, checks: Checks, ask: Callable[[Violation], bool] | None) -> None:
        self._card = card
        self._dialect = str(card.dialect)
        sign = strongest(card.document)
        # A card that was read with another dialect than the detected one keeps it.
        self._keeps_dialect = sign is None or sign[0] != self._dialect
        self._checks = checks
        self._ask = ask
        self._answers: dict[tuple[int, str, str], bool] = {}
        self._layouts = count(1)

    @property
    def guesses(self) -> bool:
        """Whether any guess is welcome."""
        return self._ask is not None

    def welcomes(self, violation: Violation, layout: int) -> bool:
        """Whether to guess what would fix a violation; asked once of each, as long as pointers hold."""
        key = layout, violation.rule, violation.pointer
        if key not in self._answers:
            self._answers[key] = self._ask is not None and self._ask(violation)
        return self._answers[key]

    def start(self) -> State:
        """Return the card's document with its violations."""
        return self.validated(self._card.document)

    def validated(self, document: Any, before: State | None = None, moves: Moves | None = None) -> State:
        """Return a document with its violations; where it has lost its dialect, by the one it had before."""
        name = before.dialect if before else self._dialect
        if not self._keeps_dialect and (sign := strongest(document)):
            name = sign[0]
        found = violations_of(document, name, self._checks, text=text_of(document), most=MAX_VIOLATIONS)
        layout = next(self._layouts) if moves and moves.shift_items else before.layout if before else 0
        return State(document, name, tuple(found), layout)


@dataclass(frozen=True, slots=True)
class State:
    """A document, the dialect it is validated by and its violations.

    As long as `layout` is the same, a pointer leads to the same item of a list.
    """

    document: Any
    dialect: str
    found: tuple[Violation, ...]
    layout: int

    def faults(self) -> set[Fault]:
        """Return what is wrong where."""
        return {_fault(violation) for violation in self.found}


@dataclass(slots=True)
class _Applied:
    """A fix in an attempt: what it was offered for, and where that and its places are by now."""

    violation: Violation
    fault: Fault | None
    places: list[Steps]

    @property
    def key(self) -> tuple[str, str]:
        return self.violation.rule, self.violation.pointer


@dataclass(frozen=True, slots=True)
class _Attempt:
    """How far an attempt came, by which fixes, and which of them did harm or nothing."""

    state: State
    applied: list[_Applied]
    culprits: list[_Applied]


def fixed(run: FixRun) -> tuple[State, list[Violation]]:
    """Return the document as far as it can be fixed, and the violations that were fixed, in their order."""
    state = run.start()
    applied: list[Violation] = []
    if len(state.found) > MAX_VIOLATIONS:
        return state, applied
    # Safe fixes first, so that no guess is made where meaning would do; each run that counts
    # leaves fewer violations, so this ends.
    better = True
    while better:
        better = False
        for guessing in (False, True) if run.guesses else (False,):
            attempt = _bettered(run, state, guessing=guessing)
            while attempt:
                better = True
                state = attempt.state
                applied += [one.violation for one in attempt.applied]
                attempt = _bettered(run, state, guessing=guessing)
    return state, applied


def _bettered(run: FixRun, start: State, *, guessing: bool) -> _Attempt | None:
    """Return an attempt that makes a document better and in nothing worse, or None where there is none."""
    barred: set[tuple[str, str]] = set()
    for restart in range(_RESTARTS):
        attempt = _attempt(run, start, guessing=guessing, barred=barred)
        if not attempt.applied:
            break
        if not attempt.culprits:
            return attempt
        if restart < _RESTARTS_BY_FIX:
            barred |= {one.key for one in attempt.culprits}
        else:
            barred |= {(one.violation.rule, "") for one in attempt.culprits}
    # Of several that were barred together, one may be innocent.
    offers = [violation for violation in start.found if _is_offered(run, start, violation, guessing=guessing)]
    for offer in offers if len(offers) <= _MAX_SINGLES else ():
        attempt = _attempt(run, start, guessing=guessing, barred=set(), only=offer)
        if attempt.applied and not attempt.culprits:
            return attempt
    return None


def _attempt(
    run: FixRun,
    start: State,
    *,
    guessing: bool,
    barred: Collection[tuple[str, str]],
    only: Violation | None = None,
) -> _Attempt:
    """Fix a document round by round; with `only`, that violation and what its fix brings to light."""
    state, applied = start, list[_Applied]()
    old = start.faults()
    for number in range(_ROUNDS):
        tried = {one.fault for one in applied}
        offers = [
            violation
            for violation in state.found
            if _is_offered(run, state, violation, guessing=guessing)
            and (violation.rule, violation.pointer) not in barred
            and (violation.rule, "") not in barred
            and _fault(violation) not in tried
            and (only is None or (violation == only if number == 0 else _fault(violation) not in old))
        ]
        safe = [violation for violation in offers if violation.fix and violation.fix.safe]
        chosen = _chosen(safe or offers)
        if not chosen:
            break
        patches = [one.violation.fix.patch for one in chosen if one.violation.fix]
        moves = Moves(state.document, patches)
        state = run.validated(patched(state.document, patches), state, moves)
        applied += chosen
        for one in applied:
            one.fault = _moved(moves, one.fault)
            # Of what is gone, the place where it was.
            one.places = [moves(place) or place[:-1] for place in one.places]
        old = {now for fault in old if (now := _moved(moves, fault)) is not None}
    return _Attempt(state, applied, _culprits(applied, state.faults(), old))


def _is_offered(run: FixRun, state: State, violation: Violation, *, guessing: bool) -> bool:
    fix = violation.fix
    return fix is not None and (fix.safe or (guessing and run.welcomes(violation, state.layout)))


def _chosen(offers: Iterable[Violation]) -> list[_Applied]:
    """Return the fixes of one round: none reads or writes where another writes, deepest first.

    A member that is moved goes first, or what it means would be filled in beside it.
    """
    taken: set[Steps] = set()
    above: set[Steps] = set()

    def is_free(place: Steps) -> bool:
        # Any number of items may be put behind a list's last one.
        if place[-1:] == _END:
            return taken.isdisjoint(_prefixes(place[:-1]))
        return place not in above and taken.isdisjoint(_prefixes(place))

    chosen: list[_Applied] = []
    for violation in sorted(offers, key=lambda one: not _moves(one)):
        places = places_of(violation.fix.patch) if violation.fix else []
        if all(map(is_free, places)):
            taken.update(place for place in places if place[-1:] != _END)
            above.update(prefix for place in places for prefix in _prefixes(place))
            chosen.append(_Applied(violation, _fault(violation), places))
    chosen.sort(key=lambda one: deepest_first(max(one.places, key=deepest_first)), reverse=True)
    return chosen


def _moves(violation: Violation) -> bool:
    return violation.fix is not None and any(operation["op"] == "move" for operation in violation.fix.patch)


def _culprits(applied: list[_Applied], after: set[Fault], old: set[Fault]) -> list[_Applied]:
    """Return the fixes that left their violation, and those near what is wrong now and was not before."""
    stuck = [one for one in applied if one.fault in after]
    added = after - old
    if not added:
        # As many faults as before, and none of them new: then nothing was fixed at all.
        return stuck
    touched: dict[Steps, list[_Applied]] = {}
    below: dict[Steps, list[_Applied]] = {}
    for one in applied:
        for place in one.places:
            touched.setdefault(place, []).append(one)
            for prefix in _prefixes(place):
                below.setdefault(prefix, []).append(one)
    near = [
        one
        for _, steps in added
        for one in [
            *below.get(steps, ()),
            *(one for step in _prefixes(steps) for one in touched.get(step, ())),
        ]
    ]
    beside = [one for _, steps in added for one in below.get(steps[:1], ())]
    return [*stuck, *(near or beside)] or applied


def _prefixes(steps: Steps) -> list[Steps]:
    return [steps[:length] for length in range(len(steps) + 1)]


def _fault(violation: Violation) -> Fault:
    return violation.rule, tuple(steps_of(violation.pointer))


def _moved(moves: Moves, fault: Fault | None) -> Fault | None:
    steps = moves(fault[1]) if fault else None
    return None if fault is None or steps is None else (fault[0], steps)
