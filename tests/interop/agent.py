"""The function behind the agent of the gateway under test."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from cardwright.discovery import Part
from cardwright_gateway import TurnResult
from tests.cards import least_card
from tests.interop.peers.steps import reply

if TYPE_CHECKING:
    from cardwright_gateway import Turn, TurnReporter

LOOPBACK: Final = ("127.0.0.0/8",)
PYTHON: Final = f"{__name__}:answer"
ECHO: Final = f"{__name__}:echo"
CARD: Final = least_card(
    description="Tells when the water is high.",
    capabilities={"streaming": True, "pushNotifications": True},
    skills=[{"id": "high", "name": "High water", "description": "The next high water.", "tags": ["sea"]}],
)


async def answer(turn: Turn, report: TurnReporter) -> TurnResult:
    """Do `task`, `ask` and `wait`; anything else is answered by a message."""
    text = " ".join(part.value for part in turn.parts if part.kind == "text")
    if turn.earlier:
        return TurnResult(parts=(Part("text", f"so it is {text}"),))
    match text:
        case "task":
            await report.parts([Part("text", "high ")])
            await report.parts([Part("text", "water")])
            return TurnResult()
        case "ask":
            return TurnResult(ending="input-required", message="which port?")
        case "wait":
            await report.progress("waiting")
            await asyncio.Event().wait()
        case _:
            pass
    return TurnResult(parts=(Part("text", f"you said {text}"),), alone=True)


async def echo(turn: Turn, _: TurnReporter) -> TurnResult:
    """Tell which parts came in, and send back what the first one names."""
    found = [(part.kind, part.value) for part in turn.parts]
    return TurnResult(parts=tuple(Part(kind, value) for kind, value in reply(found)), alone=True)  # type: ignore[arg-type] # kinds of `Part`
