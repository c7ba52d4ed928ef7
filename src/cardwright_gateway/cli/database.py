"""Options and helpers of the commands that open a gateway's store, possibly while the gateway runs."""

from __future__ import annotations

import getpass
import os
import re
import shlex
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardwright.cli.terminal import fail
from cardwright.dates import rfc3339_time
from cardwright.errors import CardError

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from cardwright.store.database import Database
    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_gateway.settings.config import GatewayConfig

# A running gateway locks the database only for milliseconds.
_WAIT_SECONDS: Final = 10.0
_MEMORY: Final = ":memory:"
_DURATION: Final = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)([smhd])")
_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400}

Config = Annotated[
    str | None,
    typer.Option(
        "--config", metavar="FILE", help="Read the gateway's configuration from this YAML or JSON file."
    ),
]
Expires = Annotated[
    str | None,
    typer.Option(
        "--expires", metavar="TIME", help="Set when it expires: a duration such as 30d or 12h, or RFC 3339."
    ),
]
# The file that `cardwright gateway init` writes.
DEFAULT_FILE: Final = "gateway.yml"
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
AgentId = Annotated[str, typer.Argument(metavar="AGENT", help="The id of an agent.")]


@contextmanager
def opened(
    context: typer.Context, config: str | None
) -> Generator[tuple[GatewayConfig, Mapping[str, AgentConfig], Database]]:
    """Yield the configuration, all agents (also added ones) and the store; end the command on an error."""
    from cardwright.store.permissions import make_private
    from cardwright_gateway.database.tables import open_database
    from cardwright_gateway.settings.config import GatewayConfig

    path = _file(context, config)
    if path is None:
        path = DEFAULT_FILE
        if not Path(path).exists():
            fail(
                f"--config is missing, and there is no {DEFAULT_FILE} here: give the gateway's configuration file"
            )
    try:
        settings = GatewayConfig.from_file(path)
        if settings.store == _MEMORY:
            fail(
                "the gateway's store is in memory, so this command cannot open it: set `store` to a file or a URL"
            )
        make_private(settings.store)
        database = open_database(settings.store, wait_seconds=_WAIT_SECONDS, durable=True)
        try:
            yield settings, _agents(settings, database), database
        finally:
            database.close()
    except CardError as error:
        fail(str(error))


def gateway_command(context: typer.Context, config: str | None, words: str) -> str:
    """Return another command for the same configuration file, as a person would write it.

    Args:
        context: The context of the command that runs.
        config: Its `--config`.
        words: The words after `cardwright gateway`.
    """
    path = _file(context, config)
    return f"cardwright gateway {words}" + (f" --config {shlex.quote(path)}" if path else "")


def _file(context: typer.Context, config: str | None) -> str | None:
    # `--config` may come before or after the subcommand.
    return config if config is not None else context.obj


def known(agents: Mapping[str, AgentConfig], agent_id: str) -> AgentConfig:
    """Return an agent; end the command if it does not exist."""
    if agent_id not in agents:
        fail(f"unknown agent {agent_id!r}; list the agents with: cardwright gateway agents list")
    return agents[agent_id]


def actor() -> str:
    """Return the system user that runs the command, for the audit log."""
    try:
        return f"cli:{getpass.getuser()}"
    except (KeyError, OSError):
        # The user id has no name, as in a container.
        return f"cli:{os.getuid()}"


def expiry_of(expires: str | None) -> float | None:
    """Return the time of `--expires`, in seconds since 1970; end the command if it is neither a duration nor a time.

    >>> expiry_of(None)
    """
    if expires is None:
        return None
    seconds = seconds_of(expires)
    if seconds is not None:
        return time.time() + seconds
    at = rfc3339_time(expires)
    if at is None:
        fail(f"--expires: {expires!r} is neither a duration, such as 30d, 12h or 45m, nor a time of RFC 3339")
    return at.timestamp()


def seconds_of(duration: str) -> float | None:
    """Return a duration in seconds; None if it is no duration.

    >>> seconds_of("30d"), seconds_of("soon")
    (2592000.0, None)
    """
    match = _DURATION.fullmatch(duration)
    return None if match is None else float(match[1]) * _UNITS[match[2]]


def time_of(at: float | None, form: str = "%Y-%m-%d %H:%M") -> str:
    """Return a time as text, or a dash.

    Args:
        at: The time in seconds since 1970.
        form: The form of `strftime`.
    """
    return "–" if at is None else datetime.fromtimestamp(at, UTC).strftime(form)


def day_of(at: float | None) -> str:
    """Return the day of a time as text, or a dash."""
    return time_of(at, "%Y-%m-%d")


def _agents(config: GatewayConfig, database: Database) -> dict[str, AgentConfig]:
    """Return the agents of the file, and those that were added to the running gateway."""
    from cardwright_gateway.database.agents import AddedAgents
    from cardwright_gateway.settings.config import network_agent

    agents = dict(config.agents)
    for agent_id, stored in AddedAgents(database).all().items():
        try:
            agents.setdefault(
                agent_id, network_agent(agent_id, stored.settings, config.defaults, stored=True)
            )
        except CardError:
            # The gateway skips it too, and logs it.
            continue
    return agents
