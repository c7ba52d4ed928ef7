"""From a card to what serves it: made once, kept while it is asked for, and forgotten where it is not."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from cardwright.errors import CardError
from cardwright.serve import AgentCardApplication
from cardwright.serve.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.card import Card
    from cardwright.serve import Signing
    from cardwright.serve.forms import Default

# What is made of one card has some 100 KB: pages and codings of each form (measured; benchmarks/README.md).
_KEPT: Final = 256
# A card is fetched anew every few minutes: caches after us add at most this (ours).
MAX_AGE_SECONDS: Final = 60

# The form of a card that the SuperX seed has for MCP servers.
MCP: Final = "mcp"

Key = tuple[str, str, str]


@dataclass(slots=True)
class CardPublisher:
    """Applications that serve one card each.

    Attributes:
        signing: The key that the cards are signed with, if any.
        default: Says which form of an agent's card is served where no version is named; None for the usual one.
    """

    signing: Signing | None = None
    default: Callable[[str], Default | None] = field(default=lambda _: None)
    _kept: OrderedDict[Key, tuple[object, AgentCardApplication]] = field(
        default_factory=OrderedDict[Key, "tuple[object, AgentCardApplication]"]
    )
    _making: dict[Key, tuple[object, asyncio.Task[AgentCardApplication]]] = field(
        default_factory=dict[Key, "tuple[object, asyncio.Task[AgentCardApplication]]"]
    )

    def kept(self, key: Key, mark: object) -> AgentCardApplication | None:
        """Return what serves a card, if it was made already and the card is the same still."""
        found = self._kept.get(key)
        if found is None or found[0] is not mark:
            return None
        self._kept.move_to_end(key)
        return found[1]

    async def published(self, key: Key, mark: object, card: Card, base: str) -> AgentCardApplication:
        """Return what serves a card; of all who ask at once, one makes it.

        Args:
            key: Whose card it is, below which base, in which form.
            mark: The object that the card belongs to; another one means another card.
            card: The card.
            base: The public URL of the gateway.

        Raises:
            CardError: If it cannot be served at all.
        """
        known = self.kept(key, mark)
        if known is not None:
            return known
        begun = self._making.get(key)
        if begun is None or begun[0] is not mark:
            begun = mark, asyncio.create_task(asyncio.to_thread(self._made, card, base, self._default(key)))
            self._making[key] = begun
        try:
            made = await asyncio.shield(begun[1])
        finally:
            if self._making.get(key) is begun and begun[1].done():
                del self._making[key]
        self._kept[key] = mark, made
        self._kept.move_to_end(key)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return made

    def forget(self, agent_id: str) -> None:
        """Forget what was made for an agent."""
        for key in [key for key in self._kept if key[0] == agent_id]:
            del self._kept[key]

    def _default(self, key: Key) -> Default | None:
        # A form of its own has no other.
        return self.default(key[0]) if key[2] != MCP else None

    def _made(self, card: Card, base: str, default: Default | None) -> AgentCardApplication:
        settings = Settings(
            default=default,
            max_age_seconds=MAX_AGE_SECONDS,
            # What an agent tells is passed on, and told of on the page of the catalogue.
            publish_sensitive="all",
            accept_errors=True,
            index_href=f"{urlsplit(base).path}/",
            signing=self.signing if card.valid else None,
        )
        try:
            return AgentCardApplication(lambda: card, settings)
        except CardError:
            # A form that it cannot be turned into is no reason to withhold the card.
            return AgentCardApplication(lambda: card, replace(settings, versions=(), default="as-written"))
