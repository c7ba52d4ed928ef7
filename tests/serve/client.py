"""A caller of an ASGI application in this process, which sends exactly the given request."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.answers import check_answer

if TYPE_CHECKING:
    from collections.abc import Sequence

CARD_PATH = "/.well-known/agent-card.json"
LEGACY_PATH = "/.well-known/agent.json"
_HOST = ("Host", "agents.example.com")


@dataclass(frozen=True)
class Reply:
    """A response: the header fields by lower-case names, the last of two that are equal."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def reason(self) -> str:
        """The reason of the ErrorInfo."""
        return str(self.json["error"]["details"][0]["reason"])


async def call(
    app: Any,
    method: str = "GET",
    url: str = CARD_PATH,
    headers: Mapping[str, str] | Sequence[tuple[str, str]] = (),
    *,
    body: bytes = b"",
    scope: Mapping[str, Any] | None = None,
    typed: bool = True,
    checked: bool = True,
) -> Reply:
    """Send one request, as clients do: Host, Content-Length, and Content-Type of JSON are added where they are not given.

    `scope` goes over everything; without `typed`, there is no Content-Type. What answers a message of A2A must be one of its
    version, unless it is not `checked`.
    """
    pairs = list(headers.items()) if isinstance(headers, Mapping) else list(headers)
    named = {name.lower() for name, _ in pairs}
    if "host" not in named:
        pairs.insert(0, _HOST)
    if body and not named & {"content-length", "transfer-encoding"}:
        pairs.append(("Content-Length", str(len(body))))
    if body and typed and "content-type" not in named:
        pairs.append(("Content-Type", "application/json"))
    path, _, query = url.partition("?")
    sent: list[dict[str, Any]] = []

    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if not waiting:
            # As a caller that stays: frameworks listen for one that goes.
            await asyncio.Event().wait()
        return waiting.pop()

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    request_scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode("latin-1"),
        "root_path": "",
        "headers": [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in pairs],
        "client": ("192.0.2.7", 40_000),
        "server": ("192.0.2.1", 80),
        **(scope or {}),
    }
    await app(request_scope, receive, send)
    start, *bodies = sent
    fields = {name.decode().lower(): value.decode("latin-1") for name, value in start["headers"]}
    answer = b"".join(message.get("body", b"") for message in bodies)
    if b'"jsonrpc"' in body and checked:
        check_answer(body, fields.get("content-type", ""), answer)
    return Reply(start["status"], fields, answer)


def ask(app: Any, method: str = "GET", url: str = CARD_PATH, headers: Any = (), **more: Any) -> Reply:
    """Send one request, in a loop of its own."""
    return asyncio.run(call(app, method, url, headers, **more))
