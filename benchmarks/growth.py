"""Growth: cost and memory against size, each point in a process of its own, and a picture of them.

`python -m benchmarks.growth` measures cards of 1 KB to 10 MB, gateways with 10 to 10,000 agents and registries with 10³
to 10⁵ cards, prints the tables and writes `docs/pages/explanation/growth.svg`; with `--largest 1000000` to 10⁶, in a
quarter of an hour.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import tracemalloc
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from benchmarks.documents import card
from benchmarks.growth_picture import Curve, Panel, picture
from benchmarks.load import free_port, gateway_command
from benchmarks.measure import machine

if TYPE_CHECKING:
    from collections.abc import Iterator

CARDS: Final = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
AGENTS: Final = (10, 100, 1_000, 10_000)
REGISTRIES: Final = (1_000, 10_000, 100_000, 1_000_000)
PICTURE: Final = Path(__file__).parents[1] / "docs/pages/explanation/growth.svg"
_BATCH: Final = 500
_READS: Final = 200
_START_SECONDS: Final = 120


def measure_card(size: int) -> dict[str, float]:
    """Return milliseconds of `Card.from_bytes`, of orjson.loads, and MiB of memory at its peak."""
    from cardwright import Card, Checks, Limits

    # A card has at most 1,024 skills: a larger one has longer examples.
    document = card("a2a-1.0", min(size, 100_000))
    skills = document["skills"]
    while len(orjson.dumps(document)) < size:
        for skill in skills:
            skill["examples"].append("When does the next boat leave for the island? " * 20)
    body = orjson.dumps(document, option=orjson.OPT_INDENT_2)
    checks = Checks(limits=Limits(max_bytes=2**30, max_values=2**30, max_members=2**30))
    Card.from_bytes(body, checks=checks)
    return {
        "ms": _fastest(lambda: Card.from_bytes(body, checks=checks)),
        "orjson ms": _fastest(lambda: orjson.loads(body)),
        "MiB": _peak(lambda: Card.from_bytes(body, checks=checks)),
    }


def measure_agents(count: int) -> dict[str, float]:
    """Return seconds until `cardwright gateway` answers, milliseconds of its catalogue, and MiB of its worker."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "gateway.json"
        agents = {f"agent-{number:05}": {"url": f"http://127.0.0.1:1/{number}"} for number in range(count)}
        settings = {"base_url": "https://gateway.example.com", "store": ":memory:", "agents": agents}
        config.write_text(json.dumps(settings), encoding="utf-8")
        port = free_port()
        command = gateway_command(config, port)
        start = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:  # noqa: S603 - a fixed command
            try:
                _answered(port, "/healthz")
                started = time.perf_counter() - start
                first = _answered(port, "/.well-known/ai-catalog.json")
                again = min(_answered(port, "/.well-known/ai-catalog.json") for _ in range(5))
                memory = max(map(_resident, _family(process.pid)))
            finally:
                process.send_signal(signal.SIGTERM)
    return {"start s": started, "catalogue ms": first, "catalogue again ms": again, "MiB": memory}


def measure_registry(count: int) -> dict[str, float]:
    """Return µs to write a card, ms of a search at its 99th percentile, KiB on disk a card, and MiB of the process."""
    from cardwright.card import Card
    from cardwright.store import CardStore, FetchRecord, Observation, PeerSettings, Query

    with tempfile.TemporaryDirectory() as folder, CardStore.open(f"{folder}/cards.sqlite") as store:
        urls = [f"https://harbour-{number}.example.com" for number in range(count)]
        store.add(PeerSettings(url, source="file") for url in urls)
        spent = 0.0
        for at in range(0, count, _BATCH):
            seen = []
            for number in range(at, min(at + _BATCH, count)):
                document = card("a2a-1.0", 1_500)
                document["name"] = f"Ferry Desk {number}"
                document["skills"][0]["tags"].append(f"group-{number % 100}")
                body = orjson.dumps(document)
                fetched = FetchRecord(f"{urls[number]}/.well-known/agent-card.json", 1_000.0, 200, ())
                seen.append(
                    Observation(
                        urls[number],
                        1_000.0,
                        9_000.0,
                        1e12,
                        "new",
                        fetched,
                        body,
                        Card.from_bytes(body),
                        f"agent-{number}",
                    )
                )
            begin = time.perf_counter()
            store.record(seen)
            spent += time.perf_counter() - begin
        times = sorted(
            _timed(lambda number=number: store.search(Query(f"fares weather desk {number % count}")))
            for number in range(_READS)
        )
        disk = sum(file.stat().st_size for file in Path(folder).iterdir())
        return {
            "µs a new card": spent / count * 1e6,
            "search p99 ms": times[-2] * 1_000,
            "KiB a card": disk / count / 1024,
            "MiB": _resident(os.getpid()),
        }


MEASURES: Final = {"card": measure_card, "agents": measure_agents, "registry": measure_registry}


def growing(largest: int) -> None:
    """Print the tables and write the picture."""
    print(machine(), "\n")
    cards = _table("card", "bytes of a card", CARDS)
    agents = _table("agents", "agents of a gateway", AGENTS)
    registry = _table("registry", "cards of a registry", [size for size in REGISTRIES if size <= largest])
    panels = [
        Panel("Validating a card", "bytes", "ms", _curves(cards, "ms", "orjson ms"), _curve(cards, "MiB")),
        Panel(
            "A gateway",
            "agents",
            "ms",
            [
                Curve("start", [(size, row["start s"] * 1_000) for size, row in agents]),
                *_curves(agents, "catalogue ms", "catalogue again ms"),
            ],
            _curve(agents, "MiB"),
        ),
        Panel(
            "A registry in SQLite",
            "cards",
            "ms",
            [
                Curve("a new card", [(size, row["µs a new card"] / 1_000) for size, row in registry]),
                *_curves(registry, "search p99 ms"),
            ],
            _curve(registry, "MiB"),
        ),
    ]
    PICTURE.write_text(picture(panels), encoding="utf-8")
    print(f"wrote {PICTURE.name}")


def _table(kind: str, title: str, sizes: Any) -> list[tuple[int, dict[str, float]]]:
    rows: list[tuple[int, dict[str, float]]] = []
    for size in sizes:
        command = (sys.executable, "-m", "benchmarks.growth", "--measure", kind, "--size", str(size))
        made = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - a fixed command
        row = json.loads(made.stdout)
        if not rows:
            print(f"{title:>20} " + " ".join(f"{name:>18}" for name in row))
        print(f"{size:20,} " + " ".join(f"{value:18,.2f}" for value in row.values()), flush=True)
        rows.append((size, row))
    print()
    return rows


def _curve(rows: list[tuple[int, dict[str, float]]], name: str) -> Curve:
    return Curve(name.removesuffix(" ms"), [(size, row[name]) for size, row in rows])


def _curves(rows: list[tuple[int, dict[str, float]]], *names: str) -> list[Curve]:
    return [
        Curve("validation", _curve(rows, name).points) if name == "ms" else _curve(rows, name)
        for name in names
    ]


def _fastest(call: Any) -> float:
    return min(_timed(call) for _ in range(5)) * 1_000


def _timed(call: Any) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _peak(call: Any) -> float:
    """Return how many MiB Python's objects take at most during a call."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return peak


def _answered(port: int, path: str) -> float:
    """Return the milliseconds of a response; waits until the server listens."""
    end = time.monotonic() + _START_SECONDS
    while True:
        start = time.perf_counter()
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as response:
                response.read()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
        else:
            return (time.perf_counter() - start) * 1_000


def _family(process: int) -> Iterator[int]:
    yield process
    for child in Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split():
        yield from _family(int(child))


def _resident(process: int) -> float:
    """Return the memory of a process in MiB."""
    pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=100_000)
    parser.add_argument("--measure", choices=sorted(MEASURES))
    parser.add_argument("--size", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(MEASURES[arguments.measure](arguments.size)))
    else:
        growing(arguments.largest)
