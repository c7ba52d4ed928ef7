"""What a person and a program read of a registry: its peers, one of them, what was found, what happened."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import orjson

from cardwright.cli.fetch_options import name_of
from cardwright.cli.reports.contract import violation_of
from cardwright.cli.reports.words import counted
from cardwright.cli.terminal import legible, rendered
from cardwright_runtime.violation import clipped, escaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from cardwright.card import Card
    from cardwright.discovery.events import Event
    from cardwright.discovery.peer import Peer
    from cardwright.discovery.refreshing import Refreshed
    from cardwright.discovery.registry import AgentRegistry
    from cardwright.store import Page, VersionRecord

_SHOWN_CHANGES: Final = 5
_UNITS: Final = (("day", 86400), ("hour", 3600), ("minute", 60))


def line(peer: Peer) -> str:
    """Return a peer in one line: who, what, and how it does."""
    told = [
        escaped(peer.id or peer.name or "(no id)"),
        _url(peer.url),
        peer.record.dialect or "no card yet",
        _verdict(peer),
        freshness(peer),
    ]
    if peer.record.conflicts_with:
        told.append(f"its id is that of {_url(peer.record.conflicts_with)}")
    return "  ".join(filter(None, told))


def piped(registry: AgentRegistry) -> str:
    """Return a line a peer, and the totals."""
    return (
        "".join(f"{line(peer)}{'  ' if peer.error else ''}{escaped(peer.error)}\n" for peer in registry.all())
        + f"{_counts(registry)}\n"
    )


def shown(registry: AgentRegistry) -> Iterator[RenderableType]:
    """Return the peers as a table for a terminal."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("id", "name", "card", "freshness", "url"):
        table.add_column(name, overflow="fold")
    for peer in registry.all():
        colour = {"ok": "green", "failing": "red", "waiting": "yellow"}.get(peer.record.state, "dim")
        fault = f"\n{escaped(clipped(peer.error))}" if peer.error else ""
        table.add_row(
            Text(escaped(peer.id or "–"), "bold" if peer.id else "dim"),
            Text(escaped(clipped(peer.name)) or "–"),
            Text(" ".join(filter(None, (peer.record.dialect or "no card yet", _verdict(peer))))),
            Text(freshness(peer), colour),
            Text.assemble(_url(peer.url), (fault, "red")),
        )
    yield table
    yield Text(_counts(registry), "bold")


def one_rendered(registry: AgentRegistry, peer: Peer, card: Card | None) -> str:
    """Return one peer as `one` does, as text for wherever standard output goes."""
    return rendered(*one(registry, peer, card))


def one(registry: AgentRegistry, peer: Peer, card: Card | None) -> Iterator[RenderableType]:
    """Return one peer: a card of it as `show` prints it, its violations, and its versions."""
    from rich.text import Text

    from cardwright.cli.reports.card_view import sheet

    yield Text(line(peer), "bold")
    if peer.error:
        yield Text(f"last error: {escaped(peer.error)}", "red")
    if card is not None:
        yield Text()
        yield from sheet(card)
        for violation in card.violations:
            yield Text(
                f"{violation.severity}: {escaped(violation.pointer)}: {escaped(violation.message)} [{violation.rule}]"
            )
    yield Text()
    for version in registry.versions(peer.url):
        verdict = "valid" if version.valid else counted(version.errors, "error")
        yield Text(
            f"version {version.version}  {_when(version.seen_at)}  {version.dialect}  {verdict}  {version.state}"
        )
        for change in _changes(version):
            yield Text(f"  {change}", "dim")


def one_contract(registry: AgentRegistry, peer: Peer, card: Card | None) -> dict[str, Any]:
    """Return one peer for programs: what `list` says of it, the card, and every version with its changes."""
    return {
        **_peer(peer),
        "card": card.document if card is not None else None,
        "versions": [
            {
                "version": one.version,
                "seenAt": one.seen_at,
                "state": one.state,
                "dialect": one.dialect,
                "valid": one.valid,
                "fetchedFrom": one.answer.url if one.answer else None,
                "signature": one.answer.signature if one.answer else None,
                "change": orjson.loads(one.change) if one.change else None,
            }
            for one in registry.versions(peer.url)
        ],
    }


def _changes(version: VersionRecord) -> Iterator[str]:
    """Yield what changed with a version, the most severe first, as far as a person reads."""
    told: dict[str, Any] = orjson.loads(version.change) if version.change else {"changes": [], "more": 0}
    for change in told["changes"][:_SHOWN_CHANGES]:
        yield escaped(f"{change['severity']}: {change['pointer']}: {change['why']} [{change['kind']}]")
    more = len(told["changes"]) - _SHOWN_CHANGES + told["more"]
    if more > 0:
        yield f"and {counted(more, 'change')} more"


def contract(registry: AgentRegistry) -> dict[str, Any]:
    """Return what programs read: `{"peers": […], "conflicts": […]}`."""
    return {
        "peers": [_peer(peer) for peer in registry.all()],
        "conflicts": [peer.url for peer in registry.conflicts],
    }


def _peer(peer: Peer) -> dict[str, Any]:
    record, answer = peer.record, peer.provenance
    return {
        "url": peer.url,
        "id": peer.id,
        "name": peer.name or None,
        "dialect": record.dialect or None,
        "valid": record.valid,
        "state": record.state,
        "stale": peer.stale,
        "ageSeconds": peer.age_seconds,
        "error": peer.error or None,
        "conflictsWith": record.conflicts_with,
        "version": record.version,
        "waiting": record.waiting,
        "fetchedFrom": answer.url if answer else None,
        "etag": dict(answer.headers).get("etag") if answer else None,
        "signature": answer.signature if answer else None,
        "violations": [violation_of(violation) for violation in peer.violations],
    }


def hit_lines(page: Page) -> str:
    """Return what was found, a line each."""
    return "".join(
        "  ".join(
            (
                escaped(hit.id or "-"),
                _url(hit.url),
                escaped(clipped(hit.name)),
                escaped(hit.snippet or hit.description),
            )
        )
        + "\n"
        for hit in page.hits
    )


def hits_shown(page: Page) -> Iterator[RenderableType]:
    """Return what was found, for a terminal."""
    from rich.padding import Padding
    from rich.text import Text

    for hit in page.hits:
        mark, colour = ("✓", "green") if hit.valid else ("✗", "red")
        yield Text.assemble(
            (mark, colour), " ", (escaped(clipped(hit.name)), "bold"), "  ", (escaped(hit.id or ""), "cyan")
        )
        yield Padding(Text(f"{_url(hit.url)} · {hit.dialect}", "dim"), (0, 0, 0, 2))
        if hit.snippet or hit.description:
            yield Padding(Text(escaped(hit.snippet or hit.description)), (0, 0, 0, 2))
    if not page.hits:
        yield Text("nothing was found", "yellow")


def hits_contract(page: Page) -> dict[str, Any]:
    """Return what was found, for programs."""
    return {
        "hits": [
            {
                "url": hit.url,
                "id": hit.id,
                "name": hit.name,
                "description": hit.description,
                "snippet": hit.snippet,
                "dialect": hit.dialect,
                "valid": hit.valid,
                "score": hit.score,
                "freshUntil": hit.peer.fresh_until,
                "error": hit.peer.error or None,
            }
            for hit in page.hits
        ],
        "cursor": page.cursor,
    }


def refreshed(done: Refreshed) -> str:
    """Return what happened in a refresh, a line an event, and the totals; failures are told on standard error."""
    events = (event_text(event) for event in done.events if event.kind not in ("failed", "gone"))
    return "".join([*events, f"{totals(done)}\n"])


def refreshed_contract(done: Refreshed) -> dict[str, Any]:
    """Return what happened in a refresh, for programs."""
    return {
        "outcomes": dict(done.outcomes),
        "events": [event.to_json() for event in done.events],
        "failures": [{"url": name_of(url), "error": error} for url, error in done.failures.items()],
    }


def event_text(event: Event) -> str:
    """Return one event as a line."""
    return f"{event_line(event)}\n"


def event_json(event: Event) -> str:
    """Return one event as a line of JSON."""
    return f"{orjson.dumps(event.to_json()).decode()}\n"


def event_line(event: Event) -> str:
    """Return one event in one line."""
    changes = counted(len(event.changes), "change") if event.changes else ""
    bump = f"needs a {event.bump} version" if event.bump != "none" else ""
    told = ", ".join(filter(None, (changes, bump, escaped(event.detail))))
    who = f" ({escaped(event.id)})" if event.id else ""
    return f"{_when(event.at)}  {event.kind}  {_url(event.url)}{who}{': ' if told else ''}{told}"


def totals(done: Refreshed) -> str:
    """Return how a refresh went."""
    elsewhere = (
        f"{counted(done.elsewhere, 'agent')} left to another process that is asking" if done.elsewhere else ""
    )
    if not done.total:
        return elsewhere or "nobody was due"
    kinds = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(done.outcomes.items()))
    return "; ".join(filter(None, (f"{counted(done.total, 'agent')}: {kinds}", elsewhere)))


def freshness(peer: Peer) -> str:
    """Return how fresh a card is, and that it waits or fails."""
    age = peer.age_seconds
    if peer.card is None:
        if peer.record.waiting is not None:
            return "its first card waits to be approved"
        return "never seen" if peer.record.last_checked_at is None else "failing"
    seen = f"seen {_ago(age or 0.0)} ago"
    state = {"failing": ", failing", "waiting": ", another waits to be approved"}.get(peer.record.state, "")
    return f"{'stale' if peer.stale else 'fresh'}, {seen}{state}"


def _verdict(peer: Peer) -> str:
    if peer.record.valid is None:
        return ""
    return "valid" if peer.record.valid else counted(peer.record.errors, "error")


def _counts(registry: AgentRegistry) -> str:
    counts = registry.count()
    return (
        f"{counted(counts.peers, 'agent')}: {counts.cards:,} with a card, {counts.valid:,} valid,"
        f" {counts.stale:,} stale, {counts.failed:,} failing, {counts.waiting:,} to approve"
    )


def _url(url: str) -> str:
    return escaped(legible(name_of(url)))


def _ago(seconds: float) -> str:
    for unit, length in _UNITS:
        if seconds >= length:
            return counted(int(seconds // length), unit)
    return counted(int(seconds), "second")


def _when(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
