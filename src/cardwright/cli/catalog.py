"""`cardwright catalog`: a catalogue of cards from their files, and the files from a catalogue."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.cards import read_document
from cardwright.cli.inputs import read, sources
from cardwright.cli.option_groups import described, examples, grouped
from cardwright.cli.outputs import write_output
from cardwright.cli.terminal import emit_document, emit_stderr, fail, json_text, legible, reason_of
from cardwright.errors import MalformedDocument, UnknownDialect
from cardwright_runtime.identifiers import name_part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.card import Catalog, CatalogEntry
    from cardwright.checks import Checks
    from cardwright.cli.inputs import Source

# The ends of the names of card files, which are no part of an agent's name.
_SUFFIX: Final = re.compile(r"(?:\.card|agent-card)?\.json$")

app = typer.Typer(
    no_args_is_help=True,
    help="Build a catalogue of agents (ARD manifest or AI Catalog) from the files of their cards, or take it apart.",
    epilog=examples("cardwright catalog build --publisher example.com cards/ > ard.json"),
)


@app.command(
    "build",
    epilog=examples(
        "cardwright catalog build --publisher example.com cards/ > ard.json",
        "cardwright catalog build --publisher example.com --base-url https://example.com/cards cards/",
        "cardwright catalog build --publisher example.com --to ai-catalog-1 --host 'Example Inc.' cards/",
    ),
)
@grouped
def build(
    paths: options.Paths,
    *,
    publisher: Annotated[str, described("catalog build --publisher")],
    to: Annotated[Literal["ard-0.91", "ai-catalog-1"], described("catalog build --to")] = "ard-0.91",
    base_url: Annotated[str | None, described("catalog build --base-url")] = None,
    host: Annotated[str, described("catalog build --host")] = "",
    output: Annotated[str | None, described("catalog build --output")] = None,
    checks: options.Limited,
) -> None:
    """Build a catalogue: an entry for each card, with queries from the examples of its skills.

    The name in an identifier is that of the card's file, or of the agent for a file named agent-card.json, so that it
    stays the same while neither changes. Entries of catalogues among the files are taken over unchanged.

    Exit status: 0 success, 2 a file could not be read, a card is invalid, or two have one identifier.
    """
    from cardwright.card import Catalog
    from cardwright.catalog_entries import manifest
    from cardwright.rewrite import BadBaseURL, check_base_url

    if re.fullmatch(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*", publisher) is None:
        fail(f"--publisher: {legible(publisher)} is not a domain; write for example example.com")
    try:
        base = None if base_url is None else check_base_url(base_url)
    except BadBaseURL as error:
        fail(f"--base-url: {error}")
    entries: list[Any] = []
    for source, root in _cards(paths):
        entries += _entries(source, root, checks, publisher, base)
    value = manifest(to, entries, host)
    catalog = Catalog.from_document(value, dialect=to, checks=checks)
    _check_unique(entries)
    for one in catalog.errors:
        fail(f"{one.pointer}: {one.message}")
    queries = sum(one.rule in ("ard/queries", "catalog/queries-count") for one in catalog.violations)
    if queries:
        emit_stderr(
            f"entries with fewer than two queries: {queries} of {len(entries)}; add examples to the skills of their"
            " cards\n"
        )
    body = json_text(value)
    emit_document(body) if output is None else write_output(output, body, "the catalogue")


@app.command("unpack", epilog=examples("cardwright catalog unpack ard.json --output cards/"))
@grouped
def unpack(
    path: options.PathOrUrl,
    *,
    output: Annotated[str, described("catalog unpack --output")],
    dialect: options.AnyDialectName = None,
    checks: options.Limited,
    allowed: options.Reachable,
) -> None:
    """Write each inline document of a catalogue to a file of its own, and list the URLs of all other entries.

    Existing files are not replaced.

    Exit status: 0 success, 2 the catalogue could not be read or a file not written.
    """
    from cardwright.card import Catalog
    from cardwright.cli.fetch_options import reach_of

    catalog: Catalog = read_document(Catalog, path, dialect, checks, reach=reach_of(allowed, [path]))
    folder = Path(output)
    names: set[str] = set()
    for entry in catalog.entries:
        if entry.data is None:
            emit_stderr(f"{legible(entry.name or entry.identifier)}: {legible(entry.url or 'no document')}\n")
            continue
        file = folder / _file_name(entry, names)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # Not through a link, even if it leads nowhere.
            with file.open("xb") as created:
                created.write(json_text(entry.data))
        except FileExistsError:
            fail(f"{legible(str(file))} exists already; choose another folder")
        except (OSError, ValueError) as error:
            fail(f"{legible(str(file))}: cannot be written: {reason_of(error)}")
        emit_stderr(f"{legible(entry.name or entry.identifier)}: {legible(str(file))}\n")


def _cards(paths: Sequence[str]) -> list[tuple[Source, str]]:
    """Return the files that arguments name, each with the folder that its URL is relative to."""
    found: list[tuple[Source, str]] = []
    for path in paths:
        root = path if os.path.isdir(path) else os.path.dirname(path)  # noqa: PTH112, PTH120 - a path as given
        found += [(source, root) for source in sources([path])]
    return found


def _entries(source: Source, root: str, checks: Checks, publisher: str, base: str | None) -> list[Any]:
    """Return the entry of a card, or those of a catalogue; none for another file that was found in a folder."""
    from cardwright.card import Card, Catalog, Document
    from cardwright.catalog_entries import CARD_TYPE, entry_of

    name = legible(source.name)
    try:
        document = Document.from_bytes(read(source, checks.limits), checks=checks, found_at=source.name)
    except (MalformedDocument, UnknownDialect) as error:
        if source.found and not source.has_card_name:
            return []
        fail(f"{name}: {error}")
    if not isinstance(document, (Card, Catalog)):
        if source.found and not source.has_card_name:
            return []
        fail(f"{name}: {document.dialect} is not an agent card")
    if not document.valid:
        first = document.errors[0]
        fail(f"{name}: {first.pointer or '(root)'}: {first.message}; cardwright check lists all errors")
    if isinstance(document, Catalog):
        return list(document.document["entries"])
    relative = os.path.relpath(source.name, root or ".").replace(os.sep, "/")
    return [
        entry_of(
            document,
            publisher=publisher,
            name=_SUFFIX.sub("", relative).strip("/").replace("/", "-"),
            url=None if base is None else f"{base}/{relative}",
            # Cards of Beach and of MCP sessions have no media type of their own.
            media_type=CARD_TYPE if document.dialect.family == "a2a" else "application/json",
        )
    ]


def _check_unique(entries: Sequence[Any]) -> None:
    seen: set[str] = set()
    for entry in entries:
        key = json.dumps([entry.get("identifier"), entry.get("version")])
        if key in seen:
            fail(
                f"two entries have the identifier {legible(str(entry.get('identifier')))}; rename one of the files"
            )
        seen.add(key)


def _file_name(entry: CatalogEntry, taken: set[str]) -> str:
    """Return a new file name for the document of an entry, from the last part of its identifier."""
    from cardwright.catalog_entries import CARD_TYPE

    stem = name_part(entry.identifier.rpartition(":")[2]).strip(".-")[:100] or "entry"
    kind = "card.json" if entry.type == CARD_TYPE else "json"
    name, number = f"{stem}.{kind}", 2
    while name in taken:
        name, number = f"{stem}-{number}.{kind}", number + 1
    taken.add(name)
    return name
