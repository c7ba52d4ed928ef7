"""The picture of the README: what `cardwright check` prints for a broken card, as SVG."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

CARD: Final = Path(__file__).with_name("tides.json")
COLUMNS: Final = 92
_THEME: Final = TerminalTheme(
    (22, 27, 34),
    (230, 237, 243),
    [(72, 79, 88), (255, 123, 114), (63, 185, 80), (210, 153, 34), (88, 166, 255), (188, 140, 255), (57, 197, 207), (177, 186, 196)],
    [(110, 118, 129), (255, 161, 152), (86, 211, 100), (227, 179, 65), (121, 192, 255), (210, 168, 255), (86, 212, 221), (240, 246, 252)],
)  # fmt: skip
# rich's own drawing without its fonts, which it would load from elsewhere, and without window buttons.
_SVG: Final = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" role="img" aria-label="cardwright check, run on a broken agent card" xmlns="http://www.w3.org/2000/svg">
    <style>
    .{unique_id}-matrix {{
        font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
        font-size: {char_height}px;
        line-height: {line_height}px;
    }}
    {styles}
    </style>
    <defs>
    <clipPath id="{unique_id}-clip-terminal">
      <rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
    </clipPath>
    {lines}
    </defs>
    <rect fill="#161b22" stroke="#30363d" x="0.5" y="0.5" width="{width}" height="{height}" rx="8"/>
    <g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
    {backgrounds}
    <g class="{unique_id}-matrix">
    {matrix}
    </g>
    </g>
</svg>
"""


def pictures() -> Iterator[tuple[str, str]]:
    """Yield the path and text of the picture."""
    command = ["cardwright", "check", "agent-card.json"]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(CARD, Path(folder, "agent-card.json"))
        printed = _at_terminal(command, folder)
    yield "check.svg", _svg(f"$ {' '.join(command)}\n{printed}")


def _at_terminal(command: list[str], folder: str) -> str:
    """Return what a command prints to a terminal, colours and all."""
    terminal, other_end = pty.openpty()
    path = Path(sys.executable).parent / command[0]
    environment = {
        **os.environ, "COLUMNS": str(COLUMNS), "LINES": "60", "TERM": "xterm-256color", "COLORTERM": "", "LC_ALL": "C.UTF-8",
    }  # fmt: skip
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(  # noqa: S603 - our own command
        [str(path), *command[1:]],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=other_end,
        stderr=other_end,
    )
    os.close(other_end)
    printed = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # Linux reports the end of a terminal as an error
            break
        if not part:
            break
        printed += part
    os.close(terminal)
    process.wait()
    return printed.decode("utf-8").replace("\r\n", "\n")


def _svg(text: str) -> str:
    console = Console(width=COLUMNS, record=True, file=StringIO(), force_terminal=True, color_system="256")
    console.print(Text.from_ansi(text.rstrip("\n")), soft_wrap=False)
    return console.export_svg(title="", theme=_THEME, code_format=_SVG, unique_id="cardwright") + "\n"
