"""`/openapi.json`: this API, described."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from cardwright.gateway.answering import body_reply
from cardwright.gateway.described import description
from cardwright.serve.representation import json_bytes

if TYPE_CHECKING:
    from cardwright.gateway.answering import Reply
    from cardwright.gateway.owners.asked import Asked

_FIELDS: Final = (
    (b"content-type", b"application/json"),
    (b"cache-control", b"public, max-age=300"),
    (b"access-control-allow-origin", b"*"),
)


async def described(asked: Asked) -> Reply:
    """Answer with the description; everybody may see it."""
    return body_reply(200, _bytes(asked.gateway.base), _FIELDS)


@cache
def _bytes(base: str) -> bytes:
    return json_bytes({**description(), "servers": [{"url": base}]})
