"""A comparison as Markdown (GitHub Flavored), for a comment on a pull request.

Whatever comes from a card or a path stands in a code span: there is no markup, no link, no mention
and no HTML in one (CommonMark §6.1), and everything else is our own words.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from cardwright.cli.reports import difference as told
from cardwright.cli.reports.words import counted
from cardwright_runtime.violation import clipped, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.cli.reports.difference import Compared
    from cardwright.difference import Change, Declared


def markdown(compared: Compared) -> str:
    """Return the comment: the verdict, the versions, the changes with the worst first."""
    return "\n".join([*_lines(compared), ""])


def code(text: str) -> str:
    """Return text as a code span, whatever it holds; one line.

    >>> code("a`b"), code("`")
    ('``a`b``', '`` ` ``')
    """
    line = clipped(text) or " "
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", line)), default=0))
    # A span that begins or ends with a backtick or a blank loses one blank on both sides.
    pad = " " if line[0] in "` " or line[-1] in "` " else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def cell(text: str) -> str:
    r"""Return text as a code span for a table, where a bar would end the cell, even an escaped one.

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
    for note in told.notes(compared):
        yield f"> {code(note)}"
        yield ""
    yield "| version | before | after | declares | needs | |"
    yield "|---|---|---|---|---|---|"
    yield from (_row(part, one) for part, one in comparison.declared.items() if one is not None)
    for severity, changes in groupby(comparison.changes, key=lambda change: change.severity):
        group = list(changes)
        yield ""
        yield f"#### {severity}: {counted(len(group), 'change')}"
        yield ""
        yield from map(_item, group)


def _row(part: str, one: Declared) -> str:
    before, after = ("none" if side is None else cell(quote(side)) for side in (one.before, one.after))
    verdict = "✅ sufficient" if one.sufficient else "❌ not sufficient"
    note = f": {one.note}" if one.note else ""
    return f"| {part} | {before} | {after} | {one.bump} | {one.required} | {verdict}{note} |"


def _item(change: Change) -> str:
    return f"- {code(told.place_of(change))} **{change.kind}** {code(told.values_of(change))}: {change.why}"
