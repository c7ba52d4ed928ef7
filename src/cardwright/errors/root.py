"""The base class of this package's exceptions."""

from __future__ import annotations

from typing import Any


class CardError(Exception):
    """Base class of everything that cardwright raises for untrusted input."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message and the attributes, because the constructor's arguments are not stored."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[CardError], arguments: tuple[Any, ...], fields: dict[str, Any]) -> CardError:
    error = kind.__new__(kind, *arguments)
    error.args = arguments
    error.__dict__.update(fields)
    return error
