"""The reports of `verify` and of `canonicalize --explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.signing import RULES
from cardwright_runtime.violation import clipped, escaped, quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType
    from rich.table import Table

    from cardwright.signing import SignatureVerdict, Step, Verification

# Pointers in the text report (project decision); --format json lists them all.
_MAX_POINTERS: Final = 20
# A wider column leaves no room for the reason (project decision).
_MAX_WIDTH: Final = 60


def contract(_: str, verification: Verification) -> dict[str, Any]:
    """Return the JSON report."""
    return verification.to_json()


def piped(path: str, verification: Verification) -> str:
    """Return a line for the card, then one or more for each signature."""
    lines = [f"{escaped(path)}: {_summary(verification)}"]
    for signature in verification.signatures:
        lines += [f"  {_line(signature)}", *(f"    {line}" for line in _uncovered(signature))]
    return "\n".join([*lines, ""])


def renderables(path: str, verification: Verification) -> Iterator[RenderableType]:
    """Yield the text of `piped`, coloured."""
    from rich.padding import Padding
    from rich.text import Text

    mark, colour = (
        ("✓", "green") if verification.covered else ("!", "yellow") if verification.verified else ("✗", "red")
    )
    yield Text.assemble((mark, colour), " ", (escaped(path), "bold"), f"  {_summary(verification)}")
    for signature in verification.signatures:
        yield Padding(Text(_line(signature), "" if signature.verified else "dim"), (0, 0, 0, 2))
        for line in _uncovered(signature):
            yield Padding(Text(line, "yellow" if signature.essential else "dim"), (0, 0, 0, 4))


def steps(explanation: Sequence[Step]) -> Iterator[str]:
    """Yield a line for each field of a card: kept or left out, and why."""
    width = min(_MAX_WIDTH, max((len(_pointer(step)) for step in explanation), default=0))
    for step in explanation:
        outcome = "kept    " if step.is_kept else "left out"
        yield f"{outcome}  {_pointer(step):{width}}  {RULES[step.rule]}"


def table(explanation: Sequence[Step]) -> Table:
    """Return the lines of `steps` as a coloured table."""
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, show_header=False, pad_edge=False)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_column()
    for step in explanation:
        outcome = Text("kept", "green") if step.is_kept else Text("left out", "yellow")
        grid.add_row(outcome, Text(_pointer(step)), Text(RULES[step.rule], "dim"))
    return grid


def _pointer(step: Step) -> str:
    return clipped(step.pointer)


def _summary(verification: Verification) -> str:
    if not verification.signatures:
        return "not verified: the card has no signatures"
    if verification.covered:
        return "verified"
    if verification.verified:
        return "verified, but the signature does not cover all of security, interfaces, url and skills"
    return "not verified"


def _line(signature: SignatureVerdict) -> str:
    parts = [f"signature {signature.index}"]
    if signature.alg is not None:
        parts.append(f"{signature.alg} by {quote(signature.kid)}")
    parts.append(
        f"valid for profile {signature.profile}" if signature.verified else escaped(signature.reason)
    )
    return ": ".join(parts)


def _uncovered(signature: SignatureVerdict) -> Iterator[str]:
    for pointer in signature.uncovered[:_MAX_POINTERS]:
        yield f"does not cover {clipped(pointer)}"
    if len(signature.uncovered) > _MAX_POINTERS:
        yield f"… and {len(signature.uncovered) - _MAX_POINTERS:,} more: --format json lists them all"
