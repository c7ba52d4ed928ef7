"""Snapshots: all rendered cards for every base URL, and the next snapshot after a change."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright.catalog_entries import AI_CATALOG, ARD, ARD_PATH, CATALOGUE_TYPE, manifest
from cardwright.errors import CardError
from cardwright.http.proxies import TrustedProxies
from cardwright.http.representation import Codings, coded, json_bytes
from cardwright.http.response import Response
from cardwright.serve.catalogue import Entry, catalogue_entry
from cardwright.serve.forms import VERSIONS
from cardwright.serve.openapi import openapi
from cardwright.serve.pages import index
from cardwright.serve.rendered_card import Published, base_of, published
from cardwright.serve.routes import Kind, Route, routes_of
from cardwright.serve.settings import BadSettings, Settings, by_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.card import Card
    from cardwright.serve.settings import Cards


@dataclass(frozen=True, slots=True)
class Publication:
    """Everything that is served for one base URL.

    Attributes:
        cards: The cards by their ids.
        routes: The routes by their paths.
        documents: The media type and the bytes of the catalog, the list of cards and the OpenAPI description.
    """

    cards: dict[str, Published]
    routes: dict[str, Route]
    documents: dict[Kind, tuple[str, Codings]]

    def hides(self, card_id: str | None) -> bool:
        """Return whether the existence of a card is hidden from the public: one of several, without a public view."""
        card = self.cards.get(card_id or "") if len(self.cards) > 1 else None
        return card is not None and card.rendered["public"] is None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that is served at one time; replaced as a whole.

    Attributes:
        sources: The cards that were rendered, by their ids.
        publications: By base URL from a trusted proxy; under None, for all other requests.
        refused: The error of each card whose previous version is still served, by its id.
        changed: The names of the new and changed cards, for messages.
        responses: Cache of responses by request key.
    """

    sources: dict[str, Card]
    publications: dict[str | None, Publication]
    refused: dict[str, CardError]
    changed: tuple[str, ...] = ()
    responses: dict[tuple[Any, ...], Response] = field(default_factory=dict[tuple[Any, ...], Response])


def publish(
    cards: Cards, settings: Settings, before: Snapshot | None = None, name_of: Callable[[str], str] = str
) -> Snapshot:
    """Render cards.

    An unchanged card is taken from the previous snapshot. If a changed card cannot be published, its previous version
    stays, and the other cards are published.

    Args:
        cards: One card, or several by their ids.
        settings: The settings of the application.
        before: The previous snapshot.
        name_of: Returns the name of a card for messages, by its id.

    Raises:
        CardError: As `published`, for a card without a previous version; or if the settings do not fit.
        OSError: If a signature cannot be stored.
    """
    cards_by_id = by_id(cards)
    root = _root(cards_by_id, settings)
    proxies = settings.base_url if isinstance(settings.base_url, TrustedProxies) else None
    bases: list[str | None] = [None, *(proxies.base_urls if proxies else ())]
    sources: dict[str, Card] = {}
    refused: dict[str, CardError] = {}
    changed: list[str] = []
    rendered: dict[str, dict[str | None, Published]] = {}
    for name, card in cards_by_id.items():
        old = before.sources.get(name) if before else None
        try:
            if isinstance(card, CardError):
                raise card
            if before is None or old is None or old.digest != card.digest or old.dialect != card.dialect:
                settings.views_of(name).check_places(old, card)
                rendered[name] = {base: published(name, card, settings, base) for base in bases}
                changed.append(name_of(name))
            sources[name] = card
        except CardError as error:
            _add_name(error, name_of(name))
            if before is None or old is None:
                raise
            refused[name] = error
            sources[name] = old
        if before is not None and name not in rendered:
            rendered[name] = {base: before.publications[base].cards[name] for base in bases}
    publications = {
        base: _publication({name: by_base[base] for name, by_base in rendered.items()}, root, settings, base)
        for base in bases
    }
    return Snapshot(sources, publications, refused, tuple(changed))


def _add_name(error: CardError, name: str) -> None:
    """Prefix an error's message with the name of the card, unless it has it."""
    message = str(error)
    if name and not message.startswith(f"{name}: "):
        error.args = (f"{name}: {message}",)


def _publication(
    cards: dict[str, Published], root: str | None, settings: Settings, base: str | None
) -> Publication:
    """Return the cards with their routes and the documents about the public ones."""
    entries = [
        Entry(name, "" if name == root and len(cards) == 1 else f"/{name}", view.forms)
        for name, card in cards.items()
        if (view := card.rendered["public"]) is not None
    ]
    listed = [catalogue_entry(entry, base_of(settings, base)) for entry in entries]
    documents: dict[Kind, tuple[str, Codings]] = {
        "ard": ("application/json", coded(json_bytes(manifest(ARD, listed)))),
        "catalogue": (CATALOGUE_TYPE, coded(json_bytes(manifest(AI_CATALOG, listed)))),
    }
    if settings.robots:
        # ARD 0.91 §5.1, Agentmap Directive; crawlers may read everything (RFC 9309).
        hint = f"User-agent: *\nAllow: /\n\nAgentmap: {base_of(settings, base)}{ARD_PATH}\n"
        documents["robots"] = ("text/plain; charset=utf-8", coded(hint.encode()))
    if settings.openapi_path:
        public = [card for card in cards.values() if card.rendered["public"] is not None]
        description = openapi(
            settings,
            ids=[entry.card_id for entry in entries if entry.card_id],
            root=root is not None,
            versions=[version for version in VERSIONS if any(card.offers(version) for card in public)],
            extended=settings.authenticate is not None and any(card.extended for card in public),
        )
        documents["openapi"] = ("application/json", coded(json_bytes(description)))
    if settings.index_path:
        documents["index"] = (
            "text/html; charset=utf-8",
            coded(index(entries, settings.index_path, settings.playground_path)),
        )
    return Publication(cards, routes_of(cards, root, settings), documents)


def _root(cards: dict[str, Card | CardError], settings: Settings) -> str | None:
    if settings.root is not None and settings.root not in cards:
        raise BadSettings(f"root: unknown card id {settings.root!r}")
    return next(iter(cards)) if len(cards) == 1 else settings.root
