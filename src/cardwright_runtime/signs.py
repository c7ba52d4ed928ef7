"""Rules of kind `signs`: a text that shows several independent signs, such as orders to the reading model.

One sign is often harmless: a description may ask people to keep a token secret. Two different signs in one text
seldom are. An engine without backtracking finds the signs, and Python's the words to quote in a short part only, so
that no text can make the search slow.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

import jsonschema_rs

from cardwright_runtime.checks import reach
from cardwright_runtime.disguises import undisguised
from cardwright_runtime.violation import break_rule, pointer_of, quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cardwright_runtime.violation import Rule, Violation

# Signs belong together within so many characters; the parts of a longer text overlap.
_PART: Final = 2000
_OVERLAP: Final = 300
# So many findings of a rule in one card are enough.
_MAX_FINDINGS: Final = 16


@dataclass(frozen=True, slots=True)
class Sign:
    """One sign: whether a text has it, and its words."""

    absent: jsonschema_rs.Validator
    words: re.Pattern[str]

    @classmethod
    def of(cls, pattern: str) -> Sign:
        """Return the sign of a pattern, in which case does not count."""
        # Word boundaries of ASCII: with those of Unicode, text in other scripts takes a hundred times as long.
        ascii_pattern = pattern.replace(r"\b", r"(?-u:\b)")
        schema = {"not": {"pattern": f"(?i){ascii_pattern}"}}
        absent = jsonschema_rs.validator_for(schema, pattern_options=jsonschema_rs.RegexOptions())
        return cls(absent, re.compile(pattern, re.IGNORECASE))


@dataclass(frozen=True, slots=True)
class SignRule:
    """A rule that counts signs in the texts at some places.

    Attributes:
        rule: The rule's id.
        at: The places, each as steps in which `*` is every item or field.
        least: How many different signs make a violation.
        signs: The signs.
    """

    rule: str
    at: tuple[tuple[str, ...], ...]
    least: int
    signs: tuple[Sign, ...]


@cache
def sign_rules(package: str) -> tuple[SignRule, ...]:
    """Return the rules of a package's `text.json`."""
    rows = json.loads(resources.files(package).joinpath("text.json").read_bytes())
    return tuple(
        SignRule(
            row["id"],
            tuple(tuple(pointer.split("/")[1:]) for pointer in row["at"]),
            row["least"],
            tuple(map(Sign.of, row["signs"])),
        )
        for row in rows
    )


def add_signs(
    violations: list[Violation], rules: Mapping[str, Rule], sign_rules: Sequence[SignRule], document: Any
) -> None:
    """Add a violation for each text with enough signs; the message quotes the words that are the signs."""
    for row in sign_rules:
        left = _MAX_FINDINGS if row.rule in rules else 0
        for path, text in _texts(document, row):
            if left and (found := _signs_in(text, row)):
                words = " and ".join(map(quote, found))
                violations.append(break_rule(rules[row.rule], pointer_of(path), text, found=words))
                left -= 1


def _texts(document: Any, row: SignRule) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for steps in row.at:
        for path, text in reach(document, steps):
            if type(text) is str:
                yield path, text


def _signs_in(text: str, row: SignRule) -> list[str]:
    """Return the words of the signs in the first part of a text that has enough of them, also below disguises."""
    for form in dict.fromkeys((text, undisguised(text))):
        for start in range(0, len(form), _PART):
            part = form[start : start + _PART + _OVERLAP]
            signs = [sign for sign in row.signs if not sign.absent.is_valid(part)]
            if len(signs) >= row.least:
                matches = [match for sign in signs if (match := sign.words.search(part))]
                return [match[0].strip() for match in sorted(matches, key=lambda match: match.start())]
    return []
