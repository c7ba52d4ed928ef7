"""A card as `show` prints it on a terminal."""

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
from cardwright.outline.markup import spans

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from cardwright.card import Card, Document

_MAX_EXAMPLES: Final = 3


def sheet(card: Card) -> list[RenderableType]:
    """Return the view of a card as rich renderables."""
    facts = outline(card)
    parts: list[RenderableType] = [
        _title(facts),
        Padding(_body(card, facts), (1, 0, 0 if facts.skills else 1, 1)),
    ]
    if facts.skills:
        parts.append(_skills(facts.skills))
    return [*parts, validity(card)]


def _title(facts: Outline) -> Panel:
    lines = [_marked(facts.description) if facts.description else Text("(no description)", "dim")]
    if by := ", ".join(filter(None, (facts.provider, facts.provider_url))):
        lines.append(Text(f"by {by}", "dim"))
    title = Text(" ".join(filter(None, (facts.name or "(no name)", facts.version))), "bold")
    return Panel(
        Group(*lines), title=title, title_align="left", box=ROUNDED, border_style="dim", padding=(0, 1)
    )


def _body(card: Card, facts: Outline) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, value in _rows(card, facts):
        grid.add_row(label, value)
    return grid


def _rows(card: Card, facts: Outline) -> Iterator[tuple[str, RenderableType]]:
    yield "dialect", Text.assemble((str(card.dialect), "bold"), (f"  {facts.recognised}", "dim"))
    yield "interfaces", _columns([(i.binding, i.version, i.url, i.note) for i in facts.interfaces])
    if facts.capabilities:
        yield "capabilities", _capabilities(facts)
    yield (
        "security",
        Text(" or ".join(facts.requirements) or f"none {'required' if facts.schemes else 'declared'}"),
    )
    if facts.schemes:
        yield "", _columns([(scheme.name, scheme.kind, scheme.description) for scheme in facts.schemes])
    for label, value in facts.facts:
        yield label, Text(value)
    if facts.signatures:
        yield "signatures", Text(f"{facts.signatures}, not verified here")
    if facts.extensions:
        yield "extensions", _columns([_extension(extension) for extension in facts.extensions])
    if facts.unknown:
        yield "unknown", Text(", ".join(facts.unknown), "yellow")


def _columns(rows: Sequence[tuple[str, ...]]) -> RenderableType:
    """Return rows as a grid; the last two texts of each row share a column."""
    if not rows:
        return Text("none", "dim")
    grid = Table.grid(padding=(0, 2))
    for *heads, main, note in rows:
        grid.add_row(*map(Text, heads), Text.assemble(main, ("  " if note else ""), (note, "dim")))
    grid.columns[-1].overflow = "fold"
    return grid


def _extension(extension: Extension) -> tuple[str, str]:
    note = ("required" if extension.required else "", extension.description)
    return extension.uri, ": ".join(filter(None, note))


def _capabilities(facts: Outline) -> Text:
    parts = [
        Text.assemble(label, " ", (value or "null", "dim" if value in ("no", "") else "green"))
        for label, value in facts.capabilities
    ]
    return Text(" · ", "dim").join(parts)


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
        yield _marked(skill.description)
    for example in skill.examples[:_MAX_EXAMPLES]:
        yield Text(f"• {example}", "dim")
    if len(skill.examples) > _MAX_EXAMPLES:
        yield Text(f"• and {counted(len(skill.examples) - _MAX_EXAMPLES, 'more example')}", "dim")
    if skill.note:
        yield Text(skill.note, "dim italic")


def validity(card: Document) -> Text:
    """Return whether a document is valid, in one line."""
    counts = tally(card.violations)
    if not counts:
        return Text("✓ valid", "green")
    summary = f"✗ invalid: {counts}" if card.errors else f"✓ valid, {counts}"
    return Text.assemble(
        (summary, "red" if card.errors else "yellow"), ("  `cardwright check` lists them", "dim")
    )


def _marked(description: str) -> Text:
    """Return a description with its emphasis and code as styles, and the URLs of its links visible."""
    styles = {"strong": "bold", "em": "italic", "code": "cyan"}
    text = Text()
    for span in spans(description):
        shown = f"{span.text} ({span.url})" if span.url and span.url != span.text else span.text
        text.append(shown, styles.get(span.style, ""))
    return text
