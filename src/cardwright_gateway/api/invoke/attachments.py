"""Uploaded files as parts of a message; only their owner can attach them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from cardwright.discovery.calling.parts import Part
from cardwright_gateway.a2a.problems import faulty

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from cardwright_gateway.api.exchange import Exchange
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


async def attached(
    store: FileStore, principal: Principal, file_ids: Sequence[str], exchange: Exchange
) -> tuple[Part, ...]:
    """Return files as parts of a message, in their order; they take memory and count for requests as a body does.

    Raises:
        HttpError: If a file is unknown or another owner's, all together are too large, or there is no memory for them.
        StoreError: If the database is unavailable.
    """
    owner = files_owner(principal)
    sizes = await asyncio.to_thread(store.sizes, owner, file_ids) if owner else {}
    _check_known(file_ids, sizes)
    size = sum(sizes[file_id] for file_id in file_ids)
    if size > MAX_TOTAL_BYTES:
        message = f"the files exceed {MAX_TOTAL_BYTES:,} bytes in total; send fewer with one message"
        raise faulty([("/attachments", message)], message=message)
    await exchange.take_files(size, MAX_TOTAL_BYTES)
    files = await asyncio.to_thread(_read, store, owner, file_ids)
    # A file may have expired since its size was read.
    _check_known(file_ids, files)
    return tuple(
        Part("raw", file.body, file.name, file.media_type)
        for file in (files[file_id] for file_id in file_ids)
    )


def _check_known(file_ids: Sequence[str], known: Container[str]) -> None:
    unknown = [f"/attachments/{index}/file_id" for index, one in enumerate(file_ids) if one not in known]
    if unknown:
        raise faulty([(pointer, _UNKNOWN) for pointer in unknown], message="unknown or expired file")


def _read(store: FileStore, owner: str, file_ids: Sequence[str]) -> dict[str, StoredFile]:
    files = {file_id: store.get(owner, file_id) for file_id in file_ids}
    return {file_id: file for file_id, file in files.items() if file is not None}
