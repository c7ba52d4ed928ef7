"""The steps of a run and their results; standard library only, since other environments import it."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

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


def report(version: str, steps: Steps) -> None:
    """Print the version of the SDK and the results."""
    sys.stdout.write(json.dumps({"version": version, "cells": steps.cells}))
