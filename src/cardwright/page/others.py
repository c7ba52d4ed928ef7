"""The pages for a list of cards, a catalogue, a description of an MCP server and an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.outline.catalog import catalog_outline
from cardwright.outline.fields import prose, words
from cardwright.outline.server import server_outline
from cardwright.page.facts import Link
from cardwright.page.findings import findings_view
from cardwright.page.render import rendered
from cardwright.page.source import pretty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.card import Catalog, ServerCard
    from cardwright.page.facts import IndexEntry


def index_page(
    entries: Sequence[IndexEntry],
    *,
    title: str = "Agents",
    catalogue_href: str = "/.well-known/ai-catalog.json",
    links: Sequence[Link] = (),
) -> bytes:
    """Return the page that lists cards in the given order, with a link to the catalog for programs, and further links."""
    return rendered(
        "index.html.jinja",
        title=words(title),
        links=[
            Link("This list for programs: ai-catalog.json", words(catalogue_href)),
            *(link.printable() for link in links),
        ],
        entries=[entry.printable() for entry in entries],
    )


def error_page(status: int, title: str, message: str, links: Sequence[Link] = ()) -> bytes:
    """Return the page for an error response, with links to continue."""
    return rendered(
        "error.html.jinja",
        status=status,
        title=words(title),
        message=prose(message),
        links=[link.printable() for link in links],
    )


def catalog_page(catalog: Catalog) -> bytes:
    """Return the page of a catalogue, valid or not, as UTF-8 HTML; `card_page` has the page of a card.

    It has no external resources, and one script of this package; send it with `CONTENT_SECURITY_POLICY`. Equal
    catalogues give equal bytes.
    """
    outline = catalog_outline(catalog)
    return rendered(
        "catalog.html.jinja",
        thing="catalogue",
        outline=outline,
        entries=[(entry, pretty(entry.data) if entry.data is not None else "") for entry in outline.entries],
        dialect=str(catalog.dialect),
        digest=catalog.digest,
        findings=findings_view(catalog.violations),
        source=pretty(catalog.document),
    )


def server_page(server: ServerCard) -> bytes:
    """Return the page of a description of an MCP server, valid or not, as UTF-8 HTML.

    It has no external resources, and one script of this package; send it with `CONTENT_SECURITY_POLICY`. Equal
    documents give equal bytes.
    """
    return rendered(
        "server.html.jinja",
        thing="description",
        outline=server_outline(server),
        dialect=str(server.dialect),
        digest=server.digest,
        findings=findings_view(server.violations),
        source=pretty(server.document),
    )
