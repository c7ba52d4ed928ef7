"""The page of a description of an MCP server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.outline.server import server_outline
from cardwright.page.findings import findings_view
from cardwright.page.render import rendered
from cardwright.page.source import pretty

if TYPE_CHECKING:
    from cardwright.card import ServerCard


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
