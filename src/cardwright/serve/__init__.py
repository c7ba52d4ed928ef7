"""Serving cards at their well-known URLs, in all forms, views and media types, rendered before the first request."""

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
from cardwright.serve.forms import BadForms, supported_versions
from cardwright.serve.middleware import AgentCardMiddleware
from cardwright.serve.sensitive import Finding, SensitiveCard, sensitive
from cardwright.serve.settings import BadSettings, Provider, Settings, now_in_utc
from cardwright.serve.signatures import SignatureFolder, SignatureKey, SignatureStore, Signing
from cardwright.serve.views import AUDIENCES, Audience, BadViews, Views

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from cardwright.serve.forms import Default

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
    "supported_versions",
    "well_known_agent_card",
]


def well_known_agent_card(  # noqa: PLR0913 - one parameter per setting, each with a default
    source: Card | Mapping[str, Card] | Provider,
    *,
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
    playground_path: str | None = None,
    robots: bool = False,
    local_hosts: Sequence[str] | None = None,
    checks: Checks = DEFAULT_CHECKS,
    watch_seconds: float = 1.0,
    clock: Callable[[], datetime] = now_in_utc,
) -> AgentCardApplication:
    """Return an ASGI application that serves one or several cards at their well-known URLs.

    The URLs are `/.well-known/agent-card.json`, the older `agent.json`, and `/.well-known/ai-catalog.json`. If there
    are several cards, each is served below `/ID`, and at the root with `?id=ID`. Web pages of any origin may read a card
    (CORS), unless it names internal hosts: then only those of `local_hosts` may. Mount the application at `/`, or use
    `AgentCardMiddleware`. All responses are rendered by this call, not when a request comes, except those in the form of
    1.0 for a card without an interface of 1.0: they are rendered at the first request.

    Args:
        source: A card; several cards by their ids; or a callable that returns either, such as `CardFiles`.
        default: What to serve to a client that requests no version, or one that the card cannot be written in: `hybrid`, `as-written` or a version; see
            `serve.forms`.
        max_age_seconds: How long caches may keep a card without asking again; 0 for `no-cache`.
        base_url: The public URL that replaces the origin of the endpoints, or the proxies that send it with each
            request.
        views: Which audience sees which fields; for several cards, by their ids.
        authenticate: A function from the ASGI scope to the caller: `ApiKeys`, `JwtBearer`, or your own.
        signing: The key that signs every view and form.
        publish_sensitive: `"hosts"` to publish internal hosts, `"all"` to publish credentials, too.
        root: Of several cards, the id of the one to serve also at the root.
        rpc_path: The path for JSON-RPC requests for the extended card, such as `/rpc`. Default: none.
        index_path: The path of the page that lists all cards, such as `/`. Default: none.
        openapi_path: The path of the OpenAPI description, such as `/openapi.json`. Default: none.
        playground_path: The path of the page on which visitors check cards that they paste, such as `/playground`. Default:
            none.
        robots: Whether to serve `/robots.txt` with the hint `Agentmap`, the URL of the catalogue; needs `base_url`.
        local_hosts: For a server that only this machine can reach: the names that Host may have, beside those of
            loopback and of `base_url`. They keep web pages from reading the cards by DNS rebinding. Default: any.
        checks: The registries and rule sets to validate forms and views with.
        watch_seconds: How often to call `changed()` of a provider that has it.
        clock: Returns the current time, with its zone.

    >>> from cardwright import build_a2a_card
    >>> tides = {"id": "tides", "name": "Tides", "description": "Tells tides.", "tags": ["sea"]}
    >>> about = {"name": "Tides", "description": "Tells the tides.", "version": "1.0.0"}
    >>> app = well_known_agent_card(build_a2a_card(**about, url="https://tides.example.com", skills=[tides]))
    >>> sorted(app.publication.routes)[:2]
    ['/.well-known/agent-card.json', '/.well-known/agent.json']

    Raises:
        InvalidCard: If a card has errors.
        SensitiveCard: If the public view contains credentials or internal hosts (A2A 0.1 §5.4).
        BadViews, BadForms, BadSettings, BadBaseURL, UnsignableCard, BadKey: If a setting does not fit the card.
    """
    settings = {name: value for name, value in locals().items() if name != "source"}
    return AgentCardApplication(_provider(source), Settings(**settings))


def _provider(source: Card | Mapping[str, Card] | Provider) -> Provider:
    if callable(source):
        return source
    if isinstance(source, (str, PurePath)):
        raise BadSettings("expected a card, found a path: use CardFiles(path) or Card.from_bytes(...)")
    if not isinstance(source, (Card, Mapping)):
        raise BadSettings(
            "expected a Card, a mapping from ids to cards, or a callable that returns one of these"
        )
    return lambda: source
