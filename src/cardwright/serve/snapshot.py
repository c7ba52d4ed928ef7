"""All cards made ready, under every base URL; and what stays of them when some are exchanged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright.errors import CardError
from cardwright.http.proxies import TrustedProxies
from cardwright.http.representation import Codings, coded, json_bytes
from cardwright.http.response import Response
from cardwright.serve.catalogue import CATALOGUE_TYPE, Entry, catalogue
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
    """All that is served under one base URL.

    Attributes:
        cards: By their ids.
        routes: By their paths.
        documents: Media type and bytes of what is about all cards.
    """

    cards: dict[str, Published]
    routes: dict[str, Route]
    documents: dict[Kind, tuple[str, Codings]]

    def hides(self, card_id: str | None) -> bool:
        """Whether the public must not learn that there is a card: one of several that it sees nothing of."""
        shown = self.cards.get(card_id or "") if len(self.cards) > 1 else None
        return shown is not None and shown.editions["public"] is None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that is served at a time; exchanged as one.

    Attributes:
        sources: The cards that it was made of, by their ids.
        places: By the base URL that a trusted proxy tells; under None, what everyone else gets.
        refused: Why a card is served as it was before, by its id.
        anew: What is not as it was before, as messages call it.
        known: Answers that were given, by all that they depend on.
    """

    sources: dict[str, Card]
    places: dict[str | None, Publication]
    refused: dict[str, CardError]
    anew: tuple[str, ...] = ()
    known: dict[tuple[Any, ...], Response] = field(default_factory=dict[tuple[Any, ...], Response])


def publish(
    cards: Cards,
    settings: Settings,
    before: Snapshot | None = None,
    called: Callable[[str], str] = str,
) -> Snapshot:
    """Make cards ready to be served.

    A card that is as it was is taken from before. One that cannot be published stays as it was before,
    and the others are published all the same.

    Args:
        cards: One card, or several by their ids.
        settings: What the application says.
        before: What is served until now.
        called: What a card is called in a message, by its id.

    Raises:
        CardError: As `published`, of a card that was not there before; or if the settings do not fit.
        OSError: If a signature cannot be kept.
    """
    named = by_id(cards)
    root = _root(named, settings)
    proxies = settings.base_url if isinstance(settings.base_url, TrustedProxies) else None
    bases: list[str | None] = [None, *(proxies.base_urls if proxies else ())]
    sources: dict[str, Card] = {}
    refused: dict[str, CardError] = {}
    anew: list[str] = []
    made: dict[str, dict[str | None, Published]] = {}
    for name, card in named.items():
        old = before.sources.get(name) if before else None
        try:
            if isinstance(card, CardError):
                raise card
            if before is None or old is None or old.digest != card.digest or old.dialect != card.dialect:
                settings.views_of(name).check_places(old, card)
                made[name] = {base: published(name, card, settings, base) for base in bases}
                anew.append(called(name))
            sources[name] = card
        except CardError as error:
            _name(error, called(name))
            if before is None or old is None:
                raise
            refused[name] = error
            sources[name] = old
        if before is not None and name not in made:
            made[name] = {base: before.places[base].cards[name] for base in bases}
    places = {
        base: _together({name: one[base] for name, one in made.items()}, root, settings, base)
        for base in bases
    }
    return Snapshot(sources, places, refused, tuple(anew))


def _name(error: CardError, name: str) -> None:
    """Have an error say of which card it is, unless it does."""
    told = str(error)
    if name and not told.startswith(f"{name}: "):
        error.args = (f"{name}: {told}",)


def _together(
    made: dict[str, Published], root: str | None, settings: Settings, base: str | None
) -> Publication:
    """Return the cards with what is about all of them: of those alone that everyone may see."""
    entries = [
        Entry(name, "" if name == root and len(made) == 1 else f"/{name}", shown.forms)
        for name, one in made.items()
        if (shown := one.editions["public"]) is not None
    ]
    documents: dict[Kind, tuple[str, Codings]] = {
        "catalogue": (CATALOGUE_TYPE, coded(json_bytes(catalogue(entries, base_of(settings, base)))))
    }
    if settings.openapi_path:
        seen = [one for one in made.values() if one.editions["public"] is not None]
        described = openapi(
            settings,
            ids=[entry.card_id for entry in entries if entry.card_id],
            root=root is not None,
            versions=[version for version in VERSIONS if any(one.offers(version) for one in seen)],
            extended=settings.authenticate is not None and any(one.extended for one in seen),
        )
        documents["openapi"] = ("application/json", coded(json_bytes(described)))
    if settings.index_path:
        documents["index"] = ("text/html; charset=utf-8", coded(index(entries, settings.index_path)))
    return Publication(made, routes_of(made, root, settings), documents)


def _root(named: dict[str, Card | CardError], settings: Settings) -> str | None:
    if settings.root is not None and settings.root not in named:
        raise BadSettings(f"root names the card {settings.root!r}, and there is none of that id")
    return next(iter(named)) if len(named) == 1 else settings.root
