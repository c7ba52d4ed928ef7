"""`cardwright discover`: find the cards of agents, and report where they were found."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cardwright.checks import RULE_SETS
from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.agents import complete_url
from cardwright.cli.event_loop import run
from cardwright.cli.fetch_options import Reach, name_of, not_found_hint, reach_of, refusal
from cardwright.cli.keyfiles import trusted
from cardwright.cli.option_groups import described
from cardwright.cli.terminal import emit_stderr, legible, report
from cardwright.errors import CardError, ConnectionDenied
from cardwright_runtime.violation import clipped, escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from cardwright.checks import Checks
    from cardwright.discovery.catalogs import CatalogReading
    from cardwright.discovery.fetching import FetchedCard
    from cardwright.guard import GuardedClient
    from cardwright.signing import KeySet

# URLs that are requested at the same time (project decision).
_CONCURRENCY: Final = 16

EXAMPLES: Final = (
    "cardwright discover https://agent.example.com",
    "cardwright discover --format json agent.example.com other.example.com",
)


# Agents of one catalogue whose cards are fetched (project decision); a registry takes all of them.
_MAX_LISTED: Final = 100


@dataclass(frozen=True, slots=True)
class Discovery:
    """The result for one URL: its card, or the error; or the catalogues of an origin, before the agents that they list."""

    name: str
    fetched: FetchedCard | None = None
    fault: CardError | None = None
    reading: CatalogReading | None = None


def command(
    urls: Annotated[list[str], described("discover URL")],
    *,
    form: options.Format = "text",
    exact: Annotated[bool, described("discover --exact")] = False,
    keys: options.Keys = None,
    checks: options.Limited,
    allowed: options.Reachable,
) -> None:
    """Find the card of each agent and print its URL, dialect, interfaces and signatures.

    Of a host, the catalogues of agents are read first (ARD, AI Catalog), and the cards of the agents that they list.

    Exit status: 0 all cards were found and are valid, 1 a card is invalid, 2 a card was not found or the request was
    refused.
    """
    names = list(map(complete_url, urls))
    reach = reach_of(allowed, names)
    results = run(
        _discover(urls, reach, replace(checks, rules=RULE_SETS), trusted(keys), exact=exact or None)
    )
    report(form, {"text": _piped, "terminal": _renderables, "json": _contract}, results)
    for result in results:
        if isinstance(result.fault, ConnectionDenied):
            emit_stderr(f"{refusal(result.fault, result.name)}\n")
        elif result.fault is not None and form == "text":
            emit_stderr(f"{escaped(_message(result.fault, result.name))}\n")
    raise typer.Exit(max(map(_status, results)))


async def _discover(
    urls: Sequence[str], reach: Reach, checks: Checks, keys: KeySet, *, exact: bool | None
) -> list[Discovery]:
    from cardwright.discovery.fetching import fetch_card
    from cardwright.discovery.mcp_servers import explained
    from cardwright.guard import GuardedClient

    slots = asyncio.Semaphore(_CONCURRENCY)

    async def discover_all(url: str) -> list[Discovery]:
        reading = None if exact else await _catalogs(url, client, reach, checks)
        if reading is None:
            return [await discover_one(url)]
        urls = [agent.url for agent in reading.agents[:_MAX_LISTED]]
        listed = await asyncio.gather(*map(discover_one, urls))
        own = await discover_one(url)
        if own.fetched is None or own.fetched.provenance.url in {
            one.fetched.provenance.url for one in listed if one.fetched is not None
        }:
            return [Discovery(url, reading=reading), *listed]
        return [Discovery(url, reading=reading), *listed, own]

    async def discover_one(url: str) -> Discovery:
        async with slots:
            try:
                fetched = await fetch_card(
                    url, client=client, headers=reach.headers, exact=exact, keys=keys, checks=checks
                )
            except CardError as error:
                return Discovery(url, fault=await explained(error, client, complete_url(url), reach.headers))
            return Discovery(url, fetched)

    async with GuardedClient(reach.guard) as client:
        return [one for found in await asyncio.gather(*map(discover_all, urls)) for one in found]


async def _catalogs(url: str, client: GuardedClient, reach: Reach, checks: Checks) -> CatalogReading | None:
    """Return what the catalogues of a host say; None for the URL of a card, or without a catalogue."""
    from cardwright.discovery.candidates import given
    from cardwright.discovery.catalogs import read_catalogs

    try:
        # A path is that of one agent.
        if given(url).path != "/":
            return None
        return await read_catalogs(url, client, headers=reach.headers, checks=checks)
    except CardError:
        # Then the lookup of a card says what is wrong.
        return None


def _status(result: Discovery) -> int:
    if result.reading is not None:
        return 0
    return 2 if result.fetched is None else 0 if result.fetched.card.valid else 1


def _message(error: CardError, url: str) -> str:
    message, name = str(error), legible(name_of(url))
    message += not_found_hint(error, complete_url(url))
    return message if name in message else f"{name}: {message}"


def _contract(results: Sequence[Discovery]) -> dict[str, Any]:
    return {
        "catalogs": [_reading_of(one.name, one.reading) for one in results if one.reading is not None],
        "results": [result_of(result) for result in results if result.reading is None],
    }


def _reading_of(name: str, reading: CatalogReading) -> dict[str, Any]:
    return {
        "source": legible(name_of(name)),
        "urls": list(reading.catalogs),
        "complete": reading.complete,
        "findings": list(reading.findings),
        "agents": [
            {"url": agent.url, "identifier": agent.identifier, "name": agent.name, "catalog": agent.catalog}
            for agent in reading.agents
        ],
        "others": dict(reading.others),
    }


def result_of(result: Discovery) -> dict[str, Any]:
    """Return the result of one URL as a JSON object."""
    from cardwright.cli.reports.contract import violation_of

    if result.fetched is None:
        return {"source": legible(name_of(result.name)), "error": str(result.fault), "card": None}
    card, provenance = result.fetched.card, result.fetched.provenance
    return {
        "source": legible(name_of(result.name)),
        "error": None,
        "url": provenance.url,
        "hops": list(provenance.hops),
        "tried": list(provenance.tried),
        "notes": list(provenance.notes),
        "fetchedAt": provenance.fetched_at,
        "etag": provenance.etag,
        "headers": dict(provenance.headers),
        "bodyDigest": provenance.body_digest,
        "a2aVersion": provenance.version,
        "signatures": {
            "state": provenance.signatures.state,
            "signedBy": provenance.signatures.signed_by or None,
            **provenance.signatures.verdict.to_json(),
        },
        "dialect": str(card.dialect),
        "valid": card.valid,
        "violations": [violation_of(violation) for violation in card.violations],
        "card": card.document,
    }


def _piped(results: Sequence[Discovery]) -> str:
    return "".join(f"{line}\n" for result in results for line in _lines(result))


def _lines(result: Discovery) -> Iterator[str]:
    """Yield a heading and the details."""
    from cardwright.cli.reports.catalogs import catalog_lines
    from cardwright.cli.reports.words import counted
    from cardwright.view.interfaces import interfaces

    if result.reading is not None:
        yield from catalog_lines(result.name, result.reading, _MAX_LISTED)
    if result.fetched is None:
        return
    card, provenance = result.fetched.card, result.fetched.provenance
    validity = "valid" if card.valid else f"{counted(len(card.errors), 'error')}: see `cardwright check`"
    name = card.document.get("name")
    title = escaped(clipped(name)) if type(name) is str else "no name"
    yield f"{legible(name_of(result.name))}: {title}: {card.dialect}, {validity}"
    yield f"  found at {escaped(provenance.url)}"
    for note in provenance.notes:
        yield f"  note: {note}"
    for interface in interfaces(card):
        yield f"  interface {interface}"
    for violation in card.violations:
        if violation.rule.startswith("text/"):
            yield f"  {violation.severity}: {escaped(violation.pointer)}: {escaped(violation.message)} [{violation.rule}]"
    signed = f" by the key {provenance.signatures.signed_by}" if provenance.signatures.signed_by else ""
    yield f"  {provenance.signatures.state}{signed}"


def _renderables(results: Sequence[Discovery]) -> Iterator[RenderableType]:
    from rich.text import Text

    for result in results:
        valid = result.reading is not None or (result.fetched is not None and result.fetched.card.valid)
        for index, line in enumerate(_lines(result)):
            mark = ("✓ " if valid else "✗ ", "green" if valid else "red")
            yield Text(line, "dim") if index else Text.assemble(mark, (line, "bold"))
