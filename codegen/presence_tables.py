"""When a field of an object counts as set: the table behind canonical forms (A2A 1.0 §5.7, §8.4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping as Table

Rule: TypeAlias = Literal["required", "optional", "implicit"]
Kind: TypeAlias = Literal["text", "flag", "number", "list", "map", "message", "opaque"]


@dataclass(frozen=True, slots=True)
class Shape:
    """Shape of a JSON value.

    Attributes:
        kind: A JSON text, flag or number; a list or a map of values of one shape; a message, which has
            fields of its own; or an opaque object, whose fields no schema names.
        of: The shape of the values of a list or a map.
        message: The name of a message's table of fields.
        alone: Whether at most one field of the message may be set.
    """

    kind: Kind
    of: Shape | None = None
    message: str = ""
    alone: bool = False


@dataclass(frozen=True, slots=True)
class FieldPresence:
    """One field of a message.

    Attributes:
        rule: `required` always counts; `optional` counts if it is present, whatever its value;
            `implicit` counts if its value is not the default of its shape.
        shape: The shape of its value.
    """

    rule: Rule
    shape: Shape


@dataclass(frozen=True, slots=True)
class Presence:
    """Every message of one dialect, by its name in the schema; `root` is the card's own shape."""

    dialect: str
    root: Shape
    messages: Table[str, Table[str, FieldPresence]]
