"""When a member of an object counts as set: the table behind canonical forms (A2A 1.0 §5.7, §8.4.1)."""

from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import dataclass
from typing import Literal, TypeAlias

Rule: TypeAlias = Literal["required", "optional", "implicit"]
Kind: TypeAlias = Literal["text", "flag", "number", "list", "map", "message", "opaque"]


@dataclass(frozen=True, slots=True)
class Shape:
    """What a value is.

    Attributes:
        kind: A JSON text, flag or number; a list or a map of values of one shape; a message, which has
            members of its own; or an opaque object, whose members no schema names.
        of: What the values of a list or a map are.
        message: The table of a message's members.
        alone: Whether at most one member of the message may be set.
    """

    kind: Kind
    of: Shape | None = None
    message: str = ""
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a message.

    Attributes:
        rule: `required` always counts; `optional` counts where it is present, whatever its value;
            `implicit` counts where its value is not the default of its shape.
        shape: What its value is.
    """

    rule: Rule
    shape: Shape


@dataclass(frozen=True, slots=True)
class Presence:
    """Every message of one dialect, by its name in the schema; `root` is the card's own shape."""

    dialect: str
    root: Shape
    messages: Table[str, Table[str, Member]]
