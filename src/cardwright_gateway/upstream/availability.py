"""Whether an agent behind the gateway can be reached, as its last call or check showed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from cardwright.errors import CardError, ConnectionDenied, PeerTimeout, PeerUnreachable
from cardwright.guard import target_of
from cardwright_gateway.a2a.problems import problem_of
from cardwright_gateway.errors import AgentOffline

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.guard import Guard, GuardedClient
    from cardwright_gateway.settings.agents import Http

# Errors that say that nothing of the agent was reached.
_UNREACHED: Final = (AgentOffline, ConnectionDenied, PeerUnreachable)


class Availability:
    """What the last call or check of an agent showed.

    Args:
        clock: Seconds since the epoch.

    Attributes:
        at: When something was learned last; minus infinity before that.
        error: Why the agent could not be reached then, for anybody to read; "" if it was reached.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self.at = float("-inf")
        self.error = ""

    def reached(self) -> None:
        """Note that the agent responded, or accepted a connection."""
        self.at, self.error = self._clock(), ""

    def failed(self, error: CardError) -> None:
        """Note an error that came before any response; one that does not show that the agent is away is ignored.

        A connection that broke does not: a caller could make an agent close it with a request.
        """
        if isinstance(error, PeerUnreachable) and error.connected:
            self.reached()
        elif isinstance(error, _UNREACHED):
            self.at, self.error = self._clock(), problem_of(error).message

    def note_denied(self, guard: Guard, http: Http) -> None:
        """Note if a guard denies the address of the agent itself."""
        target = target_of(http.url)
        try:
            if target.origin != http.configured:
                guard.check(target)
        except ConnectionDenied as error:
            self.failed(error)

    async def check(self, client: GuardedClient, http: Http) -> None:
        """Open a connection to the agent and close it, without a request."""
        try:
            await client.try_connection(http.url, configured=http.configured)
        except PeerTimeout as error:
            self.at, self.error = self._clock(), problem_of(error).message
        except CardError as error:
            self.failed(error)
        else:
            self.reached()
