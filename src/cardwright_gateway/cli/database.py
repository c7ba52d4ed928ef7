"""What the commands on a gateway's store share: they open it beside a gateway that may be running."""

from __future__ import annotations

import getpass
import os
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardwright.cli.terminal import fail
from cardwright.errors import CardError

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from cardwright.store.database import Database
    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_gateway.settings.config import GatewayConfig

# A gateway that writes holds the database for milliseconds.
_WAIT_SECONDS: Final = 10.0
_MEMORY: Final = ":memory:"

Config = Annotated[
    str | None,
    typer.Option("--config", metavar="FILE", help="The configuration of the gateway, as YAML or JSON."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
AgentId = Annotated[str, typer.Argument(metavar="AGENT", help="The id of an agent.")]


@contextmanager
def opened(
    context: typer.Context, config: str | None
) -> Generator[tuple[GatewayConfig, Mapping[str, AgentConfig], Database]]:
    """Give the configuration, its agents with those that were added, and the store; faults end the command."""
    from cardwright.store.permissions import make_private
    from cardwright_gateway.database.tables import open_database
    from cardwright_gateway.settings.config import GatewayConfig

    place = config if config is not None else context.obj
    if place is None:
        fail("name the configuration of the gateway: --config agents.yml")
    try:
        read = GatewayConfig.from_file(place)
        if read.store == _MEMORY:
            fail(
                "the gateway keeps its store in memory, where nobody else reaches it: say a file as its store"
            )
        make_private(read.store)
        database = open_database(read.store, wait_seconds=_WAIT_SECONDS, survives_power_cut=True)
        try:
            yield read, _agents(read, database), database
        finally:
            database.close()
    except CardError as error:
        fail(str(error))


def known(agents: Mapping[str, AgentConfig], agent_id: str) -> AgentConfig:
    """Return an agent; where there is none of that id, the command ends."""
    if agent_id not in agents:
        fail(f"there is no agent {agent_id!r}: cardwright gateway agents list shows them")
    return agents[agent_id]


def actor() -> str:
    """Return who runs the command, as the audit has it."""
    try:
        return f"cli:{getpass.getuser()}"
    except (KeyError, OSError):
        # A user that the system has no name for, as in a container.
        return f"cli:{os.getuid()}"


def time_of(at: float | None) -> str:
    """Return a time for people."""
    return "–" if at is None else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")


def _agents(config: GatewayConfig, database: Database) -> dict[str, AgentConfig]:
    """Return the agents of the file, and those that were added while the gateway ran."""
    from cardwright_gateway.database.agents import AddedAgents
    from cardwright_gateway.settings.config import network_agent

    agents = dict(config.agents)
    for agent_id, kept in AddedAgents(database).all().items():
        try:
            agents.setdefault(agent_id, network_agent(agent_id, kept.said, config.defaults))
        except CardError:
            # The gateway passes it over, too, and says so in its log.
            continue
    return agents
