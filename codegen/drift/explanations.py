"""Known deliberate differences, as data: `drift.json` beside a dialect's schema.

A list of `{"at", "what", "upstream", "ours", "why"}`; the first four must equal a
row exactly. `at` may be a list where one reason holds in several places.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from codegen.drift.compare import Row
from codegen.drift.source import DriftError, Json, parse_json, read_text

KEYS = ("at", "what", "upstream", "ours", "why")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Rows without a reason, rows with theirs, and reasons without a row."""

    unexplained: tuple[Row, ...]
    explained: tuple[tuple[Row, str], ...]
    stale: tuple[Row, ...]


def read_explanations(path: Path) -> dict[Row, str]:
    """Return the reason for each explained row; none if there is no such file.

    Raises:
        DriftError: the file is not such a list, or explains a row twice.
    """
    if not path.exists():
        return {}
    listed = parse_json(read_text(path), str(path))
    if not isinstance(listed, list):
        fault = "not a list of explanations"
        raise DriftError(str(path), fault, f"write entries with {', '.join(KEYS)}")
    reasons: dict[Row, str] = {}
    for number, entry in enumerate(listed):
        where = f"{path}#/{number}"
        for row, why in _rows(entry, where):
            if row in reasons:
                fault = f"{row.at} {row.what} is explained twice"
                raise DriftError(where, fault, "keep one of the two")
            reasons[row] = why
    return reasons


def _rows(entry: Json, where: str) -> list[tuple[Row, str]]:
    given = entry if isinstance(entry, dict) else {}
    places = given.get("at")
    listed = places if isinstance(places, list) else [places]
    texts = [given.get(key) for key in KEYS[1:]]
    plain = [text for text in [*listed, *texts] if isinstance(text, str) and text]
    if not listed or len(plain) < len(listed) + len(texts) or given.keys() - KEYS:
        fault = "not an explanation"
        raise DriftError(where, fault, f"give exactly {', '.join(KEYS)}, each a text")
    what, upstream, ours, why = plain[len(listed) :]
    return [(Row(at, what, upstream, ours), why) for at in plain[: len(listed)]]


def judge(rows: Iterable[Row], reasons: dict[Row, str]) -> Verdict:
    """Sort rows into explained and not, and find explanations without a row."""
    found = list(rows)
    return Verdict(
        unexplained=tuple(row for row in found if row not in reasons),
        explained=tuple((row, reasons[row]) for row in found if row in reasons),
        stale=tuple(row for row in reasons if row not in found),
    )
