"""Protection against other sites' web pages: DNS rebinding, as `cardwright.http.loopback`, and request forgery."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.http import loopback
from cardwright.http.problem import FORBIDDEN, refuse
from cardwright_gateway.auth.schemes import CREDENTIALS

if TYPE_CHECKING:
    from cardwright.http.request import Scope
    from cardwright_gateway.settings.config import GatewayConfig

_SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS")


def check_local(scope: Scope, config: GatewayConfig) -> None:
    """Refuse requests whose Host or Origin is another host.

    Raises:
        HttpError: If Host or Origin is neither a loopback host, nor the base URL, nor in `hosts` in the configuration.
    """
    loopback.check_local(
        scope,
        _names(config),
        fields=(b"host", b"origin"),
        server="gateway",
        remedy="add its name to `hosts` in the configuration",
    )


def check_origin(scope: Scope, config: GatewayConfig, base: str) -> None:
    """Refuse changes that a page of another site sends without credentials.

    Where the address of the caller is enough, as within a private network, the browser of somebody there lends it to
    every page. Credentials of the gateway are in header fields, which such a page cannot set.

    Raises:
        HttpError: If Origin is another host, and there are no credentials.
    """
    if scope["method"] in _SAFE_METHODS:
        return
    origins = [value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"]
    if not origins or any(name in CREDENTIALS for name, _ in scope["headers"]):
        return
    names = _names(config) | {loopback.host_of(base) or ""}
    if not all(loopback.is_local(origin, names) for origin in origins):
        raise refuse(
            FORBIDDEN,
            "Origin is not a host of this gateway, and the request has no credentials;"
            " to allow its pages, add its host to `hosts` in the configuration, or set `base_url`",
        )


def _names(config: GatewayConfig) -> set[str]:
    """Return the host names of the gateway, in lower case."""
    names = {name.lower() for name in config.hosts}
    if config.base_url:
        names.add(loopback.host_of(config.base_url) or "")
    return names
