"""Cards from files, read again when one of them changes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.card import Card
from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.errors import CardError
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from cardwright.serve.settings import Cards

# What changes when a file is written or another put in its place.
_Stamp = tuple[int, int, int, int] | None


class UnreadableCard(CardError):
    """A file holds no card that can be read; the message names the file."""


@dataclass(slots=True)
class CardFiles:
    """A provider of cards from files: one path, or several by the ids of the cards.

    Give it to `well_known_agent_card`, which looks once a second whether a file has changed. A file that
    is replaced (written beside it and renamed) is never seen half; one that is written in place may be,
    and then is no card, is refused, and read again when it is whole.

    Attributes:
        paths: The file, or the files by id.
        checks: The registries, limits and rule sets to validate the cards with.
        watched: Whether it tells that a file has changed.
    """

    paths: str | Path | Mapping[str, str | Path]
    checks: Checks = DEFAULT_CHECKS
    watched: bool = True
    _seen: dict[Path, _Stamp] = field(default_factory=dict[Path, _Stamp], repr=False)
    _held: dict[Path, bytes] = field(default_factory=dict[Path, bytes], repr=False)
    _begins: bool = field(default=False, repr=False)

    def __call__(self) -> Cards:
        """Read all files; of several, one that holds no card is given as why it does not.

        Raises:
            UnreadableCard: If the only file cannot be read, or is no card.
        """
        read: Cards
        if isinstance(self.paths, Mapping):
            read = {name: self._tried(Path(path)) for name, path in self.paths.items()}
        else:
            read = self._read(Path(self.paths))
        self._begins = False
        return read

    def again(self) -> CardFiles:
        """Return one that begins with what this one read last, and sees what has changed since.

        A process that is started later begins so with cards that were good, whatever the files hold then.
        """
        return replace(self, _begins=True)

    def changed(self) -> bool:
        """Whether a file is another than the one that was read last, or was tried to be."""
        return self.watched and any(_stamp(path) != seen for path, seen in self._seen.items())

    def called(self, card_id: str) -> str:
        """Return what a card is called in messages: its file."""
        path = self.paths.get(card_id, card_id) if isinstance(self.paths, Mapping) else self.paths
        return escaped(str(path))

    def _tried(self, path: Path) -> Card | CardError:
        try:
            return self._read(path)
        except UnreadableCard as error:
            return error

    def _read(self, path: Path) -> Card:
        try:
            body = self._body(path)
            return Card.from_bytes(body, checks=self.checks)
        except (OSError, CardError) as error:
            told = error.strerror if isinstance(error, OSError) else str(error)
            raise UnreadableCard(f"{escaped(str(path))}: {told}") from None

    def _body(self, path: Path) -> bytes:
        if self._begins:
            return self._held[path]
        # Before it is read: a change that comes in between is then seen as one.
        self._seen[path] = _stamp(path)
        with path.open("rb") as file:
            body = self._held[path] = file.read(self.checks.limits.max_bytes + 1)
        return body


def _stamp(path: Path) -> _Stamp:
    try:
        found = os.stat(path)  # noqa: PTH116 - what Path.stat calls
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns
