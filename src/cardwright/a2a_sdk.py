"""Conversion of cards to a2a-sdk's `AgentCard`, a Protocol Buffers message, and back.

A message has only the fields and types that it defines; everything else in a card is reported as a loss.
It does not distinguish an empty text, list or `false` from an absent field: if both mean the same by
A2A 1.0 §5.7, that is not a loss. a2a-sdk is imported when a function is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.canonical import checked_copy
from cardwright.card import Card
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.conversion import Assumption, ConversionReport, Loss, convert, to_hub
from cardwright.conversion.notes import below, value_at
from cardwright.conversion.report import kind_of
from cardwright.errors import BadArgument, MalformedDocument, MissingPackage
from cardwright.extras import requires_extra
from cardwright_rules.a2a_v1_0.presence import PRESENCE

if TYPE_CHECKING:
    from a2a.types import AgentCard

    from cardwright_rules.presence_tables import Kind, Shape

NAME: Final = "a2a-1.0"
# A card may have 128 levels of nesting; a message counts each of them up to three times.
_LEVELS: Final = 512
# A greater integer is not exact as a double, and no card has one (RFC 8785 §3.2.2.3).
_MAX_INTEGER: Final = 2**53 - 1
_IMPLICIT: Final = (
    "this required field is always present in the message, which cannot distinguish empty from absent"
)
# The value of a required field that is absent in a message.
_EMPTY: Final[dict[Kind, Any]] = {"text": "", "list": [], "map": {}, "flag": False}
_KINDS: Final = {9: (str, "text"), 8: (bool, "true or false")}


def to_a2a_sdk(card: Card) -> tuple[AgentCard, ConversionReport]:
    """Return a card as a2a-sdk's message, and the report of every loss and assumption.

    A card of another dialect is converted to A2A 1.0 first. Of an invalid card, the valid parts are
    converted. Signatures are kept; whether they still verify depends on what a verifier canonicalises.

    Args:
        card: The card; it is not changed.

    Raises:
        MissingPackage: If a2a-sdk is not installed.
    """
    message = _message()
    converted, report = convert(card, to=NAME)
    losses: dict[str, str] = {}
    accepted = _accepted(converted.document, message.DESCRIPTOR, "", losses)
    proto = _parsed(accepted, message())
    assumed: dict[str, Any] = {}
    _compare(accepted, _document(proto), "", losses, assumed)
    return proto, _reported(card, converted, report, losses, assumed)


def from_a2a_sdk(proto: AgentCard, *, checks: Checks = DEFAULT_CHECKS) -> Card:
    """Return the validated card of an a2a-sdk message.

    A field that is empty in the message is present in the card if A2A 1.0 requires it, otherwise absent.
    The message does not have fields that the installed a2a-sdk does not know.

    Args:
        proto: An `a2a.types.AgentCard`; it is not changed.
        checks: The registries, limits and rule sets to validate the card with.

    Raises:
        BadArgument: If it is not an `AgentCard` message.
        MalformedDocument: If it has a value that JSON cannot express, such as NaN.
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
    """Return the JSON of a message, including required fields that are empty."""
    from google.protobuf import json_format

    try:
        document = json_format.MessageToDict(proto)
    except (json_format.Error, RecursionError) as error:
        raise MalformedDocument(
            "decode/not-json", f"the message cannot be written as JSON: {error}"
        ) from error
    completed: dict[str, Any] = _completed(document, PRESENCE.root)
    return completed


def _completed(value: Any, shape: Shape | None) -> Any:
    """Return a value with the required fields that are absent because they are empty."""
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
    fields_of_message = PRESENCE.messages[shape.message]
    completed = {
        name: _completed(item, fields_of_message[name].shape if name in fields_of_message else None)
        for name, item in value.items()
    }
    for name, field in fields_of_message.items():
        if field.rule == "required" and field.shape.kind in _EMPTY:
            completed.setdefault(name, checked_copy(_EMPTY[field.shape.kind]))
    return completed


def _numbers(value: Any) -> Any:
    """Return a value with large integers as doubles, as in the message."""
    if isinstance(value, dict):
        return {name: _numbers(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_numbers(item) for item in value]
    return float(value) if type(value) is int and abs(value) > _MAX_INTEGER else value


def _accepted(value: dict[str, Any], descriptor: Any, pointer: str, losses: dict[str, str]) -> dict[str, Any]:
    """Return the fields of a JSON object that a message has; add the others to `losses`."""
    if descriptor.full_name == "google.protobuf.Struct":
        return value
    fields = {field.json_name: field for field in descriptor.fields}
    accepted: dict[str, Any] = {}
    chosen: dict[str, str] = {}
    for name, item in value.items():
        at = below(pointer, name)
        field = fields.get(name)
        if field is None:
            losses[at] = "a2a-sdk has no such field"
            continue
        choice = field.containing_oneof.name if field.containing_oneof else name
        if choice in chosen:
            losses[at] = f"a2a-sdk accepts only one of these fields, and the card has {chosen[choice]}, too"
        elif (converted := _field_value(item, field, at, losses)) is not None:
            accepted[name] = converted
            chosen[choice] = name
    return accepted


def _field_value(value: Any, field: Any, pointer: str, losses: dict[str, str]) -> Any:
    """Return the part of a value that a field of the message accepts; None, and a loss, if no part is accepted."""
    if value is None:
        losses[pointer] = "null means the same as an absent field"
        return None
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        if type(value) is not dict:
            losses[pointer] = "a2a-sdk expects an object here"
            return None
        inner = field.message_type.fields_by_name["value"]
        entries = {name: _single(item, inner, below(pointer, name), losses) for name, item in value.items()}
        return {name: item for name, item in entries.items() if item is not None}
    if not _repeated(field):
        return _single(value, field, pointer, losses)
    if type(value) is not list:
        losses[pointer] = "a2a-sdk expects an array here"
        return None
    items = [_single(item, field, below(pointer, index), losses) for index, item in enumerate(value)]
    return [item for item in items if item is not None]


def _single(value: Any, field: Any, pointer: str, losses: dict[str, str]) -> Any:
    if field.message_type is not None:
        if type(value) is dict:
            return _accepted(value, field.message_type, pointer, losses)
        expected = "an object"
    else:
        kind, expected = _KINDS[field.type]
        if type(value) is kind:
            return value
    losses[pointer] = f"a2a-sdk expects {expected} here"
    return None


def _repeated(field: Any) -> bool:
    # Protocol Buffers 5 has only `label`, and 7 only `is_repeated`.
    repeated = getattr(field, "is_repeated", None)
    return bool(field.label == field.LABEL_REPEATED) if repeated is None else bool(repeated)


def _compare(
    original: Any, returned: Any, pointer: str, losses: dict[str, str], assumed: dict[str, Any]
) -> None:
    """Add to `losses` what the message dropped from a value, and to `assumed` what it added."""
    if type(original) is dict and type(returned) is dict:
        for name, item in original.items():
            if name in returned:
                _compare(item, returned[name], below(pointer, name), losses, assumed)
            elif item not in _EMPTY.values():
                losses[below(pointer, name)] = "a2a-sdk's message drops this value"
        for name in returned.keys() - original.keys():
            assumed[below(pointer, name)] = returned[name]
    elif type(original) is list and type(returned) is list and len(original) == len(returned):
        for index, item in enumerate(original):
            _compare(item, returned[index], below(pointer, index), losses, assumed)
    elif original != returned:
        losses[pointer] = "a2a-sdk's message changes this value"


def _reported(
    card: Card, converted: Card, report: ConversionReport, losses: dict[str, str], assumed: dict[str, Any]
) -> ConversionReport:
    """Return the report of a conversion with the losses and assumptions of the message added."""
    hub = to_hub(card) if converted is not card else None
    losses_by_pointer = {loss.pointer: loss for loss in report.losses}
    for place, why in losses.items():
        pointer = hub.source_pointer(place) if hub else place
        match = value_at(card.document, pointer)
        # A value that the conversion added is not in the source.
        value = match if match is not None else value_at(converted.document, place)
        if value is not None:
            losses_by_pointer.setdefault(pointer, Loss(pointer, kind_of(value[0]), why))
    added = (Assumption(pointer, value, _IMPLICIT) for pointer, value in assumed.items())
    assumptions = {assumption.pointer: assumption for assumption in (*added, *report.assumptions)}
    return ConversionReport(
        report.source,
        report.target,
        tuple(losses_by_pointer[pointer] for pointer in sorted(losses_by_pointer)),
        tuple(assumptions[pointer] for pointer in sorted(assumptions)),
        card.violations,
        detection=report.detection,
    )
