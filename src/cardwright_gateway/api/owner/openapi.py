"""The endpoint `/openapi.json`: the OpenAPI description of this API."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from cardwright.http.representation import json_bytes
from cardwright_gateway.a2a.responses import body_response
from cardwright_gateway.api.description import description

if TYPE_CHECKING:
    from cardwright.http.response import Response
    from cardwright_gateway.api.owner.request import OwnerRequest

_FIELDS: Final = (
    (b"content-type", b"application/json"),
    (b"cache-control", b"public, max-age=300"),
    (b"access-control-allow-origin", b"*"),
)


async def get_description(request: OwnerRequest) -> Response:
    """Return the description; it is public."""
    return body_response(200, _bytes(request.services.urls.base), _FIELDS)


@cache
def _bytes(base: str) -> bytes:
    return json_bytes({**description(), "servers": [{"url": base}]})
