"""`cardwright gateway agents`: list the agents of a gateway, and show who may call them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from cardwright.cli.terminal import emit_json, render, tell
from cardwright.dates import rfc3339_at
from cardwright_gateway.cli.database import AgentId, Config, Json, actor, known, opened
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright_gateway.database.agent_states import AgentStates
    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_models.settings.gateway import Owner

app = typer.Typer(no_args_is_help=True, help="List the agents of a gateway, and show who may call them.")


@app.command("list", epilog="\nExample:\n  cardwright gateway agents list --config agents.yml")
def list_(context: typer.Context, *, config: Config = None, as_json: Json = False) -> None:
    """List the agents with their owner, visibility, access and number of valid keys."""
    from cardwright_gateway.auth.agent_keys import AgentKeys
    from cardwright_gateway.database.agent_states import AgentStates
    from cardwright_gateway.database.owners import OwnerDirectory

    with opened(context, config) as (settings, agents, database):
        counts = AgentKeys(database).counted()
        owners = OwnerDirectory(settings.owners, database)
        states = AgentStates(database)
        summaries = [_summary(agent, counts.get(agent.id, 0), owners, states) for agent in agents.values()]
    if as_json:
        emit_json({"agents": summaries})
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("id", "protocol", "owner", "visibility", "access", "keys"):
        table.add_column(name, overflow="fold")
    for summary in summaries:
        cells = (
            summary["protocol"],
            summary["owner"] or "–",
            summary["visibility"],
            summary["access"],
            str(summary["keys"]),
        )
        table.add_row(Text(escaped(summary["id"]), "bold"), *(Text(escaped(cell)) for cell in cells))
    render(table)


@app.command("show", epilog="\nExample:\n  cardwright gateway agents show travel --config agents.yml")
def show(context: typer.Context, agent_id: AgentId, *, config: Config = None, as_json: Json = False) -> None:
    """Show one agent and its keys."""
    from cardwright_gateway.auth.agent_keys import AgentKeys
    from cardwright_gateway.cli.keys import table_of
    from cardwright_gateway.database.agent_states import AgentStates
    from cardwright_gateway.database.owners import OwnerDirectory

    with opened(context, config) as (settings, agents, database):
        agent = known(agents, agent_id)
        keys = AgentKeys(database)
        owners = OwnerDirectory(settings.owners, database)
        summary = _summary(agent, keys.counted().get(agent.id, 0), owners, AgentStates(database))
        records = keys.list(agent.id)
    if as_json:
        emit_json({**summary, "agent_keys": [record.to_json() for record in records]})
        return
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    for name, value in summary.items():
        grid.add_row(Text(name.replace("_", " "), "dim"), Text(escaped(str(value)) or "–"))
    render(grid, *([Text(), table_of(records)] if records else []))


@app.command("pause", epilog="\nExample:\n  cardwright gateway agents pause travel --config agents.yml")
def pause(context: typer.Context, agent_id: AgentId, *, config: Config = None) -> None:
    """Refuse new messages to an agent with status 503; what is running finishes."""
    _set_paused(context, agent_id, config, paused=True)
    tell(f"Paused the agent {agent_id}. Resume it with: cardwright gateway agents resume {agent_id}\n")


@app.command("resume", epilog="\nExample:\n  cardwright gateway agents resume travel --config agents.yml")
def resume(context: typer.Context, agent_id: AgentId, *, config: Config = None) -> None:
    """Accept messages to a paused agent again."""
    _set_paused(context, agent_id, config, paused=False)
    tell(f"Resumed the agent {agent_id}.\n")


def _set_paused(context: typer.Context, agent_id: str, config: str | None, *, paused: bool) -> None:
    from cardwright_gateway.database.agent_states import AgentStates

    with opened(context, config) as (_, agents, database):
        agent = known(agents, agent_id)
        AgentStates(database).set_paused(agent.id, agent.owner, paused=paused, actor=actor())


def _summary(
    agent: AgentConfig, keys: int, owners: Mapping[str, Owner], states: AgentStates
) -> dict[str, Any]:
    """Return an agent as a JSON object, without its upstream URL and credentials."""
    return {
        "id": agent.id,
        "protocol": agent.protocol,
        "owner": agent.owner,
        "owner_name": owners[agent.owner].name if agent.owner in owners else "",
        "visibility": agent.visibility,
        "access": agent.access,
        "tasks": agent.tasks,
        "invoke": agent.invoke,
        "added": not agent.from_file,
        "paused_at": rfc3339_at(states.paused_at(agent.id, agent.owner)),
        "keys": keys,
    }
