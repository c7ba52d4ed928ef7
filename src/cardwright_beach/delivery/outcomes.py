"""Record of the outcome of every part of a delivery, in two bytes per part."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Outcome: TypeAlias = Literal["sent", "held", "dropped"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Outcome of one part, with the reason.

    Attributes:
        index: Its position in the envelope, counted from 0; None for a part created for this receiver.
        type: Its part type.
        outcome: `sent`, `held` or `dropped`.
        reason: The reason as text.
    """

    index: int | None
    type: str
    outcome: Outcome
    reason: str


class Outcomes:
    """Outcomes of a delivery: one row per combination of type, outcome and reason, and one row number per part."""

    def __init__(self) -> None:
        self._row_numbers = array("H")
        self._numbers: dict[tuple[str, Outcome, str], int] = {}
        self._rows: list[tuple[str, Outcome, str]] = []
        self._created: list[Explanation] = []

    def note(self, part_type: str, outcome: Outcome, reason: str) -> int:
        """Record the outcome of the next part and return its index."""
        self._row_numbers.append(self._row_number(part_type, outcome, reason))
        return len(self._row_numbers) - 1

    def amend(self, indices: Iterable[int], outcome: Outcome, reason: str = "") -> None:
        """Change the outcome of held parts; "" keeps the reason."""
        for index in indices:
            part_type, _, old_reason = self._rows[self._row_numbers[index]]
            self._row_numbers[index] = self._row_number(part_type, outcome, reason or old_reason)

    def note_created(self, part_type: str, outcome: Outcome, reason: str) -> None:
        """Record the outcome of a part created for this receiver."""
        self._created.append(Explanation(None, part_type, outcome, reason))

    def explained(self) -> list[Explanation]:
        """Return the outcome of every part so far, in order of arrival."""
        parts = [Explanation(index, *self._rows[number]) for index, number in enumerate(self._row_numbers)]
        return [*parts, *self._created]

    def _row_number(self, part_type: str, outcome: Outcome, reason: str) -> int:
        row = (part_type, outcome, reason)
        number = self._numbers.get(row)
        if number is None:
            number = self._numbers[row] = len(self._rows)
            self._rows.append(row)
        return number
