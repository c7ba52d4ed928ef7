"""`python -m checks.budgets`: print the hand-written lines of each room, and fail if a total is past its budget.

A feature that would pass a budget first makes room: a fact becomes data, two readers become one. The budgets are lowered
when the code shrinks, and never raised.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parent.parent
# Lines of the Python files below a folder, at most.
LINES: Final = {
    "src": 93_900,
    "src/cardwright": 50_576,
    "src/cardwright_gateway": 33_950,
    "src/cardwright_beach": 6_399,
    "src/cardwright_runtime": 3_025,
    # What CI runs beside the tests; it was a part of `tests`.
    "checks": 1_310,
    "tests": 88_900,
}
# Modules of one folder of `src`, at most.
MODULES: Final = 52


def main() -> int:
    """Print the table, and return 1 if something is past its budget."""
    files = (file for folder in ("src", "checks", "tests") for file in (ROOT / folder).rglob("*.py"))
    lines = {file: file.read_bytes().count(b"\n") for file in files if "node_modules" not in file.parts}
    for room, count in sorted(_rooms(lines).items()):
        sys.stdout.write(f"{count:7,}  {room}\n")
    faults = list(_faults(lines))
    sys.stdout.write("".join(f"{fault}\n" for fault in faults))
    return bool(faults)


def _rooms(lines: dict[Path, int]) -> Counter[str]:
    """Return the lines of each folder of a package of `src`, and of each folder of `tests`."""
    rooms: Counter[str] = Counter()
    for file, count in lines.items():
        folders = file.relative_to(ROOT).parts[:-1]
        rooms["/".join(folders[: 3 if folders[0] == "src" else 2])] += count
    return rooms


def _faults(lines: dict[Path, int]) -> Iterator[str]:
    for folder, most in LINES.items():
        count = sum(number for file, number in lines.items() if file.is_relative_to(ROOT / folder))
        sys.stdout.write(f"{count:7,}  {folder} in all, at most {most:,}\n")
        if count > most:
            yield f"{folder} has {count:,} lines and may have {most:,}: make room before you add"
    modules = Counter(file.parent for file in lines if file.is_relative_to(ROOT / "src"))
    for place, number in modules.items():
        if number > MODULES:
            yield f"{place.relative_to(ROOT)} has {number} modules and may have {MODULES}: divide it by nouns"


if __name__ == "__main__":
    sys.exit(main())
