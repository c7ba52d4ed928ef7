"""Find internal hosts that remain in a rewritten card: in texts and in token URLs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion.notes import below
from cardwright_gateway.upstream.urls import Bases
from cardwright_runtime.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.card import Card

# The maximum number of reported leaks (project decision).
MAX_LEAKS: Final = 100
# A text may contain several URLs; quotes and brackets end a URL.
_URL: Final = re.compile(r"(?i)\b[a-z][a-z0-9+.-]{0,31}://[^\s\"'<>()`|{}]+")


def leaks(card: Card, public: str, backend: str) -> tuple[Violation, ...]:
    """Return where a served card contains an internal host or the upstream agent's host.

    They are warnings of the rule `gateway/internal-host`, without the host in the message. URLs at the public
    origin are allowed. Only URLs with a scheme count, so `localhost` in a sentence is ignored.

    Raises:
        BadBaseURL: If `public` or `backend` is not a usable http or https URL.
    """
    bases = Bases.of(public, backend)
    found: list[Violation] = []
    for pointer, text in _texts(card.document, ""):
        if any(bases.bypasses_gateway(url) for url in _URL.findall(text)):
            found.append(_leak(pointer))
            if len(found) == MAX_LEAKS:
                break
    return tuple(found)


def _leak(pointer: str) -> Violation:
    message = (
        "contains a URL with a host of the agent's internal network, which callers cannot reach;"
        " use a public URL in the agent's card, or remove it"
    )
    return Violation("gateway/internal-host", "warning", pointer, message, "project decision")


def _texts(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if type(value) is str:
        yield pointer, value
    elif type(value) is dict:
        for name, inner in value.items():
            yield from _texts(inner, below(pointer, name))
    elif type(value) is list:
        for index, inner in enumerate(value):
            yield from _texts(inner, below(pointer, index))
