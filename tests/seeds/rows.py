"""The rows of `rows.json`, and what shows that each is met."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from tests.conformance.case_files import Case, cases, expected, result_of

HERE: Final = Path(__file__).parent
DOCUMENTS: Final = {
    "B": "Beach card",
    "E": "Beach protocol",
    "A": "A2A 0.1 card",
    "S": "SuperX proxy",
    "G": "BeeOS gateway",
    "M": "cardwright",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One statement of a document.

    Attributes:
        id: The letter of the document and a number.
        section: The section of the document.
        says: What is required, in words of this project.
        tests: The functions of tests that show it.
        rules: The dialects and rules whose conformance cases show it.
    """

    id: str
    section: str
    says: str
    tests: tuple[str, ...]
    rules: tuple[tuple[str, str], ...]

    @property
    def document(self) -> str:
        """The name of the document."""
        return DOCUMENTS[self.id[0]]


@cache
def rows() -> tuple[Row, ...]:
    """Return all rows, document by document."""
    numbers = dict.fromkeys(DOCUMENTS, 0)
    found = []
    for letter, sections in json.loads((HERE / "rows.json").read_text(encoding="utf-8")).items():
        for section, statements in sections.items():
            for says, shown_by in statements.items():
                numbers[letter] += 1
                rules = (
                    words.removeprefix("rule ").split(" ") for words in shown_by if words.startswith("rule ")
                )
                found.append(
                    Row(
                        f"{letter}{numbers[letter]}",
                        section,
                        says,
                        tuple(words for words in shown_by if not words.startswith("rule ")),
                        tuple((dialect, rule) for dialect, rule in rules),
                    )
                )
    return tuple(found)


def cases_of(dialect: str, rule: str) -> list[Case]:
    """Return the conformance cases of a dialect that break a rule or come near to it."""
    return [
        case
        for case in cases()
        if case.dialect == dialect and (rule in case.near or rule in {name for _, name in case.violations})
    ]


def wrong_cases(dialect: str, rule: str) -> list[str]:
    """Return what is wrong with the cases of a rule: none breaks it, or a verdict is not the expected one."""
    found = cases_of(dialect, rule)
    if not any(rule in {name for _, name in case.violations} for case in found):
        return [f"no case of {dialect} breaks {rule}"]
    return [str(case) for case in found if result_of(case) != expected(case)]
