"""The routes of a card server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from cardwright.catalog_entries import ARD_PATH, CATALOGUE_PATH
from cardwright.serve.settings import BadSettings
from cardwright_models.a2a_facts import CARD_PATHS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.serve.settings import Settings

# A2A 0.3 §5.3 and 1.0 §8.2; the legacy path is of A2A 0.1 §5.3.
CARD_PATH, LEGACY_PATH = CARD_PATHS
ROBOTS_PATH: Final = "/robots.txt"
# The path of the extended card in each version (A2A 1.0 §11.3, 0.3 §3.5.3, 0.2.1 §9.1).
EXTENDED_PATHS: Final = {
    "/extendedAgentCard": "1.0",
    "/v1/card": "0.3",
    "/agent/authenticatedExtendedCard": "0.2",
}

Kind = Literal[
    "card", "legacy", "extended", "rpc", "ard", "catalogue", "index", "openapi", "playground", "robots"
]


@dataclass(frozen=True, slots=True)
class Route:
    """The target of a path.

    Attributes:
        kind: The kind of response.
        card_id: The id of the card; None if the query must name it.
        version: The A2A version of the response if the request names none.
        at_root: Whether the path is not below a card id, so that the query may name a card.
    """

    kind: Kind
    card_id: str | None = None
    version: str | None = None
    at_root: bool = False


def routes_of(ids: Iterable[str], root: str | None, settings: Settings) -> dict[str, Route]:
    """Return all routes by their paths.

    Args:
        ids: The ids of the cards; a single card has the id "" and no path of its own.
        root: The id of the card that is served at the root, if any.
        settings: The settings of the application.
    """
    routes: dict[str, Route] = {}
    for card_id in ids:
        if card_id:
            routes |= _routes_below(f"/{card_id}", card_id, settings)
    routes |= _routes_below("", root, settings)
    own: dict[str | None, Route] = {
        settings.openapi_path: Route("openapi"),
        settings.index_path: Route("index"),
        settings.playground_path: Route("playground"),
        ROBOTS_PATH if settings.robots else None: Route("robots"),
    }
    for path, route in {ARD_PATH: Route("ard"), CATALOGUE_PATH: Route("catalogue"), **own}.items():
        if path in routes:
            raise BadSettings(f"{path} is the path of a card: choose another path for the {route.kind}")
        if path:
            routes[path] = route
    return routes


def _routes_below(prefix: str, card_id: str | None, settings: Settings) -> dict[str, Route]:
    at_root = not prefix
    routes = {
        prefix + CARD_PATH: Route("card", card_id, at_root=at_root),
        prefix + LEGACY_PATH: Route("legacy", card_id, at_root=at_root),
    }
    if card_id is None:
        return routes
    for path, version in EXTENDED_PATHS.items():
        routes[prefix + path] = Route("extended", card_id, version, at_root)
    if settings.rpc_path:
        if prefix + settings.rpc_path in routes:
            raise BadSettings(f"{settings.rpc_path} is the path of a card: choose another rpc_path")
        routes[prefix + settings.rpc_path] = Route("rpc", card_id)
    return routes
