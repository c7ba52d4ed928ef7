"""How cards are published: what the application says once, beside the cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Literal

from cardwright.card import Card
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.errors import CardError
from cardwright.http.proxies import TrustedProxies
from cardwright.rewrite import check_base_url
from cardwright.serve.views import Views

if TYPE_CHECKING:
    from cardwright.serve.authentication import Authenticate
    from cardwright.serve.forms import Default, Version
    from cardwright.serve.signatures import Signing

# One card; or several by their ids, each perhaps why it cannot be read, so that the others go on.
Cards = Card | Mapping[str, Card | CardError]
# Called at the start, and again by `reload`.
Provider = Callable[[], Cards]

# What may name a card in a path; the gateway's agents have the same (ours).
CARD_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_PATH: Final = re.compile(r"/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]+/?)*")


class BadSettings(CardError):
    """The settings contradict each other or a card: the message says which to change."""


def now_in_utc() -> datetime:
    """Return the time of this machine."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of `well_known_agent_card`, which documents them."""

    versions: Sequence[Version] | None = None
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
    checks: Checks = DEFAULT_CHECKS
    watch_seconds: float = 1.0
    # For gateways, which serve cards that are not theirs to mend, below pages that are not here.
    accept_errors: bool = False
    index_href: str | None = None
    clock: Callable[[], datetime] = now_in_utc

    def __post_init__(self) -> None:
        if self.authenticate is not None and not callable(self.authenticate):
            raise BadSettings("authenticate is a callable, such as ApiKeys or JwtBearer")
        if isinstance(self.base_url, str):
            check_base_url(self.base_url)
        if self.publish_sensitive not in (None, "hosts", "all"):
            raise BadSettings('publish_sensitive is "hosts", "all" or None')
        if self.max_age_seconds < 0:
            raise BadSettings("max_age_seconds is 0 or more")
        if isinstance(self.base_url, TrustedProxies) and self.signing:
            raise BadSettings(
                "a signed card takes no URL from a request, or whoever asks would choose what is signed:"
                " set base_url to the public URL"
            )
        for name in ("rpc_path", "index_path", "openapi_path"):
            path = getattr(self, name)
            if path is not None and not _PATH.fullmatch(path):
                raise BadSettings(f"{name} is a path such as /rpc, a slash first")
        if self.authenticate is None and any(self.views_of(name) for name in self._named()):
            raise BadSettings(
                "views show some callers more than others: pass authenticate, which tells who they are"
            )

    def _named(self) -> list[str]:
        return list(self.views) if isinstance(self.views, Mapping) else [""]

    def views_of(self, card_id: str) -> Views:
        """Return the views of one card."""
        if isinstance(self.views, Mapping):
            return self.views.get(card_id, Views())
        return self.views or Views()

    @property
    def vary(self) -> tuple[str, ...]:
        """The header fields that tell who is asking."""
        told = getattr(self.authenticate, "vary", ("Authorization",))
        return tuple(told) if self.authenticate else ()

    @property
    def challenge(self) -> str:
        """What WWW-Authenticate says (RFC 9110 §11.6.1)."""
        return str(getattr(self.authenticate, "challenge", "Bearer"))


def by_id(cards: Cards) -> dict[str, Card | CardError]:
    """Return cards by their ids; one card alone has the id "".

    Raises:
        BadSettings: If there is none, or an id cannot stand in a path.
    """
    if isinstance(cards, Card):
        return {"": cards}
    named: dict[str, Card | CardError] = dict(cards)
    if not named:
        raise BadSettings("there is no card to publish")
    for name, card in named.items():
        if not CARD_ID.fullmatch(name):
            raise BadSettings(f"{name!r} is no id for a card: it matches {CARD_ID.pattern}")
        if not isinstance(card, (Card, CardError)):
            raise BadSettings(f"{name!r} is no Card: read it with Card.from_bytes")
    return named
