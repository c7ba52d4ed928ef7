"""How text leaves a command: in the reader's encoding, without a traceback when the reader has gone."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any, Final, NoReturn, TextIO

import typer
from cardwright_models.violation import escaped

if TYPE_CHECKING:
    from rich.console import Console

# Longer lines are hard to follow; where nobody looks, tables are this wide (ours).
MOST_COLUMNS: Final = 120

# Our own signs in plain ASCII; whatever else does not fit is written as an escape.
_ASCII: Final = str.maketrans(
    {"✓": "+", "✗": "x", "…": "...", "·": "-", "§": "section ", "→": "->", "•": "*"}
)  # fmt: skip


def emit(text: str) -> None:
    """Write text to standard output, in its encoding; signs that it lacks become ASCII."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if not encoding.lower().startswith("utf"):
        text = text.translate(_ASCII)
    _write(text.encode(encoding, "backslashreplace"))


def emit_json(value: Any) -> None:
    """Write a JSON value to standard output, as UTF-8 whatever the terminal says (RFC 8259 §8.1)."""
    import orjson  # noqa: PLC0415 - text needs none

    _write(orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def emit_bytes(body: bytes) -> None:
    """Write bytes to standard output as they are."""
    _write(body)


def fail(message: str, *, status: int = 2) -> NoReturn:
    """End the command with one line on standard error."""
    typer.echo(f"cardwright: {escaped(message)}".encode("utf-8", "backslashreplace"), err=True)
    raise typer.Exit(status)


def at_terminal(stream: TextIO | None) -> bool:
    """Whether a person is looking: the stream is there and is a terminal."""
    return stream is not None and stream.isatty()


def render(*shown: Any) -> None:
    """Print what rich can render, coloured and wrapped as the terminal allows."""
    console = new_console()
    with console.capture() as captured:
        console.print(*shown, sep="\n")
    # Cells are padded to their column's width; nobody needs the blanks that end a line.
    emit(re.sub(r" +$", "", captured.get(), flags=re.MULTILINE))


def new_console(*, error: bool = False) -> Console:
    """Return a console that takes text literally: no markup, no emoji, no guessing at numbers."""
    from rich.console import Console  # noqa: PLC0415 - a tenth of a second, only where it is used

    console = Console(stderr=error, markup=False, emoji=False, highlight=False)
    console.width = min(console.width, MOST_COLUMNS) if at_terminal(sys.stdout) else MOST_COLUMNS
    return console


def legible(name: str) -> str:
    """Return a path as text that any encoding can carry: bytes that are no UTF-8 are written out."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _write(body: bytes) -> None:
    try:
        sys.stdout.buffer.write(body)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _discard()
    except (OSError, AttributeError) as error:
        _discard()
        fail(f"cannot write to standard output: {getattr(error, 'strerror', None) or 'it is closed'}")


def _discard() -> None:
    """Send the rest nowhere, or the interpreter would complain when it flushes at its end."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
