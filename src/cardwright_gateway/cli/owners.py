"""`cardwright gateway owner`: add, list and remove owners, and issue tokens to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardwright.cli.terminal import emit, emit_json, emit_stderr, fail, render
from cardwright.dates import rfc3339_at
from cardwright_gateway.cli.database import (
    Config,
    Expires,
    Json,
    actor,
    expiry_of,
    gateway_command,
    opened,
)
from cardwright_gateway.cli.keys import table_of
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from cardwright.store.database import Database
    from cardwright_gateway.database.owners import OwnerDirectory
    from cardwright_gateway.settings.config import GatewayConfig

app = typer.Typer(
    no_args_is_help=True,
    help="Add, list and remove owners, and issue tokens to them. Changes reach a running gateway within 5 seconds.",
)
OwnerId = Annotated[str, typer.Argument(metavar="OWNER", help="The id of an owner.")]


@app.command(
    "add", epilog='\nExample:\n  cardwright gateway owner add acme --name "Acme Ltd" --config gateway.yml'
)
def add(
    context: typer.Context,
    owner_id: OwnerId,
    *,
    name: Annotated[
        str | None, typer.Option("--name", help="Set the name in cards. Default: the id.")
    ] = None,
    url: Annotated[str | None, typer.Option("--url", help="Set the website in cards.")] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Add an owner: with a token, the owner adds agents and issues keys over the API."""
    from cardwright_gateway.factory.resources import stores_tasks

    with opened(context, config) as (settings, _, database):
        owners = _owners(settings, database)
        # A gateway that had no owners at its start does not keep tasks: that needs memory and a key for webhooks.
        restart = not owners and not stores_tasks(settings)
        added = owners.add(owner_id, name or owner_id, url, actor=actor())
        record = _json(owners, owner_id)
    if as_json:
        emit_json(record)
    else:
        token = gateway_command(context, config, f"owner token {owner_id}")
        emit_stderr(f"Added the owner {owner_id} ({added.name}). Issue a token with: {token}\n")
        if restart:
            emit_stderr(
                "This is the first owner, so a gateway that runs now needs one restart to store tasks of agents.\n"
            )


@app.command("list", epilog="\nExample:\n  cardwright gateway owner list --config gateway.yml")
def list_(context: typer.Context, *, config: Config = None, as_json: Json = False) -> None:
    """List the owners: those of the configuration file, and added ones."""
    with opened(context, config) as (settings, _, database):
        owners = _owners(settings, database)
        records = [_json(owners, owner_id) for owner_id in owners]
    if as_json:
        emit_json({"owners": records})
        return
    if not records:
        emit_stderr(
            f"There are no owners. Add one with: {gateway_command(context, config, 'owner add OWNER')}\n"
        )
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("id", "name", "website", "from"):
        table.add_column(name, overflow="fold")
    for record in records:
        table.add_row(
            Text(record["id"], "bold"),
            Text(escaped(record["name"])),
            Text(escaped(record["url"] or "–")),
            Text("added" if record["added"] else "file"),
        )
    render(table)


@app.command("remove", epilog="\nExample:\n  cardwright gateway owner remove acme --config gateway.yml")
def remove(context: typer.Context, owner_id: OwnerId, *, config: Config = None) -> None:
    """Remove an owner without agents, and revoke the owner's tokens."""
    with opened(context, config) as (settings, _, database):
        _owners(settings, database).remove(owner_id, actor=actor())
    emit_stderr(f"Removed the owner {owner_id}.\n")


@app.command(
    "token", epilog="\nExample:\n  cardwright gateway owner token acme --expires 30d --config gateway.yml"
)
def token(
    context: typer.Context,
    owner_id: OwnerId,
    *,
    name: Annotated[str, typer.Option("--name", help="Set the name of the token, for lists.")] = "",
    expires: Expires = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Issue a token to an owner, and print it to standard output.

    The token is shown only once.
    """
    from cardwright_gateway.auth.owner_tokens import OwnerTokens

    with opened(context, config) as (settings, _, database):
        _check_known(_owners(settings, database), owner_id)
        record, secret = OwnerTokens(database).issue(
            owner_id, actor=actor(), name=name, expires_at=expiry_of(expires)
        )
    if as_json:
        emit_json({**record.to_json(), "token": secret})
        return
    emit_stderr(f"Token {record.id} of the owner {owner_id}; it is not shown again:\n")
    emit(f"{secret}\n")


@app.command("tokens", epilog="\nExample:\n  cardwright gateway owner tokens acme --config gateway.yml")
def tokens(
    context: typer.Context, owner_id: OwnerId, *, config: Config = None, as_json: Json = False
) -> None:
    """List the tokens of an owner, also revoked ones, without the secrets."""
    from cardwright_gateway.auth.owner_tokens import OwnerTokens

    with opened(context, config) as (settings, _, database):
        records = OwnerTokens(database).list(owner_id)
        if not records:
            _check_known(_owners(settings, database), owner_id)
    if as_json:
        emit_json({"tokens": [record.to_json() for record in records]})
        return
    if not records:
        token = gateway_command(context, config, f"owner token {owner_id}")
        emit_stderr(f"The owner has no tokens. Issue one with: {token}\n")
        return
    render(table_of(records, "token"))


@app.command("revoke", epilog="\nExample:\n  cardwright gateway owner revoke acme tok_1 --config gateway.yml")
def revoke(
    context: typer.Context,
    owner_id: OwnerId,
    token_id: Annotated[
        str, typer.Argument(metavar="TOKEN", help="The id of a token, as shown by `tokens`.")
    ],
    *,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Revoke a token for good."""
    from cardwright_gateway.auth.owner_tokens import OwnerTokens

    with opened(context, config) as (_, _, database):
        record = OwnerTokens(database).revoke(token_id, holder=owner_id, actor=actor())
    if as_json:
        emit_json(record.to_json())
    else:
        emit_stderr(f"Revoked the token {record.id} ({record.prefix}…).\n")


def _owners(settings: GatewayConfig, database: Database) -> OwnerDirectory:
    from cardwright_gateway.database.owners import OwnerDirectory

    return OwnerDirectory(settings.owners, database)


def _check_known(owners: OwnerDirectory, owner_id: str) -> None:
    if owner_id not in owners:
        fail(f"unknown owner {owner_id!r}; list the owners with: cardwright gateway owner list")


def _json(owners: OwnerDirectory, owner_id: str) -> dict[str, Any]:
    """Return an owner as a JSON object, as the API does."""
    owner, created_at = owners[owner_id], owners.created_at(owner_id)
    return {
        "id": owner_id,
        "name": owner.name,
        "url": owner.url,
        "added": created_at is not None,
        "created_at": rfc3339_at(created_at),
    }
