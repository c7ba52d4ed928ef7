"""Uploaded files as parts of a message; only their owner can attach them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from cardwright.discovery.calling.parts import Part
from cardwright_gateway.a2a.problems import faulty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright_gateway.auth.principal import Principal
    from cardwright_gateway.database.files import FileStore, StoredFile

# The maximum size of all attachments of one message (project decision; the same as the body of a call).
MAX_TOTAL_BYTES: Final = 16 * 1024 * 1024
_UNKNOWN: Final = "unknown or expired file; upload it, and use the file_id from the response"


def files_owner(principal: Principal) -> str:
    """Return the owner of a caller's files: the owner that the caller represents, or the caller; "" if anonymous.

    The two do not collide: an owner's id has no colon, and a caller's name begins with a word and a colon.
    """
    return principal.owner_id or principal.name


async def attached(store: FileStore, principal: Principal, file_ids: Sequence[str]) -> tuple[Part, ...]:
    """Return files as parts of a message, in their order.

    Raises:
        HttpError: If a file is unknown or another owner's, or all together are too large.
        StoreError: If the database is unavailable.
    """
    owner = files_owner(principal)
    files = await asyncio.to_thread(_read, store, owner, file_ids) if owner else [None for _ in file_ids]
    unknown = [f"/attachments/{index}/file_id" for index, file in enumerate(files) if file is None]
    if unknown:
        raise faulty([(pointer, _UNKNOWN) for pointer in unknown], message="unknown or expired file")
    return tuple(Part("raw", file.body, file.name, file.media_type) for file in files if file is not None)


def _read(store: FileStore, owner: str, file_ids: Sequence[str]) -> list[StoredFile | None]:
    files: list[StoredFile | None] = []
    size = 0
    for file_id in file_ids:
        file = store.get(owner, file_id)
        size += 0 if file is None else file.size
        if size > MAX_TOTAL_BYTES:
            # Stop here, so that not all of them are held in memory.
            message = f"the files exceed {MAX_TOTAL_BYTES:,} bytes in total; send fewer with one message"
            raise faulty([("/attachments", message)], message=message)
        files.append(file)
    return files
