"""What a page is told besides the card: only the publisher knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from cardwright.outline import outline

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.signing import Verdict


@dataclass(frozen=True, slots=True)
class Link:
    """Where else to go; `href` is http(s), or relative to the page. Any other is shown as text."""

    label: str
    href: str


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
    """

    url: str | None = None
    forms: tuple[Link, ...] = ()
    signatures: Verdict | None = None
    view: str | None = None
    served_version: str | None = None
    index_href: str | None = None


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
