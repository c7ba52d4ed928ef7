"""The page of the documentation that lists the rows."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.seeds.rows import Row

PAGE: Final = "docs/pages/explanation/documents.md"
_HEAD: Final = """# What five documents require, and what shows it

cardwright implements the Beach card, the Beach protocol, the agent card of A2A 0.1, the SuperX proxy and the BeeOS
gateway ([what these are](protocols.md)). Each row is a requirement of one of the documents that describe them, with the
tests and the [rules](../reference/rules/index.md) that show that it is met. In a checkout, `make seeds` runs them all and
prints the result of each row, and `make seeds ROW=B7` runs one row. This page is written by `make seeds WRITE=1`.
"""


def written(rows: Iterable[Row]) -> str:
    """Return the page."""
    blocks = [_HEAD]
    for document, of_document in groupby(rows, key=lambda row: row.document):
        lines = [f"## {document}\n", "| row | section | requirement | shown by |", "|---|---|---|---|"]
        lines += [f"| {row.id} | {row.section} | {row.says} | {_shown_by(row)} |" for row in of_document]
        blocks.append("\n".join(lines) + "\n")
    lines = ["## Deviations\n", "| document | it says | here | why |", "|---|---|---|---|"]
    for one in json.loads(Path(__file__).with_name("deviations.json").read_bytes()):
        lines.append(f"| {one['document']} | {one['says']} | {one['instead']} | {one['why']} |")
    return "\n".join([*blocks, *lines]) + "\n"


def _shown_by(row: Row) -> str:
    rules = [f"{dialect} `{rule}`" for dialect, rule in row.rules]
    tests = [f"`{test.removeprefix('tests/')}`" for test in row.tests]
    return ", ".join([*rules, *tests])
