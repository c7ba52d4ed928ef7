"""The HTML pages: the list of agents, and the report of one agent, which is also JSON."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from cardwright.catalog_entries import ARD_PATH, CATALOGUE_PATH, links_to
from cardwright.errors import CardError
from cardwright.http.negotiation import media_type
from cardwright.http.problem import BAD_QUERY, method_not_allowed, refuse
from cardwright.http.representation import json_bytes
from cardwright.http.request import read_request
from cardwright.http.response import Response
from cardwright.page import CONTENT_SECURITY_POLICY, Link
from cardwright.rewrite import seen_from
from cardwright.serve.forms import supported_versions
from cardwright.serve.routes import CARD_PATH
from cardwright_gateway.a2a.problems import problem_of
from cardwright_gateway.a2a.responses import body_response
from cardwright_gateway.api.exchange import POSTED
from cardwright_gateway.catalog.rewriting import leaks
from cardwright_gateway.pages.agents import (
    PROTOCOLS,
    STATES,
    AgentRow,
    Done,
    ReportFacts,
    catalogue_page,
    masked,
    report_page,
)
from cardwright_gateway.settings.agents import Http

if TYPE_CHECKING:
    from cardwright.outline import Outline
    from cardwright_gateway.api.exchange import Exchange
    from cardwright_gateway.catalog.agent import Agent, Urls
    from cardwright_gateway.catalog.directory import AgentDirectory
    from cardwright_gateway.catalog.served_card import ServedCard
    from cardwright_gateway.catalog.sources import SourceStatus
    from cardwright_runtime.violation import Violation

_PER_PAGE: Final = 50
_MAX_QUERY: Final = 200


class Pages:
    """The pages of a gateway.

    Args:
        agents: The agents.
        urls: The public URLs.
        tries: Whether agents have a page that calls them.
        playground: Whether there is a playground.
    """

    def __init__(self, agents: AgentDirectory, urls: Urls, *, tries: bool, playground: bool) -> None:
        self._agents = agents
        self._urls = urls
        self._tries = tries
        self._playground = (Link("Playground", "playground"),) if playground else ()

    async def catalogue(self, exchange: Exchange) -> Response:
        """Return the page that lists the agents, without sending upstream requests.

        Raises:
            HttpError: If a parameter has an unknown value.
        """
        parameters = dict(exchange.fields)
        query = parameters.get("q", "").strip()[:_MAX_QUERY]
        protocol, state = parameters.get("protocol", ""), parameters.get("state", "")
        page = parameters.get("page", "1")
        numbered = page.isascii() and page.isdigit()
        if protocol not in ("", *PROTOCOLS) or state not in ("", *STATES) or not numbered:
            raise refuse(BAD_QUERY, "unknown value of protocol, state or page")
        matches, counts = await asyncio.to_thread(_matches, self._agents, query, protocol, state)
        pages = max(1, -(-len(matches) // _PER_PAGE))
        number = min(max(int(page[:6]), 1), pages)
        shown = matches[(number - 1) * _PER_PAGE : number * _PER_PAGE]
        # As the card of each agent says, not as its upstream card does.
        served = [(await _served(agent, self._urls.agent(agent.id)))[0] for agent in shown]

        def rendered() -> bytes:
            return catalogue_page(
                [
                    _row(agent, agent.status(), card, "agents/", tries=self._tries)
                    for agent, card in zip(shown, served, strict=True)
                ],
                total=len(matches),
                query=query,
                protocol=protocol,
                state=state,
                page=number,
                pages=pages,
                counts=counts,
                links=[
                    Link("AI catalogue", CATALOGUE_PATH[1:]),
                    Link("Health", "health"),
                    Link("Metrics", "metrics"),
                    *self._playground,
                ],
            )

        body = await asyncio.to_thread(rendered)
        links = links_to(ARD_PATH[1:], CATALOGUE_PATH[1:])
        return _page(body, "text/html; charset=utf-8", CONTENT_SECURITY_POLICY, links)

    async def of_endpoint(self, exchange: Exchange) -> Response:
        """Send a browser from the endpoint of an agent to its page; other clients can only POST there.

        Raises:
            HttpError: If the request does not accept HTML by name.
        """
        if "text/html" not in (read_request(exchange.scope).fields.get("accept") or "").lower():
            raise method_not_allowed(POSTED)
        location = f"{exchange.public}{CARD_PATH}".encode()
        return Response(303, ((b"location", location), (b"vary", b"Accept"), (b"cache-control", b"no-store")))

    async def report(self, exchange: Exchange) -> Response:
        """Return the report of an agent, as HTML or JSON by Accept.

        Raises:
            HttpError: If the request accepts neither.
        """
        agent = self._agents.public_agent(exchange.agent_id)
        kind = media_type(
            read_request(exchange.scope).fields.get("accept"), ("application/json", "text/html")
        )
        served, fault = await _served(agent, self._urls.agent(agent.id, exchange.base))
        body = await asyncio.to_thread(
            _report, agent, served, fault, html=kind == "text/html", tries=self._tries
        )
        return _page(body, f"{kind}; charset=utf-8", CONTENT_SECURITY_POLICY, (b"vary", b"Accept"))


def _page(body: bytes, kind: str, policy: str, *more: tuple[bytes, bytes]) -> Response:
    headers = (
        (b"content-type", kind.encode()),
        (b"cache-control", b"no-store"),
        (b"content-security-policy", policy.encode()),
        (b"referrer-policy", b"no-referrer"),
        *more,
    )
    return body_response(200, body, headers)


async def _served(agent: Agent, public: str) -> tuple[ServedCard | None, str]:
    """Return the served card from the stored upstream card: a report sends no upstream request."""
    upstream = agent.source.status().upstream
    if upstream is None:
        return agent.last_served(public), ""
    try:
        return await agent.served_from(upstream, public), ""
    except CardError as error:
        return None, problem_of(error).message


def _matches(
    directory: AgentDirectory, query: str, protocol: str, state: str
) -> tuple[list[Agent], Counter[str]]:
    """Return the agents that a search finds, and the number of all agents in each state."""
    agents = sorted(directory.listed.values(), key=lambda agent: agent.id)
    statuses = {agent.id: agent.status() for agent in agents}
    counts = Counter[str](status.state for status in statuses.values())
    matches = [
        agent
        for agent in agents
        if protocol in ("", agent.config.protocol)
        and state in ("", statuses[agent.id].state)
        and (not query or _has(agent, statuses[agent.id], query.casefold()))
    ]
    return matches, counts


def _has(agent: Agent, status: SourceStatus, words: str) -> bool:
    """Whether all words are in the agent's id, or its card's name, description, skills or tags."""
    summary = _outline(agent, status)
    parts = [agent.id]
    if summary is not None:
        parts += [summary.name, summary.description]
        parts += [
            text
            for skill in summary.skills
            for text in (skill.id, skill.name, skill.description, *skill.tags)
        ]
    text = " ".join(parts).casefold()
    return all(word in text for word in words.split())


def _outline(agent: Agent, status: SourceStatus) -> Outline | None:
    return agent.outline_of(status.upstream.card, status.upstream.mark) if status.upstream else None


def _row(
    agent: Agent, status: SourceStatus, served: ServedCard | None, above: str, *, tries: bool
) -> AgentRow:
    summary = _outline(agent, status)
    if served is not None:
        violations = seen_from(served.card, served.public).violations
    else:
        violations = status.upstream.card.violations if status.upstream else ()
    errors = sum(violation.severity == "error" for violation in violations)
    return AgentRow(
        id=agent.id,
        protocol=agent.config.protocol,
        name=summary.name if summary else "",
        description=summary.description if summary else "",
        version=summary.version if summary else "",
        skills=tuple(skill.name or skill.id for skill in summary.skills) if summary else (),
        state=status.state,
        age_seconds=status.upstream.age_seconds if status.upstream else None,
        next_seconds=status.next_seconds,
        error=status.error,
        errors=errors,
        warnings=len(violations) - errors,
        leaks=len(_leaks(agent, served)) if served else 0,
        forms=_forms(served),
        card_href=f"{above}{agent.id}{CARD_PATH}",
        report_href=f"{above}{agent.id}/report",
        try_href=f"{above}{agent.id}/try" if tries else "",
    )


def _forms(served: ServedCard | None) -> tuple[str, ...]:
    if served is None:
        return ()
    versions = supported_versions(served.card)
    return tuple(f"A2A {version}" for version in versions) or (str(served.card.dialect),)


def _leaks(agent: Agent, served: ServedCard) -> tuple[Violation, ...]:
    """Return where a card still contains an internal host: in a text, or in a token URL."""
    connection = agent.config.connection
    return leaks(
        served.card, served.public, connection.url if isinstance(connection, Http) else served.public
    )


def _report(agent: Agent, served_card: ServedCard | None, fault: str, *, html: bool, tries: bool) -> bytes:
    status = agent.status()
    row = _row(agent, status, served_card, "../", tries=False)
    source = status.upstream
    notes = [Done(note.pointer, note.why) for note in served_card.notes] if served_card else []
    if source is not None and source.signature not in ("", "unsigned"):
        by = f" by {source.signed_by}" if source.signature == "verified" and source.signed_by else ""
        notes.append(
            Done("/signatures", f"the upstream card was signed; its signature is {source.signature}{by}")
        )
    if fault:
        notes.append(Done("", f"the card is not served: {fault}"))
    facts = ReportFacts(
        row,
        received=source.card if source and agent.config.protocol != "mcp" else None,
        served=seen_from(served_card.card, served_card.public) if served_card else None,
        notes=tuple(notes),
        fixes=tuple(Done(applied.violation.pointer, applied.fix.description) for applied in served_card.fixes)
        if served_card
        else (),
        leaks=_leaks(agent, served_card) if served_card else (),
        links=(Link("Card", CARD_PATH[1:]), *((Link("Try it", "try"),) if tries else ())),
    )
    return report_page(facts) if html else json_bytes(_report_json(facts))


def _report_json(facts: ReportFacts) -> dict[str, Any]:
    row = facts.row
    report: dict[str, Any] = {
        "id": row.id,
        "protocol": row.protocol,
        "state": row.state,
        "ageSeconds": row.age_seconds,
        "error": row.error,
        "notes": [{"pointer": entry.pointer, "why": masked(entry.why)} for entry in facts.notes],
        "fixes": [{"pointer": entry.pointer, "what": masked(entry.why)} for entry in facts.fixes],
    }
    for name, card, more in (("received", facts.received, ()), ("served", facts.served, facts.leaks)):
        if card is not None:
            report[name] = {
                "dialect": str(card.dialect),
                "violations": [_violation_json(entry) for entry in (*card.violations, *more)],
            }
    return report


def _violation_json(violation: Violation) -> dict[str, Any]:
    return {**violation.to_json(), "message": masked(violation.message)}
