"""Known deliberate differences, as data: `drift.json` beside a dialect's schema.

A list of `{"at", "what", "upstream", "local", "why"}`; the first four must equal a
row exactly. `at` may be a list if one reason applies to several places.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from codegen.drift.compare import Row
from codegen.drift.source import DriftError, Json, parse_json, read_text

KEYS = ("at", "what", "upstream", "local", "why")


@dataclass(frozen=True, slots=True)
class Explained:
    """Rows without a reason, rows with their reason, and explanations that match no row."""

    unexplained: tuple[Row, ...]
    explained: tuple[tuple[Row, str], ...]
    stale: tuple[Row, ...]


def read_explanations(path: Path) -> dict[Row, str]:
    """Return the reason for each explained row; empty if there is no such file.

    Raises:
        DriftError: If the file is not a list of explanations, or explains a row twice.
    """
    if not path.exists():
        return {}
    entries = parse_json(read_text(path), str(path))
    if not isinstance(entries, list):
        fault = "not a list of explanations"
        raise DriftError(str(path), fault, f"write entries with {', '.join(KEYS)}")
    reasons: dict[Row, str] = {}
    for number, entry in enumerate(entries):
        where = f"{path}#/{number}"
        for row, why in _rows(entry, where):
            if row in reasons:
                fault = f"{row.at} {row.what} is explained twice"
                raise DriftError(where, fault, "remove one of the two")
            reasons[row] = why
    return reasons


def _rows(entry: Json, where: str) -> list[tuple[Row, str]]:
    fields = entry if isinstance(entry, dict) else {}
    places = fields.get("at")
    entries = places if isinstance(places, list) else [places]
    texts = [fields.get(key) for key in KEYS[1:]]
    plain = [text for text in [*entries, *texts] if isinstance(text, str) and text]
    if not entries or len(plain) < len(entries) + len(texts) or fields.keys() - KEYS:
        fault = "not an explanation"
        raise DriftError(where, fault, f"write exactly {', '.join(KEYS)}, each as text")
    what, upstream, local, why = plain[len(entries) :]
    return [(Row(at, what, upstream, local), why) for at in plain[: len(entries)]]


def explain(rows: Iterable[Row], reasons: dict[Row, str]) -> Explained:
    """Separate rows with an explanation from rows without one, and find explanations that match no row."""
    all_rows = list(rows)
    return Explained(
        unexplained=tuple(row for row in all_rows if row not in reasons),
        explained=tuple((row, reasons[row]) for row in all_rows if row in reasons),
        stale=tuple(row for row in reasons if row not in all_rows),
    )
