"""The pages for a list of cards and for an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.outline.fields import prose, words
from cardwright.page.facts import Link
from cardwright.page.render import rendered

if TYPE_CHECKING:
    from collections.abc import Sequence

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
