"""The endpoints `/owners`: owners and their tokens, for the operator; an owner manages its own tokens."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from cardwright.dates import rfc3339_at
from cardwright.http.problem import FORBIDDEN, refuse
from cardwright.http.response import Response
from cardwright_gateway.api.owner.request import answer, component, expiry, page_after, page_token
from cardwright_gateway.database.audit import OPERATOR
from cardwright_gateway.errors import UnknownOwner
from cardwright_gateway_models.api import gateway as api

if TYPE_CHECKING:
    from cardwright_gateway.api.owner.request import OwnerRequest


async def list_owners(request: OwnerRequest) -> Response:
    """Return a page of the owners."""
    page = request.page("owners")
    await request.services.accounts.refresh()
    rest = sorted(owner_id for owner_id in request.services.accounts.owners if owner_id > page.after)
    ids = rest[: page.size]
    last = ids[-1] if len(rest) > len(ids) else None
    records = [_record(request, owner_id) for owner_id in ids]
    return answer(200, api.OwnerPage(owners=records, next_page_token=page_token("owners", last)))


async def get_owner(request: OwnerRequest) -> Response:
    """Return one owner."""
    return answer(200, _record(request, await _known(request)))


async def add_owner(request: OwnerRequest) -> Response:
    """Add an owner, as the operator."""
    body = await request.body(api.AddOwner)
    url = body.url
    owners = request.services.accounts.owners
    add = partial(owners.add, body.id, body.name, url, actor=request.principal.name)
    await asyncio.to_thread(add)
    location = f"{request.services.urls.base}/api/v1/owners/{body.id}".encode()
    return answer(201, _record(request, body.id), ((b"location", location),))


async def remove_owner(request: OwnerRequest) -> Response:
    """Remove an owner without agents, as the operator."""
    owner_id = await _known(request)
    await request.services.accounts.remove_owner(owner_id, actor=request.principal.name)
    return _no_content()


async def list_tokens(request: OwnerRequest) -> Response:
    """Return a page of the tokens of an owner."""
    owner_id, page = await _known(request), request.page("tokens")
    tokens = await asyncio.to_thread(request.services.accounts.tokens.list, owner_id)
    records, last = page_after(page, tokens)
    listed = [component(api.OwnerToken, record) for record in records]
    return answer(200, api.OwnerTokenPage(tokens=listed, next_page_token=page_token("tokens", last)))


async def issue_token(request: OwnerRequest) -> Response:
    """Issue a token, as the operator; no later response contains its secret.

    A token cannot issue another one, which would be valid after the first has expired or was revoked.
    """
    owner_id = await _known(request)
    if request.principal.name != OPERATOR:
        raise refuse(FORBIDDEN, "only the operator issues tokens of owners; ask for a new one")
    body = await request.body(api.IssueToken)
    issue = partial(
        request.services.accounts.tokens.issue,
        owner_id,
        actor=request.principal.name,
        name=body.name or "",
        expires_at=None if body.expires_at is None else expiry(body.expires_at),
    )
    token, secret = await asyncio.to_thread(issue)
    return answer(201, component(api.OwnerTokenIssued, token, token=secret))


async def revoke_token(request: OwnerRequest) -> Response:
    """Revoke a token; a revoked token stays revoked."""
    owner_id, actor = await _known(request), request.principal.name
    tokens = request.services.accounts.tokens
    await asyncio.to_thread(partial(tokens.revoke, request.params["token"], holder=owner_id, actor=actor))
    return _no_content()


async def _known(request: OwnerRequest) -> str:
    """Return the id of the owner in the path.

    Raises:
        UnknownOwner: If there is no such owner.
    """
    owner_id, accounts = request.params["owner"], request.services.accounts
    if owner_id not in accounts.owners:
        # Another process may have added it just now.
        await accounts.refresh()
    if owner_id not in accounts.owners:
        raise UnknownOwner(owner_id)
    return owner_id


def _record(request: OwnerRequest, owner_id: str) -> api.OwnerRecord:
    owners = request.services.accounts.owners
    owner, created_at = owners[owner_id], owners.created_at(owner_id)
    return api.OwnerRecord(
        id=owner_id,
        name=owner.name,
        url=owner.url,
        added=created_at is not None,
        created_at=rfc3339_at(created_at),
    )


def _no_content() -> Response:
    return Response(204, ((b"cache-control", b"no-store"),))
