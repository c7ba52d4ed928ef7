"""A description of an MCP server as `show` prints it on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cardwright.cli.reports.card_view import validity
from cardwright.outline.server import server_outline

if TYPE_CHECKING:
    from rich.console import RenderableType

    from cardwright.card import ServerCard
    from cardwright.outline.server import ServerPart


def sheet(server: ServerCard) -> list[RenderableType]:
    """Return the view of a description of an MCP server as rich renderables."""
    outline = server_outline(server)
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("dialect", Text.assemble((str(server.dialect), "bold"), (f"  {outline.recognised}", "dim")))
    for label, value in outline.facts:
        grid.add_row(label, Text(value))
    for label, parts in (
        ("endpoints", outline.endpoints),
        ("packages", outline.packages),
        ("tools", outline.tools),
    ):
        if parts:
            grid.add_row(label, Text("\n").join(map(_line, parts)))
    title = Text.assemble((outline.name or "(no name)", "bold"), f"  {outline.version}")
    about = Text(" ".join(outline.prose.split()) or "(no description)")
    return [title, Padding(about, (0, 0, 1, 1)), Padding(grid, (0, 0, 1, 1)), validity(server)]


def _line(part: ServerPart) -> Text:
    kind = f"  {part.kind}" if part.kind else ""
    return Text.assemble(part.name, (kind, "cyan"), (f"  {part.note}" if part.note else "", "dim"))
