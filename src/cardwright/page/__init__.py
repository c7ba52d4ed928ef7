"""HTML pages for people: of one card, of a list of cards, of an MCP server, of a catalogue, and of an error.

The pages have no external resources, and one script, which copies texts and filters a list; all else works without it.
Invisible characters of a card are shown as escapes.
"""

from cardwright.page.card import card_page
from cardwright.page.facts import Home, IndexEntry, Link, PageFacts
from cardwright.page.others import catalog_page, error_page, index_page, server_page
from cardwright.page.render import CONTENT_SECURITY_POLICY

__all__ = [
    "CONTENT_SECURITY_POLICY",
    "Home",
    "IndexEntry",
    "Link",
    "PageFacts",
    "card_page",
    "catalog_page",
    "error_page",
    "index_page",
    "server_page",
]
