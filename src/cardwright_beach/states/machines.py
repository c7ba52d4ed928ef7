"""What `state-machine.json` declares, read once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from cardwright.canonical import Limits, copied, decode
from cardwright.errors import BadConfiguration, MalformedDocument
from cardwright_beach.sizes import check_size
from cardwright_beach.validate import shape_violations
from cardwright_runtime.violation import pointer_of, quote

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

# Larger than any file that people write by hand (ours).
_LIMITS: Final = Limits(max_bytes=1024 * 1024)
_SCHEMA: Final = "StateMachineFile"


@dataclass(frozen=True, slots=True)
class Coordinate:
    """One value of a session's state: where it begins, what it may be, and what may follow what."""

    initial: str
    states: frozenset[str]
    transitions: Mapping[str, frozenset[str]]

    def leads(self, before: str, after: str) -> bool:
        """Whether a value may follow another; to stay is always allowed (ours)."""
        return before == after or after in self.transitions.get(before, ())


@dataclass(frozen=True, slots=True)
class Component:
    """One component: its coordinates, and whether handlers may move them."""

    allow_handler_transitions: bool
    coordinates: Mapping[str, Coordinate]


@dataclass(frozen=True, slots=True)
class StateMachines:
    """The declared components of an application (Beach protocol seed, setState part schema).

    Attributes:
        components: By their names.

    >>> berth = {"initial": "free", "states": ["free", "held"], "transitions": {"free": ["held"]}}
    >>> StateMachines.of({"components": {"berth": {"coordinates": {"status": berth}}}}).initial()
    {'berth.status': 'free'}
    """

    components: Mapping[str, Component]

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Self:
        """Read what `state-machine.json` says (`schemas/beach/1.0/state-machine.schema.json`).

        Raises:
            BadConfiguration: If it says what it may not; with every fault.
        """
        return cls._from(document, "")

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Read `state-machine.json`.

        Raises:
            BadConfiguration: If it cannot be read, or says what it may not; with every fault.
        """
        file = Path(path)
        try:
            document = decode(file.read_bytes(), _LIMITS)
        except OSError as error:
            raise BadConfiguration(str(file), f"it cannot be read: {error.strerror or error}") from None
        except MalformedDocument as error:
            raise BadConfiguration(str(file), str(error)) from None
        return cls._from(document, str(file))

    def initial(self) -> dict[str, str]:
        """Return the values of a new session, by `component.coordinate`."""
        return {
            f"{name}.{inner}": coordinate.initial
            for name, component in self.components.items()
            for inner, coordinate in component.coordinates.items()
        }

    @classmethod
    def _from(cls, value: Any, path: str) -> Self:
        try:
            check_size(value, _LIMITS)
            document = copied(value, _LIMITS)
        except MalformedDocument as error:
            raise BadConfiguration(path, str(error)) from None
        faults = [f"{one.pointer or '(root)'}: {one.message}" for one in shape_violations(_SCHEMA, document)]
        faults = faults or list(_undeclared(document))
        if faults:
            raise BadConfiguration(path, "; ".join(faults))
        return cls({name: _component(one) for name, one in document["components"].items()})


def _component(document: Any) -> Component:
    coordinates = {
        name: Coordinate(
            one["initial"],
            frozenset(one["states"]),
            {before: frozenset(after) for before, after in one["transitions"].items()},
        )
        for name, one in document["coordinates"].items()
    }
    return Component(document.get("allowHandlerTransitions", False), coordinates)


def _undeclared(document: Any) -> Iterator[str]:
    """Tell what JSON Schema cannot see: values that `states` does not list, or lists twice."""
    for name, component in document["components"].items():
        for inner, coordinate in component["coordinates"].items():
            at = ("components", name, "coordinates", inner)
            yield from _twice((*at, "states"), coordinate["states"])
            declared = set(coordinate["states"])
            for path, value in _named(coordinate):
                if value not in declared:
                    told = (
                        f"{quote(value)} is none of its states: declare it in `states`, or correct its name"
                    )
                    yield f"{pointer_of((*at, *path))}: {told}"


def _twice(at: tuple[str, ...], states: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for index, state in enumerate(states):
        if state in seen:
            yield f"{pointer_of((*at, index))}: {quote(state)} stands twice: leave one out"
        seen.add(state)


def _named(coordinate: Any) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield every value that a coordinate speaks of, with the place where it does."""
    yield ("initial",), coordinate["initial"]
    for before, after in coordinate["transitions"].items():
        yield ("transitions", before), before
        for index, value in enumerate(after):
            yield ("transitions", before, index), value
