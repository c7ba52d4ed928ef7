"""Reading of input files as text or JSON; every failure is a `DriftError`."""

import json
from pathlib import Path
from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
"""Any JSON value."""

# Project decision: the largest published A2A schema has 0.1 MB.
MAX_BYTES = 4_000_000


class DriftError(Exception):
    """An input cannot be used: the place, the fault and how to fix it."""

    def __init__(self, where: str, fault: str, advice: str) -> None:
        """Store the three parts and build the message from them."""
        super().__init__(f"{where}: {fault}; {advice}")
        self.where = where
        self.fault = fault
        self.advice = advice


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file.

    Raises:
        DriftError: If the file is missing, unreadable, too large, empty or not text.
    """
    where = str(path)
    try:
        with path.open("rb") as file:
            body = file.read(MAX_BYTES + 1)
    # ValueError: a path with a NUL in it.
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DriftError(where, reason, "use a readable file") from error
    if len(body) > MAX_BYTES:
        advice = "use the specification of a card, which is smaller"
        raise DriftError(where, f"more than {MAX_BYTES} bytes", advice)
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        fault = f"not UTF-8 text at byte {error.start}"
        raise DriftError(where, fault, "use a .proto or a JSON Schema") from error
    if not text.strip():
        raise DriftError(where, "empty file", "use a .proto or a JSON Schema")
    return text


def parse_json(text: str, where: str) -> Json:
    """Return the JSON value in `text`.

    Raises:
        DriftError: If the text is not JSON.
    """
    try:
        value: Json = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        fault = f"not JSON at {place} ({error.msg})"
        raise DriftError(where, fault, "use a JSON document") from error
    # Python refuses integers of more than 4300 digits with a bare ValueError.
    except ValueError as error:
        fault = "a number has too many digits"
        raise DriftError(where, fault, "use a JSON Schema") from error
    return value


def compact(value: Json) -> str:
    """Return a JSON value as one line of text with sorted keys."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
