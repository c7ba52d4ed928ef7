"""Validation: bytes of distinct cards → strict decode, dialect, every violation; beside orjson.loads and a2a-sdk.

`python -m benchmarks.validating FOLDER…` measures the cards in folders, such as real ones, by their number of violations.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
from a2a.client.card_resolver import parse_agent_card
from a2a.utils.proto_utils import validate_proto_required_fields

from benchmarks.documents import distinct
from benchmarks.measure import interleaved, machine
from cardwright import Card, Checks
from cardwright.errors import CardError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COUNT = 40
TEXT = Checks(rules=("text",))
DIALECTS = ("a2a-1.0", "a2a-0.3", "a2a-0.2", "a2a-hybrid", "beach-1.0")
SPELLINGS: dict[str, Callable[[Any], bytes]] = {
    "compact": orjson.dumps,
    "two spaces": lambda value: orjson.dumps(value, option=orjson.OPT_INDENT_2),
    "four spaces": lambda value: json.dumps(value, indent=4).encode(),
    "json.dumps": lambda value: json.dumps(value).encode(),
}
# By size: the maximum multiple of orjson.loads, and the minimum speed-up over a2a-sdk.
BOUNDS = {3_000: (3, 15), 100_000: (4, 7)}
# Real cards by their number of violations, with the maximum multiple of orjson.loads.
GROUPS = {"none": (0, 0, 3), "1 or 2": (1, 2, 5), "3 to 9": (3, 9, 5), "10 and more": (10, 1_000, 5)}
# The first validation in a process compiles the schemas: milliseconds, and MiB of memory.
_FIRST = """
import sys, time
from cardwright import Card, Checks
def resident(): return int(open("/proc/self/statm").read().split()[1]) / 256
checks = Checks(rules=sys.argv[2:])
body = open(sys.argv[1], "rb").read()
before, start = resident(), time.perf_counter()
Card.from_bytes(body, checks=checks)
print((time.perf_counter() - start) * 1_000, resident() - before)
"""
EXAMPLE = Path(__file__).parents[1] / "examples/a2a-1.0.card.json"


def validating() -> None:
    """Print the tables of made cards."""
    print(
        "Bytes of a valid card → strict decode, dialect, every violation: 40 distinct cards (medians, µs; ! limit)\n"
    )
    print(_HEADER)
    for size, bounds in BOUNDS.items():
        for dialect in DIALECTS:
            for german in (False, True) if dialect == "a2a-1.0" else (False,):
                documents = distinct(dialect, size, COUNT, german=german)
                for spelling, write in SPELLINGS.items():
                    bodies = [write(document) for document in documents]
                    if violations := Card.from_bytes(bodies[0]).violations:
                        sys.exit(f"the measured card must be valid: {violations[0]}")
                    _row(dialect + (", umlauts" if german else ""), spelling, bodies, bounds)
    print()
    first()


def first() -> None:
    """Print the cost of the first validation in a process."""
    for rules in ((), ("text",)):
        made = [_run(rules) for _ in range(5)]
        time, memory = sorted(made)[2]
        print(
            f"first card of a process, text rules {'on' if rules else 'off':4} {time:6.1f} ms {memory:5.1f} MiB"
        )
    print()


def real(folders: Sequence[str]) -> None:
    """Print the tables of the cards in folders."""
    files = sorted(file for folder in folders for file in Path(folder).rglob("*.json"))
    cards: list[tuple[bytes, int]] = []
    for file in files:
        body = file.read_bytes()
        try:
            cards.append((body, len(Card.from_bytes(body).violations)))
        except CardError:
            continue
    print(
        f"{len(cards)} of {len(files)} files are cards (medians over rounds of all cards of a group, µs a card)\n"
    )
    print(_HEADER)
    for name, (least, most, bound) in GROUPS.items():
        bodies = [body for body, count in cards if least <= count <= most]
        if bodies:
            _row("real cards", f"{name}, {len(bodies)}", bodies, (bound, 0))
    print()


_HEADER = (
    f"{'card':18} {'spelling':16} {'bytes':>8} {'orjson.loads':>13} {'cardwright':>11} {'× loads':>8} {'limit':>6}"
    f" {'text rules':>11} {'× loads':>8} {'a2a-sdk':>9} {'× faster':>8} {'limit':>6}"
)


def _row(name: str, spelling: str, bodies: Sequence[bytes], bounds: tuple[float, float]) -> None:
    contestants = {
        "loads": _each(orjson.loads, bodies),
        "cardwright": _each(lambda body: Card.from_bytes(body).violations, bodies),
        "text": _each(lambda body: Card.from_bytes(body, checks=TEXT).violations, bodies),
    }
    # a2a-sdk cannot read Beach cards, and raises for most invalid ones.
    if bounds[1] and not name.startswith("beach"):
        contestants["sdk"] = _each(_with_sdk, bodies)
    times = {key: time / len(bodies) for key, time in interleaved(contestants, rounds=15).items()}
    slower, text = times["cardwright"] / times["loads"], times["text"] / times["loads"]
    size = sum(map(len, bodies)) // len(bodies)
    print(
        f"{name:18} {spelling:16} {size:8,} {times['loads']:13.2f} {times['cardwright']:11.2f} {slower:8.2f}"
        f" {bounds[0]:5}×{'!' if slower > bounds[0] else ' '}{times['text']:11.2f} {text:8.2f}",
        end="",
    )
    if "sdk" in times:
        faster = times["sdk"] / times["cardwright"]
        print(f" {times['sdk']:9.1f} {faster:8.1f} {bounds[1]:5}×{'!' if faster < bounds[1] else ''}", end="")
    print()


def _each(work: Callable[[bytes], object], bodies: Sequence[bytes]) -> Callable[[], object]:
    """Return the work on all bodies: no text is read twice in a row, as a cache would like."""

    def run() -> None:
        for body in bodies:
            work(body)

    return run


def _with_sdk(body: bytes) -> None:
    """Decode, convert and parse a card and check its required fields, as a2a-sdk does."""
    validate_proto_required_fields(parse_agent_card(json.loads(body)))


def _run(rules: Sequence[str]) -> tuple[float, float]:
    command = [sys.executable, "-c", _FIRST, str(EXAMPLE), *rules]
    made = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - a fixed command
    time, memory = map(float, made.stdout.split())
    return time, memory


if __name__ == "__main__":
    print(machine(), "\n")
    if sys.argv[1:]:
        real(sys.argv[1:])
    else:
        validating()
