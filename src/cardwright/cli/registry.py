"""`cardwright registry`: a set of known agents that stays fresh, is searched and watched."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.fetch_options import name_of
from cardwright.cli.peers import FILES, STORE, Where, check_urls, opened, reach, refreshed, status_of
from cardwright.cli.terminal import at_terminal, emit, emit_json, fail, legible, render, tell

if TYPE_CHECKING:
    from cardwright.discovery.events import Event

Format = Literal["text", "json"]

app = typer.Typer(
    no_args_is_help=True,
    help="Keep a set of known agents: fetched, judged, kept fresh, searched and watched.\n\n"
    "Agents come from `add`, or from agents.yml in this folder. Their cards, every version of them, are in a database.",
)
Store = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="FILE|URL",
        help=f"The database: a file, or postgresql://…; {STORE} where not given.",
    ),
]
Config = Annotated[
    str | None,
    typer.Option(
        "--config", metavar="FILE", help=f"Who is known; {' or '.join(FILES)} of this folder where not given."
    ),
]
Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME", help="Ids, URLs or names of agents; all of them where not given."),
]
Report = Annotated[Format, typer.Option("--format", help="How to report.")]


Keys = Annotated[
    list[str] | None,
    typer.Option("--keys", metavar="JWKS", help="Trusted keys, to verify signatures by. May be repeated."),
]


@app.command("add")
def add(  # noqa: PLR0913 - an argument an option
    urls: Annotated[
        list[str], typer.Argument(metavar="URL", help="Cards, or agents whose well-known places are asked.")
    ],
    *,
    agent_id: Annotated[
        str | None, typer.Option("--id", help="What to call it; its card's own id where not given.")
    ] = None,
    ttl: Annotated[
        float | None, typer.Option("--ttl", metavar="SECONDS", min=60, help="How long its card is fresh.")
    ] = None,
    pin: Annotated[
        str | None,
        typer.Option(
            "--pin",
            metavar="PIN",
            help="Trust one card: first (the first that is seen), sha256:DIGEST or key:THUMBPRINT."
            " Any other waits for `approve`. none: pinned no more.",
        ),
    ] = None,
    accept_invalid: Annotated[
        bool | None,
        typer.Option(
            "--accept-invalid/--keep-valid", help="Whether a card with errors may replace a valid one."
        ),
    ] = None,
    refresh: Annotated[bool, typer.Option("--refresh/--no-refresh", help="Look at it at once.")] = True,
    store: Store = None,
    config: Config = None,
    allow_private: options.AllowPrivate = False,
    allow: options.Allow = None,
    allow_port: options.AllowPort = None,
    keys: Keys = None,
) -> None:
    """Add agents, or change what is said of known ones; what is not said stays.

    Headers are no option, since they would be stored: say them in agents.yml.

    Exits with 0, 1 if one could not be looked at, 2 if one is refused or the database cannot be used.
    """
    if agent_id is not None and len(urls) > 1:
        fail("--id is of one agent: add them one by one")
    said = {"id": agent_id, "ttl_seconds": ttl, "pin": pin, "accept_invalid": accept_invalid}
    given = {name: value for name, value in said.items() if value is not None}
    where = reach(store, config, allow_private, allow, allow_port, keys, begins=True)
    with opened(where) as registry:
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
def remove(
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="Ids, URLs or names of agents.")],
    *,
    purge: Annotated[bool, typer.Option("--purge", help="Forget every version of its card, too.")] = False,
    store: Store = None,
    config: Config = None,
) -> None:
    """Remove agents; what was seen of them is kept unless it is purged."""
    with opened(Where(store, config)) as registry:
        urls = [registry.known(name).url for name in names]
        for url in urls:
            if registry.is_configured(url):
                fail(f"{legible(name_of(url))} stands in the file of agents: take it out there")
        registry.remove(*urls, purge=purge)


@app.command("list")
def list_(*, report: Report = "text", store: Store = None, config: Config = None) -> None:
    """List known agents: who, how fresh, and what is wrong. Nobody is asked."""
    from cardwright.cli.reports.registry import contract, piped, shown

    with opened(Where(store, config)) as registry:
        if report == "json":
            emit_json(contract(registry))
        elif at_terminal(sys.stdout):
            render(*shown(registry))
        else:
            emit(piped(registry))


@app.command("show")
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its id, URL or name.")],
    *,
    version: Annotated[
        int | None,
        typer.Option("--version", metavar="N", help="This version of its card, such as one that waits."),
    ] = None,
    report: Report = "text",
    store: Store = None,
    config: Config = None,
) -> None:
    """Show one agent: its card, what is wrong with it, and every version that was seen. Nobody is asked."""
    from cardwright.cli.reports.registry import one, one_contract

    with opened(Where(store, config)) as registry:
        peer = registry.known(name)
        card = peer.card if version is None else registry.card(peer.url, version)
        if report == "json":
            emit_json(one_contract(registry, peer, card))
        else:
            render(*one(registry, peer, card))


@app.command("refresh")
def refresh(  # noqa: PLR0913 - an argument an option
    names: Names = None,
    *,
    force: Annotated[bool, typer.Option("--force", help="Look at those that are fresh, too.")] = False,
    report: Report = "text",
    store: Store = None,
    config: Config = None,
    allow_private: options.AllowPrivate = False,
    allow: options.Allow = None,
    allow_port: options.AllowPort = None,
    keys: Keys = None,
) -> None:
    """Look at every agent whose card's time is over, and say what happened.

    Exits with 0, 1 if some could not be looked at, 2 if one is refused or the database cannot be used.
    """
    from cardwright.cli.reports.registry import event_line, totals

    where = reach(store, config, allow_private, allow, allow_port, keys)
    with opened(where) as registry:
        done = refreshed(registry, names or (), force=force)
    if report == "json":
        emit_json({
            "outcomes": dict(done.outcomes),
            "events": [event.to_json() for event in done.events],
            "failures": [{"url": name_of(url), "error": error} for url, error in done.failures.items()],
        })  # fmt: skip
    else:
        emit(
            "".join(f"{event_line(event)}\n" for event in done.events if event.kind not in ("failed", "gone"))
        )
        emit(f"{totals(done)}\n")
    raise typer.Exit(status_of(done))


@app.command("search")
def search(  # noqa: PLR0913 - an argument an option
    text: Annotated[str, typer.Argument(metavar="WORDS", help="What the cards must say.")] = "",
    *,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="A tag of a skill.")] = None,
    protocol: Annotated[
        list[str] | None, typer.Option("--protocol", help="a2a, mcp, … or a binding such as JSONRPC.")
    ] = None,
    version: Annotated[
        list[str] | None, typer.Option("--version", help="Of a protocol, such as 1.0.")
    ] = None,
    mode: Annotated[list[str] | None, typer.Option("--mode", help="A media type of input or output.")] = None,
    extension: Annotated[list[str] | None, typer.Option("--extension", help="A URI.")] = None,
    auth: Annotated[list[str] | None, typer.Option("--auth", help="apiKey, http, oauth2, none, …")] = None,
    consumes: Annotated[
        list[str] | None, typer.Option("--consumes", help="A part type that the agent understands.")
    ] = None,
    provider: Annotated[
        list[str] | None, typer.Option("--provider", help="An organization, its whole name.")
    ] = None,
    dialect: Annotated[list[str] | None, typer.Option("--dialect", help="Such as a2a-1.0.")] = None,
    valid: Annotated[bool | None, typer.Option("--valid/--invalid", help="Without errors, or with.")] = None,
    fresh: Annotated[bool | None, typer.Option("--fresh/--stale", help="In their time, or past it.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=200, help="How many.")] = 20,
    cursor: Annotated[str | None, typer.Option("--cursor", help="Go on where the last page ended.")] = None,
    report: Report = "text",
    store: Store = None,
    config: Config = None,
) -> None:
    """Search the cards: words, filters, or both, best first. Nobody is asked.

    Of an option that is repeated every value must hold. Exits with 0, 1 if nothing was found, 2 if the
    database cannot be used.
    """
    from cardwright.cli.reports.registry import hit_lines, hits_contract, hits_shown
    from cardwright.store import Query

    filters: dict[str, Any] = {
        "tags": tag, "protocols": protocol, "versions": version, "modes": mode, "extensions": extension,
        "auth": auth, "consumes": consumes, "provider": provider, "dialects": dialect,
    }  # fmt: skip
    given = {name: tuple(values) for name, values in filters.items() if values}
    with opened(Where(store, config)) as registry:
        page = registry.search(Query(text, valid=valid, fresh=fresh, **given), limit=limit, cursor=cursor)
    if report == "json":
        emit_json(hits_contract(page))
    elif at_terminal(sys.stdout):
        render(*hits_shown(page))
    else:
        emit(hit_lines(page))
    if page.cursor is not None and report == "text":
        tell(f"there is more: --cursor {page.cursor}\n")
    raise typer.Exit(0 if page.hits else 1)


@app.command("watch")
def watch(
    *,
    report: Report = "text",
    store: Store = None,
    config: Config = None,
    allow_private: options.AllowPrivate = False,
    allow: options.Allow = None,
    allow_port: options.AllowPort = None,
    keys: Keys = None,
) -> None:
    """Keep refreshing, and print what happens as it happens, until interrupted."""
    from cardwright.cli.reports.registry import event_line

    def happened(event: Event) -> None:
        if report == "json":
            import orjson

            emit(f"{orjson.dumps(event.to_json()).decode()}\n")
        else:
            emit(f"{event_line(event)}\n")

    where = reach(store, config, allow_private, allow, allow_port, keys)
    with opened(where, happened) as registry:
        counted = registry.count()
        tell(f"watching {counted.peers:,} agent{'s' if counted.peers != 1 else ''}; stop with Ctrl-C\n")
        try:
            asyncio.run(registry.run())
        except KeyboardInterrupt:
            tell("stopped\n")


@app.command("approve")
def approve(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its id, URL or name.")],
    *,
    version: Annotated[
        int | None, typer.Option("--version", help="The one that you saw, to be sure that it is no other.")
    ] = None,
    refuse: Annotated[bool, typer.Option("--refuse", help="Refuse it instead; the good one stays.")] = False,
    store: Store = None,
    config: Config = None,
) -> None:
    """Let a card that waits, because its agent is pinned or it has errors, become the good one."""
    from cardwright.cli.reports.registry import line

    with opened(Where(store, config)) as registry:
        found = registry.refuse(name) if refuse else registry.approve(name, version=version)
        emit(f"{line(found)}\n")
