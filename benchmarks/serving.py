"""Serving a card: cardwright, a2a-sdk with Starlette, and constant bytes, on the same server."""

from __future__ import annotations

import contextlib

from benchmarks.apps import BYTES
from benchmarks.load import dribbling, get, missing, running, steady
from benchmarks.servers import SLOW_CLIENTS, floods, serving_with, unchanged

SERVER = "granian"
CONTESTANTS = {"bare": "bare", "a2a-sdk": "a2a_sdk", "cardwright": "cardwright"}
# Minimum multiple of the rate of a2a-sdk, and minimum share of the rate of constant bytes.
SDK_BOUND, BARE_BOUND = 8, 0.85
# Maximum p99 in milliseconds at a steady rate: 200, 304, and 200 with slow clients.
RATE = 500
BOUNDS = {"200": 10, "304": 5, "slow": 100}


def serving() -> None:
    print(
        f"A card of {BYTES:,} bytes from {SERVER}; one core for the server, one for the load (medians; requests per\n"
        "second of CPU time of the server, p99 in ms;"
        " ! over the limit)\n"
    )
    if reason := missing():
        print(f"skipped: {reason}\n")
        return
    with contextlib.ExitStack() as stack:
        servers = {
            name: stack.enter_context(running(*serving_with(SERVER, factory)))
            for name, factory in CONTESTANTS.items()
        }
        for server in servers.values():
            if (get(server)[0], get(server, unchanged(server))[0]) != (200, 304):
                raise RuntimeError(f"unexpected response for the card: {get(server)}")
        loads = floods(servers)
        print(f"{'status':8} {'application':12} {'requests/s':>11} {'p99':>7}")
        for kind, status in enumerate(("200", "304")):
            for name in servers:
                load = loads[name][kind]
                print(f"{status:8} {name:12} {load.requests:11,.0f} {load.p99:7.2f}")
        print(f"\n{'status':8} {'× a2a-sdk':>10} {'limit':>7} {'of bare':>9} {'limit':>7}")
        for kind, status in enumerate(("200", "304")):
            bare, sdk, own = (loads[name][kind].requests for name in CONTESTANTS)
            print(
                f"{status:8} {own / sdk:10.1f} {SDK_BOUND:6}×{_missed(own < SDK_BOUND * sdk)}"
                f"{own / bare:9.0%} {BARE_BOUND:6.0%}{_missed(own < BARE_BOUND * bare)}"
            )
        cardwright_server = servers["cardwright"]
        p99_by_case = {
            "200": steady(cardwright_server, rate=RATE).p99,
            "304": steady(cardwright_server, unchanged(cardwright_server), rate=RATE).p99,
        }
        with dribbling(cardwright_server, SLOW_CLIENTS):
            p99_by_case["slow"] = steady(cardwright_server, rate=RATE).p99
    titles = {"200": "200", "304": "304", "slow": f"200 with {SLOW_CLIENTS:,} slow clients"}
    print(f"\n{f'cardwright at {RATE} requests/s':34} {'p99 (ms)':>9} {'limit':>6}")
    for name, p99 in p99_by_case.items():
        print(f"{titles[name]:34} {p99:9.2f} {BOUNDS[name]:6}{_missed(p99 > BOUNDS[name])}")
    print()


def _missed(missed: bool) -> str:  # noqa: FBT001 - its only argument
    return "!" if missed else " "
