"""`cardwright check` of 1, 291 and 3,000 files, beside check-jsonschema with the schema of A2A 1.0.

`make conformance-results` installs check-jsonschema. Both commands read the same valid cards, in turns.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import orjson

from benchmarks.documents import distinct
from benchmarks.measure import machine

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT: Final = Path(__file__).parents[1]
PEER: Final = ROOT / ".venv-conformance/check-jsonschema/bin/check-jsonschema"
SCHEMA: Final = ROOT / "generated/cardwright_models/a2a_v1_0/schema.json"
# By number of files: the maximum multiple of the time of check-jsonschema.
BOUNDS: Final = {1: 1.0, 291: 1.0, 3_000: 0.5}
ROUNDS: Final = 5
# Compiled modules are kept, as an installation keeps them.
_ENVIRONMENT: Final = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}


def checking() -> None:
    """Print the table."""
    print("cardwright check (medians, ms; ! over the limit)\n")
    if not PEER.exists():
        print("without check-jsonschema: make conformance-results installs it\n")
    print(f"{'files':>6} {'cardwright':>11} {'check-jsonschema':>17} {'ratio':>6} {'limit':>6}")
    with tempfile.TemporaryDirectory() as name:
        for count, bound in BOUNDS.items():
            folder = Path(name) / str(count)
            folder.mkdir()
            for number, document in enumerate(distinct("a2a-1.0", 3_000, count)):
                (folder / f"{number:04}.card.json").write_bytes(
                    orjson.dumps(document, option=orjson.OPT_INDENT_2)
                )
            _row(folder, count, bound)
    print()


def _row(folder: Path, count: int, bound: float) -> None:
    commands: dict[str, Sequence[str]] = {
        "cardwright": (sys.executable, "-m", "cardwright", "check", "-q", str(folder))
    }
    if PEER.exists():
        files = sorted(map(str, folder.iterdir()))
        commands["peer"] = (str(PEER), "-q", "--schemafile", str(SCHEMA), *files)
    took: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            start = time.perf_counter()
            subprocess.run(command, env=_ENVIRONMENT, stdout=subprocess.DEVNULL, check=True)  # noqa: S603 - fixed commands
            took[name].append((time.perf_counter() - start) * 1_000)
    own = statistics.median(took["cardwright"])
    line = f"{count:6,} {own:11,.0f}"
    if "peer" in took:
        peer = statistics.median(took["peer"])
        line += f" {peer:17,.0f} {own / peer:6.2f} {bound:6.1f}{'!' if own / peer > bound else ''}"
    print(line)


if __name__ == "__main__":
    print(machine(), "\n")
    checking()
