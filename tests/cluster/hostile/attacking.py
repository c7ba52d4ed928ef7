"""A process that sends hostile requests to a gateway: `python -m tests.cluster.hostile.attacking`."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any, Final

from tests.cluster.hostile.grammar import Grammar, Sent

if TYPE_CHECKING:
    from collections.abc import Iterable

_UNREAD_SECONDS: Final = 3.0
# The time limit for the response to a complete request, and for an agent's stream.
_ANSWER_SECONDS: Final = 40.0
_CONNECT_SECONDS: Final = 20.0


class Attack:
    """Hostile requests over several connections.

    Args:
        port: Where the gateway listens, on loopback.
        key: A key of its agent `keyed`.
        seed: The seed of the random requests.
        secrets: Texts that no answer may contain.
    """

    def __init__(self, port: int, key: str, seed: int, secrets: Iterable[str]) -> None:
        self._port = port
        self._grammar = Grammar(Random(seed), key)  # noqa: S311 - no cryptography
        self._secrets = [secret.encode() for secret in secrets]
        self.answers: Counter[str] = Counter()
        self.findings: list[str] = []
        self.slowest: list[tuple[float, float, str]] = []

    async def run(self, seconds: float, connections: int, pause: float) -> None:
        """Send until the time ends."""
        until = time.monotonic() + seconds

        async def send() -> None:
            while time.monotonic() < until:
                sent = self._grammar.request()
                at, began = time.time(), time.monotonic()
                await self._once(sent)
                self.slowest = sorted([*self.slowest, (time.monotonic() - began, at, sent.name)])[-20:]
                await asyncio.sleep(pause)

        await asyncio.gather(*(send() for _ in range(connections)))

    async def _once(self, sent: Sent) -> None:
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        except (OSError, TimeoutError) as error:
            self.findings.append(f"no connection: {error!r}")
            await asyncio.sleep(1)
            return
        try:
            sending = asyncio.create_task(_send(writer, sent))
            if sent.read:
                await self._read(sent, reader)
            else:
                await asyncio.sleep(_UNREAD_SECONDS if sent.ends else 0.05)
                self.answers["not read"] += 1
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
        finally:
            writer.transport.abort()

    async def _read(self, sent: Sent, reader: asyncio.StreamReader) -> None:
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                answer = await _answer(reader, headless=" HEAD " in f" {sent.name}")
        except TimeoutError:
            if sent.ends:
                self.findings.append(f"no answer within {_ANSWER_SECONDS:.0f} s: {sent.name}")
            self.answers["no answer"] += 1
            return
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            self.answers["cut off"] += 1
            return
        status, body = answer
        self.answers[str(status)] += 1
        if status == 500 or b"Traceback" in body:
            self.findings.append(f"{status} {body[:500]!r}: {sent.name}")
        if leaked := [secret for secret in self._secrets if secret in body]:
            self.findings.append(f"an answer has {leaked}: {body[:500]!r}: {sent.name}")


async def _send(writer: asyncio.StreamWriter, sent: Sent) -> None:
    try:
        for wait, piece in sent.pieces:
            if wait:
                await asyncio.sleep(wait)
            writer.write(piece)
            await writer.drain()
    except OSError:
        pass


async def _answer(reader: asyncio.StreamReader, *, headless: bool) -> tuple[int, bytes]:
    """Return the status and the body of a response.

    Raises:
        ValueError: If it is not one.
        asyncio.IncompleteReadError: If the connection ends before it.
    """
    head = await reader.readuntil(b"\r\n\r\n")
    line, _, rest = head.partition(b"\r\n")
    status = int(line.split()[1])
    fields = dict(field.lower().split(b": ", 1) for field in rest.split(b"\r\n") if b": " in field)
    if headless or status in (204, 304):
        return status, head
    if fields.get(b"transfer-encoding") == b"chunked":
        body = b""
        while size := int(await reader.readuntil(b"\r\n"), 16):
            body += (await reader.readexactly(size + 2))[:-2]
        return status, head + body
    length = int(fields.get(b"content-length", b"0"))
    return status, head + await reader.readexactly(length)


def main() -> None:
    """Attack, then print the results as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--connections", type=int, default=12)
    parser.add_argument("--pause", type=float, default=0.02)
    parser.add_argument("--secret", action="append", default=[])
    options = parser.parse_args()
    attack = Attack(options.port, options.key, options.seed, options.secret)
    asyncio.run(attack.run(options.seconds, options.connections, options.pause))
    report: dict[str, Any] = {
        "answers": attack.answers,
        "findings": attack.findings,
        "slowest": attack.slowest,
    }
    json.dump(report, sys.stdout)


if __name__ == "__main__":
    main()
