"""The endpoint `POST /files`: upload a file for invocations; the body is the file."""

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
from cardwright_gateway.a2a.problems import FULL
from cardwright_gateway.api.invoke.attachments import files_owner
from cardwright_gateway.api.owner.request import answer, component
from cardwright_gateway.auth.authenticator import check_key_runs
from cardwright_gateway.auth.limiter import UPLOADS
from cardwright_gateway.errors import UnknownAgent
from cardwright_gateway.file_errors import FilesFull, FileTooLarge
from cardwright_gateway_models.api import gateway as api

if TYPE_CHECKING:
    from cardwright.http.response import Response
    from cardwright_gateway.api.owner.request import OwnerRequest
    from cardwright_gateway.auth.principal import Principal

_DEFAULT_TYPE: Final = "application/octet-stream"
# RFC 9110 §8.3.1: a type with parameters.
_TYPE: Final = re.compile(
    r"[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:[ \t]*;[\t\x20-\x7e]*)?"
)
_MAX_CHARACTERS: Final = 255
_PATH: Final = re.compile(r"[/\\]")


async def upload_file(request: OwnerRequest) -> Response:
    """Store a file for its sender."""
    principal, counted = await _uploader(request)
    check_key_runs(principal)
    request.exchange.rate_limit = await request.services.limiter.admit(counted, principal, "")
    name, media_type = _name(request), _media_type(request)
    files = request.services.files
    request.exchange.owner = principal.owner_id
    body = await request.exchange.body(principal.name, files.max_bytes)
    if not body:
        raise refuse(INVALID_REQUEST, "the body is empty; send the file as the body")
    put = partial(files.put, files_owner(principal), body, name=name, media_type=media_type)
    try:
        file = await asyncio.to_thread(put)
    except FileTooLarge as error:
        raise refuse(BODY_TOO_LARGE, f"{error}; send a smaller file") from None
    except FilesFull as error:
        message = f"{error}; wait until other files expire, or send a smaller file"
        raise refuse(FULL, message) from None
    return answer(201, component(api.FileRecord, file, file_id=file.id))


async def _uploader(request: OwnerRequest) -> tuple[Principal, str]:
    """Return the sender of the file, and the agent whose rate limit counts the upload.

    The sender is a user, or a caller with a key, whose agent's limit applies then. `agent_id` may name the agent.

    Raises:
        HttpError: If the sender is anonymous.
        UnknownAgent: If there is no such agent for the sender.
    """
    agent_id = request.exchange.parameter("agent_id")
    if agent_id is None:
        principal = await request.caller()
        return principal, principal.agent_id or UPLOADS
    agent = request.services.agents.get(agent_id)
    if agent is None:
        raise UnknownAgent(agent_id)
    principal = await request.services.authenticator.principal(agent.config, request.exchange.scope)
    if not files_owner(principal):
        raise refuse(
            UNAUTHENTICATED, "uploads require credentials; send a key of the agent, or a user's token"
        )
    return principal, agent.id


def _name(request: OwnerRequest) -> str:
    name = request.exchange.parameter("name") or ""
    if len(name) > _MAX_CHARACTERS or not name.isprintable() or _PATH.search(name):
        raise refuse(
            BAD_QUERY, f"name must have at most {_MAX_CHARACTERS} printable characters, and no slash"
        )
    return name


def _media_type(request: OwnerRequest) -> str:
    content_type = request.exchange.header(b"content-type") or _DEFAULT_TYPE
    if len(content_type) > _MAX_CHARACTERS or not _TYPE.fullmatch(content_type):
        raise refuse(BAD_HEADER, "Content-Type must be a media type such as text/plain")
    if content_type.lower().startswith("multipart/form-data"):
        raise refuse(
            UNSUPPORTED_MEDIA_TYPE,
            "forms are not supported; send the file as the body, and its name as ?name=",
        )
    return content_type
