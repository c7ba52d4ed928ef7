"""The reply to an invocation as server-sent events (WHATWG HTML §9.2)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, TypeVar

import orjson

from cardwright_gateway.api.invoke.turns import continues

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from cardwright.discovery.calling.parts import Part
    from cardwright.http.problem import Problem
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.backends.backend import Artifact

T = TypeVar("T")
EVENT_STREAM: Final = "text/event-stream"
# Many proxies end a connection that is silent for a minute (project decision).
_HEARTBEAT_SECONDS: Final = 15.0
_HEADERS: Final = (
    (b"content-type", EVENT_STREAM.encode()),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
)


class ReplyStream:
    """A `TurnListener` that sends what a turn reports as events.

    The response begins with the first event, so a turn that fails before that gets a status of its own.

    Attributes:
        begun: Whether the response has begun.

    Args:
        exchange: The request.
    """

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._sending = asyncio.Lock()
        self.begun = False
        self._sent: list[str] = []
        # The last part that was reported, and its artifact.
        self._last: tuple[str | None, Part] | None = None

    async def progress(self, text: str, *, done: float | None, total: float | None) -> None:
        """Send a progress report."""
        values = {"text": text or None, "done": done, "total": total}
        await self._event("progress", {name: value for name, value in values.items() if value is not None})

    async def parts(self, parts: Sequence[Part], artifact: Artifact | None) -> None:
        """Send what a piece of the result adds to the text of the reply."""
        text = ""
        artifact_id = artifact.id if artifact else None
        appended = artifact is None or artifact.append
        for index, part in enumerate(parts):
            before = self._last
            joined = (
                index == 0
                and appended
                and before is not None
                and before[0] == artifact_id
                and continues(part, before[1])
            )
            if part.kind == "text":
                text += part.value if joined or not (self._sent or text) else f"\n{part.value}"
            self._last = artifact_id, part
        await self._text(text)

    async def while_running(
        self, work: Coroutine[Any, Any, T], every_seconds: float = _HEARTBEAT_SECONDS
    ) -> T:
        """Return the result of a turn; comments keep the connection open while the turn is silent."""
        running = asyncio.ensure_future(work)
        try:
            while not (await asyncio.wait({running}, timeout=every_seconds))[0]:
                await self._send(b": the agent is running\n\n")
            return running.result()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    async def end(self, text: str, reply: dict[str, Any]) -> None:
        """Send the rest of the text and the whole reply, and end the response."""
        sent = "".join(self._sent)
        if text.startswith(sent):
            await self._text(text[len(sent) :])
        await self._event("reply", reply, last=True)

    async def fail(self, problem: Problem) -> None:
        """Send a problem, and end the response."""
        await self._event("error", problem.to_json(), last=True)

    async def _text(self, text: str) -> None:
        if text:
            self._sent.append(text)
            await self._event("text", {"text": text})

    async def _event(self, name: str, value: dict[str, Any], *, last: bool = False) -> None:
        data = b"event: " + name.encode() + b"\ndata: " + orjson.dumps(value) + b"\n\n"
        await self._send(data, last=last)

    async def _send(self, data: bytes, *, last: bool = False) -> None:
        # The turn reports in a task of its own.
        async with self._sending:
            if not self.begun:
                self.begun = True
                await self._exchange.send(
                    {"type": "http.response.start", "status": 200, "headers": list(_HEADERS)}
                )
            await self._exchange.send({"type": "http.response.body", "body": data, "more_body": not last})
