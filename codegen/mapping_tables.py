"""Tables that convert the fields of a dialect to those of the hub (A2A 1.0) and back."""

from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from cardwright_runtime.violation import JsonValue

Kind: TypeAlias = Literal["copy", "object", "items", "entries", "hand", "lost", "values", "constant"]


@dataclass(frozen=True, slots=True)
class FieldMap:
    """Place in the hub of one field of a dialect's object.

    Attributes:
        to: Field names below the hub's object; one name in most cases.
        kind: `copy` takes the value unchanged; `object`, `items` and `entries` are one object, a list
            and a map of objects that have a table of their own; `hand` is converted by code; `lost` is not converted;
            `values` has a table of its values; `constant` has one value in the dialect, and the hub no such field.
        of: The name of the table or of the code, why the field is lost, or the constant.
    """

    to: tuple[str, ...]
    kind: Kind = "copy"
    of: str = ""


@dataclass(frozen=True, slots=True)
class Assumed:
    """Default for a required field that a hub object lacks: a fixed value, or the value of the field `source`."""

    name: str
    why: str
    value: JsonValue = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class ObjectMap:
    """Table that converts one object of a dialect to an object of the hub.

    Attributes:
        hub: The hub's name of the object.
        fields: The fields by their names in the dialect.
        beyond: Fields of the hub that the dialect has no place for, and why.
        assume: Fields that the hub requires and this object may lack, in this order.
        tag: For an object of several kinds, the field that names the kind.
        arms: For such an object, by the tag's value: its table, and the hub's field that wraps it.
    """

    hub: str
    fields: Table[str, FieldMap] = field(default_factory=dict[str, FieldMap])
    beyond: Table[str, str] = field(default_factory=dict[str, str])
    assume: tuple[Assumed, ...] = ()
    tag: str = ""
    arms: Table[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])


@dataclass(frozen=True, slots=True)
class Mapping:
    """Every table of one dialect.

    Attributes:
        dialect: Its name.
        root: The table of the card itself.
        objects: The tables by object.
        hub: The dialect through which it is converted.
        values: Tables of the values of enumerations: those of the dialect, and those of the hub.
    """

    dialect: str
    root: str
    objects: Table[str, ObjectMap]
    hub: str = "a2a-1.0"
    values: Table[str, Table[str, str]] = field(default_factory=dict[str, Table[str, str]])
