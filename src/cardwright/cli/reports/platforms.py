"""The reports of `check --for`: lines for one card or platform, a table for several of both, and JSON, a contract."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from cardwright.profiles import profiles
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.cli.platform_check import PlatformRow

_YES: Final = "✓"
_NO: Final = "✗"
# No source states what the platform takes.
_OPEN: Final = "?"


def contract(rows: Sequence[PlatformRow], names: Sequence[str]) -> dict[str, Any]:
    """Return the JSON report: fields are added to it, never changed."""
    known = profiles()
    return {
        "results": [
            {
                "source": row.source,
                "reason": row.reason,
                "platforms": None
                if row.objections is None
                else {
                    name: {
                        "accepted": not row.objections[name] if known[name].is_known else None,
                        "objections": [asdict(one) for one in row.objections[name]],
                    }
                    for name in names
                },
            }
            for row in rows
        ],
        "platforms": {
            name: {"title": known[name].title, "unknown": list(known[name].unknown), "read": known[name].read}
            for name in names
        },
    }


def text(rows: Sequence[PlatformRow], names: Sequence[str]) -> str:
    """Return the text report: the reasons, unless several cards are checked for several platforms."""
    if len(rows) > 1 and len(names) > 1:
        return "\n".join([*_table(rows, names), "", _totals(rows, names), ""])
    lines = [line for row in rows for line in _lines(row, names)]
    return "\n".join([*lines, *_unknown(names), ""])


def _lines(row: PlatformRow, names: Sequence[str]) -> Iterator[str]:
    if row.objections is None:
        yield f"{_NO} {row.source}: {escaped(row.reason)}"
        return
    for name in names:
        found = row.objections[name]
        yield f"{_mark(name, row)} {row.source}: {name}"
        for one in found:
            yield f"  {one.pointer or '(root)'}: {one.message} [{one.rule}] ({one.source}, {one.read})"
        forms = profiles()[name].forms
        if forms and any(one.rule == "form" for one in found):
            yield f"  `cardwright convert --for {name}` makes the card that it reads"


def _mark(name: str, row: PlatformRow) -> str:
    if not profiles()[name].is_known:
        return _OPEN
    return _NO if row.objections is not None and row.objections[name] else _YES


def _unknown(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        for sentence in profiles()[name].unknown:
            yield f"unknown for {name}: {sentence}"


def _table(rows: Sequence[PlatformRow], names: Sequence[str]) -> Iterator[str]:
    """Yield a table: a line per card, a column per platform."""
    width = max(len(row.source) for row in rows)
    for index, name in enumerate(names):
        yield f"{' ' * width}  {'│ ' * index}┌ {name}"
    for row in rows:
        if row.objections is None:
            yield f"{row.source.ljust(width)}  {escaped(row.reason)}"
            continue
        marks = " ".join(_mark(name, row) for name in names)
        yield f"{row.source.ljust(width)}  {marks}"


def _totals(rows: Sequence[PlatformRow], names: Sequence[str]) -> str:
    cards = [row.objections for row in rows if row.objections is not None]
    known = (name for name in names if profiles()[name].is_known)
    shares = (f"{name} {sum(not found[name] for found in cards):,}" for name in known)
    return f"of {len(cards):,} cards, taken by: {', '.join(shares)}"
