"""The search API of ARD over the listed agents of the gateway (ARD 0.91 §5.3)."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Final

from cardwright.http.request import check_json
from cardwright.search_api import MemoryIndex, SearchApi, SearchError
from cardwright.search_api.api import MAX_BODY, error_body
from cardwright_gateway.a2a.responses import json_response
from cardwright_gateway.api.catalogue import REGISTRY_PATH

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.http.response import Response
    from cardwright_gateway.api.catalogue import Catalogue
    from cardwright_gateway.api.exchange import Exchange

# How old the index may be: as old as the catalogue in a cache (project decision).
_MAX_AGE: Final = 10.0


class Search:
    """The search API; the index is made of the entries of the catalogue.

    Args:
        catalogue: The catalogue.
        clock: A monotonic clock, in seconds.
    """

    def __init__(self, catalogue: Catalogue, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._catalogue = catalogue
        self._clock = clock
        self._indexes: dict[str, tuple[float, SearchApi]] = {}

    async def search(self, exchange: Exchange) -> Response:
        """Return the agents that fit a question (`POST /search`)."""
        check_json(exchange.scope)
        body = await exchange.body("", MAX_BODY)
        return await self._answer(exchange, lambda api: api.search(body))

    async def explore(self, exchange: Exchange) -> Response:
        """Return how often each value of some fields occurs (`POST /explore`)."""
        check_json(exchange.scope)
        body = await exchange.body("", MAX_BODY)
        return await self._answer(exchange, lambda api: api.explore(body))

    async def agents(self, exchange: Exchange) -> Response:
        """Return all entries, page by page (`GET /agents`)."""
        parameters = dict(exchange.fields)
        return await self._answer(exchange, lambda api: api.agents(parameters))

    async def _answer(self, exchange: Exchange, work: Callable[[SearchApi], dict[str, Any]]) -> Response:
        api = await self._api(exchange.base)
        try:
            return json_response(200, await asyncio.to_thread(work, api))
        except SearchError as error:
            return json_response(error.status, error_body(error))

    async def _api(self, base: str) -> SearchApi:
        now = self._clock()
        made = self._indexes.get(base)
        if made is None or now - made[0] > _MAX_AGE:
            # A trusted proxy may name several hosts, but never many at the same time.
            self._indexes = {key: one for key, one in self._indexes.items() if now - one[0] <= _MAX_AGE}
            index = await asyncio.to_thread(MemoryIndex, self._catalogue.entries(base))
            made = self._indexes[base] = (now, SearchApi(index, f"{base}{REGISTRY_PATH}"))
        return made[1]
