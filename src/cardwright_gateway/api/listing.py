"""The entries of the listed agents, kept until a card changes, and the pages of a long list."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from cardwright.catalog_entries import (
    AI_CATALOG,
    ARD,
    ARD_PATH,
    CATALOGUE_PATH,
    CATALOGUE_TYPE,
    identifier,
    manifest,
)
from cardwright.http.representation import coded, json_bytes

if TYPE_CHECKING:
    from cardwright.card import Card
    from cardwright.http.representation import Codings
    from cardwright_gateway.catalog.agent import Agent

    Entries = list[dict[str, Any]]

PATHS: Final = {ARD: ARD_PATH, AI_CATALOG: CATALOGUE_PATH}
# A reader takes 4 MiB of a catalogue, and 32 catalogues of a host, of which half are ARD manifests
# (`cardwright.discovery.catalogs`): longer pages rather than more.
PAGE: Final = 500
_MAX_PAGES: Final = 15
_HOST: Final = "cardwright gateway"


@dataclass(frozen=True, slots=True)
class Listed:
    """The entries of an agent, and what they were made from."""

    agent: Agent
    card: Card | None
    entries: Entries


@dataclass(slots=True)
class Listing:
    """The listed agents by id, below one base URL.

    Attributes:
        agents: The agents, in the order of the list.
    """

    agents: dict[str, Listed] = field(default_factory=dict[str, Listed])
    _contents: dict[tuple[str, str], tuple[list[Entries], Codings]] = field(
        default_factory=dict[tuple[str, str], "tuple[list[Entries], Codings]"]
    )

    def entries(self) -> list[Entries]:
        """Return the entries of each agent."""
        return [one.entries for one in self.agents.values()]

    def page(self, number: str | None, url: str) -> list[Entries] | None:
        """Return the entries of each agent of a page, or those of the pages of a long list; None if there is no such page.

        Args:
            number: The number of the page, from 1; None for the list itself.
            url: The URL of the list.
        """
        entries = self.entries()
        size = max(PAGE, ceil(len(entries) / _MAX_PAGES))
        if len(entries) <= size:
            return entries if number is None else None
        count = ceil(len(entries) / size)
        if number is None:
            return [[_page_entry(index, count, url)] for index in range(1, count + 1)]
        # Each page has one spelling: what is written for it is kept.
        if number not in map(str, range(1, count + 1)):
            return None
        return entries[(int(number) - 1) * size : int(number) * size]

    async def contents_of(self, dialect: str, page: str | None, entries: list[Entries]) -> Codings:
        """Return a page as a manifest in every content coding; it is written again if one of its entries has changed."""
        key = dialect, page or ""
        known, contents = self._contents.get(key, (None, {}))
        # Equal items are mostly the same objects, which is compared first.
        if known != entries:
            contents = await asyncio.to_thread(manifest_contents, dialect, entries)
            self._contents[key] = entries, contents
        return contents


def manifest_contents(dialect: str, listed: list[Entries]) -> Codings:
    """Return the manifest with the entries of each agent, in every content coding."""
    return coded(json_bytes(manifest(dialect, [entry for entries in listed for entry in entries], _HOST)))


def _page_entry(number: int, count: int, url: str) -> dict[str, Any]:
    return {
        "identifier": identifier(url, f"page-{number}", "catalogs"),
        "displayName": f"Agents, page {number} of {count}",
        "type": CATALOGUE_TYPE,
        "url": f"{url}?page={number}",
    }
