"""The card source of a managed agent: a file of the operator, the settings, or its Python function."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.canonical import DEFAULT_LIMITS
from cardwright.card import Card
from cardwright.checks import DEFAULT_CHECKS
from cardwright.errors import BadConfiguration, CardError
from cardwright.regular_file import read_regular_file
from cardwright_gateway.catalog.sources.source import SourceStatus, UpstreamCard

if TYPE_CHECKING:
    from cardwright.registries import Registries
    from cardwright_gateway.settings.agents import AgentConfig


class ManagedSource:
    """The card source of a managed agent.

    Args:
        config: The settings of the agent.
        registries: The names that its card may use; None for the canonical cores.
        derived: The card that is derived from its function; None if the settings have a card.

    Raises:
        BadConfiguration: If its card cannot be read, or is not a card.
    """

    def __init__(
        self, config: AgentConfig, derived: Card | None = None, *, registries: Registries | None = None
    ) -> None:
        self._config = config
        self._derived = derived
        self._checks = replace(DEFAULT_CHECKS, registries=registries)
        self._error = ""
        self._upstream = self._read()

    def now(self) -> UpstreamCard:
        """Return the card; it is always available."""
        return self._upstream

    async def card(self) -> UpstreamCard:
        """Return the card."""
        return self._upstream

    async def refresh(self) -> UpstreamCard:
        """Read the file again; if that fails, the previous card stays.

        Raises:
            BadConfiguration: If it cannot be read, or is not a card.
        """
        try:
            self._upstream, self._error = await asyncio.to_thread(self._read), ""
        except BadConfiguration:
            self._error = "the card file cannot be read or is not a card; the previous card is served"
            raise
        return self._upstream

    def status(self) -> SourceStatus:
        """Return the status of the source."""
        return SourceStatus("ok", self._upstream, self._error)

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _read(self) -> UpstreamCard:
        if self._derived is not None:
            return UpstreamCard(self._derived, self._derived.digest, signature="unsigned")
        source = self._config.card
        at = f"/agents/{self._config.id}/card"
        try:
            card = (
                Card.from_bytes(read_regular_file(source, DEFAULT_LIMITS.max_bytes + 1), checks=self._checks)
                if isinstance(source, str)
                else Card.from_document(dict(source or {}), checks=self._checks)
            )
        except OSError as error:
            raise BadConfiguration(
                "", f"{at}: {source}: the file cannot be read: {error.strerror or error}"
            ) from None
        except CardError as error:
            raise BadConfiguration("", f"{at}: {error}") from None
        return UpstreamCard(card, card.digest, signature="unsigned")
