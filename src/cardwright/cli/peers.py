"""The registry of a `cardwright registry` command: opening, refreshing with a progress bar, errors."""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.cli.event_loop import run
from cardwright.cli.fetch_options import name_of, refuse
from cardwright.cli.options import FILES, STORE
from cardwright.cli.terminal import at_terminal, emit_stderr, fail, legible
from cardwright.errors import (
    BadArgument,
    CardError,
    ConnectionDenied,
    MalformedDocument,
    PeerError,
    UnknownDialect,
    UnknownPeer,
)
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from cardwright.cli.options import Registry
    from cardwright.discovery.catalogs import CatalogReading
    from cardwright.discovery.events import Event
    from cardwright.discovery.refreshing import RefreshResult
    from cardwright.discovery.registry import AgentRegistry


@contextmanager
def opened(
    options: Registry, on_event: Callable[[Event], None] | None = None, *, create: bool = False
) -> Generator[AgentRegistry]:
    """Open a registry; an error in it, or in its use, ends the command."""
    from cardwright.checks import ADVISORY_CHECKS
    from cardwright.cli.keyfiles import trusted
    from cardwright.discovery.registry import AgentRegistry
    from cardwright.guard import allowed

    checks = replace(ADVISORY_CHECKS, registries=options.registries)
    allow = allowed(options.allowed.networks, private=options.allowed.private)
    ports, keys = options.allowed.ports, trusted(options.keys)
    path = options.config or next((name for name in FILES if Path(name).is_file()), None)
    if path is None and not create and not _exists(options.store or STORE):
        fail(
            f"{legible(options.store or STORE)}: no such registry; create one with `cardwright registry add URL`"
        )
    try:
        if path is not None:
            registry = AgentRegistry.from_file(
                path,
                store=options.store,
                allow=allow,
                ports=ports,
                keys=keys,
                checks=checks,
                will_fetch=options.will_fetch,
                found=options.config is None,
                on_event=on_event,
                default_store=STORE,
            )
        else:
            registry = AgentRegistry(
                store=options.store or STORE,
                allow=allow,
                ports=ports,
                keys=keys,
                checks=checks,
                on_event=on_event,
            )
        try:
            yield registry
        finally:
            registry.store.close()
    except BadArgument as error:
        optional = error.argument in ("allow", "cursor", "version")
        fail(f"--{error}" if optional else str(error).removeprefix("url: "))
    except ConnectionDenied as error:
        refuse(error)
    except UnknownPeer as error:
        fail(f"{error}; `cardwright registry list` lists the known agents", status=1)
    except CardError as error:
        fail(str(error))


def _exists(store: str) -> bool:
    return "://" in store or Path(store).exists()


def check_urls(registry: AgentRegistry, urls: list[str]) -> None:
    """End the command if the guard refuses one of the URLs, before anything is written."""
    from cardwright.discovery.candidates import given

    for url in urls:
        try:
            registry.guard.check(given(url))
        except ConnectionDenied as error:
            refuse(error)


def followed(registry: AgentRegistry, keys: Mapping[str, str]) -> dict[str, CatalogReading]:
    """Follow the catalogues among what is added, and return what they say, by name.

    Args:
        registry: The registry.
        keys: The key of each name: a URL, a host, or a `file:` URL.
    """
    return run(_followed(registry, {name: key for name, key in keys.items() if _may_list(key)}))


async def _followed(registry: AgentRegistry, keys: Mapping[str, str]) -> dict[str, CatalogReading]:
    readings: dict[str, CatalogReading] = {}
    for name, key in keys.items():
        # Without a catalogue it is an agent, whose lookup says what is wrong.
        with suppress(PeerError, MalformedDocument, UnknownDialect):
            readings[name] = await registry.add_catalog(key)
    return readings


def _may_list(key: str) -> bool:
    """Return whether a name may be that of a catalogue: a host, a file, or a URL that is named like one."""
    from cardwright.discovery.candidates import given

    if key.startswith("file:"):
        return True
    target = given(key)
    return target.path == "/" or target.path.endswith(("/ard.json", "catalog.json"))


def unfollowed(registry: AgentRegistry, name: str, *, purge: bool) -> list[str] | None:
    """Remove a catalogue and its agents; return their URLs, or None if no catalogue has the name."""
    from cardwright.discovery.local_cards import file_key

    if Path(name).is_file():
        return registry.remove_catalog(file_key(name), purge=purge)
    try:
        return registry.remove_catalog(name, purge=purge)
    except ConnectionDenied:
        return None


def refreshed(registry: AgentRegistry, names: Any, *, force: bool) -> RefreshResult:
    """Refresh agents, with a progress bar on a terminal, and print every failure."""
    if not at_terminal(sys.stderr):
        result = run(registry.refresh(*names, force=force))
    else:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("Refreshing"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            total = len(names) or registry.due(force=force)
            task = progress.add_task("", total=total)
            result = run(
                registry.refresh(*names, force=force, on_progress=lambda more: progress.advance(task, more))
            )
    for url, error in result.failures.items():
        named = error.startswith("refused: ") or name_of(url) in error
        emit_stderr(f"{escaped(legible(error if named else f'{name_of(url)}: {error}'))}\n")
    return result


def status_of(result: RefreshResult) -> int:
    """Return the exit status for the result of a refresh."""
    if any(error.startswith("refused: ") for error in result.failures.values()):
        return 2
    return 1 if result.failures else 0
