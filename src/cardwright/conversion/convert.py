"""`convert` to another dialect with a report, and `to_hub`. One module: cards, servers and messages share how losses are found."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from cardwright.card import Card, Document, ProtocolMessage, ServerCard
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.conversion import authentication, carried
from cardwright.conversion.delta import Change, applied, delta
from cardwright.conversion.notes import Notes, below, covers, led_back, value_at
from cardwright.conversion.pipeline import (
    MODULES,
    Conversion,
    Steps,
    converted,
    document_as,
    in_steps,
    joined,
)
from cardwright.conversion.report import Assumption, ConversionReport, Loss, kind_of
from cardwright.conversion.standing import Standing
from cardwright.dialect import Dialect, named
from cardwright.errors import UnknownDialect
from cardwright.jcs import canonical_bytes
from cardwright_rules import CATALOGS, DIALECTS, MESSAGES, SERVERS
from cardwright_runtime.checks import mapping, objects

if TYPE_CHECKING:
    from collections.abc import Callable, Container

D = TypeVar("D", Card, ServerCard)

CATALOG_HINT: Final = "use cardwright catalog build"
# Every dialect of cards that `convert` supports.
CONVERTIBLE: Final = tuple(name for name in MODULES if name in DIALECTS)
# Dialects of A2A that a card with few fields may match equally well.
OLDER: Final = ("a2a-0.1", "a2a-0.2", "a2a-0.3")
# Project decision: attempts to apply parts of the carried changes to a card that was edited.
MAX_TRIALS: Final = 64
_REQUIREMENT_FIELDS: Final = ("security", "securityRequirements")
# The reason for a loss without a more precise one.
OTHERWISE: Final = "the result has it in another form, or not at all"
# A conversion, the document converted back, and how the source differs from that.
_Compared: TypeAlias = tuple[Conversion, dict[str, Any], list[Change]]
_EDITED_WHY: Final = "it was carried for the conversion back, and no longer fits, because the card was edited"


@dataclass(frozen=True, slots=True)
class Hub:
    """A card in the form that all dialects share: A2A 1.0 with fields of other dialects.

    Attributes:
        document: An A2A 1.0 card, with `stateTransitionHistory` and with schemas on the skills.
        moves: The pointer in the card by pointer of the document, if they differ.
        assumed: The pointers of the values that are not in the card.
    """

    document: dict[str, Any]
    moves: dict[str, str]
    assumed: tuple[str, ...] = ()

    def source_pointer(self, pointer: str) -> str:
        """Return the pointer in the card of a pointer of the hub."""
        return led_back(pointer, self.moves)


def to_hub(card: Card) -> Hub:
    """Return the hub's form of a card, without the losses that it carries of an earlier conversion."""
    extracted = carried.extracted_from(card.document)
    notes = Notes()
    document = MODULES[str(card.dialect)].to_hub(extracted[0] if extracted else card.document, notes)
    return Hub(document, notes.moves, tuple(notes.assumptions))


def convert(
    card: Card | ServerCard,
    *,
    to: Dialect | str = "a2a-1.0",
    carry: bool = False,
    endpoint: str = "",
    checks: Checks = DEFAULT_CHECKS,
) -> tuple[Card, ConversionReport]:
    """Return a card in another dialect, and the report of every loss and assumption.

    Of an invalid card, the valid parts are converted; the report has the violations of the source, the
    result its own. Losses that an earlier conversion carried for the target are restored.

    The card of an MCP server is not valid without `endpoint`, such as that of a gateway, and without skills: they are
    known only if the description of the server lists its tools.

    Args:
        card: The card, or the description of an MCP server; it is not changed.
        to: The dialect of the result.
        carry: Whether the result carries its losses in the extension
            `https://cardwright.dev/extensions/carried/v1`, so that the conversion back restores the original.
        endpoint: The URL of the agent for A2A over JSON-RPC, if the card names none: that of an MCP server never does.
        checks: The registries and rule sets to validate the result with.

    >>> card = Card.from_document({"name": "A", "url": "https://a.example", "protocolVersion": "0.3.0"})
    >>> newer, report = convert(card)
    >>> newer.document["supportedInterfaces"][0]["protocolVersion"]
    '0.3'
    >>> [assumption.pointer for assumption in report.assumptions][:2]
    ['/capabilities', '/defaultInputModes']

    Raises:
        UnknownDialect: If there is no dialect of cards of that name.
    """
    if str(named(str(to))) in SERVERS:
        raise UnknownDialect(f"{to} is no dialect of agent cards: use convert_to_server")
    return _converted(Card, card, to, checks, carry=carry, endpoint=endpoint)


def convert_to_server(
    card: Card | ServerCard, *, to: Dialect | str = "mcp-server-card-1", checks: Checks = DEFAULT_CHECKS
) -> tuple[ServerCard, ConversionReport]:
    """Return the description of an MCP server in another dialect, and the report of every loss and assumption.

    An endpoint of A2A never becomes one of MCP: the description of an agent without an MCP server has no remotes.

    Args:
        card: The description of a server, or the card of an agent; it is not changed.
        to: The dialect of the result, one of MCP servers.
        checks: The registries and rule sets to validate the result with.

    >>> server = ServerCard.from_document({"name": "com.example/tides", "packages": [{"registryType": "npm"}]})
    >>> newer, report = convert_to_server(server)
    >>> newer.document["name"], [loss.pointer for loss in report.losses]
    ('com.example/tides', ['/packages'])

    Raises:
        UnknownDialect: If there is no dialect of MCP servers of that name.
    """
    if str(named(str(to))) not in SERVERS:
        raise UnknownDialect(f"{to} is no dialect of MCP servers: use convert")
    return _converted(ServerCard, card, to, checks)


def convert_message(
    message: ProtocolMessage, *, to: Dialect | str = "a2a-messages-1.0", checks: Checks = DEFAULT_CHECKS
) -> tuple[ProtocolMessage, ConversionReport]:
    """Return what agents send each other in the form of another version of A2A, and the report of losses and assumptions.

    Args:
        message: A request, a response, a task, a message, an event, or a stream of them; it is not changed.
        to: The dialect of the result, one of messages.
        checks: The limits and rule sets to validate the result with.

    >>> sent = {"kind": "message", "messageId": "m-1", "role": "user", "parts": [{"kind": "text", "text": "Hi"}]}
    >>> newer, report = convert_message(ProtocolMessage.from_document(sent))
    >>> newer.document
    {'messageId': 'm-1', 'role': 'ROLE_USER', 'parts': [{'text': 'Hi'}]}

    Raises:
        UnknownDialect: If there is no dialect of messages of that name.
    """
    source, target = str(message.dialect), str(named(str(to)))
    if target not in MESSAGES:
        raise UnknownDialect(f"{to} is no dialect of messages: use one of {', '.join(MESSAGES)}")
    if source == target:
        return message, _report(message, source, target, lambda: {"losses": (), "assumptions": ()})
    steps = in_steps(message.document, source, target)
    report = _report(
        message, source, target, lambda: _notes(message, _compared(message.document, steps, source, target))
    )
    return ProtocolMessage.of_conversion(steps.document, target, checks=checks), report


def _converted(
    kind: type[D],
    card: Card | ServerCard,
    to: Dialect | str,
    checks: Checks,
    *,
    carry: bool = False,
    endpoint: str = "",
) -> tuple[D, ConversionReport]:
    document, report = convert_document(card, to=to, carry=carry, endpoint=endpoint)
    if document is card.document and isinstance(card, kind):
        return card, report
    return kind.of_conversion(document, report.target, checks=checks), report


def convert_document(
    card: Card | ServerCard, *, to: Dialect | str = "a2a-1.0", carry: bool = False, endpoint: str = ""
) -> tuple[dict[str, Any], ConversionReport]:
    """Return the result of `convert` as a document without validation, for callers that edit it further.

    Raises:
        UnknownDialect: If there is no dialect of that name.
    """
    extracted = carried.extracted_from(card.document)
    source, target = _dialect_of(card, extracted), _target(to)
    if source == target:
        return card.document, _report(card, source, target, lambda: {"losses": (), "assumptions": ()})
    if extracted and extracted[2]["from"] == target:
        comparison = _restored(extracted, source, target)
    else:
        # Losses carried of an earlier conversion are carried again, or kept unchanged.
        original = extracted[0] if extracted and carry else card.document
        steps = in_steps(original, source, target, endpoint, card.found_at)
        if not carry:
            return steps.document, _report(
                card, source, target, lambda: _notes(card, _compared(card.document, steps, source, target))
            )
        comparison = _compared(card.document, steps, source, target, carry=True)
    conversion, _, changes = comparison
    document = conversion.document
    keeps = carry and bool(changes)
    if keeps:
        document = carried.put(document, target, source, changes)
    return document, _report(card, source, target, lambda: _notes(card, comparison), carried=keeps)


def _notes(card: Document, comparison: _Compared) -> dict[str, Any]:
    """Return the losses and assumptions of a conversion."""
    conversion, back, changes = comparison
    return {
        "losses": _losses(card, conversion, back, changes),
        "assumptions": tuple(
            Assumption(pointer, value, why)
            for pointer, (value, why) in sorted(conversion.assumptions.items())
        ),
    }


def _report(
    card: Document, source: str, target: str, notes: Callable[[], dict[str, Any]], *, carried: bool = False
) -> ConversionReport:
    """Return a report whose contents are found when they are first read: most callers need the result only."""

    def compute() -> dict[str, Any]:
        return {**notes(), "violations": card.violations, "detection": card.detection}

    return ConversionReport.on_demand(compute, source=source, target=target, carried=carried)


def _compared(
    document: dict[str, Any], steps: Steps, source: str, target: str, *, carry: bool = False
) -> _Compared:
    """Return a conversion, the document converted back, and how the document differs from that."""
    conversion = joined(steps)
    # Without doubts, only noted losses change on the way back: tests verify that.
    is_compared = carry or conversion.whys
    back = document_as(conversion.document, target, source) if is_compared else document
    return conversion, back, delta(back, document)


def _target(to: Dialect | str) -> str:
    name = str(named(str(to)))
    if name in MESSAGES:
        raise UnknownDialect(f"{name} is a dialect of messages, not of cards: use convert_message")
    if name in CATALOGS:
        raise UnknownDialect(f"a card cannot be converted to {name}, which lists several: {CATALOG_HINT}")
    return name


def _dialect_of(card: Document, extracted: tuple[dict[str, Any], str, dict[str, Any]] | None) -> str:
    """Return a card's dialect; the carried extension names that of a card whose own fields leave it open."""
    declared = extracted[2].get("in") if extracted else None
    if not isinstance(declared, str) or declared not in MODULES:
        return str(card.dialect)
    among_older = declared in OLDER and str(card.dialect) in OLDER
    is_open = among_older or (card.detection is not None and not card.detection.sure)
    return declared if is_open else str(card.dialect)


def _losses(
    card: Document, conversion: Conversion, back: dict[str, Any], changes: list[Change]
) -> tuple[Loss, ...]:
    """Return the noted losses, and all other values that neither come back nor are in the result."""
    document, reasons = card.document, dict(conversion.losses)
    lost = [
        change.pointer
        for change in changes
        if change.loses and not _remains(document, change.pointer, conversion.document, back)
    ]
    repeats = _repeats(conversion.repeats, {*reasons, *lost})
    lost = [part for pointer in lost for part in _unlisted(document, pointer, repeats)]
    reasons |= _whys(
        [pointer for pointer in lost if _unlisted(document, pointer, conversion.losses)], conversion.whys
    )
    losses: list[Loss] = []
    # The ids of a message are often equal by chance: a tenant is not its task.
    stands = reasons and str(card.dialect) not in MESSAGES
    result = Standing.of(conversion.document) if stands else Standing()
    for pointer in sorted(reasons):
        match = value_at(document, pointer)
        outer = covers(reasons, pointer.rpartition("/")[0]) if pointer else None
        if match is not None and outer is None and not result.has(document, pointer):
            losses.append(Loss(pointer, kind_of(match[0]), reasons[pointer]))
    return tuple(losses)


def _repeats(repeats: dict[str, tuple[str, ...]], lost: set[str]) -> set[str]:
    """Return the places that repeat others of which nothing is lost."""
    return {
        place
        for place, originals in repeats.items()
        if not any(f"{one}/".startswith(f"{other}/") for one in lost for other in originals)
        and not any(covers(lost, other) for other in originals)
    }


def _remains(document: Any, pointer: str, result: Any, back: Any) -> bool:
    """Return whether the result has a value at the same place, or has the same JSON text in other words."""
    match = value_at(document, pointer)
    if match is None:
        return False
    there, again = value_at(result, pointer), value_at(back, pointer)
    if there and canonical_bytes(there[0]) == canonical_bytes(match[0]):
        return True
    return again is not None and authentication.same_details(match[0], again[0])


def _unlisted(document: Any, pointer: str, pointers: Container[str]) -> list[str]:
    """Return the place itself, or the parts of its value that are not among some pointers if others are."""
    if covers(pointers, pointer) is not None:
        return []
    match = value_at(document, pointer)
    value = match[0] if match else None
    names = list(value) if type(value) is dict else list(range(len(value))) if type(value) is list else []
    places = [below(pointer, name) for name in names]
    parts = [part for place in places for part in _unlisted(document, place, pointers)]
    return [pointer] if parts == places else parts


def _whys(pointers: list[str], whys: dict[str, str]) -> dict[str, str]:
    """Return the reason for each loss: the nearest one above it, otherwise one for a part of it."""
    ordered = sorted(whys)
    reasons: dict[str, str] = {}
    for pointer in pointers:
        above = covers(whys, pointer)
        if above is None:
            place = bisect_left(ordered, pointer + "/")
            inside = place < len(ordered) and ordered[place].startswith(pointer + "/")
            reasons[pointer] = whys[ordered[place]] if inside else OTHERWISE
        else:
            reasons[pointer] = whys[above]
    return reasons


def _restored(extracted: tuple[dict[str, Any], str, dict[str, Any]], source: str, target: str) -> _Compared:
    """Return the conversion back with the carried losses restored, unless an edit of the card contradicts them.

    Also return the result converted forth again, and how it differs from the card.
    """
    bare, pointer, params = extracted
    conversion = converted(bare, source, target)
    start = conversion.document
    unseen = _places(delta(document_as(start, target, source), bare))
    trials = MAX_TRIALS
    accepted: list[Change] = []
    refused = False
    waiting = [changes] if (changes := carried.changes_of(params)) else []
    while waiting:
        part = waiting.pop()
        unplaced: list[Change] = []
        tried = applied(start, [*accepted, *part], unplaced)
        trials -= 1
        stranded = unplaced and _required_schemes(tried) & _schemes(start) - _schemes(tried)
        if not stranded and _places(delta(document_as(_bare(tried), target, source), bare)) <= unseen:
            accepted += part
        elif len(part) > 1 and trials > 0:
            middle = len(part) // 2
            waiting += [part[middle:], part[:middle]]
        else:
            refused = True
    missed: list[Change] = []
    restored = applied(start, accepted, missed)
    refused = refused or any(change.loses for change in missed)
    forth = document_as(_bare(restored), target, source)
    losses = {pointer: _EDITED_WHY} if refused else {}
    assumptions = {
        place: assumption
        for place, assumption in conversion.assumptions.items()
        if value_at(restored, place) == value_at(start, place)
    }
    whys = conversion.losses | conversion.whys
    return (
        replace(conversion, document=restored, losses=losses, whys=whys, assumptions=assumptions),
        forth,
        delta(forth, bare),
    )


def _bare(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document without the losses that it carries of a conversion before the last."""
    extracted = carried.extracted_from(document)
    return extracted[0] if extracted else document


def _required_schemes(document: dict[str, Any]) -> set[str]:
    """Return the names of the schemes that a card and its skills require."""
    holders = [document, *(skill for _, skill in objects(document.get("skills")))]
    lists = (holder.get(name) for holder in holders for name in _REQUIREMENT_FIELDS)
    entries = (entry for requirements in lists for _, entry in objects(requirements))
    schemes_of_entries = (
        entry["schemes"] if type(entry.get("schemes")) is dict else entry for entry in entries
    )
    return {name for schemes in schemes_of_entries for name in schemes}


def _schemes(document: dict[str, Any]) -> set[str]:
    return set(mapping(document.get("securitySchemes")))


def _places(changes: list[Change]) -> set[tuple[bool, str]]:
    """Return where a conversion back differs: (is missing, pointer) of each change."""
    return {(change.loses, change.pointer) for change in changes}
