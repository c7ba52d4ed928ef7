"""`cardwright gateway`: one endpoint for A2A agents, MCP servers and your own Python functions."""

from __future__ import annotations

import asyncio
import logging
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardwright.cli.terminal import fail, tell
from cardwright.errors import CardError
from cardwright.extras import check_extra
from cardwright_gateway.cli import agents as gateway_agents
from cardwright_gateway.cli import deliveries as gateway_deliveries
from cardwright_gateway.cli import keys as gateway_keys

if TYPE_CHECKING:
    from cardwright_gateway import Gateway, GatewayConfig

_WHERE: Final = "Where"
_LOCAL: Final = ("127.0.0.1", "::1", "localhost")

app = typer.Typer(invoke_without_command=True)
# What asks and changes the store of a gateway, whether that runs or not.
app.add_typer(gateway_agents.app, name="agents")
app.add_typer(gateway_deliveries.app, name="deliveries")
app.add_typer(gateway_keys.app, name="keys")


@dataclass(frozen=True, slots=True)
class Running:
    """What the server's process needs to make the gateway; all of it can be pickled."""

    config: GatewayConfig
    local: bool
    start_servers: bool

    def __call__(self) -> Gateway:
        """Return the gateway."""
        from cardwright_gateway import Gateway
        from cardwright_gateway.telemetry.logs import set_up

        _open_files()
        # Functions that answer for agents lie beside the file that names them.
        sys.path.insert(0, str(Path(self.config.source).absolute().parent))
        set_up(self.config.log)
        for noisy in ("a2a", "httpx", "httpx2", "mcp"):
            logging.getLogger(noisy).setLevel(logging.ERROR)
        return Gateway(self.config, local=self.local, start_servers=self.start_servers)


_Config = Annotated[
    str | None,
    typer.Option(
        "--config", metavar="FILE", help="The agents, as YAML or JSON; SuperX's agents.yml is read as it is."
    ),
]
_Host = Annotated[str, typer.Option("--host", rich_help_panel=_WHERE, help="The address to listen on.")]
_Port = Annotated[
    int,
    typer.Option(
        "--port", min=0, max=65535, rich_help_panel=_WHERE, help="The port; 0 takes one that is free."
    ),
]
_BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        metavar="URL",
        rich_help_panel=_WHERE,
        help="The public URL that the gateway is reached at; what cards say begins with it.",
    ),
]
_Root = Annotated[
    str | None,
    typer.Option(
        "--root",
        metavar="ID",
        rich_help_panel=_WHERE,
        help="The agent that is also served at the host's root, for clients that drop paths.",
    ),
]
_StartServers = Annotated[
    bool, typer.Option("--start-servers", help="Start MCP servers now, not when they are first used.")
]
_LogRequests = Annotated[
    bool, typer.Option("--log-requests", rich_help_panel=_WHERE, help="Log each request.")
]


@app.callback()
def command(
    context: typer.Context,
    *,
    config: _Config = None,
    host: _Host = "127.0.0.1",
    port: _Port = 4000,
    base_url: _BaseUrl = None,
    root: _Root = None,
    start_servers: _StartServers = False,
    log_requests: _LogRequests = False,
) -> None:
    """Serve the cards of A2A agents and MCP servers at one place, and pass on the calls to them.

    / is a page that lists the agents. Press Ctrl+C to stop. Exits with 2 if the configuration cannot be used.
    """
    if context.invoked_subcommand is not None:
        # It may stand before the subcommand as well as behind it.
        context.obj = config
        return
    check_extra("gateway")
    if config is None:
        fail("name the configuration: cardwright gateway --config agents.yml")
    from cardwright.serve.server import run

    try:
        settings, here, port = _settings(config, host, port, base_url, root)
    except CardError as error:
        fail(str(error))
    running = Running(settings, host in _LOCAL, start_servers)
    # In a process of its own, so that what it takes is given back before the gateway takes it again.
    with ProcessPoolExecutor(1) as pool:
        fault = pool.submit(_fault, running).result()
    if fault:
        fail(fault)
    agents = len(settings.agents)
    tell(f"{here}/ lists {agents} {'agent' if agents == 1 else 'agents'}\n")
    tell(f"{here}/.well-known/ai-catalog.json lists them for programs\n")
    if host not in _LOCAL and settings.admin_token is None:
        tell(
            "Every client that reaches this address can call every agent: put a proxy with access control before it.\n"
        )
    tell("Press Ctrl+C to stop.\n")
    run(running, host=host, port=port, workers=1, log_requests=log_requests)


def _settings(
    config: str, host: str, port: int, base_url: str | None, root: str | None
) -> tuple[GatewayConfig, str, int]:
    """Return the settings, the URL that the gateway listens at, and its port.

    Raises:
        CardError: If the configuration cannot be used.
    """
    from cardwright.serve.server import free_port
    from cardwright_gateway import GatewayConfig

    read = GatewayConfig.from_file(config)
    port = free_port(host, port)
    shown = f"[{host}]" if ":" in host else {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104 - compared, not bound
    here = f"http://{shown}:{port}"
    return read.at(base_url or (None if read.base_url or read.proxies else here), root), here, port


def _open_files() -> None:
    """Let the process have as many connections as it may: every call through it takes two."""
    try:
        import resource
    except ImportError:
        return
    greatest = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (greatest, greatest))


def _fault(running: Running) -> str:
    """Make the gateway once and let it go: return what is wrong with it before anything listens, or ""."""
    try:
        asyncio.run(running().close())
    except CardError as error:
        return str(error)
    return ""
