"""The pages about agents: the list with their states, and the report of one agent.

Neither contains the upstream URL of an agent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias
from urllib.parse import urlencode

from cardwright.hosts import internal
from cardwright.outline.fields import words
from cardwright.page import Home, Link
from cardwright.page.findings import FindingsView, findings_view
from cardwright.page.render import rendered
from cardwright.page.signatures import signatures_view

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.card import Card
    from cardwright.signing import Verification
    from cardwright_runtime.violation import Violation

State: TypeAlias = Literal["ok", "stale", "failing", "waiting", "starting", "idle"]
Protocol: TypeAlias = Literal["a2a", "mcp", "managed"]

STATES: Final[tuple[State, ...]] = ("ok", "stale", "failing", "waiting", "starting", "idle")
PROTOCOLS: Final[dict[Protocol, str]] = {"a2a": "A2A", "mcp": "MCP", "managed": "managed"}
# The list of agents, from a page beside it.
LIST: Final = Home("./", search=True)
_NEVER: Final[dict[Protocol, str]] = {"a2a": "never fetched", "mcp": "no session yet", "managed": ""}
_UNITS: Final = ((86_400, "day"), (3_600, "hour"), (60, "minute"))
# Hosts that a message may quote: in a URL, with a port, or an IP address.
_HOST: Final = re.compile(
    r"(?P<before>[A-Za-z][A-Za-z0-9+.-]{0,40}:/*/(?:[^\s\"'/?#@]*@)?)(?P<host>\[[^\]\s]*\]|[^\s\"'/?#:\\]+)(?::[0-9]+)?"
    r"|(?P<bare>\b[A-Za-z0-9_][A-Za-z0-9_.-]{0,253}):[0-9]{2,5}\b|(?P<address>\b[0-9]{1,3}(?:\.[0-9]{1,3}){3}\b)"
)
_QUOTED: Final = re.compile(r'"[^"]*"')
_FROM_A_QUOTE: Final = re.compile(r'".*', re.DOTALL)


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent in the list.

    Attributes:
        id: Its id at the gateway.
        protocol: Its upstream protocol.
        name: The name in its card; "" if there is no card yet.
        description: The description in its card.
        version: The version in its card.
        skills: The names of its skills.
        state: The state of its card: `ok`, `stale`, `failing`, `waiting`, `starting` or `idle`.
        age_seconds: Seconds since the card was fetched; None if it never was.
        next_seconds: Seconds until the next refresh; None if none is scheduled.
        error: The last error, as a message of the gateway; "" if absent.
        errors: The number of errors in its card.
        warnings: The number of warnings.
        leaks: The number of internal hosts in the served card.
        forms: The forms of its card, such as `A2A 1.0`.
        card_href: The link to its card.
        report_href: The link to its report.
        try_href: The link to the page that calls it; "" if absent.
    """

    id: str
    protocol: Protocol
    name: str
    description: str
    version: str
    skills: tuple[str, ...]
    state: State
    age_seconds: float | None
    next_seconds: float | None
    error: str
    errors: int
    warnings: int
    leaks: int
    forms: tuple[str, ...]
    card_href: str
    report_href: str
    try_href: str = ""

    def printable(self) -> AgentRow:
        """Return the row with invisible characters escaped."""
        return replace(
            self,
            id=words(self.id),
            name=words(self.name),
            description=words(self.description),
            version=words(self.version),
            skills=tuple(words(skill) for skill in self.skills),
            error=words(masked(self.error)),
            forms=tuple(words(form) for form in self.forms),
            card_href=words(self.card_href),
            report_href=words(self.report_href),
            try_href=words(self.try_href),
        )

    @property
    def kind(self) -> str:
        """The display name of the protocol."""
        return PROTOCOLS[self.protocol]

    @property
    def freshness(self) -> str:
        """The age of the card and the time of the next refresh, in words."""
        age, remaining = self.age_seconds, self.next_seconds
        card_age = _NEVER[self.protocol] if age is None else f"card {duration(age)} old"
        refresh = (
            ""
            if remaining is None
            else f"{'next refresh' if self.state == 'ok' else 'retry'} in {duration(remaining)}"
        )
        return ", ".join(filter(None, (card_age, refresh)))


@dataclass(frozen=True, slots=True)
class Done:
    """One change to a card, and its reason."""

    pointer: str
    why: str


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """The content of the report of one agent.

    Attributes:
        row: The agent as in the list.
        received: The upstream card; None if absent.
        served: The served card; None if absent.
        notes: The changes by rewriting.
        fixes: The applied fixes.
        leaks: Internal hosts in texts or token URLs of the served card, of the rule `gateway/internal-host`.
        signatures: The verification of the upstream card; None if it was not verified.
        links: Links to other pages.
    """

    row: AgentRow
    received: Card | None = None
    served: Card | None = None
    notes: tuple[Done, ...] = ()
    fixes: tuple[Done, ...] = ()
    leaks: tuple[Violation, ...] = ()
    signatures: Verification | None = None
    links: tuple[Link, ...] = ()


def catalogue_page(  # noqa: PLR0913 - the search and its result, all by keyword
    rows: Sequence[AgentRow],
    *,
    total: int,
    query: str,
    protocol: str,
    state: str,
    page: int,
    pages: int,
    counts: Mapping[str, int],
    links: Sequence[Link],
) -> bytes:
    """Return one page of the list of agents; send it with `CONTENT_SECURITY_POLICY`.

    Args:
        rows: The agents on this page.
        total: The number of matches.
        query: The search text.
        protocol: The selected protocol, or "".
        state: The selected state, or "".
        page: The number of the page, from 1.
        pages: The number of pages.
        counts: The number of all agents in each state.
        links: Links to other pages.
    """
    search = {"q": query, "protocol": protocol, "state": state}
    return rendered(
        "catalogue.html.jinja",
        package="cardwright_gateway.pages",
        home=Home("./"),
        rows=[row.printable() for row in rows],
        total=total,
        query=words(query),
        protocol=protocol,
        state=state,
        protocols=PROTOCOLS,
        states=STATES,
        page=page,
        pages=pages,
        previous_href=_page_href(search, page - 1) if page > 1 else "",
        next_href=_page_href(search, page + 1) if page < pages else "",
        agents=sum(counts.get(one, 0) for one in STATES),
        counts=[(one, counts.get(one, 0)) for one in STATES if counts.get(one, 0) or one in STATES[:3]],
        links=[link.printable() for link in links],
    )


def agent_links(agent_id: str, path: str, *, tries: bool) -> tuple[Link, ...]:
    """Return the links on the page of an agent's card.

    Args:
        agent_id: The id of the agent.
        path: The path of the gateway's public URL.
        tries: Whether there is a page that calls it.
    """
    links = (Link("Try it", f"{path}/agents/{agent_id}/try"),) if tries else ()
    return (*links, Link("Report", f"{path}/agents/{agent_id}/report"))


def report_page(facts: ReportFacts) -> bytes:
    """Return the report of one agent: its state, the changes to its card, and its violations.

    Quoted text in messages is removed; send it with `CONTENT_SECURITY_POLICY`.
    """
    received, served = facts.received, facts.served
    return rendered(
        "report.html.jinja",
        package="cardwright_gateway.pages",
        home=Home("../../", search=True),
        row=facts.row.printable(),
        received=_findings(received.violations) if received else None,
        received_as=str(received.dialect) if received else "",
        served=_findings((*served.violations, *facts.leaks)) if served else None,
        served_as=str(served.dialect) if served else "",
        notes=[_done(note) for note in facts.notes],
        fixes=[_done(fix) for fix in facts.fixes],
        signing=signatures_view(received, facts.signatures) if received else None,
        resigned=served is not None and "signatures" in served.document,
        links=[link.printable() for link in facts.links],
    )


def duration(seconds: float) -> str:
    """Return a duration in words.

    >>> duration(20), duration(200), duration(3600)
    ('20 s', '3 minutes', '1 hour')
    """
    for size, name in _UNITS:
        if seconds >= size:
            count = int(seconds // size)
            return f"{count:,} {name}{'' if count == 1 else 's'}"
    return f"{max(0, int(seconds))} s"


def _page_href(search: Mapping[str, str], page: int) -> str:
    parameters = {name: value for name, value in search.items() if value}
    return f"?{urlencode({**parameters, 'page': page})}"


def _findings(violations: Sequence[Violation]) -> FindingsView:
    return findings_view(violations, lambda text: words(unquoted(text)))


def _done(change: Done) -> Done:
    return Done(words(change.pointer), words(masked(change.why)))


def unquoted(text: str) -> str:
    """Return a message without quoted text: a host with one label looks like a word.

    >>> unquoted('"db" is no "uri"')
    '"…" is no "…"'
    """
    # Quoted text may contain quotes: if they are not balanced, remove everything from the first one on.
    return masked((_QUOTED if text.count('"') % 2 == 0 else _FROM_A_QUOTE).sub('"…"', text))


def masked(text: str) -> str:
    """Return a message without internal hosts."""
    return _HOST.sub(_without_host, text)


def _without_host(match: re.Match[str]) -> str:
    host = match["host"] or match["bare"] or match["address"]
    if internal(host) is None:
        return match[0]
    return f"{match['before'].partition(':')[0]}://…" if match["before"] else "…"
