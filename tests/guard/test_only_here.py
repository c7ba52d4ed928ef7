"""No other module opens a connection: what could is imported in the guard alone, or listed with its reason."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "cardwright"
# What dials, or can be told to. asyncio is everywhere: of it only the calls that dial count.
DIALS = {
    "aiohttp", "anthropic", "anyio", "dbos", "ftplib", "grpc", "h11", "hishel.httpx", "http.client", "httpcore", "httpcore2",
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
# Where something of it stands elsewhere, and why that is no hole.
EXCEPTIONS = {
    ("serve/server.py", "socket"): "binds the port that it listens on, and dials nothing",
    ("store", "sqlalchemy"): "dials the database that the operator names",
    ("gateway/engine.py", "sqlalchemy"): "dials the same database",
    ("gateway/tasks", "sqlalchemy"): "the same",
    ("gateway/following.py", "sqlalchemy"): "the same",
    ("gateway/replicas.py", "sqlalchemy"): "the same",
    ("gateway/census.py", "sqlalchemy"): "counts in that database",
    ("gateway/mcp_server", "mcp"): "its server, which dials nothing",
    ("gateway/bridge/relaying.py", "httpx"): "on a transport that the guard makes",
    ("gateway/bridge/relaying.py", "a2a.client"): "the client of the SDK, on the same",
    ("store", "psycopg"): "the driver of that database",
    ("discovery/calling", "a2a.client"): "the client of the SDK, on a transport that the guard makes",
    ("discovery/calling", "mcp"): "the client of the SDK, on a transport that the guard makes",
    ("discovery/calling", "httpx"): "types of the transport that the guard makes",
    (
        "envelope/anthropic_translator.py",
        "anthropic",
    ): "errors and types of the SDK; the caller makes its client",
    ("discovery/calling", "httpx2"): "types of the transport that the guard makes",
    (
        "gateway/mcp",
        "mcp",
    ): "the client of the SDK, on pipes of a process that the operator names or a transport that the guard makes",
    (
        "gateway/limiting/shared.py",
        "redis",
    ): "how often the client that limits makes tries again: never; it dials what the operator names",
    ("gateway/mcp", "httpx2"): "types of the transport that the guard makes",
    ("gateway/mcp", "anyio"): "scopes of cancellation and groups of tasks, which mcp's client runs in",
    ("gateway/webhooks", "sqlalchemy"): "statements for that database, and what DBOS dials it by",
    ("gateway/webhooks", "dbos"): "a queue in that database",
}


def dialling(tree: ast.Module) -> set[str]:
    """Return what a module imports or calls that dials."""
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
        found |= {one for one in DIALS for name in names if name == one or name.startswith(f"{one}.")}
    return found


def test_only_the_guard_opens_connections() -> None:
    used: set[tuple[str, str]] = set()
    holes: list[str] = []
    for file in sorted(SOURCE.rglob("*.py")):
        path = file.relative_to(SOURCE).as_posix()
        if path.startswith("guard/"):
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
def test_the_test_sees_what_dials(code: str) -> None:
    assert dialling(ast.parse(code))
