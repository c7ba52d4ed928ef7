"""Protection of a local gateway against DNS rebinding (CVE-2025-66414, -66416).

Any web page can send requests to 127.0.0.1, and read the responses through a host name that resolves to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from cardwright.http.problem import refuse
from cardwright_gateway.a2a.problems import FORBIDDEN

if TYPE_CHECKING:
    from cardwright.http.request import Scope
    from cardwright_gateway.settings.config import GatewayConfig

_LOOPBACK_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})


def check_local(scope: Scope, config: GatewayConfig) -> None:
    """Refuse requests whose Host or Origin is another host.

    Raises:
        HttpError: If Host or Origin is neither a loopback host, nor the base URL, nor in `hosts` in the configuration.
    """
    for name, value in scope["headers"]:
        if name == b"host" and not _known(f"//{value.decode('latin-1')}", config):
            raise refuse(
                FORBIDDEN,
                "this gateway accepts requests from this machine only, and Host is another host;"
                " to allow it, add its name to `hosts` in the configuration",
            )
        if name == b"origin" and not _known(value.decode("latin-1"), config):
            raise refuse(
                FORBIDDEN,
                "this gateway accepts requests from this machine only, and Origin is another host;"
                " to allow it, add its name to `hosts` in the configuration",
            )


def _known(origin: str, config: GatewayConfig) -> bool:
    try:
        host = urlsplit(origin).hostname
    except ValueError:
        return False
    if host is None:
        return False
    names = {name.lower() for name in config.hosts}
    if config.base_url:
        names.add(urlsplit(config.base_url).hostname or "")
    return host in _LOOPBACK_HOSTS or host in names
