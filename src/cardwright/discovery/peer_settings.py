"""Peer settings of this process: headers and permissions, which are never stored."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cardwright.discovery.configuration import PeerEntry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.store import PeerRecord


@dataclass(frozen=True, slots=True)
class PeerSettingsTable:
    """Settings by the URL of the peer."""

    _entries: dict[str, PeerEntry] = field(default_factory=dict[str, PeerEntry])

    def add(self, entries: Iterable[PeerEntry], *, reset: bool = False) -> None:
        """Add entries; unless `reset`, missing headers and permissions are taken from the earlier entry."""
        for entry in entries:
            url = entry.settings.url
            earlier = None if reset else self._entries.get(url)
            self._entries[url] = entry if earlier is None else _merged(earlier, entry)

    def remove(self, url: str) -> None:
        """Remove the settings of a peer."""
        self._entries.pop(url, None)

    def of(self, record: PeerRecord) -> PeerEntry:
        """Return the settings of a peer."""
        return self._entries.get(record.url) or PeerEntry(record.settings)

    def is_in_file(self, url: str) -> bool:
        """Whether a peer is in the configuration file."""
        entry = self._entries.get(url)
        return entry is not None and entry.configured is not None


def _merged(old: PeerEntry, new: PeerEntry) -> PeerEntry:
    return replace(
        new,
        headers=new.headers or old.headers,
        exact=new.exact if new.exact is not None else old.exact,
        configured=new.configured or old.configured,
    )
