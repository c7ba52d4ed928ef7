"""Strict parsing of gRPC addresses, which cards write in several forms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from cardwright.errors import ConnectionDenied
from cardwright.guard.target import target_of
from cardwright.hosts import special
from cardwright_runtime.violation import clipped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.guard.target import Target
    from cardwright.hosts import Address

# Whether a scheme means TLS; None: the form does not say. `dns` is gRPC's own (gRPC, Name Resolution).
_SCHEMES: Final = {"https": True, "grpcs": True, "http": False, "grpc": False, "dns": None, "": None}


@dataclass(frozen=True, slots=True)
class GrpcTarget:
    """The target of a gRPC call.

    Attributes:
        target: The host and port, as a URL of https, or of http if the address says that there is no TLS.
        tls: Whether the connection has TLS; None if the address does not say.
    """

    target: Target
    tls: bool | None

    @property
    def safe_url(self) -> str:
        """The address for messages: the host and port, with the scheme if the address has one."""
        target = self.target
        host = f"[{target.host}]" if ":" in target.host else target.host
        return clipped(target.origin if self.tls is not None else f"{host}:{target.port}")

    def at(self, addresses: Iterable[Address]) -> Target:
        """Return the target with the scheme of the connection, given its resolved addresses.

        An address without a scheme means TLS at public addresses (A2A 1.0 §7.1: production deployments use
        encrypted communication), and none on this machine and in private networks, where few servers have a
        certificate (project decision).
        """
        tls = self.tls if self.tls is not None else not all(map(special, addresses))
        return replace(self.target, scheme="https" if tls else "http")


def grpc_target(url: str) -> GrpcTarget:
    """Parse a gRPC address: `host:port`, `https://…`, `http://…`, `grpcs://…`, `grpc://…` or `dns:///host:port`.

    A path is ignored: that of a gRPC request is the name of its method.

    >>> grpc_target("Example.com:50051").safe_url, grpc_target("grpcs://example.com/a").target.port
    ('example.com:50051', 443)

    Raises:
        ConnectionDenied: As `target_of`.
    """
    scheme, separator, rest = url.partition("://")
    if not separator:
        scheme, rest = ("dns", url[4:]) if url[:4].lower() == "dns:" else ("", url)
    scheme = scheme.strip().lower()
    if scheme not in _SCHEMES:
        raise ConnectionDenied(
            "guard/scheme",
            f"the URL has the scheme {clipped(scheme)}; a gRPC address is host:port or an https URL",
        )
    tls = _SCHEMES[scheme]
    # The first part of `dns://resolver/host` is a name server, which only the operator may choose.
    rest = rest.removeprefix("/") if scheme == "dns" else rest
    if tls is None and "/" in rest:
        # Also the other forms of gRPC, such as `unix:/path`.
        raise ConnectionDenied("guard/url", "the gRPC address is neither host:port nor a URL")
    target = target_of(f"{'http' if tls is False else 'https'}://{rest}")
    return GrpcTarget(replace(target, path="/"), tls)
