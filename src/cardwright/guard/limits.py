"""How much of a response is read, how many redirects are followed, and which fields a caller cannot set."""

from __future__ import annotations

from typing import Final

# reliability.md 2a: a card has at most 256 KiB.
MAX_BYTES: Final = 256 * 1024
# reliability.md 2c.
MAX_REDIRECTS: Final = 3
# What the client says itself; another word there would undo what it guards.
OWN_FIELDS: Final = frozenset({
    "accept-encoding", "connection", "content-length", "expect", "host", "if-modified-since", "if-none-match",
    "keep-alive", "proxy-authorization", "proxy-connection", "range", "te", "trailer", "transfer-encoding", "upgrade",
})  # fmt: skip
