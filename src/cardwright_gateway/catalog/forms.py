"""The forms of an agent's card: as it is served, of a version, and the seed's own form of a server of MCP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.errors import BadArgument
from cardwright_gateway.catalog.publisher import MCP

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.serve import AgentCardApplication
    from cardwright_gateway.catalog.agent import Agent
    from cardwright_gateway.catalog.publisher import CardPublisher
    from cardwright_gateway.catalog.sources import UpstreamCard
    from cardwright_gateway.catalog.urls import Urls


def own_form(agent: Agent, sourced: UpstreamCard) -> Card:
    """Return the seed's form of a server of MCP (SuperX: MCP Protocol: Synthesizing Agent Cards).

    Raises:
        BadArgument: If the agent is no server of MCP.
    """
    if agent.config.protocol != "mcp":
        raise BadArgument("form", "mcp is the form of agents that are servers of MCP, and this is none")
    return sourced.card


async def form_of(publisher: CardPublisher, urls: Urls, agent: Agent, form: str | None) -> Card:
    """Return a form of the card of an agent.

    Raises:
        BadArgument: If there is no such form of it.
        CardError: If it has no card now.
    """
    placed, sourced = await agent.placed(urls.agent(agent.id))
    if form == MCP:
        return own_form(agent, sourced)
    key = (agent.id, urls.base, "")
    application = await publisher.published(key, placed, placed.card, urls.base)
    forms = forms_in(application)
    if form is None:
        return forms["default"]
    if form not in forms:
        known = ", ".join(name for name in forms if name != "default")
        raise BadArgument("form", f"the card is offered as {known}, not as {form!r}")
    return forms[form]


def forms_in(application: AgentCardApplication) -> dict[str, Card]:
    """Return the forms that an application serves, by their names, and as `default` what it serves by default."""
    (shown,) = application.publication.cards.values()
    edition = shown.editions["public"]
    assert edition is not None  # noqa: S101 - without views everyone sees it
    forms = edition.forms
    named = {name: form.card for name, form in forms.by_version.items()}
    return {"default": forms.default.card, forms.default.name: forms.default.card, **named}
