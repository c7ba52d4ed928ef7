"""A registry for one command: opened, asked, refreshed with a bar, and closed."""

from __future__ import annotations

import asyncio
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.cli.fetch_options import name_of, refuse
from cardwright.cli.options import FILES, STORE
from cardwright.cli.terminal import at_terminal, fail, legible, tell
from cardwright.errors import BadArgument, CardError, ConnectionDenied, UnknownPeer
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from cardwright.cli.options import Registry
    from cardwright.discovery.events import Event
    from cardwright.discovery.refreshing import Refreshed
    from cardwright.discovery.registry import AgentRegistry


@contextmanager
def opened(
    asked: Registry, happened: Callable[[Event], None] | None = None, *, begins: bool = False
) -> Generator[AgentRegistry]:
    """Open a registry; what is wrong with it, or with what is asked of it, ends the command."""
    from cardwright.cli.keyfiles import trusted
    from cardwright.discovery.registry import AgentRegistry
    from cardwright.guard import allowed

    allow = allowed(asked.allowed.networks, private=asked.allowed.private)
    ports, keys = asked.allowed.ports, trusted(asked.keys)
    path = asked.config or next((name for name in FILES if Path(name).is_file()), None)
    if path is None and not begins and not _exists(asked.store or STORE):
        fail(
            f"{legible(asked.store or STORE)}: no registry is here; `cardwright registry add URL` begins one"
        )
    try:
        if path is not None:
            made = AgentRegistry.from_file(
                path,
                store=asked.store,
                allow=allow,
                ports=ports,
                keys=keys,
                asks=asked.asks,
                on_event=happened,
                default_store=STORE,
            )
        else:
            made = AgentRegistry(
                store=asked.store or STORE, allow=allow, ports=ports, keys=keys, on_event=happened
            )
        try:
            yield made
        finally:
            made.store.close()
    except BadArgument as error:
        optional = error.argument in ("allow", "cursor", "version")
        fail(f"--{error}" if optional else str(error).removeprefix("url: "))
    except ConnectionDenied as error:
        refuse(error)
    except UnknownPeer as error:
        fail(f"{error}: `cardwright registry list` says who is", status=1)
    except CardError as error:
        fail(str(error))


def _exists(store: str) -> bool:
    return "://" in store or Path(store).exists()


def check_urls(registry: AgentRegistry, urls: list[str]) -> None:
    """End the command if the guard will not dial one of some URLs, before anything is written."""
    from cardwright.discovery.candidates import given

    for url in urls:
        try:
            registry.guard.check(given(url))
        except ConnectionDenied as error:
            refuse(error)


def refreshed(registry: AgentRegistry, names: Any, *, force: bool) -> Refreshed:
    """Refresh with a bar for who is looking, and tell every failure."""
    if not at_terminal(sys.stderr):
        done = asyncio.run(registry.refresh(*names, force=force))
    else:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("Asking"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            total = len(names) or registry.due(force=force)
            task = progress.add_task("", total=total)
            done = asyncio.run(
                registry.refresh(*names, force=force, told=lambda more: progress.advance(task, more))
            )
    for url, error in done.failures.items():
        shown = (
            error if error.startswith("refused: ") or name_of(url) in error else f"{name_of(url)}: {error}"
        )
        tell(f"{escaped(legible(shown))}\n")
    return done


def status_of(done: Refreshed) -> int:
    """Return the exit status that a refresh comes to."""
    if any(error.startswith("refused: ") for error in done.failures.values()):
        return 2
    return 1 if done.failures else 0
