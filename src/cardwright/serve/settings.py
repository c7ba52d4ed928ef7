"""The settings of a card server."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Literal

from cardwright.card import Card
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.errors import CardError
from cardwright.http.loopback import host_of
from cardwright.http.proxies import TrustedProxies
from cardwright.rewrite import check_base_url
from cardwright.serve.views import Views

if TYPE_CHECKING:
    from cardwright.page import Home, Link
    from cardwright.serve.authentication import Authenticate
    from cardwright.serve.forms import Default
    from cardwright.serve.signatures import Signing

# One card, or several by their ids; an error replaces a card that cannot be read, so that the others are served.
Cards = Card | Mapping[str, Card | CardError]
# Called at the start and by `reload`.
Provider = Callable[[], Cards]

# A card id in a path, also used for the gateway's agents (project decision).
CARD_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_PATH: Final = re.compile(r"/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]+/?)*")


class BadSettings(CardError):
    """The settings contradict each other or a card; the message says what to change."""


def now_in_utc() -> datetime:
    """Return the current time."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of `well_known_agent_card`, which documents them."""

    default: Default | None = None
    max_age_seconds: int = 3600
    base_url: str | TrustedProxies | None = None
    views: Views | Mapping[str, Views] | None = None
    authenticate: Authenticate | None = None
    signing: Signing | None = None
    publish_sensitive: Literal["hosts", "all"] | None = None
    root: str | None = None
    rpc_path: str | None = None
    index_path: str | None = None
    openapi_path: str | None = None
    playground_path: str | None = None
    robots: bool = False
    local_hosts: Sequence[str] | None = None
    checks: Checks = DEFAULT_CHECKS
    watch_seconds: float = 1.0
    # For gateways, which serve cards of others, and pages of their own.
    accept_errors: bool = False
    home: Home | None = None
    page_actions: tuple[Link, ...] = ()
    page_base: str | None = None
    clock: Callable[[], datetime] = now_in_utc

    def __post_init__(self) -> None:
        if self.authenticate is not None and not callable(self.authenticate):
            raise BadSettings("authenticate must be a callable, such as ApiKeys or JwtBearer")
        if isinstance(self.base_url, str):
            check_base_url(self.base_url)
        if self.publish_sensitive not in (None, "hosts", "all"):
            raise BadSettings('publish_sensitive must be "hosts", "all" or None')
        if self.robots and not isinstance(self.base_url, str):
            raise BadSettings("robots needs a fixed base_url: a hint is the full URL of the catalogue")
        if self.max_age_seconds < 0:
            raise BadSettings("max_age_seconds must be 0 or more")
        if isinstance(self.base_url, TrustedProxies) and self.signing:
            raise BadSettings(
                "signing needs a fixed base_url: with a URL from a request, a caller could choose what is signed; set"
                " base_url to the public URL"
            )
        for name in ("rpc_path", "index_path", "openapi_path", "playground_path"):
            path = getattr(self, name)
            if path is not None and not _PATH.fullmatch(path):
                raise BadSettings(f"{name} must be a path that begins with a slash, such as /rpc")
        if self.authenticate is None and any(self.views_of(name) for name in self._view_ids()):
            raise BadSettings("views need authenticate, which identifies the callers")

    def _view_ids(self) -> list[str]:
        return list(self.views) if isinstance(self.views, Mapping) else [""]

    def views_of(self, card_id: str) -> Views:
        """Return the views of one card."""
        if isinstance(self.views, Mapping):
            return self.views.get(card_id, Views())
        return self.views or Views()

    @property
    def host_names(self) -> frozenset[str] | None:
        """The names that Host may have beside those of loopback, in lower case; None if any host may be named."""
        if self.local_hosts is None:
            return None
        own = host_of(self.base_url) if isinstance(self.base_url, str) else None
        return frozenset(name.lower() for name in (*self.local_hosts, own or "localhost"))

    @property
    def vary(self) -> tuple[str, ...]:
        """The header fields that authentication depends on."""
        fields = getattr(self.authenticate, "vary", ("Authorization",))
        return tuple(fields) if self.authenticate else ()

    @property
    def challenge(self) -> str:
        """The value of WWW-Authenticate (RFC 9110 §11.6.1)."""
        return str(getattr(self.authenticate, "challenge", "Bearer"))


def by_id(cards: Cards) -> dict[str, Card | CardError]:
    """Return cards by their ids; a single card has the id "".

    Raises:
        BadSettings: If there is no card, or an id is invalid.
    """
    if isinstance(cards, Card):
        return {"": cards}
    cards_by_id: dict[str, Card | CardError] = dict(cards)
    if not cards_by_id:
        raise BadSettings("expected at least one card")
    for name, card in cards_by_id.items():
        if not CARD_ID.fullmatch(name):
            raise BadSettings(f"invalid card id {name!r}: an id must match {CARD_ID.pattern}")
        if not isinstance(card, (Card, CardError)):
            raise BadSettings(
                f"{name!r}: expected a Card, found {type(card).__name__}; read it with Card.from_bytes"
            )
    return cards_by_id
