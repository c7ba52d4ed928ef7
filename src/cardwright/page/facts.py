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
class PageFacts:
    """Facts that only the publisher of a card knows.

    Attributes:
        url: The URL of the card.
        forms: Links to other forms of the card, such as "A2A 1.0 JSON".
        signatures: The result of verification; None if the signatures were not checked.
        view: The audience of this view of the card, such as "public".
        served_version: The protocol version in which the card is served.
        index_href: The list of the publisher's cards.
        own_key: Whether the trusted key is the publisher's own.
    """

    url: str | None = None
    forms: tuple[Link, ...] = ()
    signatures: Verification | None = None
    view: str | None = None
    served_version: str | None = None
    index_href: str | None = None
    own_key: bool = False

    def printable(self) -> PageFacts:
        """Return the facts with invisible characters escaped."""
        return replace(
            self,
            url=words(self.url),
            forms=tuple(form.printable() for form in self.forms),
            view=words(self.view),
            served_version=words(self.served_version),
            index_href=words(self.index_href),
        )


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A card in a list; `href` is its page."""

    name: str
    href: str
    description: str = ""
    dialect: str = ""
    version: str = ""
    skills: int = 0
    provider: str = ""

    def printable(self) -> IndexEntry:
        """Return the entry with invisible characters escaped."""
        return replace(
            self,
            name=words(self.name),
            href=words(self.href),
            description=words(self.description),
            dialect=words(self.dialect),
            version=words(self.version),
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
            skills=len(summary.skills),
            provider=summary.provider,
        )
