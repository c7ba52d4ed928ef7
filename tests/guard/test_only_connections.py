"""Only the guard opens connections: modules that could are imported there, or listed with a reason."""

from __future__ import annotations

import ast
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
# Where something of it stands elsewhere, and why that is no hole.
EXCEPTIONS = {
    ("cardwright/serve/listening.py", "socket"): "binds the port that it listens on, and connects to nothing",
    (
        "cardwright/conformance/exchanges.py",
        "http.client",
    ): "asks the server of the program under test, at the literal address 127.0.0.1 or ::1 alone, and follows nothing",
    ("cardwright/store", "sqlalchemy"): "connects to the database that the operator names",
    ("cardwright/store", "psycopg"): "the driver of that database",
    (
        "cardwright/discovery/calling",
        "a2a.client",
    ): "the client of the SDK, on a transport that the guard makes",
    ("cardwright/discovery/calling", "mcp"): "the client of the SDK, on a transport that the guard makes",
    ("cardwright/discovery/calling", "httpx"): "types of the transport that the guard makes",
    ("cardwright/discovery/calling", "httpx2"): "types of the transport that the guard makes",
    (
        "cardwright/discovery/probe/grpc_wire.py",
        "grpc",
    ): "its exception and its end of a stream, of a channel that the guard makes",
    (
        "cardwright_beach/anthropic_translator.py",
        "anthropic",
    ): "errors and types of the SDK; the caller makes its client",
    ("cardwright_gateway/database", "sqlalchemy"): "statements and connections of the same database",
    ("cardwright_gateway/auth/agent_keys.py", "sqlalchemy"): "statements for that database",
    ("cardwright_gateway/auth/owner_tokens.py", "sqlalchemy"): "the same",
    ("cardwright_gateway/auth/secret_table.py", "sqlalchemy"): "the same",
    ("cardwright_gateway/auth/last_use.py", "sqlalchemy"): "the same",
    ("cardwright_gateway/tasks", "sqlalchemy"): "the same",
    ("cardwright_gateway/backends/queue_rows.py", "sqlalchemy"): "the same",
    ("cardwright_gateway/backends/backend.py", "sqlalchemy"): "the type of a connection alone",
    ("cardwright_gateway/catalog/sync.py", "sqlalchemy"): "the same",
    ("cardwright_gateway/cluster", "sqlalchemy"): "the same",
    ("cardwright_gateway/api/statistics.py", "sqlalchemy"): "counts in that database",
    ("cardwright_gateway/webhooks", "sqlalchemy"): "statements for that database",
    ("cardwright_gateway/api/grpc", "grpc"): "a server and its status codes; it connects to nothing",
    ("cardwright/cli/mcp_tools.py", "mcp"): "our server, which connects to nothing",
    ("cardwright_gateway/api/mcp", "mcp"): "its server, which connects to nothing",
    (
        "cardwright_gateway/upstream/mcp",
        "mcp",
    ): "the client of the SDK, on pipes of a process that the operator names or a transport that the guard makes",
    (
        "cardwright_gateway/auth/redis_limiter.py",
        "redis",
    ): "how often the client that limits makes tries again: never; it connects to what the operator names",
    ("cardwright_gateway/upstream/mcp", "httpx2"): "types of the transport that the guard makes",
    (
        "cardwright_gateway/upstream/mcp",
        "anyio",
    ): "scopes of cancellation and groups of tasks, which mcp's client runs in",
}


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
