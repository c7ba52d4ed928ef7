"""The reports of `registry`: all agents, one agent, search results, refreshes and events."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import orjson

from cardwright.cli.fetch_options import name_of
from cardwright.cli.reports.contract import violation_of
from cardwright.cli.reports.words import counted
from cardwright.cli.terminal import escaped_json, legible, rendered
from cardwright_runtime.violation import clipped, escaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from cardwright.card import Card
    from cardwright.discovery.events import Event
    from cardwright.discovery.peer import Peer
    from cardwright.discovery.refreshing import RefreshResult
    from cardwright.discovery.registry import AgentRegistry
    from cardwright.store import Page, VersionRecord
    from cardwright.store.catalogs import CatalogRecord

_MAX_CHANGES: Final = 5
_UNITS: Final = (("day", 86400), ("hour", 3600), ("minute", 60))


def line(peer: Peer) -> str:
    """Return an agent in one line: its id, URL, dialect, validity and freshness."""
    parts = [
        escaped(peer.id or peer.name or "(no id)"),
        _url(peer.url),
        peer.record.dialect or "no card yet",
        _validity(peer),
        freshness(peer),
    ]
    if peer.record.conflicts_with:
        parts.append(f"same id as {_url(peer.record.conflicts_with)}")
    return "  ".join(filter(None, parts))


def piped(registry: AgentRegistry) -> str:
    """Return one line per agent, and the totals."""
    return (
        "".join(f"{line(peer)}{'  ' if peer.error else ''}{escaped(peer.error)}\n" for peer in registry.all())
        + "".join(f"{_catalog_line(record)}\n" for record in registry.catalogs())
        + f"{_counts(registry)}\n"
    )


def table(registry: AgentRegistry) -> Iterator[RenderableType]:
    """Yield the agents as a table, and the totals."""
    from rich.table import Table
    from rich.text import Text

    rows = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("id", "name", "card", "freshness", "url"):
        rows.add_column(name, overflow="fold")
    for peer in registry.all():
        colour = {"ok": "green", "failing": "red", "waiting": "yellow"}.get(peer.record.state, "dim")
        fault = f"\n{escaped(clipped(peer.error))}" if peer.error else ""
        rows.add_row(
            Text(escaped(peer.id or "–"), "bold" if peer.id else "dim"),
            Text(escaped(clipped(peer.name)) or "–"),
            Text(" ".join(filter(None, (peer.record.dialect or "no card yet", _validity(peer))))),
            Text(freshness(peer), colour),
            Text.assemble(_url(peer.url), (fault, "red")),
        )
    yield rows
    for record in registry.catalogs():
        yield Text(_catalog_line(record), "red" if record.error else "dim")
    yield Text(_counts(registry), "bold")


def agent_text(registry: AgentRegistry, peer: Peer, card: Card | None) -> str:
    """Return one agent: its card as `show` prints it, the violations, and its versions."""
    return rendered(*_agent(registry, peer, card))


def _agent(registry: AgentRegistry, peer: Peer, card: Card | None) -> Iterator[RenderableType]:
    from rich.text import Text

    from cardwright.cli.reports.document_view import sheet

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
        validity = "valid" if version.valid else counted(version.errors, "error")
        yield Text(
            f"version {version.version}  {_when(version.seen_at)}  {version.dialect}  {validity}  {version.state}"
        )
        for change in _changes(version):
            yield Text(f"  {change}", "dim")


def agent_contract(registry: AgentRegistry, peer: Peer, card: Card | None) -> dict[str, Any]:
    """Return version agent as JSON: its entry in `list`, the card, and every version with its changes."""
    return {
        **_peer(peer),
        "card": card.document if card is not None else None,
        "versions": [
            {
                "version": version.version,
                "seenAt": version.seen_at,
                "state": version.state,
                "dialect": version.dialect,
                "valid": version.valid,
                "fetchedFrom": version.answer.url if version.answer else None,
                "signature": version.answer.signature if version.answer else None,
                "change": orjson.loads(version.change) if version.change else None,  # noqa: TID251 - a row of the store
            }
            for version in registry.versions(peer.url)
        ],
    }


def _changes(version: VersionRecord) -> Iterator[str]:
    """Yield the first changes of a version, the most severe first."""
    changes: dict[str, Any] = orjson.loads(version.change) if version.change else {"changes": [], "more": 0}  # noqa: TID251 - a row of the store
    for change in changes["changes"][:_MAX_CHANGES]:
        yield escaped(f"{change['severity']}: {change['pointer']}: {change['why']} [{change['kind']}]")
    more = len(changes["changes"]) - _MAX_CHANGES + changes["more"]
    if more > 0:
        yield f"and {counted(more, 'change')} more"


def contract(registry: AgentRegistry) -> dict[str, Any]:
    """Return the JSON report `{"peers": […], "conflicts": […], "catalogs": […]}`."""
    return {
        "peers": [_peer(peer) for peer in registry.all()],
        "conflicts": [peer.url for peer in registry.conflicts],
        "catalogs": [
            {
                "url": record.url,
                "agents": record.agents,
                "checkedAt": record.checked_at,
                "error": record.error or None,
            }
            for record in registry.catalogs()
        ],
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
        "source": record.settings.source or None,
        "version": record.version,
        "waiting": record.waiting,
        "fetchedFrom": answer.url if answer else None,
        "etag": dict(answer.headers).get("etag") if answer else None,
        "signature": answer.signature if answer else None,
        "violations": [violation_of(violation) for violation in peer.violations],
    }


def hit_lines(page: Page) -> str:
    """Return one line per match."""
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


def hits_renderables(page: Page) -> Iterator[RenderableType]:
    """Yield the matches for a terminal."""
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


def hits_contract(page: Page) -> dict[str, Any]:
    """Return the matches as JSON."""
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


def refreshed(done: RefreshResult) -> str:
    """Return one line per event of a refresh, and the totals; failures are printed on standard error."""
    events = (event_text(event) for event in done.events if event.kind not in ("failed", "gone"))
    return "".join([*events, f"{totals(done)}\n"])


def refreshed_contract(done: RefreshResult) -> dict[str, Any]:
    """Return the result of a refresh as JSON."""
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
    return f"{escaped_json(orjson.dumps(event.to_json())).decode()}\n"


def event_line(event: Event) -> str:
    """Return one event in one line."""
    changes = counted(len(event.changes), "change") if event.changes else ""
    bump = f"needs a {event.bump} version" if event.bump != "none" else ""
    details = ", ".join(filter(None, (changes, bump, escaped(event.detail))))
    agent_id = f" ({escaped(event.id)})" if event.id else ""
    return f"{_when(event.at)}  {event.kind}  {_url(event.url)}{agent_id}{': ' if details else ''}{details}"


def totals(done: RefreshResult) -> str:
    """Return the summary of a refresh."""
    elsewhere = f"{counted(done.elsewhere, 'agent')} refreshed by another process" if done.elsewhere else ""
    if not done.total:
        return elsewhere or "all cards are fresh"
    kinds = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(done.outcomes.items()))
    return "; ".join(filter(None, (f"{counted(done.total, 'agent')}: {kinds}", elsewhere)))


def freshness(peer: Peer) -> str:
    """Return how fresh a card is, and whether a card waits for approval or fetching fails."""
    age = peer.age_seconds
    if peer.card is None:
        if peer.record.waiting is not None:
            return "first card waits for approval"
        return "never fetched" if peer.record.last_checked_at is None else "failing"
    fetched = f"fetched {_ago(age or 0.0)} ago"
    state = {"failing": ", failing", "waiting": ", a new card waits for approval"}.get(peer.record.state, "")
    return f"{'stale' if peer.stale else 'fresh'}, {fetched}{state}"


def _validity(peer: Peer) -> str:
    if peer.record.valid is None:
        return ""
    return "valid" if peer.record.valid else counted(peer.record.errors, "error")


def _catalog_line(record: CatalogRecord) -> str:
    error = f"  {escaped(record.error)}" if record.error else ""
    return f"catalogue  {_url(record.url)}  {counted(record.agents, 'agent')}{error}"


def _counts(registry: AgentRegistry) -> str:
    counts = registry.count()
    return (
        f"{counted(counts.peers, 'agent')}: {counts.cards:,} with a card, {counts.valid:,} valid,"
        f" {counts.stale:,} stale, {counts.failed:,} failing, {counts.waiting:,} waiting for approval"
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
