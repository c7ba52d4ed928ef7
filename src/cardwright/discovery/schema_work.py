"""How often a schema would judge a value and what is inside it, counted before it is let loose.

jsonschema-rs judges as often as a schema says, and forty doublings say 2^40 times. Counting takes each pair of
a schema and a value once, so it is quick where judging is not.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.discovery.schema_graph import Graph, Node

# Some 50 ms of judging, measured with jsonschema-rs 0.60 (ours).
MOST_JUDGEMENTS: Final = 1_000_000
# An error takes some 12 µs to be told, and there may be one for each judgement (measured; ours).
MOST_EXPLAINED: Final = 20_000
# An error of a union holds those of its arms, and so each of them again on every level (measured; ours).
MOST_REPEATED: Final = 1_000
# How much oftener the parts of an `unevaluatedProperties` are judged: measured, 2.6 times a level.
_AGAIN: Final = 3


class Work(NamedTuple):
    """How often something is judged.

    Attributes:
        judgements: All of it; past `MOST_JUDGEMENTS` counting stops.
        repeated: How much of it is of the same value by the same schema again.
    """

    judgements: int
    repeated: int


class Counter:
    """Counts the work that a graph makes of values.

    Attributes:
        endless: Whether a schema refers to itself without looking at a value inside: it says nothing.
        knotted: Whether anything may be judged twice; without that, work grows as the values do.
    """

    def __init__(self, graph: Graph) -> None:
        self._nodes = graph.nodes
        self._order = _order(graph.nodes)
        self.endless = self._order is None
        ends = [0] * len(graph.nodes)
        ends[0] = 1
        for node in graph.nodes:
            for target in (*node.same, *node.inside()):
                ends[target] += 1
        looking_again = sum(node.unevaluated for node in graph.nodes)
        self.knotted = max(ends) > 1 or looking_again > 1

    def work(self, value: Any, *, most: int = MOST_JUDGEMENTS) -> Work:
        """Return how often a value and what is inside it would be judged, if nothing were cut short."""
        judgements = distinct = 0
        waiting: list[_Task] = [_Task(value, {0: 1})]
        while waiting and judgements <= most:
            value, times, alike = waiting.pop()
            self._spread(times)
            judgements += alike * sum(times.values())
            distinct += alike * len(times)
            if isinstance(value, dict):
                judgements += sum(
                    len(value) * count for number, count in times.items() if self._nodes[number].unevaluated
                )
                waiting += self._members(value, times)
            elif isinstance(value, list):
                waiting += self._items(value, times)
        return Work(judgements, judgements - distinct)

    def _spread(self, times: dict[int, int]) -> None:
        """Add what judges the same value because something else does, those that lead to others first."""
        order = self._order or {}
        if not any(self._nodes[number].same for number in times):
            return
        seen = set(times)
        heap = [(order[number], number) for number in times]
        heapify(heap)
        while heap:
            _, number = heappop(heap)
            node = self._nodes[number]
            count = times[number] * (_AGAIN if node.unevaluated else 1)
            for target in node.same:
                times[target] = times.get(target, 0) + count
                if target not in seen:
                    seen.add(target)
                    heappush(heap, (order[target], target))

    def _members(self, value: dict[str, Any], times: dict[int, int]) -> list[_Task]:
        nodes = [(self._nodes[number], count) for number, count in times.items()]
        found: list[_Task] = []
        for name, item in value.items():
            inner: dict[int, int] = {}
            named: dict[int, int] = {}
            for node, count in nodes:
                _add(inner, node.every, count)
                _add(named, node.names, count)
                own = node.members.get(name)
                _add(inner, node.rest if own is None else [own], count)
            found += [_Task(held, counted) for held, counted in ((item, inner), (name, named)) if counted]
        return found

    def _items(self, value: list[Any], times: dict[int, int]) -> list[_Task]:
        every: dict[int, int] = {}
        placed: list[tuple[Node, int]] = []
        for number, count in times.items():
            node = self._nodes[number]
            _add(every, node.items, count)
            if node.places:
                placed.append((node, count))
        if placed:
            return list(_placed(value, every, placed))
        if not every:
            return []
        # What holds nothing is alike to every schema, and long arrays are of that.
        holding = [item for item in value if isinstance(item, (dict, list))]
        bare = [_Task(None, dict(every), len(value) - len(holding))] if len(holding) < len(value) else []
        return bare + [_Task(item, dict(every)) for item in holding]


class _Task(NamedTuple):
    """A value, how often each schema judges it to begin with, and how many values are alike."""

    value: Any
    times: dict[int, int]
    alike: int = 1


def _placed(value: list[Any], every: dict[int, int], placed: list[tuple[Node, int]]) -> Iterator[_Task]:
    for index, item in enumerate(value):
        inner = dict(every)
        for node, count in placed:
            _add(inner, node.places[index : index + 1], count)
        if inner:
            yield _Task(item, inner)


def _add(times: dict[int, int], numbers: list[int], count: int) -> None:
    for number in numbers:
        times[number] = times.get(number, 0) + count


def _order(nodes: list[Node]) -> dict[int, int] | None:
    """Return each schema's place, behind all that lead to it on the same value; None where there is a ring."""
    into = [0] * len(nodes)
    for node in nodes:
        for target in node.same:
            into[target] += 1
    free = [number for number, count in enumerate(into) if not count]
    order: dict[int, int] = {}
    while free:
        number = free.pop()
        order[number] = len(order)
        for target in nodes[number].same:
            into[target] -= 1
            if not into[target]:
                free.append(target)
    return order if len(order) == len(nodes) else None
