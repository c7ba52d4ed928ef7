"""A managed agent: its card is a file of the operator's, or stands in the configuration."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.card import Card
from cardwright.errors import BadConfiguration, CardError
from cardwright_gateway.catalog.sources.source import SourceStatus, UpstreamCard

if TYPE_CHECKING:
    from cardwright_gateway.settings.agents import AgentConfig


class ManagedSource:
    """The card of a managed agent.

    Args:
        config: The agent.

    Raises:
        BadConfiguration: If its card cannot be read, or is none.
    """

    def __init__(self, config: AgentConfig) -> None:
        self._config = config
        self._error = ""
        self._sourced = self._read()

    def now(self) -> UpstreamCard:
        """Return the card: it is always at hand."""
        return self._sourced

    async def card(self) -> UpstreamCard:
        """Return the card."""
        return self._sourced

    async def refresh(self) -> UpstreamCard:
        """Read the file again; what was good stays where it cannot be read.

        Raises:
            BadConfiguration: If it cannot be read, or is no card.
        """
        try:
            self._sourced, self._error = await asyncio.to_thread(self._read), ""
        except BadConfiguration:
            self._error = "the file of the card cannot be read, or is no card: the one before it stays"
            raise
        return self._sourced

    def standing(self) -> SourceStatus:
        """Return how it does."""
        return SourceStatus("ok", self._sourced, self._error)

    async def close(self) -> None:
        """Let go of nothing."""

    def _read(self) -> UpstreamCard:
        held = self._config.card
        at = f"/agents/{self._config.id}/card"
        try:
            card = (
                Card.from_bytes(Path(held).read_bytes())
                if isinstance(held, str)
                else Card.from_document(dict(held or {}))
            )
        except OSError as error:
            raise BadConfiguration(
                "", f"{at}: {held}: it cannot be read: {error.strerror or error}"
            ) from None
        except CardError as error:
            raise BadConfiguration("", f"{at}: {error}") from None
        return UpstreamCard(card, card.digest, signature="unsigned")
