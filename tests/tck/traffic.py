"""What the agent was sent over JSON-RPC, and what it answered: recorded, and compared with how cardwright validates it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cardwright import Document, MalformedDocument, UnknownDialect
from cardwright_rules import MESSAGES
from tests.answers import CHECKS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def recorded(app: Any, file: Path) -> Any:
    """Return an ASGI application that writes each JSON-RPC request and its answer to a file, a line each."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or (scope["method"], scope["path"]) != ("POST", "/"):
            await app(scope, receive, send)
            return
        request, answer = bytearray(), bytearray()

        async def received() -> Any:
            event = await receive()
            request.extend(event.get("body", b""))
            return event

        async def sent(event: Any) -> None:
            answer.extend(event.get("body", b""))
            await send(event)

        try:
            await app(scope, received, sent)
        finally:
            with file.open("a", encoding="utf-8") as out:
                line = json.dumps([request.decode("utf-8", "replace"), answer.decode("utf-8", "replace")])
                out.write(f"{line}\n")

    return application


def differences(file: Path) -> Iterator[str]:
    """Yield where cardwright and a2a-sdk differ: an invalid answer, or an invalid request with a result."""
    for line in file.read_text(encoding="utf-8").splitlines():
        request, answer = json.loads(line)
        sent = _read(request)
        if sent is None or not answer:
            continue
        method = sent.document["method"] if isinstance(sent.document, dict) else "?"
        answered = Document.from_bytes(answer.encode(), dialect=str(sent.dialect), checks=CHECKS)
        for error in answered.errors:
            yield f"{method}, answer: {error.pointer}: {error.message}"
        document: Any = answered.document
        first = document[0] if isinstance(document, list) else document
        if "error" not in first:
            for error in sent.errors:
                yield f"{method}, request with a result: {error.pointer}: {error.message}"


def _read(request: str) -> Document | None:
    """Return a request as a message; None if its form or method is unknown, as the kit sends on purpose."""
    try:
        read = Document.from_bytes(request.encode(), checks=CHECKS)
    except (MalformedDocument, UnknownDialect):
        return None
    return read if str(read.dialect) in MESSAGES else None
