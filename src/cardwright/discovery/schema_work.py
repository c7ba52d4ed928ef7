"""Estimate of the work that a schema causes for a value, before validation runs.

jsonschema-rs evaluates as often as a schema demands, and forty doublings demand 2^40 evaluations. The estimate
visits each pair of a schema and a value once, so it is fast where validation is not.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.discovery.schema_graph import Graph, Node

# About 50 ms of validation, measured with jsonschema-rs 0.60 (project decision).
MAX_EVALUATIONS: Final = 1_000_000
# Creating an error takes about 12 µs, and each evaluation may have one (measured; project decision).
MAX_EXPLAINED: Final = 20_000
# An error of a union contains those of its arms, again on each level (measured; project decision).
MAX_REPEATED: Final = 1_000
# The factor for parts of `unevaluatedProperties`: measured, 2.6 per level.
_UNEVALUATED_FACTOR: Final = 3


class Work(NamedTuple):
    """Number of evaluations.

    Attributes:
        evaluations: All evaluations; past `MAX_EVALUATIONS` counting stops.
        repeated: Repeated evaluations of the same value by the same schema.
    """

    evaluations: int
    repeated: int


class Counter:
    """Counter of the evaluations that a graph causes.

    Attributes:
        endless: Whether a schema refers to itself on the same value: it describes nothing.
        knotted: Whether anything may be evaluated twice; otherwise the work grows with the value only.
    """

    def __init__(self, graph: Graph) -> None:
        self._nodes = graph.nodes
        self._order = _order(graph.nodes)
        self.endless = self._order is None
        incoming = [0] * len(graph.nodes)
        incoming[0] = 1
        for node in graph.nodes:
            for target in (*node.same, *node.inside()):
                incoming[target] += 1
        reevaluating = sum(node.unevaluated for node in graph.nodes)
        self.knotted = max(incoming) > 1 or reevaluating > 1

    def work(self, value: Any, *, limit: int = MAX_EVALUATIONS) -> Work:
        """Return the number of evaluations of a value and its parts, without short-circuits."""
        evaluations = distinct = 0
        waiting: list[_Task] = [_Task(value, {0: 1})]
        while waiting and evaluations <= limit:
            value, times, copies = waiting.pop()
            self._spread(times)
            evaluations += copies * sum(times.values())
            distinct += copies * len(times)
            if isinstance(value, dict):
                evaluations += sum(
                    len(value) * count for number, count in times.items() if self._nodes[number].unevaluated
                )
                waiting += self._properties(value, times)
            elif isinstance(value, list):
                waiting += self._items(value, times)
        return Work(evaluations, evaluations - distinct)

    def _spread(self, times: dict[int, int]) -> None:
        """Add evaluations of the same value through `same` edges, in topological order."""
        order = self._order or {}
        if not any(self._nodes[number].same for number in times):
            return
        seen = set(times)
        heap = [(order[number], number) for number in times]
        heapify(heap)
        while heap:
            _, number = heappop(heap)
            node = self._nodes[number]
            count = times[number] * (_UNEVALUATED_FACTOR if node.unevaluated else 1)
            for target in node.same:
                times[target] = times.get(target, 0) + count
                if target not in seen:
                    seen.add(target)
                    heappush(heap, (order[target], target))

    def _properties(self, value: dict[str, Any], times: dict[int, int]) -> list[_Task]:
        nodes = [(self._nodes[number], count) for number, count in times.items()]
        tasks: list[_Task] = []
        for name, item in value.items():
            inner: dict[int, int] = {}
            by_name: dict[int, int] = {}
            for node, count in nodes:
                _add(inner, node.every, count)
                _add(by_name, node.names, count)
                direct = node.properties.get(name)
                _add(inner, node.rest if direct is None else [direct], count)
            tasks += [_Task(part, counts) for part, counts in ((item, inner), (name, by_name)) if counts]
        return tasks

    def _items(self, value: list[Any], times: dict[int, int]) -> list[_Task]:
        every: dict[int, int] = {}
        nodes_with_positions: list[tuple[Node, int]] = []
        for number, count in times.items():
            node = self._nodes[number]
            _add(every, node.items, count)
            if node.positions:
                nodes_with_positions.append((node, count))
        if nodes_with_positions:
            return list(_placed(value, every, nodes_with_positions))
        if not every:
            return []
        # Values without parts are the same for every schema; long arrays mostly consist of them.
        containers = [item for item in value if isinstance(item, (dict, list))]
        scalars = (
            [_Task(None, dict(every), len(value) - len(containers))] if len(containers) < len(value) else []
        )
        return scalars + [_Task(item, dict(every)) for item in containers]


class _Task(NamedTuple):
    """A value, the number of evaluations by schema, and the number of identical values."""

    value: Any
    times: dict[int, int]
    copies: int = 1


def _placed(value: list[Any], every: dict[int, int], placed: list[tuple[Node, int]]) -> Iterator[_Task]:
    for index, item in enumerate(value):
        inner = dict(every)
        for node, count in placed:
            _add(inner, node.positions[index : index + 1], count)
        if inner:
            yield _Task(item, inner)


def _add(times: dict[int, int], numbers: list[int], count: int) -> None:
    for number in numbers:
        times[number] = times.get(number, 0) + count


def _order(nodes: list[Node]) -> dict[int, int] | None:
    """Return a topological order over `same` edges; None if there is a cycle."""
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
