"""SDK clients in front of the gateway: which features work."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cardwright.serve.listening import free_port
from tests.gateway.processes import before
from tests.interop.agent import CARD, LOOPBACK, PYTHON
from tests.interop.peers.steps import no
from tests.interop.programs import Program, ProgramFailed
from tests.interop.table import NOT_INSTALLED, Table
from tests.serve.server_process import HOST

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

FEATURES: Final = (
    "read card", "send", "HTTP+JSON", "gRPC", "stream", "get task", "list tasks", "cancel", "resubscribe",
    "push set", "push get", "push list", "push delete", "extended card",
)  # fmt: skip


class Client(NamedTuple):
    """A row of the table: a package, the version of A2A that it uses, and whether the gateway serves gRPC, too."""

    name: str
    version: str
    program: Program
    grpc: bool = True

    def label(self, release: str) -> str:
        """Return the name of the row for a release of the package."""
        gateway = "" if self.grpc else ", gateway without gRPC"
        return f"{self.name} {release}, A2A {self.version}{gateway}"


CLIENTS: Final = (
    Client("cardwright", "1.0", Program("client_call_agent.py")),
    Client("cardwright", "0.3", Program("client_call_agent.py")),
    Client("a2a-sdk", "1.0", Program("client_a2a_1.py")),
    Client("a2a-sdk", "0.3", Program("client_a2a_1.py")),
    Client("a2a-sdk", "0.3", Program("client_a2a_0.py", "a2a-0.3")),
    Client("@a2a-js/sdk", "1.0", Program("js/client-1.mjs", "node")),
    Client("@a2a-js/sdk", "0.3", Program("js/client-1.mjs", "node")),
    Client("@a2a-js/sdk", "0.3", Program("js/client-0.3.mjs", "node")),
    Client("google-adk", "1.0", Program("client_adk.py", "google-adk"), grpc=False),
    # It refuses a card with an interface at another origin, and gRPC has a port of its own.
    Client("google-adk", "1.0", Program("client_adk.py", "google-adk")),
    Client("fasta2a", "0.3", Program("client_fasta2a.py", "fasta2a")),
    Client("fasta2a", "0.3", Program("client_fasta2a.py", "fasta2a-0")),
)


async def clients() -> Table:
    """Run every client in front of the gateway."""
    rows: dict[Client, dict[str, str]] = {}
    labels: dict[Client, str] = {}
    for grpc in (True, False):
        async with gateway(grpc=grpc) as given:
            for client in CLIENTS:
                if client.grpc == grpc:
                    settings = {**given, "version": client.version, "grpc": grpc}
                    release, rows[client] = await _cells(client.program, settings, FEATURES)
                    labels[client] = client.label(release)
    return Table(("client", *FEATURES), {labels[one]: rows[one] for one in CLIENTS})


async def _cells(
    program: Program, given: Mapping[str, Any], features: Sequence[str]
) -> tuple[str, dict[str, str]]:
    """Return the release that a program reports, or the name of the program, and its cells."""
    try:
        report = await program.report(given)
    except ProgramFailed as error:
        return f"({program.file})", dict.fromkeys(features, no(error))
    if report is None:
        return f"({program.environment})", dict.fromkeys(features, NOT_INSTALLED)
    return report["version"], report["cells"]


MCP_FEATURES: Final = (
    "list tools", "call a tool", "structured result", "error of a tool", "list resources", "read a resource",
    "list prompts", "get a prompt",
)  # fmt: skip
# Each MCP client by its package, and the era of the protocol.
_MCP_CLIENTS: Final = (
    ("mcp", "", Program("client_mcp.py", "mcp-1")),
    ("mcp", "legacy", Program("client_mcp.py")),
    ("mcp", "2026-07-28", Program("client_mcp.py")),
    ("fastmcp", "", Program("client_mcp.py", "fastmcp")),
)
_ERAS: Final = {"": "", "legacy": ", with a session", "2026-07-28": ", MCP 2026-07-28"}


async def mcp_clients() -> Table:
    """Run every MCP client in front of the gateway, with an mcp 2.x server as its upstream."""
    rows: dict[str, dict[str, str]] = {}
    async with Program("server_mcp.py").serving() as origin:
        agents = {"tides": {"protocol": "mcp", "url": f"{origin}/mcp", "start_seconds": 30}}
        async with before(agents, limits={"requests": 0}) as running:
            for name, era, program in _MCP_CLIENTS:
                given = {"url": f"{running.at('tides')}/mcp", "version": era, "package": name}
                release, row = await _cells(program, given, MCP_FEATURES)
                rows[f"{name} {release}{_ERAS[era]}"] = row
    return Table(("client", *MCP_FEATURES), rows)


@asynccontextmanager
async def gateway(*, grpc: bool) -> AsyncGenerator[dict[str, Any]]:
    """Run the gateway with a function; yield what a client has to know."""
    agent = {"card": CARD, "backend": {"python": PYTHON}, "tasks": "own"}
    agents = {"tides": agent, "kept": {**agent, "owner": "acme", "visibility": "unlisted"}}
    port = {"grpc": {"port": free_port(HOST, 0)}} if grpc else {}
    async with before(
        agents,
        owners={"acme": {"name": "Acme Ltd"}},
        root="tides",
        **port,
        limits={"requests": 0},
        webhooks={"allow": LOOPBACK},
    ) as running:
        _, key = await asyncio.to_thread(
            lambda: running.gateway.keys.issue("kept", "acme", name="interoperability", actor="test")
        )
        yield {
            "base": running.at("tides"),
            "kept": running.at("kept"),
            "key": key,
            "hook": f"http://{HOST}:{free_port(HOST, 0)}/hook",
        }
