"""Filters of the search API, and the words of a question (ARD 0.91 §5.3.1 and Appendix A)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.store.tokenizer import query_words_of
from cardwright_runtime.identifiers import publisher_of

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_WORDS: Final = 16
MAX_VALUES: Final = 64
# What an entry can be filtered by; `publisher` is in its identifier.
FIELDS: Final = ("type", "tags", "capabilities", "publisher", "version", "displayName", "identifier")
_LIST_FIELDS: Final = {"displayName": "displayName", "type": "type", "publisherId": "publisher"}
_TERM: Final = re.compile(r"\s*([A-Za-z]+)\s*(=|:)\s*(?:'([^']*)'|\"([^\"]*)\")\s*")
# Words of questions in English that say nothing about an agent (project decision).
_STOP: Final = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "agent",
        "agents",
        "are",
        "at",
        "by",
        "can",
        "do",
        "does",
        "find",
        "for",
        "from",
        "get",
        "give",
        "help",
        "how",
        "i",
        "in",
        "is",
        "it",
        "me",
        "my",
        "need",
        "of",
        "on",
        "or",
        "please",
        "show",
        "some",
        "that",
        "the",
        "this",
        "to",
        "tool",
        "tools",
        "use",
        "want",
        "what",
        "when",
        "where",
        "which",
        "who",
        "with",
        "you",
    ]
)


class SearchError(Exception):
    """A request that the search API refuses: its HTTP status, ARD's error code and a message."""

    def __init__(self, message: str, *, status: int = 400, code: str = "INVALID_ARGUMENT") -> None:
        super().__init__(message)
        self.status = status
        self.code = code


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions on entries: one of the values of each field must match.

    Attributes:
        values: The values by field, in lower case.
    """

    values: Mapping[str, frozenset[str]]

    def holds(self, entry: Mapping[str, Any]) -> bool:
        """Return whether an entry satisfies all conditions."""
        return all(
            any(value.lower() in wanted for value in values_of(entry, field))
            for field, wanted in self.values.items()
        )


def read_filter(value: Any) -> Filter:
    """Return the filter of a query.

    Raises:
        SearchError: If it is not an object of texts and lists of texts, or names a field that has no filter.
    """
    if value is None:
        return Filter({})
    if type(value) is not dict:
        raise SearchError("query.filter: expected an object")
    values: dict[str, frozenset[str]] = {}
    for field, wanted in value.items():
        if field not in FIELDS:
            raise SearchError(
                f"query.filter: {field[:100]!r} is not supported; supported: {', '.join(FIELDS)}"
            )
        options = [wanted] if type(wanted) is str else wanted
        if (
            type(options) is not list
            or not 1 <= len(options) <= MAX_VALUES
            or any(type(one) is not str for one in options)
        ):
            raise SearchError(f"query.filter.{field}: expected a text, or 1 to {MAX_VALUES} texts")
        values[field] = frozenset(one.lower() for one in options)
    return Filter(values)


def read_expression(text: str) -> Filter:
    """Return the filter of an expression of `GET /agents`, such as `type = 'a,b' AND displayName = 'Tides'`.

    Raises:
        SearchError: If the expression is malformed or names a field that has no filter.
    """
    values: dict[str, frozenset[str]] = {}
    for term in re.split(r"\bAND\b", text) if text.strip() else ():
        match = _TERM.fullmatch(term)
        if match is None:
            raise SearchError(
                "filter: expected FIELD = 'VALUE', joined by AND, such as type = 'application/a2a-agent-card+json'"
            )
        field = _LIST_FIELDS.get(match[1])
        if field is None:
            raise SearchError(f"filter: {match[1]} is not supported; supported: {', '.join(_LIST_FIELDS)}")
        value = match[3] if match[3] is not None else match[4]
        values[field] = frozenset(one.strip().lower() for one in value.split(",") if one.strip())
    return Filter(values)


def values_of(entry: Mapping[str, Any], field: str) -> list[str]:
    """Return the texts that an entry has for a field."""
    if field == "publisher":
        publisher = publisher_of(entry.get("identifier"))
        return [publisher] if publisher else []
    value = entry.get(field)
    values = value if type(value) is list else [value]
    return [one for one in values if type(one) is str and one]


def words_of_question(text: str) -> list[str]:
    """Return the words of a question that may say something about an agent; all of them if none does."""
    words = list(dict.fromkeys(query_words_of(text)))[:MAX_WORDS]
    return [word for word in words if word not in _STOP] or words
