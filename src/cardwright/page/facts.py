"""What a page is told besides the card: only the publisher knows it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from cardwright.outline import outline
from cardwright.outline.members import words

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.signing import Verification


@dataclass(frozen=True, slots=True)
class Link:
    """Where else to go; `href` is http(s), or relative to the page. Any other is shown as text."""

    label: str
    href: str

    def printable(self) -> Link:
        """Return the link with every character that a reader would not see written out."""
        return Link(words(self.label), words(self.href))


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What only the publisher of a card knows.

    Attributes:
        url: Where the card is served.
        forms: The same card in other forms, such as "A2A 1.0 JSON".
        signatures: What verification found; without it the page says that nothing was checked.
        view: Whom this view of the card is for, such as "public".
        served_version: The version of the protocol that the card is served in.
        index_href: Where all cards of the publisher are listed.
        own_key: Whether the key that was trusted is the publisher's own.
    """

    url: str | None = None
    forms: tuple[Link, ...] = ()
    signatures: Verification | None = None
    view: str | None = None
    served_version: str | None = None
    index_href: str | None = None
    own_key: bool = False

    def printable(self) -> PageFacts:
        """Return the facts with every character that a reader would not see written out."""
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
    """One card in a list of many; `href` leads to its page."""

    name: str
    href: str
    description: str = ""
    dialect: str = ""
    version: str = ""
    skills: int = 0
    provider: str = ""

    def printable(self) -> IndexEntry:
        """Return the entry with every character that a reader would not see written out."""
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
        """Return the entry of a card."""
        told = outline(card)
        return cls(
            name=told.name,
            href=href,
            description=told.description,
            dialect=str(card.dialect),
            version=told.version,
            skills=len(told.skills),
            provider=told.provider,
        )
