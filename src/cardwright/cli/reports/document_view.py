"""A card, a description of an MCP server or a catalogue as `show` prints it on a terminal."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from rich.box import ROUNDED, SIMPLE_HEAD
from rich.console import Group
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from cardwright.card import Card, Catalog, ServerCard
from cardwright.cli.reports.words import counted, tally
from cardwright.outline import Extension, Outline, Skill, outline
from cardwright.outline.catalog import catalog_outline
from cardwright.outline.markup import spans
from cardwright.outline.server import server_outline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import RenderableType

    from cardwright.card import Document
    from cardwright.outline.catalog import EntryOutline
    from cardwright.outline.parts import Facts
    from cardwright.outline.server import ServerPart

_MAX_EXAMPLES: Final = 3
# More entries do not help on a terminal (project decision).
_MAX_ENTRIES: Final = 200


def sheet(document: Document) -> list[RenderableType]:
    """Return the view of a document as rich renderables."""
    parts: Iterable[RenderableType] = ()
    if isinstance(document, Card):
        parts = _card(document)
    elif isinstance(document, Catalog):
        parts = _catalog(document)
    elif isinstance(document, ServerCard):
        parts = _server(document)
    return [*parts, _validity(document)]


def _card(card: Card) -> Iterator[RenderableType]:
    facts = outline(card)
    yield _title(facts)
    yield Padding(_grid(card, facts.recognised, _rows(facts)), (1, 0, 0 if facts.skills else 1, 1))
    if facts.skills:
        yield _skills(facts.skills)


def _catalog(catalog: Catalog) -> Iterator[RenderableType]:
    facts = catalog_outline(catalog)
    yield Text.assemble((facts.name or "Catalogue", "bold"), f"  {_entries(len(facts.entries))}")
    yield Padding(_grid(catalog, facts.recognised, _texts(facts.facts)), (1, 0, 0, 1))
    if facts.entries:
        table = _table("entry", "what it is", 32)
        for entry in facts.entries[:_MAX_ENTRIES]:
            table.add_row(Text(entry.name or "(no name)"), Text("\n").join(_entry(entry)))
        yield table
    if len(facts.entries) > _MAX_ENTRIES:
        yield Text(f"and {_entries(len(facts.entries) - _MAX_ENTRIES)} more", "dim")


def _server(server: ServerCard) -> Iterator[RenderableType]:
    facts = server_outline(server)
    lists = (("endpoints", facts.endpoints), ("packages", facts.packages), ("tools", facts.tools))
    parts = ((label, Text("\n").join(map(_part, items))) for label, items in lists if items)
    yield Text.assemble((facts.name or "(no name)", "bold"), f"  {facts.version}")
    yield Padding(Text(" ".join(facts.prose.split()) or "(no description)"), (0, 0, 1, 1))
    yield Padding(_grid(server, facts.recognised, chain(_texts(facts.facts), parts)), (0, 0, 1, 1))


def _grid(document: Document, recognised: str, rows: Iterable[tuple[str, RenderableType]]) -> Table:
    """Return the dialect of a document with its evidence, and other facts, each with its label."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("dialect", Text.assemble((str(document.dialect), "bold"), (f"  {recognised}", "dim")))
    for label, value in rows:
        grid.add_row(label, value)
    return grid


def _table(name: str, about: str, width: int) -> Table:
    """Return a table of named things, with a width for the names."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), header_style="dim", border_style="dim")
    table.add_column(name, style="bold", overflow="fold", max_width=width)
    table.add_column(about, overflow="fold", ratio=1)
    return table


def _texts(facts: Facts) -> Iterator[tuple[str, Text]]:
    return ((label, Text(value)) for label, value in facts)


def _title(facts: Outline) -> Panel:
    lines = [_marked(facts.description) if facts.description else Text("(no description)", "dim")]
    if by := ", ".join(filter(None, (facts.provider, facts.provider_url))):
        lines.append(Text(f"by {by}", "dim"))
    title = Text(" ".join(filter(None, (facts.name or "(no name)", facts.version))), "bold")
    return Panel(
        Group(*lines), title=title, title_align="left", box=ROUNDED, border_style="dim", padding=(0, 1)
    )


def _rows(facts: Outline) -> Iterator[tuple[str, RenderableType]]:
    yield "interfaces", _columns([(i.binding, i.version, i.url, i.note) for i in facts.interfaces])
    if facts.capabilities:
        yield "capabilities", _capabilities(facts)
    yield (
        "security",
        Text(" or ".join(facts.requirements) or f"none {'required' if facts.schemes else 'declared'}"),
    )
    if facts.schemes:
        yield "", _columns([(scheme.name, scheme.kind, scheme.description) for scheme in facts.schemes])
    yield from _texts(facts.facts)
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
    table = _table("skill", "what it does", 28)
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


def _entry(entry: EntryOutline) -> Iterator[Text]:
    yield Text(entry.identifier or "(no identifier)", "cyan")
    yield Text(" ".join(filter(None, (entry.type or "(no type)", entry.version))))
    if entry.address:
        yield Text(entry.address)
    if entry.prose:
        yield Text(" ".join(entry.prose.split()), "dim")
    for query in entry.queries[:_MAX_EXAMPLES]:
        yield Text(f"• {query}", "dim")


def _entries(count: int) -> str:
    return f"{count:,} {'entry' if count == 1 else 'entries'}"


def _part(part: ServerPart) -> Text:
    kind = f"  {part.kind}" if part.kind else ""
    return Text.assemble(part.name, (kind, "cyan"), (f"  {part.note}" if part.note else "", "dim"))


def _validity(document: Document) -> Text:
    """Return whether a document is valid, in one line."""
    counts = tally(document.violations)
    if not counts:
        return Text("✓ valid", "green")
    summary = f"✗ invalid: {counts}" if document.errors else f"✓ valid, {counts}"
    return Text.assemble(
        (summary, "red" if document.errors else "yellow"), ("  `cardwright check` lists them", "dim")
    )


def _marked(description: str) -> Text:
    """Return a description with its emphasis and code as styles, and the URLs of its links visible."""
    styles = {"strong": "bold", "em": "italic", "code": "cyan"}
    text = Text()
    for span in spans(description):
        shown = f"{span.text} ({span.url})" if span.url and span.url != span.text else span.text
        text.append(shown, styles.get(span.style, ""))
    return text
