"""`cardwright registry`: a set of known agents that stays fresh, is searched and watched."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.fetch_options import name_of
from cardwright.cli.option_groups import grouped, option
from cardwright.cli.peers import check_urls, opened, refreshed, status_of
from cardwright.cli.terminal import emit, fail, legible, report, tell

if TYPE_CHECKING:
    from cardwright.discovery.events import Event

_LIST_FORMATS: Final = {"text": "registry:piped", "terminal": "registry:shown", "json": "registry:contract"}
_AGENT_FORMATS: Final = {"text": "registry:one_rendered", "json": "registry:one_contract"}
_REFRESH_FORMATS: Final = {"text": "registry:refreshed", "json": "registry:refreshed_contract"}
_SEARCH_FORMATS: Final = {
    "text": "registry:hit_lines",
    "terminal": "registry:hits_shown",
    "json": "registry:hits_contract",
}
_EVENT_FORMATS: Final = {"text": "registry:event_text", "json": "registry:event_json"}

app = typer.Typer(
    no_args_is_help=True,
    help="Keep a set of known agents: fetched, judged, kept fresh, searched and watched.\n\n"
    "Agents come from `add`, or from agents.yml in this folder. Their cards, every version of them, are in a database.",
)
Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME", help="Ids, URLs or names of agents; all of them where not given."),
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="Its id, URL or name.")]


@app.command("add")
@grouped
def add(
    urls: Annotated[
        list[str], typer.Argument(metavar="URL", help="Cards, or agents whose well-known places are asked.")
    ],
    *,
    agent_id: Annotated[
        str | None, option("--id", "What to call it; its card's own id where not given.")
    ] = None,
    ttl: Annotated[float | None, option("--ttl", "How long its card is fresh.", "SECONDS", min=60)] = None,
    pin: Annotated[
        str | None,
        option(
            "--pin",
            "Trust one card: first (the first that is seen), sha256:DIGEST or key:THUMBPRINT."
            " Any other waits for `approve`. none: pinned no more.",
            "PIN",
        ),
    ] = None,
    accept_invalid: Annotated[
        bool | None,
        option("--accept-invalid/--keep-valid", "Whether a card with errors may replace a valid one."),
    ] = None,
    refresh: Annotated[bool, option("--refresh/--no-refresh", "Look at it at once.")] = True,
    agents: options.AskedAgents,
) -> None:
    """Add agents, or change what is said of known ones; what is not said stays.

    Headers are no option, since they would be stored: say them in agents.yml.

    Exits with 0, 1 if one could not be looked at, 2 if one is refused or the database cannot be used.
    """
    if agent_id is not None and len(urls) > 1:
        fail("--id is of one agent: add them one by one")
    said = {"id": agent_id, "ttl_seconds": ttl, "pin": pin, "accept_invalid": accept_invalid}
    given = {name: value for name, value in said.items() if value is not None}
    with opened(agents, begins=True) as registry:
        check_urls(registry, urls)
        registry.add(*({"url": url, **given} for url in urls))
        if not refresh:
            return
        done = refreshed(registry, urls, force=True)
        for url in urls:
            found = registry.by_url(url)
            if found is not None:
                from cardwright.cli.reports.registry import line

                emit(f"{line(found)}\n")
    raise typer.Exit(status_of(done))


@app.command("remove")
@grouped
def remove(
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="Ids, URLs or names of agents.")],
    *,
    purge: Annotated[bool, option("--purge", "Forget every version of its card, too.")] = False,
    agents: options.KnownAgents,
) -> None:
    """Remove agents; what was seen of them is kept unless it is purged."""
    with opened(agents) as registry:
        urls = [registry.known(name).url for name in names]
        for url in urls:
            if registry.is_configured(url):
                fail(f"{legible(name_of(url))} stands in the file of agents: take it out there")
        registry.remove(*urls, purge=purge)


@app.command("list")
@grouped
def list_(*, form: options.Format = "text", agents: options.KnownAgents) -> None:
    """List known agents: who, how fresh, and what is wrong. Nobody is asked."""
    with opened(agents) as registry:
        report(form, _LIST_FORMATS, registry)


@app.command("show")
@grouped
def show(
    name: Name,
    *,
    version: Annotated[
        int | None, option("--version", "This version of its card, such as one that waits.", "N")
    ] = None,
    form: options.Format = "text",
    agents: options.KnownAgents,
) -> None:
    """Show one agent: its card, what is wrong with it, and every version that was seen. Nobody is asked."""
    with opened(agents) as registry:
        peer = registry.known(name)
        card = peer.card if version is None else registry.card(peer.url, version)
        report(form, _AGENT_FORMATS, registry, peer, card)


@app.command("refresh")
@grouped
def refresh(
    names: Names = None,
    *,
    force: Annotated[bool, option("--force", "Look at those that are fresh, too.")] = False,
    form: options.Format = "text",
    agents: options.AskedAgents,
) -> None:
    """Look at every agent whose card's time is over, and say what happened.

    Exits with 0, 1 if some could not be looked at, 2 if one is refused or the database cannot be used.
    """
    with opened(agents) as registry:
        done = refreshed(registry, names or (), force=force)
    report(form, _REFRESH_FORMATS, done)
    raise typer.Exit(status_of(done))


@app.command("search")
@grouped
def search(  # noqa: PLR0913 - an argument an option
    text: Annotated[str, typer.Argument(metavar="WORDS", help="What the cards must say.")] = "",
    *,
    tag: Annotated[list[str] | None, option("--tag", "A tag of a skill.")] = None,
    protocol: Annotated[
        list[str] | None, option("--protocol", "a2a, mcp, … or a binding such as JSONRPC.")
    ] = None,
    version: Annotated[list[str] | None, option("--version", "Of a protocol, such as 1.0.")] = None,
    mode: Annotated[list[str] | None, option("--mode", "A media type of input or output.")] = None,
    extension: Annotated[list[str] | None, option("--extension", "A URI.")] = None,
    auth: Annotated[list[str] | None, option("--auth", "apiKey, http, oauth2, none, …")] = None,
    consumes: Annotated[
        list[str] | None, option("--consumes", "A part type that the agent understands.")
    ] = None,
    provider: Annotated[list[str] | None, option("--provider", "An organization, its whole name.")] = None,
    dialect: Annotated[list[str] | None, option("--dialect", "Such as a2a-1.0.")] = None,
    valid: Annotated[bool | None, option("--valid/--invalid", "Without errors, or with.")] = None,
    fresh: Annotated[bool | None, option("--fresh/--stale", "In their time, or past it.")] = None,
    limit: Annotated[int, option("--limit", "How many.", min=1, max=200)] = 20,
    cursor: Annotated[str | None, option("--cursor", "Go on where the last page ended.")] = None,
    form: options.Format = "text",
    agents: options.KnownAgents,
) -> None:
    """Search the cards: words, filters, or both, best first. Nobody is asked.

    Of an option that is repeated every value must hold. Exits with 0, 1 if nothing was found, 2 if the
    database cannot be used.
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
    if page.cursor is not None and form == "text":
        tell(f"there is more: --cursor {page.cursor}\n")
    raise typer.Exit(0 if page.hits else 1)


@app.command("watch")
@grouped
def watch(
    *,
    form: options.Format = "text",
    agents: options.AskedAgents,
) -> None:
    """Keep refreshing, and print what happens as it happens, until interrupted."""

    def happened(event: Event) -> None:
        report(form, _EVENT_FORMATS, event)

    with opened(agents, happened) as registry:
        counted = registry.count()
        tell(f"watching {counted.peers:,} agent{'s' if counted.peers != 1 else ''}; stop with Ctrl-C\n")
        try:
            asyncio.run(registry.run())
        except KeyboardInterrupt:
            tell("stopped\n")


@app.command("approve")
@grouped
def approve(
    name: Name,
    *,
    version: Annotated[
        int | None, option("--version", "The one that you saw, to be sure that it is no other.")
    ] = None,
    refuse: Annotated[bool, option("--refuse", "Refuse it instead; the good one stays.")] = False,
    agents: options.KnownAgents,
) -> None:
    """Let a card that waits, because its agent is pinned or it has errors, become the good one."""
    from cardwright.cli.reports.registry import line

    with opened(agents) as registry:
        found = registry.refuse(name) if refuse else registry.approve(name, version=version)
        emit(f"{line(found)}\n")
