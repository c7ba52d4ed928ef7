"""`cardwright gateway agents`: list the agents of a gateway, and show who may call them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from cardwright.cli.terminal import emit_json, render
from cardwright_gateway.cli.database import AgentId, Config, Json, known, opened
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_models.settings.gateway import Owner

app = typer.Typer(no_args_is_help=True, help="List the agents of a gateway, and show who may call them.")


@app.command("list", epilog="\nExample:\n  cardwright gateway agents list --config agents.yml")
def list_(context: typer.Context, *, config: Config = None, as_json: Json = False) -> None:
    """List the agents with their owner, visibility, access and number of valid keys."""
    from cardwright_gateway.auth.agent_keys import AgentKeys

    with opened(context, config) as (settings, agents, database):
        counts = AgentKeys(database).counted()
        summaries = [
            _summary(summary, counts.get(summary.id, 0), settings.owners) for summary in agents.values()
        ]
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

    with opened(context, config) as (settings, agents, database):
        agent = known(agents, agent_id)
        keys = AgentKeys(database)
        summary = _summary(agent, keys.counted().get(agent.id, 0), settings.owners)
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


def _summary(agent: AgentConfig, keys: int, owners: Mapping[str, Owner]) -> dict[str, Any]:
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
        "keys": keys,
    }
