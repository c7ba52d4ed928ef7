"""Files that were uploaded before, as parts of a message; each is its owner's alone."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from cardwright.discovery.calling.parts import Part
from cardwright_gateway.a2a.problems import faulty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright_gateway.auth.principal import Principal
    from cardwright_gateway.database.files import FileStore, StoredFile

# What goes with one message, in memory at once (ours; the body of a call has as much).
MOST_BYTES: Final = 16 * 1024 * 1024
_UNKNOWN: Final = (
    "there is no such file, or it was forgotten: upload it, and name it by the file_id of the answer"
)


def files_owner(principal: Principal) -> str:
    """Return whose files a caller's are: those of the owner that they stand for; "" for nobody's.

    An owner's id has no colon, and the name of a caller begins with one word and a colon.
    """
    return principal.owner_id or principal.name


async def attached(store: FileStore, principal: Principal, file_ids: Sequence[str]) -> tuple[Part, ...]:
    """Return files as parts of a message, in their order.

    Raises:
        HttpError: If one is not the caller's, is not there, or all together are too large; its place is named.
        StoreError: If they cannot be read now.
    """
    owner = files_owner(principal)
    found = await asyncio.to_thread(_read, store, owner, file_ids) if owner else [None for _ in file_ids]
    unknown = [f"/attachments/{index}/file_id" for index, file in enumerate(found) if file is None]
    if unknown:
        raise faulty([(place, _UNKNOWN) for place in unknown], message="a file is not known here")
    return tuple(Part("raw", file.body, file.name, file.media_type) for file in found if file is not None)


def _read(store: FileStore, owner: str, file_ids: Sequence[str]) -> list[StoredFile | None]:
    found: list[StoredFile | None] = []
    size = 0
    for file_id in file_ids:
        file = store.get(owner, file_id)
        size += 0 if file is None else file.size
        if size > MOST_BYTES:
            # No more of them are held in memory than are sent.
            told = f"the files have more than {MOST_BYTES:,} bytes together: send fewer with one message"
            raise faulty([("/attachments", told)], message=told)
        found.append(file)
    return found
