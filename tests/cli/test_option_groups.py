"""A group of options is declared once, and a command takes it as one value."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import Annotated

import typer
from typer.testing import CliRunner

from cardwright.cli import app, option_groups
from cardwright.cli.option_groups import Group, grouped
from cardwright_runtime.engine import load

SRC = Path(option_groups.__file__).parents[2]


def _size(*, width: Annotated[int, typer.Option("--width", help="How wide.")] = 2) -> int:
    return width


def _box(
    *,
    width: Annotated[int, Group(_size)],
    depth: Annotated[int, typer.Option("--depth", help="How deep.", min=1)] = 3,
) -> tuple[int, int]:
    return width, depth


def _command(
    name: Annotated[str, typer.Argument()],
    *,
    box: Annotated[tuple[int, int], Group(_box)],
    last: Annotated[bool, typer.Option("--last", help="The last one.")] = False,
) -> None:
    typer.echo(f"{name} {box} {last}")


def test_the_options_of_a_group_replace_it_and_groups_may_nest() -> None:
    assert list(inspect.signature(grouped(_command)).parameters) == ["name", "width", "depth", "last"]


def test_a_command_gets_one_value_for_a_group() -> None:
    cli = typer.Typer()
    cli.command()(grouped(_command))

    assert CliRunner().invoke(cli, ["a"]).stdout == "a (2, 3) False\n"
    assert CliRunner().invoke(cli, ["a", "--depth", "7", "--last"]).stdout == "a (2, 7) True\n"
    assert CliRunner().invoke(cli, ["a", "--depth", "0"]).exit_code == 2


def test_a_command_without_groups_is_left_as_it_is() -> None:
    assert grouped(_size) is _size


def test_every_command_that_reads_cards_has_the_same_limits() -> None:
    for command in ("check", "convert", "detect", "diff", "discover", "fix", "show", "sign", "verify"):
        help_text = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"}).stdout
        assert {"--max-bytes", "--max-depth", "--max-members"} <= set(help_text.split()), command


def test_every_described_option_is_one_of_a_command() -> None:
    modules = "".join(file.read_text("utf-8") for file in Path(option_groups.__file__).parent.glob("*.py"))
    assert [key for key in load("cardwright.cli", "options.json") if f'"{key}"' not in modules] == []


def docstrings(file: Path) -> list[str]:
    nodes = ast.walk(ast.parse(file.read_text("utf-8")))
    return [ast.get_docstring(node) or "" for node in nodes if isinstance(node, ast.FunctionDef)]


def test_no_help_text_loses_a_word_in_brackets() -> None:
    """Rich reads `[word]` in a help text as markup, and prints nothing for it."""
    files = [*SRC.glob("cardwright/cli/*.py"), *SRC.glob("cardwright_gateway/cli/*.py")]
    texts = [text for file in files for text in docstrings(file)]
    texts += [row["help"] for row in load("cardwright.cli", "options.json").values()]
    assert len(texts) > 300
    assert [text for text in texts if re.search(r"\[[a-z.]+\]", text)] == []
