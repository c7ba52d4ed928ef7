"""`cardwright detect`: which dialect a document speaks, and how we know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import typer

from cardwright.canonical import Limits, decode
from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.fetch_options import name_of, reach_of
from cardwright.cli.inputs import Source, read, sources
from cardwright.cli.terminal import legible, report
from cardwright.dialect import detect
from cardwright.errors import ConnectionDenied, MalformedDocument, UnknownDialect
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType


@dataclass(frozen=True, slots=True)
class Finding:
    """What one input was recognised as; `status` is what it adds to the exit status."""

    source: str
    dialect: str | None
    sure: bool
    evidence: tuple[str, ...]
    candidates: tuple[str, ...]
    status: Literal[0, 1, 2]


def command(
    paths: options.PathsOrUrls,
    *,
    form: options.Format = "text",
    checks: options.Limited,
    allowed: options.Reachable,
) -> None:
    """Say which dialect each document speaks, how sure that is, and what speaks for it.

    Exits with 0 if all are recognised, 1 if some are not, 2 if some could not be read.
    """
    reach = reach_of(allowed, paths)
    findings = [recognised(source, checks.limits) for source in sources(paths, reach)]
    report(form, {"text": _piped, "terminal": _shown, "json": _contract}, findings)
    raise typer.Exit(max(finding.status for finding in findings))


def recognised(source: Source, limits: Limits) -> Finding:
    """Read and recognise one input; every fault of it is a finding, never an exception."""
    try:
        seen = detect(decode(read(source, limits), limits))
    except UnknownDialect as error:
        return _unrecognised(source, str(error), 1)
    except (MalformedDocument, ConnectionDenied) as error:
        return _unrecognised(source, str(error), 2)
    return Finding(
        source=name_of(source.name),
        dialect=str(seen.dialect),
        sure=seen.sure,
        evidence=seen.evidence,
        candidates=tuple(str(candidate) for candidate in seen.candidates),
        status=0,
    )


def _unrecognised(source: Source, reason: str, status: Literal[1, 2]) -> Finding:
    return Finding(name_of(source.name), None, False, (reason,), (), status)  # noqa: FBT003 - in the order of the row


def _contract(findings: Sequence[Finding]) -> dict[str, Any]:
    return {
        "results": [
            {
                "source": legible(finding.source),
                "dialect": finding.dialect,
                "sure": finding.sure,
                "evidence": list(finding.evidence),
                "candidates": list(finding.candidates),
            }
            for finding in findings
        ]
    }


def _verdict(finding: Finding) -> str:
    if finding.dialect is None:
        return "unknown dialect" if finding.status == 1 else "unreadable"
    return f"{finding.dialect}, {'sure' if finding.sure else 'not sure'}"


def _others(finding: Finding) -> str:
    others = ", ".join(name for name in finding.candidates if name != finding.dialect)
    return f"it could also be {others}" if others and not finding.sure else ""


def _piped(findings: Sequence[Finding]) -> str:
    return "".join(f"{_line(finding)}\n" for finding in findings)


def _line(finding: Finding) -> str:
    told = "; ".join(filter(None, (*finding.evidence, _others(finding))))
    if told.startswith("refused: "):
        return escaped(told)
    return f"{escaped(legible(finding.source))}: {_verdict(finding)}: {escaped(told)}"


def _shown(findings: Sequence[Finding]) -> Iterator[RenderableType]:
    from rich.padding import Padding
    from rich.text import Text

    for finding in findings:
        mark, colour = _mark(finding)
        source = escaped(legible(finding.source))
        yield Text.assemble((mark, colour), " ", (source, "bold"), "  ", _verdict(finding))
        for line in filter(None, (*finding.evidence, _others(finding))):
            yield Padding(Text(escaped(line), "dim"), (0, 0, 0, 2))


def _mark(finding: Finding) -> tuple[str, str]:
    if finding.dialect is None:
        return ("✗", "red") if finding.status == 1 else ("!", "magenta")
    return ("✓", "green") if finding.sure else ("?", "yellow")
