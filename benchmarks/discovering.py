"""Discovery: cost of fetching, validating and storing cards, compared with fetching alone and with a2a-sdk.

For more cards run `python -m benchmarks.discovering [--cards 10000] [--rounds 3]`. Two processes share an SQLite file,
and a PostgreSQL database if CARDWRIGHT_POSTGRESQL names a server that is reachable.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.load import ROOT, free_port
from benchmarks.measure import machine
from benchmarks.origins import CARD_BYTES, sent
from benchmarks.postgresql import temporary_database
from benchmarks.visits import CONCURRENCY, origins
from cardwright.store import CardStore, PeerSettings

if TYPE_CHECKING:
    from collections.abc import Generator

    Figures = dict[str, float]

CARDS, ROUNDS = 3_000, 3
# Minimum speed-up over a2a-sdk of a first look and of an unchanged card, minimum share of the speed of aiohttp alone, and
# maximum share of the first run's time for unchanged cards.
SDK_BOUND, UNCHANGED_SDK_BOUND, BARE_BOUND, UNCHANGED_BOUND = 2.5, 4, 0.4, 0.5
_STARTING_SECONDS: Final = 10
_TITLES: Final = {
    "bare": "aiohttp: fetch",
    "guarded": "guarded client: fetch",
    "sdk": "a2a-sdk: fetch, parse",
    "cardwright": "cardwright: fetch, validate, store",
    "linting": "the same with lint (the default)",
    "unchanged": "cardwright: unchanged",
    "uvloop": "fetch, validate, store: uvloop",
    "uvloop_unchanged": "unchanged: uvloop",
}


def discovering(cards: int = CARDS, rounds: int = ROUNDS) -> None:
    print(
        f"{cards:,} cards of about {CARD_BYTES:,} bytes, each on its own host, {CONCURRENCY} in flight (medians of"
        f" {rounds} rounds;\nratios by CPU time of the client and by wall clock, which includes the process of the origins;"
        " ! over the limit)\n"
    )
    with _serving() as port:
        figures = _visited(port, cards, rounds)
        _table(figures, cards)
        _again(figures)
        _together(port, cards)
    print()


def _visited(port: int, cards: int, rounds: int) -> dict[str, Figures]:
    """Return the medians of every client; the clients take turns."""
    results: dict[str, list[Figures]] = {name: [] for name in _TITLES}
    for _ in range(rounds):
        for client in ("bare", "guarded", "sdk", "cardwright", "linting", "uvloop"):
            with _client(client, port, str(cards)) as process:
                result = _result(process)
            results[client].append(result["first"])
            if unchanged := {"cardwright": "unchanged", "uvloop": "uvloop_unchanged"}.get(client):
                results[unchanged].append(result["unchanged"])
    return {
        name: {key: statistics.median(run[key] for run in runs) for key in runs[0]}
        for name, runs in results.items()
    }


def _table(figures: dict[str, Figures], cards: int) -> None:
    print(
        f"{'client':32} {'cards/s':>8} {'CPU µs':>8}  {'× a2a-sdk':>9} {'clock':>6} {'limit':>6}"
        f"  {'of aiohttp':>10} {'clock':>6} {'limit':>6}"
    )
    bounds = dict.fromkeys(("cardwright", "linting", "uvloop"), SDK_BOUND)
    bounds |= dict.fromkeys(("unchanged", "uvloop_unchanged"), UNCHANGED_SDK_BOUND)
    for name, one in figures.items():
        rate, used = cards / one["seconds"], one["cpu_seconds"] / cards * 1e6
        ahead, ahead_clock = (figures["sdk"][key] / one[key] for key in ("cpu_seconds", "seconds"))
        share, share_clock = (figures["bare"][key] / one[key] for key in ("cpu_seconds", "seconds"))
        sdk_bound = _bound(f"{bounds[name]}×", ahead < bounds[name]) if name in bounds else ""
        bare_bound = _bound(f"{BARE_BOUND:.0%}", share < BARE_BOUND) if name in bounds else ""
        print(
            f"{_TITLES[name]:32} {rate:8,.0f} {used:8,.0f}  {ahead:9.1f} {ahead_clock:6.1f} {sdk_bound:>6}"
            f"  {share:10.0%} {share_clock:6.0%} {bare_bound:>6}"
        )


def _again(figures: dict[str, Figures]) -> None:
    unchanged = figures["unchanged"]
    moved = int(unchanged["body_bytes"])
    print(f"\nunchanged: body bytes transferred {_bound(f'{moved:,}', moved > 0)}")
    for name in ("linting", "cardwright"):
        used, clock = (unchanged[key] / figures[name][key] for key in ("cpu_seconds", "seconds"))
        bound = _bound(f"{UNCHANGED_BOUND:.0%}", used > UNCHANGED_BOUND)
        print(f"           {used:.0%} of '{_TITLES[name]}', {clock:.0%} by wall clock, limit {bound}")


def _together(port: int, cards: int) -> None:
    """Print how fast two processes refresh one database, and check that each card is fetched once."""
    print(
        f"\n{'two processes on one database':32} {'cards/s':>8} {'CPU µs':>8}  {'cards each':>15} {'fetched':>8}"
    )
    with tempfile.TemporaryDirectory() as folder:
        _pair("SQLite", str(Path(folder) / "shared.sqlite"), port, cards)
    with temporary_database() as url:
        if url:
            _pair("PostgreSQL", url, port, cards)
        else:
            print(f"{'PostgreSQL':32} skipped: no server is reachable; set CARDWRIGHT_POSTGRESQL")


def _pair(name: str, store: str, port: int, cards: int) -> None:
    with CardStore.open(store) as opened:
        opened.add(PeerSettings(url) for url in origins(port, cards))
    with _client("shared", port, store) as one, _client("shared", port, store) as other:
        for process in (one, other):
            _result(process)
        before, begin = sent(port)["bodies"], time.perf_counter()
        for process in (one, other):
            assert process.stdin is not None  # noqa: S101 - a pipe
            process.stdin.write("go\n")
            process.stdin.flush()
        results = [_result(process)["first"] for process in (one, other)]
        rate = cards / (time.perf_counter() - begin)
        fetched = sent(port)["bodies"] - before
    used = sum(figures["cpu_seconds"] for figures in results) / cards * 1e6
    shares = " + ".join(f"{int(figures['cards']):,}" for figures in results)
    print(f"{name:32} {rate:8,.0f} {used:8,.0f}  {shares:>15} {_bound(f'{fetched:,}', fetched != cards):>8}")


def _bound(text: str, missed: bool) -> str:  # noqa: FBT001 - its only option
    return text + ("!" if missed else " ")


def _result(process: subprocess.Popen[str]) -> dict[str, Figures]:
    assert process.stdout is not None  # noqa: S101 - a pipe
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"a client ended without a result: {process.args!r}")
    result: dict[str, Figures] = json.loads(line)
    return result


@contextlib.contextmanager
def _client(client: str, port: int, rest: str) -> Generator[subprocess.Popen[str]]:
    with _process("benchmarks.visits", client, str(port), rest) as process:
        yield process
        process.wait()


@contextlib.contextmanager
def _serving() -> Generator[int]:
    """Run the process with all origins until the block ends."""
    port = free_port()
    with _process("benchmarks.origins", str(port)):
        end = time.monotonic() + _STARTING_SECONDS
        while True:
            try:
                sent(port)
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
        yield port


@contextlib.contextmanager
def _process(module: str, *arguments: str) -> Generator[subprocess.Popen[str]]:
    process = subprocess.Popen(  # noqa: S603 - modules of this project
        (sys.executable, "-m", module, *arguments),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.terminate()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    print(machine(), "\n")
    discovering(arguments.cards, arguments.rounds)
