"""One request to the owners' API: its caller, its agent, its body and its page."""

from __future__ import annotations

import base64
import binascii
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from cardwright.dates import rfc3339_at, rfc3339_time
from cardwright.http.problem import BAD_QUERY, UNAUTHENTICATED, HttpError, refuse
from cardwright_gateway.a2a.problems import CONFLICT, faulty
from cardwright_gateway.a2a.responses import json_response
from cardwright_gateway.api.description import parameter_schema, read_model
from cardwright_gateway.auth.secret_values import LAST_EXPIRY
from cardwright_gateway.errors import UnknownAgent
from cardwright_gateway.tasks.states import full_state
from cardwright_gateway_models.documents_base import DocumentModel

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cardwright.http.response import Response
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.api.owner.services import OwnerServices
    from cardwright_gateway.auth.principal import Principal
    from cardwright_gateway.catalog.agent import Agent

UNKNOWN_PATH: Final = "unknown path; /api/v1/openapi.json describes this API"
WRONG_PAGE: Final = "page_token must be the next_page_token of the previous page of the same list"
_MAX_DIGITS: Final = 9
_Model = TypeVar("_Model", bound=DocumentModel)


@dataclass(frozen=True)
class Page:
    """The requested page of a list.

    Attributes:
        size: The maximum number of items.
        after: The last item of the previous page; "" for the first page.
    """

    size: int
    after: str


@dataclass(frozen=True)
class OwnerRequest:
    """A request of an owner.

    Attributes:
        services: The services of the endpoints.
        principal: The caller.
        exchange: The request.
    """

    services: OwnerServices
    principal: Principal
    exchange: Exchange

    @property
    def params(self) -> Mapping[str, str]:
        """The path parameters."""
        return self.exchange.params

    async def caller(self) -> Principal:
        """Return the caller of a request that is not only for owners: a user, or one with a key of an agent.

        Raises:
            HttpError: If credentials are missing or not valid.
        """
        principal = await self.services.authenticator.caller(self.exchange.scope)
        agent = self.services.agents.get(principal.agent_id)
        if principal.kind == "key" and (agent is None or agent.config.owner != principal.owner_id):
            raise refuse(UNAUTHENTICATED, "the agent of this key was removed, or has another owner now")
        return principal

    def own(self) -> Agent:
        """Return the caller's agent in the path.

        Raises:
            UnknownAgent: If there is no such agent, or it is another owner's.
        """
        return self.own_of(self.params["agent"])

    def own_of(self, agent_id: str) -> Agent:
        """Return an agent of the caller.

        Raises:
            UnknownAgent: If there is no such agent, or it is another owner's.
        """
        agent = self.services.agents.get(agent_id)
        if agent is None or not self.owns(agent):
            raise UnknownAgent(agent_id)
        return agent

    def owns(self, agent: Agent) -> bool:
        """Whether an agent is the caller's."""
        return bool(agent.config.owner) and agent.config.owner == self.principal.owner_id

    def owned(self) -> list[Agent]:
        """Return all agents of the caller, sorted by id."""
        return sorted(filter(self.owns, self.services.agents.by_id.values()), key=lambda agent: agent.id)

    async def body(self, model: type[_Model]) -> _Model:
        """Return the body as a component of the API, whose schema validates it.

        Raises:
            HttpError: If it violates the schema, is too large or not JSON.
            Disconnected: If the caller disconnects.
        """
        return await self.exchange.model(model, self.principal.name)

    async def optional_body(self, model: type[_Model]) -> _Model | None:
        """Return the body as `body` does, or None for an empty body.

        Raises:
            HttpError: As `body`.
            Disconnected: If the caller disconnects.
        """
        content = await self.exchange.json_body(self.principal.name)
        return read_model(content, model) if content else None

    def page(self, kind: str) -> Page:
        """Return the page of a list from the query parameters.

        Raises:
            HttpError: If the size or the token is invalid.
        """
        text = self.exchange.parameter("page_size")
        allowed = parameter_schema("PageSize")
        size = allowed["default"] if text is None else _number(text)
        if not allowed["minimum"] <= size <= allowed["maximum"]:
            raise refuse(BAD_QUERY, f"page_size must be a whole number from 1 to {allowed['maximum']}")
        token = self.exchange.parameter("page_token")
        return Page(size, "" if not token else _opened(kind, token))


def answer(status: int, model: DocumentModel, fields: Iterable[tuple[bytes, bytes]] = ()) -> Response:
    """Return a component of the API as a response that is not cached."""
    return json_response(status, model.to_wire(), fields)


def component(model: type[_Model], row: object, **fields: object) -> _Model:
    """Return a component of the API whose fields are the attributes of a row and the given fields.

    Attributes whose names end with `at` or `until` are seconds since 1970, and become date-times.
    """
    values = {name: getattr(row, name) for name in model.model_fields if name not in fields}
    times = {
        name: rfc3339_at(value)
        for name, value in values.items()
        if name.rpartition("_")[2] in ("at", "until")
    }
    return model(**values | times | fields)


def page_token(kind: str, last: str | None) -> str | None:
    """Return the token of the next page; absent on the last page.

    Args:
        kind: The list.
        last: The last item of this page; None on the last page.
    """
    return None if last is None else base64.urlsafe_b64encode(f"{kind}\n{last}".encode()).decode()


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


_Item = TypeVar("_Item", bound=_Identified)


def page_after(page: Page, items: Sequence[_Item]) -> tuple[Sequence[_Item], str | None]:
    """Return the items of a page of a list, and the id of the last one if another page follows.

    Raises:
        HttpError: If the last item of the previous page is not in the list.
    """
    ids = [item.id for item in items]
    if page.after and page.after not in ids:
        raise refuse(BAD_QUERY, WRONG_PAGE)
    begin = ids.index(page.after) + 1 if page.after else 0
    shown = items[begin : begin + page.size]
    return shown, shown[-1].id if len(items) > begin + len(shown) else None


def expiry(text: str) -> float:
    """Return the time of `expires_at` of a body, in seconds since 1970.

    Raises:
        HttpError: If it is not a date-time, or not in the future.
    """
    at = rfc3339_time(text)
    if at is None:
        raise faulty([("/expires_at", "must be a date and time of RFC 3339, such as 2027-01-01T00:00:00Z")])
    if at.timestamp() <= time.time():
        raise faulty([("/expires_at", "must be in the future; to never expire, leave it out")])
    if at.timestamp() > LAST_EXPIRY:
        raise faulty([("/expires_at", "must be before the year 10000; to never expire, leave it out")])
    return at.timestamp()


def state_of(request: OwnerRequest) -> str | None:
    """Return the state in the query as it is stored; None without one.

    Raises:
        HttpError: If there is no such state.
    """
    state, states = request.exchange.parameter("state"), parameter_schema("TaskState")["enum"]
    if state is not None and state not in states:
        raise refuse(BAD_QUERY, f"state must be one of {', '.join(states)}")
    return None if state is None else full_state(state)


def _number(text: str) -> int:
    """Return a whole number of at most 9 digits; 0 for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else 0


def _opened(kind: str, token: str) -> str:
    error = refuse(BAD_QUERY, WRONG_PAGE)
    if len(token) > parameter_schema("PageToken")["maxLength"]:
        raise error
    try:
        text = base64.b64decode(token.encode("ascii"), altchars=b"-_", validate=True).decode()
    except (ValueError, binascii.Error):
        raise error from None
    token_kind, _, last = text.partition("\n")
    if token_kind != kind or not last or not last.isprintable():
        raise error
    return last


def conflict(message: str) -> HttpError:
    """Return the error for a change that conflicts with the current state, to be raised."""
    return refuse(CONFLICT, message)
