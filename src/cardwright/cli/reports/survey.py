"""The reports of `survey`: text, JSON, whose shape is a contract, and a page with pictures."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright_rules import ROWS

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

    from cardwright.survey import Survey

# The page and the text show the most frequent rules; JSON has all.
_MOST: Final = 20


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a picture: a name, a count, its share of all in percent, and a kind for its colour."""

    name: str
    count: int
    share: float
    kind: str = "plain"


def contract(survey: Survey) -> dict[str, Any]:
    """Return the JSON report: fields are added to it, never changed."""
    return {
        "documents": survey.documents,
        "valid": survey.valid,
        "fixable": survey.fixable,
        "unknown": survey.unknown,
        "unreadable": _sorted(survey.unreadable),
        "dialects": {name: asdict(survey.groups[name]) for name in ROWS if name in survey.groups},
        "rules": {
            name: {"documents": count, "severity": survey.severities[name]}
            for name, count in _sorted(survey.rules).items()
        },
        "cards": survey.cards,
        "transports": _sorted(survey.transports),
        "authentication": _sorted(survey.authentication),
        "signed": survey.signed,
    }


def text(survey: Survey) -> str:
    """Return the text report."""
    lines = [summary(survey), ""]
    for title, bars in pictures(survey):
        width = max((len(bar.name) for bar in bars), default=0)
        lines += [
            title,
            *(f"  {bar.name.ljust(width)}  {bar.count:>6,}  {bar.share:>3.0f} %" for bar in bars),
            "",
        ]
    return "\n".join(lines)


def summary(survey: Survey) -> str:
    """Return the sentence that sums the survey up."""
    total = survey.documents
    invalid = total - survey.valid
    parts = [f"{total:,} documents: {survey.valid:,} valid ({_share(survey.valid, total):.0f} %)"]
    if invalid:
        parts.append(
            f"{survey.fixable:,} of {invalid:,} invalid ones can be fixed ({_share(survey.fixable, invalid):.0f} %)"
        )
    if survey.unknown:
        parts.append(f"{survey.unknown:,} of no known dialect")
    if survey.unreadable:
        parts.append(f"{survey.unreadable.total():,} unreadable")
    return "; ".join(parts)


def pictures(survey: Survey) -> Iterator[tuple[str, list[Bar]]]:
    """Yield the title and the bars of each picture."""
    groups = [(name, survey.groups[name]) for name in ROWS if name in survey.groups]
    total, cards = survey.documents, survey.cards
    yield (
        "Documents by dialect",
        [Bar(name, one.documents, _share(one.documents, total)) for name, one in groups],
    )
    yield (
        "Valid documents of a dialect",
        [Bar(name, one.valid, _share(one.valid, one.documents), "good") for name, one in groups],
    )
    invalid = [(name, one) for name, one in groups if one.valid < one.documents]
    yield (
        "Invalid documents of a dialect that can be fixed",
        [
            Bar(name, one.fixable, _share(one.fixable, one.documents - one.valid), "good")
            for name, one in invalid
        ],
    )
    kinds = {"error": "bad", "warning": "plain"}
    yield (
        "Documents by the rule that they break",
        [
            Bar(name, count, _share(count, total), kinds[survey.severities[name]])
            for name, count in list(_sorted(survey.rules).items())[:_MOST]
        ],
    )
    for title, counts in (
        ("Cards by transport", survey.transports),
        ("Cards by required authentication", survey.authentication),
    ):
        yield title, [Bar(name, count, _share(count, cards)) for name, count in _sorted(counts).items()]
    if survey.unreadable:
        unreadable = survey.unreadable.total()
        yield (
            "What could not be read",
            [
                Bar(name, count, _share(count, unreadable), "bad")
                for name, count in _sorted(survey.unreadable).items()
            ],
        )


def html(survey: Survey) -> bytes:
    """Return a page with pictures; it names no document."""
    from cardwright.page.render import rendered

    return rendered(
        "survey.html.jinja", summary=summary(survey), signed=survey.signed, pictures=list(pictures(survey))
    )


def _share(count: int, total: int) -> float:
    return 100 * count / total if total else 0.0


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
