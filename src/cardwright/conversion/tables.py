"""Application of the generated mappings to a document, in either direction."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion.notes import Notes, below
from cardwright_rules import ROWS
from cardwright_rules.mapping_tables import Assumed, FieldMap
from cardwright_rules.mapping_tables import Mapping as Maps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    # (value, its pointer in the source, its pointer in the result, notes) -> the value of the result.
    Hand = Callable[[Any, str, str, Notes], Any]

NULL: Final = "null means the same as an absent field"
# Only the tables to this hub give reasons for fields that mean something else in the dialect.
DEFAULT_HUB: Final = "a2a-1.0"
EMPTY: Final = "an empty value means the same as an absent field"


@dataclass(frozen=True, slots=True)
class Table:
    """One object's mapping in one direction.

    Attributes:
        plain: Fields that keep their name and their value.
        mapped: The other fields of the source; the caller converts those of the kind `hand`.
        taken: Names with a meaning in the result, which an unknown field of the source cannot use.
        lost: Fields that the result has no place for, and why.
        assume: Defaults for fields that the result lacks; `needs` are their names.
        arms: By the value of `tag` (to the hub) or by the wrapping field (from it): the inner table.
        constants: Fields that the hub does not have, with their values.
    """

    plain: frozenset[str]
    mapped: Mapping[str, FieldMap]
    taken: frozenset[str]
    lost: Mapping[str, str]
    assume: tuple[Assumed, ...]
    tag: str
    arms: Mapping[str, tuple[str, str]]
    needs: tuple[str, ...] = ()
    constants: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])

    def is_shared(self, value: dict[str, Any]) -> bool:
        """Return whether an object is the same in both dialects: most are, and they are shared, not copied."""
        return self.plain.issuperset(value) and None not in value.values() and not self.constants


class Tables:
    """Every table of one dialect, in one direction.

    Args:
        dialect: The dialect.
        to_hub: The direction.
        hands: Functions for fields of the kind `hand`, by name; without one, the caller converts the field.
        family: Whether the hub is that of the dialect's family.
    """

    def __init__(
        self, dialect: str, *, to_hub: bool, hands: Mapping[str, Hand] | None = None, family: bool = False
    ) -> None:
        mapping = ROWS[dialect].family_mapping() if family else ROWS[dialect].mapping()
        self.root = mapping.root
        self._to_hub = to_hub
        self._other = mapping.hub if to_hub else dialect
        make = _to_hub if to_hub else _from_hub
        self._tables = {name: make(mapping, name) for name in mapping.objects}
        self._hands = hands or {}
        self._values = {
            name: dict(table) if to_hub else {there: here for here, there in table.items()}
            for name, table in mapping.values.items()
        }

    def __contains__(self, name: object) -> bool:
        """Return whether there is a table of an object."""
        return name in self._tables

    def lost(self, name: str) -> frozenset[str]:
        """Return the fields of an object that the result has no place for."""
        return frozenset(self._tables[name].lost)

    def card(self, document: dict[str, Any], notes: Notes) -> dict[str, Any]:
        """Return the card with the fields that the tables convert, without the defaults of its root."""
        return self._fields(document, self._tables[self.root], "", "", notes)

    def settle(self, hub: dict[str, Any], notes: Notes) -> None:
        """Add the required fields of A2A 1.0 that a complete hub card lacks."""
        _assume(hub, self._tables[self.root].assume, "", notes)

    def object(self, value: Any, name: str, source: str, result: str, notes: Notes) -> Any:
        """Return one object converted by its table; any other value is returned unchanged."""
        if type(value) is not dict:
            return value
        table = self._tables[name]
        if table.tag:
            return self._kind(value, table, source, result, notes)
        mapped = self._fields(value, table, source, result, notes)
        if not all(map(mapped.get, table.needs)):
            mapped = dict(mapped) if mapped is value else mapped
            _assume(mapped, table.assume, result, notes)
        return mapped

    def _fields(
        self, value: dict[str, Any], table: Table, source: str, result: str, notes: Notes
    ) -> dict[str, Any]:
        if table.is_shared(value):
            return value
        mapped: dict[str, Any] = {}
        deep: list[tuple[str, FieldMap]] = []
        plain, fields = table.plain, table.mapped
        for name, inner in value.items():
            if name in plain and inner is not None:
                mapped[name] = inner
            elif (field := fields.get(name)) is not None and inner is not None:
                if field.kind == "hand" and field.of not in self._hands:
                    if inner in ([], {}):
                        notes.doubt(below(source, name), EMPTY)
                elif len(field.to) > 1:
                    deep.append((name, field))
                else:
                    self._field(mapped, name, field, inner, source, result, notes)
            elif name in plain or field is not None:
                notes.lose(below(source, name), NULL)
            elif name in table.lost:
                notes.lose(below(source, name), table.lost[name])
            elif name in table.taken:
                notes.lose(below(source, name), f"{name} has another meaning in {self._other}")
            else:
                mapped[name] = inner
        # Last, because the object that they are put into must exist.
        for name, field in deep:
            self._deep(mapped, name, field, value[name], source, result, notes)
        return {**mapped, **table.constants}

    def _field(
        self,
        mapped: dict[str, Any],
        name: str,
        field: FieldMap,
        inner: Any,
        source: str,
        result: str,
        notes: Notes,
    ) -> None:
        """Convert a field that has the same depth in both dialects."""
        to = field.to[0]
        at = below(source, name)
        if field.kind == "constant":
            if inner != field.of:
                notes.lose(at, f"it is always {field.of} here, and {self._other} has no such field")
            return
        there = at if to == name and source == result else below(result, to)
        if to != name and field.kind != "lost":
            notes.move(there, at)
        if to in mapped:
            notes.lose(at, f"the card already has {to}")
        elif field.kind == "copy":
            mapped[to] = inner
        elif field.kind == "lost":
            notes.lose(at, field.of)
        elif field.kind == "values":
            mapped[to] = self._values[field.of].get(inner, inner) if type(inner) is str else inner
        elif field.kind == "hand":
            mapped[to] = self._hands[field.of](inner, at, there, notes)
        elif field.kind == "object":
            mapped[to] = self.object(inner, field.of, at, there, notes)
        else:
            mapped[to] = self._several(inner, field, at, there, notes)

    def _several(self, inner: Any, field: FieldMap, at: str, to: str, notes: Notes) -> Any:
        """Return a list or a map of objects, each converted by its table."""
        table = self._tables[field.of]
        if field.kind == "items" and type(inner) is list:
            is_plain, needs = table.is_shared, table.needs
            return [
                item
                if type(item) is dict and not table.tag and is_plain(item) and all(map(item.get, needs))
                else self.object(item, field.of, below(at, i), below(to, i), notes)
                for i, item in enumerate(inner)
            ]
        if field.kind == "entries" and type(inner) is dict:
            entries = {
                key: self.object(item, field.of, below(at, key), below(to, key), notes)
                for key, item in inner.items()
            }
            return {key: item for key, item in entries.items() if item is not None or inner[key] is None}
        return inner

    def _deep(
        self,
        mapped: dict[str, Any],
        name: str,
        field: FieldMap,
        inner: Any,
        source: str,
        result: str,
        notes: Notes,
    ) -> None:
        """Write a value whose place is deeper in the hub than in the dialect."""
        place: Any = mapped
        for step in field.to[:-1]:
            outer = place.get(step, {})
            place[step] = dict(outer) if type(outer) is dict else outer
            place = place[step]
        if type(place) is not dict or field.to[-1] in place:
            notes.lose(below(source, name), f"the card already has {'.'.join(field.to)}")
        else:
            at, there = below(source, name), below(result, *field.to)
            notes.move(there, at)
            is_object = field.kind == "object"
            place[field.to[-1]] = self.object(inner, field.of, at, there, notes) if is_object else inner

    def _kind(self, value: dict[str, Any], table: Table, source: str, result: str, notes: Notes) -> Any:
        """Return an object of several kinds, which a tag distinguishes in the dialect and a wrapper in the hub."""
        if self._to_hub:
            arm = table.arms.get(str(value.get(table.tag)))
            if arm is None:
                return value
            inner = {name: item for name, item in value.items() if name != table.tag}
            wrapped = below(result, arm[1])
            notes.move(wrapped, source)
            return {arm[1]: self.object(inner, arm[0], source, wrapped, notes)}
        wrapper = next(iter(value)) if len(value) == 1 else ""
        if wrapper in table.lost:
            notes.lose(source, table.lost[wrapper])
            return None
        if wrapper not in table.arms or type(value[wrapper]) is not dict:
            return value
        name, tag = table.arms[wrapper]
        at = below(source, wrapper)
        inner = value[wrapper]
        if table.tag in inner:
            notes.lose(below(at, table.tag), f"{table.tag} is the kind of scheme in {self._other}")
            inner = {n: item for n, item in inner.items() if n != table.tag}
        notes.move(result, at)
        return {table.tag: tag, **self.object(inner, name, at, result, notes)}


@cache
def tables(dialect: str, *, to_hub: bool, family: bool = False) -> Tables:
    """Return the tables of a dialect in one direction, to the hub of all dialects or to that of its family."""
    return Tables(dialect, to_hub=to_hub, family=family)


def _to_hub(mapping: Maps, name: str) -> Table:
    entry = mapping.objects[name]
    is_hub = mapping.dialect == mapping.hub
    own = (
        ROWS[mapping.hub].mapping().objects.get(entry.hub)
        if not is_hub and ROWS[mapping.hub].mapped
        else None
    )
    plain = _plain(entry.fields)
    assume = entry.assume + (own.assume if own else ())
    return Table(
        plain=plain,
        mapped={n: field for n, field in entry.fields.items() if n not in plain},
        taken=frozenset(field.to[0] for field in entry.fields.values())
        | (frozenset() if is_hub or mapping.hub != DEFAULT_HUB else frozenset(entry.beyond)),
        lost={},
        assume=assume,
        tag=entry.tag,
        arms=entry.arms,
        needs=tuple(assumed.name for assumed in assume),
    )


def _from_hub(mapping: Maps, name: str) -> Table:
    objects = mapping.objects
    entry = objects[name]
    mapped: dict[str, FieldMap] = {}
    for own, field in entry.fields.items():
        if own in _plain(entry.fields) or field.kind in ("lost", "constant"):
            continue
        if field.kind == "hand":
            mapped.setdefault(field.to[0], FieldMap((own,), "hand", field.of))
        elif len(field.to) == 1:
            mapped[field.to[0]] = FieldMap((own,), field.kind, field.of)
    return Table(
        plain=_plain(entry.fields),
        mapped=mapped | {deep: FieldMap((deep,), "hand") for deep in _lifted(objects, name)},
        taken=frozenset(entry.fields) | ({entry.tag} if entry.tag else frozenset()),
        lost=entry.beyond,
        assume=(),
        tag=entry.tag,
        arms={wrapper: (inner, value) for value, (inner, wrapper) in entry.arms.items()},
        constants={own: field.of for own, field in entry.fields.items() if field.kind == "constant"},
    )


def _plain(fields: Mapping[str, FieldMap]) -> frozenset[str]:
    return frozenset(n for n, field in fields.items() if field.kind == "copy" and field.to == (n,))


def _lifted(objects: Mapping[str, Any], name: str) -> set[str]:
    """Return the hub's fields of an object that are one level higher in the dialect."""
    return {
        field.to[1]
        for entry in objects.values()
        for inner in entry.fields.values()
        if inner.kind == "object" and inner.of == name
        for field in entry.fields.values()
        if len(field.to) > 1 and field.to[0] == inner.to[0]
    }


def lifted(dialect: str, hub: dict[str, Any], out: dict[str, Any], notes: Notes) -> None:
    """Copy fields that are deeper in the hub to the root of the dialect's card."""
    for name, (outer_name, inner_name) in _deeper(dialect):
        outer = hub.get(outer_name)
        if type(outer) is dict and inner_name in outer:
            out[name] = outer[inner_name]
            notes.move(below("", name), below("", outer_name, inner_name))


@cache
def _deeper(dialect: str) -> tuple[tuple[str, tuple[str, str]], ...]:
    """Return the fields of a dialect's card that are one level deeper in the hub, and their places there."""
    mapping = ROWS[dialect].mapping()
    return tuple(
        (name, (field.to[0], field.to[1]))
        for name, field in mapping.objects[mapping.root].fields.items()
        if len(field.to) > 1 and field.kind == "copy"
    )


def _assume(hub: dict[str, Any], assume: tuple[Assumed, ...], at: str, notes: Notes) -> None:
    for assumed in assume:
        existing = hub.get(assumed.name)
        if existing is not None and (existing != [] or type(assumed.value) is not tuple):
            continue
        if assumed.name in hub and existing is None:
            continue
        value: Any = assumed.value
        if assumed.source is not None:
            value = hub.get(assumed.source)
            if type(value) is not str:
                continue
        elif type(value) is tuple:
            value = list(value)
        elif type(value) is dict:
            value = dict(value)
        hub[assumed.name] = value
        notes.assume(below(at, assumed.name), value, assumed.why)
