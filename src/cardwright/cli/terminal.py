"""Output of commands: text in the terminal's encoding, JSON, bytes, and errors; a closed pipe causes no traceback."""

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

# Longer lines are hard to read; also the width of tables in a pipe (project decision).
MAX_COLUMNS: Final = 120

# ASCII replacements of symbols in messages; any other character that the encoding lacks is escaped.
_ASCII: Final = str.maketrans(
    {"✓": "+", "✗": "x", "…": "...", "·": "-", "§": "section ", "→": "->", "•": "*", "–": "-"}
)  # fmt: skip


# Characters that JSON allows in a string and that change what a terminal shows: DEL and C1 controls (U+009B begins a
# control sequence), marks and overrides of the text direction, line and paragraph separators, and tag characters.
_UNSAFE: Final = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f]")


def emit(text: str) -> None:
    """Write text to standard output in its encoding; symbols that the encoding lacks become ASCII."""
    encoding = _encoding()
    if not encoding.lower().startswith("utf"):
        text = text.translate(_ASCII)
    _write(text.encode(encoding, "backslashreplace"))


def emit_stderr(text: str) -> None:
    """Write text to standard error in its encoding; ignore a failure to write."""
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    if not encoding.lower().startswith("utf"):
        text = text.translate(_ASCII)
    with suppress(OSError):
        typer.echo(text.encode(encoding, "backslashreplace"), err=True, nl=False)


def emit_json(value: Any) -> None:
    """Write a JSON value to standard output, in UTF-8 for any terminal (RFC 8259 §8.1), as `emit_document` does."""
    emit_document(json_text(value))


def emit_document(body: bytes) -> None:
    r"""Write a JSON text to standard output; characters that change what a terminal shows are escaped, as `\u009b`.

    Its meaning stays the same. Pipes get the same bytes, because what reads them may print them, such as a CI log.
    """
    _write(escaped_json(body))


def escaped_json(body: bytes) -> bytes:
    """Return a JSON text in which characters that change what a terminal shows are escaped (RFC 8259 §7)."""
    if is_safe(body):
        return body
    return _UNSAFE.sub(lambda match: _json_escape(match[0]), body.decode("utf-8")).encode("utf-8")


def is_safe(body: bytes) -> bool:
    """Return whether a UTF-8 text has no character that `escaped_json` would escape."""
    return not _UNSAFE.search(body.decode("utf-8"))


def _json_escape(character: str) -> str:
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def report(form: str, renderers: Mapping[str, str | Callable[..., Any]], *results: Any) -> None:
    """Print the results of a command in one format.

    Args:
        form: The value of `--format`.
        renderers: The function of each format, or "module:function" in `cardwright.cli.reports`, imported only when
            needed. It returns text or bytes, which are printed unchanged, or another value, which is printed as JSON.
            `terminal` returns rich renderables; it replaces `text` if standard output is a terminal.
        results: The arguments of the function.
    """
    if form == "text" and "terminal" in renderers and at_terminal(sys.stdout):
        render(*_renderer(renderers["terminal"])(*results))
        return
    made = _renderer(renderers[form])(*results)
    if isinstance(made, str):
        emit(made)
    else:
        emit_bytes(_bytes(made))


def report_bytes(form: str, renderers: Mapping[str, str | Callable[..., Any]], *results: Any) -> bytes:
    """Return what `report` prints into a pipe, in UTF-8."""
    return _bytes(_renderer(renderers[form])(*results))


def _renderer(renderer: str | Callable[..., Any]) -> Callable[..., Any]:
    if not isinstance(renderer, str):
        return renderer
    module, _, name = renderer.partition(":")
    found: Callable[..., Any] = getattr(import_module(f"cardwright.cli.reports.{module}"), name)
    return found


def _bytes(made: Any) -> bytes:
    match made:
        case str():
            return made.encode("utf-8", "backslashreplace")
        case bytes():
            return made
        case _:
            return escaped_json(json_text(made))


def json_text(value: Any) -> bytes:
    """Return an indented JSON text with a line end."""
    import orjson

    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def reason_of(error: OSError | ValueError) -> str:
    """Return why a file could not be read or written, to be used inside a sentence."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"{reason[:1].lower()}{reason[1:]}"


def emit_bytes(body: bytes) -> None:
    """Write bytes to standard output."""
    _write(body)


def fail(message: str, *, status: int = 2) -> NoReturn:
    """End the command with a message on standard error; a settings file may have several faults, one per line."""
    text = "\n".join(map(escaped, message.split("\n")))
    typer.echo(f"cardwright: {text}".encode("utf-8", "backslashreplace"), err=True)
    raise typer.Exit(status)


def at_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is open and a terminal."""
    return stream is not None and stream.isatty()


def render(*renderables: Any) -> None:
    """Print rich renderables, with the colours and the width that the terminal supports."""
    emit(rendered(*renderables))


def rendered(*renderables: Any) -> str:
    """Return rich renderables as text, with the colours and the width that the terminal supports."""
    from rich.console import Console

    page = _Page()
    page.encoding = _encoding()
    interactive = at_terminal(sys.stdout)
    # Card text is data: interpret no markup or emoji, highlight nothing.
    console = Console(
        file=page, force_terminal=interactive or None, markup=False, emoji=False, highlight=False
    )
    # In a file, a wider COLUMNS is kept: what is wrapped cannot be searched by line.
    console.width = (min if interactive else max)(console.width, MAX_COLUMNS)
    console.print(*renderables, sep="\n")
    # rich pads cells to the width of their column; remove the spaces at line ends.
    return re.sub(r" +$", "", page.getvalue(), flags=re.MULTILINE)


def discard() -> None:
    """Redirect standard output to the null device; otherwise the interpreter reports an error at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def legible(name: str) -> str:
    """Return a path as text that any encoding can hold; bytes that are not UTF-8 are escaped."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


class _Page(StringIO):
    """A text buffer with an encoding, from which rich decides whether to draw in ASCII."""

    encoding = "utf-8"


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "utf-8"


def _write(body: bytes) -> None:
    # None if the parent process closed it; the type stubs do not know that.
    if sys.stdout is None:
        fail("cannot write to standard output: it is closed")
    try:
        sys.stdout.buffer.write(body)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        discard()
