"""A catalogue as `show` prints it on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.box import SIMPLE_HEAD
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cardwright.cli.reports.card_view import validity
from cardwright.outline.catalog import catalog_outline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from cardwright.card import Catalog
    from cardwright.outline.catalog import EntryOutline

_MAX_QUERIES: Final = 3
# More entries do not help on a terminal (project decision).
_MAX_ENTRIES: Final = 200


def sheet(catalog: Catalog) -> list[RenderableType]:
    """Return the view of a catalogue as rich renderables."""
    outline = catalog_outline(catalog)
    title = Text.assemble((outline.name or "Catalogue", "bold"), f"  {_counted(len(outline.entries))}")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("dialect", Text.assemble((str(catalog.dialect), "bold"), (f"  {outline.recognised}", "dim")))
    for label, value in outline.facts:
        grid.add_row(label, Text(value))
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), header_style="dim", border_style="dim")
    table.add_column("entry", style="bold", overflow="fold", max_width=32)
    table.add_column("what it is", overflow="fold", ratio=1)
    for entry in outline.entries[:_MAX_ENTRIES]:
        table.add_row(Text(entry.name or "(no name)"), Text("\n").join(_lines(entry)))
    parts: list[RenderableType] = [title, Padding(grid, (1, 0, 0, 1))]
    if outline.entries:
        parts.append(table)
    if len(outline.entries) > _MAX_ENTRIES:
        parts.append(Text(f"and {_counted(len(outline.entries) - _MAX_ENTRIES)} more", "dim"))
    return [*parts, validity(catalog)]


def _lines(entry: EntryOutline) -> Iterator[Text]:
    yield Text(entry.identifier or "(no identifier)", "cyan")
    yield Text(" ".join(filter(None, (entry.type or "(no type)", entry.version))))
    if entry.address:
        yield Text(entry.address)
    if entry.prose:
        yield Text(" ".join(entry.prose.split()), "dim")
    for query in entry.queries[:_MAX_QUERIES]:
        yield Text(f"• {query}", "dim")


def _counted(count: int) -> str:
    return f"{count:,} {'entry' if count == 1 else 'entries'}"
