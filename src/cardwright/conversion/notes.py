"""Notes of one step of a conversion: to the hub, or from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cardwright_runtime.checks import listed, mapping


@dataclass(slots=True)
class Notes:
    """Notes of one step; losses have pointers of the source, assumptions pointers of the result.

    Attributes:
        losses: The reason for each loss, by pointer of the source.
        whys: Reasons why a value may change on the way back, by pointer of the source: a loss only if it does.
        assumptions: (value, reason) of each assumption, by pointer of the result.
        moves: The pointer of the source by pointer of the result, if they differ.
        repeats: The pointers of the values that another value of the source repeats, by its pointer: it may not come
            back, and is no loss unless they are.
        found_at: The URL or path that the source was read from, or "".
    """

    losses: dict[str, str] = field(default_factory=dict[str, str])
    whys: dict[str, str] = field(default_factory=dict[str, str])
    assumptions: dict[str, tuple[Any, str]] = field(default_factory=dict[str, tuple[Any, str]])
    moves: dict[str, str] = field(default_factory=dict[str, str])
    repeats: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    found_at: str = ""

    def lose(self, pointer: str, why: str) -> None:
        """Note that a value of the source is not in the result."""
        self.losses.setdefault(pointer, why)

    def array(self, value: Any, pointer: str) -> list[Any]:
        """Return a value of the source if it is an array; any other value is noted as lost, and an empty one returned."""
        if value is not None and type(value) is not list:
            self.lose(pointer, "it is not an array")
        return listed(value)

    def object(self, value: Any, pointer: str) -> dict[str, Any]:
        """Return a value of the source if it is an object; any other value is noted as lost, and an empty one returned."""
        if value is not None and type(value) is not dict:
            self.lose(pointer, "it is not an object")
        return mapping(value)

    def doubt(self, pointer: str, why: str) -> None:
        """Note why a value of the source may change on the way back."""
        self.whys.setdefault(pointer, why)

    def assume(self, pointer: str, value: Any, why: str) -> None:
        """Note a value of the result that is not in the source."""
        self.assumptions.setdefault(pointer, (value, why))

    def move(self, result: str, source: str) -> None:
        """Note that a value of the result comes from another pointer of the source."""
        self.moves[result] = source


def below(pointer: str, *steps: str | int) -> str:
    """Return the pointer of a field or an element below another pointer."""
    for step in steps:
        text = step if type(step) is str else str(step)
        pointer += "/" + (text.replace("~", "~0").replace("/", "~1") if "/" in text or "~" in text else text)
    return pointer


def led_back(pointer: str, moves: dict[str, str]) -> str:
    """Return the source pointer of a pointer, by the nearest move above it."""
    head = pointer
    while head:
        if head in moves:
            return moves[head] + pointer[len(head) :]
        head = head.rpartition("/")[0]
    return pointer


def covers(pointers: Any, pointer: str) -> str | None:
    """Return the longest of some pointers that is a pointer or above it, or None."""
    head = pointer
    while True:
        if head in pointers:
            return head
        if not head:
            return None
        head = head.rpartition("/")[0]


def value_at(document: Any, pointer: str) -> tuple[Any] | None:
    """Return the value at a pointer in a tuple, or None if absent."""
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(document, dict) and name in document:
            document = document[name]
        elif isinstance(document, list) and name.isdecimal() and int(name) < len(document):
            document = document[int(name)]
        else:
            return None
    return (document,)


def existing_pointer(document: Any, pointer: str) -> str:
    """Return a pointer, or the nearest one above it that exists in a document."""
    while pointer and value_at(document, pointer) is None:
        pointer = pointer.rpartition("/")[0]
    return pointer
