"""Whose reading of a specification is right where an implementation differs from a case, and why."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cardwright.explanations import explain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.conformance import Result

_FILE: Final = Path(__file__).parent / "readings.json"
READINGS: Final = {"kit": "the kit", "implementation": "the implementation", "open": "open"}


@dataclass(frozen=True, slots=True)
class Difference:
    """Cases in which an implementation differs for one reason.

    Attributes:
        title: What it does.
        reading: A key of `READINGS`: whose reading the specification supports.
        why: Why, in a sentence or two.
        results: The cases, sorted by id.
    """

    title: str
    reading: str
    why: str
    results: tuple[Result, ...]

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections that decide the cases."""
        return tuple(sorted({section for one in self.results for section in one.case.spec}))

    @property
    def is_of_a_specification(self) -> bool:
        """Whether a section, and not a decision of this project, decides any of the cases."""
        return any(one.case.level != "project decision" for one in self.results)


def differences(implementation: str, results: Sequence[Result]) -> list[Difference]:
    """Return the differences of an implementation, the largest first.

    `readings.json` has those that are not a rule of the kit that the implementation does not have.

    Raises:
        ValueError: If no reading is known for a case.
    """
    groups: dict[tuple[str, str, str], list[Result]] = {}
    unknown: list[str] = []
    for one in results:
        if not one.bad:
            continue
        reading = _known(implementation, one) or _of_rule(one)
        if reading is None:
            unknown.append(f"{one.case.id}: {one.reason}")
        else:
            groups.setdefault(reading, []).append(one)
    if unknown:
        raise ValueError(f"{implementation}: readings.json has no reading of {'; '.join(unknown)}")
    found = [Difference(*reading, tuple(group)) for reading, group in groups.items()]
    return sorted(found, key=lambda one: (-len(one.results), one.title))


def _known(implementation: str, result: Result) -> tuple[str, str, str] | None:
    for entry in _ENTRIES:
        if (
            implementation in entry["implementations"]
            and any(fnmatchcase(result.case.id, pattern) for pattern in entry["cases"])
            and (not entry.get("refused") or _is_refusal(result))
            and (not entry.get("accepted") or not _is_refusal(result))
        ):
            return entry["title"], entry["reading"], entry["why"]
    return None


def _is_refusal(result: Result) -> bool:
    return result.reason.startswith("valid is false")


def _of_rule(result: Result) -> tuple[str, str, str] | None:
    """Return the reading of a case that an implementation accepts although it breaks a rule."""
    expect: Any = result.case.expect
    if result.case.operation != "validate" or expect["valid"] or _is_refusal(result):
        return None
    dialect = str(result.case.input["dialect"])
    broken = [one["rule"] for one in expect.get("violations", expect.get("includes", ()))]
    # A misspelled required field is an error although its rule is a warning.
    rules = [rule for rule in broken if _is_error(rule, dialect)] or broken
    # A case that breaks several rules belongs to the most particular one.
    for rule in sorted(rules, key=lambda rule: rule.startswith("schema/")):
        explained = explain(rule)
        title = f"Not refused: {explained.title[0].lower()}{explained.title[1:]} (`{rule}`)"
        return title, "kit", _first(explained.why)
    return None


def _is_error(rule: str, dialect: str) -> bool:
    uses = explain(rule).uses
    return rule.startswith("schema/") or any(
        use.severity == "error" and use.dialect in (dialect, None) for use in uses
    )


def _first(text: str) -> str:
    """Return the first sentence of an explanation."""
    return text.split(". ", 1)[0].rstrip(".") + "."


_ENTRIES: Final[list[dict[str, Any]]] = json.loads(_FILE.read_text(encoding="utf-8"))
