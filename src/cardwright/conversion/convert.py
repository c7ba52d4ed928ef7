"""`convert`: one card in another dialect, with the report; and `to_hub`, the form that all share."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.card import Card
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.conversion import carried
from cardwright.conversion.delta import Change, applied, delta
from cardwright.conversion.notes import Notes, below, covers, found, led_back
from cardwright.conversion.pipeline import MODULES, way
from cardwright.conversion.pipeline import turned as turned_into
from cardwright.conversion.report import Assumption, ConversionReport, Loss, kind_of
from cardwright.dialect import Dialect, named

if TYPE_CHECKING:
    from cardwright.conversion.pipeline import Way

# Every dialect that can be converted from and to.
CONVERTIBLE: Final = tuple(MODULES)
# Forms of A2A of which a sparse card may be either.
OLDER: Final = ("a2a-0.1", "a2a-0.2", "a2a-0.3")
# How often a card that was edited on the way is looked at again, at most, to see what still fits it.
MOST_TRIALS: Final = 64
_ASKING: Final = ("security", "securityRequirements")
# What is not lost but said in another form, or only said by other members.
OTHERWISE: Final = "the result says it in another form, or says nothing of it"
_EDITED: Final = (
    "it was carried for the form the card came from, and no longer fits: the card was edited since"
)


@dataclass(frozen=True, slots=True)
class Hub:
    """A card in the form that all dialects share: A2A 1.0, with what only others say beside it.

    Attributes:
        document: An A2A 1.0 card; schemas stand on their skills, `stateTransitionHistory` in its place.
        moves: Where a pointer of it came from in the card, unless from the same pointer.
    """

    document: dict[str, Any]
    moves: dict[str, str]

    def source_pointer(self, pointer: str) -> str:
        """Return where in the card stands what a pointer of the hub names."""
        return led_back(pointer, self.moves)


def to_hub(card: Card) -> Hub:
    """Return the hub's form of a card; what an earlier conversion left for it to carry is no part of it."""
    kept = carried.taken(card.document)
    notes = Notes()
    document = MODULES[str(card.dialect)].to_hub(kept[0] if kept else card.document, notes)
    return Hub(document, notes.moves)


def convert(
    card: Card,
    *,
    to: Dialect | str = "a2a-1.0",
    carry: bool = False,
    checks: Checks = DEFAULT_CHECKS,
) -> tuple[Card, ConversionReport]:
    """Return a card in another dialect, and the report of every loss and assumption.

    An invalid card converts as far as it means something; its violations stand in the report, and
    those of the result on the result. What an earlier conversion carried for the target is put back.

    Args:
        card: The card; it is not changed.
        to: The dialect of the result.
        carry: Whether the result keeps what its dialect cannot say, in the extension
            `https://cardwright.dev/extensions/carried/v1`, so that the way back gives the original.
        checks: The registries and rule sets to validate the result with.

    >>> card = Card.from_document({"name": "A", "url": "https://a.example", "protocolVersion": "0.3.0"})
    >>> newer, report = convert(card)
    >>> newer.document["supportedInterfaces"][0]["protocolVersion"]
    '0.3'
    >>> [assumption.pointer for assumption in report.assumptions][:2]
    ['/capabilities', '/defaultInputModes']

    Raises:
        UnknownDialect: If there is no dialect of that name.
    """
    document, report = convert_document(card, to=to, carry=carry)
    if document is card.document:
        return card, report
    return Card.of_parts(document, report.target, checks=checks), report


def convert_document(
    card: Card, *, to: Dialect | str = "a2a-1.0", carry: bool = False
) -> tuple[dict[str, Any], ConversionReport]:
    """Return what `convert` does as a document that nobody has validated, for callers that edit it further.

    Raises:
        UnknownDialect: If there is no dialect of that name.
    """
    kept = carried.taken(card.document)
    source, target = _spoken(card, kept), str(named(str(to)))
    if source == target:
        return card.document, ConversionReport(source, target, violations=card.violations)
    if kept and kept[2]["from"] == target:
        found_way, changes = _restored(kept, source, target)
    else:
        # What an earlier conversion left to carry is carried itself, or passed on as it is.
        found_way = way(kept[0] if kept and carry else card.document, source, target)
        # What no leg doubted comes back but for what is noted as lost: tests hold them to that.
        looked_at = carry or found_way.whys
        changes = delta(turned_into(found_way.document, target, source), card.document) if looked_at else []
    losses = _losses(card.document, found_way, changes)
    document = found_way.document
    keeps = carry and bool(changes)
    if keeps:
        document = carried.put(document, target, source, changes)
    said = sorted(found_way.assumptions.items())
    assumptions = tuple(Assumption(pointer, value, why) for pointer, (value, why) in said)
    return document, ConversionReport(source, target, losses, assumptions, card.violations, keeps)


def _spoken(card: Card, kept: tuple[dict[str, Any], str, dict[str, Any]] | None) -> str:
    """Return a card's dialect; the older A2A forms may look alike, but one that carries says which it is."""
    said = kept[2].get("in") if kept else None
    alike = isinstance(said, str) and said in OLDER and str(card.dialect) in OLDER
    return str(said) if alike else str(card.dialect)


def _losses(document: dict[str, Any], taken: Way, changes: list[Change]) -> tuple[Loss, ...]:
    """Return what was noted as lost, and whatever else does not come back on the way back."""
    told = dict(taken.losses)
    lost = [change.pointer for change in changes if change.loses]
    told |= _whys([pointer for pointer in lost if not _told(document, pointer, taken.losses)], taken.whys)
    losses: list[Loss] = []
    for pointer in sorted(told):
        there = found(document, pointer)
        outer = covers(told, pointer.rpartition("/")[0]) if pointer else None
        if there is not None and outer is None:
            losses.append(Loss(pointer, kind_of(there[0]), told[pointer]))
    return tuple(losses)


def _told(document: Any, pointer: str, losses: dict[str, str]) -> bool:
    """Whether a place is listed, or else every part of what stands there."""
    if covers(losses, pointer) is not None:
        return True
    there = found(document, pointer)
    value = there[0] if there else None
    if type(value) is dict and value:
        return all(_told(document, below(pointer, name), losses) for name in value)
    if type(value) is list and value:
        return all(_told(document, below(pointer, index), losses) for index in range(len(value)))
    return False


def _whys(pointers: list[str], whys: dict[str, str]) -> dict[str, str]:
    """Return why each place is lost: by the nearest reason above it, or else one for a part of it."""
    ordered = sorted(whys)
    told: dict[str, str] = {}
    for pointer in pointers:
        above = covers(whys, pointer)
        if above is None:
            place = bisect_left(ordered, pointer + "/")
            inside = place < len(ordered) and ordered[place].startswith(pointer + "/")
            told[pointer] = whys[ordered[place]] if inside else OTHERWISE
        else:
            told[pointer] = whys[above]
    return told


def _restored(
    kept: tuple[dict[str, Any], str, dict[str, Any]], source: str, target: str
) -> tuple[Way, list[Change]]:
    """Return the way back with what was carried put in its place, as far as no edit speaks against it."""
    bare, pointer, params = kept
    found_way = way(bare, source, target)
    start = found_way.document
    unseen = _places(delta(turned_into(start, target, source), bare))
    trials = MOST_TRIALS
    made: list[Change] = []
    refused = False
    waiting = [changes] if (changes := carried.changes_of(params)) else []
    while waiting:
        part = waiting.pop()
        unplaced: list[Change] = []
        tried = applied(start, [*made, *part], unplaced)
        trials -= 1
        stranded = unplaced and _asked(tried) & _schemes(start) - _schemes(tried)
        if not stranded and _places(delta(turned_into(_bare(tried), target, source), bare)) <= unseen:
            made += part
        elif len(part) > 1 and trials > 0:
            middle = len(part) // 2
            waiting += [part[middle:], part[:middle]]
        else:
            refused = True
    missed: list[Change] = []
    restored = applied(start, made, missed)
    refused = refused or any(change.loses for change in missed)
    rest = delta(turned_into(_bare(restored), target, source), bare)
    losses = {pointer: _EDITED} if refused else {}
    lost = [change.pointer for change in rest if change.loses]
    losses |= _whys(lost, found_way.losses | found_way.whys)
    assumptions = {
        place: said
        for place, said in found_way.assumptions.items()
        if found(restored, place) == found(start, place)
    }
    return type(found_way)(restored, losses, {}, assumptions), rest


def _bare(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document without what it carries itself, of a conversion before the last."""
    kept = carried.taken(document)
    return kept[0] if kept else document


def _asked(document: dict[str, Any]) -> set[str]:
    """Return the names of the schemes that a card and its skills ask for."""
    skills = document.get("skills")
    holders = [document, *(skills if type(skills) is list else [])]
    lists = [holder.get(name) for holder in holders if type(holder) is dict for name in _ASKING]
    entries = [entry for asked in lists if type(asked) is list for entry in asked if type(entry) is dict]
    named = (entry["schemes"] if type(entry.get("schemes")) is dict else entry for entry in entries)
    return {name for schemes in named for name in schemes}


def _schemes(document: dict[str, Any]) -> set[str]:
    schemes = document.get("securitySchemes")
    return set(schemes) if type(schemes) is dict else set()


def _places(changes: list[Change]) -> set[tuple[bool, str]]:
    """Return where a way back differs: what it lacks, and what it has too much."""
    return {(change.loses, change.pointer) for change in changes}
