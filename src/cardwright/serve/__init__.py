"""Publish cards: at their well-known places, in every form, view and media type, made ready ahead of the request."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from cardwright.card import Card
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.http.proxies import TrustedProxies
from cardwright.rewrite import BadBaseURL
from cardwright.serve.application import AgentCardApplication
from cardwright.serve.authentication import AnyOf, ApiKeys, Authenticate, BadCredentials, Caller, JwtBearer
from cardwright.serve.files import CardFiles, UnreadableCard
from cardwright.serve.forms import BadForms, spoken
from cardwright.serve.middleware import AgentCardMiddleware
from cardwright.serve.sensitive import Finding, SensitiveCard, sensitive
from cardwright.serve.settings import BadSettings, Provider, Settings, now_in_utc
from cardwright.serve.signatures import SignatureFolder, SignatureKey, SignatureStore, Signing
from cardwright.serve.views import AUDIENCES, Audience, BadViews, Views

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from cardwright.serve.forms import Default, Version

__all__ = [
    "AUDIENCES",
    "AgentCardApplication",
    "AgentCardMiddleware",
    "AnyOf",
    "ApiKeys",
    "Audience",
    "Authenticate",
    "BadBaseURL",
    "BadCredentials",
    "BadForms",
    "BadSettings",
    "BadViews",
    "Caller",
    "CardFiles",
    "Finding",
    "JwtBearer",
    "Provider",
    "SensitiveCard",
    "SignatureFolder",
    "SignatureKey",
    "SignatureStore",
    "Signing",
    "TrustedProxies",
    "UnreadableCard",
    "Views",
    "sensitive",
    "spoken",
    "well_known_agent_card",
]


def well_known_agent_card(  # noqa: PLR0913 - an argument a setting, each with a default
    source: Card | Mapping[str, Card] | Provider,
    *,
    versions: Sequence[Version] | None = None,
    default: Default | None = None,
    max_age_seconds: int = 3600,
    base_url: str | TrustedProxies | None = None,
    views: Views | Mapping[str, Views] | None = None,
    authenticate: Authenticate | None = None,
    signing: Signing | None = None,
    publish_sensitive: Literal["hosts", "all"] | None = None,
    root: str | None = None,
    rpc_path: str | None = None,
    index_path: str | None = None,
    openapi_path: str | None = None,
    checks: Checks = DEFAULT_CHECKS,
    watch_seconds: float = 1.0,
    clock: Callable[[], datetime] = now_in_utc,
) -> AgentCardApplication:
    """Return an ASGI application that serves a card, or several, at their well-known places.

    `/.well-known/agent-card.json`, the older `agent.json`, and `/.well-known/ai-catalog.json`; of several cards each
    below `/ID` and at the root by `?id=ID`. Mount it at `/`, or use `AgentCardMiddleware`. All bytes are rendered here,
    none when a request comes.

    Args:
        source: A card; several by their ids; or a callable that returns either, such as `CardFiles`.
        versions: The versions of A2A that are offered; those of the card's interfaces where not given.
        default: What is served where no version is named: `hybrid`, `as-written` or a version; see `serve.forms`.
        max_age_seconds: How long caches may keep a card.
        base_url: The public URL that replaces the origin of the endpoints, or the proxies that tell it in each request.
        views: Who sees what; of several cards, by their ids.
        authenticate: From the ASGI scope to the caller; `ApiKeys`, `JwtBearer`, or your own.
        signing: The key that every view and form is signed with.
        publish_sensitive: `"hosts"` to publish internal hosts openly, `"all"` for credentials, too.
        root: Of several cards, the id of the one that is also served at the root.
        rpc_path: Where JSON-RPC requests for the extended card are answered, such as `/rpc`; nowhere by default.
        index_path: Where a page lists all cards, such as `/`; nowhere by default.
        openapi_path: Where the OpenAPI description is, such as `/openapi.json`; nowhere by default.
        checks: The registries and rule sets to validate forms and views with.
        watch_seconds: How often a provider that has `changed()` is asked.
        clock: The time, with its zone.

    >>> from cardwright import build_a2a_card
    >>> tides = {"id": "tides", "name": "Tides", "description": "Tells tides.", "tags": ["sea"]}
    >>> about = {"name": "Tides", "description": "Tells the tides.", "version": "1.0.0"}
    >>> app = well_known_agent_card(build_a2a_card(**about, url="https://tides.example.com", skills=[tides]))
    >>> sorted(app.publication.routes)[:2]
    ['/.well-known/agent-card.json', '/.well-known/agent.json']

    Raises:
        InvalidCard: If a card has errors.
        SensitiveCard: If it tells everyone what it should not (A2A 0.1 §5.4).
        BadViews, BadForms, BadSettings, BadBaseURL, UnsignableCard, BadKey: If a setting does not fit it.
    """
    given = {name: value for name, value in locals().items() if name != "source"}
    return AgentCardApplication(_provider(source), Settings(**given))


def _provider(source: Card | Mapping[str, Card] | Provider) -> Provider:
    if callable(source):
        return source
    if isinstance(source, (str, PurePath)):
        raise BadSettings("a path is no card: give CardFiles(path), or what Card.from_bytes read")
    if not isinstance(source, (Card, Mapping)):
        raise BadSettings("give a Card, several of them by their ids, or a callable that returns them")
    return lambda: source
