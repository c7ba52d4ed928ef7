"""The endpoints `/agents/{agentId}/keys`: the keys that an owner issues to callers."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from cardwright.http.problem import refuse
from cardwright.http.response import Response
from cardwright_gateway.a2a.problems import KEY_NOT_FOUND, faulty
from cardwright_gateway.api.owner.request import answer, component, conflict, expiry, page_after, page_token
from cardwright_gateway.auth.agent_keys import Quota
from cardwright_gateway_models.api import gateway as api

if TYPE_CHECKING:
    from cardwright_gateway.api.owner.request import OwnerRequest
    from cardwright_gateway.auth.agent_keys import KeyRecord
    from cardwright_gateway.catalog.agent import Agent

_NOT_ALIVE: Final = "the key was revoked or has expired; issue a new key"


async def list_keys(request: OwnerRequest) -> Response:
    """Return a page of the keys of an agent."""
    agent, page = request.own(), request.page("keys")
    shown, last = page_after(page, await _keys_of(request, agent))
    records = [component(api.KeyRecord, key, quota=_quota(key)) for key in shown]
    return answer(200, api.KeyPage(keys=records, next_page_token=page_token("keys", last)))


async def issue_key(request: OwnerRequest) -> Response:
    """Issue a key; no later response contains its secret."""
    agent = request.own()
    body = await request.body(api.IssueKey)
    expires_at = None if body.expires_at is None else expiry(body.expires_at)
    quota = None if body.quota is None else Quota(body.quota.requests, body.quota.seconds)
    name = "" if body.name is None else _name(body.name)
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
    return answer(201, component(api.KeyIssued, key, quota=_quota(key), key=secret))


async def change_key(request: OwnerRequest) -> Response:
    """Change the name, quota or expiry of a key, or pause it."""
    agent, known = request.own(), await _known(request)
    body = await request.body(api.ChangeKey)
    changes: dict[str, Any] = {}
    if body.name is not None:
        changes["name"] = _name(body.name)
    if "expires_at" in body.model_fields_set:
        changes["expires_at"] = None if body.expires_at is None else expiry(body.expires_at)
    if "quota" in body.model_fields_set:
        changes["quota"] = None if body.quota is None else Quota(body.quota.requests, body.quota.seconds)
    if body.paused is not None:
        changes["paused"] = body.paused
    if not known.is_valid(time.time()):
        raise conflict(_NOT_ALIVE)
    change = partial(
        request.services.keys.change, known.id, holder=agent.id, actor=request.principal.name, **changes
    )
    key = await asyncio.to_thread(change)
    return answer(200, component(api.KeyRecord, key, quota=_quota(key)))


async def rotate_key(request: OwnerRequest) -> Response:
    """Rotate the secret of a key; no later response contains it."""
    agent, known = request.own(), await _known(request)
    body = await request.optional_body(api.RotateKey)
    overlap = body.overlap_seconds or 0 if body else 0
    if not known.is_valid(time.time()):
        raise conflict(_NOT_ALIVE)
    rotate = partial(
        request.services.keys.rotate,
        known.id,
        holder=agent.id,
        actor=request.principal.name,
        overlap_seconds=overlap,
    )
    key, secret = await asyncio.to_thread(rotate)
    return answer(200, component(api.KeyIssued, key, quota=_quota(key), key=secret))


async def revoke_key(request: OwnerRequest) -> Response:
    """Revoke a key; a revoked key stays revoked."""
    agent, known = request.own(), await _known(request)
    revoke = partial(request.services.keys.revoke, known.id, holder=agent.id, actor=request.principal.name)
    await asyncio.to_thread(revoke)
    return Response(204, ((b"cache-control", b"no-store"),))


def _quota(key: KeyRecord) -> api.Quota | None:
    return None if key.quota is None else component(api.Quota, key.quota)


async def _known(request: OwnerRequest) -> KeyRecord:
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


async def _keys_of(request: OwnerRequest, agent: Agent) -> list[KeyRecord]:
    """Return the keys that the agent's owner issued; another owner may have used the agent's id before."""
    keys = await asyncio.to_thread(request.services.keys.list, agent.id)
    return [key for key in keys if key.owner_id == agent.config.owner]


def _name(name: str) -> str:
    if not name.isprintable():
        raise faulty([("/name", "a name may have only printable characters")])
    return name
