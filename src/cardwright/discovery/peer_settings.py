"""What the operator says of peers in this process: leave and headers, which are never stored."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cardwright.discovery.configuration import PeerEntry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.store import PeerRecord


@dataclass(frozen=True, slots=True)
class PeerSettingsTable:
    """Entries by the URL of the peer."""

    _entries: dict[str, PeerEntry] = field(default_factory=dict[str, PeerEntry])

    def add(self, entries: Iterable[PeerEntry], *, anew: bool = False) -> None:
        """Take entries in; what is not said of a known peer stays, a file's leave and headers too, unless all is said anew."""
        for one in entries:
            url = one.settings.url
            old = None if anew else self._entries.get(url)
            self._entries[url] = one if old is None else _over(old, one)

    def remove(self, url: str) -> None:
        """Forget what is said of a peer."""
        self._entries.pop(url, None)

    def of(self, record: PeerRecord) -> PeerEntry:
        """Return what is said of a peer."""
        return self._entries.get(record.url) or PeerEntry(record.settings)

    def in_a_file(self, url: str) -> bool:
        """Return whether a file says something of a peer."""
        entry = self._entries.get(url)
        return entry is not None and entry.configured is not None


def _over(old: PeerEntry, new: PeerEntry) -> PeerEntry:
    return replace(
        new,
        headers=new.headers or old.headers,
        exact=new.exact if new.exact is not None else old.exact,
        configured=new.configured or old.configured,
    )
