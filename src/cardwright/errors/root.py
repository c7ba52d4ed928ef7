"""The root of everything this package raises."""

from __future__ import annotations

from typing import Any


class CardError(Exception):
    """The root: whatever cardwright raises on foreign input is one of these."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by what the error says and holds, since the parts that it was built from are gone."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[CardError], arguments: tuple[Any, ...], fields: dict[str, Any]) -> CardError:
    error = kind.__new__(kind, *arguments)
    error.args = arguments
    error.__dict__.update(fields)
    return error
