"""Errors of the task store, recorded in the call."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import SQLAlchemyError

from cardwright.errors import CardError, StoreError
from cardwright.store.faults import store_error
from cardwright_gateway.a2a.problems import turn_problem
from cardwright_gateway.errors import TasksFull
from cardwright_gateway.telemetry.logs import Occasional

if TYPE_CHECKING:
    from collections.abc import Generator

    from a2a.server.context import ServerCallContext

_FAILURES: Final = Occasional(logging.getLogger("cardwright_gateway"))


@contextmanager
def recording_store_errors(context: ServerCallContext) -> Generator[None]:
    """Raise a `CardError` if a task cannot be stored, and store it in the call, because the SDK drops the cause."""
    try:
        yield
    except (SQLAlchemyError, StoreError, TasksFull) as cause:
        error = cause if isinstance(cause, CardError) else store_error("the gateway's database", cause)
        if isinstance(error, StoreError):
            _FAILURES.warn(f"a task cannot be stored or read: {error}")
        call = context.state.get("call")
        if call is not None:
            call.refused = turn_problem(error)
        raise error from cause
