"""What a person is told of signatures, and of the bytes that they cover."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright.signing import RULES
from cardwright_runtime.violation import clipped, escaped, quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType
    from rich.table import Table

    from cardwright.signing import SignatureVerdict, Step, Verification

# More pointers than this are no longer read (project decision); --format json has them all.
_MAX_POINTERS: Final = 20
# Wider columns leave no room for the reason (project decision).
_MAX_WIDTH: Final = 60


def contract(_: str, verdict: Verification) -> dict[str, Any]:
    """Return what programs read."""
    return verdict.to_json()


def piped(path: str, verdict: Verification) -> str:
    """Return a line on the card, then a line or more on each signature."""
    told = [f"{escaped(path)}: {_summary(verdict)}"]
    for signature in verdict.signatures:
        told += [f"  {_line(signature)}", *(f"    {line}" for line in _uncovered(signature))]
    return "\n".join([*told, ""])


def shown(path: str, verdict: Verification) -> Iterator[RenderableType]:
    """Yield what `piped` says, coloured."""
    from rich.padding import Padding
    from rich.text import Text

    mark, colour = (
        ("✓", "green") if verdict.covered else ("!", "yellow") if verdict.verified else ("✗", "red")
    )
    yield Text.assemble((mark, colour), " ", (escaped(path), "bold"), f"  {_summary(verdict)}")
    for signature in verdict.signatures:
        yield Padding(Text(_line(signature), "" if signature.verified else "dim"), (0, 0, 0, 2))
        for line in _uncovered(signature):
            yield Padding(Text(line, "yellow" if signature.essential else "dim"), (0, 0, 0, 4))


def steps(told: Sequence[Step]) -> Iterator[str]:
    """Yield a line for each member of a card."""
    width = min(_MAX_WIDTH, max((len(_pointer(step)) for step in told), default=0))
    for step in told:
        kept = "kept    " if step.kept else "left out"
        yield f"{kept}  {_pointer(step):{width}}  {RULES[step.rule]}"


def table(told: Sequence[Step]) -> Table:
    """Return what `steps` does, coloured."""
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, show_header=False, pad_edge=False)
    drawn.add_column(no_wrap=True)
    drawn.add_column(overflow="fold")
    drawn.add_column()
    for step in told:
        kept = Text("kept", "green") if step.kept else Text("left out", "yellow")
        drawn.add_row(kept, Text(_pointer(step)), Text(RULES[step.rule], "dim"))
    return drawn


def _pointer(step: Step) -> str:
    return clipped(step.pointer)


def _summary(verdict: Verification) -> str:
    if not verdict.signatures:
        return "not verified: the card has no signatures"
    if verdict.covered:
        return "verified"
    if verdict.verified:
        return "verified, but security, interfaces, url or skills are not all covered"
    return "not verified"


def _line(signature: SignatureVerdict) -> str:
    told = [f"signature {signature.index}"]
    if signature.alg is not None:
        told.append(f"{signature.alg} by {quote(signature.kid)}")
    told.append(
        f"holds for the profile {signature.profile}" if signature.verified else escaped(signature.reason)
    )
    return ": ".join(told)


def _uncovered(signature: SignatureVerdict) -> Iterator[str]:
    for pointer in signature.uncovered[:_MAX_POINTERS]:
        yield f"does not cover {clipped(pointer)}"
    if len(signature.uncovered) > _MAX_POINTERS:
        yield f"… and {len(signature.uncovered) - _MAX_POINTERS:,} more: --format json has them all"
