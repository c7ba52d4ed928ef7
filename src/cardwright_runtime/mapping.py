"""How a dialect's members become the hub's (A2A 1.0) and come back, as far as data can say it."""

from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from cardwright_runtime.violation import JsonValue

Kind: TypeAlias = Literal["copy", "object", "items", "entries", "hand", "lost"]


@dataclass(frozen=True, slots=True)
class Member:
    """Where one member of a dialect's object stands in the hub.

    Attributes:
        to: Member names below the hub's object; one name in most cases.
        kind: `copy` takes the value as it is; `object`, `items` and `entries` are one object, a list
            and a map of objects that have a table of their own; `hand` is turned by code, `lost` by nothing.
        of: The table, the name of the code, or why it is lost.
    """

    to: tuple[str, ...]
    kind: Kind = "copy"
    of: str = ""


@dataclass(frozen=True, slots=True)
class Assumed:
    """What stands in a hub's object that lacks a member: a value, or what another member (`source`) says."""

    name: str
    why: str
    value: JsonValue = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class ObjectMap:
    """One object of a dialect and the hub's object that it becomes.

    Attributes:
        hub: The hub's name of the object.
        members: By the dialect's member name.
        beyond: Members of the hub that the dialect has no place for, and why.
        assume: What the hub requires and this object may lack, in this order.
        tag: For an object of several kinds, the member that names the kind.
        arms: For such an object, by the tag's value: its table, and the hub's member that wraps it.
    """

    hub: str
    members: Table[str, Member] = field(default_factory=dict[str, Member])
    beyond: Table[str, str] = field(default_factory=dict[str, str])
    assume: tuple[Assumed, ...] = ()
    tag: str = ""
    arms: Table[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])


@dataclass(frozen=True, slots=True)
class Mapping:
    """Every table of one dialect; `root` names the card's own."""

    dialect: str
    root: str
    objects: Table[str, ObjectMap]
