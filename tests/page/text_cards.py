"""Cards that say one text wherever they can say any."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.page.cards import CARDS, card_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.card import Card

PAYLOADS: dict[str, list[str]] = json.loads((Path(__file__).parent / "xss.json").read_bytes())
ALL = [payload for kind in PAYLOADS.values() for payload in kind]
# What a card must hold so that a reader looks further: these keep their place, and gain the text beside it.
KINDS = {"type"}


def fed(name: str, payload: str) -> Card:
    """Return an example with a text in every field, and a field of that name everywhere."""
    return card_of(name, _everywhere(CARDS[name], payload))


def _everywhere(value: Any, payload: str) -> Any:
    match value:
        case dict():
            named = {
                name: part if name in KINDS else _everywhere(part, payload) for name, part in value.items()
            }
            first = next(iter(value.values()), payload)
            return named | {payload: _everywhere(first, payload)}
        case list():
            return [*(_everywhere(part, payload) for part in value), payload]
        case str():
            return payload
        case _:
            return value


def each_place(name: str, payload: str) -> Iterator[tuple[str, Card]]:
    """Yield the example with the text in one place alone, be it a value or a name; and which place."""
    for path in _paths(CARDS[name]):
        for as_name in (False, True):
            document = copy.deepcopy(CARDS[name])
            *way, last = path
            node: Any = document
            for step in way:
                node = node[step]
            if as_name and isinstance(node, dict):
                node[payload] = node.pop(last)
            elif not as_name:
                node[last] = payload
            else:
                continue
            yield f"{'/'.join(map(str, path))}{' as name' if as_name else ''}", card_of(name, document)


def _paths(value: Any) -> Iterator[list[Any]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in steps:
        yield [step]
        yield from ([step, *below] for below in _paths(part))
