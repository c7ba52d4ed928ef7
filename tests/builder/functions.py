"""Functions of an agent, as developers write them."""

from __future__ import annotations

import dataclasses
import enum
import functools
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from cardwright import build_agent_card
from cardwright.builder import capability, skill

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from nowhere import Context  # type: ignore[import-not-found] # only a type checker would see it

    from cardwright import Card

REQUIRED: Any = {
    "name": "Harbour",
    "description": "Finds and holds berths.",
    "version": "1.0.0",
    "url": "https://harbour.example.com/a2a",
}
SKILL: Any = {"id": "times", "name": "Times", "description": "Finds times.", "tags": ["sea"]}
BEACH: Any = {
    "id": "harbour",
    "name": "Harbour",
    "description": "Finds and holds berths.",
    "version": "1.0.0",
    "capabilities": [{"id": "times", "description": "Finds times."}],
    "transports": [{"protocol": "a2a", "endpoint": "https://harbour.example.com/a2a"}],
}


def build(**given: Any) -> Card:
    """Build a card of arguments that no type checker is to look at."""
    return build_agent_card(**given)


class Kind(enum.Enum):
    YACHT = "yacht"
    COASTER = "coaster"


class Port(TypedDict):
    name: str
    zone: int


@dataclasses.dataclass
class Berth:
    id: str
    length: float = 12.0


class Area(BaseModel):
    """A part of the harbour."""

    parts: list[Area] = []


class Spot(NamedTuple):
    north: float
    east: float


class Opaque:
    """No JSON Schema says what this is."""


def high_water(port: str, days: int = 1) -> list[str]:
    """Finds times of high water."""
    return [port] * days


@skill(tags=["sea"], exclude=["ctx"])
async def find_berths(
    ctx: Context,
    port: Port,
    kind: Kind = Kind.YACHT,
    mode: Literal["fast", "slow"] = "fast",
    length: Annotated[float, Field(ge=0)] = 1.5,
    note: Annotated[str | None, Field(description="Text of the field.")] = None,
    schema: int = 0,
    log: Path = Path("/var/log"),
    mark: object = dataclasses.MISSING,
    most: float = float("inf"),
) -> list[Berth]:
    """Finds free berths
    in a port.

    More that no card needs.

    Args:
        ctx: What the framework gives.
        port: Where to look.
        length (float): Of the vessel, in
            metres.
        note: Text of the docstring.

    Returns:
        The berths.

    Examples:
        - Is there a berth
          for a yacht tonight?
        "Two berths in Oban"
    """
    return [Berth(port["name"], length)]


class BerthBooking:
    def hold(self, berth: str) -> bool:
        """Holds a berth."""
        return bool(berth)

    @staticmethod
    def areas(area: Area) -> Area:
        """Gives the areas."""
        return area

    @classmethod
    def spots(cls, spot: Spot) -> list[Spot]:
        """Gives the spots."""
        return [spot]


def booked(berth: str, *, api_key: str, nights: int = 1) -> str:
    """Books a berth."""
    return f"{berth}{api_key}{nights}"


book = functools.partial(booked, api_key="hunter2")


def wrapping(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return inner


@wrapping
@skill(tags=["inner"])
def wrapped(port: str) -> str:
    """Is wrapped."""
    return port


@capability(required_scopes=["berths:write"])
@skill(tags=["both"])
def both(port: str) -> str:
    """Is both."""
    return port


def interactive(port: str) -> str:
    """Has examples for who reads the code.

    Example:
        >>> interactive("Oban")
        'Oban'
    """
    return port


def untyped(port, days=3):  # type: ignore[no-untyped-def] # on purpose  # noqa: ANN001, ANN201
    """Says no types."""
    return port * days


# What no card can describe


def bare(port: str) -> str:
    return port


def positional(port: str, /) -> str:
    """Takes it by position."""
    return port


def many(*ports: str) -> str:
    """Takes many."""
    return "".join(ports)


def anything(**words: str) -> str:
    """Takes anything."""
    return "".join(words)


def unresolved(port: Nowhere) -> str:  # type: ignore[name-defined] # on purpose  # noqa: F821
    """Has a type that is nowhere."""
    return str(port)


def opaque(port: Opaque) -> str:
    """Takes what has no schema."""
    return str(port)


async def stream(port: str) -> AsyncIterator[str]:
    """Gives one after the other."""
    yield port


def gives_opaque(port: str) -> Opaque:
    """Gives what has no schema."""
    raise LookupError(port)


def patterned(port: Annotated[str, Field(pattern="(")]) -> str:
    """Has an invalid pattern."""
    return port


def twice(port: Annotated[str, Field(alias="at")], at: str) -> str:
    """Asks for two things by one name."""
    return port + at


def aliased(port: Annotated[str, Field(alias="from")], copy: int = 2) -> str:
    """Asks by the name that its field has."""
    return port * copy
