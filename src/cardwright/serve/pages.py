"""HTML pages of served cards, with the links and facts of the publisher."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.catalog_entries import CATALOGUE_PATH
from cardwright.page import Home, IndexEntry, Link, PageFacts, card_page, error_page, index_page
from cardwright.rewrite import seen_from
from cardwright.serve.routes import CARD_PATH
from cardwright.signing import verify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.card import Card
    from cardwright.http.problem import Problem
    from cardwright.serve.catalogue import Entry
    from cardwright.serve.forms import Forms
    from cardwright.serve.settings import Settings

_CARD: Final = "agent-card.json"


def page(card: Card, form: str, forms: Forms, view: str | None, prefix: str, settings: Settings) -> bytes:
    """Return the page of one form of a card, with links to its other forms.

    Args:
        card: The card in this form.
        form: The name of the form.
        forms: All forms of the card.
        view: The audience of this view, if views differ.
        prefix: The path below which the card is served.
        settings: The settings of the application.
    """
    here = _query(form, forms)
    others = {name: _query(name, forms) for name in (forms.default.name, *forms.by_version) if name != form}
    links = [Link("JSON", _with(here, "format=json")), Link("YAML", _with(here, "format=yaml"))]
    links += [Link(_label(name), _with(query)) for name, query in others.items()]
    signed = settings.signing and "signatures" in card.document
    base = settings.base_url if isinstance(settings.base_url, str) else None
    list_href = relative(prefix + CARD_PATH, settings.index_path) if settings.index_path else None
    facts = PageFacts(
        url=f"{base}{prefix}{CARD_PATH}" if base else None,
        forms=tuple(links),
        signatures=verify(card, keys=settings.signing.public()) if settings.signing and signed else None,
        own_key=True,
        view=view,
        served_version=_label(form),
        home=settings.home or (Home(list_href) if list_href else None),
        actions=settings.page_actions,
    )
    return card_page(seen_from(card, settings.page_base or base or ""), facts=facts)


def index(entries: Sequence[Entry], index_path: str, playground_path: str | None = None) -> bytes:
    """Return the page that lists all public cards, with a link to the playground; its links are relative."""
    listed = [
        IndexEntry.of(entry.forms.default.card, relative(index_path, entry.prefix + CARD_PATH))
        for entry in entries
    ]
    links = [Link("Playground", relative(index_path, playground_path))] if playground_path else []
    return index_page(listed, catalogue_href=relative(index_path, CATALOGUE_PATH), links=links)


def problem_page(problem: Problem) -> bytes:
    """Return the page for an error."""
    message = problem.message[:1].upper() + problem.message[1:]
    return error_page(problem.error_code.status, problem.title, message)


def _query(form: str, forms: Forms) -> str:
    """Return the query that requests a form; "" for the default."""
    return (
        f"A2A-Version={form}" if form in forms.by_version or form == getattr(forms.newer, "name", "") else ""
    )


def _with(*queries: str) -> str:
    query = "&".join(filter(None, queries))
    return f"{_CARD}?{query}" if query else _CARD


def relative(path: str, to: str) -> str:
    """Return the relative URL from one path to another."""
    start = path.rpartition("/")[0].split("/")[1:]
    end = to.split("/")[1:]
    shared = 0
    while shared < min(len(start), len(end) - 1) and start[shared] == end[shared]:
        shared += 1
    return "/".join([".."] * (len(start) - shared) + end[shared:]) or "."


def _label(form: str) -> str:
    if form == "as-written":
        return "as written"
    return "A2A hybrid" if form == "hybrid" else f"A2A {form}"
