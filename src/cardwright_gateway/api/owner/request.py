"""One request to the owners' API: its caller, its agent, its body and its page."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from cardwright.dates import rfc3339
from cardwright.http.problem import BAD_QUERY, HttpError, refuse
from cardwright.http.request import check_json
from cardwright_gateway.a2a.problems import CONFLICT
from cardwright_gateway.api.description import judged
from cardwright_gateway.errors import UnknownAgent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.api.owner.services import OwnerServices
    from cardwright_gateway.auth.principal import Principal
    from cardwright_gateway.catalog.agent import Agent

NOTHING_HERE: Final = "there is nothing here: /api/v1/openapi.json says what there is"
_MAX_TOKEN: Final = 512
_MAX_PAGE_SIZE: Final = 200
_PAGE_SIZE: Final = 50


@dataclass(frozen=True)
class Page:
    """A page of a list.

    Attributes:
        size: How many items at most.
        after: The last item of the page before; "" at the beginning.
    """

    size: int
    after: str


@dataclass(frozen=True)
class OwnerRequest:
    """A request of an owner.

    Attributes:
        services: What the endpoints use.
        principal: The caller.
        exchange: The request.
    """

    services: OwnerServices
    principal: Principal
    exchange: Exchange

    @property
    def params(self) -> Mapping[str, str]:
        """What the path names."""
        return self.exchange.params

    def own(self) -> Agent:
        """Return the agent that the path names, which is the caller's.

        Raises:
            UnknownAgent: If there is none, or it is another owner's.
        """
        return self.own_of(self.params["agent"])

    def own_of(self, agent_id: str) -> Agent:
        """Return an agent of the caller's.

        Raises:
            UnknownAgent: If there is none, or it is another owner's.
        """
        agent = self.services.agents.get(agent_id)
        if agent is None or not self.owns(agent):
            raise UnknownAgent(agent_id)
        return agent

    def owns(self, agent: Agent) -> bool:
        """Whether an agent is the caller's."""
        return bool(agent.config.owner) and agent.config.owner == self.principal.owner_id

    def owned(self) -> list[Agent]:
        """Return all agents of the caller, by their ids."""
        return sorted(filter(self.owns, self.services.agents.held.values()), key=lambda agent: agent.id)

    async def body(self, schema: str) -> dict[str, Any]:
        """Return the body, validated by a component schema.

        Raises:
            HttpError: If it is invalid, too large or no JSON.
            Disconnected: If the caller disconnects.
        """
        check_json(self.exchange.scope)
        return judged(await self.exchange.body(), schema, self.exchange.max_body_bytes)

    def page(self, kind: str) -> Page:
        """Return which page of a list is requested.

        Raises:
            HttpError: If the query names none.
        """
        size = self.exchange.parameter("page_size")
        if size is not None and not (
            size.isascii() and size.isdigit() and len(size) <= 3 and 1 <= int(size) <= _MAX_PAGE_SIZE
        ):
            raise refuse(BAD_QUERY, f"page_size is a whole number from 1 to {_MAX_PAGE_SIZE}")
        token = self.exchange.parameter("page_token")
        return Page(_PAGE_SIZE if size is None else int(size), "" if not token else _opened(kind, token))


def paged(kind: str, name: str, items: Sequence[Any], last: str | None) -> dict[str, Any]:
    """Return a page as JSON.

    Args:
        kind: Of what list.
        name: What its items are called.
        items: The items.
        last: What the next page goes on after; None on the last one.
    """
    page: dict[str, Any] = {name: list(items)}
    if last is not None:
        page["next_page_token"] = base64.urlsafe_b64encode(f"{kind}\n{last}".encode()).decode()
    return page


def _opened(kind: str, token: str) -> str:
    wrong = refuse(BAD_QUERY, "page_token is the next_page_token of the page before, of the same list")
    if len(token) > _MAX_TOKEN:
        raise wrong
    try:
        text = base64.b64decode(token.encode("ascii"), altchars=b"-_", validate=True).decode()
    except (ValueError, binascii.Error):
        raise wrong from None
    of, _, last = text.partition("\n")
    if of != kind or not last or not last.isprintable():
        raise wrong
    return last


def moment(seconds: float | None) -> str | None:
    """Return a time as RFC 3339; None for none."""
    return None if seconds is None else rfc3339(datetime.fromtimestamp(seconds, UTC))


def conflict(message: str) -> HttpError:
    """Return the refusal of a change that does not fit the present state, to be raised."""
    return refuse(CONFLICT, message)
