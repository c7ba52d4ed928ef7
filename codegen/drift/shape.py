"""The neutral shape to which a .proto and a JSON Schema are both reduced.

It has everything that decides whether a card is valid or how it is signed: names,
types, presence, choices, permitted values, limits and defaults. The comment of a field is not compared.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """The kind of a JSON value."""

    STRING = "string"
    BOOL = "bool"
    INT = "int"
    NUMBER = "number"
    NULL = "null"
    STRUCT = "struct"
    ANY = "any"
    LIST = "list"
    MAP = "map"
    UNION = "union"
    MESSAGE = "message"


class Presence(StrEnum):
    """Meaning of an absent field or a default value for a signature: A2A 1.0 §5.7, §8.4.1."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    IMPLICIT = "implicit"


@dataclass(frozen=True, slots=True)
class Type:
    """A type: `of` holds the element of a list or map, or the arms of a union."""

    kind: Kind
    message: str = ""
    of: tuple["Type", ...] = ()
    values: tuple[str, ...] = ()

    @property
    def leaf(self) -> "Type":
        """The type inside all lists and maps."""
        return self.of[0].leaf if self.kind in {Kind.LIST, Kind.MAP} else self

    @property
    def permitted(self) -> tuple[str, ...]:
        """The permitted values anywhere in the type, as sorted JSON texts."""
        inner = {value for part in self.of for value in part.permitted}
        return tuple(sorted(inner.union(self.values)))

    def matches(self, other: "Type") -> bool:
        """Return whether two types are equal except for message names and values."""
        return (
            self.kind is other.kind
            and len(self.of) == len(other.of)
            and all(part.matches(its) for part, its in zip(self.of, other.of, strict=True))
        )

    def __str__(self) -> str:
        """Return the type as text, such as `list of map of string`."""
        if self.kind is Kind.MESSAGE:
            return self.message
        if self.kind is Kind.UNION:
            return " or ".join(sorted(str(arm) for arm in self.of))
        return " of ".join([str(self.kind), *(str(inner) for inner in self.of)])


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message; `presence` is None if the source cannot express it."""

    name: str
    type: Type
    repeated: bool = False
    required: bool = False
    presence: Presence | None = None
    nullable: bool = False
    deprecated: bool = False
    default: str | None = None
    limits: tuple[tuple[str, str], ...] = ()
    comment: str = field(default="", compare=False)

    def __str__(self) -> str:
        """Return the field's type as text, with its repetition."""
        return f"list of {self.type}" if self.repeated else str(self.type)


@dataclass(frozen=True, slots=True)
class Message:
    """An object with fields, or (`arms`) a choice between other messages.

    `oneofs` are groups of fields of which exactly one is present.
    `exclusive` says that exactly one arm may match.
    `named` is false for an object that its source defines inline.
    """

    name: str
    fields: tuple[Field, ...] = ()
    oneofs: tuple[tuple[str, ...], ...] = ()
    arms: tuple[str, ...] = ()
    exclusive: bool = False
    named: bool = True
    limits: tuple[tuple[str, str], ...] = ()
    comment: str = field(default="", compare=False)

    def field(self, name: str) -> Field | None:
        """Return the field with a JSON name, or None."""
        return next((field for field in self.fields if field.name == name), None)


@dataclass(frozen=True, slots=True)
class Shape:
    """Every message reachable from the message named `root`."""

    root: str
    messages: Mapping[str, Message]

    def excludes(self, message: Message) -> bool:
        """Return whether at most one arm of a union can match a document.

        True for `oneOf`, and for `anyOf` if a field that all arms require has a
        different permitted value in each: then the two keywords mean the same.
        """
        arms = [self.messages[name] for name in message.arms]
        if message.exclusive or len(arms) <= 1:
            return True
        return any(_distinguishes(field.name, arms) for field in arms[0].fields)


def _distinguishes(name: str, arms: list[Message]) -> bool:
    seen: set[str] = set()
    for arm in arms:
        field = arm.field(name)
        if field is None or not field.required or not field.type.values:
            return False
        if not seen.isdisjoint(field.type.values):
            return False
        seen.update(field.type.values)
    return True
