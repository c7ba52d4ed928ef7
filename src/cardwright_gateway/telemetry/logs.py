"""Logging: text lines, or one JSON object per line; never a credential."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
import traceback
from copy import copy
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal

from cardwright.discovery.calling.failures import chain
from cardwright.errors import StoreError
from cardwright_gateway.errors import TasksFull

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

_ACCESS: Final = logging.getLogger("cardwright_gateway.auth.access")
# Fields of a line besides its message; other attributes of a log record are not written.
FIELDS: Final = ("agent", "kind", "status", "duration_ms", "key", "error")
# Maximum number of chained exceptions in a traceback (project decision).
_MAX_CAUSES: Final = 8
# A last safeguard, since nothing should log these: of a key only the first characters are written, as in lists; of a
# token none.
_SECRETS: Final = re.compile(
    r"(?P<prefix>(?:bak|cwo|oag)_[A-Za-z0-9_-]{4})[A-Za-z0-9_=-]{8,}"
    r"|eyJ[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]*+){0,2}"
    r"|(?P<scheme>(?i:bearer|basic)[ \t]+)[A-Za-z0-9._~+/=-]{12,}"
)

# a2a-sdk logs these, some as errors with a traceback, when a caller sends an invalid request or goes away, or when a task
# that became too large still gets events, so anyone could fill the disk. The request, and a task that fails, are still
# logged. Delete entries that a2a-sdk 1.4 no longer logs.
_CALLER_ERRORS: Final = frozenset(
    {
        "Failed to validate base JSON-RPC request",
        "Failed to validate base JSON-RPC request for v0.3",
        "Failed to parse request params",
        "Validation failure: %s",
        "Queue was closed during enqueuing. Event dropped.",
        "Consumer[%s]: concurrent modification, reloading",
        "Request Error (ID: %s): Code=%s, Message='%s'%s",
        "Dispatcher task was cancelled or finished. Events may be lost.",
        "Dispatcher task is not running. Cannot wait for event dispatch.",
    }
)
# mcp logs each invalid message of a server, some with a traceback, and names that the server chose: a server could fill
# the disk. What ends a session or a call is in its error.
_MCP_CLIENT: Final = "mcp.client."
_MCP_SESSION: Final = "client"


class Occasional:
    """Warnings about an error that may come with every request: at most one line a second, with a count.

    Args:
        logger: The logger.
        clock: A monotonic clock, in seconds.
    """

    def __init__(self, logger: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._logger = logger
        self._clock = clock
        self._count = 0
        self._next = 0.0

    def warn(self, reason: str) -> None:
        """Log a reason, unless another one was logged within the last second."""
        self._count += 1
        if self._clock() < self._next:
            return
        self._logger.warning("%s (%d times since the last line)", reason, self._count)
        self._count, self._next = 0, self._clock() + 1.0


def is_no_caller_error(record: logging.LogRecord) -> bool:
    """Return False for lines of libraries about invalid messages of callers and MCP servers, which may be many.

    Those of a2a-sdk about tasks that cannot be stored are such lines too: `Occasional` logs these.
    """
    if record.name == _MCP_SESSION or record.name.startswith(_MCP_CLIENT):
        return False
    errors = list(chain(record.exc_info[1])) if record.exc_info and record.exc_info[1] else []
    # Of a2a-sdk by name, which takes 0.5 s to import: what it raises for the events after one that was not stored.
    expected = any(
        isinstance(error, (TasksFull, StoreError)) or type(error).__name__ == "InvalidAgentResponseError"
        for error in errors
    )
    return not (record.name.startswith("a2a.") and (expected or record.msg in _CALLER_ERRORS))


class _NoMessages(logging.Formatter):
    """Formatter that writes tracebacks without exception messages, which may quote what a caller sent."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 - overrides `logging.Formatter`
        """Return the traceback and the exception types, without messages."""
        error: BaseException | None = ei[1]
        tracebacks: list[str] = []
        while error is not None and len(tracebacks) < _MAX_CAUSES:
            kind = type(error)
            frames = "".join(traceback.format_tb(error.__traceback__))
            tracebacks.append(
                f"Traceback (most recent call last):\n{frames}{kind.__module__}.{kind.__qualname__}"
            )
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\n\nThe above exception caused the following one:\n\n".join(reversed(tracebacks))


class Lines(_NoMessages):
    """Formatter for text lines; tracebacks follow below."""

    def __init__(self) -> None:
        super().__init__("%(levelname)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the formatted line."""
        own = copy(record)
        # Another formatter may have cached the exception text, with its message.
        own.exc_text = None
        return without_secrets(super().format(own))


class JsonLines(_NoMessages):
    """Formatter for JSON lines: `time`, `level`, `logger`, `message`, the `FIELDS` that are set, `exception`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the formatted line."""
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        for name in FIELDS:
            value = getattr(record, name, None)
            if isinstance(value, str):
                value = without_secrets(value)
            if isinstance(value, (str, int, float)):
                entry[name] = value
        if record.exc_info:
            entry["exception"] = without_secrets(self.formatException(record.exc_info))
        # In ASCII, so that no character of a message can end the line.
        return json.dumps(entry)


def set_up(form: Literal["text", "json"], stream: TextIO | None = None) -> None:
    """Send all log lines of this process to a stream, by default standard error."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else Lines())
    handler.addFilter(is_no_caller_error)
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)


def access(
    *,
    agent: str,
    kind: str,
    status: int,
    seconds: float,
    key: str = "",
    error: str = "",
    level: int = logging.INFO,
) -> None:
    """Log a completed request.

    Args:
        agent: The agent's id, or "".
        kind: The kind of request, such as `jsonrpc`.
        status: The HTTP status.
        seconds: Its duration.
        key: The id of the caller's key, or "".
        error: The reason of an error and its cause, or "".
        level: The log level.
    """
    if not _ACCESS.isEnabledFor(level):
        return
    fields = {
        "agent": agent,
        "kind": kind,
        "status": status,
        "duration_ms": round(seconds * 1000, 3),
        "key": key,
        "error": error,
    }
    present = {name: value for name, value in fields.items() if value != ""}
    _ACCESS.log(level, " ".join(f"{name}=%s" for name in present), *present.values(), extra=present)


def without_secrets(text: str) -> str:
    """Return a text with keys and tokens masked."""
    return _SECRETS.sub(lambda match: f"{match['prefix'] or match['scheme'] or ''}…", text)
