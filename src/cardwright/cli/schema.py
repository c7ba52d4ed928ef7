"""`cardwright schema`: the bundled JSON Schemas for cards and settings files."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Annotated, Any, Final

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.option_groups import described, examples
from cardwright.cli.terminal import emit, emit_json, fail
from cardwright_rules import ROWS
from cardwright_rules.public_form import public_form

app = typer.Typer(
    no_args_is_help=True,
    help="List and print the JSON Schemas of cards and settings files.",
    epilog=examples("cardwright schema list", "cardwright schema show a2a-1.0 > a2a-1.0.json"),
)


@dataclass(frozen=True, slots=True)
class Other:
    """A schema that is not that of a dialect: of a settings file, or of a Beach message.

    Attributes:
        title: What it describes.
        package: The package that holds its file.
        file: The name of the file.
        definition: The definition of the file that is the schema; "" for the whole file.
        schema_file: The name of the schema file, as its $id has it; "" for the $id of the whole file.
    """

    title: str
    package: str
    file: str
    definition: str = ""
    schema_file: str = ""

    def schema(self) -> dict[str, Any]:
        """Return the schema as one self-contained document."""
        from cardwright_runtime.engine import load

        document: dict[str, Any] = load(self.package, self.file)
        if not self.definition:
            return document
        definitions = document["$defs"]
        reached = [self.definition]
        for name in reached:
            refs = re.findall(r'"#/\$defs/([^"]+)"', json.dumps(definitions[name]))
            reached += [ref for ref in dict.fromkeys(refs) if ref not in reached]
        inner = {name: definitions[name] for name in sorted(reached[1:])}
        schema_id = document["$id"].rpartition("/")[0] + "/" + self.schema_file
        return {
            "$schema": document["$schema"],
            "$id": schema_id,
            **definitions[self.definition],
            "$defs": inner,
        }


_SETTINGS: Final = "cardwright_rules.settings"
_BEACH: Final = "cardwright_models.beach_envelope_v1_0"
OTHERS: Final = {
    "agents": Other("Settings file of a registry", _SETTINGS, "agents.json"),
    "gateway": Other("Settings file of a gateway", _SETTINGS, "gateway.json"),
    "project": Other("Settings file of a project", _SETTINGS, "project.json"),
    "envelope": Other("Message of a Beach agent", _BEACH, "schema.json"),
    "state-machine": Other(
        "State machines of a Beach application",
        _BEACH,
        "schema.json",
        "StateMachineFile",
        "state-machine.schema.json",
    ),
}


def _known(name: str) -> str:
    if name not in OTHERS and name not in ROWS:
        fail(f"unknown schema {name!r}; known schemas: {', '.join((*ROWS, *OTHERS))}")
    return name


def _names() -> list[str]:
    return [*ROWS, *OTHERS]


@app.command("list", epilog=examples("cardwright schema list --format json"))
def names(*, form: options.Format = "text") -> None:
    """List the schemas of dialects, settings files and Beach messages with their titles and $ids."""
    if form == "json":
        rows = [{"dialect": row.name, "title": row.title, "$id": row.schema_id} for row in ROWS.values()]
        others = [
            {"schema": name, "title": other.title, "$id": other.schema()["$id"]}
            for name, other in OTHERS.items()
        ]
        emit_json({"results": rows, "others": others})
        return
    lines = [
        (row.name, row.title, row.schema_id or f"(no schema of its own: see {' and '.join(row.halves)})")
        for row in ROWS.values()
    ]
    lines += [(name, other.title, other.schema()["$id"]) for name, other in OTHERS.items()]
    name_width, title_width = (max(len(line[column]) for line in lines) for column in (0, 1))
    for name, title, schema in lines:
        emit(f"{name:{name_width}}  {title:{title_width}}  {schema}\n")


@app.command("show", epilog=examples("cardwright schema show a2a-1.0", "cardwright schema show gateway"))
def content(
    dialect: Annotated[str, described("schema DIALECT", callback=_known, autocompletion=_names)],
) -> None:
    """Print the JSON Schema of a dialect, a settings file or a Beach envelope."""
    row = OTHERS.get(dialect) or ROWS[dialect]
    if not isinstance(row, Other) and row.schema_id is None:
        fail(f"{row.name} has no schema of its own; print those of its parts: {' and '.join(row.halves)}")
    emit_json(public_form(row.schema()))
