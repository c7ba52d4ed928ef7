"""Which rules a report has: `select` and `ignore` of the command line and of a project."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cardwright.explanations import area_titles, rule_ids

if TYPE_CHECKING:
    from collections.abc import Iterable

ALL: Final = "ALL"


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected and the ignored rules.

    A selector is a rule id, an area (the part of an id before the slash), or `ALL`. The closer one counts, and of two
    equal ones `ignore`.
    """

    select: tuple[str, ...] = (ALL,)
    ignore: tuple[str, ...] = ()

    def keeps(self, rule: str) -> bool:
        """Return whether violations of a rule are reported.

        >>> selection = Selection(select=("ALL", "modes/media-type"), ignore=("modes",))
        >>> selection.keeps("modes/media-type"), selection.keeps("modes/unknown"), selection.keeps("url/local")
        (True, False, True)
        """
        return _closest(self.select, rule) > _closest(self.ignore, rule)

    def without(self, ignored: Iterable[str]) -> Selection:
        """Return the selection with more ignored rules."""
        return Selection(self.select, (*self.ignore, *ignored))


def unknown(selectors: Iterable[str]) -> list[str]:
    """Return the selectors that name neither a rule nor an area."""
    rules, areas = rule_ids(), area_titles()
    return [name for name in selectors if name != ALL and name not in rules and name not in areas]


def _closest(selectors: Iterable[str], rule: str) -> int:
    """Return how close the closest selector is: 3 for the rule, 2 for its area, 1 for `ALL`, 0 for none."""
    closeness = {rule: 3, rule.partition("/")[0]: 2, ALL: 1}
    return max((closeness.get(name, 0) for name in selectors), default=0)
