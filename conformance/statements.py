"""`python -m conformance.statements`: what the project states about others, and which of it is older than 90 days.

Profiles and places of platforms carry the day on which their source was read; the versions of packages are compared with
the newest of the registries that pip and npm use. Exits with 1 if something is old.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from conformance.implementations import ADAPTERS
from conformance.sources import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

OLD: Final = timedelta(days=90)
_PINNED: Final = re.compile(r"^([a-z0-9-]+)(?:\[[^]]*\])?==([0-9][^ \\;]*)", re.MULTILINE)


def read_days() -> Iterator[tuple[str, date]]:
    """Yield (what is stated, the day on which its source was read)."""
    for file in sorted((ROOT / "schemas" / "profiles").glob("*.json")):
        yield f"profile {file.stem}", date.fromisoformat(json.loads(file.read_bytes())["read"])
    for place in json.loads((ROOT / "schemas" / "places.json").read_bytes())["places"]:
        yield f"place {place['name']}", date.fromisoformat(place["read"])
    stated = re.search(r"^Read on (\S+)\.", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    yield "README, the comparison", date.fromisoformat(stated[1] if stated else "2000-01-01")


def packages() -> Iterator[tuple[str, str, str]]:
    """Yield (package, the version that was run, the newest version, or "" if the registry does not answer)."""
    for file in sorted((ADAPTERS / "requirements").glob("*.txt")):
        for name, version in _PINNED.findall(file.read_text("utf-8")):
            if file.stem.startswith(name):
                command = (sys.executable, "-m", "pip", "index", "versions", name)
                found = re.search(r"\(([^)]+)\)", _answer(command))
                yield name, version, found[1] if found else ""
    npm = shutil.which("npm")
    for name, version in json.loads((ADAPTERS / "package.json").read_bytes())["dependencies"].items():
        # The others are what an adapter needs, or an older line beside the newest.
        if "a2a" in name and not version.startswith("npm:"):
            yield name, version, _answer((npm, "view", name, "version")).strip() if npm else ""


def main() -> int:
    """Print each statement with its age, and return whether one is old."""
    today, is_old = datetime.now(UTC).date(), False
    for what, day in read_days():
        is_old |= today - day > OLD
        sys.stdout.write(f"{'OLD' if today - day > OLD else 'ok ':3} {what}: read on {day}\n")
    for name, version, newest in packages():
        note = f"newest {newest}" if newest else "the registry did not answer"
        sys.stdout.write(f"{'ok ' if newest in ('', version) else 'NEW':3} {name} {version}: {note}\n")
    return int(is_old)


def _answer(command: tuple[str, ...]) -> str:
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)  # noqa: S603 - our own
    return ran.stdout if ran.returncode == 0 else ""


if __name__ == "__main__":
    sys.exit(main())
