"""`cardwright gateway keys`: keys that owners give to those who call their agents."""

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
    help="Issue, list, rotate and revoke keys of agents; a gateway that runs knows within 5 seconds.",
)
KeyId = Annotated[str, typer.Argument(metavar="KEY", help="The id of a key, as `list` shows it.")]
_DAY: Final = 86_400


@app.command("issue")
def issue(
    context: typer.Context,
    agent_id: AgentId,
    *,
    name: Annotated[str, typer.Option("--name", help="What the key is called in lists.")] = "",
    requests: Annotated[
        int | None,
        typer.Option("--requests", metavar="N", min=0, help="Its own limit: requests; 0 for any number."),
    ] = None,
    seconds: Annotated[
        int, typer.Option("--seconds", metavar="N", min=1, help="Its own limit: within so many seconds.")
    ] = 60,
    days: Annotated[
        float | None, typer.Option("--days", metavar="N", help="Let it expire after so many days.")
    ] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Issue a key for an agent, and print it: this once.

    The key alone is on standard output.
    """
    from cardwright_gateway.auth.agent_keys import AgentKeys, Quota

    with opened(context, config) as (_, agents, database):
        agent = known(agents, agent_id)
        if not agent.owner:
            fail(
                f"the agent {agent_id!r} has no owner, and keys are issued for one: say it in the configuration"
            )
        record, secret = AgentKeys(database).issue(
            agent.id,
            agent.owner,
            actor=actor(),
            name=name,
            quota=None if requests is None else Quota(requests, seconds),
            expires_at=None if days is None else time.time() + days * _DAY,
        )
    _once(record, secret, as_json=as_json)
    if agent.access == "open":
        tell(
            "Anybody may call this agent: say access: keys in its configuration to have the key asked for.\n"
        )


@app.command("list")
def list_(context: typer.Context, agent_id: AgentId, *, config: Config = None, as_json: Json = False) -> None:
    """List the keys of an agent, those that were revoked too; no key itself is shown."""
    from cardwright_gateway.auth.agent_keys import AgentKeys

    with opened(context, config) as (_, agents, database):
        # Keys of an agent that is gone are listed as well, so that they can be revoked.
        records = AgentKeys(database).list(agent_id)
        if not records:
            known(agents, agent_id)
    if as_json:
        emit_json({"keys": [one.to_json() for one in records]})
    elif records:
        render(table_of(records))
    else:
        tell("The agent has no keys: cardwright gateway keys issue makes one.\n")


@app.command("rotate")
def rotate(
    context: typer.Context, agent_id: AgentId, key_id: KeyId, *, config: Config = None, as_json: Json = False
) -> None:
    """Put another key in a key's place, and print it: this once. The old one no longer counts; tasks stay."""
    from cardwright_gateway.auth.agent_keys import AgentKeys

    with opened(context, config) as (_, _, database):
        record, secret = AgentKeys(database).rotate(key_id, agent_id=agent_id, actor=actor())
    _once(record, secret, as_json=as_json)


@app.command("revoke")
def revoke(
    context: typer.Context, agent_id: AgentId, key_id: KeyId, *, config: Config = None, as_json: Json = False
) -> None:
    """Revoke a key; it never counts again."""
    from cardwright_gateway.auth.agent_keys import AgentKeys

    with opened(context, config) as (_, _, database):
        record = AgentKeys(database).revoke(key_id, agent_id=agent_id, actor=actor())
    if as_json:
        emit_json(record.to_json())
    else:
        tell(f"The key {record.id} ({record.prefix}…) is revoked.\n")


def table_of(records: Sequence[KeyRecord]) -> Table:
    """Return keys as a table."""
    from rich.table import Table
    from rich.text import Text

    now = time.time()
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("id", "name", "key", "limit", "issued", "expires", "state"):
        table.add_column(name, overflow="fold")
    for one in records:
        state = "counts" if one.is_valid(now) else "expired" if one.revoked_at is None else "revoked"
        quota = "–" if one.quota is None else f"{one.quota.requests or 'any'} in {one.quota.seconds} s"
        table.add_row(
            Text(one.id, "bold"),
            Text(escaped(one.name) or "–"),
            Text(f"{one.prefix}…"),
            Text(quota),
            Text(time_of(one.created_at)),
            Text(time_of(one.expires_at)),
            Text(state, "green" if state == "counts" else "red"),
        )
    return table


def _once(record: KeyRecord, secret: str, *, as_json: bool) -> None:
    if as_json:
        emit_json({**record.to_json(), "key": secret})
        return
    tell(f"The key {record.id} of the agent {record.agent_id}; it is not told again:\n")
    emit(f"{secret}\n")
