"""Limits of the guarded client: response size, redirects, and header fields that callers cannot set."""

from __future__ import annotations

from typing import Final

# A card has at most 256 KiB (project decision): six times the largest public card that was found.
MAX_BYTES: Final = 256 * 1024
# A well-known URL needs one, an apex domain another (project decision).
MAX_REDIRECTS: Final = 3
# The client sets these fields; other values would defeat its checks.
OWN_FIELDS: Final = frozenset({
    "accept-encoding", "connection", "content-length", "expect", "host", "if-modified-since", "if-none-match",
    "keep-alive", "proxy-authorization", "proxy-connection", "range", "te", "trailer", "transfer-encoding", "upgrade",
})  # fmt: skip
