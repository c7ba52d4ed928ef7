"""`cardwright detect`: the dialect of a document, and the evidence for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import typer

from cardwright.canonical import Limits, decode
from cardwright.cli import options  # noqa: TC001 - typer reads annotations when it runs
from cardwright.cli.fetch_options import name_of, reach_of
from cardwright.cli.inputs import Source, read, sources
from cardwright.cli.terminal import legible, report
from cardwright.dialect import detect
from cardwright.errors import ConnectionDenied, MalformedDocument, UnknownDialect
from cardwright.event_stream import stream_as_json
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType


EXAMPLES: Final = ("cardwright detect agent-card.json", "cardwright detect --format json cards/")


@dataclass(frozen=True, slots=True)
class Result:
    """The dialect of one input, or why it has none; `status` is its contribution to the exit status."""

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
    """Print the dialect of each document, how certain it is, and the evidence.

    Exit status: 0 all dialects are known, 1 a dialect is unknown, 2 an input could not be read.
    """
    reach = reach_of(allowed, paths)
    results = [_detected(source, checks.limits) for source in sources(paths, reach)]
    report(form, {"text": _piped, "terminal": _renderables, "json": _contract}, results)
    raise typer.Exit(max(result.status for result in results))


def _detected(source: Source, limits: Limits) -> Result:
    """Read one input and detect its dialect; an input that cannot be read is a result, not an exception."""
    try:
        detection = detect(decode(stream_as_json(read(source, limits)), limits), found_at=source.name)
    except UnknownDialect as error:
        return _undetected(source, str(error), 1)
    except (MalformedDocument, ConnectionDenied) as error:
        return _undetected(source, str(error), 2)
    return Result(
        source=name_of(source.name),
        dialect=str(detection.dialect),
        sure=detection.sure,
        evidence=detection.evidence,
        candidates=tuple(str(candidate) for candidate in detection.candidates),
        status=0,
    )


def _undetected(source: Source, reason: str, status: Literal[1, 2]) -> Result:
    return Result(name_of(source.name), None, False, (reason,), (), status)  # noqa: FBT003 - in the order of the row


def _contract(results: Sequence[Result]) -> dict[str, Any]:
    return {
        "results": [
            {
                "source": legible(result.source),
                "dialect": result.dialect,
                "sure": result.sure,
                "evidence": list(result.evidence),
                "candidates": list(result.candidates),
            }
            for result in results
        ]
    }


def _outcome(result: Result) -> str:
    if result.dialect is None:
        return "unknown dialect" if result.status == 1 else "unreadable"
    return f"{result.dialect}, {'sure' if result.sure else 'not sure'}"


def _others(result: Result) -> str:
    others = ", ".join(name for name in result.candidates if name != result.dialect)
    return f"it could also be {others}" if others and not result.sure else ""


def _piped(results: Sequence[Result]) -> str:
    return "".join(f"{_line(result)}\n" for result in results)


def _line(result: Result) -> str:
    evidence = "; ".join(filter(None, (*result.evidence, _others(result))))
    if evidence.startswith("refused: "):
        return escaped(evidence)
    return f"{escaped(legible(result.source))}: {_outcome(result)}: {escaped(evidence)}"


def _renderables(results: Sequence[Result]) -> Iterator[RenderableType]:
    from rich.padding import Padding
    from rich.text import Text

    for result in results:
        mark, colour = _mark(result)
        source = escaped(legible(result.source))
        yield Text.assemble((mark, colour), " ", (source, "bold"), "  ", _outcome(result))
        for line in filter(None, (*result.evidence, _others(result))):
            yield Padding(Text(escaped(line), "dim"), (0, 0, 0, 2))


def _mark(result: Result) -> tuple[str, str]:
    if result.dialect is None:
        return ("✗", "red") if result.status == 1 else ("!", "magenta")
    return ("✓", "green") if result.sure else ("?", "yellow")
