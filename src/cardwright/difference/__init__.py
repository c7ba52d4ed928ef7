"""What changed between two cards, by meaning and not by bytes, and what that asks of their versions.

Severities follow the Beach card seed, Versioning: `major` is breaking, or possibly so; `minor` is a
compatible addition; `patch` is cosmetic. What means nothing is no change: the order of members,
skills, tags, modes and scopes, a default written out or left out, signatures, `generatedAt`.
Cards of two dialects are compared by what they mean in A2A 1.0; of two hybrids, so are the halves
that older clients read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion.notes import standing
from cardwright.difference.change import SEVERITIES, Change, Severity, required_bump
from cardwright.difference.endpoints import endpoints
from cardwright.difference.meaning import meaning, older_meaning
from cardwright.difference.pair import Pair, frozen
from cardwright.difference.versions import PARTS, Declared, Part, declared, said
from cardwright.difference.whole import card as changes_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from cardwright.card import Card
    from cardwright.conversion import Hub

__all__ = ["Change", "Comparison", "Declared", "Severity", "compare", "diff", "required_bump"]

# More than anybody reads; a list that every skill goes by could make millions of a small card (ours).
MOST_CHANGES: Final = 10_000
_REFUSALS: Final = frozenset(
    {"authentication-demanded", "alternative-removed", "scheme-changed", "scheme-type-changed", "scope-added"}
)
_MORE: Final = Change(
    "too-many-changes", "major", "", None, None, "there are more changes than are told: taken as breaking"
)


def diff(old: Card, new: Card) -> tuple[Change, ...]:
    """Return what a newer card says otherwise than an older one, the most severe first.

    >>> from cardwright import Card
    >>> old = {"supportedInterfaces": [], "capabilities": {"streaming": True}, "skills": [{"id": "a"}]}
    >>> new = {"supportedInterfaces": [], "capabilities": {}, "skills": [{"id": "b"}, {"id": "a"}]}
    >>> [(c.severity, c.kind) for c in diff(Card.from_document(old), Card.from_document(new))]
    [('major', 'capability-withdrawn'), ('minor', 'skill-added')]

    Invalid cards are compared as far as they can be read; what cannot is `member-unreadable` where
    it differs.
    """
    return compare(old, new).changes


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed between two cards, and what they declare of it.

    Attributes:
        changes: All of them, the most severe first, then by pointer.
        declared: What the cards say of each version; None of one that neither knows.
    """

    changes: tuple[Change, ...]
    declared: Mapping[Part, Declared | None]

    @property
    def bump(self) -> Severity:
        """Which part of the agent's version has to rise at least."""
        return required_bump(self.changes)

    @property
    def sufficient(self) -> dict[Part, bool]:
        """Whether each version rises as far as it has to; one that is not declared has nothing to do."""
        return {part: one is None or one.sufficient for part, one in self.declared.items()}


def compare(old: Card, new: Card) -> Comparison:
    """Return what changed, and whether the declared versions rise as far as that demands.

    >>> from cardwright import Card
    >>> old = {"supportedInterfaces": [], "version": "1.0.0", "skills": [{"id": "a"}]}
    >>> new = {"supportedInterfaces": [], "version": "1.1.0", "skills": []}
    >>> comparison = compare(Card.from_document(old), Card.from_document(new))
    >>> comparison.bump, comparison.declared["agent"].bump, comparison.sufficient["agent"]
    ('major', 'minor', False)
    """
    before, after = meaning(old, new), meaning(new, old)
    told = _told((old, before), (new, after))
    halves = older_meaning(old), older_meaning(new)
    if halves[0] and halves[1]:
        # A hybrid has two readers: what the older one alone is told is told once more.
        known = {_event(change) for change in told}
        told += [one for one in _told((old, halves[0]), (new, halves[1])) if _event(one) not in known]
    if str(old.dialect) == str(new.dialect) == "beach-1.0" and not any(map(_refuses, told)):
        told += endpoints(Pair(old.document, new.document))
    if len(told) >= MOST_CHANGES:
        told = [*told[:MOST_CHANGES], _MORE]
    changes = tuple(sorted(told, key=_rank))
    versions: dict[Part, tuple[Any, Any]] = {
        part: (said(part, old.document, before.document), said(part, new.document, after.document))
        for part in PARTS
    }
    return Comparison(changes, {part: declared(part, *both, changes) for part, both in versions.items()})


def _told(old: tuple[Card, Hub], new: tuple[Card, Hub]) -> list[Change]:
    found: list[Change] = []
    for change in islice(changes_of(Pair(old[1].document, new[1].document)), MOST_CHANGES):
        card, hub = old if change.after is None else new
        found.append(replace(change, pointer=standing(card.document, hub.source_pointer(change.pointer))))
    return found


def _refuses(change: Change) -> bool:
    """Whether a change says already that credentials are no longer enough."""
    return change.severity == "major" and change.kind in _REFUSALS


def _event(change: Change) -> Hashable:
    return change.kind, frozen(change.before), frozen(change.after)


def _rank(change: Change) -> tuple[int, str, str]:
    return -SEVERITIES.index(change.severity), change.pointer, change.kind
