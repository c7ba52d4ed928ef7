"""Protection against other sites' web pages: DNS rebinding (CVE-2025-66414, -66416).

Any web page can send requests to 127.0.0.1, and read the responses through a host name that resolves to it. Such a
request has this name in Host, so a server that only this machine can reach accepts no other name than its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from cardwright.http.problem import FORBIDDEN, refuse

if TYPE_CHECKING:
    from collections.abc import Collection

    from cardwright.http.request import Scope

# What Host has in a request to a server on this machine. Other addresses of 127.0.0.0/8 must be named.
_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_NAMES: Final = {b"host": "Host", b"origin": "Origin"}


def host_of(origin: str) -> str | None:
    """Return the host of an origin such as `https://a.example:8080`, in lower case; None if it has none."""
    try:
        return urlsplit(origin).hostname
    except ValueError:
        return None


def is_local(origin: str, names: Collection[str]) -> bool:
    """Return whether the host of an origin is this machine, or one of the names, which are in lower case."""
    host = host_of(origin)
    return host is not None and (host in _HOSTS or host in names)


def check_local(
    scope: Scope, names: Collection[str], *, fields: Collection[bytes], server: str, remedy: str
) -> None:
    """Refuse a request whose Host, or Origin, is another host.

    Args:
        scope: The ASGI scope.
        names: The host names that are accepted beside those of loopback, in lower case.
        fields: The header fields to check: `host` and `origin`, or one of them.
        server: What refuses, for the message.
        remedy: How to accept another name, for the message.

    Raises:
        HttpError: If a field has another host. A missing Host is left to the HTTP version: no web page sends that.
    """
    for name, value in scope["headers"]:
        if name not in fields or (name == b"host" and not value):
            continue
        text = value.decode("latin-1")
        if not is_local(text if name == b"origin" else f"//{text}", names):
            raise refuse(
                FORBIDDEN,
                f"this {server} accepts requests from this machine only, and {_NAMES[name]} is another host;"
                f" to allow it, {remedy}",
            )
