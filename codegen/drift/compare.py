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
    local: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """All differences, and the upstream names of the messages and fields that were compared."""

    rows: tuple[Row, ...]
    messages: frozenset[str]
    fields: frozenset[str]

    @classmethod
    def of(cls, parts: Iterable["Comparison"]) -> "Comparison":
        """Return several comparisons as one; what several of them reach counts once."""
        parts = list(parts)
        return cls(
            tuple(dict.fromkeys(row for part in parts for row in part.rows)),
            frozenset().union(*(part.messages for part in parts)),
            frozenset().union(*(part.fields for part in parts)),
        )


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two messages at the same place."""

    upstream: Message
    local: Message

    @property
    def fields(self) -> list[tuple[Field, Field]]:
        """The fields that both have."""
        pairs = [(field, self.local.field(field.name)) for field in self.upstream.fields]
        return [(field, own) for field, own in pairs if own is not None]

    @property
    def arms(self) -> list[tuple[str, str]]:
        """The pairs of arms: by name, or the only remaining arm on each side."""
        upstream_side, local_side = self.upstream.arms, self.local.arms
        pairs = [(arm, arm) for arm in upstream_side if arm in local_side]
        left = [arm for arm in upstream_side if arm not in local_side]
        right = [arm for arm in local_side if arm not in upstream_side]
        if len(left) == len(right) == 1:
            pairs.append((left[0], right[0]))
        return pairs


def compare(upstream: Shape, local: Shape) -> Comparison:
    """Compare every message that both sides reach along the same fields.

    Messages are paired by their path, not by name, so that a renamed message
    is one row and its fields are still compared.
    """
    rows: list[Row] = []
    fields: set[str] = set()
    waiting = [(upstream.root, local.root)]
    for names in waiting:
        pair = _Pair(upstream.messages[names[0]], local.messages[names[1]])
        fields |= {f"{pair.upstream.name}.{field.name}" for field, _ in pair.fields}
        rows += _message_rows(pair)
        rows += _choice_rows(pair, upstream, local)
        for field, own in pair.fields:
            rows += _field_rows(f"{pair.upstream.name}.{field.name}", field, own)
        below = [*_below(pair), *pair.arms]
        waiting += [names for names in dict.fromkeys(below) if names not in waiting]
    return Comparison(tuple(rows), frozenset(name for name, _ in waiting), frozenset(fields))


def _below(pair: _Pair) -> Iterator[tuple[str, str]]:
    """Yield the pairs of messages that are types of common fields."""
    for field, own in pair.fields:
        yield from _message_pairs(field.type, own.type)


def _message_pairs(upstream: Type, local: Type) -> Iterator[tuple[str, str]]:
    if upstream.kind is local.kind is Kind.MESSAGE:
        yield upstream.message, local.message
    for upstream_side, local_side in zip(upstream.of, local.of, strict=False):
        yield from _message_pairs(upstream_side, local_side)


def _message_rows(pair: _Pair) -> Iterator[Row]:
    """Yield what differs in a message beyond its common fields."""
    upstream_side, local_side = pair.upstream, pair.local
    if upstream_side.named and local_side.named and upstream_side.name != local_side.name:
        yield Row(upstream_side.name, "name", upstream_side.name, local_side.name)
    yield from _limit_rows(upstream_side.name, upstream_side.limits, local_side.limits)
    for field in upstream_side.fields:
        if local_side.field(field.name) is None:
            yield Row(f"{upstream_side.name}.{field.name}", "field", str(field), ABSENT)
    for field in local_side.fields:
        if upstream_side.field(field.name) is None:
            yield Row(f"{upstream_side.name}.{field.name}", "field", ABSENT, str(field))


def _choice_rows(pair: _Pair, upstream: Shape, local: Shape) -> Iterator[Row]:
    """Yield what differs in oneofs and in the arms of a union."""
    at, upstream_side, local_side = pair.upstream.name, pair.upstream, pair.local
    common = {field.name for field, _ in pair.fields}
    # A field that one side lacks has its own row; the oneof need not repeat it.
    groups = [_groups(message.oneofs, common) for message in (upstream_side, local_side)]
    if groups[0] != groups[1]:
        yield Row(at, "oneof", *groups)
    paired = {name for names in pair.arms for name in names}
    for arm in upstream_side.arms:
        if arm not in paired:
            yield Row(at, "arm", arm, ABSENT)
    for arm in local_side.arms:
        if arm not in paired:
            yield Row(at, "arm", ABSENT, arm)
    bounds = [_bound(upstream, upstream_side), _bound(local, local_side)]
    if pair.arms and bounds[0] != bounds[1]:
        yield Row(at, "choice", *bounds)


def _groups(oneofs: Iterable[tuple[str, ...]], common: set[str]) -> str:
    groups = [[name for name in group if name in common] for group in oneofs]
    texts = [", ".join(group) for group in groups if len(group) > 1]
    return "; ".join(sorted(texts)) or ABSENT


def _bound(shape: Shape, union: Message) -> str:
    return "exactly one" if shape.excludes(union) else "one or more"


def _field_rows(at: str, upstream: Field, local: Field) -> Iterator[Row]:
    """Yield what differs in a field that both sides have."""
    aspects = {
        "repeated": (_yes(value=upstream.repeated), _yes(value=local.repeated)),
        "required": (_yes(value=upstream.required), _yes(value=local.required)),
        "null": (_may(value=upstream.nullable), _may(value=local.nullable)),
        "deprecated": (_yes(value=upstream.deprecated), _yes(value=local.deprecated)),
    }
    # If the types differ, differences of values and defaults would add no information.
    if upstream.type.matches(local.type):
        aspects["values"] = (_listed(upstream.type), _listed(local.type))
        aspects["default"] = (upstream.default or ABSENT, local.default or ABSENT)
    else:
        aspects["type"] = (str(upstream.type), str(local.type))
    # A field required on one side only is one row; the difference in presence follows from it.
    if upstream.presence and local.presence and upstream.required == local.required:
        aspects["presence"] = (upstream.presence, local.presence)
    for what, (upstream_side, local_side) in aspects.items():
        if upstream_side != local_side:
            yield Row(at, what, upstream_side, local_side)
    yield from _limit_rows(at, upstream.limits, local.limits)


def _limit_rows(
    at: str, upstream: Iterable[tuple[str, str]], local: Iterable[tuple[str, str]]
) -> Iterator[Row]:
    upstream_side, local_side = dict(upstream), dict(local)
    for keyword in sorted(upstream_side.keys() | local_side.keys()):
        row = Row(at, keyword, upstream_side.get(keyword, ABSENT), local_side.get(keyword, ABSENT))
        if row.upstream != row.local:
            yield row


def _listed(kind: Type) -> str:
    return ", ".join(kind.permitted) or "any"


def _yes(*, value: bool) -> str:
    return "yes" if value else "no"


def _may(*, value: bool) -> str:
    return "allowed" if value else "refused"
