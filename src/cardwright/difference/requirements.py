"""Comparators of the security requirements of a card and of its skills (A2A 1.0 §4.5).

The list of requirements is an OR of ANDs; without a list, or with an empty requirement, the agent accepts
all callers. A removed alternative is breaking even if others are left, because a caller may have only one
kind of credential.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from cardwright.difference.comparators import between, listed
from cardwright.difference.pair import Pair, field, frozen, holds
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from cardwright.difference.change import Change


class Alternative(NamedTuple):
    """One entry of the list of requirements.

    Attributes:
        value: The entry in the card.
        at: Its pointer.
        scopes: The required scopes and their pointer, by scheme; None if the entry has another shape.
    """

    value: Any
    at: str
    scopes: dict[str, tuple[Any, str]] | None


# The alternatives by their required schemes and scopes. The empty set means no requirement.
Alternatives: TypeAlias = dict[frozenset["Hashable"], Alternative]
_NO_REQUIREMENT: Final[frozenset[Any]] = frozenset()


def alternatives(items: Any, at: str = "") -> Alternatives:
    """Return the entries of a list of requirements by their required schemes and scopes."""
    by_requirements: Alternatives = {}
    for index, value in enumerate(items or [{}]):
        alternative = Alternative(value, f"{at}/{index}", _scopes(value, f"{at}/{index}"))
        by_requirements.setdefault(_requirements_of(alternative), alternative)
    return by_requirements


def requirements(pair: Pair) -> Iterator[Change]:
    """Compare two lists of requirements, each of which may be absent."""
    pair = pair.without_empty()
    if not holds(list, pair.old, pair.new):
        yield from () if pair.equal else (pair.unreadable(),)
        return
    old, new = alternatives(pair.old, pair.old_at), alternatives(pair.new, pair.new_at)
    if (_NO_REQUIREMENT in old) != (_NO_REQUIREMENT in new):
        yield pair.change("authentication-demanded" if _NO_REQUIREMENT in old else "authentication-dropped")
        if len(old if _NO_REQUIREMENT in old else new) == 1:
            return  # there is no other change
    yield from _changed(old, new)


def inherited(old: Alternatives, new: Alternatives, pair: Pair) -> Iterator[Change]:
    """Compare the requirements of a skill that inherits one side from its card; the skill is reported."""
    if not all(_covered(required, new) for required in old):
        yield pair.change("requirements-tightened")
    if not all(_covered(required, old) for required in new):
        yield pair.change("requirements-loosened")


def _covered(required: frozenset[Hashable], others: Alternatives) -> bool:
    return _NO_REQUIREMENT in others or required in others or any(other <= required for other in others)


def _requirements_of(alternative: Alternative) -> frozenset[Hashable]:
    if alternative.scopes is None:
        return frozenset([("", frozen(alternative.value))])
    schemes = {(name, None) for name in alternative.scopes}
    return frozenset(schemes.union((n, frozen(s)) for n, (v, _) in alternative.scopes.items() for s in v))


def _scopes(value: Any, at: str) -> dict[str, tuple[Any, str]] | None:
    """Return the scopes by scheme: a `StringList` message (A2A 1.0 §4.5), or an array, which some cards have."""
    schemes = field(value, "schemes")
    if schemes is None:
        return None if value else {}
    if type(schemes) is not dict:
        return None
    by_scheme: dict[str, tuple[Any, str]] = {}
    for name, scopes in schemes.items():
        place = at + pointer_of(["schemes", name])
        bare = type(scopes) is list
        required = scopes if bare else field(scopes, "list") or []
        if type(required) is not list or not holds(dict, None if bare else scopes):
            return None
        by_scheme[name] = (required, place if bare else f"{place}/list")
    return by_scheme


def _changed(old: Alternatives, new: Alternatives) -> Iterator[Change]:
    removed = [alternative for required, alternative in old.items() if required and required not in new]
    added = [alternative for required, alternative in new.items() if required and required not in old]
    matches, removed, added = _matched_by_schemes(removed, added)
    for before, after in matches:
        for name, (scopes, at) in (before.scopes or {}).items():
            now = listed(*(after.scopes or {})[name])
            yield from between(listed(scopes, at), now, "scope-added", "scope-removed")
    still_sufficient = _still_sufficient([required for required in new if required])
    for alternative in removed:
        is_sufficient = still_sufficient(_requirements_of(alternative))
        yield Pair(alternative.value, None, alternative.at, alternative.at).change(
            "alternative-removed/sufficient" if is_sufficient else "alternative-removed"
        )
    for alternative in added:
        yield Pair(None, alternative.value, alternative.at, alternative.at).change("alternative-added")


def _still_sufficient(remaining: list[frozenset[Hashable]]) -> Callable[[frozenset[Hashable]], bool]:
    """Return a function: whether a remaining alternative requires less than some requirements, or none remains.

    Each alternative is indexed by its rarest part; otherwise long lists would take a minute.
    """
    counts = Counter(part for required in remaining for part in required)
    by_rarest: defaultdict[Hashable, list[frozenset[Hashable]]] = defaultdict(list)
    for required in remaining:
        by_rarest[min(required, key=counts.__getitem__)].append(required)
    return lambda alternative: (
        not remaining
        or any(required < alternative for part in alternative for required in by_rarest.get(part, ()))
    )


def _matched_by_schemes(
    removed: list[Alternative], added: list[Alternative]
) -> tuple[list[tuple[Alternative, Alternative]], list[Alternative], list[Alternative]]:
    """Match alternatives with the same schemes, so that their scopes can be compared."""
    groups: defaultdict[Hashable, tuple[list[Alternative], list[Alternative]]] = defaultdict(lambda: ([], []))
    for side, side_alternatives in enumerate((removed, added)):
        for alternative in side_alternatives:
            groups[None if alternative.scopes is None else frozenset(alternative.scopes)][side].append(
                alternative
            )
    unreadable = groups.pop(None, ([], []))
    matches = [pair for group in groups.values() for pair in zip(*group, strict=False)]
    remaining = [_rest(group) for group in groups.values()]
    return (
        matches,
        [*unreadable[0], *(o for rest in remaining for o in rest[0])],
        [*unreadable[1], *(n for r in remaining for n in r[1])],
    )


def _rest(group: tuple[list[Alternative], list[Alternative]]) -> tuple[list[Alternative], list[Alternative]]:
    shared = min(map(len, group))
    return group[0][shared:], group[1][shared:]
