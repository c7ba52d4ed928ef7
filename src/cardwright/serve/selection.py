"""From what is published and what is asked to the answer; nothing here waits or computes a card."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cardwright.http.negotiation import HTML, MEDIA_TYPES, codings, media_type, version
from cardwright.http.problem import BAD_QUERY, CARD_NOT_FOUND, HttpError, Problem, refuse
from cardwright.http.proxies import TrustedProxies
from cardwright.http.representation import json_bytes
from cardwright.http.request import FORMAT_PARAMETER, ID_PARAMETER, MAX_FIELD_BYTES, VERSION_FIELD
from cardwright.http.response import Caching, Header, Response, conditional, content_answer, refusal
from cardwright.page import CONTENT_SECURITY_POLICY
from cardwright.serve.pages import problem_page
from cardwright.serve.routes import Route

if TYPE_CHECKING:
    from datetime import datetime

    from cardwright.http.representation import Codings, Content
    from cardwright.http.request import Request, Scope
    from cardwright.serve.rendered_card import RenderedCard
    from cardwright.serve.settings import Settings
    from cardwright.serve.snapshot import Publication

NO_SUCH_CARD: Final = "there is no card of that id here"
PRIVATE: Final = "private, no-store"
_ASKED: Final = ("Accept", "Accept-Encoding", "A2A-Version")
# A page loads nothing, runs nothing, and tells no one where its reader came from.
_PAGE: Final[tuple[Header, ...]] = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"referrer-policy", b"no-referrer"),
)


def chosen(publication: Publication, route: Route, request: Request) -> str:
    """Return the id of the card that a path, or at the root the parameter `id`, names.

    Raises:
        HttpError: If there is none.
    """
    named = request.parameters.get(ID_PARAMETER) if route.at_root else None
    card_id = route.card_id if named is None else named
    if card_id is None:
        raise refuse(
            CARD_NOT_FOUND,
            "several cards are served here: name one by ?id= or in the path;"
            " /.well-known/ai-catalog.json lists those that everyone may see",
        )
    if card_id not in publication.cards:
        raise refuse(CARD_NOT_FOUND, NO_SUCH_CARD)
    return card_id


def form_of(edition: RenderedCard, route: Route, request: Request) -> str:
    """Return the name of the form that is asked for: by its version, or else by the path.

    Raises:
        HttpError: If the version is not offered.
    """
    forms = edition.forms
    offered = tuple(forms.by_version)
    asked = version(request.fields.get(VERSION_FIELD), request.version_parameter, offered)
    if asked is not None:
        return asked
    if route.version is not None:
        return route.version if route.version in offered else forms.oldest.name
    return (forms.oldest if route.kind == "legacy" else forms.default).name


def caching(settings: Settings, edition: RenderedCard, *, differs: bool, public: bool) -> Caching:
    """Return how long the answer may be kept, and what it depends on."""
    who = settings.vary if differs or not public else ()
    vary = (*_ASKED, *who, *_places(settings))
    if not public:
        # One date stands for every view, so whoever had the public one would be told that nothing has changed.
        return Caching(PRIVATE, vary)
    shared = "" if who else "public, "
    return Caching(f"{shared}max-age={settings.max_age_seconds}", vary, edition.modified)


def card_answer(edition: RenderedCard, form: str, request: Request, kept: Caching, now: datetime) -> Response:
    """Return a form of a card in the media type and coding that are liked best.

    Raises:
        HttpError: If none is acceptable, or a condition is malformed.
    """
    chosen_type = _asked_type(request)
    kind = MEDIA_TYPES[chosen_type]
    content = _coded(edition.contents[form][kind], request)
    told = chosen_type if chosen_type.endswith("json") else f"{chosen_type}; charset=utf-8"
    answer = content_answer(content, told, kept, _PAGE if kind == HTML else ())
    return conditional(answer, content, kept, request, now)


def card_response(edition: RenderedCard, request: Request, settings: Settings, *, legacy: bool) -> Response:
    """Return a card that everyone sees alike; the response answers every request of the same key.

    Raises:
        HttpError: If the version or media type is not offered, or a condition is malformed.
    """
    kept = caching(settings, edition, differs=False, public=True)
    form = form_of(edition, Route("legacy" if legacy else "card"), request)
    return replace(card_answer(edition, form, request, kept, settings.clock()), reusable=True)


def _asked_type(request: Request) -> str:
    """Return the media type: what the query names goes over Accept, so that a link may lead to each."""
    named = request.parameters.get(FORMAT_PARAMETER)
    if named is None:
        return media_type(request.fields.get("accept"), tuple(MEDIA_TYPES))
    for offered, kind in MEDIA_TYPES.items():
        if kind == named:
            return offered
    raise refuse(BAD_QUERY, f"format is one of {', '.join(dict.fromkeys(MEDIA_TYPES.values()))}")


def document_answer(
    publication: Publication, route: Route, request: Request, settings: Settings, now: datetime
) -> Response:
    """Return the catalogue, the list of cards, or the description of the routes.

    Raises:
        HttpError: If its media type is not acceptable, or a condition is malformed.
    """
    told, held = publication.documents[route.kind]
    name = told.partition(";")[0]
    offered = (name, "application/json") if name.endswith("+json") else (name,)
    asked = media_type(request.fields.get("accept"), offered)
    content = _coded(held, request)
    kept = Caching(f"public, max-age={settings.max_age_seconds}", (*_ASKED[:2], *_places(settings)))
    answer = content_answer(content, told if asked == name else asked, kept, _PAGE if "html" in name else ())
    return conditional(answer, content, kept, request, now)


def problem_answer(problem: Problem, scope: Scope) -> Response:
    """Return the answer that says why there is none: as a page to those who would rather read one."""
    if _likes_pages(scope):
        body = problem_page(problem, problem.metadata.get("supportedVersions", ""))
        return refusal(problem, "text/html; charset=utf-8", body, _PAGE)
    return refusal(problem, "application/json", json_bytes(problem.to_json()))


def _likes_pages(scope: Scope) -> bool:
    accept = b", ".join(value for name, value in scope["headers"] if name == b"accept")
    if len(accept) > MAX_FIELD_BYTES:
        return False
    try:
        return media_type(accept.decode("latin-1"), ("application/json", "text/html")) == "text/html"
    except HttpError:
        return False


def _places(settings: Settings) -> tuple[str, ...]:
    return settings.base_url.vary if isinstance(settings.base_url, TrustedProxies) else ()


def _coded(held: Codings, request: Request) -> Content:
    # Identity is always the last of them, and always there.
    return next(held[coding] for coding in codings(request.fields.get("accept-encoding")) if coding in held)
