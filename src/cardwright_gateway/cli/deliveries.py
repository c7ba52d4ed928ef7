"""`cardwright gateway deliveries`: list webhook deliveries, and redeliver dead letters."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cardwright.cli.terminal import emit_json, emit_stderr, fail, render
from cardwright.dates import rfc3339_at
from cardwright_gateway.cli.database import Config, Json, actor, known, opened, time_of
from cardwright_gateway.webhooks.rows import STATES
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.table import Table

app = typer.Typer(no_args_is_help=True, help="List webhook deliveries, and redeliver dead letters.")
_SECOND: Final = "%Y-%m-%d %H:%M:%S"
Delivery = Annotated[str, typer.Argument(metavar="DELIVERY", help="The id of a delivery attempt.")]


@app.command(
    "list", epilog="\nExample:\n  cardwright gateway deliveries list --state dead --config agents.yml"
)
def list_(
    context: typer.Context,
    agent_id: Annotated[
        str | None,
        typer.Argument(metavar="AGENT", help="List only attempts of this agent.", show_default=False),
    ] = None,
    *,
    state: Annotated[
        str | None,
        typer.Option(
            "--state",
            help=f"List only attempts whose event has this state: {', '.join(STATES)}.",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, max=10_000, help="List at most this many attempts.")
    ] = 50,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """List delivery attempts, newest first."""
    from cardwright_gateway.webhooks.admin import Deliveries

    if state is not None and state not in STATES:
        fail(f"--state must be one of {', '.join(STATES)}")
    with opened(context, config) as (_, agents, database):
        if agent_id is not None:
            known(agents, agent_id)
        attempts = Deliveries(database).list(agent_id, state=state, limit=limit)
    if as_json:
        emit_json({"deliveries": [_dated(attempt) for attempt in attempts]})
    elif attempts:
        render(_table(attempts))
    else:
        emit_stderr("No delivery attempts.\n")


@app.command("show", epilog="\nExample:\n  cardwright gateway deliveries show dlv_1 --config agents.yml")
def show(
    context: typer.Context, delivery_id: Delivery, *, config: Config = None, as_json: Json = False
) -> None:
    """Show all attempts to deliver the event of an attempt."""
    from cardwright_gateway.webhooks.admin import Deliveries

    with opened(context, config) as (_, _, database):
        deliveries = Deliveries(database).show(delivery_id)
    if as_json:
        event = deliveries["event"]
        attempts = [_dated(attempt) for attempt in deliveries["attempts"]]
        emit_json({"event": event and _dated(event), "attempts": attempts})
        return
    event = deliveries["event"] or {"state": "deleted", "next_at": None}
    rows = [
        {**attempt, "event_state": event["state"], "next_at": event["next_at"]}
        for attempt in deliveries["attempts"]
    ]
    render(_table(rows))


@app.command(
    "redeliver", epilog="\nExample:\n  cardwright gateway deliveries redeliver dlv_1 --config agents.yml"
)
def redeliver(context: typer.Context, delivery_id: Delivery, *, config: Config = None) -> None:
    """Redeliver a dead letter. The running gateway signs and sends it again within some seconds."""
    from cardwright_gateway.webhooks.admin import Deliveries

    with opened(context, config) as (_, agents, database):
        owners = {agent.id: agent.owner for agent in agents.values()}
        event = Deliveries(database).revive(delivery_id, actor=actor(), now=time.time(), owners=owners)
    emit_stderr(f"Queued the event {event} for redelivery by the running gateway.\n")


def _dated(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its times in the form of RFC 3339, as the API has them."""
    return {name: rfc3339_at(value) if name.endswith("_at") else value for name, value in row.items()}


def _table(rows: list[dict[str, Any]]) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("id", "agent", "attempt", "started", "outcome", "response", "ms", "event", "next"):
        table.add_column(name, overflow="fold")
    for row in rows:
        # The status of a response, or why there was none.
        status = str(row["status"] or row["reason"] or "–")
        duration = f"{row['duration_ms']:.0f}" if row["duration_ms"] is not None else "–"
        cells = (
            row["agent_id"], str(row["number"]), time_of(row["started_at"], _SECOND), row["outcome"], status, duration,
            row["event_state"], time_of(row["next_at"], _SECOND),
        )  # fmt: skip
        table.add_row(Text(escaped(row["id"]), "bold"), *(Text(escaped(cell)) for cell in cells))
    return table
