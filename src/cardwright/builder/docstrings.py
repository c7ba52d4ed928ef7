"""Parsing of docstrings: summary, parameters and examples of a function."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

# The sections of a Google docstring (Google Python Style Guide §3.8.3), and those that napoleon adds.
_SECTIONS: Final = re.compile(
    r"(Args|Arguments|Parameters|Params|Attributes|Examples?|Notes?|Raises|Returns|Yields|References"
    r"|See Also|Todo|Tips?|Warnings?|Warns|Keyword Args|Keyword Arguments|Other Parameters):"
)
_ARGUMENTS: Final = frozenset(
    {"Args", "Arguments", "Parameters", "Params", "Keyword Args", "Keyword Arguments"}
)
_EXAMPLES: Final = frozenset({"Example", "Examples"})
_PARAMETER: Final = re.compile(r"(\w+)(?:\s*\(.*?\))?\s*:\s*(.*)")
_BULLET: Final = re.compile(r"\A(?:[-*•]|\d+[.)])\s+")


@dataclass(frozen=True, slots=True)
class Docstring:
    """The parts of a docstring.

    Attributes:
        summary: The first paragraph as one line; empty if absent.
        parameters: The descriptions in the `Args:` section, by name.
        examples: The entries of the `Examples:` section, unless they are code.
    """

    summary: str = ""
    parameters: dict[str, str] = field(default_factory=dict[str, str])
    examples: tuple[str, ...] = ()


def docstring_of(text: str | None) -> Docstring:
    r"""Parse a docstring in Google style.

    >>> parsed = docstring_of("Finds berths.\n\nArgs:\n    port: Where.\n\nExamples:\n    - A berth tonight?")
    >>> parsed.summary, parsed.parameters, parsed.examples
    ('Finds berths.', {'port': 'Where.'}, ('A berth tonight?',))
    """
    lines = inspect.cleandoc(text or "").splitlines()
    starts = [index for index, line in enumerate(lines) if _SECTIONS.fullmatch(line.rstrip())]
    head = lines[: starts[0]] if starts else lines
    parameters: dict[str, str] = {}
    examples: tuple[str, ...] = ()
    for start, end in pairwise([*starts, len(lines)]):
        title = lines[start].rstrip().removesuffix(":")
        body = inspect.cleandoc("\n".join(lines[start + 1 : end])).splitlines()
        if title in _ARGUMENTS:
            parameters |= _parameters(body)
        elif title in _EXAMPLES:
            examples += _examples(body)
    return Docstring(_summary(head), parameters, examples)


def _summary(lines: Sequence[str]) -> str:
    paragraph: list[str] = []
    for line in lines:
        if line.strip():
            paragraph.append(line.strip())
        elif paragraph:
            break
    return " ".join(paragraph)


def _parameters(lines: Sequence[str]) -> dict[str, str]:
    descriptions: dict[str, str] = {}
    for entry in _entries(lines):
        if match := _PARAMETER.fullmatch(entry):
            descriptions[match[1]] = match[2]
    return {name: text for name, text in descriptions.items() if text}


def _examples(lines: Sequence[str]) -> tuple[str, ...]:
    # Examples of a skill are requests; code examples are for developers.
    if any(line.lstrip().startswith((">>>", "```", "..", "$ ")) for line in lines):
        return ()
    bare = (_BULLET.sub("", entry, count=1).strip() for entry in _entries(lines))
    return tuple(_unquoted(entry) for entry in bare if entry)


def _entries(lines: Sequence[str]) -> list[str]:
    """Return each line at the margin, joined with the indented lines that follow it."""
    entries: list[list[str]] = []
    for line in lines:
        if line[:1].isspace() and entries:
            entries[-1].append(line.strip())
        elif line.strip():
            entries.append([line.strip()])
    return [" ".join(part for part in entry if part) for entry in entries]


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 2 and text[0] == text[-1] and text[0] in "\"'`" else text
