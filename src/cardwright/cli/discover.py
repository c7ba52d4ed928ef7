"""`cardwright discover`: find the cards of agents, and say where they came from."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.fetch_options import Reach, name_of, reach_of, refusal
from cardwright.cli.keyfiles import trusted
from cardwright.cli.option_groups import option
from cardwright.cli.terminal import legible, report, tell
from cardwright.errors import CardError, ConnectionDenied
from cardwright_runtime.violation import clipped, escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from cardwright.checks import Checks
    from cardwright.discovery.fetching import FetchedCard
    from cardwright.signing import KeySet

# So many are asked at once (ours).
_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Found:
    """What one URL came to: a card, or why there is none."""

    name: str
    fetched: FetchedCard | None = None
    fault: CardError | None = None


def command(
    urls: Annotated[
        list[str],
        typer.Argument(metavar="URL", help="Cards, agents, origins or hosts: https where not said."),
    ],
    *,
    form: options.Format = "text",
    exact: Annotated[
        bool, option("--exact", "Take each URL for the card's own; ask no well-known place.")
    ] = False,
    keys: options.Keys = None,
    checks: options.Limited,
    allowed: options.Reachable,
) -> None:
    """Find the card of each agent: where it was found, what it is, how it is reached, who signed it.

    Exits with 0 if all were found and are valid, 1 if some are invalid, 2 if some were not found or refused.
    """
    names = [url if "://" in url else f"https://{url}" for url in urls]
    reach = reach_of(allowed, names)
    found = asyncio.run(_all(urls, reach, checks, trusted(keys), exact=exact or None))
    report(form, {"text": _piped, "terminal": _shown, "json": _contract}, found)
    for one in found:
        if isinstance(one.fault, ConnectionDenied):
            tell(f"{refusal(one.fault, one.name)}\n")
        elif one.fault is not None and form == "text":
            tell(f"{escaped(_fault(one))}\n")
    raise typer.Exit(max(map(_status, found)))


async def _all(
    urls: Sequence[str], reach: Reach, checks: Checks, keys: KeySet, *, exact: bool | None
) -> list[Found]:
    from cardwright.discovery.fetching import fetch_card
    from cardwright.guard import GuardedClient

    turns = asyncio.Semaphore(_AT_ONCE)

    async def one(url: str) -> Found:
        async with turns:
            try:
                fetched = await fetch_card(
                    url, client=client, headers=reach.headers, exact=exact, keys=keys, checks=checks
                )
            except CardError as error:
                return Found(url, fault=error)
            return Found(url, fetched)

    async with GuardedClient(reach.guard) as client:
        return list(await asyncio.gather(*map(one, urls)))


def _status(found: Found) -> int:
    return 2 if found.fetched is None else 0 if found.fetched.card.valid else 1


def _fault(found: Found) -> str:
    told = str(found.fault)
    name = legible(name_of(found.name))
    return told if name in told else f"{name}: {told}"


def _contract(found: Sequence[Found]) -> dict[str, Any]:
    return {"results": [_result(one) for one in found]}


def _result(found: Found) -> dict[str, Any]:
    from cardwright.cli.reports.contract import violation_of

    if found.fetched is None:
        return {"source": legible(name_of(found.name)), "error": str(found.fault), "card": None}
    card, way = found.fetched.card, found.fetched.provenance
    return {
        "source": legible(name_of(found.name)),
        "error": None,
        "url": way.url,
        "hops": list(way.hops),
        "tried": list(way.tried),
        "notes": list(way.notes),
        "fetchedAt": way.fetched_at,
        "etag": way.etag,
        "headers": dict(way.headers),
        "bodyDigest": way.body_digest,
        "a2aVersion": way.version,
        "signatures": {
            "state": way.signatures.state,
            "signedBy": way.signatures.signed_by or None,
            **way.signatures.verdict.to_json(),
        },
        "dialect": str(card.dialect),
        "valid": card.valid,
        "violations": [violation_of(violation) for violation in card.violations],
        "card": card.document,
    }


def _piped(found: Sequence[Found]) -> str:
    return "".join(f"{line}\n" for one in found for line in _lines(one))


def _lines(found: Found) -> Iterator[str]:
    """Yield a heading, and what there is to say below it."""
    from cardwright.cli.reports.words import counted
    from cardwright.discovery.interfaces import interfaces

    if found.fetched is None:
        return
    card, way = found.fetched.card, found.fetched.provenance
    verdict = "valid" if card.valid else f"{counted(len(card.errors), 'error')}: see `cardwright check`"
    name = card.document.get("name")
    yield f"{legible(name_of(found.name))}: {escaped(clipped(name)) if type(name) is str else 'no name'}: {card.dialect}, {verdict}"
    yield f"  found at {escaped(way.url)}"
    for note in way.notes:
        yield f"  note: {note}"
    for one in interfaces(card):
        yield f"  reached by {one}"
    signed = f" by the key {way.signatures.signed_by}" if way.signatures.signed_by else ""
    yield f"  {way.signatures.state}{signed}"


def _shown(found: Sequence[Found]) -> Iterator[RenderableType]:
    from rich.text import Text

    for one in found:
        good = one.fetched is not None and one.fetched.card.valid
        for index, line in enumerate(_lines(one)):
            mark = ("✓ " if good else "✗ ", "green" if good else "red")
            yield Text(line, "dim") if index else Text.assemble(mark, (line, "bold"))
