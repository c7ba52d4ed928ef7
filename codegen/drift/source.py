"""Reading a file from outside: text or JSON, or one `DriftError` that says why not."""

import json
from pathlib import Path
from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
"""Any JSON value."""

# The largest published A2A schema is 0.1 MB; ours: room for thirty times that.
MAX_BYTES = 4_000_000


class DriftError(Exception):
    """An input cannot be used; says where, what was seen and how to mend it."""

    def __init__(self, where: str, fault: str, mend: str) -> None:
        """Keep the three parts and build the sentence from them."""
        super().__init__(f"{where}: {fault}; {mend}")
        self.where = where
        self.fault = fault
        self.mend = mend


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file.

    Raises:
        DriftError: missing, unreadable, too large, empty or not text.
    """
    where = str(path)
    try:
        with path.open("rb") as file:
            body = file.read(MAX_BYTES + 1)
    # ValueError: a path with a NUL in it.
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DriftError(where, reason, "name a readable file") from error
    if len(body) > MAX_BYTES:
        mend = "a card's specification is smaller than that"
        raise DriftError(where, f"more than {MAX_BYTES} bytes", mend)
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        fault = f"not UTF-8 text at byte {error.start}"
        raise DriftError(where, fault, "give a .proto or a JSON Schema") from error
    if not text.strip():
        raise DriftError(where, "empty", "give a .proto or a JSON Schema")
    return text


def parse_json(text: str, where: str) -> Json:
    """Return the JSON value in `text`.

    Raises:
        DriftError: not JSON.
    """
    try:
        value: Json = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        fault = f"not JSON at {place} ({error.msg})"
        raise DriftError(where, fault, "give a JSON document") from error
    # Python refuses integers of more than 4300 digits with a bare ValueError.
    except ValueError as error:
        fault = "a number with too many digits"
        raise DriftError(where, fault, "give a JSON Schema") from error
    return value


def compact(value: Json) -> str:
    """Return a JSON value as one line of text with sorted keys."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
