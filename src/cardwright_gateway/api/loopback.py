"""Requests to a gateway of this machine alone: only those that were meant for it (CVE-2025-66414, -66416).

A page of any site may send requests to 127.0.0.1, and by a name of its own that leads there read the answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from cardwright.http.problem import refuse
from cardwright_gateway.a2a.problems import FORBIDDEN

if TYPE_CHECKING:
    from cardwright.http.request import Scope
    from cardwright_gateway.settings.config import GatewayConfig

_OWN: Final = frozenset({"localhost", "127.0.0.1", "::1"})


def check_local(scope: Scope, config: GatewayConfig) -> None:
    """Refuse what was meant for another host, or comes from a page of one.

    Raises:
        HttpError: If Host or Origin is of neither this machine, nor the base URL, nor the configuration.
    """
    for name, value in scope["headers"]:
        if name == b"host" and not _known(f"//{value.decode('latin-1')}", config):
            raise refuse(
                FORBIDDEN,
                "this gateway answers this machine alone, and Host names another:"
                " put the name into `hosts` of its configuration if it is meant",
            )
        if name == b"origin" and not _known(value.decode("latin-1"), config):
            raise refuse(
                FORBIDDEN,
                "this gateway answers this machine alone, and Origin is a page of another host:"
                " put its name into `hosts` of the configuration if it is meant",
            )


def _known(origin: str, config: GatewayConfig) -> bool:
    try:
        host = urlsplit(origin).hostname
    except ValueError:
        return False
    if host is None:
        return False
    named = {one.lower() for one in config.hosts}
    if config.base_url:
        named.add(urlsplit(config.base_url).hostname or "")
    return host in _OWN or host in named
