"""`python -m tests.interop.run`: run cardwright with other SDKs, and compare with the stored results.

Exits with 1 if a result differs from `docs/pages/explanation/interoperability.md`; `--write` writes it.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import time
from typing import TYPE_CHECKING, Final

from tests.interop.clients import clients, mcp_clients
from tests.interop.mcp_servers import mcp_servers
from tests.interop.parts import parts
from tests.interop.round_trip import round_trip
from tests.interop.servers import servers
from tests.interop.table import PAGE, SECTIONS, Table, differences, store, stored
from tests.interop.typed_models import typed_models

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

RUNS: Final[Mapping[str, Callable[[], Awaitable[Table]]]] = {
    "round trip": round_trip,
    "A2A clients": clients,
    "MCP clients": mcp_clients,
    "A2A servers": servers,
    "MCP servers": mcp_servers,
    "parts": parts,
    "typed models": typed_models,
}


def main() -> int:
    """Run the tables, print them, and compare or write them."""
    parser = argparse.ArgumentParser(prog="python -m tests.interop.run", description=__doc__)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"only these: {', '.join(SECTIONS)}")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    arguments = parser.parse_args()
    unknown = [one for one in arguments.tables if one not in RUNS]
    if unknown:
        parser.error(f"unknown table: {', '.join(unknown)}; known: {', '.join(RUNS)}")
    # The SDKs log the errors that are results here.
    logging.disable(logging.CRITICAL)
    before = stored()
    found: dict[str, Table] = {}
    for name in arguments.tables or RUNS:
        started = time.monotonic()
        found[name] = asyncio.run(_run(name))
        sys.stdout.write(f"{name}\n\n{found[name].to_markdown()}\n")
        _say(f"{name}: {time.monotonic() - started:.0f} s")
    if arguments.write:
        store({**before, **found})
        return 0
    changes = [
        f"{name}: {one}" for name, table in found.items() for one in differences(table, before.get(name))
    ]
    for change in changes:
        _say(change)
    if changes:
        _say(f"{PAGE.name} has other results: run it with --write, and look at the difference")
    return 1 if changes else 0


async def _run(name: str) -> Table:
    return await RUNS[name]()


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
