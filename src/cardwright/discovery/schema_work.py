"""Estimate of the work that a schema causes for a value, before validation runs.

jsonschema-rs evaluates as often as a schema demands, and forty doublings demand 2^40 evaluations. The estimate
visits each pair of a schema and a value once, so it is fast where validation is not.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cardwright.discovery.schema_graph import Graph, Node

# About 50 ms of validation, measured with jsonschema-rs 0.60 (project decision).
MAX_EVALUATIONS: Final = 1_000_000
# Creating an error takes about 12 µs, and each evaluation may have one (measured; project decision).
MAX_EXPLAINED: Final = 20_000
# An error of a union contains those of its arms, again on each level (measured; project decision).
MAX_REPEATED: Final = 1_000
# Each error copies the value that it is about: about 100 ms (measured; project decision).
MAX_COPIED: Final = 16 * 1024 * 1024
# The factor for parts of `unevaluatedProperties`: measured, 2.6 per level.
_UNEVALUATED_FACTOR: Final = 3


class Work(NamedTuple):
    """Number of evaluations.

    Attributes:
        evaluations: All evaluations; past `MAX_EVALUATIONS` counting stops.
        repeated: Repeated evaluations of the same value by the same schema.
        matching: The characters matched with patterns, each multiplied by the size of the pattern.
        copied: The characters that errors would copy if each evaluation had one.
    """

    evaluations: int
    repeated: int
    matching: int
    copied: int


class Counter:
    """Counter of the evaluations that a graph causes.

    Attributes:
        endless: Whether a schema refers to itself on the same value: it describes nothing.
        knotted: Whether anything may be evaluated twice; otherwise the work grows with the value only.
        matches: Whether anything is matched with a pattern.
    """

    def __init__(self, graph: Graph, sizes: Mapping[str, int]) -> None:
        self._nodes = graph.nodes
        self._matching = {
            number: sizes[node.pattern] for number, node in enumerate(graph.nodes) if node.pattern
        }
        self._name_matching = {
            number: sum(sizes[pattern] for pattern in node.name_patterns)
            for number, node in enumerate(graph.nodes)
            if node.name_patterns
        }
        self.matches = bool(self._matching or self._name_matching)
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
        evaluations = distinct = matching = copied = 0
        sizes = _sizes(value)
        waiting: list[_Task] = [_Task(value, {0: 1}, 1, _size(value, sizes))]
        while waiting and evaluations <= limit:
            value, times, copies, characters = waiting.pop()
            self._spread(times)
            total = sum(times.values())
            evaluations += copies * total
            distinct += copies * len(times)
            copied += characters * total
            if isinstance(value, dict):
                evaluations += sum(
                    len(value) * count for number, count in times.items() if self._nodes[number].unevaluated
                )
                matching += _matched(self._name_matching, times, sum(map(len, value)))
                waiting += self._properties(value, times, sizes)
            elif isinstance(value, list):
                waiting += self._items(value, times, sizes)
            else:
                matching += _matched(self._matching, times, characters)
        return Work(evaluations, evaluations - distinct, matching, copied)

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

    def _properties(self, value: dict[str, Any], times: dict[int, int], sizes: dict[int, int]) -> list[_Task]:
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
            tasks += [
                _Task(part, counts, 1, _size(part, sizes))
                for part, counts in ((item, inner), (name, by_name))
                if counts
            ]
        return tasks

    def _items(self, value: list[Any], times: dict[int, int], sizes: dict[int, int]) -> list[_Task]:
        every: dict[int, int] = {}
        nodes_with_positions: list[tuple[Node, int]] = []
        for number, count in times.items():
            node = self._nodes[number]
            _add(every, node.items, count)
            if node.positions:
                nodes_with_positions.append((node, count))
        if nodes_with_positions:
            return list(_placed(value, every, nodes_with_positions, sizes))
        if not every:
            return []
        # Values without parts are the same for every schema; long arrays mostly consist of them.
        containers = [item for item in value if isinstance(item, (dict, list))]
        tasks = [_Task(item, dict(every), 1, _size(item, sizes)) for item in containers]
        if len(containers) < len(value):
            characters = sum(_size(item, sizes) for item in value if not isinstance(item, (dict, list)))
            tasks.insert(0, _Task(None, dict(every), len(value) - len(containers), characters))
        return tasks


class _Task(NamedTuple):
    """A value, the evaluations by schema, the number of values like it, and the characters of all of them."""

    value: Any
    times: dict[int, int]
    copies: int
    characters: int


def _sizes(value: Any) -> dict[int, int]:
    """Return the number of characters in each container of a value, names included, by `id()`."""
    containers = [value] if isinstance(value, (dict, list)) else []
    for container in containers:
        parts = container.values() if isinstance(container, dict) else container
        containers += [part for part in parts if isinstance(part, (dict, list))]
    sizes: dict[int, int] = {}
    # Containers come before their parts.
    for container in reversed(containers):
        parts = container.values() if isinstance(container, dict) else container
        names = sum(map(len, container)) if isinstance(container, dict) else 0
        sizes[id(container)] = names + sum(_size(part, sizes) for part in parts)
    return sizes


def _size(value: Any, sizes: dict[int, int]) -> int:
    if isinstance(value, str):
        return len(value)
    return sizes.get(id(value), 1)


def _matched(matching: dict[int, int], times: dict[int, int], characters: int) -> int:
    return characters * sum(count * matching[number] for number, count in times.items() if number in matching)


def _placed(
    value: list[Any], every: dict[int, int], placed: list[tuple[Node, int]], sizes: dict[int, int]
) -> Iterator[_Task]:
    for index, item in enumerate(value):
        inner = dict(every)
        for node, count in placed:
            _add(inner, node.positions[index : index + 1], count)
        if inner:
            yield _Task(item, inner, 1, _size(item, sizes))


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
