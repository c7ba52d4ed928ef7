"""Lines of the access log, in which nothing that a client sent can start a new line or control a terminal."""

from __future__ import annotations

import logging
from copy import copy
from typing import Any, Final
from urllib.parse import quote

# What a path may contain as it is (RFC 3986 §3.3); all other characters are percent-encoded, a quotation mark, too.
_PLAIN: Final = "/:@!$&'()*+,;=~-._"


class AccessLine(logging.Formatter):
    """Formatter of the access log: the path as in a URL.

    Granian decodes the path, so `%0d%0a` is a line break in the field of the log record, and `%1b` starts a control
    sequence of the terminal that shows the log.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with the path percent-encoded."""
        if isinstance(record.args, dict) and "path" in record.args:
            path = str(record.args["path"]).encode("utf-8", "surrogatepass")
            record = copy(record)
            record.args = {**record.args, "path": quote(path, safe=_PLAIN)}  # type: ignore[dict-item] # narrowed above
        return super().format(record)


def log_settings() -> dict[str, Any]:
    """Return the formatters for Granian's logging, with this one for the access log.

    The class is given by its name, so that the settings can be pickled.
    """
    from granian.log import LOGGING_CONFIG

    formatters: dict[str, Any] = dict(LOGGING_CONFIG["formatters"])  # type: ignore[call-overload] # granian types it as object
    name = f"{AccessLine.__module__}.{AccessLine.__qualname__}"
    return {"formatters": {**formatters, "access": {**formatters["access"], "()": name}}}
