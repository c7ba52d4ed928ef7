"""Who says the parts of a turn: an iterable of the application's, that may raise whatever it likes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, Final

# There is nothing more to be said; None may be said, and is no part.
END: Final = object()


class Handler:
    """Asks an iterable, of either kind, for one thing after the other.

    Attributes:
        failure: What it raised, or None; nothing comes after it.
    """

    def __init__(self, source: Iterable[Any] | AsyncIterable[Any]) -> None:
        self.failure: BaseException | None = None
        self._source = source
        self._iterator: Iterator[Any] | AsyncIterator[Any] | None = None

    async def following(self) -> Any:
        """Return what comes next; `END` where nothing does, or where it raised.

        Raises:
            CancelledError: If who asks is cancelled; that the handler's own tasks are is its failure.
            KeyboardInterrupt, SystemExit: These are nobody's to keep.
        """
        if self.failure is not None:
            return END
        try:
            if self._iterator is None:
                asks = isinstance(self._source, AsyncIterable)
                self._iterator = aiter(self._source) if asks else iter(self._source)  # type: ignore[arg-type]
            if isinstance(self._iterator, AsyncIterator):
                return await anext(self._iterator)
            return next(self._iterator)
        except (StopIteration, StopAsyncIteration):
            return END
        except (KeyboardInterrupt, SystemExit):
            raise
        except asyncio.CancelledError as error:
            if is_cancelled():
                raise
            self.failure = error
        except BaseException as error:  # noqa: BLE001 - it is the handler's, and its receivers are told
            self.failure = error
        return END

    async def close(self) -> None:
        """Let it end at once, where nobody asks for more."""
        try:
            if isinstance(self._iterator, AsyncIterator):
                close = getattr(self._iterator, "aclose", None)
                if close is not None:
                    await close()
            else:
                close = getattr(self._iterator, "close", None)
                if close is not None:
                    close()
        except Exception as error:  # noqa: BLE001 - what it raises at its end is its failure too
            self.failure = self.failure or error


def is_cancelled() -> bool:
    """Whether the running task was asked to stop, so that a CancelledError is meant for it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
