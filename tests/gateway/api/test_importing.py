"""Large packages are imported in a thread, so that the first call does not block others."""

from __future__ import annotations

import subprocess
import sys

import pytest

_SCRIPT = """
import asyncio, sys, threading

threads = {}


class Finder:
    def find_spec(self, name, path=None, target=None):
        threads.setdefault(name, threading.current_thread())


async def main():
    from cardwright_gateway import Gateway
    from tests.gateway.gateways import BASE, CARD, JSON, rpc
    from tests.serve.client import call

    agent = {"card": CARD, "backend": {"python": "tests.gateway.tasks.gateways:answer"}}
    async with Gateway({"base_url": BASE, "agents": {"a": agent}}) as gateway:
        sys.meta_path.insert(0, Finder())
        headers = {**JSON, "Accept": "application/json, text/event-stream"}
        path, method = sys.argv[1:3]
        reply = await call(gateway, "POST", path, headers, body=rpc(method, {}))
        assert sys.argv[3] in threads, (reply.status, reply.body, sorted(threads))
        assert threads[sys.argv[3]] is not threading.main_thread()


asyncio.run(main())
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("path", "method", "module"),
    [("/a", "SendMessage", "cardwright_gateway.a2a_server.endpoint"), ("/a/mcp", "tools/list", "mcp.server")],
)
def test_the_first_call_imports_in_a_thread(path: str, method: str, module: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _SCRIPT, path, method, module], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
