"""`POST /files`: files that invocations refer to; the body is the file."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from typing import TYPE_CHECKING, Final

from cardwright.http.problem import (
    BAD_HEADER,
    BAD_QUERY,
    BODY_TOO_LARGE,
    INVALID_REQUEST,
    UNAUTHENTICATED,
    UNSUPPORTED_MEDIA_TYPE,
    refuse,
)
from cardwright.http.request import read_body
from cardwright_gateway.a2a.problems import FULL
from cardwright_gateway.api.invoke.attachments import files_owner
from cardwright_gateway.api.owner.request import answer, component
from cardwright_gateway.errors import UnknownAgent
from cardwright_gateway.file_errors import FilesFull, FileTooLarge
from cardwright_models.api import gateway as api

if TYPE_CHECKING:
    from cardwright.http.response import Response
    from cardwright_gateway.api.owner.request import OwnerRequest
    from cardwright_gateway.auth.principal import Principal

# What counts an upload that names no agent.
_NO_AGENT: Final = "/files"
_USUAL: Final = "application/octet-stream"
# RFC 9110 §8.3.1: a type with parameters.
_TYPE: Final = re.compile(
    r"[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:[ \t]*;[\t\x20-\x7e]*)?"
)
_LONGEST: Final = 255
_PATH: Final = re.compile(r"[/\\]")


async def uploaded(request: OwnerRequest) -> Response:
    """Store a file for its sender."""
    principal, counted = await _uploader(request)
    client = request.exchange.scope.get("client")
    await request.services.limiter.admit(counted, principal, str(client[0]) if client else "")
    name, media_type = _name(request), _media_type(request)
    files = request.services.files
    body = await read_body(request.exchange.receive, files.max_bytes)
    if not body:
        raise refuse(INVALID_REQUEST, "the body is the file, and there is none")
    put = partial(files.put, files_owner(principal), body, name=name, media_type=media_type)
    try:
        file = await asyncio.to_thread(put)
    except FileTooLarge as error:
        raise refuse(BODY_TOO_LARGE, f"{error}: send a smaller one") from None
    except FilesFull as error:
        message = f"{error}, and this one is too much: wait until others have expired, or send a smaller one"
        raise refuse(FULL, message) from None
    return answer(201, component(api.FileRecord, file, file_id=file.id))


async def _uploader(request: OwnerRequest) -> tuple[Principal, str]:
    """Return the sender of the file, and the agent whose rate limit counts the upload.

    The sender is a user, or a caller of the agent that `agent_id` names: then that agent's limit holds.

    Raises:
        HttpError: If the sender is anonymous.
        UnknownAgent: If there is no such agent for them.
    """
    agent_id = request.exchange.parameter("agent_id")
    if agent_id is None:
        return await request.services.authenticator.user(request.exchange.scope), _NO_AGENT
    agent = request.services.agents.get(agent_id)
    if agent is None:
        raise UnknownAgent(agent_id)
    principal = await request.services.authenticator.principal(agent.config, request.exchange.scope)
    if not files_owner(principal):
        raise refuse(UNAUTHENTICATED, "a file needs an owner: send a key of the agent, or a user's token")
    return principal, agent.id


def _name(request: OwnerRequest) -> str:
    name = request.exchange.parameter("name") or ""
    if len(name) > _LONGEST or not name.isprintable() or _PATH.search(name):
        raise refuse(BAD_QUERY, f"name has at most {_LONGEST} printable characters, and no slash")
    return name


def _media_type(request: OwnerRequest) -> str:
    given = request.exchange.header(b"content-type") or _USUAL
    if len(given) > _LONGEST or not _TYPE.fullmatch(given):
        raise refuse(BAD_HEADER, "Content-Type is a media type such as text/plain")
    if given.lower().startswith("multipart/form-data"):
        raise refuse(
            UNSUPPORTED_MEDIA_TYPE, "forms are not read: send the file as the body, its name as ?name="
        )
    return given
