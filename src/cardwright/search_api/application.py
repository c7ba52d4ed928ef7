"""The ASGI application of a registry: the search API over its database, and the manifest that announces it."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl

from cardwright.catalog_entries import (
    AI_CATALOG,
    ARD,
    ARD_PATH,
    CATALOGUE_PATH,
    REGISTRY_QUERIES,
    REGISTRY_TYPE,
    identifier,
    manifest,
)
from cardwright.errors import CardError
from cardwright.http.loopback import check_local
from cardwright.http.problem import HttpError
from cardwright.http.representation import json_bytes
from cardwright.http.request import (
    Disconnected,
    body_too_large,
    check_host,
    check_json,
    hides_a_slash,
    path_of,
    read_body,
)
from cardwright.http.response import Response, fleeting, options_answer
from cardwright.search_api.api import MAX_BODY, SearchApi, error_body
from cardwright.search_api.filters import SearchError
from cardwright.search_api.store_index import StoreIndex
from cardwright.store import CardStore

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.http.request import Receive, Scope, Send

SEARCH, EXPLORE, AGENTS = "/search", "/explore", "/agents"
_POSTS: Final = (SEARCH, EXPLORE)
_PATHS: Final = (SEARCH, EXPLORE, AGENTS, ARD_PATH, CATALOGUE_PATH)
# Questions that are answered at the same time, and that wait (project decision): the rest gets a response with Retry-After.
_RUNNING: Final = 4
_WAITING: Final = 256
_MAX_FIELDS: Final = 16
_LOG: Final = logging.getLogger("cardwright.registry")


@dataclass(slots=True)
class SearchApplication:
    """The search API of a registry (ARD 0.91 §5.3) as an ASGI application.

    Attributes:
        store: The path or the URL of the database.
        base_url: The public URL of the registry, without a slash at the end.
        name: Its name for people.
        referrals: Other registries, by name and URL, for clients that ask for referrals.
        local_hosts: The host names that are accepted, if only this machine can reach it; None for any.
    """

    store: str
    base_url: str
    name: str = "cardwright registry"
    referrals: Mapping[str, str] = field(default_factory=dict[str, str])
    local_hosts: tuple[str, ...] | None = None
    _api: SearchApi | None = None
    _running: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_RUNNING))
    _waiting: int = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an ASGI connection."""
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1000})
            return
        try:
            response = await self._respond(scope, receive)
        except SearchError as error:
            response = _json(error.status, error_body(error))
        except HttpError as error:
            status = error.problem.error_code.status
            code = "NOT_FOUND" if status == 404 else "INVALID_ARGUMENT"
            response = _json(status, {"errorCode": code, "message": error.problem.message})
        except Disconnected:
            return
        except CardError:
            _LOG.exception("a request failed")
            response = _json(500, {"errorCode": "INTERNAL_ERROR", "message": "the request failed"})
        await (response.headless() if scope["method"] == "HEAD" else response).send(send)

    async def _respond(self, scope: Scope, receive: Receive) -> Response:
        check_host(scope)
        if self.local_hosts is not None:
            check_local(
                scope,
                self.local_hosts,
                fields=(b"host",),
                server="registry",
                remedy="add its name with --allow-host",
            )
        path, method = path_of(scope), scope["method"]
        if path not in _PATHS or hides_a_slash(scope):
            raise SearchError(
                f"unknown path; this registry has {', '.join(_PATHS)}", status=404, code="NOT_FOUND"
            )
        allowed = ("POST", "OPTIONS") if path in _POSTS else ("GET", "HEAD", "OPTIONS")
        if method == "OPTIONS":
            return options_answer(", ".join(allowed), ())
        if method not in allowed:
            raise SearchError(f"use {allowed[0]}", status=405)
        if path == AGENTS:
            return await self._work(self._opened().agents, _parameters(scope))
        if path in _POSTS:
            check_json(scope)
            body = await _body(scope, receive)
            api = self._opened()
            return await self._work(api.search if path == SEARCH else api.explore, body)
        return _json(200, manifest(ARD if path == ARD_PATH else AI_CATALOG, [self._entry()], self.name))

    def _entry(self) -> dict[str, Any]:
        """Return the entry that announces the registry (ARD 0.91 §5.3)."""
        return {
            "identifier": identifier(self.base_url, "search", "registry"),
            "displayName": self.name,
            "type": REGISTRY_TYPE,
            "url": self.base_url,
            "description": "Searches the cards of known agents.",
            "representativeQueries": list(REGISTRY_QUERIES),
        }

    def _opened(self) -> SearchApi:
        if self._api is None:
            referrals = tuple(
                {
                    "identifier": identifier(url, "search", "registry"),
                    "displayName": name,
                    "type": REGISTRY_TYPE,
                    "url": url,
                }
                for name, url in self.referrals.items()
            )
            self._api = SearchApi(StoreIndex(CardStore.open(self.store)), self.base_url, referrals)
        return self._api

    async def _work(self, work: Callable[[Any], Any], argument: Any) -> Response:
        """Return the response of blocking work, a few at a time."""
        if self._waiting >= _WAITING:
            raise SearchError(
                "too many requests at the same time; try again", status=429, code="RATE_LIMIT_EXCEEDED"
            )
        self._waiting += 1
        try:
            async with self._running:
                return _json(200, await asyncio.to_thread(work, argument))
        finally:
            self._waiting -= 1


async def _body(scope: Scope, receive: Receive) -> bytes:
    size = 0

    def check_piece(length: int) -> None:
        nonlocal size
        size += length
        if size > MAX_BODY:
            raise body_too_large(MAX_BODY)

    return await read_body(scope, receive, check_piece)


def _parameters(scope: Scope) -> dict[str, str]:
    query = scope.get("query_string", b"")
    try:
        pairs = parse_qsl(
            query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MAX_FIELDS
        )
    except ValueError:
        raise SearchError("the query is not percent-encoded UTF-8, or has too many parameters") from None
    return dict(pairs)


def _json(status: int, value: Any) -> Response:
    return fleeting(status, "application/json", json_bytes(value))


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
