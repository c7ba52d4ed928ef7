"""A gateway under hostile gRPC streams still answers others, with limited memory."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from cardwright.serve.listening import free_port
from tests.cluster.hostile.grpc_streams import Streams, calls
from tests.cluster.hostile.length import SEED, seconds_of
from tests.cluster.hostile.watching import watched
from tests.cluster.replicas import cluster, function
from tests.gateway.grpc_gateways import HOST, VERSION, message, stub

if TYPE_CHECKING:
    from pathlib import Path

# With at most 60 streams each: 4,096 calls at one time are all that the server has, for every caller.
_CONNECTIONS = 16
_ADDED_BYTES = 512 * 1024 * 1024
# Callers without credentials may wait for the silent streams of other addresses (30 s, then DEADLINE_EXCEEDED).
_SECONDS = 40.0


async def test_callers_of_grpc_are_answered_during_an_attack(tmp_path: Path) -> None:
    port = free_port(HOST, 0)
    agents = {"calm": function("answer"), "open": {**function("answer"), "access": "open"}}
    streams = Streams(port, SEED)
    waits, stranger_waits, ends, stranger_ends = [0.0], [0.0], Counter[str](), Counter[str]()
    address = f"{HOST}:{port}"
    grpc = {"port": port, "address": address}
    async with (
        cluster(tmp_path, str(tmp_path / "gateway.db"), agents, grpc=grpc) as of,
        stub(address) as agent,
    ):
        at = await of.start()
        own = of.caller("calm").key
        key = ("x-agent-api-key", own)
        async with watched(at.origin, at.popen.pid, "calm", {key[0]: own}, pause=0.05) as watch:
            running = [
                asyncio.create_task(calls(agent, message("two words", "calm"), [VERSION, key], waits, ends)),
                asyncio.create_task(
                    calls(agent, message("two words", "open"), [VERSION], stranger_waits, stranger_ends)
                ),
                *(asyncio.create_task(streams.run()) for _ in range(_CONNECTIONS)),
            ]
            await asyncio.wait(running, timeout=seconds_of("grpc"), return_when=asyncio.FIRST_EXCEPTION)
            for task in running:
                task.cancel()
            ended = await asyncio.gather(*running, return_exceptions=True)
        log = at.log.read_text(errors="replace")
    print(  # noqa: T201 - the measurement, for `pytest -s`
        f"\nseed {SEED}: {streams.kinds}; with a key {ends}, at most {max(waits):.1f} s; without {stranger_ends}, "
        f"at most {max(stranger_waits):.1f} s; {watch}"
    )
    assert all(isinstance(one, asyncio.CancelledError) for one in ended), (SEED, ended)
    assert not streams.findings, (SEED, streams.findings[:5])
    assert not watch.wrong, (SEED, watch.wrong[:5])
    assert "Traceback" not in log, (SEED, log[log.index("Traceback") - 500 :][:3_000])
    assert set(ends) == {"OK"}, (SEED, ends)
    assert set(stranger_ends) <= {"OK", "DEADLINE_EXCEEDED"}, (SEED, stranger_ends)
    assert max(waits + stranger_waits) < _SECONDS, (SEED, max(waits), max(stranger_waits))
    assert max(watch.memory) - watch.memory[0] < _ADDED_BYTES, (SEED, str(watch))
