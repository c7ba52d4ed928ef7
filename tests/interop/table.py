"""Results of the runs, as stored data and as a documentation page."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.interop.peers.steps import ABSENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE / "results.json"
PAGE: Final = HERE.parents[1] / "docs" / "pages" / "explanation" / "interoperability.md"
_NO: Final = "no: "
NOT_INSTALLED: Final = "not installed"
# The page, with the name of each table in braces, and the reason why each error of `probe` is right.
TEMPLATE: Final = (HERE / "page.md").read_text(encoding="utf-8")
_TABLE: Final = re.compile(r"\{\{(.+)\}\}\n")
SECTIONS: Final = tuple(_TABLE.findall(TEMPLATE))
# By the release of a package without its patch number and the rule.
PROBE_ERRORS: Final = set(re.findall(r"^\| (.+) \| `(probe/.+)` \|", TEMPLATE, re.MULTILINE))


@dataclass(frozen=True, slots=True)
class Table:
    """One table of results.

    Attributes:
        columns: The headings, the first one for the names of the rows.
        rows: The cells by row and column.
    """

    columns: Sequence[str]
    rows: Mapping[str, Mapping[str, str]]

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Table:
        """Return a stored table."""
        return cls(tuple(value["columns"]), value["rows"])

    def to_json(self) -> dict[str, Any]:
        """Return the table as stored JSON."""
        return {"columns": list(self.columns), "rows": {name: dict(row) for name, row in self.rows.items()}}

    def to_markdown(self) -> str:
        """Return the table as Markdown, with the reasons below it, each once."""
        reasons: dict[str, int] = {}
        lines = [self.columns, ["---"] * len(self.columns)]
        for name, row in self.rows.items():
            cells = [row.get(column, ABSENT) for column in self.columns[1:]]
            for reason in (one for cell in cells for one in _reasons(cell)):
                reasons.setdefault(reason, len(reasons) + 1)
            lines.append([name, *(_shown(cell, reasons) for cell in cells)])
        table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
        listed = "".join(f"{number}. `{reason}`\n" for reason, number in reasons.items())
        return f"{table}\n{listed}" if listed else table


def _reasons(cell: str) -> list[str]:
    """Return why a cell is a no: each line has a reason."""
    return [one.removeprefix(_NO) for one in cell.split("\n")] if cell.startswith(_NO) else []


def _shown(cell: str, reasons: Mapping[str, int]) -> str:
    numbers = [str(reasons[one]) for one in _reasons(cell)]
    return f"no ({', '.join(numbers)})" if numbers else cell


def stored() -> dict[str, Table]:
    """Return the stored tables by name."""
    return {name: Table.from_json(one) for name, one in json.loads(RESULTS.read_bytes()).items()}


def store(tables: Mapping[str, Table]) -> None:
    """Store the tables, and write the page."""
    kept = {name: tables[name].to_json() for name in SECTIONS if name in tables}
    RESULTS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(tables), encoding="utf-8")


def page(tables: Mapping[str, Table]) -> str:
    """Return the page."""
    return _TABLE.sub(lambda match: tables[match[1]].to_markdown(), TEMPLATE)


def probe_errors(table: Table) -> Iterable[tuple[str, str]]:
    """Yield the errors that `probe` found: a release without its patch number, and the rule."""
    for name, row in table.rows.items():
        cell = row.get("probe", ABSENT)
        if cell.startswith(_NO):
            yield from ((name.rpartition(".")[0], rule) for rule in cell.removeprefix(_NO).split(", "))


def differences(new: Table, old: Table | None) -> list[str]:
    """Return what differs from the stored table, for the rows that were run."""
    before = old.rows if old else {}
    return [
        f"{name}, {column}: {row.get(column, ABSENT)}; stored: {before.get(name, {}).get(column, ABSENT)}"
        for name, row in new.rows.items()
        if NOT_INSTALLED not in row.values()
        for column in new.columns[1:]
        if row.get(column, ABSENT) != before.get(name, {}).get(column, ABSENT)
    ]
