"""Authentication of the operator by the `admin_token` of the settings."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def is_operator(scope: Mapping[str, Any], admin_token: str | None) -> bool:
    """Return whether a request has the operator's token as its Bearer token (RFC 6750 §2.1).

    Args:
        scope: The request.
        admin_token: The token; None if the settings have no token; then the result is False.
    """
    values = [value for name, value in scope["headers"] if name == b"authorization"]
    scheme, _, sent = (values[0] if len(values) == 1 else b"").partition(b" ")
    return (
        admin_token is not None
        and scheme.lower() == b"bearer"
        and hmac.compare_digest(sent.strip(), admin_token.encode())
    )
