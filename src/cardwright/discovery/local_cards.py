"""Cards of peers that are a file, or that are written in the settings: they are read without a request."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote, urlsplit

from cardwright.discovery.candidates import key_of
from cardwright.discovery.card_lookup import CardLookup, entry_of, find
from cardwright.errors import PeerError
from cardwright.guard import Headers, Response
from cardwright.regular_file import read_regular_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.discovery.card_lookup import CardQuery
    from cardwright.guard import GuardedClient

# RFC 8089; the other scheme is a project decision, and no client requests it.
_FILE: Final = "file://"
_CARD: Final = "card://"


def file_key(path: str | os.PathLike[str]) -> str:
    """Return the key of a peer that is a file: its `file:` URL (RFC 8089)."""
    return Path(path).absolute().as_uri()


def card_key(peer_id: str) -> str:
    """Return the key of a peer whose card is in the settings."""
    return f"{_CARD}{quote(peer_id, safe='')}"


def is_local(key: str) -> bool:
    """Whether the card of a peer is read without a request."""
    return key.startswith((_FILE, _CARD))


def peer_key(name: str) -> str:
    """Return the key of the peer with a URL, or with a key of this module.

    Raises:
        ConnectionDenied: If requests to the URL are not allowed.
    """
    return name if is_local(name) else key_of(name)


async def find_card(
    client: GuardedClient, question: CardQuery, card: bytes | None, *, clock: Callable[[], float]
) -> CardLookup:
    """Return the card of a peer: read without a request, or requested as `find` does.

    Args:
        client: The guarded HTTP client.
        question: The request; its URL is the key of the peer.
        card: The card in the settings of this process, if there is one.
        clock: Seconds since the epoch.

    Raises:
        PeerError: If the file cannot be read or is too large, or the settings have no such card any more; or as
            `find`.
        ConnectionDenied: As `find`.
    """
    key, at = question.url, clock()
    if not is_local(key):
        return await find(client, question, clock=clock)
    body = await asyncio.to_thread(_read_file, key, question.max_bytes) if key.startswith(_FILE) else card
    if body is None:
        raise PeerError(key, "the settings have this card no longer: remove the peer, or add it again")
    return entry_of(key, CardLookup(Response(key, 200, Headers(()), body), key, "", (), at, clock()))


def _read_file(key: str, max_bytes: int) -> bytes:
    path = unquote(urlsplit(key).path)
    # RFC 8089, appendix E.2: a drive letter stands after a slash.
    path = path.removeprefix("/") if os.name == "nt" else path
    try:
        body = read_regular_file(path, max_bytes + 1)
    except OSError as error:
        raise PeerError(key, f"the file cannot be read: {error.strerror or error}") from None
    if len(body) > max_bytes:
        raise PeerError(key, f"the file is larger than {max_bytes:,} bytes")
    return body
