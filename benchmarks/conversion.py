"""Conversion between A2A 0.3 and 1.0, compared with the compatibility card of a2a-sdk."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import orjson
from a2a.client.card_resolver import parse_agent_card
from a2a.compat.v0_3.conversions import to_compat_agent_card

from benchmarks.documents import card
from benchmarks.measure import interleaved
from cardwright import Card, convert

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE = 3_000
# Minimum speed-up over a2a-sdk.
BOUND = 5
CONVERSIONS = {"a2a-0.3": "a2a-1.0", "a2a-1.0": "a2a-0.3"}


def with_cardwright(body: bytes, to: str) -> Callable[[], object]:
    return lambda: convert(Card.from_bytes(body), to=to)


def with_everything_read(body: bytes, to: str) -> Callable[[], object]:
    """Return the work for a caller that also reads what the result and the report find on demand."""

    def work() -> object:
        result, report = convert(Card.from_bytes(body), to=to)
        return result.violations, report.losses

    return work


def with_sdk(body: bytes) -> Callable[[], object]:
    """Return the work of a2a-sdk to provide a card for a client that supports 0.3."""
    return lambda: to_compat_agent_card(parse_agent_card(json.loads(body)))


def converting() -> None:
    print("Bytes of a valid card → the card in the other dialect (medians, µs; ! over the limit)")
    print(
        "all: with the result's violations and the report's losses and assumptions, found when they are read\n"
    )
    print(
        f"{'from':10} {'to':10} {'bytes':>6} {'cardwright':>11} {'all':>9} {'a2a-sdk':>9} {'× faster':>9} {'all':>6}"
        f" {'limit':>6}"
    )
    for source, target in CONVERSIONS.items():
        body = orjson.dumps(with_older_interface(card(source, SIZE)))
        original = Card.from_bytes(body)
        result, report = convert(original, to=target)
        if original.violations or not result.valid:
            sys.exit(f"the measured card must be valid: {(*original.violations, *result.violations)[0]}")
        if source == "a2a-1.0" and not report.losses:
            sys.exit("the conversion of the measured card must have losses, so that the report is measured")
        times = interleaved(
            {
                "cardwright": with_cardwright(body, target),
                "all": with_everything_read(body, target),
                "sdk": with_sdk(body),
            }
        )
        faster, with_all = times["sdk"] / times["cardwright"], times["sdk"] / times["all"]
        print(
            f"{source:10} {target:10} {len(body):6,} {times['cardwright']:11.1f} {times['all']:9.1f}"
            f" {times['sdk']:9.1f} {faster:9.1f} {with_all:6.1f} {BOUND:5}×{'!' if faster < BOUND else ' '}"
        )
    print()


def with_older_interface(document: dict[str, Any]) -> dict[str, Any]:
    """Return a 1.0 card with an additional 0.3 interface; a2a-sdk raises without one."""
    first, *others = document.get("supportedInterfaces", [{}])
    if not first:
        return document
    return {**document, "supportedInterfaces": [first, *others, {**first, "protocolVersion": "0.3"}]}
