"""Cursors of the search: a position in the results, signed with the query and a key of the database."""

from __future__ import annotations

import base64
import binascii
import hashlib
import struct
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Final

from cardwright.errors import BadArgument

if TYPE_CHECKING:
    from cardwright.store.records import Query

_PLACE: Final = struct.Struct(">BQ")
_SEAL_BYTES: Final = 12


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in the results: the tier, and the version below which results follow."""

    tier: int
    before: int


def sealed(cursor: Cursor, query: Query, key: int) -> str:
    """Return a cursor as signed text."""
    place = _PLACE.pack(cursor.tier, cursor.before)
    return base64.urlsafe_b64encode(place + _seal(place, query, key)).decode()


def opened(text: str, query: Query, key: int) -> Cursor:
    """Return the cursor of a signed text.

    Raises:
        BadArgument: If the signature does not match this query and database.
    """
    try:
        body = base64.b64decode(text.encode("ascii"), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        body = b""
    place, seal = body[: _PLACE.size], body[_PLACE.size :]
    if seal != _seal(place, query, key):
        raise BadArgument("cursor", "does not belong to this query and database; start without a cursor")
    return Cursor(*_PLACE.unpack(place))


def _seal(place: bytes, query: Query, key: int) -> bytes:
    query_bytes = repr(astuple(query)).encode("utf-8", "backslashreplace")
    return hashlib.blake2b(place + query_bytes, key=key.to_bytes(8, "big"), digest_size=_SEAL_BYTES).digest()
