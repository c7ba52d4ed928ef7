"""State machines declared in `state-machine.json`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from cardwright.canonical import Limits, checked_copy, decode
from cardwright.errors import BadConfiguration, MalformedDocument
from cardwright.regular_file import read_regular_file
from cardwright_beach.sizes import check_size
from cardwright_beach.validate import shape_violations
from cardwright_runtime.violation import pointer_of, quote

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

# Larger than any file written by hand (project decision).
_LIMITS: Final = Limits(max_bytes=1024 * 1024, max_values=100_000)
_SCHEMA: Final = "StateMachineFile"


@dataclass(frozen=True, slots=True)
class Coordinate:
    """State coordinate: its initial state, its states and the allowed transitions."""

    initial: str
    states: frozenset[str]
    transitions: Mapping[str, frozenset[str]]

    def allows(self, before: str, after: str) -> bool:
        """Return whether a transition is allowed; staying in a state always is (project decision)."""
        return before == after or after in self.transitions.get(before, ())


@dataclass(frozen=True, slots=True)
class Component:
    """Component: its coordinates, and whether handlers may change them."""

    allow_handler_transitions: bool
    coordinates: Mapping[str, Coordinate]


@dataclass(frozen=True, slots=True)
class StateMachines:
    """Declared state components of an application (Beach protocol seed, setState part schema).

    Attributes:
        components: The components by name.

    >>> berth = {"initial": "free", "states": ["free", "held"], "transitions": {"free": ["held"]}}
    >>> StateMachines.of({"components": {"berth": {"coordinates": {"status": berth}}}}).initial()
    {'berth.status': 'free'}
    """

    components: Mapping[str, Component]

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Self:
        """Validate the content of `state-machine.json` (`schemas/beach/1.0/state-machine.schema.json`).

        Raises:
            BadConfiguration: If it is not valid; with every error.
        """
        return cls._from(document, "")

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Read and validate `state-machine.json`.

        Raises:
            BadConfiguration: If it cannot be read or is not valid; with every error.
        """
        file = Path(path)
        try:
            document = decode(read_regular_file(file, _LIMITS.max_bytes + 1), _LIMITS)
        except OSError as error:
            raise BadConfiguration(str(file), f"cannot be read: {error.strerror or error}") from None
        except MalformedDocument as error:
            raise BadConfiguration(str(file), str(error)) from None
        return cls._from(document, str(file))

    def initial(self) -> dict[str, str]:
        """Return the initial states of a new session, by `component.coordinate`."""
        return {
            f"{name}.{inner}": coordinate.initial
            for name, component in self.components.items()
            for inner, coordinate in component.coordinates.items()
        }

    @classmethod
    def _from(cls, value: Any, path: str) -> Self:
        try:
            check_size(value, _LIMITS)
            document = checked_copy(value, _LIMITS)
        except MalformedDocument as error:
            raise BadConfiguration(path, str(error)) from None
        errors = [
            f"{violation.pointer or '(root)'}: {violation.message}"
            for violation in shape_violations(_SCHEMA, document)
        ]
        errors = errors or list(_undeclared(document))
        if errors:
            raise BadConfiguration(path, *errors)
        return cls({name: _component(component) for name, component in document["components"].items()})


def _component(document: Any) -> Component:
    coordinates = {
        name: Coordinate(
            coordinate["initial"],
            frozenset(coordinate["states"]),
            {before: frozenset(after) for before, after in coordinate["transitions"].items()},
        )
        for name, coordinate in document["coordinates"].items()
    }
    return Component(document.get("allowHandlerTransitions", False), coordinates)


def _undeclared(document: Any) -> Iterator[str]:
    """Yield errors that JSON Schema cannot express: undeclared and duplicate states."""
    for name, component in document["components"].items():
        for inner, coordinate in component["coordinates"].items():
            at = ("components", name, "coordinates", inner)
            yield from _duplicates((*at, "states"), coordinate["states"])
            declared = set(coordinate["states"])
            for path, value in _references(coordinate):
                if value not in declared:
                    message = (
                        f"{quote(value)} is not a declared state; add it to `states` or correct the name"
                    )
                    yield f"{pointer_of((*at, *path))}: {message}"


def _duplicates(at: tuple[str, ...], states: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for index, state in enumerate(states):
        if state in seen:
            yield f"{pointer_of((*at, index))}: duplicate state {quote(state)}; remove one"
        seen.add(state)


def _references(coordinate: Any) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield every reference to a state in a coordinate, with its path."""
    yield ("initial",), coordinate["initial"]
    for before, after in coordinate["transitions"].items():
        yield ("transitions", before), before
        for index, value in enumerate(after):
            yield ("transitions", before, index), value
