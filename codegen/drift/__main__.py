"""Print where an upstream specification and our schema disagree.

Exit status: 0 without drift, 1 with drift or a stale explanation, 2 for an input
that cannot be read.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from codegen.drift.compare import Comparison, Row, compare
from codegen.drift.dialects import choose_dialect, find_dialects, named_dialect
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
    own = named_dialect(dialect, known, spec) if dialect else choose_dialect(spec, document, known)
    ours = _ours(schemas / (own.schema or ""), schemas)
    upstream = read_proto(text, str(spec), ours.root) if proto else read_schema(document, spec, ours.root)
    comparison = compare(upstream, ours)
    reasons = read_explanations((schemas / own.path).with_name("drift.json"))
    verdict = judge(comparison.rows, reasons)
    status = 1 if verdict.unexplained or verdict.stale else 0
    return Report(_render(f"{own.name} and {spec.name}", comparison, verdict), status)


def _is_proto(spec: Path, text: str) -> bool:
    """Tell by the suffix, else by the first character: JSON begins with a brace."""
    if spec.suffix in {".proto", ".json"}:
        return spec.suffix == ".proto"
    return not text.lstrip().startswith("{")


def _ours(path: Path, schemas: Path) -> Shape:
    return read_schema(parse_json(read_text(path), str(path)), path, "AgentCard", within=schemas)


def _render(title: str, comparison: Comparison, verdict: Verdict) -> str:
    lines: list[str] = []
    if verdict.unexplained:
        lines += [f"drift between {_printable(title)}:", *_table(verdict.unexplained), ""]
    if verdict.stale:
        lines += ["explanations that match no row:", *_table(verdict.stale), ""]
    if verdict.explained:
        lines += ["explained:", *_explained(verdict), ""]
    counts = f"{comparison.messages} messages, {comparison.fields} fields compared"
    if verdict.unexplained or verdict.stale:
        rows, stale = len(verdict.unexplained), len(verdict.stale)
        lines.append(f"drift: rows {rows}, stale explanations {stale}; {counts}")
    else:
        lines.append(f"no drift: {counts}")
    return "\n".join(lines)


def _table(rows: Iterable[Row]) -> list[str]:
    """Return the rows aligned under their headings."""
    told = ([row.at, row.what, row.upstream, row.ours] for row in rows)
    cells = [HEADINGS, *([_printable(text) for text in line] for line in told)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADINGS))]
    return ["  " + " | ".join(map(str.ljust, line, widths)).rstrip() for line in cells]


def _explained(verdict: Verdict) -> list[str]:
    """Return the explained rows as one table, each reason below its rows."""
    heading, *lines = _table(row for row, _ in verdict.explained)
    by_reason: dict[str, list[str]] = {}
    for (_, why), line in zip(verdict.explained, lines, strict=True):
        by_reason.setdefault(why, []).append(line)
    told = [[*group, f"    because {_printable(why)}"] for why, group in by_reason.items()]
    return [heading, *chain.from_iterable(told)]


def _printable(text: str) -> str:
    """Escape what would break a line or drive a terminal."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


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
