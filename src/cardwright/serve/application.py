"""The ASGI application that serves rendered cards."""

from __future__ import annotations

import asyncio
import inspect
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError
from cardwright.http.loopback import check_local, is_local
from cardwright.http.problem import (
    BODY_TOO_LARGE,
    CARD_NOT_FOUND,
    EXTENDED_CARD_NOT_CONFIGURED,
    NO_SUCH_PATH,
    NOT_READY,
    UNAUTHENTICATED,
    UNSUPPORTED_OPERATION,
    HttpError,
    method_not_allowed,
    refuse,
)
from cardwright.http.proxies import TrustedProxies
from cardwright.http.request import (
    Disconnected,
    check_host,
    check_no_body,
    hides_a_slash,
    path_of,
    read_body,
    read_request,
    remember,
    request_key,
)
from cardwright.http.response import Response, options_answer
from cardwright.page import Home
from cardwright.playground import MAX_BODY_BYTES, Playground
from cardwright.serve import extended
from cardwright.serve.authentication import BadCredentials, Caller
from cardwright.serve.selection import (
    NO_SUCH_CARD,
    caching,
    card_answer,
    chosen,
    document_answer,
    extended_form,
    form_of,
    problem_answer,
)
from cardwright.serve.snapshot import publish

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.http.request import Receive, Request, Scope, Send
    from cardwright.serve.rendered_card import Published, RenderedCard
    from cardwright.serve.routes import Kind, Route
    from cardwright.serve.settings import Provider, Settings
    from cardwright.serve.snapshot import Publication
    from cardwright.serve.views import Audience

_LOG: Final = logging.getLogger("cardwright.serve")
_READ_ONLY: Final = ("GET", "HEAD", "OPTIONS")
# The methods of the routes that have others.
_METHODS: Final[dict[Kind, tuple[str, ...]]] = {
    "rpc": ("POST", "OPTIONS"),
    "playground": (*_READ_ONLY, "POST"),
}


class AgentCardApplication:
    """Server of cards at their well-known URLs, created by `well_known_agent_card`.

    Attributes:
        settings: Its settings.
        publication: The current publication, except for base URLs from trusted proxies.
    """

    def __init__(self, provider: Provider, settings: Settings) -> None:
        self.settings = settings
        self._provider = provider
        self._proxies = settings.base_url if isinstance(settings.base_url, TrustedProxies) else None
        # Optional methods of the provider.
        self._changed: Callable[[], bool] | None = getattr(provider, "changed", None)
        self._host_names = settings.host_names
        self._watcher: asyncio.Task[None] | None = None
        self._name_of: Callable[[str], str] = getattr(provider, "called", str)
        self._snapshot = publish(provider(), settings, name_of=self._name_of)
        home = Home(settings.index_path) if settings.index_path else None
        self._playground = Playground(home) if settings.playground_path else None

    @property
    def publication(self) -> Publication:
        """The current publication, except for base URLs from trusted proxies."""
        return self._snapshot.publications[None]

    def reload(self) -> None:
        """Call the provider again and serve its cards from now on.

        If a card cannot be published, its previous version stays; the other cards are replaced.

        Raises:
            CardError: If a card could not be published; of several errors, the first.
            OSError: If a signature cannot be stored; then nothing is replaced.
        """
        for error in self._refresh().values():
            raise error

    def _refresh(self) -> dict[str, CardError]:
        """Publish the provider's cards; return the errors of cards that could not be published, by id."""
        self._snapshot = publish(self._provider(), self.settings, self._snapshot, self._name_of)
        return self._snapshot.refused

    def owns(self, scope: Scope) -> Kind | None:
        """Return the kind of the route of a request, for middleware; None if this application has no such route.

        The paths of the extended card belong to the wrapped application unless a card declares an extended card.
        """
        publication = self.publication
        route = publication.routes.get(path_of(scope))
        if route is None or route.kind not in ("extended", "rpc"):
            return route.kind if route else None
        # The query may name any card; it is parsed later.
        any_card = route.at_root and bool(scope.get("query_string"))
        card_ids = publication.cards if any_card else (route.card_id or "",)
        return route.kind if any(publication.cards[card_id].extended for card_id in card_ids) else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an ASGI connection."""
        if scope["type"] != "http":
            await self._other(scope, receive, send)
            return
        if self._changed is not None and (self._watcher is None or self._watcher.done()):
            self._watch()
        cache = self._snapshot.responses
        key = request_key(scope)
        response = cache.get(key)
        if response is None:
            response = await self.answer(scope, receive)
            if response.reusable:
                remember(cache, key, response)
        await response.send(send)

    async def answer(self, scope: Scope, receive: Receive) -> Response:
        """Return the response to a request; a reusable one fits every request with the same key."""
        try:
            response = await self._respond(scope, receive)
        except HttpError as error:
            response = problem_answer(error.problem, scope)
        return response.headless() if scope["method"] == "HEAD" else response

    async def _respond(self, scope: Scope, receive: Receive) -> Response:
        check_host(scope)
        if self._host_names is not None:
            check_local(
                scope,
                self._host_names,
                fields=(b"host",),
                server="server",
                remedy="add its name with --allow-host (local_hosts)",
            )
        # Use one snapshot for the whole request, even if it is replaced meanwhile.
        proxy_url = self._proxies.base_url(scope) if self._proxies else None
        publication = self._snapshot.publications[proxy_url]
        route = publication.routes.get(path_of(scope))
        if route and publication.hides(route.card_id) and not route.at_root:
            route = None if await self._is_hidden(publication.cards[route.card_id or ""], scope) else route
        if route is None or hides_a_slash(scope):
            raise refuse(NO_SUCH_PATH, "unknown path; cards are at /.well-known/agent-card.json")
        allowed = _METHODS.get(route.kind, _READ_ONLY)
        if scope["method"] == "OPTIONS":
            return options_answer(", ".join(allowed), self.settings.vary)
        if scope["method"] not in allowed:
            raise method_not_allowed(allowed)
        request = read_request(scope)
        if self._playground is not None and route.kind == "playground":
            return await self._play(self._playground, request, scope, receive)
        if route.kind == "rpc":
            card = await self._chosen(publication, route, request, scope)
            return await self._rpc(card, request, scope, receive)
        check_no_body(request)
        if route.kind in publication.documents:
            response = document_answer(publication, route, request, self.settings, self.settings.clock())
            internal = any(card.internal for card in publication.cards.values())
            response = replace(response, reusable=self._proxies is None)
        else:
            card = await self._chosen(publication, route, request, scope)
            internal = card.internal
            response = await self._card(card, route, request, scope)
        return response.for_origin(self._local_origin(scope)) if internal else response

    async def _play(
        self, playground: Playground, request: Request, scope: Scope, receive: Receive
    ) -> Response:
        """Return the playground, or the result of a card that was sent to it."""
        if scope["method"] != "POST":
            check_no_body(request)
            return playground.page()
        size = 0

        def check_piece(length: int) -> None:
            nonlocal size
            size += length
            if size > MAX_BODY_BYTES:
                raise refuse(BODY_TOO_LARGE, f"the body is larger than {MAX_BODY_BYTES:,} bytes")

        try:
            body = await read_body(scope, receive, check_piece)
        except Disconnected:
            # No client receives it.
            return Response(400, ())
        return await playground.answer(request.fields.get("content-type", ""), body)

    def _local_origin(self, scope: Scope) -> bytes | None:
        """Return the origin of the page that sends a request, if it may read internal hosts."""
        origins = [value for name, value in scope["headers"] if name == b"origin"]
        names = self._host_names
        known = names is not None and len(origins) == 1 and is_local(origins[0].decode("latin-1"), names)
        return origins[0] if known else None

    async def _chosen(
        self, publication: Publication, route: Route, request: Request, scope: Scope
    ) -> Published:
        """Return the requested card; a card that is hidden from the caller is treated as unknown."""
        card_id = chosen(publication, route, request)
        card = publication.cards[card_id]
        if card_id != route.card_id and publication.hides(card_id) and await self._is_hidden(card, scope):
            raise refuse(CARD_NOT_FOUND, NO_SUCH_CARD)
        return card

    async def _is_hidden(self, card: Published, scope: Scope) -> bool:
        try:
            audience = await self._audience(scope)
        except HttpError:
            audience = "public"
        return card.rendered.get(audience) is None

    async def _card(self, card: Published, route: Route, request: Request, scope: Scope) -> Response:
        is_extended = route.kind == "extended"
        if is_extended:
            self._check_extended(card)
        audience = await self._audience(scope) if card.differs or is_extended else "public"
        if is_extended and audience == "public":
            raise self._unauthenticated("the extended card requires authentication (A2A 1.0 §13.3)")
        rendered = self._rendered(card, audience)
        cache_control = caching(self.settings, rendered, differs=card.differs, public=audience == "public")
        form = (
            extended_form(rendered, route.version, request)
            if is_extended
            else form_of(rendered, route, request)
        )
        response = card_answer(rendered, form, request, cache_control, self.settings.clock())
        # Reusable if the response depends only on what is in `request_key`.
        return replace(response, reusable=not (card.differs or is_extended or self._proxies))

    async def _rpc(self, card: Published, request: Request, scope: Scope, receive: Receive) -> Response:
        """Return the response to a JSON-RPC request for the extended card."""
        call: extended.Call | None = None
        try:
            body = await extended.read_body(receive)
            call = extended.read_call(request, body)
            self._check_extended(card)
            audience = await self._audience(scope)
            if audience == "public":
                raise self._unauthenticated("the extended card requires authentication")
            rendered = self._rendered(card, audience)
            form = extended_form(rendered, call.version, request)
        except HttpError as error:
            return extended.error(error.problem, call.id if call else error.call_id)
        return extended.result(call, form.card.document)

    def _check_extended(self, card: Published) -> None:
        """Raise if there is no extended card (A2A 1.0 §3.3.4).

        Raises:
            HttpError: -32004 if the card does not declare one, -32007 if authentication is not configured.
        """
        if not card.extended:
            raise refuse(UNSUPPORTED_OPERATION, "this agent does not support an extended card")
        if self.settings.authenticate is None:
            raise refuse(EXTENDED_CARD_NOT_CONFIGURED, "the extended card is not configured on this server")

    async def _audience(self, scope: Scope) -> Audience:
        """Return the audience of a caller.

        Raises:
            HttpError: If its credentials are invalid.
        """
        if self.settings.authenticate is None:
            return "public"
        try:
            result = self.settings.authenticate(scope)
            caller = await result if inspect.isawaitable(result) else result
        except BadCredentials:
            # The reason would help an attacker.
            raise self._unauthenticated("invalid credentials") from None
        except Exception:  # noqa: BLE001 - the application's own code
            # An error in authentication must not let a caller in.
            _LOG.exception("authenticate raised an exception")
            raise refuse(NOT_READY, "authentication is temporarily unavailable; try again later") from None
        return caller.audience if isinstance(caller, Caller) else "public"

    def _rendered(self, card: Published, audience: Audience) -> RenderedCard:
        rendered = card.rendered.get(audience, card.rendered["public"])
        if rendered is not None:
            return rendered
        if audience == "public":
            raise self._unauthenticated("this card requires authentication")
        raise refuse(CARD_NOT_FOUND, NO_SUCH_CARD)

    def _unauthenticated(self, message: str) -> HttpError:
        challenge = (b"www-authenticate", self.settings.challenge.encode("latin-1", "replace"))
        vary = (b"vary", ", ".join(self.settings.vary).encode("latin-1", "replace"))
        return refuse(UNAUTHENTICATED, message, headers=(challenge, vary))

    async def _other(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the lifespan of the server, and close a WebSocket."""
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
        """Start to watch the provider for changes, if it supports that."""
        if self._changed is not None:
            self._watcher = asyncio.get_running_loop().create_task(self._reload_when(self._changed))

    async def _reload_when(self, changed: Callable[[], bool]) -> None:
        retry, last_error = False, ""
        while True:
            await asyncio.sleep(self.settings.watch_seconds)
            try:
                if not (retry or await asyncio.to_thread(changed)):
                    continue
                refused = await asyncio.to_thread(self._refresh)
                retry, last_error, published = False, "", self._snapshot.changed
            except CardError as error:
                retry, refused, published = False, {"": error}, ()
            except Exception as error:  # noqa: BLE001 - a provider is the application's own code
                # A temporary error, such as a full disk: retry, and log each new error once.
                retry, refused, published = True, {}, ()
                if last_error != (last_error := repr(error)):
                    _LOG.exception("reload failed, will be retried; the previous version stays")
            for rejection in refused.values():
                _LOG.error("rejected, the previous version stays: %s", rejection)
            if published:
                _LOG.info("reloaded: %s", ", ".join(published) or "the card")
