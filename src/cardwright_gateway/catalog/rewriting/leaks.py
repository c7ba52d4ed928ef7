"""Internal hosts that a card still names where rewriting leaves it alone: in texts, and in token URLs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion.notes import below
from cardwright_gateway.upstream.urls import Bases
from cardwright_runtime.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.card import Card

# No report is read further (ours).
MOST_LEAKS: Final = 100
# A text may hold several; quotes, brackets and what ends a sentence are none of a URL's.
_URL: Final = re.compile(r"(?i)\b[a-z][a-z0-9+.-]{0,31}://[^\s\"'<>()`|{}]+")


def leaks(card: Card, public: str, backend: str) -> tuple[Violation, ...]:
    """Return where a card, as the gateway serves it, names an internal host or the agent's own one.

    They are warnings of the rule `gateway/internal-host`; no message has the host. What is at the public
    origin is none. Without a scheme a name is no URL, so `localhost` in a sentence counts for nothing.

    Raises:
        BadBaseURL: If `public` or `backend` is no http or https URL that can be dialled.
    """
    bases = Bases.of(public, backend)
    found: list[Violation] = []
    for pointer, text in _texts(card.document, ""):
        if any(bases.betrays(url) for url in _URL.findall(text)):
            found.append(_leak(pointer))
            if len(found) == MOST_LEAKS:
                break
    return tuple(found)


def _leak(pointer: str) -> Violation:
    why = "a URL here leads to a host of the agent's own network, which callers of the gateway cannot reach"
    mend = "name a public one in the agent's card, or none"
    return Violation("gateway/internal-host", "warning", pointer, f"{why}: {mend}", "project decision")


def _texts(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if type(value) is str:
        yield pointer, value
    elif type(value) is dict:
        for name, inner in value.items():
            yield from _texts(inner, below(pointer, name))
    elif type(value) is list:
        for index, inner in enumerate(value):
            yield from _texts(inner, below(pointer, index))
