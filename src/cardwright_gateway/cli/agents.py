"""`cardwright gateway agents`: list the agents of a gateway, and show who may call them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardwright.cli.terminal import emit_json, emit_stderr, fail, render
from cardwright.dates import rfc3339_at
from cardwright_gateway.cli.database import AgentId, Config, Json, actor, gateway_command, known, opened
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright_gateway.database.agent_states import AgentStates
    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_gateway_models.settings.gateway import Owner

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
        shown = [_effective(agent, states) for agent in agents.values()]
        summaries = [_summary(agent, counts.get(agent.id, 0), owners, states) for agent in shown]
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
        states = AgentStates(database)
        agent = _effective(agent, states)
        summary = _summary(agent, keys.counted().get(agent.id, 0), owners, states)
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
    resume = gateway_command(context, config, f"agents resume {agent_id}")
    emit_stderr(f"Paused the agent {agent_id}. Resume it with: {resume}\n")


@app.command("resume", epilog="\nExample:\n  cardwright gateway agents resume travel --config agents.yml")
def resume(context: typer.Context, agent_id: AgentId, *, config: Config = None) -> None:
    """Accept messages to a paused agent again."""
    _set_paused(context, agent_id, config, paused=False)
    emit_stderr(f"Resumed the agent {agent_id}.\n")


@app.command(
    "change",
    epilog="\nExample:\n  cardwright gateway agents change travel --visibility unlisted --config agents.yml",
)
def change(
    context: typer.Context,
    agent_id: AgentId,
    *,
    visibility: Annotated[
        str | None, typer.Option("--visibility", help="public, unlisted or private.", show_default=False)
    ] = None,
    concurrency: Annotated[
        int | None,
        typer.Option(
            "--concurrency", min=1, help="The maximum number of concurrent calls.", show_default=False
        ),
    ] = None,
    timeout_seconds: Annotated[
        float | None,
        typer.Option(
            "--timeout-seconds", min=0.1, help="Time limit for the whole response.", show_default=False
        ),
    ] = None,
    reset: Annotated[
        bool, typer.Option("--reset", help="Use the values of the configuration file for all others again.")
    ] = False,
    config: Config = None,
) -> None:
    """Change an agent of the configuration file, where its owner_may_change allows it; a running gateway follows."""
    from cardwright_gateway.database.agent_states import AgentStates
    from cardwright_gateway.settings.overrides import CHANGEABLE, check_overrides, forbidden

    given = {"visibility": visibility, "concurrency": concurrency, "timeout_seconds": timeout_seconds}
    changes = {name: given[name] for name in CHANGEABLE if reset or given[name] is not None}
    if not changes:
        fail("nothing to change: give --visibility, --concurrency, --timeout-seconds or --reset")
    with opened(context, config) as (_, agents, database):
        agent = known(agents, agent_id)
        if not agent.from_file:
            fail(f"the agent {agent_id} was added over the API: its owner changes it there")
        refused = forbidden(agent, [name for name, value in changes.items() if value is not None])
        if refused:
            fail(
                f"the agent {agent_id} does not allow this: add {' and '.join(refused)} to its owner_may_change"
            )
        check_overrides(agent, changes)
        AgentStates(database).override(agent.id, agent.owner, changes, actor=actor())
    emit_stderr(f"Changed the agent {agent_id}.\n")


def _set_paused(context: typer.Context, agent_id: str, config: str | None, *, paused: bool) -> None:
    from cardwright_gateway.database.agent_states import AgentStates

    with opened(context, config) as (_, agents, database):
        agent = known(agents, agent_id)
        AgentStates(database).set_paused(agent.id, agent.owner, paused=paused, actor=actor())


def _effective(agent: AgentConfig, states: AgentStates) -> AgentConfig:
    """Return an agent with what its owner changed."""
    from cardwright_gateway.settings.overrides import overridden

    return overridden(agent, states.overrides(agent.id, agent.owner))[0] if agent.from_file else agent


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
        "concurrency": agent.concurrency,
        "timeout_seconds": agent.timeout_seconds,
        "tasks": agent.tasks,
        "invoke": agent.invoke,
        "added": not agent.from_file,
        "owner_may_change": list(agent.owner_may_change),
        "overrides": dict(states.overrides(agent.id, agent.owner)) if agent.from_file else {},
        "paused_at": rfc3339_at(states.paused_at(agent.id, agent.owner)),
        "keys": keys,
    }
