"""The pages for people, filled with what only the publisher knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.page import IndexEntry, Link, PageFacts, card_page, error_page, index_page
from cardwright.signing import verify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.card import Card
    from cardwright.serve.catalogue import Entry
    from cardwright.serve.forms import Forms
    from cardwright.serve.problems import Problem
    from cardwright.serve.settings import Settings

_CARD: Final = "agent-card.json"


def page(card: Card, form: str, forms: Forms, view: str | None, settings: Settings) -> bytes:
    """Return the page of one form of a card, with links to all forms beside it."""
    links = [Link(_label(forms.default.name), _CARD)]
    links += [Link(_label(version), f"{_CARD}?A2A-Version={version}") for version in forms.by_version]
    signed = settings.signing and "signatures" in card.document
    verdict = verify(card, settings.signing.public()) if settings.signing and signed else None
    facts = PageFacts(
        forms=tuple(links),
        signatures=verdict,
        view=view,
        served_version=_label(form),
        index_href=settings.index_path,
    )
    return card_page(card, facts=facts)


def index(entries: Sequence[Entry]) -> bytes:
    """Return the page that lists all cards which everyone may see."""
    return index_page(
        [IndexEntry.of(entry.forms.default.card, f"{entry.prefix}/.well-known/{_CARD}") for entry in entries]
    )


def problem_page(problem: Problem) -> bytes:
    """Return the page that says why there is no card."""
    return error_page(problem.condition.status, problem.title, problem.message)


def _label(form: str) -> str:
    if form == "as-written":
        return "as it was written"
    return "A2A hybrid" if form == "hybrid" else f"A2A {form}"
