"""Many origins in one process: every address 127.x.y.z is a host with its own card.

Run as `python -m benchmarks.origins PORT`. `/count` returns the statistics.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import time
from email.utils import formatdate
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.request import urlopen

import orjson

from benchmarks.documents import card

if TYPE_CHECKING:
    from asyncio import BaseTransport, Transport

CARD_BYTES: Final = 3_000
COUNT: Final = "/count"
PATH: Final = "/.well-known/agent-card.json"
# Dialects that a2a-sdk can read, too.
_CARDS: Final = tuple(orjson.dumps(card(dialect, CARD_BYTES)) for dialect in ("a2a-1.0", "a2a-0.3"))
_NAME: Final = b'"Ferry Desk"'
_SENT: Final = {"bodies": 0, "body_bytes": 0, "unchanged": 0, "connections": 0}


def hosts(count: int, begin: int = 0) -> list[str]:
    """Return `count` loopback addresses, none of which ends in 0 or 255."""
    return [f"127.{1 + n // 62_500}.{n // 250 % 250}.{1 + n % 250}" for n in range(begin, begin + count)]


def sent(port: int) -> dict[str, int]:
    """Return the statistics of the process at a port."""
    with urlopen(f"http://127.0.0.1:{port}{COUNT}", timeout=10) as response:
        counts: dict[str, int] = json.load(response)
        return counts


class _Origin(asyncio.Protocol):
    """Connection handler; the benchmark clients send each request in one piece."""

    def connection_made(self, transport: BaseTransport) -> None:
        self._transport = cast("Transport", transport)
        self._host: str = transport.get_extra_info("sockname")[0]
        self._rest = b""
        _SENT["connections"] += 1

    def data_received(self, data: bytes) -> None:
        *requests, self._rest = (self._rest + data).split(b"\r\n\r\n")
        for request in requests:
            self._transport.write(_response(self._host, request))


def _response(host: str, request: bytes) -> bytes:
    if request.startswith(b"GET /count "):
        body = json.dumps(_SENT).encode()
        return b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
    fields = b'Date: %b\r\nCache-Control: max-age=3600\r\nETag: "%b"' % (
        _date(int(time.time())),
        host.encode(),
    )
    if b"\r\nif-none-match:" in request.lower():
        _SENT["unchanged"] += 1
        return b"HTTP/1.1 304 Not Modified\r\n%b\r\n\r\n" % fields
    body = _body(host)
    _SENT["bodies"] += 1
    _SENT["body_bytes"] += len(body)
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n%b\r\nContent-Length: %d\r\n\r\n%b" % (
        fields, len(body), body,
    )  # fmt: skip


def _body(host: str) -> bytes:
    return _CARDS[sum(map(int, host.split("."))) % len(_CARDS)].replace(
        _NAME, f'"Ferry Desk {host}"'.encode(), 1
    )


@lru_cache(maxsize=1)
def _date(now: int) -> bytes:
    return formatdate(now, usegmt=True).encode()


async def _serve(port: int) -> None:
    loop = asyncio.get_running_loop()
    server: Any = await loop.create_server(_Origin, "0.0.0.0", port, backlog=4_096)  # noqa: S104 - all of 127.0.0.0/8
    await server.serve_forever()


if __name__ == "__main__":
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    asyncio.run(_serve(int(sys.argv[1])))
