"""The endpoints `/agents/{agentId}/keys`: the keys that an owner issues to callers."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from pydantic import MISSING

from cardwright.dates import rfc3339_time
from cardwright.http.problem import BAD_QUERY, refuse
from cardwright.http.response import Response
from cardwright_gateway.a2a.problems import FULL, KEY_NOT_FOUND, faulty
from cardwright_gateway.api.owner.request import answer, component, conflict, page_token
from cardwright_gateway.auth.agent_keys import LAST_EXPIRY, Quota
from cardwright_models.api import gateway as api

if TYPE_CHECKING:
    from cardwright_gateway.api.owner.request import OwnerRequest
    from cardwright_gateway.catalog.agent import Agent

# Valid keys of one agent (project decision).
MAX_KEYS: Final = 1_000
_NOT_ALIVE: Final = "the key was revoked or has expired; issue a new key"


async def list_keys(request: OwnerRequest) -> Response:
    """Return a page of the keys of an agent."""
    agent, page = request.own(), request.page("keys")
    keys = await _keys_of(request, agent)
    ids = [key.id for key in keys]
    if page.after and page.after not in ids:
        raise refuse(
            BAD_QUERY, "page_token must be the next_page_token of the previous page of the same list"
        )
    begin = ids.index(page.after) + 1 if page.after else 0
    page_keys = keys[begin : begin + page.size]
    last = page_keys[-1].id if len(keys) > begin + len(page_keys) else None
    records = [component(api.KeyRecord, key, quota=_quota(key)) for key in page_keys]
    return answer(200, api.KeyPage(keys=records, next_page_token=page_token("keys", last)))


async def issue_key(request: OwnerRequest) -> Response:
    """Issue a key; no later response contains its secret."""
    agent = request.own()
    body = await request.body(api.IssueKey)
    expires_at = None if body.expires_at is MISSING else _expiry(body.expires_at)
    quota = None if body.quota is MISSING else Quota(body.quota.requests, body.quota.seconds)
    name = "" if body.name is MISSING else body.name
    if not name.isprintable():
        raise faulty([("/name", "a name may have only printable characters")])
    valid = [key for key in await _keys_of(request, agent) if _is_valid(key)]
    if len(valid) >= MAX_KEYS:
        raise refuse(FULL, f"the agent has the maximum of {MAX_KEYS:,} valid keys; revoke one first")
    issue = partial(
        request.services.keys.issue,
        agent.id,
        agent.config.owner,
        actor=request.principal.name,
        name=name,
        quota=quota,
        expires_at=expires_at,
    )
    key, secret = await asyncio.to_thread(issue)
    return answer(201, component(api.KeyIssued, key, quota=_quota(key), secret=secret))


async def rotate_key(request: OwnerRequest) -> Response:
    """Rotate the secret of a key; no later response contains it."""
    agent, known = request.own(), await _known(request)
    if not _is_valid(known):
        raise conflict(_NOT_ALIVE)
    rotate = partial(request.services.keys.rotate, known.id, agent_id=agent.id, actor=request.principal.name)
    key, secret = await asyncio.to_thread(rotate)
    return answer(200, component(api.KeyIssued, key, quota=_quota(key), secret=secret))


async def revoke_key(request: OwnerRequest) -> Response:
    """Revoke a key; a revoked key stays revoked."""
    agent, known = request.own(), await _known(request)
    revoke = partial(request.services.keys.revoke, known.id, agent_id=agent.id, actor=request.principal.name)
    await asyncio.to_thread(revoke)
    return Response(204, ((b"cache-control", b"no-store"),))


def _quota(key: Any) -> api.Quota | None:
    return None if key.quota is None else component(api.Quota, key.quota)


async def _known(request: OwnerRequest) -> Any:
    """Return the key in the path.

    Raises:
        UnknownAgent: If the agent is not the caller's.
        HttpError: If the agent has no such key.
    """
    agent = request.own()
    key = next((key for key in await _keys_of(request, agent) if key.id == request.params["key"]), None)
    if key is None:
        raise refuse(KEY_NOT_FOUND, "the agent has no such key; list its keys to get their ids")
    return key


async def _keys_of(request: OwnerRequest, agent: Agent) -> list[Any]:
    """Return the keys that the agent's owner issued; another owner may have used the agent's id before."""
    keys = await asyncio.to_thread(request.services.keys.list, agent.id)
    return [key for key in keys if key.owner_id == agent.config.owner]


def _is_valid(key: Any) -> bool:
    return key.revoked_at is None and (key.expires_at is None or key.expires_at > time.time())


def _expiry(text: str) -> float:
    at = rfc3339_time(text)
    if at is None:
        raise faulty([("/expires_at", "must be a date and time of RFC 3339, such as 2027-01-01T00:00:00Z")])
    if at.timestamp() <= time.time():
        raise faulty([("/expires_at", "must be in the future; for a key that does not expire, remove it")])
    if at.timestamp() > LAST_EXPIRY:
        raise faulty(
            [("/expires_at", "must be before the year 10000; for a key that does not expire, remove it")]
        )
    return at.timestamp()
