"""The endpoint `/openapi.json`: the OpenAPI description of this API."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

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
# The tag of the operations that `compat: beeos` adds.
_COMPAT: Final = "beeos"


async def get_description(request: OwnerRequest) -> Response:
    """Return the description; it is public."""
    services = request.services
    return body_response(200, description_bytes(services.urls.base, compat=services.compat), _FIELDS)


@cache
def description_bytes(base: str, *, compat: bool) -> bytes:
    """Return the description of the routes that are served below a URL, with or without those of `compat: beeos`."""
    document: dict[str, Any] = {**description(), "servers": [{"url": base}]}
    if not compat:
        # These routes are not served.
        document["tags"] = [tag for tag in document["tags"] if tag["name"] != _COMPAT]
        served = {
            path: {method: one for method, one in item.items() if _COMPAT not in one["tags"]}
            for path, item in document["paths"].items()
        }
        document["paths"] = {path: item for path, item in served.items() if item}
    return json_bytes(document)
