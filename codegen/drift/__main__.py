"""Print where an upstream specification and our schema disagree.

Exit status: 0 without drift, 1 with drift or a stale explanation, 2 for an input
that cannot be read.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from codegen.drift.compare import Comparison, Row, compare
from codegen.drift.dialects import (
    Dialect,
    choose_dialect,
    find_dialects,
    named_dialect,
)
from codegen.drift.explanations import Verdict, judge, read_explanations
from codegen.drift.jsonschema_source import read_schema
from codegen.drift.proto import read_proto
from codegen.drift.shape import Shape
from codegen.drift.source import DriftError, Json, parse_json, read_text

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
HEADINGS = ("message.field", "what", "upstream", "ours")


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of one run, as text and as exit status."""

    text: str
    status: int


def report(spec: Path, dialect: str | None, schemas: Path) -> Report:
    """Hold an upstream file against our schema of its dialect.

    Raises:
        DriftError: one of the files cannot be used.
    """
    try:
        return _report(spec, dialect, schemas)
    except RecursionError as error:
        mend = "give a specification without endless nesting or circular references"
        raise DriftError(str(spec), "nested too deeply to read", mend) from error


def _report(spec: Path, dialect: str | None, schemas: Path) -> Report:
    known = find_dialects(schemas)
    text = read_text(spec)
    proto = _is_proto(spec, text)
    document: Json = None if proto else parse_json(text, str(spec))
    own = (
        named_dialect(dialect, known, spec)
        if dialect
        else choose_dialect(spec, document, known)
    )
    ours = _ours(own, schemas)
    upstream = (
        read_proto(text, str(spec), ours.root)
        if proto
        else read_schema(document, spec, ours.root)
    )
    comparison = compare(upstream, ours)
    verdict = judge(comparison.rows, read_explanations(own.explanations))
    status = 1 if verdict.unexplained or verdict.stale else 0
    title = _printable(f"{own.name} and {spec.name}")
    return Report(_render(title, comparison, verdict), status)


def _is_proto(spec: Path, text: str) -> bool:
    """Tell by the suffix, else by the first character: JSON begins with a brace."""
    if spec.suffix in {".proto", ".json"}:
        return spec.suffix == ".proto"
    return not text.lstrip().startswith("{")


def _ours(dialect: Dialect, schemas: Path) -> Shape:
    document = parse_json(read_text(dialect.schema), str(dialect.schema))
    return read_schema(document, dialect.schema, "AgentCard", within=schemas)


def _render(title: str, comparison: Comparison, verdict: Verdict) -> str:
    lines: list[str] = []
    if verdict.unexplained:
        lines += [f"drift between {title}:", *_table(verdict.unexplained), ""]
    if verdict.stale:
        lines += ["explanations that match no row:", *_table(verdict.stale), ""]
    if verdict.explained:
        lines += ["explained:", *_explained(verdict), ""]
    counts = f"{comparison.messages} messages, {comparison.fields} fields compared"
    if verdict.unexplained or verdict.stale:
        drift = f"{len(verdict.unexplained)} rows of drift"
        stale = f"{len(verdict.stale)} stale explanations"
        lines.append(f"{drift}, {stale}: {counts}")
    else:
        lines.append(f"no drift: {counts}")
    return "\n".join(lines)


def _table(rows: Iterable[Row]) -> list[str]:
    told = ([row.at, row.what, row.upstream, row.ours] for row in rows)
    cells = [HEADINGS, *([_printable(text) for text in line] for line in told)]
    widths = [max(len(line[column]) for line in cells) for column in range(4)]
    return ["  " + " | ".join(map(str.ljust, line, widths)).rstrip() for line in cells]


def _printable(text: str) -> str:
    """Escape what would break a line or drive a terminal."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def _explained(verdict: Verdict) -> list[str]:
    """Print the rows of one reason together, the reason below them."""
    reasons = dict.fromkeys(why for _, why in verdict.explained)
    lines: list[str] = []
    for reason in reasons:
        lines += _table(row for row, why in verdict.explained if why == reason)
        lines.append(f"    because {reason}")
    return lines


def main(arguments: Sequence[str] | None = None, schemas: Path = SCHEMAS) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m codegen.drift",
        description="Compare an upstream specification with our schema of the card.",
    )
    parser.add_argument("spec", type=Path, help="an upstream .proto or JSON Schema")
    parser.add_argument("--dialect", help="the dialect to compare, such as a2a-1.0")
    options = parser.parse_args(arguments)
    try:
        outcome = report(options.spec, options.dialect, schemas)
    except DriftError as error:
        sys.stderr.write(f"error: {_printable(str(error))}\n")
        return 2
    sys.stdout.write(f"{outcome.text}\n")
    return outcome.status


if __name__ == "__main__":
    sys.exit(main())
