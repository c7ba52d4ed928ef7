"""`cardwright registry`: a registry of known agents to refresh, search and watch."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.event_loop import run
from cardwright.cli.fetch_options import name_of
from cardwright.cli.option_groups import described, examples, grouped
from cardwright.cli.peers import check_urls, followed, opened, refreshed, status_of, unfollowed
from cardwright.cli.registry_serve import serve
from cardwright.cli.reports.catalogs import catalog_lines
from cardwright.cli.reports.words import counted
from cardwright.cli.terminal import emit, emit_stderr, fail, legible, report

if TYPE_CHECKING:
    from cardwright.discovery.events import Event

# What is meant as a file: such a URL never lacks its scheme.
_PATH: Final = re.compile(r"^(?![a-z][a-z0-9+.-]*://)(?:[./~]|.*\.(?:json|ya?ml)$)")
_LIST_FORMATS: Final = {"text": "registry:piped", "terminal": "registry:table", "json": "registry:contract"}
_AGENT_FORMATS: Final = {"text": "registry:agent_text", "json": "registry:agent_contract"}
_REFRESH_FORMATS: Final = {"text": "registry:refreshed", "json": "registry:refreshed_contract"}
_SEARCH_FORMATS: Final = {
    "text": "registry:hit_lines",
    "terminal": "registry:hits_renderables",
    "json": "registry:hits_contract",
}
_EVENT_FORMATS: Final = {"text": "registry:event_text", "json": "registry:event_json"}

app = typer.Typer(
    no_args_is_help=True,
    help="Manage a registry of known agents: fetch, validate, refresh, search and watch their cards.\n\n"
    "Agents come from `add` or from agents.yml in this folder. Every version of their cards is stored in a database.",
    epilog=examples(
        "cardwright registry add https://agent.example.com",
        "cardwright registry refresh",
        "cardwright registry search tides",
    ),
)
Names = Annotated[list[str] | None, described("registry NAMES")]
Name = Annotated[str, described("registry NAME")]


@app.command(
    "add",
    epilog=examples(
        "cardwright registry add https://agent.example.com",
        "cardwright registry add --id tides --pin first https://agent.example.com",
        "cardwright registry add --id harbour cards/harbour.json",
        "cardwright registry add https://catalogue.example.com",
    ),
)
@grouped
def add(
    names: Annotated[list[str], described("registry add URL")],
    *,
    agent_id: Annotated[str | None, described("registry add --id")] = None,
    ttl: Annotated[float | None, described("registry add --ttl")] = None,
    pin: Annotated[str | None, described("registry add --pin")] = None,
    accept_invalid: Annotated[bool | None, described("registry add --accept-invalid/--keep-valid")] = None,
    refresh: Annotated[bool, described("registry add --refresh/--no-refresh")] = True,
    agents: options.RequestedAgents,
) -> None:
    """Add agents, or change the settings of known agents; settings without an option stay the same.

    A host or a file with a catalogue of agents (ARD, AI Catalog) adds all of them: `refresh` and `watch` read it again, add
    new agents and remove those that it no longer lists.

    There is no option for header fields, since they would be stored in the database: write them into agents.yml.

    Exit status: 0 success, 1 a card could not be fetched, 2 a URL was refused or the database cannot be used.
    """
    if agent_id is not None and len(names) > 1:
        fail("--id needs exactly one URL: add the agents one by one")
    settings = {"id": agent_id, "ttl_seconds": ttl, "pin": pin, "accept_invalid": accept_invalid}
    given = {name: value for name, value in settings.items() if value is not None}
    from cardwright.discovery.local_cards import file_key

    files = [name for name in names if Path(name).is_file()]
    for name in names:
        if name not in files and _PATH.search(name):
            fail(f"{legible(name)}: no such file; write a URL with https://")
    with opened(agents, create=True) as registry:
        check_urls(registry, [name for name in names if name not in files])
        keys = {name: file_key(name) if name in files else name for name in names}
        # Settings are those of one agent.
        catalogs = {} if given or not refresh else followed(registry, keys)
        others = [name for name in names if name not in catalogs]
        registry.add(*({("file" if name in files else "url"): name, **given} for name in others))
        if not refresh:
            return
        urls = [keys[name] for name in others]
        for name, reading in catalogs.items():
            emit("".join(f"{text}\n" for text in catalog_lines(name, reading)))
            urls += [agent.url for agent in reading.agents]
        result = refreshed(registry, urls, force=True) if urls else None
        for url in urls:
            peer = registry.by_url(url)
            if peer is not None:
                from cardwright.cli.reports.registry import line

                emit(f"{line(peer)}\n")
    raise typer.Exit(0 if result is None else status_of(result))


@app.command("remove", epilog=examples("cardwright registry remove --purge https://agent.example.com"))
@grouped
def remove(
    names: Annotated[list[str], described("registry remove NAME")],
    *,
    purge: Annotated[bool, described("registry remove --purge")] = False,
    agents: options.KnownAgents,
) -> None:
    """Remove agents, or a catalogue with all its agents; the stored versions of their cards stay, unless you give --purge."""
    with opened(agents) as registry:
        urls: list[str] = []
        for name in names:
            listed = unfollowed(registry, name, purge=purge)
            if listed is None:
                urls.append(registry.known(name).url)
            else:
                emit(f"{legible(name_of(name))}: {counted(len(listed), 'agent')} of the catalogue removed\n")
        for url in urls:
            if registry.is_configured(url):
                fail(f"{legible(name_of(url))} is configured in the agents file: remove it there")
        registry.remove(*urls, purge=purge)


@app.command("list", epilog=examples("cardwright registry list", "cardwright registry list --format json"))
@grouped
def list_(*, form: options.Format = "text", agents: options.KnownAgents) -> None:
    """List the known agents with their status and errors, without sending requests."""
    with opened(agents) as registry:
        report(form, _LIST_FORMATS, registry)


@app.command("show", epilog=examples("cardwright registry show tides"))
@grouped
def show(
    name: Name,
    *,
    version: Annotated[int | None, described("registry show --version")] = None,
    form: options.Format = "text",
    agents: options.KnownAgents,
) -> None:
    """Show an agent's card, its violations and its stored versions, without sending requests."""
    with opened(agents) as registry:
        peer = registry.known(name)
        card = peer.card if version is None else registry.card(peer.url, version)
        report(form, _AGENT_FORMATS, registry, peer, card)


@app.command(
    "refresh", epilog=examples("cardwright registry refresh", "cardwright registry refresh --force tides")
)
@grouped
def refresh(
    names: Names = None,
    *,
    force: Annotated[bool, described("registry refresh --force")] = False,
    form: options.Format = "text",
    agents: options.RequestedAgents,
) -> None:
    """Fetch the cards that are no longer fresh, and print what changed.

    Exit status: 0 success, 1 a card could not be fetched, 2 a URL was refused or the database cannot be used.
    """
    with opened(agents) as registry:
        result = refreshed(registry, names or (), force=force)
    report(form, _REFRESH_FORMATS, result)
    raise typer.Exit(status_of(result))


@app.command(
    "search",
    epilog=examples(
        "cardwright registry search tides", "cardwright registry search --tag sea --protocol a2a"
    ),
)
@grouped
def search(  # noqa: PLR0913 - an argument an option
    text: Annotated[str, described("registry search WORDS")] = "",
    *,
    tag: Annotated[list[str] | None, described("registry search --tag")] = None,
    protocol: Annotated[list[str] | None, described("registry search --protocol")] = None,
    version: Annotated[list[str] | None, described("registry search --version")] = None,
    mode: Annotated[list[str] | None, described("registry search --mode")] = None,
    extension: Annotated[list[str] | None, described("registry search --extension")] = None,
    auth: Annotated[list[str] | None, described("registry search --auth")] = None,
    consumes: Annotated[list[str] | None, described("registry search --consumes")] = None,
    provider: Annotated[list[str] | None, described("registry search --provider")] = None,
    dialect: Annotated[list[str] | None, described("registry search --dialect")] = None,
    valid: Annotated[bool | None, described("registry search --valid/--invalid")] = None,
    fresh: Annotated[bool | None, described("registry search --fresh/--stale")] = None,
    limit: Annotated[int, described("registry search --limit")] = 20,
    cursor: Annotated[str | None, described("registry search --cursor")] = None,
    form: options.Format = "text",
    agents: options.KnownAgents,
) -> None:
    """Search the stored cards by words and filters, best match first, without sending requests.

    If a filter is repeated, an agent must match every value.

    Exit status: 0 an agent matches, 1 no agent matches, 2 the database cannot be used.
    """
    from cardwright.store import Query

    filters: dict[str, Any] = {
        "tags": tag, "protocols": protocol, "versions": version, "modes": mode, "extensions": extension,
        "auth": auth, "consumes": consumes, "provider": provider, "dialects": dialect,
    }  # fmt: skip
    given = {name: tuple(values) for name, values in filters.items() if values}
    with opened(agents) as registry:
        page = registry.search(Query(text, valid=valid, fresh=fresh, **given), limit=limit, cursor=cursor)
    report(form, _SEARCH_FORMATS, page)
    if not page.hits:
        emit_stderr("No agent matches.\n")
    if page.cursor is not None and form == "text":
        emit_stderr(f"More results: --cursor {page.cursor}\n")
    raise typer.Exit(0 if page.hits else 1)


@app.command("watch", epilog=examples("cardwright registry watch", "cardwright registry watch --format json"))
@grouped
def watch(*, form: options.Format = "text", agents: options.RequestedAgents) -> None:
    """Refresh cards continuously and print each change, until you press Ctrl+C."""

    def print_event(event: Event) -> None:
        report(form, _EVENT_FORMATS, event)

    with opened(agents, print_event) as registry:
        emit_stderr(f"Watching {counted(registry.count().peers, 'agent')}. Press Ctrl+C to stop.\n")
        try:
            run(registry.run())
        except KeyboardInterrupt:
            emit_stderr("Stopped.\n")


@app.command("approve", epilog=examples("cardwright registry approve tides --version 3"))
@grouped
def approve(
    name: Name,
    *,
    version: Annotated[int | None, described("registry approve --version")] = None,
    refuse: Annotated[bool, described("registry approve --refuse")] = False,
    agents: options.KnownAgents,
) -> None:
    """Approve the waiting card of an agent: one that differs from the pin or has errors."""
    from cardwright.cli.reports.registry import line

    with opened(agents) as registry:
        peer = registry.refuse(name) if refuse else registry.approve(name, version=version)
        emit(f"{line(peer)}\n")


app.command(
    "serve",
    epilog=examples(
        "cardwright registry serve",
        "cardwright registry serve --store agents.db --base-url https://registry.example.com --host 0.0.0.0",
    ),
)(grouped(serve))
