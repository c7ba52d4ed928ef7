"""How text leaves a command: in the reader's encoding, without a traceback when the reader has gone."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from importlib import import_module
from io import StringIO
from typing import TYPE_CHECKING, Any, Final, NoReturn, TextIO

import typer

from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Longer lines are hard to follow; where nobody looks, tables are this wide (ours).
MOST_COLUMNS: Final = 120

# Our own signs in plain ASCII; whatever else does not fit is written as an escape.
_ASCII: Final = str.maketrans(
    {"✓": "+", "✗": "x", "…": "...", "·": "-", "§": "section ", "→": "->", "•": "*", "–": "-"}
)  # fmt: skip


def emit(text: str) -> None:
    """Write text to standard output, in its encoding; signs that it lacks become ASCII."""
    encoding = _encoding()
    if not encoding.lower().startswith("utf"):
        text = text.translate(_ASCII)
    _write(text.encode(encoding, "backslashreplace"))


def tell(text: str) -> None:
    """Write text to standard error, as `emit` does; where nobody listens, nobody is told."""
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    if not encoding.lower().startswith("utf"):
        text = text.translate(_ASCII)
    with suppress(OSError):
        typer.echo(text.encode(encoding, "backslashreplace"), err=True, nl=False)


def emit_json(value: Any) -> None:
    """Write a JSON value to standard output, as UTF-8 whatever the terminal says (RFC 8259 §8.1)."""
    _write(json_text(value))


def report(form: str, renderers: Mapping[str, str | Callable[..., Any]], *found: Any) -> None:
    """Print what a command found in one format.

    Args:
        form: The value of `--format`.
        renderers: The function of each format, or its module and name below `cardwright.cli.reports`, which is
            imported only for its format. It returns text or bytes, which are printed as they are, or another value,
            which is printed as JSON. `terminal` returns what rich prints; it replaces `text` where a person looks.
        found: The arguments of the function.
    """
    person = form == "text" and "terminal" in renderers and at_terminal(sys.stdout)
    renderer = renderers["terminal" if person else form]
    if isinstance(renderer, str):
        module, _, name = renderer.partition(":")
        renderer = getattr(import_module(f"cardwright.cli.reports.{module}"), name)
    told = renderer(*found)
    if person:
        render(*told)
    else:
        _print(told)


def _print(told: Any) -> None:
    match told:
        case str():
            emit(told)
        case bytes():
            emit_bytes(told)
        case _:
            emit_json(told)


def json_text(value: Any) -> bytes:
    """Return a JSON value as people read it: indented, with a line end."""
    import orjson

    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def reason_of(error: OSError | ValueError) -> str:
    """Return why a file could not be read or written, to go on with in a sentence."""
    told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"{told[:1].lower()}{told[1:]}"


def emit_bytes(body: bytes) -> None:
    """Write bytes to standard output as they are."""
    _write(body)


def fail(message: str, *, status: int = 2) -> NoReturn:
    """End the command with a message on standard error; a settings file may have several faults, one per line."""
    text = "\n".join(map(escaped, message.split("\n")))
    typer.echo(f"cardwright: {text}".encode("utf-8", "backslashreplace"), err=True)
    raise typer.Exit(status)


def at_terminal(stream: TextIO | None) -> bool:
    """Whether a person is looking: the stream is there and is a terminal."""
    return stream is not None and stream.isatty()


def render(*shown: Any) -> None:
    """Print what rich can render, coloured and wrapped as the terminal allows."""
    emit(rendered(*shown))


def rendered(*shown: Any) -> str:
    """Return what rich can render as text for standard output, coloured and wrapped as the terminal allows."""
    from rich.console import Console

    page = _Page()
    page.encoding = _encoding()
    person = at_terminal(sys.stdout)
    # Card text is data: no markup, no emoji, no guessing at numbers.
    console = Console(file=page, force_terminal=person or None, markup=False, emoji=False, highlight=False)
    console.width = min(console.width, MOST_COLUMNS) if person else MOST_COLUMNS
    console.print(*shown, sep="\n")
    # Cells are padded to their column's width; nobody needs the blanks that end a line.
    return re.sub(r" +$", "", page.getvalue(), flags=re.MULTILINE)


def discard() -> None:
    """Send what is left of standard output nowhere, or the interpreter would complain at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def legible(name: str) -> str:
    """Return a path as text that any encoding can carry: bytes that are no UTF-8 are written out."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


class _Page(StringIO):
    """A page in memory; rich asks it for the encoding and draws in ASCII where it must."""

    encoding = "utf-8"


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "utf-8"


def _write(body: bytes) -> None:
    # None where the caller closed it, whatever the stubs say.
    if sys.stdout is None:
        fail("cannot write to standard output: it is closed")
    try:
        sys.stdout.buffer.write(body)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        discard()
