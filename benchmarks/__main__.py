"""`make bench`: run all benchmarks and print their tables."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import orjson
from a2a.client.card_resolver import parse_agent_card
from a2a.utils.proto_utils import validate_proto_required_fields

from benchmarks.conversion import converting
from benchmarks.discovering import discovering
from benchmarks.documents import card
from benchmarks.enveloping import enveloping
from benchmarks.gateway import gateway
from benchmarks.measure import interleaved, machine
from benchmarks.servers import servers
from benchmarks.serving import serving
from benchmarks.signing import signing
from benchmarks.starting import starting
from benchmarks.storing import storing
from cardwright import Card

if TYPE_CHECKING:
    from collections.abc import Callable

SPELLINGS: dict[str, Callable[[Any], bytes]] = {
    "compact": orjson.dumps,
    "two spaces": lambda value: orjson.dumps(value, option=orjson.OPT_INDENT_2),
    "four spaces": lambda value: json.dumps(value, indent=4).encode(),
    "json.dumps": lambda value: json.dumps(value).encode(),
}
# By size: the maximum multiple of orjson.loads, and the minimum speed-up over a2a-sdk.
BOUNDS = {3_000: {"canonical": (5, 15), "other": (9, 10)}, 100_000: {"canonical": (9, 7), "other": (9, 7)}}


def read_and_validate(body: bytes) -> Callable[[], object]:
    return lambda: Card.from_bytes(body).violations


def sdk(body: bytes) -> Callable[[], object]:
    """Return the work of a2a-sdk for the same bytes: decode, convert, parse, check required fields."""

    def read() -> None:
        validate_proto_required_fields(parse_agent_card(json.loads(body)))

    return read


def reading() -> None:
    print("Bytes of a valid card → strict decode, dialect, every violation (medians, µs; ! over the limit)\n")
    print(
        f"{'card':18} {'spelling':12} {'bytes':>8} {'orjson.loads':>13} {'cardwright':>11} {'a2a-sdk':>9}"
        f" {'× loads':>8} {'limit':>6}  {'× faster':>8} {'limit':>6}  {'prose lint':>11}"
    )
    for size, bounds in BOUNDS.items():
        for dialect in ("a2a-1.0", "a2a-0.3", "a2a-0.2", "a2a-hybrid", "beach-1.0"):
            for german in (False, True) if dialect == "a2a-1.0" else (False,):
                document = card(dialect, size, german=german)
                for spelling, write in SPELLINGS.items():
                    body = write(document)
                    if violations := Card.from_bytes(body).violations:
                        sys.exit(f"the measured card must be valid: {violations[0]}")
                    bound = bounds["canonical" if spelling in ("compact", "two spaces") else "other"]
                    row(dialect + (", umlauts" if german else ""), spelling, body, bound)
    print()


def row(name: str, spelling: str, body: bytes, bound: tuple[int, int]) -> None:
    contestants: dict[str, Callable[[], object]] = {
        "loads": lambda: orjson.loads(body),
        "cardwright": read_and_validate(body),
        "prose": lambda: Card.from_bytes(body).violations,
    }
    # a2a-sdk cannot read Beach cards.
    if not name.startswith("beach"):
        contestants["sdk"] = sdk(body)
    times = interleaved(contestants)
    slower = times["cardwright"] / times["loads"]
    faster = times["sdk"] / times["cardwright"] if "sdk" in times else None
    peer = f"{times['sdk']:9.1f}" if faster else f"{'–':>9}"
    ahead = (
        f"{faster:8.1f} {bound[1]:5}×{'!' if faster < bound[1] else ' '}" if faster else f"{'–':>8} {'–':>6} "
    )
    print(
        f"{name:18} {spelling:12} {len(body):8,} {times['loads']:13.2f} {times['cardwright']:11.2f} {peer}"
        f" {slower:8.2f} {bound[0]:5}×{'!' if slower > bound[0] else ' '} {ahead} {times['prose'] - times['cardwright']:11.1f}"
    )


if __name__ == "__main__":
    print(machine(), "\n")
    reading()
    converting()
    signing()
    starting()
    servers()
    serving()
    discovering()
    storing()
    enveloping()
    gateway()
