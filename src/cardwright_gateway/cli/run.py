"""`cardwright gateway`: one endpoint for A2A agents, MCP servers and your own Python functions."""

from __future__ import annotations

import logging
import os
import signal
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardwright.cli.terminal import emit_stderr, fail
from cardwright.errors import CardError
from cardwright.extras import check_extra
from cardwright_gateway.cli import agents as gateway_agents
from cardwright_gateway.cli import deliveries as gateway_deliveries
from cardwright_gateway.cli import keys as gateway_keys
from cardwright_gateway.cli import owners as gateway_owners
from cardwright_gateway.cli.init import init

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright_gateway import GatewayConfig
    from cardwright_gateway.cli.reloading import ReloadingGateway

_NETWORK: Final = "Network"
_LOCAL: Final = ("127.0.0.1", "::1", "localhost")

app = typer.Typer(invoke_without_command=True)
# Commands on the store of a gateway, whether the gateway runs or not.
app.add_typer(gateway_agents.app, name="agents")
app.add_typer(gateway_deliveries.app, name="deliveries")
app.add_typer(gateway_keys.app, name="keys")
app.add_typer(gateway_owners.app, name="owner")
app.command("init", epilog="\nExample:\n  cardwright gateway init --agent tides --owner acme")(init)


@dataclass(frozen=True, slots=True)
class Running:
    """Factory of the gateway in the server's process; can be pickled."""

    config: GatewayConfig
    local: bool
    start_servers: bool
    placed: Callable[[GatewayConfig], GatewayConfig]
    watch: bool

    def __call__(self) -> ReloadingGateway:
        """Create the gateway."""
        # The gateway has spans of its own; those of a2a-sdk, which are not collected here, take a third of a call.
        os.environ.setdefault("OTEL_INSTRUMENTATION_A2A_SDK_ENABLED", "false")
        from cardwright_gateway import Gateway
        from cardwright_gateway.cli.reloading import ReloadingGateway
        from cardwright_gateway.telemetry.logs import set_up

        # Modules of function agents are searched for next to the configuration file.
        sys.path.insert(0, str(Path(self.config.source).absolute().parent))
        set_up(self.config.log)
        for noisy in ("a2a", "httpx", "httpx2", "mcp"):
            logging.getLogger(noisy).setLevel(logging.ERROR)
        gateway = Gateway(self.config, local=self.local, start_servers=self.start_servers)
        return ReloadingGateway(gateway, self.placed, watch=self.watch)


_Config = Annotated[
    str | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Read the configuration from this YAML or JSON file; SuperX's agents.yml works unchanged.",
    ),
]
_Host = Annotated[str, typer.Option("--host", rich_help_panel=_NETWORK, help="Listen on this address.")]
_Port = Annotated[
    int,
    typer.Option(
        "--port",
        min=0,
        max=65535,
        rich_help_panel=_NETWORK,
        help="Listen on this port; 0 chooses a free one.",
    ),
]
_BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        metavar="URL",
        rich_help_panel=_NETWORK,
        help="Use this public URL of the gateway in the served cards.",
    ),
]
_Root = Annotated[
    str | None,
    typer.Option(
        "--root",
        metavar="ID",
        rich_help_panel=_NETWORK,
        help="Also serve this agent at the host's root, for clients that drop URL paths.",
    ),
]
_StartServers = Annotated[
    bool, typer.Option("--start-servers", help="Start MCP servers now instead of at their first use.")
]
_Watch = Annotated[
    bool,
    typer.Option(
        "--watch", help="Apply changes of the agents in the file while running; SIGHUP applies them once."
    ),
]
_LogRequests = Annotated[
    bool, typer.Option("--log-requests", rich_help_panel=_NETWORK, help="Log each request.")
]


@app.callback(epilog="\nExample:\n  cardwright gateway --config agents.yml --port 4000")
def command(  # noqa: PLR0913 - an argument an option
    context: typer.Context,
    *,
    config: _Config = None,
    host: _Host = "127.0.0.1",
    port: _Port = 4000,
    base_url: _BaseUrl = None,
    root: _Root = None,
    start_servers: _StartServers = False,
    watch: _Watch = False,
    log_requests: _LogRequests = False,
) -> None:
    """Serve A2A agents, MCP servers and Python functions at one URL: their cards, and calls to them.

    The page at / lists the agents. Press Ctrl+C to stop. The exit status is 2 if the configuration cannot be used.
    """
    if context.invoked_subcommand is None and hasattr(signal, "SIGHUP"):
        # Before the server handles it, SIGHUP would end the process.
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    if context.invoked_subcommand is not None:
        # `--config` may come before or after the subcommand.
        context.obj = config
        return
    check_extra("gateway")
    if config is None:
        fail(
            "--config is missing: cardwright gateway --config agents.yml; `cardwright gateway init` writes a first file"
        )
    from cardwright.serve.listening import StartFailed, free_port
    from cardwright.serve.server import run
    from cardwright_gateway import GatewayConfig

    try:
        placed = partial(_placed, base_url=base_url, root=root, host=host)
        read = GatewayConfig.from_file(config)
        # A fault of the settings is reported before a port that is taken; which port it is does not matter to it.
        placed(read, local_url=_local_url(host, port or 80))
        port = free_port(host, port)
        local_url = _local_url(host, port)
        placed = partial(placed, local_url=local_url)
        settings = placed(read)
    except CardError as error:
        fail(str(error))
    if settings.grpc is not None and settings.grpc.port == port:
        fail(f"{config}: /grpc/port: the gateway listens on port {port} for HTTP; use another port for gRPC")
    running = Running(settings, host in _LOCAL, start_servers, placed, watch)
    grpc = settings.grpc
    local = host in _LOCAL and (grpc is None or grpc.host in _LOCAL)
    is_open = not local and settings.admin_token is None

    def announce() -> None:
        agents = len(settings.agents)
        emit_stderr(f"{local_url}/ lists {agents} {'agent' if agents == 1 else 'agents'}\n")
        emit_stderr(f"{local_url}/.well-known/ai-catalog.json lists them as JSON\n")
        if grpc is not None:
            emit_stderr(f"gRPC is served on {grpc.host}, port {grpc.port}\n")
        if is_open:
            emit_stderr(
                "Any client that can connect can call every agent: put a proxy with access control in front of it.\n"
            )
        emit_stderr(f"{'Watching the file. ' if watch else ''}Press Ctrl+C to stop.\n")

    try:
        run(
            running,
            host=host,
            port=port,
            workers=1,
            log_requests=log_requests,
            started=announce,
            reloads=True,
        )
    except StartFailed as error:
        fail(str(error))


def _local_url(host: str, port: int) -> str:
    """Return the URL of the gateway on this machine."""
    display_host = f"[{host}]" if ":" in host else {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)  # noqa: S104 - compared, not bound
    return f"http://{display_host}:{port}"


def _placed(
    settings: GatewayConfig, *, local_url: str, base_url: str | None, root: str | None, host: str
) -> GatewayConfig:
    """Return the settings of the file with those of the command line.

    Raises:
        BadConfiguration: If they do not fit together.
    """
    return settings.at(base_url or (None if settings.base_url or settings.proxies else local_url), root, host)
