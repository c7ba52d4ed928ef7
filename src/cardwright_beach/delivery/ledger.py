"""What became of every part of a delivery: two bytes each, however many there are."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Outcome: TypeAlias = Literal["sent", "held", "dropped"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What became of one part, and why.

    Attributes:
        index: Which part of the envelope it is, counted from 0; None for one that was made for this receiver.
        type: Its part type.
        outcome: `sent`, `held` or `dropped`.
        reason: Why, in words for people.
    """

    index: int | None
    type: str
    outcome: Outcome
    reason: str


class Ledger:
    """Keeps a row for each combination of type, outcome and reason, and for each part which row it is."""

    def __init__(self) -> None:
        self._codes = array("H")
        self._rows: dict[tuple[str, Outcome, str], int] = {}
        self._told: list[tuple[str, Outcome, str]] = []
        self._made: list[Explanation] = []

    def note(self, part_type: str, outcome: Outcome, reason: str) -> int:
        """Write down what became of the next part, and return its index."""
        self._codes.append(self._code(part_type, outcome, reason))
        return len(self._codes) - 1

    def amend(self, indices: Iterable[int], outcome: Outcome, reason: str = "") -> None:
        """Write down what became at last of parts that were held; why, where it is another reason."""
        for index in indices:
            part_type, _, before = self._told[self._codes[index]]
            self._codes[index] = self._code(part_type, outcome, reason or before)

    def note_made(self, part_type: str, outcome: Outcome, reason: str) -> None:
        """Write down what became of a part that was made for this receiver."""
        self._made.append(Explanation(None, part_type, outcome, reason))

    def explained(self) -> list[Explanation]:
        """Return what became of every part so far, in the order in which they came."""
        parts = [Explanation(index, *self._told[code]) for index, code in enumerate(self._codes)]
        return [*parts, *self._made]

    def _code(self, part_type: str, outcome: Outcome, reason: str) -> int:
        row = (part_type, outcome, reason)
        code = self._rows.get(row)
        if code is None:
            code = self._rows[row] = len(self._told)
            self._told.append(row)
        return code
