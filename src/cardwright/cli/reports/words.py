"""Words and counts shared by the text reports."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cardwright.cli.inputs import YAML
from cardwright.cli.terminal import legible
from cardwright.locate import TOKEN
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.cli.check_run import Row, Summary
    from cardwright.dialect import Detection
    from cardwright_runtime.violation import Violation

VALID, INVALID, UNREADABLE = "✓", "✗", "!"

_SEVERITIES: Final = ("error", "warning")
# The other places of a finding that a report lists.
_LISTED_PLACES: Final = 3
# A longer source line is clipped, with some characters before the value (project decision).
_MAX_LINE: Final = 100
_CONTEXT: Final = 24


@dataclass(frozen=True, slots=True)
class Detail:
    """How much a text report prints.

    Attributes:
        quiet: Only findings.
        verbose: Also the source lines.
    """

    quiet: bool = False
    verbose: bool = False


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The source line of a finding, clipped, and a line with a mark under the value."""

    number: int
    line: str
    marks: str


def excerpt_of(row: Row, violation: Violation) -> Excerpt | None:
    """Return the source line of a violation; None if its place is unknown."""
    place = row.places.get(violation.pointer)
    if place is None or not row.text:
        return None
    line = row.text.split("\n")[place.line - 1].rstrip("\r")
    start = place.column - 1
    # A name, its colon and its value, or a value alone.
    token = TOKEN.search(line, start)
    value = TOKEN.search(line, token.end()) if token and token[1] else token
    end = value.end() if value else token.end() - len(token[1]) if token else start + 1
    first = max(0, start - _CONTEXT) if len(line) > _MAX_LINE else 0
    shown = line[first : first + _MAX_LINE].replace("\t", " ")
    width = max(1, min(end - first, len(shown)) - (start - first))
    before, after = "…" if first else "", "…" if first + _MAX_LINE < len(line) else ""
    return Excerpt(
        place.line, f"{before}{escaped(shown)}{after}", " " * (len(before) + start - first) + "^" * width
    )


def mark(row: Row) -> str:
    """Return the mark of a row: valid, invalid or unreadable."""
    return VALID if row.valid else INVALID if row.readable else UNREADABLE


def source_of(row: Row) -> str:
    """Return the path of a row, escaped for output."""
    return escaped(legible(row.source))


def refusal_of(row: Row) -> str:
    """Return the guard's message if it refused the row's URL, else ""."""
    refused = not row.readable and row.violations[0].message.startswith("refused: ")
    return f"{escaped(row.violations[0].message)} [{row.violations[0].rule}]" if refused else ""


def place_of(row: Row, violation: Violation) -> str:
    """Return `path:line:column`, or the path alone if the place is unknown."""
    place = row.places.get(violation.pointer)
    return f"{source_of(row)}:{place.line}:{place.column}" if place else source_of(row)


def dialect_of(row: Row) -> str:
    """Return the dialect, with "not sure" if it is uncertain."""
    if row.dialect is None:
        return "unknown dialect" if row.readable else "unreadable"
    return row.dialect if row.sure else f"{row.dialect}, not sure"


def alternatives(row: Row) -> str:
    """Return what a card of an uncertain dialect is as the others; "" if its dialect is certain.

    The counts are those of the errors, such as "valid as a2a-0.1 only: as a2a-0.2 it has 3 errors".
    """
    if not row.errors_as:
        return ""
    valid = [name for name, errors in row.errors_as.items() if not errors]
    invalid = [
        f"as {name} it has {counted(errors, 'error')}" for name, errors in row.errors_as.items() if errors
    ]
    only = f"valid as {' and '.join(valid)}{' only' if invalid else ''}" if valid else ""
    return f"{': '.join(filter(None, (only, ', '.join(invalid))))}; --dialect chooses"


def doubt_of(detection: Detection | None) -> str:
    """Return why a dialect is uncertain, and which others are possible; "" if it is certain."""
    if detection is None or detection.sure:
        return ""
    others = ", ".join(map(str, detection.others))
    return "; ".join((*detection.evidence, *([f"it could also be {others}"] if others else [])))


def outcome(row: Row) -> str:
    """Return `valid`, or the number of errors and warnings."""
    return tally(row.violations) or "valid"


def tally(violations: Iterable[Violation]) -> str:
    """Return the number of errors and warnings; "" without violations."""
    counts = Counter(violation.severity for violation in violations)
    return ", ".join(counted(counts[severity], severity) for severity in _SEVERITIES if counts[severity])


def by_severity(row: Row) -> list[Violation]:
    """Return the violations, errors first, then by pointer."""
    return sorted(row.violations, key=lambda violation: _SEVERITIES.index(violation.severity))


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation, and the pointers of the other places that have the same one."""

    violation: Violation
    others: tuple[str, ...] = ()

    @property
    def more(self) -> str:
        """Return `and 4 more: /a, /b, /c, …`; "" for one place."""
        if not self.others:
            return ""
        listed = ", ".join(map(escaped, self.others[:_LISTED_PLACES]))
        return f"and {len(self.others):,} more: {listed}{', …' if len(self.others) > _LISTED_PLACES else ''}"


def findings(row: Row) -> list[Finding]:
    """Return the violations, errors first, with equal warnings as one finding."""
    together: dict[object, list[Violation]] = {}
    for index, violation in enumerate(by_severity(row)):
        # Each error has to be fixed at its own line.
        same = (violation.rule, violation.message, violation.spec, _fix_of(violation))
        together.setdefault(index if violation.severity == "error" else same, []).append(violation)
    return [Finding(first, tuple(one.pointer for one in others)) for first, *others in together.values()]


def _fix_of(violation: Violation) -> tuple[str, bool] | None:
    return (violation.fix.description, violation.fix.safe) if violation.fix else None


def totals(summary: Summary) -> str:
    """Return the summary line."""
    documents = counted(summary.documents, "document")
    return f"{documents}: {summary.valid} valid, {summary.invalid} invalid, {summary.unreadable} unreadable"


def hints(rows: Sequence[Row]) -> list[str]:
    """Return how many findings `cardwright fix` fixes, and how to read more about the first rule; [] without findings."""
    violations = [violation for row in rows for violation in by_severity(row)]
    if not violations:
        return []
    # `fix` writes JSON: it reads no YAML.
    fixes = [one.fix for row in rows if not row.source.endswith(YAML) for one in row.violations if one.fix]
    safe = sum(fix.safe for fix in fixes)
    guesses = len(fixes) - safe
    lines = [f"Explain a rule: cardwright explain {violations[0].rule}"]
    if safe:
        more = f", {guesses:,} more with --unsafe" if guesses else ""
        lines.insert(0, f"{safe:,} fixable with `cardwright fix`{more}")
    elif guesses:
        lines.insert(0, f"{guesses:,} fixable with `cardwright fix --unsafe`")
    return lines


def counted(count: int, noun: str) -> str:
    """Return a count with its noun.

    >>> counted(1, "error"), counted(1200, "error"), counted(2, "loss")
    ('1 error', '1,200 errors', '2 losses')
    """
    plural = "es" if noun.endswith("s") else "s"
    return f"{count:,} {noun}{'' if count == 1 else plural}"
