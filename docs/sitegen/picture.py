"""The pictures of the README, as SVG: what `cardwright check` prints for a broken card, and a recording of a repair."""

from __future__ import annotations

import os
import pty
import re
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


# Each frame of the recording fades in, stays, and fades out; readers who want less motion see the last one.
_RECORDING: Final = """\
<svg viewBox="0 0 {width} {height}" role="img" aria-label="{label}" xmlns="http://www.w3.org/2000/svg">
    <style>
    .matrix {{
        font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
        font-size: 20px;
        line-height: 24.4px;
    }}
    .frame {{ opacity: 0; animation: frame {total}s infinite; }}
    @keyframes frame {{ 0%, {shown}% {{ opacity: 1; }} {hidden}%, 100% {{ opacity: 0; }} }}
{delays}
    @media (prefers-reduced-motion: reduce) {{
      .frame {{ animation: none; }}
      .frame:last-of-type {{ opacity: 1; }}
    }}
{styles}
    </style>
    <rect fill="#161b22" stroke="#30363d" x="0.5" y="0.5" width="{inner_width}" height="{inner_height}" rx="8"/>
{frames}
</svg>
"""
_FRAME: Final = "{styles}\0{backgrounds}{matrix}\0{terminal_width}\0{terminal_height}"
_SECONDS: Final = 6
# The commands of the recording; each changes the folder for the next one.
_STEPS: Final = (
    ("cardwright", "check", "agent-card.json"),
    ("cardwright", "fix", "--write", "--unsafe", "agent-card.json"),
    ("cardwright", "check", "agent-card.json"),
    ("cardwright", "convert", "--to", "a2a-1.0", "agent-card.json"),
)


def pictures() -> Iterator[tuple[str, str]]:
    """Yield the path and text of each picture."""
    command = ["cardwright", "check", "agent-card.json"]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(CARD, Path(folder, "agent-card.json"))
        printed = _at_terminal(command, folder)
    yield "check.svg", _svg(f"$ {' '.join(command)}\n{printed}")
    yield "recording.svg", _recording()


def _recording() -> str:
    """Return what the commands of the recording print, one after the other."""
    frames: list[list[str]] = []
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(CARD, Path(folder, "agent-card.json"))
        for index, command in enumerate(_STEPS):
            text = f"$ {' '.join(command)}\n{_at_terminal([*command], folder)}"
            exported = _exported(text, _FRAME, f"step{index}").rstrip("\n")
            # Each line has its own clipping path, which no text reaches.
            frames.append(re.sub(r' clip-path="[^"]*"', "", exported).split("\0"))
    width, height = (max(float(frame[index]) for frame in frames) for index in (2, 3))
    total = _SECONDS * len(frames)
    shown = 100 / len(frames)
    return _RECORDING.format(
        label="cardwright check names the faults of an agent card, fix repairs them, and convert writes it in A2A 1.0",
        width=width + 30,
        height=height + 30,
        inner_width=width + 29,
        inner_height=height + 29,
        total=total,
        shown=f"{shown - 1:.1f}",
        hidden=f"{shown:.1f}",
        delays="\n".join(
            f"    .frame{index} {{ animation-delay: {index * _SECONDS}s; }}" for index in range(len(frames))
        ),
        styles="\n".join(frame[0] for frame in frames),
        frames="\n".join(
            f'    <g class="frame frame{index} matrix" transform="translate(15, 15)">{frame[1]}</g>'
            for index, frame in enumerate(frames)
        ),
    )


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
    if process.wait() > 1:
        raise RuntimeError(f"{' '.join(command)}: {printed.decode()}")
    return printed.decode("utf-8").replace("\r\n", "\n")


def _svg(text: str) -> str:
    return _exported(text, _SVG, "cardwright")


def _exported(text: str, form: str, unique_id: str) -> str:
    console = Console(width=COLUMNS, record=True, file=StringIO(), force_terminal=True, color_system="256")
    console.print(Text.from_ansi(text.rstrip("\n")), soft_wrap=False)
    return console.export_svg(title="", theme=_THEME, code_format=form, unique_id=unique_id) + "\n"
