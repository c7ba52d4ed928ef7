"""HTML pages for people: one of a card, one of many cards, and one for what went wrong.

No page has a script, loads anything, or shows a character of a card that a reader could not see.
"""

from cardwright.page.card import card_page
from cardwright.page.facts import IndexEntry, Link, PageFacts
from cardwright.page.others import error_page, index_page
from cardwright.page.render import CONTENT_SECURITY_POLICY, FORM_SECURITY_POLICY

__all__ = [
    "CONTENT_SECURITY_POLICY",
    "FORM_SECURITY_POLICY",
    "IndexEntry",
    "Link",
    "PageFacts",
    "card_page",
    "error_page",
    "index_page",
]
