"""Facts for a page that are not in the card, from its publisher."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from cardwright.outline import outline
from cardwright.outline.fields import words

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.signing import Verification


@dataclass(frozen=True, slots=True)
class Link:
    """A link; `href` is http(s) or relative to the page, any other is shown as text."""

    label: str
    href: str

    def printable(self) -> Link:
        """Return the link with invisible characters escaped."""
        return Link(words(self.label), words(self.href))


@dataclass(frozen=True, slots=True)
class Home:
    """The page of the publisher that lists the agents, linked at the top of every page.

    Attributes:
        href: The link.
        label: The text of the link.
        search: Whether the list takes a search text in the parameter `q`.
    """

    href: str
    label: str = "All agents"
    search: bool = False

    def printable(self) -> Home:
        """Return the link with invisible characters escaped."""
        return replace(self, label=words(self.label), href=words(self.href))


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Facts that only the publisher of a card knows.

    Attributes:
        url: The URL of the card.
        forms: Links to other forms of the card, such as "A2A 1.0 JSON".
        signatures: The result of verification; None if the signatures were not checked.
        view: The audience of this view of the card, such as "public".
        served_version: The protocol version in which the card is served.
        home: The list of the publisher's cards.
        own_key: Whether the trusted key is the publisher's own.
        actions: Links to what a visitor can do with the agent, such as "Try it".
    """

    url: str | None = None
    forms: tuple[Link, ...] = ()
    signatures: Verification | None = None
    view: str | None = None
    served_version: str | None = None
    home: Home | None = None
    own_key: bool = False
    actions: tuple[Link, ...] = ()

    def printable(self) -> PageFacts:
        """Return the facts with invisible characters escaped."""
        return replace(
            self,
            url=words(self.url),
            forms=tuple(form.printable() for form in self.forms),
            view=words(self.view),
            served_version=words(self.served_version),
            home=self.home.printable() if self.home else None,
            actions=tuple(action.printable() for action in self.actions),
        )


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A card in a list; `href` is its page, `skills` the names of its skills, `errors` the number of its errors."""

    name: str
    href: str
    description: str = ""
    dialect: str = ""
    version: str = ""
    skills: tuple[str, ...] = ()
    provider: str = ""
    errors: int = 0

    def printable(self) -> IndexEntry:
        """Return the entry with invisible characters escaped."""
        return replace(
            self,
            name=words(self.name),
            href=words(self.href),
            description=words(self.description),
            dialect=words(self.dialect),
            version=words(self.version),
            skills=tuple(words(skill) for skill in self.skills),
            provider=words(self.provider),
        )

    @classmethod
    def of(cls, card: Card, href: str) -> Self:
        """Return the entry for a card."""
        summary = outline(card)
        return cls(
            name=summary.name,
            href=href,
            description=summary.description,
            dialect=str(card.dialect),
            version=summary.version,
            skills=tuple(skill.name or skill.id for skill in summary.skills),
            provider=summary.provider,
            errors=len(card.errors),
        )
