"""Iteration over a handler's parts; the handler is application code and may raise any exception."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, Final

# Marks the end of the iteration; None is a possible (invalid) part.
END: Final = object()


class Handler:
    """Iterator over a sync or async iterable that records an exception instead of raising it.

    Attributes:
        failure: The exception of the handler, or None; it ends the iteration.
    """

    def __init__(self, source: Iterable[Any] | AsyncIterable[Any]) -> None:
        self.failure: BaseException | None = None
        self._source = source
        self._iterator: Iterator[Any] | AsyncIterator[Any] | None = None

    async def next(self) -> Any:
        """Return the next item; `END` at the end or after an exception of the handler.

        Raises:
            CancelledError: If the running task is cancelled; a cancellation inside the handler is its failure.
            KeyboardInterrupt, SystemExit: If the handler raises them.
        """
        if self.failure is not None:
            return END
        try:
            if self._iterator is None:
                is_async = isinstance(self._source, AsyncIterable)
                self._iterator = aiter(self._source) if is_async else iter(self._source)  # type: ignore[arg-type]
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
        except BaseException as error:  # noqa: BLE001 - application code; receivers get an error part
            self.failure = error
        return END

    async def close(self) -> None:
        """Close the iterator."""
        try:
            if isinstance(self._iterator, AsyncIterator):
                close = getattr(self._iterator, "aclose", None)
                if close is not None:
                    await close()
            else:
                close = getattr(self._iterator, "close", None)
                if close is not None:
                    close()
        except Exception as error:  # noqa: BLE001 - application code
            self.failure = self.failure or error


def is_cancelled() -> bool:
    """Return whether the running task is being cancelled, so that a CancelledError is meant for it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
