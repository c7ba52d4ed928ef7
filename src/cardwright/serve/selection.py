"""Selecting the rendered response for a request."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cardwright.catalog_entries import ARD_PATH, CATALOGUE_PATH, links_to
from cardwright.http.negotiation import HTML, MEDIA_TYPES, codings, media_type, stated_version, version
from cardwright.http.problem import BAD_QUERY, CARD_NOT_FOUND, HttpError, Problem, refuse
from cardwright.http.proxies import TrustedProxies
from cardwright.http.representation import json_bytes
from cardwright.http.request import FORMAT_PARAMETER, ID_PARAMETER, MAX_FIELD_BYTES, VERSION_FIELD
from cardwright.http.response import Caching, Header, Response, conditional, content_answer, refusal
from cardwright.page import CONTENT_SECURITY_POLICY
from cardwright.serve.pages import problem_page, relative
from cardwright.serve.routes import Route

if TYPE_CHECKING:
    from datetime import datetime

    from cardwright.http.representation import Codings, Content
    from cardwright.http.request import Request, Scope
    from cardwright.serve.forms import Form
    from cardwright.serve.rendered_card import RenderedCard
    from cardwright.serve.settings import Settings
    from cardwright.serve.snapshot import Publication

NO_SUCH_CARD: Final = "unknown card id"
PRIVATE: Final = "private, no-store"
# The fields of a request that a document depends on; a card also depends on its version.
NEGOTIATED: Final = ("Accept", "Accept-Encoding")
_NEGOTIATED: Final = (*NEGOTIATED, "A2A-Version")
# A page has no scripts and no external resources, and its links send no referrer.
_PAGE: Final[tuple[Header, ...]] = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"referrer-policy", b"no-referrer"),
)


def chosen(publication: Publication, route: Route, request: Request) -> str:
    """Return the id of the requested card, from the path or, at the root, from the parameter `id`.

    Raises:
        HttpError: If there is no such card.
    """
    parameter = request.parameters.get(ID_PARAMETER) if route.at_root else None
    card_id = route.card_id if parameter is None else parameter
    if card_id is None:
        raise refuse(
            CARD_NOT_FOUND,
            "several cards are served here: choose one with ?id= or by the path;"
            " /.well-known/ai-catalog.json lists the public ones",
        )
    if card_id not in publication.cards:
        raise refuse(CARD_NOT_FOUND, NO_SUCH_CARD)
    return card_id


def form_of(rendered: RenderedCard, route: Route, request: Request) -> Form:
    """Return the requested form of a card: by the version, or else by the path.

    A card is never refused for a version: clients of 1.0 name 1.0 in every request (A2A 1.0 §3.6.1, §14.3), also for
    the cards of agents that support only 0.3.
    """
    forms = rendered.forms
    requested = stated_version(request.fields.get(VERSION_FIELD), request.version_parameter)
    if requested is not None:
        return forms.find(requested) or forms.default
    return forms.oldest if route.kind == "legacy" else forms.default


def extended_form(rendered: RenderedCard, version_of_call: str | None, request: Request) -> Form:
    """Return the form for an operation that returns the extended card: by the version, or else by its path or method.

    Raises:
        HttpError: If no interface has the version (A2A 1.0 §3.6.2).
    """
    forms = rendered.forms
    stated = request.fields.get(VERSION_FIELD)
    requested = version(stated, request.version_parameter, tuple(forms.by_version)) or version_of_call
    return forms.default if requested is None else forms.by_version.get(requested, forms.oldest)


def caching(settings: Settings, rendered: RenderedCard, *, differs: bool, public: bool) -> Caching:
    """Return how long a response may be cached, and the header fields that it depends on."""
    credential_fields = settings.vary if differs or not public else ()
    vary = (*_NEGOTIATED, *credential_fields, *_proxy_fields(settings))
    if not public:
        # All views have the same date, so If-Modified-Since with the public view's date would return 304.
        return Caching(PRIVATE, vary)
    shared = "" if credential_fields else "public, "
    return Caching(f"{shared}{_freshness(settings)}", vary, rendered.modified)


def card_answer(
    rendered: RenderedCard, form: Form, request: Request, caching: Caching, now: datetime
) -> Response:
    """Return a form of a card in the preferred media type and coding.

    Raises:
        HttpError: If no media type is acceptable, or a condition is malformed.
    """
    chosen_type = _requested_type(request)
    kind = MEDIA_TYPES[chosen_type]
    content = _coded(rendered.content(form)[kind], request)
    content_type = chosen_type if chosen_type.endswith("json") else f"{chosen_type}; charset=utf-8"
    response = content_answer(content, content_type, caching, _PAGE if kind == HTML else ())
    return conditional(response, content, caching, request, now)


def card_response(rendered: RenderedCard, request: Request, settings: Settings, *, legacy: bool) -> Response:
    """Return a card that is the same for all callers; the response can be reused for the same request key.

    Raises:
        HttpError: If the media type is not offered, or a condition is malformed.
    """
    cache_control = caching(settings, rendered, differs=False, public=True)
    form = form_of(rendered, Route("legacy" if legacy else "card"), request)
    response = card_answer(rendered, form, request, cache_control, settings.clock())
    return replace(response, reusable=True)


def _requested_type(request: Request) -> str:
    """Return the media type; the query parameter overrides Accept, so that links can select it."""
    parameter = request.parameters.get(FORMAT_PARAMETER)
    if parameter is None:
        return media_type(request.fields.get("accept"), tuple(MEDIA_TYPES))
    for offered, kind in MEDIA_TYPES.items():
        if kind == parameter:
            return offered
    raise refuse(
        BAD_QUERY, f"unknown format; known formats: {', '.join(dict.fromkeys(MEDIA_TYPES.values()))}"
    )


def document_answer(
    publication: Publication, route: Route, request: Request, settings: Settings, now: datetime
) -> Response:
    """Return the catalog, the list of cards, or the OpenAPI description.

    Raises:
        HttpError: If its media type is not acceptable, or a condition is malformed.
    """
    content_type, contents = publication.documents[route.kind]
    caching = Caching(f"public, {_freshness(settings)}", (*NEGOTIATED, *_proxy_fields(settings)))
    more = _links(settings.index_path) if route.kind == "index" and settings.index_path else ()
    return negotiated_answer(content_type, contents, caching, request, now, more)


def _links(page: str) -> tuple[Header, ...]:
    return (links_to(relative(page, ARD_PATH), relative(page, CATALOGUE_PATH)),)


def negotiated_answer(
    content_type: str,
    contents: Codings,
    caching: Caching,
    request: Request,
    now: datetime,
    more: tuple[Header, ...] = (),
) -> Response:
    """Return a document in a content coding that the caller accepts, or 304 if the caller's copy is current.

    Raises:
        HttpError: If its media type is not acceptable, or a condition is malformed.
    """
    name = content_type.partition(";")[0]
    offered = (name, "application/json") if name.endswith("+json") else (name,)
    chosen_type = media_type(request.fields.get("accept"), offered)
    content = _coded(contents, request)
    response = content_answer(
        content,
        content_type if chosen_type == name else chosen_type,
        caching,
        (*_PAGE, *more) if "html" in name else more,
    )
    return conditional(response, content, caching, request, now)


def problem_answer(problem: Problem, scope: Scope) -> Response:
    """Return the error response, as a page if the caller prefers HTML."""
    if _prefers_html(scope):
        body = problem_page(problem)
        return refusal(problem, "text/html; charset=utf-8", body, _PAGE)
    return refusal(problem, "application/json", json_bytes(problem.to_json()))


def _prefers_html(scope: Scope) -> bool:
    accept = b", ".join(value for name, value in scope["headers"] if name == b"accept")
    if len(accept) > MAX_FIELD_BYTES:
        return False
    try:
        return media_type(accept.decode("latin-1"), ("application/json", "text/html")) == "text/html"
    except HttpError:
        return False


def _freshness(settings: Settings) -> str:
    """Return how long a response is fresh; with 0 seconds, caches must ask before each use (RFC 9111 §5.2.2.4)."""
    return f"max-age={settings.max_age_seconds}" if settings.max_age_seconds else "no-cache"


def _proxy_fields(settings: Settings) -> tuple[str, ...]:
    return settings.base_url.vary if isinstance(settings.base_url, TrustedProxies) else ()


def _coded(contents: Codings, request: Request) -> Content:
    # `codings` always ends with identity, which is always rendered.
    accepted = codings(request.fields.get("accept-encoding"))
    return next(contents[coding] for coding in accepted if coding in contents)
