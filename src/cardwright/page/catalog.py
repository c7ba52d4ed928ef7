"""The page of a catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.outline.catalog import catalog_outline
from cardwright.page.findings import findings_view
from cardwright.page.render import rendered
from cardwright.page.source import pretty

if TYPE_CHECKING:
    from cardwright.card import Catalog


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
