"""The start of programs, interleaved: imports, `cardwright check` of one card, and pytest with and without the plugin."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLE = Path(__file__).parents[1] / "examples/a2a-1.0.card.json"
ROUNDS = 15
_TEST = "def test_nothing():\n    pass\n"
_PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
# pytest loads no plugin but the one that is named, and modules are compiled once.
_ENVIRONMENT = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": ""}


def starting() -> None:
    """Print the medians."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "test_nothing.py").write_text(_TEST, encoding="utf-8")
        commands = {
            "python -c pass": (sys.executable, "-c", "pass"),
            "import Card": (sys.executable, "-c", "from cardwright import Card"),
            "import a2a.client": (sys.executable, "-c", "import a2a.client"),
            "import typer, pydantic": (sys.executable, "-c", "import typer, pydantic"),
            "cardwright check CARD": (sys.executable, "-m", "cardwright", "check", str(EXAMPLE)),
            "pytest, without the plugin": _PYTEST,
            "pytest, plugin not used": (*_PYTEST, "-p", "cardwright.pytest_plugin"),
        }
        seconds: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                start = time.perf_counter()
                subprocess.run(command, cwd=folder, env=_ENVIRONMENT, stdout=subprocess.DEVNULL, check=True)  # noqa: S603 - fixed commands
                seconds[name].append((time.perf_counter() - start) * 1000)
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    print("Start of programs, with that of the interpreter (medians, ms)\n")
    for name, value in medians.items():
        print(f"{name:28} {value:8.1f}")
    blank = medians["python -c pass"]
    ratio = (medians["import Card"] - blank) / (medians["import a2a.client"] - blank)
    print(f"import Card / a2a.client {ratio:6.3f}   limit 0.2")
    print(f"check of one card {medians['cardwright check CARD']:8.1f}   limit 200")
    added = medians["pytest, plugin not used"] - medians["pytest, without the plugin"]
    print(f"added by the plugin {added:6.1f}   limit 5\n")
