"""The public URLs of the gateway and of its agents."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Urls:
    """The public URLs of a gateway.

    Attributes:
        base: The public URL of the gateway; of several the first.
    """

    base: str

    def agent(self, agent_id: str, base: str | None = None) -> str:
        """Return the public URL of an agent, below `base` where a request came in by another one."""
        return f"{self.base if base is None else base}/agents/{agent_id}"
