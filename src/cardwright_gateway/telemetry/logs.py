"""What the gateway tells of its work: lines for people, or one JSON object a line; never a credential."""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from copy import copy
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from typing import TextIO

_ACCESS: Final = logging.getLogger("cardwright_gateway.auth.access")
# What a line may say beside its message; whatever else is attached to one stays out of it.
FIELDS: Final = ("agent", "kind", "status", "duration_ms", "key")
# More causes of one fault are not told (ours).
_MOST_CAUSES: Final = 8
# Nothing here logs these. Should a message have one all the same, it goes no further: the first characters of a key
# are told, as in lists; of tokens none.
_SECRETS: Final = re.compile(
    r"(?P<shown>bak_[A-Za-z0-9_-]{4})[A-Za-z0-9_-]{8,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*)?"
    r"|(?P<scheme>(?i:bearer|basic)[ \t]+)[A-Za-z0-9._~+/=-]{12,}"
)

# What a2a-sdk logs as an error of its own, with a traceback, where a caller sent what cannot be read: anybody could
# fill the disk by that. Delete what 1.4 no longer logs; the line of the request stays.
_OF_CALLERS: Final = frozenset(
    {
        "Failed to validate base JSON-RPC request",
        "Failed to validate base JSON-RPC request for v0.3",
        "Failed to parse request params",
        "Validation failure: %s",
    }
)


def _by_the_gateway(record: logging.LogRecord) -> bool:
    """Whether a line tells of the gateway, and not of what a caller got wrong."""
    return not (record.name.startswith("a2a.") and record.msg in _OF_CALLERS)


class _Careful(logging.Formatter):
    """Tells of an exception where it came from and of which kind it is: what it says may quote what a caller sent."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name of the one it replaces
        """Return the traceback without messages."""
        error: BaseException | None = ei[1]
        told: list[str] = []
        while error is not None and len(told) < _MOST_CAUSES:
            kind = type(error)
            frames = "".join(traceback.format_tb(error.__traceback__))
            told.append(f"Traceback (most recent call last):\n{frames}{kind.__module__}.{kind.__qualname__}")
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\n\nwhich came of this:\n\n".join(reversed(told))


class Lines(_Careful):
    """One line for people; tracebacks follow below."""

    def __init__(self) -> None:
        super().__init__("%(levelname)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        own = copy(record)
        # Another one may have written the exception down already, with what it says.
        own.exc_text = None
        return without_secrets(super().format(own))


class JsonLines(_Careful):
    """One JSON object a line: `time`, `level`, `logger`, `message`, those of `FIELDS` that there are, `exception`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        told: dict[str, Any] = {
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
                told[name] = value
        if record.exc_info:
            told["exception"] = without_secrets(self.formatException(record.exc_info))
        # In ASCII, so that no sign of a message ends the line for anybody who reads it.
        return json.dumps(told)


def set_up(form: Literal["text", "json"], stream: TextIO | None = None) -> None:
    """Let all that is logged in this process go to a stream, standard error where none is given."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else Lines())
    handler.addFilter(_by_the_gateway)
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)


def access(
    *, agent: str, kind: str, status: int, seconds: float, key: str = "", level: int = logging.INFO
) -> None:
    """Log that a request was answered.

    Args:
        agent: The agent's id, or "".
        kind: What was asked for, such as `jsonrpc`.
        status: The HTTP status.
        seconds: How long it took.
        key: The id of the key that it came with, or "".
        level: How much it matters.
    """
    if not _ACCESS.isEnabledFor(level):
        return
    told = {
        "agent": agent,
        "kind": kind,
        "status": status,
        "duration_ms": round(seconds * 1000, 3),
        "key": key,
    }
    there = {name: value for name, value in told.items() if value != ""}
    _ACCESS.log(level, " ".join(f"{name}=%s" for name in there), *there.values(), extra=there)


def without_secrets(text: str) -> str:
    """Return a text in which keys and tokens are blotted out."""
    return _SECRETS.sub(lambda found: f"{found['shown'] or found['scheme'] or ''}…", text)
