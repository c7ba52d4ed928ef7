"""`cardwright gateway keys`: issue, list, rotate and revoke the keys of agents."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardwright.cli.terminal import emit, emit_json, fail, render, tell
from cardwright_gateway.cli.database import AgentId, Config, Json, actor, known, opened, time_of
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from cardwright_gateway.auth.agent_keys import KeyRecord

app = typer.Typer(
    no_args_is_help=True,
    help="Issue, list, rotate and revoke agent keys. Changes reach a running gateway within 5 seconds.",
)
KeyId = Annotated[str, typer.Argument(metavar="KEY", help="The id of a key, as shown by `list`.")]
_DAY: Final = 86_400


@app.command(
    "issue",
    epilog='\nExample:\n  cardwright gateway keys issue travel --name "Their platform" --config agents.yml',
)
def issue(
    context: typer.Context,
    agent_id: AgentId,
    *,
    name: Annotated[str, typer.Option("--name", help="Set the name of the key, for lists.")] = "",
    requests: Annotated[
        int | None,
        typer.Option("--requests", metavar="N", min=0, help="Limit the key to N requests; 0 for no limit."),
    ] = None,
    seconds: Annotated[
        int, typer.Option("--seconds", metavar="N", min=1, help="Apply --requests to windows of N seconds.")
    ] = 60,
    days: Annotated[
        float | None, typer.Option("--days", metavar="N", help="Let the key expire after N days.")
    ] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Issue a key for an agent, and print it to standard output.

    The key is shown only once.
    """
    from cardwright_gateway.auth.agent_keys import AgentKeys, Quota

    with opened(context, config) as (_, agents, database):
        agent = known(agents, agent_id)
        if not agent.owner:
            fail(
                f"the agent {agent_id!r} has no owner, so it cannot have keys: set its `owner` in the configuration"
            )
        record, secret = AgentKeys(database).issue(
            agent.id,
            agent.owner,
            actor=actor(),
            name=name,
            quota=None if requests is None else Quota(requests, seconds),
            expires_at=None if days is None else time.time() + days * _DAY,
        )
    _print_secret(record, secret, as_json=as_json)
    if agent.access == "open":
        tell(
            "Anyone can call this agent without a key. To require one, set `access: keys` in its configuration.\n"
        )


@app.command("list", epilog="\nExample:\n  cardwright gateway keys list travel --config agents.yml")
def list_(context: typer.Context, agent_id: AgentId, *, config: Config = None, as_json: Json = False) -> None:
    """List the keys of an agent, also revoked ones, without the secrets."""
    from cardwright_gateway.auth.agent_keys import AgentKeys

    with opened(context, config) as (_, agents, database):
        # Also list keys of an agent that no longer exists, so that they can be revoked.
        records = AgentKeys(database).list(agent_id)
        if not records:
            known(agents, agent_id)
    if as_json:
        emit_json({"keys": [record.to_json() for record in records]})
    elif records:
        render(table_of(records))
    else:
        tell("The agent has no keys. Issue one with: cardwright gateway keys issue\n")


@app.command("rotate", epilog="\nExample:\n  cardwright gateway keys rotate travel key_1 --config agents.yml")
def rotate(
    context: typer.Context, agent_id: AgentId, key_id: KeyId, *, config: Config = None, as_json: Json = False
) -> None:
    """Replace the secret of a key, and print it. The old secret becomes invalid; the caller keeps its tasks.

    The key is shown only once.
    """
    from cardwright_gateway.auth.agent_keys import AgentKeys

    with opened(context, config) as (_, _, database):
        record, secret = AgentKeys(database).rotate(key_id, agent_id=agent_id, actor=actor())
    _print_secret(record, secret, as_json=as_json)


@app.command("revoke", epilog="\nExample:\n  cardwright gateway keys revoke travel key_1 --config agents.yml")
def revoke(
    context: typer.Context, agent_id: AgentId, key_id: KeyId, *, config: Config = None, as_json: Json = False
) -> None:
    """Revoke a key for good."""
    from cardwright_gateway.auth.agent_keys import AgentKeys

    with opened(context, config) as (_, _, database):
        record = AgentKeys(database).revoke(key_id, agent_id=agent_id, actor=actor())
    if as_json:
        emit_json(record.to_json())
    else:
        tell(f"Revoked the key {record.id} ({record.prefix}…).\n")


def table_of(records: Sequence[KeyRecord]) -> Table:
    """Return keys as a table."""
    from rich.table import Table
    from rich.text import Text

    now = time.time()
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("id", "name", "key", "limit", "issued", "expires", "state"):
        table.add_column(name, overflow="fold")
    for record in records:
        state = "valid" if record.is_valid(now) else "expired" if record.revoked_at is None else "revoked"
        quota = (
            "–" if record.quota is None else f"{record.quota.requests or 'any'} in {record.quota.seconds} s"
        )
        table.add_row(
            Text(record.id, "bold"),
            Text(escaped(record.name) or "–"),
            Text(f"{record.prefix}…"),
            Text(quota),
            Text(time_of(record.created_at)),
            Text(time_of(record.expires_at)),
            Text(state, "green" if state == "valid" else "red"),
        )
    return table


def _print_secret(record: KeyRecord, secret: str, *, as_json: bool) -> None:
    if as_json:
        emit_json({**record.to_json(), "key": secret})
        return
    tell(f"Key {record.id} for the agent {record.agent_id}; it is not shown again:\n")
    emit(f"{secret}\n")
