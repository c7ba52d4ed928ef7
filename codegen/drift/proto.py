"""Conversion of a `.proto` to the neutral shape.

JSON names and types follow the ProtoJSON mapping, required fields A2A 1.0 §5.7
(`google.api.field_behavior`), and presence A2A 1.0 §8.4.1.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn, Protocol

from proto_schema_parser import ast
from proto_schema_parser.parser import Parser

from codegen.drift.shape import Field, Kind, Message, Presence, Shape, Type
from codegen.drift.source import DriftError, compact

# The signs of a comment, in each of its lines.
_SIGNS = re.compile(r"^\s*(?://+|/?\*+/?)|\*/\s*$")
# ProtoJSON: 64-bit integers, bytes and the times are strings in JSON.
# https://protobuf.dev/programming-guides/json/
SCALARS = {
    "string": Kind.STRING,
    "bytes": Kind.STRING,
    "bool": Kind.BOOL,
    **dict.fromkeys(["int32", "uint32", "sint32", "fixed32", "sfixed32"], Kind.INT),
    **dict.fromkeys(["int64", "uint64", "sint64", "fixed64", "sfixed64"], Kind.STRING),
    **dict.fromkeys(["float", "double"], Kind.NUMBER),
}
WELL_KNOWN = {
    "google.protobuf.Struct": Type(Kind.STRUCT),
    "google.protobuf.Any": Type(Kind.STRUCT),
    "google.protobuf.Empty": Type(Kind.STRUCT),
    "google.protobuf.Value": Type(Kind.ANY),
    "google.protobuf.ListValue": Type(Kind.LIST, of=(Type(Kind.ANY),)),
    "google.protobuf.Timestamp": Type(Kind.STRING),
    "google.protobuf.Duration": Type(Kind.STRING),
    "google.protobuf.FieldMask": Type(Kind.STRING),
    "google.protobuf.StringValue": Type(Kind.STRING),
    "google.protobuf.BytesValue": Type(Kind.STRING),
    "google.protobuf.BoolValue": Type(Kind.BOOL),
    "google.protobuf.Int32Value": Type(Kind.INT),
    "google.protobuf.UInt32Value": Type(Kind.INT),
    "google.protobuf.Int64Value": Type(Kind.STRING),
    "google.protobuf.UInt64Value": Type(Kind.STRING),
    "google.protobuf.FloatValue": Type(Kind.NUMBER),
    "google.protobuf.DoubleValue": Type(Kind.NUMBER),
}


def read_proto(text: str, where: str, root: str) -> Shape:
    """Return the shape of every message reachable from the message `root`.

    Raises:
        DriftError: If the text is not a proto, or lacks the message or a type.
    """
    listener = _ErrorListener(where)
    parser = Parser(setup_lexer=listener.attach, setup_parser=listener.attach)
    file = parser.parse(text)
    comments = {
        element.name: text
        for element, text in _commented(file.file_elements)
        if isinstance(element, ast.Message)
    }
    reader = _Reader(where, _package(file), dict(_declared(file.file_elements)), comments)
    if not isinstance(reader.declared.get(root), ast.Message):
        advice = f"use the .proto that defines message {root}"
        raise DriftError(where, f"no message {root}", advice)
    messages: dict[str, Message] = {}
    waiting = [root]
    while waiting:
        name = waiting.pop()
        if name not in messages:
            messages[name] = reader.message(name)
            leaves = [field.type.leaf for field in messages[name].fields]
            waiting += [leaf.message for leaf in leaves if leaf.kind is Kind.MESSAGE]
    return Shape(root, messages)


class _Recognizer(Protocol):
    """The two methods of an ANTLR lexer or parser that this module calls."""

    def removeErrorListeners(self) -> object: ...  # noqa: N802 - ANTLR's name

    def addErrorListener(  # noqa: N802 - ANTLR's name
        self, listener: Any
    ) -> object: ...


class _ErrorListener:
    """Error listener that raises a `DriftError` at the first syntax error.

    By default, the parser prints the error, guesses and returns an incomplete file.
    """

    def __init__(self, where: str) -> None:
        self.where = where

    def attach(self, recognizer: _Recognizer) -> None:
        recognizer.removeErrorListeners()
        recognizer.addErrorListener(self)

    def syntaxError(self, *details: object) -> NoReturn:  # noqa: N802 - ANTLR's name
        _recognizer, _symbol, line, column, *_ = details
        place = f"not protobuf at line {line}, column {column}"
        raise DriftError(self.where, place, "use a .proto that protoc accepts")

    def reportAmbiguity(self, *_: object) -> None:  # noqa: N802 - ANTLR's name
        """Ignore an ambiguous prefix: it is not an error."""

    reportAttemptingFullContext = reportAmbiguity  # noqa: N815 - ANTLR's name
    reportContextSensitivity = reportAmbiguity  # noqa: N815 - ANTLR's name


def _package(file: ast.File) -> str:
    names = [item.name for item in file.file_elements if isinstance(item, ast.Package)]
    return f"{names[0]}." if names else ""


def _declared(elements: Sequence[object], outer: str = "") -> Iterator[tuple[str, ast.Message | ast.Enum]]:
    """Yield messages and enums under their path below the package."""
    for element in elements:
        if isinstance(element, ast.Message | ast.Enum):
            yield outer + element.name, element
        if isinstance(element, ast.Message):
            yield from _declared(element.elements, f"{outer}{element.name}.")


@dataclass(frozen=True, slots=True)
class _Reader:
    where: str
    package: str
    declared: dict[str, ast.Message | ast.Enum]
    comments: dict[str, str]

    def message(self, name: str) -> Message:
        declared = self.declared[name]
        fields: list[Field] = []
        oneofs: list[tuple[str, ...]] = []
        for element, comment in _commented(getattr(declared, "elements", [])):
            if isinstance(element, ast.OneOf):
                arms = [
                    replace(self._field(name, arm, arm=True), comment=text)
                    for arm, text in _commented(element.elements)
                    if isinstance(arm, ast.Field)
                ]
                oneofs.append(tuple(sorted(arm.name for arm in arms)))
                fields += arms
            elif isinstance(element, ast.Field | ast.MapField):
                fields.append(replace(self._field(name, element), comment=comment))
        # The specification prints "exactly one of" only for a choice of several
        # (A2A 1.0 §4.5.1, rendered from the proto); one arm is merely optional.
        choices = tuple(group for group in oneofs if len(group) > 1)
        return Message(name.rpartition(".")[2], tuple(fields), choices, comment=self.comments.get(name, ""))

    def _field(self, message: str, field: ast.Field | ast.MapField, *, arm: bool = False) -> Field:
        at = f"{message}.{field.name}"
        cardinality = None if isinstance(field, ast.MapField) else field.cardinality
        required = cardinality is ast.FieldCardinality.REQUIRED or _marked(field)
        optional = arm or cardinality is ast.FieldCardinality.OPTIONAL
        kind = self._type(field, message, at)
        repeated = cardinality is ast.FieldCardinality.REPEATED
        if kind.kind is Kind.LIST and not repeated:
            kind, repeated = kind.of[0], True
        if required:
            presence = Presence.REQUIRED
        elif optional or (not repeated and (kind.kind is Kind.MESSAGE or _plain_type(field) in WELL_KNOWN)):
            presence = Presence.OPTIONAL
        else:
            presence = Presence.IMPLICIT
        return Field(
            name=_json_name(field),
            type=kind,
            repeated=repeated,
            required=required,
            presence=presence,
            deprecated=_option(field, "deprecated") is True,
            default=None if required or repeated or arm else _default(field),
            # A2A 1.0 §5.7: arrays marked as required hold at least one element.
            limits=(("minItems", "1"),) if required and repeated else (),
        )

    def _type(self, field: ast.Field | ast.MapField, scope: str, at: str) -> Type:
        if isinstance(field, ast.MapField):
            return Type(Kind.MAP, of=(self._type_by_name(field.value_type, scope, at),))
        return self._type_by_name(field.type, scope, at)

    def _type_by_name(self, name: str, scope: str, at: str) -> Type:
        """Resolve a type name as protobuf does: the innermost scope first."""
        if name in SCALARS:
            return Type(SCALARS[name])
        plain = name.removeprefix(".")
        if plain in WELL_KNOWN:
            return WELL_KNOWN[plain]
        outer = [] if name.startswith(".") else scope.split(".")
        paths = [".".join([*outer[:end], plain]) for end in range(len(outer), -1, -1)]
        for path in [*paths, plain.removeprefix(self.package)]:
            definition = self.declared.get(path)
            if isinstance(definition, ast.Message):
                return Type(Kind.MESSAGE, message=path)
            if isinstance(definition, ast.Enum):
                return Type(Kind.STRING, values=_values(definition))
        fault = f"{at} is of type {name}, which the file does not define"
        raise DriftError(self.where, fault, "use the complete .proto")


def _commented(elements: Sequence[object]) -> Iterator[tuple[object, str]]:
    """Yield elements, each with the comment before it, or behind it on its line, as one line of text."""
    for index, element in enumerate(elements):
        if isinstance(element, ast.Comment):
            continue
        start = index
        while start and _is_comment(elements[start - 1], inline=False):
            start -= 1
        end = index + 1 + (index + 1 < len(elements) and _is_comment(elements[index + 1], inline=True))
        comments = [*elements[start:index], *elements[index + 1 : end]]
        yield element, _text(one.text for one in comments if isinstance(one, ast.Comment))


def _text(comments: Iterable[str]) -> str:
    """Return comments without their signs, on one line."""
    lines = [line for comment in comments for line in comment.splitlines()]
    return " ".join(" ".join(_SIGNS.sub("", line) for line in lines).split())


def _is_comment(element: object, *, inline: bool) -> bool:
    return isinstance(element, ast.Comment) and element.inline is inline


def _values(enum: ast.Enum) -> tuple[str, ...]:
    """Return the enum's names as JSON texts: ProtoJSON writes names."""
    names = [item.name for item in enum.elements if isinstance(item, ast.EnumValue)]
    return tuple(sorted(f'"{name}"' for name in names))


def _plain_type(field: ast.Field | ast.MapField) -> str:
    """Return the name of a field's type; proto3 distinguishes an absent message from an empty one, also a well-known one."""
    return "" if isinstance(field, ast.MapField) else field.type.removeprefix(".")


def _option(field: ast.Field | ast.MapField, name: str) -> object:
    return next((option.value for option in field.options if option.name == name), None)


def _marked(field: ast.Field | ast.MapField) -> bool:
    return any(
        option.name == "(google.api.field_behavior)" and option.value == ast.Identifier("REQUIRED")
        for option in field.options
    )


def _default(field: ast.Field | ast.MapField) -> str | None:
    """Return the default in the field's options, or false for a bool, which proto3 reads as false if absent.

    The empty strings and lists of proto3 mean that no value was given: they are not defaults.
    """
    value = _option(field, "default")
    if isinstance(value, ast.Identifier):
        return compact(value.name)
    if isinstance(value, str | int | float):
        return compact(value)
    return "false" if isinstance(field, ast.Field) and field.type == "bool" else None


def _json_name(field: ast.Field | ast.MapField) -> str:
    """Return the JSON name in the field's options, or protobuf's default: lowerCamelCase."""
    explicit = _option(field, "json_name")
    if isinstance(explicit, str):
        return explicit
    first, *rest = field.name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)
