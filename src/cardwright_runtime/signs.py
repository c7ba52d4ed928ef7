"""Rules of kind `signs`: a text that shows several independent signs, such as orders to the reading model.

One sign is often harmless: a description may ask people to keep a token secret. Two different signs in one text
seldom are. An engine without backtracking finds the signs, and Python's the words to quote in a short part only, so
that no text can make the search slow. Most cards have no rare sign, and one look at all their texts ends the search.
"""

from __future__ import annotations

import json
import re
from functools import cache, cached_property
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import jsonschema_rs

from cardwright_runtime.checks import EACH, inner_values, reach
from cardwright_runtime.disguises import undisguised
from cardwright_runtime.violation import break_rule, pointer_of, quote, steps_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from cardwright_runtime.text import Text
    from cardwright_runtime.violation import Rule, Violation

    # The steps below a place of texts; one without further steps is a text.
    Places = dict[str, "Places"]

# Signs belong together within so many characters; the parts of a longer text overlap.
_PART: Final = 2000
_OVERLAP: Final = 300
# So many findings of a rule in one card are enough.
_MAX_FINDINGS: Final = 16


class Sign(NamedTuple):
    """One sign: whether a text has it, and the pattern of its words, which few texts need."""

    absent: jsonschema_rs.Validator
    pattern: str

    @classmethod
    def of(cls, pattern: str) -> Sign:
        """Return the sign of a pattern, in which case does not count."""
        # Word boundaries of ASCII: with those of Unicode, text in other scripts takes a hundred times as long.
        ascii_pattern = pattern.replace(r"\b", r"(?-u:\b)")
        return cls(_absent(f"(?i){ascii_pattern}"), pattern)

    def words(self, text: str) -> re.Match[str] | None:
        """Return the words of the sign in a text."""
        return re.search(self.pattern, text, re.IGNORECASE)


class SignRule:
    """A rule that counts signs in the texts at some places.

    Attributes:
        rule: The rule's id.
        at: The places, each as steps in which `*` is every item or field.
        least: How many different signs make a violation.
    """

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.rule: str = row["id"]
        self.at = tuple(tuple(steps_of(pointer)) for pointer in row["at"])
        self.least: int = row["least"]
        self._patterns: list[str] = row["signs"]
        self._first: str = row["first"]

    @cached_property
    def signs(self) -> tuple[Sign, ...]:
        """The signs, compiled when a card has a rare one."""
        return tuple(map(Sign.of, self._patterns))

    @cached_property
    def _no_rare_sign(self) -> jsonschema_rs.Validator:
        return _absent(self._first)

    @cached_property
    def _places(self) -> Places:
        places: Places = {}
        for steps in self.at:
            node = places
            for step in steps:
                node = node.setdefault(step, {})
        return places

    def may_break(self, text: Text | None) -> bool:
        """Return whether a document may have a text with enough signs, by the text of the whole document alone."""
        # Without escapes, disguises and other scripts, it has every text of the document between quotation marks.
        if text is None or text.beyond or "\\" in text.whole or "<" in text.whole:
            return True
        return self.has_rare_sign(text.whole.replace('"', "\n"))

    def has_rare_sign(self, text: str) -> bool:
        """Return whether a text may have one of the signs of which enough signs need one."""
        return not self._no_rare_sign.is_valid(f"\n{text}\n")

    def texts_that_break(self, document: Any) -> dict[str, list[str]]:
        """Return the words of the signs of each text that has enough of them."""
        texts: list[str] = []
        _collect(document, self._places, texts)
        # Many skills share their tags.
        forms = {text: _forms(text) for text in dict.fromkeys(texts)}
        if not self.has_rare_sign("\n".join(form for all_forms in forms.values() for form in all_forms)):
            return {}
        return {text: words for text in forms if (words := _signs_in(forms[text], self))}


@cache
def sign_rules(package: str) -> tuple[SignRule, ...]:
    """Return the rules of a package's `text.json`."""
    rows = json.loads(resources.files(package).joinpath("text.json").read_bytes())  # noqa: TID251 - a file of this package
    return tuple(map(SignRule, rows))


def add_signs(
    violations: list[Violation],
    rules: Mapping[str, Rule],
    sign_rules: Sequence[SignRule],
    document: Any,
    text: Text | None,
) -> None:
    """Add a violation for each text with enough signs; the message quotes the words that are the signs."""
    for row in sign_rules:
        if row.rule not in rules or not row.may_break(text):
            continue
        found = row.texts_that_break(document)
        for path, one in islice(_places_of(found, document, row), _MAX_FINDINGS):
            words = " and ".join(map(quote, found[one]))
            violations.append(break_rule(rules[row.rule], pointer_of(path), one, found=words))


def _absent(pattern: str) -> jsonschema_rs.Validator:
    schema = {"not": {"pattern": pattern}}
    return jsonschema_rs.validator_for(schema, pattern_options=jsonschema_rs.RegexOptions())


def _places_of(
    texts: Container[str], document: Any, row: SignRule
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the path of each place of a rule that has one of some texts, and the text."""
    for steps in row.at if texts else ():
        for path, value in reach(document, steps):
            if type(value) is str and value in texts:
                yield path, value


def _collect(node: Any, places: Places, found: list[str]) -> None:
    """Add the texts at some places, without their paths: most documents break no rule."""
    for step, inner in places.items():
        if step == EACH:
            values = inner_values(node)
        elif type(node) is dict and step in node:
            values = (node[step],)
        else:
            continue
        if inner:
            for value in values:
                _collect(value, inner, found)
        else:
            found += [value for value in values if type(value) is str]


def _forms(text: str) -> tuple[str, ...]:
    """Return a text, and the text without its disguises if it has any."""
    if "<" in text or not text.isascii():
        plain = undisguised(text)
        if plain != text:
            return text, plain
    return (text,)


def _signs_in(forms: Iterable[str], row: SignRule) -> list[str]:
    """Return the words of the signs in the first part of the forms of a text that has enough of them."""
    for form in forms:
        if not row.has_rare_sign(form):
            continue
        for start in range(0, len(form), _PART):
            part = form[start : start + _PART + _OVERLAP]
            signs = [sign for sign in row.signs if not sign.absent.is_valid(part)]
            if len(signs) >= row.least:
                matches = [match for sign in signs if (match := sign.words(part))]
                return [match[0].strip() for match in sorted(matches, key=lambda match: match.start())]
    return []
