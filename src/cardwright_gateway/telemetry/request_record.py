"""Record of one request, written to the log and the metrics when it is complete."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cardwright_gateway.telemetry.logs import access

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cardwright_gateway.telemetry.metrics import Metrics

# The key in the ASGI scope.
_SCOPE_KEY: Final = "cardwright.seen"
# Requested every few seconds by monitoring, so logged only at level DEBUG (project decision).
_QUIET: Final = frozenset({"healthz", "readyz", "metrics"})


@dataclass(slots=True)
class RequestRecord:
    """The record of a request.

    Attributes:
        kind: The kind of request, such as `jsonrpc`; one of a few values.
        agent: The id of the agent, if it exists.
        key: The id of the caller's key.
        limited: Whether it was rejected by a rate limit.
        quiet: Whether it is logged only at level DEBUG.
        error: The reason of an error, and what caused it; without any text of the caller or the agent.
    """

    kind: str = "none"
    agent: str = ""
    key: str = ""
    limited: bool = False
    quiet: bool = False
    error: str = ""

    def within(self, scope: Mapping[str, Any]) -> dict[str, Any]:
        """Return the scope of the request with this record."""
        return {**scope, _SCOPE_KEY: self}

    def over(self, metrics: Metrics, status: int, seconds: float) -> None:
        """Count and log the completed request."""
        metrics.answered(self.kind, status, seconds)
        if status == 401:
            metrics.refused("unauthenticated")
        elif status == 429:
            metrics.refused("limited" if self.limited else "busy")
        access(
            agent=self.agent,
            kind=self.kind,
            status=status,
            seconds=seconds,
            key=self.key,
            error=self.error,
            level=logging.DEBUG if self.quiet or self.kind in _QUIET else logging.INFO,
        )


def record_of(scope: Mapping[str, Any]) -> RequestRecord:
    """Return the record of a request; a new one if the request did not come through the application."""
    record = scope.get(_SCOPE_KEY)
    return record if isinstance(record, RequestRecord) else RequestRecord()
