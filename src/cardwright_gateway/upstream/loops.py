"""Loops: requests that come back to the gateway that sent them, recognised by `CDN-Loop` (RFC 8586)."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cardwright.http.problem import BAD_QUERY, refuse
from cardwright_gateway.a2a.problems import loop_detected
from cardwright_gateway.single_flight import RECEIVED_LOOP

if TYPE_CHECKING:
    from collections.abc import Generator

    from cardwright.http.request import Scope

FIELD: Final = "cdn-loop"
# The maximum size of a received field. A longer one makes upstream servers refuse the request (project decision).
_MAX_BYTES: Final = 1024


@dataclass(frozen=True, slots=True)
class Loops:
    """Detection of loops.

    Attributes:
        gateway_id: The id of the gateway, the same in all its processes.
    """

    gateway_id: str

    @property
    def name(self) -> str:
        """The gateway in `CDN-Loop`: a pseudonym (RFC 8586 §2)."""
        return f"cardwright-{self.gateway_id}"

    def fields(self) -> dict[str, str]:
        """Return the header fields of a request to an upstream: this gateway after those that came before."""
        received = RECEIVED_LOOP.get()
        return {FIELD: f"{received}, {self.name}" if received else self.name}

    @contextmanager
    def propagated(self, scope: Scope) -> Generator[None]:
        """Have all requests that the block sends pass on the `CDN-Loop` of a request, unless it is too long."""
        value = "" if _too_long(scope) else _field_value(scope)
        if not value:
            yield
            return
        token = RECEIVED_LOOP.set(value)
        try:
            yield
        finally:
            RECEIVED_LOOP.reset(token)

    def check(self, scope: Scope) -> None:
        """Refuse a request that this gateway sent itself; other gateways in the list are no loop.

        Raises:
            HttpError: With status 508; with status 400 if the field is too long.
        """
        if _too_long(scope):
            message = (
                f"the header field CDN-Loop has more than {_MAX_BYTES:,} bytes; send a shorter one, or none"
            )
            raise refuse(BAD_QUERY, message)
        # A parameter may follow each name, and names are case-insensitive hosts or tokens (RFC 8586 §2).
        names = (entry.partition(";")[0].strip().lower() for entry in _field_value(scope).split(","))
        if self.name in names:
            raise loop_detected()


def _too_long(scope: Scope) -> bool:
    return sum(len(value) for name, value in scope["headers"] if name == b"cdn-loop") > _MAX_BYTES


def _field_value(scope: Scope) -> str:
    """Return the `CDN-Loop` of a request, repeated fields joined; without what cannot be sent again."""
    values = (value.decode("latin-1") for name, value in scope["headers"] if name == b"cdn-loop")
    return ", ".join(
        value for value in map(str.strip, values) if value.isascii() and value.isprintable() and value
    )
