"""What a caller must present: the requirements of a card and of its skills (A2A 1.0 §4.5).

The list of requirements is an OR of ANDs; without one, or with one that names nothing, the agent
answers to everybody. An alternative that is gone is breaking even where another is left: a caller
has one kind of credential, not each of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from cardwright.difference.comparators import (
    Verdict,
    between,
    listed,
    told,
)
from cardwright.difference.pair import Pair, frozen, holds, member
from cardwright_runtime.violation import pointer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from cardwright.difference.change import Change

_DEMANDED: Final = Verdict(
    "authentication-demanded", "major", "callers without credentials were served and are refused now"
)
_DROPPED: Final = Verdict("authentication-dropped", "minor", "callers need no credentials any more")
_REMOVED: Final = Verdict(
    "alternative-removed", "major", "callers that hold these credentials and no others are refused now"
)
_SPARED: Final = Verdict(
    "alternative-removed", "minor", "another alternative asks for less, so these credentials still do"
)
_ADDED: Final = Verdict("alternative-added", "minor", "one more way to authenticate, which nobody must take")
_SCOPE_ADDED: Final = Verdict("scope-added", "major", "tokens without this scope were enough and are not now")
_SCOPE_REMOVED: Final = Verdict("scope-removed", "minor", "tokens need this scope no longer")


_TIGHTENED: Final = Verdict(
    "requirements-tightened", "major", "callers with credentials that were enough are refused the skill now"
)
_LOOSENED: Final = Verdict(
    "requirements-loosened", "minor", "credentials that were not enough are enough for the skill now"
)


class Alternative(NamedTuple):
    """One entry of the list of requirements.

    Attributes:
        value: As it stands in the card.
        at: Where it stands.
        scopes: The scopes asked for, by the name of the scheme; None where the entry has another shape.
    """

    value: Any
    at: str
    scopes: dict[str, tuple[Any, str]] | None


# What alternatives ask for: each scheme, and each scope of a scheme. Nothing is the free entry.
Alternatives: TypeAlias = dict[frozenset["Hashable"], Alternative]
_FREE: Final[frozenset[Any]] = frozenset()


def alternatives(items: Any, at: str = "") -> Alternatives:
    """Return the entries of a list of requirements by what they ask for."""
    found: Alternatives = {}
    for index, value in enumerate(items or [{}]):
        one = Alternative(value, f"{at}/{index}", _scopes(value, f"{at}/{index}"))
        found.setdefault(_asked(one), one)
    return found


def requirements(pair: Pair) -> Iterator[Change]:
    """Compare two lists of requirements, absent ones among them."""
    pair = pair.given()
    if not holds(list, pair.old, pair.new):
        yield from () if pair.alike else (pair.unreadable(),)
        return
    old, new = alternatives(pair.old, pair.old_at), alternatives(pair.new, pair.new_at)
    if (_FREE in old) != (_FREE in new):
        yield told(pair, _DEMANDED if _FREE in old else _DROPPED)
        if len(old if _FREE in old else new) == 1:
            return  # that one change says everything
    yield from _changed(old, new)


def inherited(old: Alternatives, new: Alternatives, pair: Pair) -> Iterator[Change]:
    """Compare requirements of which a skill takes one side from its card, and say so of the skill."""
    if not all(_covered(asked, new) for asked in old):
        yield told(pair, _TIGHTENED)
    if not all(_covered(asked, old) for asked in new):
        yield told(pair, _LOOSENED)


def _covered(asked: frozenset[Hashable], others: Alternatives) -> bool:
    return _FREE in others or asked in others or any(other <= asked for other in others)


def _asked(one: Alternative) -> frozenset[Hashable]:
    if one.scopes is None:
        return frozenset([("", frozen(one.value))])
    schemes = {(name, None) for name in one.scopes}
    return frozenset(schemes.union((n, frozen(s)) for n, (v, _) in one.scopes.items() for s in v))


def _scopes(value: Any, at: str) -> dict[str, tuple[Any, str]] | None:
    """Return the scopes by scheme: a `StringList` message (A2A 1.0 §4.5), or the bare array often seen."""
    schemes = member(value, "schemes")
    if schemes is None:
        return None if value else {}
    if type(schemes) is not dict:
        return None
    found: dict[str, tuple[Any, str]] = {}
    for name, scopes in schemes.items():
        place = at + pointer_of(["schemes", name])
        bare = type(scopes) is list
        asked = scopes if bare else member(scopes, "list") or []
        if type(asked) is not list or not holds(dict, None if bare else scopes):
            return None
        found[name] = (asked, place if bare else f"{place}/list")
    return found


def _changed(old: Alternatives, new: Alternatives) -> Iterator[Change]:
    gone = [one for asked, one in old.items() if asked and asked not in new]
    come = [one for asked, one in new.items() if asked and asked not in old]
    same, gone, come = _by_schemes(gone, come)
    for before, after in same:
        for name, (scopes, at) in (before.scopes or {}).items():
            now = listed(*(after.scopes or {})[name])
            yield from between(listed(scopes, at), now, _SCOPE_ADDED, _SCOPE_REMOVED)
    spared = _spared([asked for asked in new if asked])
    for one in gone:
        yield told(Pair(one.value, None, one.at, one.at), _SPARED if spared(_asked(one)) else _REMOVED)
    for one in come:
        yield told(Pair(None, one.value, one.at, one.at), _ADDED)


def _spared(left: list[frozenset[Hashable]]) -> Callable[[frozenset[Hashable]], bool]:
    """Return whether something asks for a part of what one asked, or nothing asks any more.

    Each is kept under the rarest of its demands, or long lists would take a minute.
    """
    counts = Counter(demand for asked in left for demand in asked)
    kept: defaultdict[Hashable, list[frozenset[Hashable]]] = defaultdict(list)
    for asked in left:
        kept[min(asked, key=counts.__getitem__)].append(asked)
    return lambda one: not left or any(asked < one for demand in one for asked in kept.get(demand, ()))


def _by_schemes(
    gone: list[Alternative], come: list[Alternative]
) -> tuple[list[tuple[Alternative, Alternative]], list[Alternative], list[Alternative]]:
    """Match alternatives of the same schemes, so that their scopes can be compared."""
    groups: defaultdict[Hashable, tuple[list[Alternative], list[Alternative]]] = defaultdict(lambda: ([], []))
    for side, ones in enumerate((gone, come)):
        for one in ones:
            groups[None if one.scopes is None else frozenset(one.scopes)][side].append(one)
    odd = groups.pop(None, ([], []))
    same = [met for group in groups.values() for met in zip(*group, strict=False)]
    left = [_rest(group) for group in groups.values()]
    return (
        same,
        [*odd[0], *(o for rest in left for o in rest[0])],
        [*odd[1], *(n for r in left for n in r[1])],
    )


def _rest(group: tuple[list[Alternative], list[Alternative]]) -> tuple[list[Alternative], list[Alternative]]:
    shared = min(map(len, group))
    return group[0][shared:], group[1][shared:]
