"""The steps of a run and their results, and the parts of messages; standard library only: other environments import it.

To see what becomes of parts, a client sends the name of a part and the part. The agent replies with a JSON text of what it
read, and the part as it is in `PARTS`.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

YES: Final = "yes"
# The client or the server has no such feature; the code of the row says why.
ABSENT: Final = "–"
SECONDS: Final = 20.0
_LENGTH: Final = 160
# Parts that differ from run to run.
_CHANGING: Final = (
    (re.compile(r"(127\.0\.0\.1|localhost):\d+"), r"\1"),
    (re.compile(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}|0x[0-9a-f]+"), "…"),
    (re.compile(r"\s+"), " "),
)


Content = tuple[str, Any]
# The kind and the value of each part; files are bytes here, and hexadecimal digits as JSON.
PARTS: Final[dict[str, Content]] = {
    one["name"]: (one["kind"], bytes.fromhex(one["value"]) if one["kind"] == "raw" else one["value"])
    for one in json.loads((Path(__file__).parent / "parts.json").read_bytes())
}


class Steps:
    """The results of the steps by feature.

    Attributes:
        cells: `YES`, `no: reason` or `ABSENT` by feature.
    """

    def __init__(self) -> None:
        self.cells: dict[str, str] = {}

    async def run(self, feature: str, step: Callable[[], Awaitable[Any]], seconds: float = SECONDS) -> None:
        """Run one step; its result is `yes` unless it raises or takes too long."""
        try:
            await asyncio.wait_for(step(), seconds)
        except Exception as error:  # noqa: BLE001 - the error is the result
            self.cells[feature] = no(error)
        else:
            self.cells[feature] = YES

    def absent(self, *features: str) -> None:
        """Note features that the SDK does not have."""
        self.cells.update(dict.fromkeys(features, ABSENT))


def no(error: BaseException) -> str:
    """Return the result for an error: its name and the start of its text."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    kind = "" if isinstance(error, AssertionError) else type(error).__name__
    return "no: " + short(": ".join(filter(None, (kind, str(error)))) or type(error).__name__)


def short(text: str) -> str:
    """Return one line of a text, without what changes from run to run."""
    for pattern, replacement in _CHANGING:
        text = pattern.sub(replacement, text)
    text = text.replace("|", "/").replace("`", "'").strip()
    return text if len(text) <= _LENGTH else text[: _LENGTH - 1] + "…"


def expect(seen: Any, wanted: Any) -> None:
    """Fail unless a value is the wanted one.

    Raises:
        AssertionError: With both values.
    """
    if seen != wanted:
        raise AssertionError(f"{wanted!r} expected, {seen!r} found")


def settings_from_stdin() -> dict[str, Any]:
    """Return the settings of this run: a JSON object on standard input."""
    given: dict[str, Any] = json.load(sys.stdin)
    return given


def report(version: str, cells: Any) -> None:
    """Print the version of the SDK and the results."""
    sys.stdout.write(json.dumps({"version": version, "cells": cells}))


def reply(contents: Sequence[Content]) -> list[Content]:
    """Return the reply of an agent to the name of a part and the part."""
    (_, name), *others = contents
    return [("text", json.dumps(as_json(others))), PARTS[name]]


def as_json(contents: Sequence[Content]) -> list[list[Any]]:
    """Return parts as JSON."""
    return [[kind, value.hex() if kind == "raw" else value] for kind, value in contents]


async def send_each(send: Callable[[Sequence[Content]], Awaitable[Sequence[Content]]]) -> dict[str, Any]:
    """Send each part; return what the agent read and what the client read, or the error."""
    found: dict[str, Any] = {}
    for name, part in PARTS.items():
        try:
            (_, text), *back = await asyncio.wait_for(send([("text", name), part]), SECONDS)
            assert text.startswith("["), text
            found[name] = {"sent": json.loads(text), "read": as_json(back)}
        except Exception as error:  # noqa: BLE001 - the error is the result
            found[name] = {"error": no(error).removeprefix("no: ")}
    return found
