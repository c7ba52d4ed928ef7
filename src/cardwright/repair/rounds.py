"""Rounds of fixes: apply all fixes that do not overlap, validate, and repeat until nothing is left to fix.

A round is validated at its end only, so that a card with a thousand violations is validated a few times. If
there are new errors, the fixes that may have caused them are barred, and the attempt starts again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import text_of
from cardwright.dialect import detected_name
from cardwright.repair.patch import Moves, deepest_first, patched, places_of
from cardwright.rewrite import below_base_url
from cardwright.validator import violations_of
from cardwright_runtime.fix_functions import at
from cardwright_runtime.violation import Fix, steps_of
from cardwright_runtime.violation_limit import MAX_VIOLATIONS, RULE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from cardwright.card import Document
    from cardwright.checks import Checks
    from cardwright_runtime.violation import Violation

    Steps = tuple[str, ...]
    # The rule and the place of a violation.
    Fault = tuple[str, Steps]

# At most this many fixes of one card, as many as violations are listed (project decision): each costs time and
# memory, and a hostile card could need a hundred thousand.
MAX_FIXES: Final = MAX_VIOLATIONS
# The next round fixes violations that a fix uncovers; no card needs more than a few rounds (project decision).
_ROUNDS: Final = 32
# Attempts without harmful fixes; the last attempts bar all fixes of their rules (project decision).
_RESTARTS: Final = 6
_RESTARTS_BY_FIX: Final = 4
# With more fixes than this, fixes are not tried one at a time (project decision).
_MAX_SINGLES: Final = 24
_END: Final = ("-",)
# Rules about the host of a URL that other machines cannot reach: `--base-url` fixes their violations.
_UNREACHABLE: Final = ("url/loopback-host", "url/wildcard-host")
# A document that needs so many placeholders for what describes an agent does not describe one (project decision).
_INVENTED: Final = 3
# A relative URL, which the base URL completes.
_RELATIVE: Final = "catalog/url-absolute"


class FixRun:
    """The card to fix, the validation of its intermediate documents, and the accepted guesses.

    `ask` is None if no guess is accepted. `base_url`, if given, replaces hosts that other machines cannot reach.
    """

    def __init__(
        self,
        card: Document,
        checks: Checks,
        ask: Callable[[Violation], bool] | None,
        base_url: str | None = None,
    ) -> None:
        self._card = card
        self._dialect = str(card.dialect)
        # A card that was validated as another dialect than the detected one keeps it.
        self._keeps_dialect = detected_name(card.document, card.found_at) != self._dialect
        self._checks = checks
        self._ask = ask
        self._base_url = base_url
        self._answers: dict[tuple[int, str, str], bool] = {}
        self._layouts = count(1)

    @property
    def guesses(self) -> bool:
        """Whether guesses may be accepted."""
        return self._ask is not None

    def accepts(self, violation: Violation, layout: int) -> bool:
        """Return whether to apply a guess to a violation; asks once for each, while pointers stay valid."""
        key = layout, violation.rule, violation.pointer
        if key not in self._answers:
            self._answers[key] = self._ask is not None and self._ask(violation)
        return self._answers[key]

    def start(self) -> State:
        """Return the card's document with its violations."""
        return self.validated(self._card.document)

    def validated(self, document: Any, before: State | None = None, moves: Moves | None = None) -> State:
        """Return a document with its violations; if no dialect is detected, as the dialect that it had before."""
        name = before.dialect if before else self._dialect
        if not self._keeps_dialect:
            name = detected_name(document, self._card.found_at) or name
        violations = violations_of(document, name, self._checks, text=text_of(document))
        if self._base_url:
            violations = [_with_base_url(violation, document, self._base_url) for violation in violations]
        layout = next(self._layouts) if moves and moves.shift_items else before.layout if before else 0
        return State(document, name, tuple(violations), layout)


@dataclass(frozen=True, slots=True)
class State:
    """A document with its dialect and its violations.

    In two states with the same `layout`, a pointer refers to the same item of a list.
    """

    document: Any
    dialect: str
    violations: tuple[Violation, ...]
    layout: int

    @property
    def measure(self) -> tuple[int, int, int]:
        """The numbers of errors, of fields that no reader knows, and of findings: accepted fixes lower it, so that fixing ends.

        A field that gets its right name or place may have warnings of its own.
        """
        errors = sum(violation.severity == "error" for violation in self.violations)
        names = sum(_is_about_a_name(violation.rule) for violation in self.violations)
        return errors, names, len(self.violations)

    @property
    def needs_inventions(self) -> bool:
        """Whether the document lacks too much of what describes an agent, so that no fix makes it a card."""
        return sum(bool(one.fix and one.fix.invents) for one in self.violations) >= _INVENTED

    def faults(self) -> set[Fault]:
        """Return the rule and place of each violation."""
        return {_fault(violation) for violation in self.violations}

    def errors(self) -> set[Fault]:
        """Return the rule and place of each error."""
        return {_fault(violation) for violation in self.violations if violation.severity == "error"}


@dataclass(slots=True)
class _AppliedFix:
    """A fix in an attempt: its violation, and the current places of the violation and of the fix."""

    violation: Violation
    fault: Fault | None
    places: list[Steps]

    @property
    def key(self) -> tuple[str, str]:
        return self.violation.rule, self.violation.pointer


@dataclass(frozen=True, slots=True)
class _Attempt:
    """The result of an attempt: the state, the applied fixes, and those that did harm or had no effect."""

    state: State
    applied: list[_AppliedFix]
    culprits: list[_AppliedFix]


def fixed(run: FixRun) -> tuple[State, list[Violation]]:
    """Return the document with all possible fixes, and the fixed violations in order."""
    state = run.start()
    applied: list[Violation] = []
    if any(violation.rule == RULE for violation in state.violations) or state.needs_inventions:
        # Not all violations are known, so no fix could be compared with what it adds; or there is no card to fix.
        return state, applied
    # Safe fixes first, so that no guess replaces a safe fix.
    improved = True
    while improved:
        improved = False
        for guessing in (False, True) if run.guesses else (False,):
            attempt = _improved(run, state, guessing=guessing, room=MAX_FIXES - len(applied))
            while attempt and attempt.state.measure < state.measure:
                improved = True
                state = attempt.state
                applied += [applied_fix.violation for applied_fix in attempt.applied]
                attempt = _improved(run, state, guessing=guessing, room=MAX_FIXES - len(applied))
    return state, applied


def reason_against(card: Document, violation: Violation, checks: Checks) -> str:
    """Return why the fix of a remaining violation is left out."""
    run = FixRun(card, checks, None)
    start = run.start()
    if start.needs_inventions:
        return "too much of what describes an agent is missing: this is hardly a card, and no fix is applied"
    patches = [violation.fix.patch] if violation.fix else []
    after = run.validated(patched(card.document, patches), start)
    added = [
        fault
        for fault in after.violations
        if fault.severity == "error" and _fault(fault) not in start.faults()
    ]
    if not added:
        return "it has no effect"
    return f"it would add an error: {added[0].pointer or '(root)'}: {added[0].message}"


def _improved(run: FixRun, start: State, *, guessing: bool, room: int) -> _Attempt | None:
    """Return an attempt that removes violations with at most `room` fixes and adds no error, or None."""
    barred: set[tuple[str, str]] = set()
    for restart in range(_RESTARTS):
        attempt = _attempt(run, start, guessing=guessing, room=room, barred=barred)
        if not attempt.applied:
            break
        if not attempt.culprits:
            return attempt
        if restart < _RESTARTS_BY_FIX:
            barred |= {applied_fix.key for applied_fix in attempt.culprits}
        else:
            barred |= {(applied_fix.violation.rule, "") for applied_fix in attempt.culprits}
    # Of several fixes that were barred together, one may be harmless.
    offers = [
        violation for violation in start.violations if _is_offered(run, start, violation, guessing=guessing)
    ]
    for offer in offers if len(offers) <= _MAX_SINGLES else ():
        attempt = _attempt(run, start, guessing=guessing, room=room, barred=set(), only=offer)
        if attempt.applied and not attempt.culprits:
            return attempt
    return None


def _attempt(
    run: FixRun,
    start: State,
    *,
    guessing: bool,
    room: int,
    barred: Collection[tuple[str, str]],
    only: Violation | None = None,
) -> _Attempt:
    """Fix a document round by round; with `only`, that violation and those that its fix uncovers."""
    state, applied = start, list[_AppliedFix]()
    old = start.faults()
    for number in range(_ROUNDS):
        tried = {applied_fix.fault for applied_fix in applied}
        offers = [
            violation
            for violation in state.violations
            if _is_offered(run, state, violation, guessing=guessing)
            and (violation.rule, violation.pointer) not in barred
            and (violation.rule, "") not in barred
            and _fault(violation) not in tried
            and (only is None or (violation == only if number == 0 else _fault(violation) not in old))
        ]
        safe = [violation for violation in offers if violation.fix and violation.fix.safe]
        chosen = _chosen(safe or offers)[: room - len(applied)]
        if not chosen:
            break
        patches = [applied_fix.violation.fix.patch for applied_fix in chosen if applied_fix.violation.fix]
        moves = Moves(state.document, patches)
        state = run.validated(patched(state.document, patches), state, moves)
        applied += chosen
        for applied_fix in applied:
            applied_fix.fault = _moved(moves, applied_fix.fault)
            # For a removed place, its parent.
            applied_fix.places = [moves(place) or place[:-1] for place in applied_fix.places]
        old = {now for fault in old if (now := _moved(moves, fault)) is not None}
    return _Attempt(state, applied, _culprits(applied, state.faults(), state.errors() - old))


def _with_base_url(violation: Violation, document: Any, base_url: str) -> Violation:
    """Return a violation by a URL that others cannot reach, or a relative one, with a fix that moves it below the base URL."""
    url = at(document, steps_of(violation.pointer))
    if type(url) is not str or violation.rule not in (*_UNREACHABLE, _RELATIVE):
        return violation
    if violation.rule == _RELATIVE:
        public: str | None = f"{base_url.rstrip('/')}/{url.strip().lstrip('./')}"
    else:
        public = below_base_url(url, base_url)
    if public is None or public == url:
        return violation
    patch = ({"op": "replace", "path": violation.pointer, "value": public},)
    return replace(violation, fix=Fix(safe=True, description=f"moves the URL below {base_url}", patch=patch))


def _is_offered(run: FixRun, state: State, violation: Violation, *, guessing: bool) -> bool:
    fix = violation.fix
    return fix is not None and (fix.safe or (guessing and run.accepts(violation, state.layout)))


def _chosen(offers: Iterable[Violation]) -> list[_AppliedFix]:
    """Return the fixes of one round, deepest first: no fix reads or writes a place that another one writes.

    Moves have priority; otherwise another fix could add a default for a field that is about to be moved.
    """
    taken: set[Steps] = set()
    above: set[Steps] = set()
    appended: set[Steps] = set()

    def is_free(place: Steps) -> bool:
        # Any number of items may be appended to a list, but not while one of its items changes.
        if place[-1:] == _END:
            place = place[:-1]
        elif place in appended:
            return False
        return place not in above and taken.isdisjoint(_prefixes(place))

    chosen: list[_AppliedFix] = []
    for violation in sorted(offers, key=_precedence):
        places = places_of(violation.fix.patch) if violation.fix else []
        # What a fix copies to another place may not change in the same round.
        read = [tuple(steps_of(violation.pointer))] if _copies(violation) else []
        if all(map(is_free, [*places, *read])):
            taken.update(place for place in places if place[-1:] != _END)
            appended.update(prefix for place in places for prefix in _prefixes(place))
            above.update(prefix for place in places if place[-1:] != _END for prefix in _prefixes(place))
            chosen.append(_AppliedFix(violation, _fault(violation), places))
    chosen.sort(
        key=lambda applied_fix: deepest_first(max(applied_fix.places, key=deepest_first)), reverse=True
    )
    return chosen


def _is_about_a_name(rule: str) -> bool:
    return rule.startswith("members/") or rule.endswith("/spelling")


def _precedence(violation: Violation) -> int:
    """Return the place of a fix in the order of a round: moves, other changes, copies."""
    moves = violation.fix is not None and any(operation["op"] == "move" for operation in violation.fix.patch)
    return 0 if moves else 2 if _copies(violation) else 1


def _copies(violation: Violation) -> bool:
    """Return whether a fix only adds values elsewhere, such as those of one half of a hybrid to the other."""
    return violation.fix is not None and all(
        operation["op"] == "add" and not str(operation["path"]).startswith(violation.pointer)
        for operation in violation.fix.patch
    )


def _culprits(applied: list[_AppliedFix], after: set[Fault], added: set[Fault]) -> list[_AppliedFix]:
    """Return the fixes that did not remove their violation, and those near a new error."""
    stuck = [applied_fix for applied_fix in applied if applied_fix.fault in after]
    if not added:
        # No new errors: the only culprits are fixes without effect.
        return stuck
    touched: dict[Steps, list[_AppliedFix]] = {}
    below: dict[Steps, list[_AppliedFix]] = {}
    for applied_fix in applied:
        for place in applied_fix.places:
            touched.setdefault(place, []).append(applied_fix)
            for prefix in _prefixes(place):
                below.setdefault(prefix, []).append(applied_fix)
    near = [
        applied_fix
        for _, steps in added
        for applied_fix in [
            *below.get(steps, ()),
            *(applied_fix for step in _prefixes(steps) for applied_fix in touched.get(step, ())),
        ]
    ]
    beside = [applied_fix for _, steps in added for applied_fix in below.get(steps[:1], ())]
    return [*stuck, *(near or beside)] or applied


def _prefixes(steps: Steps) -> list[Steps]:
    return [steps[:length] for length in range(len(steps) + 1)]


def _fault(violation: Violation) -> Fault:
    return violation.rule, tuple(steps_of(violation.pointer))


def _moved(moves: Moves, fault: Fault | None) -> Fault | None:
    steps = moves(fault[1]) if fault else None
    return None if fault is None or steps is None else (fault[0], steps)
