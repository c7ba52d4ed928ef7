"""`cardwright mcp`: an MCP server on standard input and output, so that assistants can use cardwright."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.fetch_options import reach_of
from cardwright.cli.option_groups import described
from cardwright.cli.terminal import fail
from cardwright.extras import requires_extra

EXAMPLES: Final = ("cardwright mcp", "cardwright mcp --root cards/")


def command(
    *,
    root: Annotated[str, described("mcp --root")] = ".",
    allowed: options.Network,
) -> None:
    """Serve the tools check, fix, convert, diff, explain and discover to an assistant, by MCP on standard input and output.

    An assistant starts it: name this command in its configuration. No tool changes a file.
    """
    with requires_extra("mcp"):
        from cardwright.cli.mcp_tools import CardTools
    if not Path(root).is_dir():
        fail(f"--root: {root} is not a folder")
    tools = CardTools(Path(root), reach_of(allowed, []).guard)
    tools.server().run("stdio")
