"""An outline as a sheet for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.box import ROUNDED, SIMPLE_HEAD
from rich.console import Group
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from cardwright.cli.reports.words import counted, tally
from cardwright.outline import Extension, Outline, Skill, outline

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from cardwright.card import Card

_SHOWN_EXAMPLES: Final = 3


def sheet(card: Card) -> list[RenderableType]:
    """Return the sheet as what rich prints one below the other."""
    told = outline(card)
    shown: list[RenderableType] = [
        _title(told),
        Padding(_body(card, told), (1, 0, 0 if told.skills else 1, 1)),
    ]
    if told.skills:
        shown.append(_skills(told.skills))
    return [*shown, _verdict(card)]


def _title(told: Outline) -> Panel:
    lines = [Text(told.description or "(no description)", "" if told.description else "dim")]
    if by := ", ".join(filter(None, (told.provider, told.provider_url))):
        lines.append(Text(f"by {by}", "dim"))
    title = Text(" ".join(filter(None, (told.name or "(no name)", told.version))), "bold")
    return Panel(
        Group(*lines), title=title, title_align="left", box=ROUNDED, border_style="dim", padding=(0, 1)
    )


def _body(card: Card, told: Outline) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, value in _rows(card, told):
        grid.add_row(label, value)
    return grid


def _rows(card: Card, told: Outline) -> Iterator[tuple[str, RenderableType]]:
    yield "dialect", Text.assemble((str(card.dialect), "bold"), (f"  {told.recognised}", "dim"))
    yield "interfaces", _columns([(i.binding, i.version, i.url, i.note) for i in told.interfaces])
    if told.capabilities:
        yield "capabilities", _capabilities(told)
    yield "security", Text(" or ".join(told.requirements) or "none stated")
    if told.schemes:
        yield "", _columns([(scheme.name, scheme.kind, scheme.description) for scheme in told.schemes])
    for label, value in told.facts:
        yield label, Text(value)
    if told.signatures:
        yield "signatures", Text(f"{told.signatures}, not verified here")
    if told.extensions:
        yield "extensions", _columns([_extension(extension) for extension in told.extensions])
    if told.unknown:
        yield "unknown", Text(", ".join(told.unknown), "yellow")


def _columns(rows: Sequence[tuple[str, ...]]) -> RenderableType:
    """Return rows in columns of their own; the last two texts of a row flow on together."""
    if not rows:
        return Text("none", "dim")
    grid = Table.grid(padding=(0, 2))
    for *heads, main, note in rows:
        grid.add_row(*map(Text, heads), Text.assemble(main, ("  " if note else ""), (note, "dim")))
    grid.columns[-1].overflow = "fold"
    return grid


def _extension(extension: Extension) -> tuple[str, str]:
    told = ("required" if extension.required else "", extension.description)
    return extension.uri, ": ".join(filter(None, told))


def _capabilities(told: Outline) -> Text:
    shown = [
        Text.assemble(label, " ", (value or "null", "dim" if value in ("no", "") else "green"))
        for label, value in told.capabilities
    ]
    return Text(" · ", "dim").join(shown)


def _skills(skills: Sequence[Skill]) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), header_style="dim", border_style="dim")
    table.add_column("skill", style="bold", overflow="fold", max_width=28)
    table.add_column("what it does", overflow="fold", ratio=1)
    tagged = any(skill.tags for skill in skills)
    if tagged:
        table.add_column("tags", style="cyan", overflow="fold", max_width=24)
    for skill in skills:
        table.add_row(
            Text(skill.id), Text("\n").join(_skill(skill)), *([Text(", ".join(skill.tags))] if tagged else [])
        )
    return table


def _skill(skill: Skill) -> Iterator[Text]:
    if skill.name and skill.name != skill.id:
        yield Text(skill.name, "bold")
    if skill.description:
        yield Text(skill.description)
    for example in skill.examples[:_SHOWN_EXAMPLES]:
        yield Text(f"• {example}", "dim")
    if len(skill.examples) > _SHOWN_EXAMPLES:
        yield Text(f"• and {counted(len(skill.examples) - _SHOWN_EXAMPLES, 'more example')}", "dim")
    if skill.note:
        yield Text(skill.note, "dim italic")


def _verdict(card: Card) -> Text:
    counts = tally(card.violations)
    if not counts:
        return Text("✓ valid", "green")
    told = f"✗ invalid: {counts}" if card.errors else f"✓ valid, {counts}"
    return Text.assemble(
        (told, "red" if card.errors else "yellow"), ("  `cardwright check` names them", "dim")
    )
