"""Errors of storing an uploaded file."""

from __future__ import annotations

from cardwright.errors.root import CardError


class FileTooLarge(CardError):
    """A file exceeds the maximum size: send a smaller one.

    Attributes:
        max_bytes: The maximum size of a file.
    """

    def __init__(self, max_bytes: int) -> None:
        super().__init__(f"the maximum size of a file is {max_bytes:,} bytes")
        self.max_bytes = max_bytes


class FilesFull(CardError):
    """The files of an owner exceed their maximum total size: wait until some expire, or send fewer.

    Attributes:
        owner_bytes: The maximum total size of one owner's files.
    """

    def __init__(self, owner_bytes: int) -> None:
        super().__init__(f"the maximum total size of one owner's files is {owner_bytes:,} bytes")
        self.owner_bytes = owner_bytes
