"""Why a file is not kept."""

from __future__ import annotations

from cardwright.errors.root import CardError


class FileTooLarge(CardError):
    """A file is larger than files may be: send a smaller one.

    Attributes:
        max_bytes: The greatest that is kept.
    """

    def __init__(self, max_bytes: int) -> None:
        super().__init__(f"a file has at most {max_bytes:,} bytes")
        self.max_bytes = max_bytes


class FilesFull(CardError):
    """An owner has no room left for files: wait until some are forgotten, or send fewer.

    Attributes:
        owner_bytes: How many bytes one owner may have.
    """

    def __init__(self, owner_bytes: int) -> None:
        super().__init__(f"the files of one owner have at most {owner_bytes:,} bytes together")
        self.owner_bytes = owner_bytes
