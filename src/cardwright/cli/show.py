"""`cardwright show`: a card, a description of an MCP server or a catalogue for people, in the terminal or as an HTML page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.cards import read_document
from cardwright.cli.fetch_options import reach_of
from cardwright.cli.option_groups import described
from cardwright.cli.outputs import write_output
from cardwright.cli.terminal import emit_bytes, fail, render

if TYPE_CHECKING:
    from cardwright.card import Document


EXAMPLES: Final = (
    "cardwright show agent-card.json",
    "cardwright show --html --output card.html https://agent.example.com",
)


def command(
    path: options.PathOrUrl,
    *,
    html: Annotated[bool, described("show --html")] = False,
    output: Annotated[str | None, described("show --output")] = None,
    keys: options.Keys = None,
    dialect: options.AnyDialectName = None,
    checks: options.Limited,
    allowed: options.Reachable,
) -> None:
    """Show the provider, interfaces, skills and security of a card, what describes an MCP server, or the entries of a catalogue.

    Exit status: 0 success, 1 the dialect is unknown, 2 the card could not be read or the page not written.
    """
    if not html and (output is not None or keys):
        fail(f"{'--keys' if output is None else '--output'} needs --html")
    reach = reach_of(allowed, [path])
    from cardwright.card import Document

    document = read_document(Document, path, dialect, checks, hint="", reach=reach, unknown=1)
    if html:
        page = _page(document, keys)
        emit_bytes(page) if output is None else write_output(output, page, "the page")
        return
    from cardwright.cli.reports.document_view import sheet

    render(*sheet(document))


def _page(document: Document, keys: list[str] | None) -> bytes:
    from cardwright.card import Card, Catalog, ServerCard
    from cardwright.page import PageFacts, card_page, catalog_page, server_page

    if isinstance(document, Catalog) and not keys:
        return catalog_page(document)
    if isinstance(document, ServerCard) and not keys:
        return server_page(document)
    if not isinstance(document, Card):
        fail("--keys verifies the signatures of agent cards, which this document is not")
    if not keys:
        return card_page(document)
    from cardwright.cli.keyfiles import trusted
    from cardwright.signing import verify

    return card_page(document, facts=PageFacts(signatures=verify(document, keys=trusted(keys))))
