"""Cards for those who have a2a-sdk: to its `AgentCard`, a Protocol Buffers message, and from it.

A message holds only the members that it knows, of the types that it knows; whatever else a card says is
named as a loss. It does not tell an empty text, list or `false` from none: where both mean the same by
A2A 1.0 §5.7, that is no loss. a2a-sdk is imported when a function is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import copied
from cardwright.card import Card
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.conversion import Assumption, ConversionReport, Loss, convert, to_hub
from cardwright.conversion.notes import below, found
from cardwright.conversion.report import kind_of
from cardwright.errors import BadArgument, MalformedDocument, MissingPackage
from cardwright.extras import requires_extra
from cardwright_models.a2a_v1_0.presence import PRESENCE

if TYPE_CHECKING:
    from a2a.types import AgentCard

    from cardwright_runtime.presence import Kind, Shape

NAME: Final = "a2a-1.0"
# A card may nest 128 levels; a message counts each of them up to three times.
_LEVELS: Final = 512
# Past it a double may stand for several integers, and no card holds one (RFC 8785 §3.2.2.3).
_GREATEST_INTEGER: Final = 2**53 - 1
_IMPLICIT: Final = "a message does not tell an empty value from none, and this member is always there"
# How a message reads a member that is required and was left out.
_EMPTY: Final[dict[Kind, Any]] = {"text": "", "list": [], "map": {}, "flag": False}
_KINDS: Final = {9: (str, "text"), 8: (bool, "true or false")}


def to_a2a_sdk(card: Card) -> tuple[AgentCard, ConversionReport]:
    """Return a card as a2a-sdk's message, and the report of every loss and assumption on the way.

    A card of another dialect is converted to A2A 1.0 first. An invalid card goes as far as it means
    something. Signatures are kept; whether they still hold depends on what a verifier canonicalises.

    Args:
        card: The card; it is not changed.

    Raises:
        MissingPackage: If a2a-sdk is not installed.
    """
    message = _message()
    converted, report = convert(card, to=NAME)
    losses: dict[str, str] = {}
    held = _held(converted.document, message.DESCRIPTOR, "", losses)
    proto = _parsed(held, message())
    assumed: dict[str, Any] = {}
    _compare(held, _document(proto), "", losses, assumed)
    return proto, _reported(card, converted, report, losses, assumed)


def from_a2a_sdk(proto: AgentCard, *, checks: Checks = DEFAULT_CHECKS) -> Card:
    """Return a card of a2a-sdk's message, validated as any other.

    What a message cannot tell from absence is there where A2A 1.0 requires it, and else is not. Members
    that the installed a2a-sdk does not know are no part of the message that it gives.

    Args:
        proto: An `a2a.types.AgentCard`; it is not changed.
        checks: The registries, limits and rule sets to validate the card with.

    Raises:
        BadArgument: If it is another message, or no message.
        MalformedDocument: If it holds what JSON cannot, such as NaN.
        MissingPackage: If a2a-sdk is not installed.
    """
    if not isinstance(proto, _message()):
        raise BadArgument("proto", f"must be an a2a.types.AgentCard, not {type(proto).__name__}")
    return Card.from_document(_document(proto), dialect=NAME, checks=checks)


def _message() -> Any:
    with requires_extra("a2a"):
        from a2a.types import AgentCard
    if not hasattr(AgentCard, "DESCRIPTOR"):
        raise MissingPackage(
            'this a2a-sdk is older than 1.0; install a newer one with: pip install --upgrade "cardwright[a2a]"'
        )
    return AgentCard


def _parsed(document: Any, message: Any) -> Any:
    from google.protobuf import json_format  # type: ignore[import-untyped] # it has no stubs

    return json_format.ParseDict(document, message, max_recursion_depth=_LEVELS)


def _document(proto: Any) -> dict[str, Any]:
    """Return the JSON of a message, with what is required and empty."""
    from google.protobuf import json_format

    try:
        document = json_format.MessageToDict(proto)
    except (json_format.Error, RecursionError) as error:
        raise MalformedDocument(
            "decode/not-json", f"the message cannot be written as JSON: {error}"
        ) from error
    whole: dict[str, Any] = _completed(document, PRESENCE.root)
    return whole


def _completed(value: Any, shape: Shape | None) -> Any:
    """Return a value with each required member that was left out for being empty."""
    if shape is None:
        return value
    if shape.kind == "opaque":
        return _numbers(value)
    if shape.kind == "list":
        return [_completed(item, shape.of) for item in value]
    if shape.kind == "map":
        return {name: _completed(item, shape.of) for name, item in value.items()}
    if shape.kind != "message":
        return value
    members = PRESENCE.messages[shape.message]
    whole = {
        name: _completed(item, members[name].shape if name in members else None)
        for name, item in value.items()
    }
    for name, member in members.items():
        if member.rule == "required" and member.shape.kind in _EMPTY:
            whole.setdefault(name, copied(_EMPTY[member.shape.kind]))
    return whole


def _numbers(value: Any) -> Any:
    """Return a value whose great numbers are doubles, as the message has them."""
    if isinstance(value, dict):
        return {name: _numbers(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_numbers(item) for item in value]
    return float(value) if type(value) is int and abs(value) > _GREATEST_INTEGER else value


def _held(value: dict[str, Any], descriptor: Any, pointer: str, losses: dict[str, str]) -> dict[str, Any]:
    """Return what of a JSON object a message holds; note the rest."""
    if descriptor.full_name == "google.protobuf.Struct":
        return value
    fields = {field.json_name: field for field in descriptor.fields}
    held: dict[str, Any] = {}
    chosen: dict[str, str] = {}
    for name, item in value.items():
        at = below(pointer, name)
        field = fields.get(name)
        if field is None:
            losses[at] = "a2a-sdk has no such member"
            continue
        choice = field.containing_oneof.name if field.containing_oneof else name
        if choice in chosen:
            losses[at] = f"a2a-sdk holds one of these members, and that is {chosen[choice]}"
        elif (one := _member(item, field, at, losses)) is not None:
            held[name] = one
            chosen[choice] = name
    return held


def _member(value: Any, field: Any, pointer: str, losses: dict[str, str]) -> Any:
    """Return what of a member's value a field holds; None, and a loss, where nothing."""
    if value is None:
        losses[pointer] = "null says no more than the member's absence"
        return None
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        if type(value) is not dict:
            losses[pointer] = "a2a-sdk holds an object there"
            return None
        inner = field.message_type.fields_by_name["value"]
        items = {name: _one(item, inner, below(pointer, name), losses) for name, item in value.items()}
        return {name: item for name, item in items.items() if item is not None}
    if not _repeated(field):
        return _one(value, field, pointer, losses)
    if type(value) is not list:
        losses[pointer] = "a2a-sdk holds an array there"
        return None
    listed = [_one(item, field, below(pointer, index), losses) for index, item in enumerate(value)]
    return [item for item in listed if item is not None]


def _one(value: Any, field: Any, pointer: str, losses: dict[str, str]) -> Any:
    if field.message_type is not None:
        if type(value) is dict:
            return _held(value, field.message_type, pointer, losses)
        wanted = "an object"
    else:
        kind, wanted = _KINDS[field.type]
        if type(value) is kind:
            return value
    losses[pointer] = f"a2a-sdk holds {wanted} there"
    return None


def _repeated(field: Any) -> bool:
    # Protocol Buffers 7 has no `label` any more, and 5 no `is_repeated` yet.
    repeated = getattr(field, "is_repeated", None)
    return bool(field.label == field.LABEL_REPEATED) if repeated is None else bool(repeated)


def _compare(given: Any, back: Any, pointer: str, losses: dict[str, str], assumed: dict[str, Any]) -> None:
    """Note whatever of a value does not come back from the message, and what comes back unasked."""
    if type(given) is dict and type(back) is dict:
        for name, item in given.items():
            if name in back:
                _compare(item, back[name], below(pointer, name), losses, assumed)
            elif item not in _EMPTY.values():
                losses[below(pointer, name)] = "it does not come back from a2a-sdk's message"
        for name in back.keys() - given.keys():
            assumed[below(pointer, name)] = back[name]
    elif type(given) is list and type(back) is list and len(given) == len(back):
        for index, item in enumerate(given):
            _compare(item, back[index], below(pointer, index), losses, assumed)
    elif given != back:
        losses[pointer] = "it comes back from a2a-sdk's message as something else"


def _reported(
    card: Card, converted: Card, report: ConversionReport, losses: dict[str, str], assumed: dict[str, Any]
) -> ConversionReport:
    """Return the report of a conversion with what the message adds to it."""
    hub = to_hub(card) if converted is not card else None
    noted = {loss.pointer: loss for loss in report.losses}
    for place, why in losses.items():
        pointer = hub.source_pointer(place) if hub else place
        there = found(card.document, pointer)
        # What the conversion itself wrote stands nowhere in the source.
        value = there if there is not None else found(converted.document, place)
        if value is not None:
            noted.setdefault(pointer, Loss(pointer, kind_of(value[0]), why))
    added = (Assumption(pointer, value, _IMPLICIT) for pointer, value in assumed.items())
    assumptions = {one.pointer: one for one in (*added, *report.assumptions)}
    return ConversionReport(
        report.source,
        report.target,
        tuple(noted[pointer] for pointer in sorted(noted)),
        tuple(assumptions[pointer] for pointer in sorted(assumptions)),
        card.violations,
    )
