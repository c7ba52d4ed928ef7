"""Serving a card: ours beside a2a-sdk in Starlette, and beside constant bytes, by the same server."""

from __future__ import annotations

import contextlib

from benchmarks.apps import BYTES
from benchmarks.load import answer, dribbling, missing, running, steady
from benchmarks.servers import SLOW_CLIENTS, floods, serving_with, unchanged

SERVER = "granian"
CONTESTANTS = {"bare": "bare", "a2a-sdk": "a2a_sdk", "cardwright": "cardwright"}
# At least so many times the requests of a2a-sdk, and such a share of those of constant bytes.
SDK_BOUND, BARE_BOUND = 8, 0.85
# Milliseconds, at a steady rate: 200, 304, and 200 while clients dribble.
RATE = 500
BOUNDS = {"200": 10, "304": 5, "slow": 100}


def serving() -> None:
    print(
        f"A card of {BYTES:,} bytes from {SERVER}, a core each for server and load (medians; requests in a second\n"
        "of the server's processor time, p99 in ms;"
        " ! past the bound)\n"
    )
    if lack := missing():
        print(f"skipped: {lack}\n")
        return
    with contextlib.ExitStack() as stack:
        servers = {
            name: stack.enter_context(running(*serving_with(SERVER, factory)))
            for name, factory in CONTESTANTS.items()
        }
        for server in servers.values():
            if (answer(server)[0], answer(server, unchanged(server))[0]) != (200, 304):
                raise RuntimeError(f"the card is not served as it should be: {answer(server)}")
        loads = floods(servers)
        print(f"{'status':8} {'application':12} {'requests/s':>11} {'p99':>7}")
        for kind, status in enumerate(("200", "304")):
            for name in servers:
                load = loads[name][kind]
                print(f"{status:8} {name:12} {load.requests:11,.0f} {load.p99:7.2f}")
        print(f"\n{'status':8} {'× a2a-sdk':>10} {'bound':>7} {'of bare':>9} {'bound':>7}")
        for kind, status in enumerate(("200", "304")):
            bare, sdk, ours = (loads[name][kind].requests for name in CONTESTANTS)
            print(
                f"{status:8} {ours / sdk:10.1f} {SDK_BOUND:6}×{_missed(ours < SDK_BOUND * sdk)}"
                f"{ours / bare:9.0%} {BARE_BOUND:6.0%}{_missed(ours < BARE_BOUND * bare)}"
            )
        ours_alone = servers["cardwright"]
        calm = {
            "200": steady(ours_alone, rate=RATE).p99,
            "304": steady(ours_alone, unchanged(ours_alone), rate=RATE).p99,
        }
        with dribbling(ours_alone, SLOW_CLIENTS):
            calm["slow"] = steady(ours_alone, rate=RATE).p99
    told = {"200": "200", "304": "304", "slow": f"200 beside {SLOW_CLIENTS:,} slow clients"}
    print(f"\n{f'cardwright at {RATE} requests/s':34} {'p99 (ms)':>9} {'bound':>6}")
    for name, p99 in calm.items():
        print(f"{told[name]:34} {p99:9.2f} {BOUNDS[name]:6}{_missed(p99 > BOUNDS[name])}")
    print()


def _missed(missed: bool) -> str:  # noqa: FBT001 - its only argument
    return "!" if missed else " "
