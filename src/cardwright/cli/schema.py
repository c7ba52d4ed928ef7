"""`cardwright schema`: the bundled JSON Schemas that cards are judged by."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.terminal import emit, emit_json, fail
from cardwright_models import DIALECTS

app = typer.Typer(no_args_is_help=True, help="List and show the JSON Schemas that cards are judged by.")

# What is no dialect: the files of `cardwright registry` and `cardwright gateway`, and what Beach agents send each other.
OTHERS: Final = {
    "agents": ("cardwright_models.settings", "agents.json"),
    "gateway": ("cardwright_models.settings", "gateway.json"),
    "envelope": ("cardwright_models.beach_envelope_v1_0", "schema.json"),
}


def _known(name: str) -> str:
    if name not in OTHERS and name not in DIALECTS:
        fail(f"there is no dialect {name!r}; known are {', '.join((*DIALECTS, *OTHERS))}")
    return name


def _names() -> list[str]:
    return [*DIALECTS, *OTHERS]


@app.command("list")
def names(
    *,
    form: options.Format = "text",
) -> None:
    """List every dialect with its title and the $id of its schema."""
    if form == "json":
        rows = [{"dialect": row.name, "title": row.title, "$id": row.schema_id} for row in DIALECTS.values()]
        emit_json({"results": rows})
        return
    name_width = max(len(row.name) for row in DIALECTS.values())
    title_width = max(len(row.title) for row in DIALECTS.values())
    for row in DIALECTS.values():
        schema = row.schema_id or f"none of its own: see {' and '.join(row.halves)}"
        emit(f"{row.name:{name_width}}  {row.title:{title_width}}  {schema}\n")


@app.command("show")
def content(
    dialect: Annotated[
        str,
        typer.Argument(
            metavar="DIALECT",
            callback=_known,
            autocompletion=_names,
            help="A dialect; agents or gateway: the file of a registry or a gateway; or envelope: what Beach agents send each other.",
        ),
    ],
) -> None:
    """Print the bundled JSON Schema of a dialect, of a file of settings, or of envelopes."""
    if dialect in OTHERS:
        from cardwright_runtime.engine import load

        emit_json(load(*OTHERS[dialect]))
        return
    row = DIALECTS[dialect]
    if row.schema_id is None:
        fail(f"{row.name} has no schema of its own; its halves have: {' and '.join(row.halves)}")
    emit_json(row.schema())
