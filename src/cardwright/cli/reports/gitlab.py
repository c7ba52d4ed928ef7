"""The report of `check` as a Code Quality report of GitLab: shown in the merge request."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from cardwright.cli.reports import words
from cardwright.cli.terminal import legible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.cli.check_run import Row

_SEVERITIES: Final = {"error": "major", "warning": "minor"}


def gitlab(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return an object for each violation; its fingerprint stays the same while lines are added above it."""
    seen: Counter[str] = Counter()
    found: list[dict[str, Any]] = []
    for row in rows:
        path = legible(row.source).removeprefix("./")
        for violation in words.by_severity(row):
            place = row.places.get(violation.pointer)
            identity = json.dumps([path, violation.rule, violation.pointer, violation.message])
            seen[identity] += 1
            at = f"{violation.pointer}: " if violation.pointer else ""
            found.append({
                "description": f"{at}{violation.message}",
                "check_name": violation.rule,
                "fingerprint": hashlib.sha256(f"{identity}{seen[identity]}".encode()).hexdigest(),
                "severity": _SEVERITIES[violation.severity],
                "location": {"path": path, "lines": {"begin": place.line if place else 1}},
            })  # fmt: skip
    return found
