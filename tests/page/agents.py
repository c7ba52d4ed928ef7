"""Sample agents of a gateway, and their pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.card import Card
from cardwright.page import Link
from cardwright_gateway.pages import AgentRow, Done, ReportFacts, catalogue_page, report_page
from cardwright_runtime.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Sequence

ROW = AgentRow(
    id="travel",
    protocol="a2a",
    name="Travel Desk",
    description="Books trains, boats and rooms, and says what each of them costs before it does.",
    version="2.1.0",
    skills=("Book a train", "Book a boat", "Book a room", "Cancel", "Rebook", "Quote", "Explain a fare"),
    state="ok",
    age_seconds=200.0,
    next_seconds=100.0,
    error="",
    errors=0,
    warnings=2,
    leaks=0,
    forms=("a2a-1.0", "a2a-0.3"),
    card_href="/agents/travel/",
    report_href="/agents/travel/report",
)
TROUBLED: dict[str, Any] = {
    "name": "Travel Desk",
    "protocolVersion": "0.3.0",
    "url": "http://10.1.2.3:8000/a2a",
    "skills": [],
    "signatures": [{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ", "signature": "AA"}],
}
LEAK = Violation(
    "gateway/internal-host", "warning", "/securitySchemes/o", "it names an internal host", "ours"
)


def row(**changes: Any) -> AgentRow:
    """Return an agent with some facts exchanged."""
    return AgentRow(**{**{name: getattr(ROW, name) for name in ROW.__slots__}, **changes})


def rows() -> list[AgentRow]:
    """Return an agent of each state and protocol."""
    error = "the agent did not answer in 5 s"
    return [
        ROW,
        row(id="exa", protocol="mcp", name="Exa Search", state="starting", age_seconds=None, next_seconds=None),
        row(id="clerk", protocol="managed", name="Clerk", state="idle", age_seconds=None, next_seconds=None),
        row(id="maps", name="Maps", state="stale", error=error, age_seconds=7_300.0, next_seconds=20.0, leaks=1),
        row(
            id="old", name="", state="failing", error=error, age_seconds=None, next_seconds=20.0, errors=3,
            description="", version="", skills=(), forms=(), card_href="",
        ),
        row(id="new", name="", state="waiting", age_seconds=None, next_seconds=None, warnings=0),
    ]  # fmt: skip


def catalogue(shown: Sequence[AgentRow], **changes: Any) -> bytes:
    """Return a page of a gateway's list."""
    facts: dict[str, Any] = {
        "total": 120,
        "query": "trains & boats",
        "protocol": "a2a",
        "state": "ok",
        "page": 2,
        "pages": 3,
        "counts": {"ok": 1_100, "stale": 1, "failing": 1, "idle": 2},
        "links": [Link("This list for programs", "/.well-known/ai-catalog.json")],
    }
    return catalogue_page(shown, **{**facts, **changes})


def report(**changes: Any) -> ReportFacts:
    """Return the text of the report of a failing agent."""
    card = Card.from_document(TROUBLED, dialect="a2a-0.3")
    document = {**TROUBLED, "url": "https://gw.example/agents/travel"}
    served = Card.from_document(
        {name: document[name] for name in document if name != "signatures"}, dialect="a2a-0.3"
    )
    facts: dict[str, Any] = {
        "row": row(state="stale", error="the agent did not answer in 5 s", errors=5),
        "received": card,
        "served": served,
        "notes": (Done("/url", "it is served at the gateway, and calls go to the agent"),),
        "fixes": (Done("/description", "assume an empty description"),),
        "leaks": (LEAK,),
        "links": (Link("All agents", "/"),),
    }
    return ReportFacts(**{**facts, **changes})


def gateway_pages() -> dict[str, bytes]:
    """Return the pages of a gateway, with everything on them and with nothing."""
    bare = {"received": None, "served": None, "notes": (), "fixes": (), "leaks": (), "links": ()}
    return {
        "catalogue": catalogue(rows()),
        "empty catalogue": catalogue(
            [], total=0, query="", protocol="", state="", page=1, pages=1, counts={}, links=[]
        ),
        "report": report_page(report()),
        "empty report": report_page(report(row=rows()[5], **bare)),
    }
