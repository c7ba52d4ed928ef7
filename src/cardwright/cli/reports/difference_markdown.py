"""The report of `diff` as Markdown (GitHub Flavored), for a comment on a pull request.

Text from a card or a path is always in a code span, which contains no markup, link, mention or HTML (CommonMark §6.1).
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from cardwright.cli.reports import difference
from cardwright.cli.reports.words import counted
from cardwright_runtime.violation import clipped, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.cli.reports.difference import Compared
    from cardwright.difference import Change, Declared


def markdown(compared: Compared) -> str:
    """Return the comment: the required bump, the versions, and the changes with the most severe first."""
    return "\n".join([*_lines(compared), ""])


def code(text: str) -> str:
    """Return any text as a code span in one line.

    >>> code("a`b"), code("`")
    ('``a`b``', '`` ` ``')
    """
    line = clipped(text) or " "
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", line)), default=0))
    # CommonMark removes one space on both sides of a code span.
    pad = " " if line[0] in "` " or line[-1] in "` " else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def cell(text: str) -> str:
    r"""Return text as a code span for a table cell, which any `|` would end, even an escaped one.

    >>> cell("x|y")
    '`x\\u{7c}y`'
    """
    return code(text.replace("|", "\\u{7c}"))


def _lines(compared: Compared) -> Iterator[str]:
    comparison = compared.comparison
    yield f"### Agent card: {'no change' if comparison.bump == 'none' else f'{comparison.bump} change'}"
    yield ""
    yield f"{code(compared.old_source)} → {code(compared.new_source)}"
    yield ""
    for note in difference.notes(compared):
        yield f"> {code(note)}"
        yield ""
    yield "| version | before | after | declares | needs | |"
    yield "|---|---|---|---|---|---|"
    yield from (_row(part, version) for part, version in comparison.declared.items() if version is not None)
    for severity, changes in groupby(comparison.changes, key=lambda change: change.severity):
        group = list(changes)
        yield ""
        yield f"#### {severity}: {counted(len(group), 'change')}"
        yield ""
        yield from map(_item, group)


def _row(part: str, version: Declared) -> str:
    before, after = (
        "none" if side is None else cell(quote(side)) for side in (version.before, version.after)
    )
    outcome = "✅ sufficient" if version.sufficient else "❌ not sufficient"
    note = f": {version.note}" if version.note else ""
    return f"| {part} | {before} | {after} | {version.bump} | {version.required} | {outcome}{note} |"


def _item(change: Change) -> str:
    return f"- {code(difference.place_of(change))} **{change.kind}** {code(difference.values_of(change))}: {change.why}"
