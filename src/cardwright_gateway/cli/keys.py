"""`cardwright gateway keys`: issue, list, change, rotate and revoke the keys of agents."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cardwright.cli.terminal import emit, emit_json, emit_stderr, fail, render
from cardwright_gateway.cli.database import (
    AgentId,
    Config,
    Expires,
    Json,
    actor,
    day_of,
    expiry_of,
    gateway_command,
    known,
    opened,
    seconds_of,
    time_of,
)
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from cardwright_gateway.auth.agent_keys import KeyRecord, Quota
    from cardwright_gateway.auth.secret_table import SecretRecord

app = typer.Typer(
    no_args_is_help=True,
    help="Issue, list, change, rotate and revoke agent keys. Changes reach a running gateway within 5 seconds.",
)
Requests = Annotated[
    int | None,
    typer.Option("--requests", metavar="N", min=0, help="Limit the key to N requests; 0 for no limit."),
]
Seconds = Annotated[
    int, typer.Option("--seconds", metavar="N", min=1, help="Apply --requests to windows of N seconds.")
]
KeyId = Annotated[str, typer.Argument(metavar="KEY", help="The id of a key, as shown by `list`.")]


@app.command(
    "issue",
    epilog='\nExample:\n  cardwright gateway keys issue travel --name "Their platform" --config agents.yml',
)
def issue(
    context: typer.Context,
    agent_id: AgentId,
    *,
    name: Annotated[str, typer.Option("--name", help="Set the name of the key, for lists.")] = "",
    requests: Requests = None,
    seconds: Seconds = 60,
    expires: Expires = None,
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
            expires_at=expiry_of(expires),
        )
    _print_secret(record, secret, as_json=as_json)
    if agent.access == "open":
        emit_stderr(
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
        issue = gateway_command(context, config, f"keys issue {agent_id}")
        emit_stderr(f"The agent has no keys. Issue one with: {issue}\n")


@app.command(
    "update",
    epilog="\nExample:\n  cardwright gateway keys update travel key_1 --requests 600 --config agents.yml",
)
def update(  # noqa: PLR0913 - an argument an option
    context: typer.Context,
    agent_id: AgentId,
    key_id: KeyId,
    *,
    name: Annotated[str | None, typer.Option("--name", help="Set the name of the key.")] = None,
    requests: Requests = None,
    seconds: Seconds = 60,
    default_limit: Annotated[
        bool, typer.Option("--default-limit", help="Remove the key's own limit: the gateway's applies.")
    ] = False,
    expires: Expires = None,
    no_expiry: Annotated[bool, typer.Option("--no-expiry", help="Let the key never expire.")] = False,
    paused: Annotated[
        bool | None,
        typer.Option("--pause/--resume", help="Refuse calls with the key for now, or accept them again."),
    ] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Change the name, limit or expiry of a key, or pause it. Its secret stays the same."""
    from cardwright_gateway.auth.agent_keys import AgentKeys, Quota

    if (requests is not None and default_limit) or (expires is not None and no_expiry):
        fail(
            "two options contradict each other: give one of --requests and --default-limit, --expires and --no-expiry"
        )
    changes: dict[str, Any] = {}
    if name is not None:
        changes["name"] = name
    if requests is not None or default_limit:
        changes["quota"] = None if requests is None else Quota(requests, seconds)
    if expires is not None or no_expiry:
        changes["expires_at"] = expiry_of(expires)
    if paused is not None:
        changes["paused"] = paused
    if not changes:
        fail("nothing to change: give at least one option, such as --requests; see --help")
    with opened(context, config) as (_, _, database):
        record = AgentKeys(database).change(key_id, holder=agent_id, actor=actor(), **changes)
    if as_json:
        emit_json(record.to_json())
    else:
        render(table_of([record]))


@app.command("rotate", epilog="\nExample:\n  cardwright gateway keys rotate travel key_1 --config agents.yml")
def rotate(
    context: typer.Context,
    agent_id: AgentId,
    key_id: KeyId,
    *,
    overlap: Annotated[
        str,
        typer.Option(
            "--overlap", metavar="DURATION", help="Keep the old secret valid this long, such as 1d or 12h."
        ),
    ] = "0m",
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Replace the secret of a key, and print it. The caller keeps its tasks.

    The old secret becomes invalid at once, or after --overlap.

    The key is shown only once.
    """
    from cardwright_gateway.auth.agent_keys import AgentKeys

    seconds = seconds_of(overlap)
    if seconds is None:
        fail(f"--overlap: {overlap!r} is no duration, such as 1d, 12h or 45m")
    with opened(context, config) as (_, _, database):
        record, secret = AgentKeys(database).rotate(
            key_id, holder=agent_id, actor=actor(), overlap_seconds=int(seconds)
        )
    _print_secret(record, secret, as_json=as_json)


@app.command("revoke", epilog="\nExample:\n  cardwright gateway keys revoke travel key_1 --config agents.yml")
def revoke(
    context: typer.Context, agent_id: AgentId, key_id: KeyId, *, config: Config = None, as_json: Json = False
) -> None:
    """Revoke a key for good."""
    from cardwright_gateway.auth.agent_keys import AgentKeys

    with opened(context, config) as (_, _, database):
        record = AgentKeys(database).revoke(key_id, holder=agent_id, actor=actor())
    if as_json:
        emit_json(record.to_json())
    else:
        emit_stderr(f"Revoked the key {record.id} ({record.prefix}…).\n")


def table_of(records: Sequence[SecretRecord], kind: Literal["key", "token"] = "key") -> Table:
    """Return keys, or tokens of owners, as a table."""
    from rich.table import Table
    from rich.text import Text

    from cardwright_gateway.auth.agent_keys import KeyRecord

    now = time.time()
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    limit = ("limit",) if kind == "key" else ()
    for name in ("id", "name", kind, *limit, "issued", "expires", "used", "state"):
        # A cut id could not be copied.
        table.add_column(name, overflow="fold", no_wrap=name == "id")
    for record in records:
        state = record.state(now)
        table.add_row(
            Text(record.id, "bold"),
            Text(escaped(record.name) or "–"),
            Text(f"{record.prefix}…"),
            *([Text(_limit(record.quota))] if isinstance(record, KeyRecord) else []),
            Text(day_of(record.created_at)),
            Text(time_of(record.expires_at)),
            Text(time_of(record.last_used_at)),
            Text(state, "green" if state == "valid" else "red"),
        )
    return table


def _limit(quota: Quota | None) -> str:
    return "–" if quota is None else f"{quota.requests or 'any'} in {quota.seconds} s"


def _print_secret(record: KeyRecord, secret: str, *, as_json: bool) -> None:
    if as_json:
        emit_json({**record.to_json(), "key": secret})
        return
    emit_stderr(f"Key {record.id} for the agent {record.agent_id}; it is not shown again:\n")
    emit(f"{secret}\n")
