"""`cardwright gateway deliveries`: what became of webhooks, and dead letters sent again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardwright.cli.terminal import emit_json, fail, render, tell
from cardwright_gateway.cli.database import Config, Json, actor, known, opened, time_of
from cardwright_gateway.webhooks.rows import STATES
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from rich.table import Table

app = typer.Typer(no_args_is_help=True, help="Show what became of webhooks, and send dead letters again.")
Delivery = Annotated[str, typer.Argument(metavar="DELIVERY", help="The id of an attempt.")]


@app.command("list")
def list_(
    context: typer.Context,
    agent_id: Annotated[
        str | None, typer.Argument(metavar="[AGENT]", help="Only those of one agent.", show_default=False)
    ] = None,
    *,
    state: Annotated[
        str | None,
        typer.Option("--state", help=f"Only those whose event is {', '.join(STATES)}.", show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=10_000, help="How many at most.")] = 50,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """List attempts, the newest first."""
    from cardwright_gateway.webhooks.admin import Deliveries

    if state is not None and state not in STATES:
        fail(f"--state is one of {', '.join(STATES)}")
    with opened(context, config) as (_, agents, database):
        if agent_id is not None:
            known(agents, agent_id)
        told = Deliveries(database).list(agent_id, state=state, limit=limit)
    if as_json:
        emit_json({"deliveries": told})
    elif told:
        render(_table(told))
    else:
        tell("no attempt was made")


@app.command("show")
def show(
    context: typer.Context, delivery_id: Delivery, *, config: Config = None, as_json: Json = False
) -> None:
    """Show all attempts to deliver the same event."""
    from cardwright_gateway.webhooks.admin import Deliveries

    with opened(context, config) as (_, _, database):
        told = Deliveries(database).show(delivery_id)
    if as_json:
        emit_json(told)
        return
    event = told["event"] or {"state": "forgotten", "next_at": None}
    rows = [{**one, "event_state": event["state"], "next_at": event["next_at"]} for one in told["attempts"]]
    render(_table(rows))


@app.command("redeliver")
def redeliver(context: typer.Context, delivery_id: Delivery, *, config: Config = None) -> None:
    """Have a dead letter sent again, signed afresh, by the gateway that runs, within some seconds."""
    from cardwright_gateway.webhooks.admin import Deliveries

    with opened(context, config) as (_, agents, database):
        owners = {agent.id: agent.owner for agent in agents.values()}
        event = Deliveries(database).revive(delivery_id, actor=actor(), now=time.time(), owners=owners)
    tell(f"{event} is sent again as soon as the gateway runs")


def _table(rows: list[dict[str, Any]]) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("id", "agent", "attempt", "started", "outcome", "status", "ms", "event", "next"):
        table.add_column(name, overflow="fold")
    for row in rows:
        status = f"{row['status_class']}xx" if row["status_class"] else "–"
        took = f"{row['duration_ms']:.0f}" if row["duration_ms"] is not None else "–"
        cells = (
            row["agent_id"], str(row["number"]), time_of(row["started_at"]), row["outcome"], status, took,
            row["event_state"], time_of(row["next_at"]),
        )  # fmt: skip
        table.add_row(Text(escaped(row["id"]), "bold"), *(Text(escaped(cell)) for cell in cells))
    return table
