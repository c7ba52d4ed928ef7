"""The reports of `diff` as JSON, whose shape is a contract, and as text, and the words of all its reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.cli.reports.words import counted, doubt_of
from cardwright.conversion.report import certainty
from cardwright_runtime.violation import clipped, escaped, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.card import Document
    from cardwright.difference import Change, Comparison, Declared

# The fields that identify an object for people, best first.
_LABELS: Final = ("id", "identifier", "uri", "name", "url", "endpoint")
_MAX_ITEMS: Final = 3


@dataclass(frozen=True, slots=True)
class Compared:
    """Two cards, the paths they were read from, and what changed between them."""

    old_source: str
    new_source: str
    old: Document
    new: Document
    comparison: Comparison


def contract(compared: Compared) -> dict[str, Any]:
    """Return the JSON report: fields are added to it, never changed."""
    comparison = compared.comparison
    return {
        "old": _dialect(compared.old),
        "new": _dialect(compared.new),
        "bump": comparison.bump,
        "declared": {
            part: None
            if declared is None
            else {"from": declared.before, "to": declared.after, "bump": declared.bump}
            for part, declared in comparison.declared.items()
        },
        "sufficient": comparison.sufficient,
        "changes": [change.to_json() for change in comparison.changes],
    }


def _dialect(card: Document) -> dict[str, Any]:
    return {"dialect": str(card.dialect), **certainty(card.detection)}


def piped(compared: Compared) -> str:
    """Return the text report: one line per change and per version, then the bump."""
    return "\n".join([*_lines(compared), ""])


def _lines(compared: Compared) -> Iterator[str]:
    yield from notes(compared)
    for change in compared.comparison.changes:
        yield f"{change.severity}: {place_of(change)}: {values_of(change)}: {change.why} [{change.kind}]"
    for part, declared in compared.comparison.declared.items():
        if declared is not None:
            outcome = "sufficient" if declared.sufficient else "not sufficient"
            yield f"{part} version: {versions_of(declared)}: {bumps_of(declared)}: {outcome}"
    yield totals(compared.comparison)


def notes(compared: Compared) -> Iterator[str]:
    """Yield a note for each card of an uncertain dialect or with errors: the comparison is less reliable."""
    for source, card in ((compared.old_source, compared.old), (compared.new_source, compared.new)):
        if doubt := doubt_of(card.detection):
            yield f"{escaped(source)} is compared as {card.dialect}, not sure: {doubt}"
        if card.errors:
            yield f"{escaped(source)} has {counted(len(card.errors), 'error')}: only its readable parts were compared"


def place_of(change: Change) -> str:
    """Return the pointer of a change, escaped for output."""
    return clipped(change.pointer) or "(root)"


def values_of(change: Change) -> str:
    """Return the added, the removed, or the old and new value, each as a short quote."""
    if change.before is None:
        return f"+ {label(change.after)}"
    if change.after is None:
        return f"- {label(change.before)}"
    return f"{label(change.before)} → {label(change.after)}"


def label(value: Any) -> str:
    """Return a value in short: an object by its name, an array by its first items.

    >>> label({"id": "tide", "name": "Tell the tide"}), label(["a", "b", "c", "d"])
    ('"tide"', '["a", "b", "c", …]')
    """
    match value:
        case dict():
            named = next((value[name] for name in _LABELS if isinstance(value.get(name), str)), None)
            return quote(value if named is None else named)
        case list() if value:
            items = [
                label(item) if not isinstance(item, list) else quote(item) for item in value[:_MAX_ITEMS]
            ]
            return f"[{', '.join(items + ['…'] * (len(value) > _MAX_ITEMS))}]"
        case _:
            return quote(value)


def versions_of(declared: Declared) -> str:
    """Return the old and the new version."""
    before, after = ("none" if side is None else quote(side) for side in (declared.before, declared.after))
    return f"{before} → {after}"


def bumps_of(declared: Declared) -> str:
    """Return the declared bump, the required bump, and a note if there is one."""
    note = f" ({declared.note})" if declared.note else ""
    return f"declares {declared.bump}, needs {declared.required}{note}"


def totals(comparison: Comparison) -> str:
    """Return the summary line: the required bump and the number of changes."""
    counts = [
        (sum(change.severity == severity for change in comparison.changes), word)
        for severity, word in (("major", "breaking"), ("minor", "compatible"), ("patch", "cosmetic"))
    ]
    counted_changes = ", ".join(f"{count:,} {word}" for count, word in counts if count)
    return f"bump: {comparison.bump} ({counted_changes or 'no change'})"
