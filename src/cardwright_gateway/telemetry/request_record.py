"""What is noted of one request while it is answered, and told when it is over: to the log and the counters."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cardwright_gateway.telemetry.logs import access

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from cardwright_gateway.telemetry.metrics import Metrics

# Where the scope of a request has it.
_SEEN: Final = "cardwright.seen"
# Asked for every few seconds by those who watch over it: a log full of them tells nothing (ours).
_QUIET: Final = frozenset({"healthz", "readyz", "metrics"})


@dataclass(slots=True)
class RequestRecord:
    """What is known of a request.

    Attributes:
        kind: What was asked for, such as `jsonrpc`; one of a few words.
        agent: The id of the agent, where there is one of that id.
        key: The id of the key that it came with.
        limited: Whether it came too often.
        quiet: Whether it is told only to those who want to know everything.
    """

    kind: str = "none"
    agent: str = ""
    key: str = ""
    limited: bool = False
    quiet: bool = False

    def within(self, scope: Mapping[str, Any]) -> dict[str, Any]:
        """Return the scope of the request with this in it."""
        return {**scope, _SEEN: self}

    def over(self, metrics: Metrics, status: int, seconds: float) -> None:
        """Tell that it was answered."""
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
            level=logging.DEBUG if self.quiet or self.kind in _QUIET else logging.INFO,
        )


def seen_in(scope: Mapping[str, Any]) -> RequestRecord:
    """Return what is known of a request; of one that did not come through the application, nothing is kept."""
    found = scope.get(_SEEN)
    return found if isinstance(found, RequestRecord) else RequestRecord()
