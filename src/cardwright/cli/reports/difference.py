"""A comparison as JSON, whose shape is a contract, as lines for a pipe, and the words of all reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.cli.reports.words import counted
from cardwright_runtime.violation import clipped, escaped, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.card import Card
    from cardwright.difference import Change, Comparison, Declared

# What a person knows an object by, best first.
_LABELS: Final = ("id", "uri", "name", "url", "endpoint")
_SHOWN_ITEMS: Final = 3


@dataclass(frozen=True, slots=True)
class Compared:
    """Two cards, the paths they were read from, and what changed between them."""

    old_source: str
    new_source: str
    old: Card
    new: Card
    comparison: Comparison


def contract(compared: Compared) -> dict[str, Any]:
    """Return the JSON that programs read: fields are added to it, never changed."""
    comparison = compared.comparison
    return {
        "bump": comparison.bump,
        "declared": {
            part: None if one is None else {"from": one.before, "to": one.after, "bump": one.bump}
            for part, one in comparison.declared.items()
        },
        "sufficient": comparison.sufficient,
        "changes": [change.to_json() for change in comparison.changes],
    }


def piped(compared: Compared) -> str:
    """Return the report for a pipe or a log: a line a change, a line a version, the bump last."""
    return "\n".join([*_lines(compared), ""])


def _lines(compared: Compared) -> Iterator[str]:
    yield from notes(compared)
    for change in compared.comparison.changes:
        yield f"{change.severity}: {place_of(change)}: {values_of(change)}: {change.why} [{change.kind}]"
    for part, one in compared.comparison.declared.items():
        if one is not None:
            verdict = "sufficient" if one.sufficient else "not sufficient"
            yield f"{part} version: {versions_of(one)}: {verdict_of(one)}: {verdict}"
    yield totals(compared.comparison)


def notes(compared: Compared) -> Iterator[str]:
    """Yield what there is to know of the cards before their comparison is believed."""
    for source, card in ((compared.old_source, compared.old), (compared.new_source, compared.new)):
        if card.errors:
            yield f"{escaped(source)} has {counted(len(card.errors), 'error')}: compared as far as it can be read"


def place_of(change: Change) -> str:
    """Return where a change is, as a person may see it."""
    return clipped(change.pointer) or "(root)"


def values_of(change: Change) -> str:
    """Return what came, what is gone, or what became what; never more than a short quote."""
    if change.before is None:
        return f"+ {label(change.after)}"
    if change.after is None:
        return f"- {label(change.before)}"
    return f"{label(change.before)} → {label(change.after)}"


def label(value: Any) -> str:
    """Return a value in few words: an object by its name, an array by its first items.

    >>> label({"id": "tide", "name": "Tell the tide"}), label(["a", "b", "c", "d"])
    ('"tide"', '["a", "b", "c", …]')
    """
    match value:
        case dict():
            named = next((value[name] for name in _LABELS if isinstance(value.get(name), str)), None)
            return quote(value if named is None else named)
        case list() if value:
            items = [
                label(item) if not isinstance(item, list) else quote(item) for item in value[:_SHOWN_ITEMS]
            ]
            return f"[{', '.join(items + ['…'] * (len(value) > _SHOWN_ITEMS))}]"
        case _:
            return quote(value)


def versions_of(one: Declared) -> str:
    """Return what the cards declare of a version."""
    before, after = ("none" if side is None else quote(side) for side in (one.before, one.after))
    return f"{before} → {after}"


def verdict_of(one: Declared) -> str:
    """Return what a version declares, what it has to, and what is odd about it."""
    note = f" ({one.note})" if one.note else ""
    return f"declares {one.bump}, needs {one.required}{note}"


def totals(comparison: Comparison) -> str:
    """Return the closing line: the bump demanded, and by how many changes."""
    counts = [
        (sum(change.severity == severity for change in comparison.changes), word)
        for severity, word in (("major", "breaking"), ("minor", "compatible"), ("patch", "cosmetic"))
    ]
    told = ", ".join(f"{count:,} {word}" for count, word in counts if count)
    return f"bump: {comparison.bump} ({told or 'no change'})"
