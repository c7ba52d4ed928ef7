"""The rate limit of a caller after a request, as header fields (draft-ietf-httpapi-ratelimit-headers-10)."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The rate limit of a caller after a request.

    Attributes:
        policy: What is limited: `calls`, `uploads`, `tasks` or `changes`.
        requests: The maximum number of requests in the window.
        seconds: The length of the window.
        remaining: How many more requests the caller may send now.
        reset: Seconds until it may send one more than that.
    """

    policy: str
    requests: int
    seconds: int
    remaining: int
    reset: float

    @property
    def fields(self) -> tuple[tuple[bytes, bytes], ...]:
        """The fields `RateLimit-Policy` and `RateLimit`.

        >>> RateLimit("calls", 60, 60, 59, 59.2).fields[1]
        (b'ratelimit', b'"calls";r=59;t=60')
        """
        policy = f'"{self.policy}";q={self.requests};w={self.seconds}'
        # Rounded up: at the very end of a window its first request still counts.
        state = f'"{self.policy}";r={self.remaining};t={math.floor(self.reset) + 1}'
        return (b"ratelimit-policy", policy.encode()), (b"ratelimit", state.encode())
