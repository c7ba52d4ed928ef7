"""Code path of one gateway call: `python -m benchmarks.walk` counts files, functions, hops and JSON operations.

The call is `SendMessage` to a tool of an MCP server, with an API key and a task stored by the gateway. Counted between
request and response, in all threads: files and functions of this project, calls from one file to another (hops), JSON
decoding and encoding, and validations. The second of two calls is counted, so that one-time initialisation is not.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import jiter
import orjson

from cardwright_gateway import Gateway
from cardwright_runtime.engine import DialectValidator

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

ROOT: Final = Path(__file__).parents[1]
SOURCES: Final = (f"{ROOT / 'src'}/", f"{ROOT / 'generated'}/")
SERVER: Final = ROOT / "examples" / "gateway" / "harbour.py"
BASE: Final = "https://agents.example.com"
KEY_HEADER: Final = b"x-agent-api-key"


class Walk:
    """Counters for one call."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.functions: set[tuple[str, str]] = set()
        self.hops = 0
        self.json = Counter[str]()
        self.validations = 0
        self._restored: list[tuple[Any, str, Any]] = []

    def __enter__(self) -> Self:
        """Start counting."""
        self._count(orjson, "loads", "decoded")
        self._count(orjson, "dumps", "encoded")
        self._count(json, "loads", "decoded")
        self._count(json, "dumps", "encoded")
        self._count(jiter, "from_json", "decoded")
        violations = DialectValidator.violations

        def counted(validator: DialectValidator, *arguments: Any, **named: Any) -> Any:
            self.validations += 1
            return violations(validator, *arguments, **named)

        self._replace(DialectValidator, "violations", counted)
        threading.setprofile(self._trace)
        sys.setprofile(self._trace)
        return self

    def __exit__(self, *_: object) -> None:
        """Stop counting."""
        sys.setprofile(None)
        threading.setprofile(None)
        for owner, name, value in self._restored:
            setattr(owner, name, value)

    def _replace(self, owner: Any, name: str, value: Any) -> None:
        self._restored.append((owner, name, getattr(owner, name)))
        setattr(owner, name, value)

    def _count(self, owner: Any, name: str, kind: str) -> None:
        original: Callable[..., Any] = getattr(owner, name)

        def counted(*arguments: Any, **named: Any) -> Any:
            self.json[kind] += 1
            return original(*arguments, **named)

        self._replace(owner, name, counted)

    def _trace(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        file = frame.f_code.co_filename
        if not file.startswith(SOURCES):
            return
        self.files.add(file)
        self.functions.add((file, frame.f_code.co_qualname))
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(SOURCES):
            caller = caller.f_back
        if caller is not None and caller.f_code.co_filename != file:
            self.hops += 1


async def _call(gateway: Gateway, secret: str, text: str) -> Any:
    message = {
        "messageId": text,
        "role": "ROLE_USER",
        "parts": [{"data": {"skill": "berth", "arguments": {"ship": text}}}],
    }
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}})
    headers = [
        (b"host", b"agents.example.com"),
        (b"content-type", b"application/json"),
        (b"a2a-version", b"1.0"),
        (KEY_HEADER, secret.encode()),
    ]
    path = "/harbour"
    scope = {
        "type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "root_path": "", "scheme": "https",
        "query_string": b"", "headers": headers, "http_version": "1.1", "client": ("127.0.0.1", 1), "asgi": {},
    }  # fmt: skip
    sent: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]
    chunks: list[bytes] = []

    async def receive() -> Any:
        if sent:
            return sent.pop()
        await asyncio.sleep(3600)
        return None

    async def send(event: Any) -> None:
        chunks.append(event.get("body", b""))

    await gateway(scope, receive, send)
    return orjson.loads(b"".join(chunks))


async def main() -> None:
    """Print the counts."""
    agent = {
        "transport": {"type": "stdio", "command": sys.executable, "args": [str(SERVER)]},
        "owner": "acme",
        "access": "keys",
        "tasks": "own",
    }
    config = {"base_url": BASE, "owners": {"acme": {"name": "Acme"}}, "agents": {"harbour": agent}}
    async with Gateway(config) as gateway:
        _, secret = await asyncio.to_thread(
            lambda: gateway.keys.issue("harbour", "acme", name="walk", actor="walk")
        )
        await _call(gateway, secret, "Anna")
        with Walk() as walk:
            response = await _call(gateway, secret, "Borkum")
    state = response["result"]["task"]["status"]["state"] if "result" in response else response
    print(
        f"{state}: {len(walk.files)} files, {len(walk.functions)} functions, {walk.hops} hops between files,"
    )
    print(
        f"JSON decoded {walk.json['decoded']} and encoded {walk.json['encoded']} times, {walk.validations} validations"
    )


if __name__ == "__main__":
    asyncio.run(main())
