"""HTML pages for people: one of a card, one of many cards, and one for what went wrong.

No page has a script, loads anything, or shows a character of a card that a reader could not see.
"""

from cardwright.page.card import card_page
from cardwright.page.facts import IndexEntry, Link, PageFacts
from cardwright.page.gateway import AgentRow, Done, ReportFacts, catalogue_page, report_page
from cardwright.page.others import error_page, index_page
from cardwright.page.render import CONTENT_SECURITY_POLICY, FORM_SECURITY_POLICY

__all__ = [
    "CONTENT_SECURITY_POLICY",
    "FORM_SECURITY_POLICY",
    "AgentRow",
    "Done",
    "IndexEntry",
    "Link",
    "PageFacts",
    "ReportFacts",
    "card_page",
    "catalogue_page",
    "error_page",
    "index_page",
    "report_page",
]
