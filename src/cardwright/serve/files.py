"""Cards from files, reloaded when a file changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.card import Card
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.errors import CardError
from cardwright.regular_file import Stamp, read_regular_file, stamp_of
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from cardwright.serve.settings import Cards

# The attributes of a file that change when it is written or replaced.


class UnreadableCard(CardError):
    """A file does not contain a readable card; the message names the file."""


@dataclass(slots=True)
class CardFiles:
    """Provider of cards from files: one path, or several by the ids of the cards.

    Pass it to `well_known_agent_card`, which checks once a second whether a file has changed. Replace a file by
    renaming a new one to its name; a file that is written in place may be read half-written, which is then rejected
    and read again after the next change.

    Attributes:
        paths: The file, or the files by id.
        checks: The registries, limits and rule sets to validate the cards with.
        watched: Whether `changed` reports changes.
    """

    paths: str | Path | Mapping[str, str | Path]
    checks: Checks = DEFAULT_CHECKS
    watched: bool = True
    _seen: dict[Path, Stamp | None] = field(default_factory=dict[Path, Stamp | None], repr=False)
    _bodies: dict[Path, bytes] = field(default_factory=dict[Path, bytes], repr=False)
    _replays: bool = field(default=False, repr=False)

    def __call__(self) -> Cards:
        """Read all files; if there are several, an unreadable one is returned as its error.

        Raises:
            UnreadableCard: If the only file cannot be read or is not a card.
        """
        cards: Cards
        if isinstance(self.paths, Mapping):
            cards = {name: self._read_or_error(Path(path)) for name, path in self.paths.items()}
        else:
            cards = self._read(Path(self.paths))
        self._replays = False
        return cards

    def again(self) -> CardFiles:
        """Return a provider whose first call returns the cards of this one's last call, without reading.

        So a process that starts later begins with valid cards, even if a file is invalid by then.
        """
        return replace(self, _replays=True)

    def changed(self) -> bool:
        """Return whether a file has changed since it was last read."""
        return self.watched and any(stamp_of(path) != seen for path, seen in self._seen.items())

    def called(self, card_id: str) -> str:
        """Return the name of a card for messages: its path."""
        path = self.paths.get(card_id, card_id) if isinstance(self.paths, Mapping) else self.paths
        return escaped(str(path))

    def _read_or_error(self, path: Path) -> Card | CardError:
        try:
            return self._read(path)
        except UnreadableCard as error:
            return error

    def _read(self, path: Path) -> Card:
        try:
            body = self._body(path)
            return Card.from_bytes(body, checks=self.checks)
        except (OSError, CardError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise UnreadableCard(f"{escaped(str(path))}: {reason}") from None

    def _body(self, path: Path) -> bytes:
        if self._replays:
            return self._bodies[path]
        # Before reading, so that a change in between is noticed.
        self._seen[path] = stamp_of(path)
        body = self._bodies[path] = read_regular_file(path, self.checks.limits.max_bytes + 1)
        return body
