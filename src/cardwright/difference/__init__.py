"""Semantic differences between two cards, descriptions of MCP servers or catalogues, and the version bumps that they require.

Severities follow the Beach card seed, Versioning: `major` is breaking, or possibly so; `minor` is a
compatible addition; `patch` is cosmetic. These are no changes: the order of fields, skills, tags, modes
and scopes, explicit defaults, signatures, `generatedAt`; nor is a value that no card has: a guessed version, a placeholder. Cards of two dialects are compared in the form
of A2A 1.0. Clients of A2A 0.x and of 1.0 read two forms, and a hybrid has both: each form that both cards have is
compared, and one that only one of them has is a change by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from cardwright.card import Card, Catalog, ServerCard
from cardwright.conversion.notes import existing_pointer
from cardwright.difference.beach import blocks
from cardwright.difference.catalogs import catalog
from cardwright.difference.change import SEVERITIES, Change, Severity, required_bump
from cardwright.difference.endpoints import endpoints
from cardwright.difference.meaning import NEWER_FORM, OLDER_FORM, forms, meaning, older_form, stated
from cardwright.difference.pair import Pair, frozen
from cardwright.difference.servers import server
from cardwright.difference.versions import PARTS, Declared, Part, declared, version_of
from cardwright.difference.whole import card as changes_of
from cardwright.errors import BadArgument

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from cardwright.card import Document
    from cardwright.conversion import Hub

__all__ = ["Change", "Comparison", "Declared", "Severity", "compare", "diff", "required_bump"]

# Project decision: a list that applies to every skill could cause millions of changes in a small card.
MAX_CHANGES: Final = 10_000
_REFUSALS: Final = frozenset(
    {"authentication-demanded", "alternative-removed", "scheme-changed", "scheme-type-changed", "scope-added"}
)


def diff(old: Document, new: Document) -> tuple[Change, ...]:
    """Return the changes from an older to a newer card or catalogue, the most severe first.

    >>> from cardwright import Card
    >>> old = {"supportedInterfaces": [], "capabilities": {"streaming": True}, "skills": [{"id": "a"}]}
    >>> new = {"supportedInterfaces": [], "capabilities": {}, "skills": [{"id": "b"}, {"id": "a"}]}
    >>> [(c.severity, c.kind) for c in diff(Card.from_document(old), Card.from_document(new))]
    [('major', 'capability-withdrawn'), ('minor', 'skill-added')]

    The readable parts of invalid documents are compared; a difference elsewhere is `member-unreadable`.

    Raises:
        BadArgument: If the documents are of two kinds, such as a card and a catalogue.
    """
    return compare(old, new).changes


@dataclass(frozen=True, slots=True)
class Comparison:
    """The changes between two cards, and the versions that they declare.

    Attributes:
        changes: All changes, the most severe first, then by pointer.
        declared: The declared versions by part; None for a part that neither card declares.
    """

    changes: tuple[Change, ...]
    declared: Mapping[Part, Declared | None]

    @property
    def bump(self) -> Severity:
        """The part of the agent's version that must increase."""
        return required_bump(self.changes)

    @property
    def sufficient(self) -> dict[Part, bool]:
        """Whether each declared version increases enough; a version that is not declared always does."""
        return {
            part: declared_version is None or declared_version.sufficient
            for part, declared_version in self.declared.items()
        }


def compare(old: Document, new: Document) -> Comparison:
    """Return the changes, and whether the declared versions increase enough for them.

    >>> from cardwright import Card
    >>> old = {"supportedInterfaces": [], "version": "1.0.0", "skills": [{"id": "a"}]}
    >>> new = {"supportedInterfaces": [], "version": "1.1.0", "skills": []}
    >>> comparison = compare(Card.from_document(old), Card.from_document(new))
    >>> comparison.bump, comparison.declared["agent"].bump, comparison.sufficient["agent"]
    ('major', 'minor', False)

    Only cards are asked whether their versions increase enough.

    Raises:
        BadArgument: If the documents are of two kinds, such as a card and a catalogue.
    """
    for kind, comparator in ((Catalog, catalog), (ServerCard, server)):
        if isinstance(old, kind) and isinstance(new, kind):
            changes = list(islice(comparator(Pair(old.document, new.document)), MAX_CHANGES))
            if kind is ServerCard:
                changes += _form_changes(old, new)
            return Comparison(_ranked(changes), dict.fromkeys(PARTS))
    if not (isinstance(old, Card) and isinstance(new, Card)):
        raise BadArgument("new", "documents of two kinds cannot be compared")
    shared = forms(old).keys() & forms(new).keys()
    sides = [(older_form(old), older_form(new))] if OLDER_FORM in shared else []
    if not sides or NEWER_FORM in shared:
        sides.insert(0, (old, new))
    changes = _form_changes(old, new)
    for one, other in sides:
        known = {_event(change) for change in changes}
        found = _changes_between((one, meaning(one, other)), (other, meaning(other, one)))
        changes += [change for change in found if _event(change) not in known]
    if str(old.dialect) == str(new.dialect) == "beach-1.0":
        documents = Pair(old.document, new.document)
        changes += blocks(documents)
        if not any(map(_refuses, changes)):
            changes += endpoints(documents)
    ranked = _ranked(changes)
    versions: dict[Part, tuple[Any, Any]] = {
        part: (
            version_of(part, old.document, meaning(old, new).document),
            version_of(part, new.document, meaning(new, old).document),
        )
        for part in PARTS
    }
    return Comparison(ranked, {part: declared(part, *both, ranked) for part, both in versions.items()})


def _form_changes(old: Document, new: Document) -> list[Change]:
    """Return a change for each form that only one of two documents has."""
    before, after = forms(old), forms(new)
    removed = [
        Pair(form, None, at, at).change("form-removed") for form, at in before.items() if form not in after
    ]
    return removed + [
        Pair(None, form, at, at).change("form-added") for form, at in after.items() if form not in before
    ]


def _changes_between(old: tuple[Card, Hub], new: tuple[Card, Hub]) -> list[Change]:
    changes: list[Change] = []
    for found in islice(changes_of(Pair(old[1].document, new[1].document)), MAX_CHANGES):
        change = stated(found)
        if change is None:
            continue
        card, hub = old if change.after is None else new
        changes.append(
            replace(change, pointer=existing_pointer(card.document, hub.source_pointer(change.pointer)))
        )
    return changes


def _ranked(changes: list[Change]) -> tuple[Change, ...]:
    """Return the changes with the most severe first; of too many, the first ones and a change that says so."""
    if len(changes) >= MAX_CHANGES:
        changes = [*changes[:MAX_CHANGES], Pair(None, None).change("too-many-changes")]
    return tuple(sorted(changes, key=_rank))


def _refuses(change: Change) -> bool:
    """Return whether a change means that credentials are no longer sufficient."""
    return change.severity == "major" and change.kind in _REFUSALS


def _event(change: Change) -> Hashable:
    return change.kind, frozen(change.before), frozen(change.after)


def _rank(change: Change) -> tuple[int, str, str]:
    return -SEVERITIES.index(change.severity), change.pointer, change.kind
