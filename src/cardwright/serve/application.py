"""The ASGI application: from a request to an answer that was made before it came."""

from __future__ import annotations

import asyncio
import inspect
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError
from cardwright.http.problem import (
    CARD_NOT_FOUND,
    EXTENDED_CARD_NOT_CONFIGURED,
    NOT_READY,
    UNAUTHENTICATED,
    UNSUPPORTED_OPERATION,
    HttpError,
    method_not_allowed,
    refuse,
)
from cardwright.http.proxies import TrustedProxies
from cardwright.http.request import (
    check_host,
    check_no_body,
    hides_a_slash,
    path_of,
    read_request,
    remember,
    request_key,
)
from cardwright.http.response import Response, options_answer
from cardwright.serve import extended
from cardwright.serve.authentication import BadCredentials, Caller
from cardwright.serve.routes import Route
from cardwright.serve.selection import (
    NO_SUCH_CARD,
    caching,
    card_answer,
    chosen,
    document_answer,
    form_of,
    problem_answer,
)
from cardwright.serve.snapshot import publish

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.http.request import Receive, Request, Scope, Send
    from cardwright.serve.rendered_card import Published, RenderedCard
    from cardwright.serve.routes import Kind
    from cardwright.serve.settings import Provider, Settings
    from cardwright.serve.snapshot import Publication
    from cardwright.serve.views import Audience

_LOG: Final = logging.getLogger("cardwright.serve")
_READ_ONLY: Final = ("GET", "HEAD", "OPTIONS")
_CALLED: Final = ("POST", "OPTIONS")


class AgentCardApplication:
    """Serves cards at their well-known places; made by `well_known_agent_card`.

    Attributes:
        settings: What the application said.
        publication: What is served now.
    """

    def __init__(self, provider: Provider, settings: Settings) -> None:
        self.settings = settings
        self._provider = provider
        self._proxies = settings.base_url if isinstance(settings.base_url, TrustedProxies) else None
        # What tells that there is something new, where the provider can.
        self._changed: Callable[[], bool] | None = getattr(provider, "changed", None)
        self._watcher: asyncio.Task[None] | None = None
        self._named: Callable[[str], str] = getattr(provider, "called", str)
        self._stand = publish(provider(), settings, called=self._named)

    @property
    def publication(self) -> Publication:
        """What is served now, but to those for whom a trusted proxy tells another base URL."""
        return self._stand.places[None]

    def reload(self) -> None:
        """Ask the provider again, and serve what it gives from then on, all of it at once.

        A card that cannot be published is served as it was before; the others are served anew.

        Raises:
            CardError: Why a card is served as it was before, the first of several.
            OSError: If a signature cannot be kept; then nothing is exchanged.
        """
        for error in self._exchange().values():
            raise error

    def _exchange(self) -> dict[str, CardError]:
        """Publish what the provider gives now; return why cards were refused, by their ids."""
        self._stand = publish(self._provider(), self.settings, self._stand, self._named)
        return self._stand.refused

    def owns(self, scope: Scope) -> Kind | None:
        """Return what a path leads to here, for middleware; None where it leads to nothing.

        The paths of the extended card are an application's own where no card that may be meant declares one.
        """
        publication = self.publication
        route = publication.routes.get(path_of(scope))
        if route is None or route.kind not in ("extended", "rpc"):
            return route.kind if route else None
        # The query may name any card, and is read when the request is answered.
        named = route.at_root and bool(scope.get("query_string"))
        meant = publication.cards if named else (route.card_id or "",)
        return route.kind if any(publication.cards[one].extended for one in meant) else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ASGI connection."""
        if scope["type"] != "http":
            await self._other(scope, receive, send)
            return
        if self._changed is not None and (self._watcher is None or self._watcher.done()):
            self._watch()
        known = self._stand.known
        key = request_key(scope)
        answer = known.get(key)
        if answer is None:
            answer = await self.answer(scope, receive)
            if answer.reusable:
                remember(known, key, answer)
        await answer.send(send)

    async def answer(self, scope: Scope, receive: Receive) -> Response:
        """Return the answer to a request; one that is reusable answers every request of the same key."""
        try:
            answer = await self._asked(scope, receive)
        except HttpError as refused:
            answer = problem_answer(refused.problem, scope)
        return answer.headless() if scope["method"] == "HEAD" else answer

    async def _asked(self, scope: Scope, receive: Receive) -> Response:
        check_host(scope)
        # From here on one stand, whatever is exchanged meanwhile.
        publication = self._stand.places[self._proxies.base_url(scope) if self._proxies else None]
        route = publication.routes.get(path_of(scope))
        if route and publication.hides(route.card_id) and not route.at_root:
            route = None if await self._sees_nothing(publication.cards[route.card_id or ""], scope) else route
        if route is None or hides_a_slash(scope):
            raise refuse(CARD_NOT_FOUND, "there is nothing here: cards are at /.well-known/agent-card.json")
        allowed = _CALLED if route.kind == "rpc" else _READ_ONLY
        if scope["method"] == "OPTIONS":
            return options_answer(", ".join(allowed), self.settings.vary)
        if scope["method"] not in allowed:
            raise method_not_allowed(allowed)
        request = read_request(scope)
        if route.kind == "rpc":
            shown = await self._chosen(publication, route, request, scope)
            return await self._called(shown, request, scope, receive)
        check_no_body(request)
        if route.kind in publication.documents:
            answer = document_answer(publication, route, request, self.settings, self.settings.clock())
            return replace(answer, reusable=self._proxies is None)
        return await self._card(await self._chosen(publication, route, request, scope), route, request, scope)

    async def _chosen(
        self, publication: Publication, route: Route, request: Request, scope: Scope
    ) -> Published:
        """Return the card that is asked for; one that is hidden answers those who do not see it as none would."""
        card_id = chosen(publication, route, request)
        shown = publication.cards[card_id]
        if card_id != route.card_id and publication.hides(card_id) and await self._sees_nothing(shown, scope):
            raise refuse(CARD_NOT_FOUND, NO_SUCH_CARD)
        return shown

    async def _sees_nothing(self, shown: Published, scope: Scope) -> bool:
        try:
            audience = await self._audience(scope)
        except HttpError:
            audience = "public"
        return shown.editions.get(audience) is None

    async def _card(self, shown: Published, route: Route, request: Request, scope: Scope) -> Response:
        extends = route.kind == "extended"
        if extends:
            self._check_extended(shown)
        audience = await self._audience(scope) if shown.differs or extends else "public"
        if extends and audience == "public":
            raise self._unauthenticated("the extended card is for those who authenticate (A2A 1.0 §13.3)")
        edition = self._edition(shown, audience)
        kept = caching(self.settings, edition, differs=shown.differs, public=audience == "public")
        form = form_of(edition, route, request)
        answer = card_answer(edition, form, request, kept, self.settings.clock())
        # Nothing but what `request_key` has was looked at.
        return replace(answer, reusable=not (shown.differs or extends or self._proxies))

    async def _called(self, shown: Published, request: Request, scope: Scope, receive: Receive) -> Response:
        """Answer a JSON-RPC request for the extended card."""
        call: extended.Call | None = None
        try:
            body = await extended.read_body(receive)
            call = extended.read_call(request, body)
            self._check_extended(shown)
            audience = await self._audience(scope)
            if audience == "public":
                raise self._unauthenticated("the extended card is for those who authenticate")
            edition = self._edition(shown, audience)
            form = form_of(edition, Route("rpc", version=call.version), request)
        except HttpError as refused:
            return extended.error(refused.problem, call.id if call else refused.call_id)
        return extended.result(call, edition.forms.named(form).card.document)

    def _check_extended(self, shown: Published) -> None:
        """Refuse where there is no extended card (A2A 1.0 §3.3.4).

        Raises:
            HttpError: -32004 where the card declares none, -32007 where it does and none is set up.
        """
        if not shown.extended:
            raise refuse(UNSUPPORTED_OPERATION, "this agent has no extended card: its card says so")
        if self.settings.authenticate is None:
            raise refuse(EXTENDED_CARD_NOT_CONFIGURED, "the extended card is not set up here")

    async def _audience(self, scope: Scope) -> Audience:
        """Return as whom a caller is seen.

        Raises:
            HttpError: If it has credentials that do not hold.
        """
        if self.settings.authenticate is None:
            return "public"
        try:
            caller = self.settings.authenticate(scope)
            found = await caller if inspect.isawaitable(caller) else caller
        except BadCredentials:
            # Which credentials, and why not, is no business of whoever sent them.
            raise self._unauthenticated("the credentials are not accepted") from None
        except Exception:  # noqa: BLE001 - the application's own code
            # Whoever asks is not let in by its fault.
            _LOG.exception("authenticate failed")
            raise refuse(NOT_READY, "who is asking cannot be told now: try again later") from None
        return found.audience if isinstance(found, Caller) else "public"

    def _edition(self, shown: Published, audience: Audience) -> RenderedCard:
        edition = shown.editions.get(audience, shown.editions["public"])
        if edition is not None:
            return edition
        if audience == "public":
            raise self._unauthenticated("this card is for those who authenticate")
        raise refuse(CARD_NOT_FOUND, NO_SUCH_CARD)

    def _unauthenticated(self, message: str) -> HttpError:
        challenge = (b"www-authenticate", self.settings.challenge.encode("latin-1", "replace"))
        vary = (b"vary", ", ".join(self.settings.vary).encode("latin-1", "replace"))
        return refuse(UNAUTHENTICATED, message, headers=(challenge, vary))

    async def _other(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is no request: the start and end of a server, and a WebSocket by closing it."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
            return
        if scope["type"] != "lifespan":
            raise RuntimeError(f"cardwright serves http, not {scope['type']}")
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self._watch()
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                if self._watcher is not None:
                    self._watcher.cancel()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def _watch(self) -> None:
        """Begin to look whether the provider has something new, where it can tell."""
        if self._changed is not None:
            self._watcher = asyncio.get_running_loop().create_task(self._reload_when(self._changed))

    async def _reload_when(self, changed: Callable[[], bool]) -> None:
        again, told = False, ""
        while True:
            await asyncio.sleep(self.settings.watch_seconds)
            try:
                if not (again or await asyncio.to_thread(changed)):
                    continue
                refused = await asyncio.to_thread(self._exchange)
                again, told, anew = False, "", self._stand.anew
            except CardError as error:
                again, refused, anew = False, {"": error}, ()
            except Exception as error:  # noqa: BLE001 - a provider is the application's own code
                # What passes, such as a full disk, is tried again; its fault must not end the watch unseen.
                again, refused, anew = True, {}, ()
                if told != (told := repr(error)):
                    _LOG.exception("not published anew, and tried again: what was good stays")
            for why in refused.values():
                _LOG.error("refused, and the last good version stays: %s", why)
            if anew:
                _LOG.info("published anew: %s", ", ".join(anew) or "the card")
