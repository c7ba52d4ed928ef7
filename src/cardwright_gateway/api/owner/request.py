"""One request to the owners' API, pages of lists, and responses."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeVar

from pydantic import MISSING

from cardwright.dates import rfc3339
from cardwright.http.problem import BAD_QUERY, CARD_NOT_FOUND, ErrorCode, HttpError, Problem, refuse
from cardwright_gateway.a2a.bodies import check_json, read_body
from cardwright_gateway.a2a.problems import CONFLICT
from cardwright_gateway.a2a.responses import json_reply
from cardwright_gateway.api.description import parameter_schema, read_model
from cardwright_gateway.api.queries import fields_of
from cardwright_gateway.errors import UnknownAgent
from cardwright_runtime.documents import DocumentModel

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright.http.request import Receive, Scope
    from cardwright_gateway.a2a.responses import Reply
    from cardwright_gateway.api.owner.services import OwnerServices
    from cardwright_gateway.auth.principal import Principal
    from cardwright_gateway.catalog.agent import Agent

# RFC 4918 §11.5: no room for what is to be kept.
FULL: Final = ErrorCode(507, "FULL", code=-32603, name="RESOURCE_EXHAUSTED")
NOTHING_HERE: Final = Problem(
    CARD_NOT_FOUND, "there is nothing here: /api/v1/openapi.json says what there is"
)
_MAX_DIGITS: Final = 9
_Model = TypeVar("_Model", bound=DocumentModel)


@dataclass(frozen=True)
class Page:
    """The page of a list that a request names.

    Attributes:
        size: The maximum number of items.
        after: The last item of the page before; "" on the first page.
    """

    size: int
    after: str


@dataclass(frozen=True)
class Asked:
    """A request.

    Attributes:
        services: What endpoints use.
        principal: Who asks.
        steps: What the path names.
        scope: Of ASGI.
        receive: Of ASGI.
    """

    services: OwnerServices
    principal: Principal
    steps: Mapping[str, str]
    scope: Scope
    receive: Receive

    def own(self) -> Agent:
        """Return the agent that the path names, which is the caller's.

        Raises:
            UnknownAgent: If there is none, or it is somebody else's.
        """
        return self.own_of(self.steps["agent"])

    def own_of(self, agent_id: str) -> Agent:
        """Return an agent of the caller's.

        Raises:
            UnknownAgent: If there is none, or it is somebody else's.
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

    async def body(self, model: type[_Model]) -> _Model:
        """Return the body as a component of the API, whose schema validates it.

        Raises:
            HttpError: If it breaks the schema, is too large or no JSON.
            Gone: If the caller left.
        """
        check_json(self.scope)
        most = self.services.max_body_bytes
        return read_model(await read_body(self.receive, most), model, most)

    @cached_property
    def _fields(self) -> list[tuple[str, str]]:
        return fields_of(self.scope)

    def field(self, name: str) -> str | None:
        """Return a parameter of the query; None where it is not there.

        Raises:
            HttpError: If it is there twice.
        """
        found = [value for one, value in self._fields if one == name]
        if len(found) > 1:
            raise refuse(BAD_QUERY, f"{name} stands in the query more than once")
        return found[0] if found else None

    def header(self, name: bytes) -> str | None:
        """Return a field of the header; None where it is not there.

        Raises:
            HttpError: If it is there twice.
        """
        found = [value for one, value in self.scope["headers"] if one == name]
        if len(found) > 1:
            raise refuse(BAD_QUERY, f"{name.decode()} stands in the header more than once")
        return found[0].decode("latin-1") if found else None

    def page(self, kind: str) -> Page:
        """Return the page of a list that the query names.

        Raises:
            HttpError: If its size or token is not valid.
        """
        text = self.field("page_size")
        allowed = parameter_schema("PageSize")
        size = allowed["default"] if text is None else _number(text)
        if not allowed["minimum"] <= size <= allowed["maximum"]:
            raise refuse(BAD_QUERY, f"page_size is a whole number from 1 to {allowed['maximum']}")
        token = self.field("page_token")
        return Page(size, "" if not token else _opened(kind, token))


def answer(status: int, model: DocumentModel, fields: Iterable[tuple[bytes, bytes]] = ()) -> Reply:
    """Return a component of the API as a response that is not cached."""
    return json_reply(status, model.to_wire(), fields)


def component(model: type[_Model], row: object, **fields: object) -> _Model:
    """Return a component of the API with the attributes of a row as its fields, besides the fields that are given.

    Where the component has a date-time, the row has seconds since 1970 in a field that ends with `at`.
    """
    values = {name: getattr(row, name) for name in model.model_fields if name not in fields}
    times = {name: moment(value) for name, value in values.items() if name.rpartition("_")[2] == "at"}
    return model(**values | times | fields)


def page_token(kind: str, last: str | None) -> str | MISSING:
    """Return the token of the page that follows; absent on the last page.

    Args:
        kind: The list.
        last: The last item of this page; None if no page follows.
    """
    return MISSING if last is None else base64.urlsafe_b64encode(f"{kind}\n{last}".encode()).decode()


def _number(text: str) -> int:
    """Return a whole number of few digits; 0 for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else 0


def _opened(kind: str, token: str) -> str:
    wrong = refuse(BAD_QUERY, "page_token is the next_page_token of the page before, of the same list")
    if len(token) > parameter_schema("PageToken")["maxLength"]:
        raise wrong
    try:
        told = base64.b64decode(token.encode("ascii"), altchars=b"-_", validate=True).decode()
    except (ValueError, binascii.Error):
        raise wrong from None
    of, _, last = told.partition("\n")
    if of != kind or not last or not last.isprintable():
        raise wrong
    return last


def moment(seconds: float | None) -> str | None:
    """Return a time as RFC 3339; None for none."""
    return None if seconds is None else rfc3339(datetime.fromtimestamp(seconds, UTC))


def conflict(message: str) -> HttpError:
    """Return why something cannot be done as things are, to be raised."""
    return refuse(CONFLICT, message)
