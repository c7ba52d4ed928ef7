"""Print the differences between an upstream specification and our schema; `--write` edits the schema.

Exit status: 0 without drift, 1 with drift or a stale explanation, 2 for an input
that cannot be read.
"""

import argparse
import hashlib
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from codegen.drift.compare import Comparison, Row, compare
from codegen.drift.dialects import choose_dialect, find_dialects, named_dialect, roots_of, tree_of
from codegen.drift.explanations import Explained, explain, read_explanations
from codegen.drift.jsonschema_source import read_schema
from codegen.drift.propose import propose, write
from codegen.drift.proto import read_proto
from codegen.drift.shape import Shape
from codegen.drift.source import DriftError, Json, parse_json, read_text

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
HEADINGS = ("message.field", "what", "upstream", "local")


@dataclass(frozen=True, slots=True)
class Report:
    """The result of one run: a text and an exit status."""

    text: str
    status: int


def report(spec: Path, dialect: str | None, schemas: Path, *, edit: bool = False) -> Report:
    """Compare an upstream file with our schema of its dialect; edit the schema if asked.

    Raises:
        DriftError: If one of the files cannot be used.
    """
    try:
        return _report(spec, dialect, schemas, edit=edit)
    except RecursionError as error:
        advice = "use a specification without deep nesting or circular references"
        raise DriftError(str(spec), "nested too deeply", advice) from error


def _report(spec: Path, dialect: str | None, schemas: Path, *, edit: bool) -> Report:
    tree = tree_of(schemas)
    known = find_dialects(tree)
    spec_text = read_text(spec)
    proto = _is_proto(spec, spec_text)
    document: Json = None if proto else parse_json(spec_text, str(spec))
    own = named_dialect(dialect, known, spec) if dialect else choose_dialect(spec, document, known)
    parts: list[_Part] = []
    for file, roots in roots_of(tree, own).items():
        path = schemas / file
        schema = parse_json(read_text(path), str(path))
        shapes: list[tuple[Shape, Shape]] = []
        for root in roots:
            local = read_schema(schema, path, root, within=schemas)
            name = local.root
            upstream = read_proto(spec_text, str(spec), name) if proto else read_schema(document, spec, name)
            shapes.append((upstream, local))
        parts.append(_Part(path, shapes))
    comparison = Comparison.of(part.comparison for part in parts)
    reasons = read_explanations((schemas / own.path).with_name("drift.json"))
    result = explain(comparison.rows, reasons)
    status = 1 if result.unexplained or result.stale else 0
    text = _render(f"{own.name} and {spec.name}", comparison, result)
    if edit and result.unexplained:
        lines = [line for part in parts for line in part.edited(result.unexplained)]
        digest = hashlib.sha256(spec.read_bytes()).hexdigest()
        lines.append(f"in PINNED.json set ref, commit and upstream_sha256 {digest}")
        text = "\n".join([text, "", *map(_printable, lines)])
    return Report(text, status)


class _Part:
    """One of our schemas, compared with upstream from each of its roots."""

    def __init__(self, path: Path, shapes: Sequence[tuple[Shape, Shape]]) -> None:
        self._path = path
        self._upstream = Shape(
            shapes[0][0].root, {name: one for shape, _ in shapes for name, one in shape.messages.items()}
        )
        self.comparison = Comparison.of(compare(upstream, local) for upstream, local in shapes)

    def edited(self, rows: Iterable[Row]) -> list[str]:
        """Write the edits of this schema whose meaning is plain; return what was done and what is left."""
        own = [row for row in rows if row in self.comparison.rows]
        return write(propose(own, self._upstream, self._path), self._path) if own else []


def _is_proto(spec: Path, text: str) -> bool:
    """Return whether a file is a proto: by its suffix, otherwise by its first character (JSON begins with a brace)."""
    if spec.suffix in {".proto", ".json"}:
        return spec.suffix == ".proto"
    return not text.lstrip().startswith("{")


def _render(title: str, comparison: Comparison, result: Explained) -> str:
    lines: list[str] = []
    if result.unexplained:
        lines += [f"drift between {_printable(title)}:", *_table(result.unexplained), ""]
    if result.stale:
        lines += ["explanations that match no row:", *_table(result.stale), ""]
    if result.explained:
        lines += ["explained:", *_explained(result), ""]
    counts = f"{len(comparison.messages)} messages, {len(comparison.fields)} fields compared"
    if result.unexplained or result.stale:
        rows, stale = len(result.unexplained), len(result.stale)
        lines.append(f"drift: rows {rows}, stale explanations {stale}; {counts}")
    else:
        lines.append(f"no drift: {counts}")
    return "\n".join(lines)


def _table(rows: Iterable[Row]) -> list[str]:
    """Return the rows aligned under their headings."""
    lines = ([row.at, row.what, row.upstream, row.local] for row in rows)
    cells = [HEADINGS, *([_printable(text) for text in line] for line in lines)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADINGS))]
    return ["  " + " | ".join(map(str.ljust, line, widths)).rstrip() for line in cells]


def _explained(result: Explained) -> list[str]:
    """Return the explained rows as one table, each reason below its rows."""
    heading, *lines = _table(row for row, _ in result.explained)
    by_reason: dict[str, list[str]] = {}
    for (_, why), line in zip(result.explained, lines, strict=True):
        by_reason.setdefault(why, []).append(line)
    groups = [[*group, f"    because {_printable(why)}"] for why, group in by_reason.items()]
    return [heading, *chain.from_iterable(groups)]


def _printable(text: str) -> str:
    """Escape line breaks and terminal control characters."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def main(arguments: Sequence[str] | None = None, schemas: Path = SCHEMAS) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m codegen.drift",
        description="Compare an upstream specification with our schema of the card.",
    )
    parser.add_argument("spec", type=Path, help="An upstream .proto or JSON Schema.")
    parser.add_argument("--dialect", help="Compare with this dialect, such as a2a-1.0.")
    parser.add_argument(
        "--write", action="store_true", help="Write the edits whose meaning is plain into our schema."
    )
    options = parser.parse_args(arguments)
    try:
        outcome = report(options.spec, options.dialect, schemas, edit=options.write)
    except DriftError as error:
        sys.stderr.write(f"error: {_printable(str(error))}\n")
        return 2
    sys.stdout.write(f"{outcome.text}\n")
    return outcome.status


if __name__ == "__main__":
    sys.exit(main())
