"""The emitted mappings at work: a walk over a document and its tables, in either direction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion.notes import Notes, below
from cardwright_models import DIALECTS
from cardwright_runtime.mapping import Assumed, Member

if TYPE_CHECKING:
    from collections.abc import Mapping

HUB: Final = "a2a-1.0"
NULL: Final = "null says no more than the member's absence"
EMPTY: Final = "empty, it says no more than its absence"


@dataclass(frozen=True, slots=True)
class Table:
    """One object's mapping in one direction.

    Attributes:
        plain: Members that keep their name and their value.
        turned: Members of the source that do not; those turned by hand are left to the caller.
        taken: Names that mean something in the result, and so cannot hold an unknown member.
        lost: Members that the result has no place for, and why.
        assume: What is assumed where the result lacks it; `needs` are the names of that.
        arms: By the value of `tag` (to the hub) or by the wrapping member (from it): the inner table.
    """

    plain: frozenset[str]
    turned: Mapping[str, Member]
    taken: frozenset[str]
    lost: Mapping[str, str]
    assume: tuple[Assumed, ...]
    tag: str
    arms: Mapping[str, tuple[str, str]]
    needs: tuple[str, ...] = ()

    def alike(self, value: dict[str, Any]) -> bool:
        """Whether an object is said alike in both: most are, and these are shared, not copied."""
        return self.plain.issuperset(value) and None not in value.values()


class Tables:
    """Every table of one dialect, in one direction."""

    def __init__(self, dialect: str, *, to_hub: bool) -> None:
        mapping = DIALECTS[dialect].mapping()
        self.root = mapping.root
        self._to_hub = to_hub
        self._other = HUB if to_hub else dialect
        make = _to_hub if to_hub else _from_hub
        self._tables = {name: make(dialect, name) for name in mapping.objects}

    def card(self, document: dict[str, Any], notes: Notes) -> dict[str, Any]:
        """Return the card's members as far as the tables say; nothing is assumed at its root yet."""
        return self._members(document, self._tables[self.root], "", "", notes)

    def settle(self, hub: dict[str, Any], notes: Notes) -> None:
        """Write into a whole hub what A2A 1.0 requires and it lacks."""
        _assume(hub, self._tables[self.root].assume, "", notes)

    def object(self, value: Any, name: str, source: str, result: str, notes: Notes) -> Any:
        """Return one object by its table; what is no object is kept as it is."""
        if type(value) is not dict:
            return value
        table = self._tables[name]
        if table.tag:
            return self._kind(value, table, source, result, notes)
        turned = self._members(value, table, source, result, notes)
        if not all(map(turned.get, table.needs)):
            turned = dict(turned) if turned is value else turned
            _assume(turned, table.assume, result, notes)
        return turned

    def _members(
        self, value: dict[str, Any], table: Table, source: str, result: str, notes: Notes
    ) -> dict[str, Any]:
        if table.alike(value):
            return value
        turned: dict[str, Any] = {}
        deep: list[tuple[str, Member]] = []
        plain, members = table.plain, table.turned
        for name, inner in value.items():
            if name in plain and inner is not None:
                turned[name] = inner
            elif (member := members.get(name)) is not None and inner is not None:
                if member.kind == "hand":
                    if inner in ([], {}):
                        notes.doubt(below(source, name), EMPTY)
                elif len(member.to) > 1:
                    deep.append((name, member))
                else:
                    self._member(turned, name, member, inner, source, result, notes)
            elif name in plain or member is not None:
                notes.lose(below(source, name), NULL)
            elif name in table.lost:
                notes.lose(below(source, name), table.lost[name])
            elif name in table.taken:
                notes.lose(below(source, name), f"{name} means something else in {self._other}")
            else:
                turned[name] = inner
        # Last, since the order of members says nothing: what they are put into is there by now.
        for name, member in deep:
            self._deep(turned, name, member, value[name], source, result, notes)
        return turned

    def _member(
        self,
        turned: dict[str, Any],
        name: str,
        member: Member,
        inner: Any,
        source: str,
        result: str,
        notes: Notes,
    ) -> None:
        """Turn a member that stands at the same depth in both."""
        to = member.to[0]
        if to != name and member.kind != "lost":
            notes.move(below(result, to), below(source, name))
        if to in turned:
            notes.lose(below(source, name), f"{to} says it already")
        elif member.kind == "copy":
            turned[to] = inner
        elif member.kind == "lost":
            notes.lose(below(source, name), member.of)
        elif member.kind == "object":
            turned[to] = self.object(inner, member.of, below(source, name), below(result, to), notes)
        else:
            turned[to] = self._several(inner, member, below(source, name), below(result, to), notes)

    def _several(self, inner: Any, member: Member, at: str, to: str, notes: Notes) -> Any:
        """Return a list or a map of objects, each by its table."""
        table = self._tables[member.of]
        if member.kind == "items" and type(inner) is list:
            said_alike, needs = table.plain.issuperset, table.needs
            return [
                item
                if type(item) is dict
                and not table.tag
                and said_alike(item)
                and None not in item.values()
                and all(map(item.get, needs))
                else self.object(item, member.of, below(at, i), below(to, i), notes)
                for i, item in enumerate(inner)
            ]
        if member.kind == "entries" and type(inner) is dict:
            entries = {
                key: self.object(item, member.of, below(at, key), below(to, key), notes)
                for key, item in inner.items()
            }
            return {key: item for key, item in entries.items() if item is not None or inner[key] is None}
        return inner

    def _deep(
        self,
        turned: dict[str, Any],
        name: str,
        member: Member,
        inner: Any,
        source: str,
        result: str,
        notes: Notes,
    ) -> None:
        """Put a value into what stands deeper in the hub than in the dialect."""
        place: Any = turned
        for step in member.to[:-1]:
            outer = place.get(step, {})
            place[step] = dict(outer) if type(outer) is dict else outer
            place = place[step]
        if type(place) is not dict or member.to[-1] in place:
            notes.lose(below(source, name), f"{'.'.join(member.to)} says it already")
        else:
            notes.move(below(result, *member.to), below(source, name))
            place[member.to[-1]] = inner

    def _kind(self, value: dict[str, Any], table: Table, source: str, result: str, notes: Notes) -> Any:
        """Return an object of several kinds: told apart by a tag in the dialect, by a wrapper in the hub."""
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
            notes.lose(below(at, table.tag), f"{table.tag} names the kind of scheme in {self._other}")
            inner = {n: item for n, item in inner.items() if n != table.tag}
        notes.move(result, at)
        return {table.tag: tag, **self.object(inner, name, at, result, notes)}


@cache
def tables(dialect: str, *, to_hub: bool) -> Tables:
    """Return the tables of a dialect in one direction."""
    return Tables(dialect, to_hub=to_hub)


def _to_hub(dialect: str, name: str) -> Table:
    entry = DIALECTS[dialect].mapping().objects[name]
    own = DIALECTS[HUB].mapping().objects.get(entry.hub) if dialect != HUB else None
    plain = _plain(entry.members)
    assume = entry.assume + (own.assume if own else ())
    return Table(
        plain=plain,
        turned={n: member for n, member in entry.members.items() if n not in plain},
        taken=frozenset(member.to[0] for member in entry.members.values())
        | (frozenset(entry.beyond) if dialect != HUB else frozenset()),
        lost={},
        assume=assume,
        tag=entry.tag,
        arms=entry.arms,
        needs=tuple(one.name for one in assume),
    )


def _from_hub(dialect: str, name: str) -> Table:
    objects = DIALECTS[dialect].mapping().objects
    entry = objects[name]
    turned: dict[str, Member] = {}
    for own, member in entry.members.items():
        if own in _plain(entry.members) or member.kind == "lost":
            continue
        if member.kind == "hand":
            turned.setdefault(member.to[0], Member((own,), "hand"))
        elif len(member.to) == 1:
            turned[member.to[0]] = Member((own,), member.kind, member.of)
    return Table(
        plain=_plain(entry.members),
        turned=turned | {deep: Member((deep,), "hand") for deep in _lifted(objects, name)},
        taken=frozenset(entry.members) | ({entry.tag} if entry.tag else frozenset()),
        lost=entry.beyond,
        assume=(),
        tag=entry.tag,
        arms={wrapper: (inner, value) for value, (inner, wrapper) in entry.arms.items()},
    )


def _plain(members: Mapping[str, Member]) -> frozenset[str]:
    return frozenset(n for n, member in members.items() if member.kind == "copy" and member.to == (n,))


def _lifted(objects: Mapping[str, Any], name: str) -> set[str]:
    """Return the hub's members of an object that stand one level up in the dialect."""
    return {
        member.to[1]
        for entry in objects.values()
        for inner in entry.members.values()
        if inner.kind == "object" and inner.of == name
        for member in entry.members.values()
        if len(member.to) > 1 and member.to[0] == inner.to[0]
    }


def lifted(dialect: str, hub: dict[str, Any], out: dict[str, Any], notes: Notes) -> None:
    """Write what stands deeper in the hub to where the dialect has it, at its root."""
    mapping = DIALECTS[dialect].mapping()
    for name, member in mapping.objects[mapping.root].members.items():
        if len(member.to) > 1 and member.kind == "copy":
            outer = hub.get(member.to[0])
            if type(outer) is dict and member.to[1] in outer:
                out[name] = outer[member.to[1]]
                notes.move(below("", name), below("", *member.to))


def _assume(hub: dict[str, Any], assume: tuple[Assumed, ...], at: str, notes: Notes) -> None:
    for assumed in assume:
        there = hub.get(assumed.name)
        if there is not None and (there != [] or type(assumed.value) is not tuple):
            continue
        if assumed.name in hub and there is None:
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
