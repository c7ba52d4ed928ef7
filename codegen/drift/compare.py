"""Comparison of two shapes, row by row, from their roots down."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from codegen.drift.shape import Field, Kind, Message, Shape, Type

ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Row:
    """One difference: the place, the aspect, and the value on each side."""

    at: str
    what: str
    upstream: str
    ours: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """All differences, and the number of messages and fields compared."""

    rows: tuple[Row, ...]
    messages: int
    fields: int


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two messages at the same place."""

    theirs: Message
    mine: Message

    @property
    def fields(self) -> list[tuple[Field, Field]]:
        """The fields that both have."""
        pairs = [(field, self.mine.field(field.name)) for field in self.theirs.fields]
        return [(field, own) for field, own in pairs if own is not None]

    @property
    def arms(self) -> list[tuple[str, str]]:
        """The pairs of arms: by name, or the only remaining arm on each side."""
        theirs, mine = self.theirs.arms, self.mine.arms
        pairs = [(arm, arm) for arm in theirs if arm in mine]
        left = [arm for arm in theirs if arm not in mine]
        right = [arm for arm in mine if arm not in theirs]
        if len(left) == len(right) == 1:
            pairs.append((left[0], right[0]))
        return pairs


def compare(upstream: Shape, ours: Shape) -> Comparison:
    """Compare every message that both sides reach along the same fields.

    Messages are paired by their path, not by name, so that a renamed message
    is one row and its fields are still compared.
    """
    rows: list[Row] = []
    fields = 0
    waiting = [(upstream.root, ours.root)]
    for names in waiting:
        pair = _Pair(upstream.messages[names[0]], ours.messages[names[1]])
        fields += len(pair.fields)
        rows += _message_rows(pair)
        rows += _choice_rows(pair, upstream, ours)
        for field, own in pair.fields:
            rows += _field_rows(f"{pair.theirs.name}.{field.name}", field, own)
        below = [*_below(pair), *pair.arms]
        waiting += [names for names in dict.fromkeys(below) if names not in waiting]
    return Comparison(tuple(rows), len(waiting), fields)


def _below(pair: _Pair) -> Iterator[tuple[str, str]]:
    """Yield the pairs of messages that are types of common fields."""
    for field, own in pair.fields:
        yield from _message_pairs(field.type, own.type)


def _message_pairs(upstream: Type, ours: Type) -> Iterator[tuple[str, str]]:
    if upstream.kind is ours.kind is Kind.MESSAGE:
        yield upstream.message, ours.message
    for theirs, mine in zip(upstream.of, ours.of, strict=False):
        yield from _message_pairs(theirs, mine)


def _message_rows(pair: _Pair) -> Iterator[Row]:
    """Yield what differs in a message beyond its common fields."""
    theirs, mine = pair.theirs, pair.mine
    if theirs.named and mine.named and theirs.name != mine.name:
        yield Row(theirs.name, "name", theirs.name, mine.name)
    yield from _limit_rows(theirs.name, theirs.limits, mine.limits)
    for field in theirs.fields:
        if mine.field(field.name) is None:
            yield Row(f"{theirs.name}.{field.name}", "field", str(field), ABSENT)
    for field in mine.fields:
        if theirs.field(field.name) is None:
            yield Row(f"{theirs.name}.{field.name}", "field", ABSENT, str(field))


def _choice_rows(pair: _Pair, upstream: Shape, ours: Shape) -> Iterator[Row]:
    """Yield what differs in oneofs and in the arms of a union."""
    at, theirs, mine = pair.theirs.name, pair.theirs, pair.mine
    common = {field.name for field, _ in pair.fields}
    # A field that one side lacks has its own row; the oneof need not repeat it.
    groups = [_groups(message.oneofs, common) for message in (theirs, mine)]
    if groups[0] != groups[1]:
        yield Row(at, "oneof", *groups)
    paired = {name for names in pair.arms for name in names}
    for arm in theirs.arms:
        if arm not in paired:
            yield Row(at, "arm", arm, ABSENT)
    for arm in mine.arms:
        if arm not in paired:
            yield Row(at, "arm", ABSENT, arm)
    bounds = [_bound(upstream, theirs), _bound(ours, mine)]
    if pair.arms and bounds[0] != bounds[1]:
        yield Row(at, "choice", *bounds)


def _groups(oneofs: Iterable[tuple[str, ...]], common: set[str]) -> str:
    groups = [[name for name in group if name in common] for group in oneofs]
    texts = [", ".join(group) for group in groups if len(group) > 1]
    return "; ".join(sorted(texts)) or ABSENT


def _bound(shape: Shape, union: Message) -> str:
    return "exactly one" if shape.excludes(union) else "one or more"


def _field_rows(at: str, upstream: Field, ours: Field) -> Iterator[Row]:
    """Yield what differs in a field that both sides have."""
    aspects = {
        "repeated": (_yes(value=upstream.repeated), _yes(value=ours.repeated)),
        "required": (_yes(value=upstream.required), _yes(value=ours.required)),
        "null": (_may(value=upstream.nullable), _may(value=ours.nullable)),
        "deprecated": (_yes(value=upstream.deprecated), _yes(value=ours.deprecated)),
    }
    # If the types differ, differences of values and defaults would add no information.
    if upstream.type.matches(ours.type):
        aspects["values"] = (_listed(upstream.type), _listed(ours.type))
        aspects["default"] = (upstream.default or ABSENT, ours.default or ABSENT)
    else:
        aspects["type"] = (str(upstream.type), str(ours.type))
    # A field required on one side only is one row; the difference in presence follows from it.
    if upstream.presence and ours.presence and upstream.required == ours.required:
        aspects["presence"] = (upstream.presence, ours.presence)
    for what, (theirs, mine) in aspects.items():
        if theirs != mine:
            yield Row(at, what, theirs, mine)
    yield from _limit_rows(at, upstream.limits, ours.limits)


def _limit_rows(
    at: str, upstream: Iterable[tuple[str, str]], ours: Iterable[tuple[str, str]]
) -> Iterator[Row]:
    theirs, mine = dict(upstream), dict(ours)
    for keyword in sorted(theirs.keys() | mine.keys()):
        row = Row(at, keyword, theirs.get(keyword, ABSENT), mine.get(keyword, ABSENT))
        if row.upstream != row.ours:
            yield row


def _listed(kind: Type) -> str:
    return ", ".join(kind.permitted) or "any"


def _yes(*, value: bool) -> str:
    return "yes" if value else "no"


def _may(*, value: bool) -> str:
    return "allowed" if value else "refused"
