"""Only the guard opens connections: modules that could are imported there, or listed with a reason."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
# What connects, or can. asyncio is everywhere: of it only the calls that connect count.
CONNECTING = {
    "aiohttp", "anthropic", "anyio", "ftplib", "grpc", "h11", "http.client", "httpcore", "httpcore2",
    "httpx", "httpx2", "psycopg", "pyreqwest", "redis", "requests", "smtplib", "socket", "socketserver",
    "sqlalchemy", "ssl", "subprocess", "telnetlib", "trio", "urllib.request", "urllib3", "websockets",
    "xmlrpc.client", "a2a.client", "mcp",
}  # fmt: skip
CALLS = {
    "open_connection",
    "open_unix_connection",
    "create_connection",
    "create_datagram_endpoint",
    "urlopen",
}
# Where something of it stands elsewhere, and why that is no hole: by module or folder, and by what it is.
_LISTED = json.loads(Path(__file__).with_name("connections.json").read_bytes())
EXCEPTIONS = {(place, what): why for place, listed in _LISTED.items() for what, why in listed.items()}


def dialling(tree: ast.Module) -> set[str]:
    """Return what a module imports or calls that opens connections."""
    found: set[str] = set()
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in CALLS:
                found.add(name)
            constants = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
            names = [one for one in constants if isinstance(one, str)] if name == "import_module" else []
        found |= {one for one in CONNECTING for name in names if name == one or name.startswith(f"{one}.")}
    return found


@pytest.mark.bulk
def test_only_the_guard_opens_connections() -> None:
    used: set[tuple[str, str]] = set()
    holes: list[str] = []
    for file in sorted(SOURCE.rglob("*.py")):
        path = file.relative_to(SOURCE).as_posix()
        if path.startswith("cardwright/guard/"):
            continue
        for what in dialling(ast.parse(file.read_text(encoding="utf-8"))):
            reason = next(
                ((p, w) for p, w in EXCEPTIONS if w == what and (path == p or path.startswith(f"{p}/"))), None
            )
            if reason is None:
                holes.append(f"{path}: {what}")
            else:
                used.add(reason)
    assert holes == []
    assert used == set(EXCEPTIONS), "an exception that nothing needs any more is taken off the list"


@pytest.mark.parametrize(
    "code",
    [
        "import aiohttp",
        "from urllib.request import urlopen",
        "from urllib import request",
        "import http.client as c",
        "def f():\n    import httpx",
        "await_ = asyncio.open_connection('h', 1)",
        "m = importlib.import_module('requests')",
        "from mcp.client.streamable_http import streamable_http_client",
    ],
)
def test_the_test_detects_code_that_connects(code: str) -> None:
    assert dialling(ast.parse(code))
