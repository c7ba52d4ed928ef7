"""`cardwright schema`: the bundled JSON Schemas for cards and settings files."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.option_groups import examples
from cardwright.cli.terminal import emit, emit_json, fail
from cardwright_models import DIALECTS

app = typer.Typer(
    no_args_is_help=True,
    help="List and print the JSON Schemas of cards and settings files.",
    epilog=examples("cardwright schema list", "cardwright schema show a2a-1.0 > a2a-1.0.json"),
)

# Schemas that are not dialects: the files of `cardwright registry`, `cardwright gateway` and `--registries`, and Beach
# messages.
OTHERS: Final = {
    "agents": ("cardwright_models.settings", "agents.json"),
    "gateway": ("cardwright_models.settings", "gateway.json"),
    "registries": ("cardwright_models.settings", "registries.json"),
    "envelope": ("cardwright_models.beach_envelope_v1_0", "schema.json"),
}


def _known(name: str) -> str:
    if name not in OTHERS and name not in DIALECTS:
        fail(f"unknown schema {name!r}; known schemas: {', '.join((*DIALECTS, *OTHERS))}")
    return name


def _names() -> list[str]:
    return [*DIALECTS, *OTHERS]


@app.command("list", epilog=examples("cardwright schema list --format json"))
def names(
    *,
    form: options.Format = "text",
) -> None:
    """List the dialects with their titles and the $id of their schemas."""
    if form == "json":
        rows = [{"dialect": row.name, "title": row.title, "$id": row.schema_id} for row in DIALECTS.values()]
        emit_json({"results": rows})
        return
    name_width = max(len(row.name) for row in DIALECTS.values())
    title_width = max(len(row.title) for row in DIALECTS.values())
    for row in DIALECTS.values():
        schema = row.schema_id or f"(no schema of its own: see {' and '.join(row.halves)})"
        emit(f"{row.name:{name_width}}  {row.title:{title_width}}  {schema}\n")


@app.command("show", epilog=examples("cardwright schema show a2a-1.0", "cardwright schema show gateway"))
def content(
    dialect: Annotated[
        str,
        typer.Argument(
            metavar="DIALECT",
            callback=_known,
            autocompletion=_names,
            help="A dialect; agents, gateway or registries, for that settings file; or envelope, for the messages of"
            " Beach agents.",
        ),
    ],
) -> None:
    """Print the JSON Schema of a dialect, a settings file or a Beach envelope."""
    if dialect in OTHERS:
        from cardwright_runtime.engine import load

        emit_json(load(*OTHERS[dialect]))
        return
    row = DIALECTS[dialect]
    if row.schema_id is None:
        fail(f"{row.name} has no schema of its own; print those of its parts: {' and '.join(row.halves)}")
    emit_json(row.schema())
