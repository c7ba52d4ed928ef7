"""A gateway's pages: the agents behind it with their health, and the report of one of them.

Neither says where an agent's card comes from: that is the gateway's own affair.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias
from urllib.parse import urlencode

from cardwright.hosts import internal
from cardwright.outline.members import words
from cardwright.page.render import rendered
from cardwright.page.signatures import signatures_view

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.card import Card
    from cardwright.page.facts import Link
    from cardwright.signing import Verification
    from cardwright_runtime.violation import Violation

State: TypeAlias = Literal["ok", "stale", "failing", "waiting", "starting", "idle"]
Protocol: TypeAlias = Literal["a2a", "mcp", "managed"]

STATES: Final[tuple[State, ...]] = ("ok", "stale", "failing", "waiting", "starting", "idle")
PROTOCOLS: Final[dict[Protocol, str]] = {"a2a": "A2A", "mcp": "MCP", "managed": "managed"}
# So many skills tell what an agent is about, and so many violations are read (ours).
_FIRST_SKILLS: Final = 5
_MOST: Final = 100
_NEVER: Final[dict[Protocol, str]] = {"a2a": "never fetched", "mcp": "no session yet", "managed": ""}
_UNITS: Final = ((86_400, "day"), (3_600, "hour"), (60, "minute"))
# What a message may quote of a card: a URL with its host, or a bare host and port.
_HOST: Final = re.compile(
    r"(?P<before>[A-Za-z][A-Za-z0-9+.-]*:/*/(?:[^\s\"'/?#@]*@)?)(?P<host>\[[^\]\s]*\]|[^\s\"'/?#:\\]+)(?::[0-9]+)?"
    r"|(?P<bare>\b[A-Za-z0-9_][A-Za-z0-9_.-]*):[0-9]{2,5}\b|(?P<address>\b[0-9]{1,3}(?:\.[0-9]{1,3}){3}\b)"
)
_QUOTED: Final = re.compile(r'"[^"]*"')
_FROM_A_QUOTE: Final = re.compile(r'".*', re.DOTALL)


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent in the list.

    Attributes:
        id: Its id at the gateway.
        protocol: What it is reached by behind the gateway.
        name: The name that its card says; "" where there is no card yet.
        description: What its card says of it.
        version: The version that its card says.
        skills: The names of its skills.
        state: How its card is: `ok`, `stale`, `failing`, `waiting`, `starting` or `idle`.
        age_seconds: How long ago the card was fetched; None where it never was.
        next_seconds: How long until it is looked for again; None where nobody knows.
        error: What went wrong last, in words of ours; "" where nothing did.
        errors: How many errors its card has.
        warnings: How many warnings.
        leaks: How many internal hosts were found in the card as it is served.
        forms: What forms its card can be had in, such as `a2a-1.0`.
        card_href: Where its card's page is.
        report_href: Where its report is.
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

    def printable(self) -> AgentRow:
        """Return the row with every character that a reader would not see written out."""
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
        )

    @property
    def kind(self) -> str:
        """The protocol as people write it."""
        return PROTOCOLS[self.protocol]

    @property
    def freshness(self) -> str:
        """How old the card is and when it is looked for again, in words."""
        age, coming = self.age_seconds, self.next_seconds
        old = _NEVER[self.protocol] if age is None else f"card {duration(age)} old"
        when = (
            ""
            if coming is None
            else f"{'next look' if self.state == 'ok' else 'retry'} in {duration(coming)}"
        )
        return ", ".join(filter(None, (old, when)))

    @property
    def first_skills(self) -> tuple[str, ...]:
        """The first few skills."""
        return self.skills[:_FIRST_SKILLS]

    @property
    def more_skills(self) -> int:
        """How many there are beside the first few."""
        return len(self.skills) - len(self.first_skills)


@dataclass(frozen=True, slots=True)
class Done:
    """What was done at one place of a card, and why."""

    pointer: str
    why: str


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """What the report of one agent tells.

    Attributes:
        row: The agent as the list has it.
        received: The card as it came; None where none did.
        served: The card as it is served; None where none is.
        notes: What rewriting did.
        fixes: What was mended of the card.
        leaks: Internal hosts in text or token URLs of the served card, of the rule `gateway/internal-host`.
        signatures: What verification of the card as it came found; None where nothing was verified.
        links: Where else to go.
    """

    row: AgentRow
    received: Card | None = None
    served: Card | None = None
    notes: tuple[Done, ...] = ()
    fixes: tuple[Done, ...] = ()
    leaks: tuple[Violation, ...] = ()
    signatures: Verification | None = None
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class FindingView:
    """One violation as the report shows it."""

    severity: str
    pointer: str
    message: str
    rule: str
    fix: str


@dataclass(frozen=True, slots=True)
class FindingsView:
    """The first violations of a card, errors before warnings, and how many there are more."""

    findings: tuple[FindingView, ...]
    more: int


def catalogue_page(  # noqa: PLR0913 - what a search was and what it found, each by its name
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
    """Return one page of the list of agents; send it with `FORM_SECURITY_POLICY`.

    Args:
        rows: The agents on this page.
        total: How many were found in all.
        query: What was searched for, as the form shows it again.
        protocol: The protocol that was asked for, or "".
        state: The state that was asked for, or "".
        page: Which page it is, from 1.
        pages: How many there are.
        counts: How many agents of each state the gateway has, found or not.
        links: Where else to go.
    """
    asked = {"q": query, "protocol": protocol, "state": state}
    return rendered(
        "catalogue.html.jinja",
        package="cardwright_gateway.pages",
        with_form=True,
        rows=[row.printable() for row in rows],
        total=total,
        query=words(query),
        protocol=protocol,
        state=state,
        protocols=PROTOCOLS,
        states=STATES,
        page=page,
        pages=pages,
        before=_page_href(asked, page - 1) if page > 1 else "",
        behind=_page_href(asked, page + 1) if page < pages else "",
        agents=sum(counts.get(one, 0) for one in STATES),
        counts=[(one, counts.get(one, 0)) for one in STATES if counts.get(one, 0) or one in STATES[:3]],
        links=[link.printable() for link in links],
    )


def report_page(facts: ReportFacts) -> bytes:
    """Return the report of one agent: its state, what became of its card, and what is wrong with it.

    Nothing that a violation quotes is shown; send it with `CONTENT_SECURITY_POLICY`.
    """
    received, served = facts.received, facts.served
    return rendered(
        "report.html.jinja",
        package="cardwright_gateway.pages",
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
    """Return a time span as people say it.

    >>> duration(20), duration(200), duration(3600)
    ('20 s', '3 minutes', '1 hour')
    """
    for size, name in _UNITS:
        if seconds >= size:
            count = int(seconds // size)
            return f"{count:,} {name}{'' if count == 1 else 's'}"
    return f"{max(0, int(seconds))} s"


def _page_href(asked: Mapping[str, str], page: int) -> str:
    told = {name: value for name, value in asked.items() if value}
    return f"?{urlencode({**told, 'page': page})}"


def _findings(violations: Sequence[Violation]) -> FindingsView:
    ordered = sorted(violations, key=lambda violation: violation.severity != "error")
    shown = tuple(
        FindingView(
            severity=violation.severity,
            pointer=words(violation.pointer),
            message=words(unquoted(violation.message)),
            rule=violation.rule,
            fix=words(unquoted(violation.fix.description)) if violation.fix else "",
        )
        for violation in ordered[:_MOST]
    )
    return FindingsView(shown, len(ordered) - len(shown))


def _done(one: Done) -> Done:
    return Done(words(one.pointer), words(masked(one.why)))


def unquoted(text: str) -> str:
    """Return a message without anything that it quotes: no rule tells a host in one label from a word.

    >>> unquoted('"db" is no "uri"')
    '"…" is no "…"'
    """
    # A quoted text may have quotes itself: where they do not pair off, all from the first one on goes.
    return masked((_QUOTED if text.count('"') % 2 == 0 else _FROM_A_QUOTE).sub('"…"', text))


def masked(text: str) -> str:
    """Return a message without the internal hosts that it quotes."""
    return _HOST.sub(_without_host, text)


def _without_host(match: re.Match[str]) -> str:
    host = match["host"] or match["bare"] or match["address"]
    if internal(host) is None:
        return match[0]
    return f"{match['before'].partition(':')[0]}://…" if match["before"] else "…"
