"""What one leg of a conversion, to the hub or from it, says of itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Notes:
    """Filled by one leg; pointers are the source's for what is lost, the result's for what is assumed.

    Attributes:
        losses: Why what stands at a pointer of the source is not in the result.
        whys: Why it might not come back as it was: a loss only where it does not.
        assumptions: What was assumed at a pointer of the result, and why.
        moves: Where what stands at a pointer of the result came from, unless from the same pointer.
    """

    losses: dict[str, str] = field(default_factory=dict[str, str])
    whys: dict[str, str] = field(default_factory=dict[str, str])
    assumptions: dict[str, tuple[Any, str]] = field(default_factory=dict[str, tuple[Any, str]])
    moves: dict[str, str] = field(default_factory=dict[str, str])

    def lose(self, pointer: str, why: str) -> None:
        """Note that what stands at a pointer of the source is not in the result."""
        self.losses.setdefault(pointer, why)

    def doubt(self, pointer: str, why: str) -> None:
        """Note why what stands at a pointer of the source may come back in another form."""
        self.whys.setdefault(pointer, why)

    def assume(self, pointer: str, value: Any, why: str) -> None:
        """Note what the result says at a pointer and the source does not."""
        self.assumptions.setdefault(pointer, (value, why))

    def move(self, result: str, source: str) -> None:
        """Note that a pointer of the result holds what stands at another one of the source."""
        self.moves[result] = source


def below(pointer: str, *steps: str | int) -> str:
    """Return the pointer of a member or an element below another pointer."""
    for step in steps:
        text = step if type(step) is str else str(step)
        pointer += "/" + (text.replace("~", "~0").replace("/", "~1") if "/" in text or "~" in text else text)
    return pointer


def led_back(pointer: str, moves: dict[str, str]) -> str:
    """Return where what stands at a pointer came from, by the nearest move above it."""
    head = pointer
    while head:
        if head in moves:
            return moves[head] + pointer[len(head) :]
        head = head.rpartition("/")[0]
    return pointer


def covers(pointers: Any, pointer: str) -> str | None:
    """Return the pointer among some that names a place or one above it."""
    head = pointer
    while True:
        if head in pointers:
            return head
        if not head:
            return None
        head = head.rpartition("/")[0]


def found(document: Any, pointer: str) -> tuple[Any] | None:
    """Return what stands at a pointer, in a tuple, or None where nothing does."""
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(document, dict) and name in document:
            document = document[name]
        elif isinstance(document, list) and name.isdecimal() and int(name) < len(document):
            document = document[int(name)]
        else:
            return None
    return (document,)


def standing(document: Any, pointer: str) -> str:
    """Return a pointer, or the nearest one above it at which a document has something."""
    while pointer and found(document, pointer) is None:
        pointer = pointer.rpartition("/")[0]
    return pointer
