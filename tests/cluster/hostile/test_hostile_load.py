"""A gateway under random hostile requests still serves others, with limited memory.

How long others waited is printed only, because the attackers share the processors: `benchmarks/hostile.py` measures it.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import Counter
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.cluster.hostile.length import SEED, seconds_of
from tests.cluster.hostile.watching import Watch, watched
from tests.cluster.replicas import ROOT, Cluster, Replica, cluster, command_environ, function
from tests.gateway.faulty_agents import CARD, SECRET, WAYS, card, served
from tests.gateway.gateways import CARD as OWN_CARD
from tests.peers import RecordedRequest, Reply, peer

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

SECONDS: Final = seconds_of("requests")
_ATTACKERS: Final = 2
_TOKEN: Final = "a-worker-s-token-of-30-letters"  # noqa: S105 - no secret of anybody
# The bodies of running requests (256 MiB by default), and what their values take.
_ADDED_BYTES: Final = 768 * 1024 * 1024
_ENOUGH: Final = 5


def test_callers_are_served_during_an_attack(tmp_path: Path) -> None:
    watch, reports, log, files = asyncio.run(_attacked(tmp_path))
    answers: Counter[str] = Counter()
    for one in reports:
        answers.update(one["answers"])
    slowest = sorted((tuple(slow) for one in reports for slow in one["slowest"]), reverse=True)[:_ENOUGH]
    print(  # noqa: T201 - the measurement, for `pytest -s`
        f"\nseed {SEED}, {SECONDS:.0f} s: {watch}; open files {files}; answers {dict(answers.most_common())}; "
        f"others waited longest (when, seconds) {watch.slow[:_ENOUGH]}; slowest attacks (seconds, when) {slowest}"
    )
    findings = [finding for one in reports for finding in one["findings"]]
    assert not findings, (SEED, findings[:_ENOUGH])
    assert not watch.wrong, (SEED, watch.wrong[:_ENOUGH])
    assert "Traceback" not in log, (SEED, log[log.index("Traceback") - 500 :][:3_000])
    assert max(watch.memory) - watch.memory[0] < _ADDED_BYTES, (SEED, str(watch))
    # Every kind of request was tried, and the connections are closed again.
    assert {"200", "400", "401", "404", "405", "413"} <= set(answers), answers
    assert files[1] - files[0] < 100, files


async def _attacked(folder: Path) -> tuple[Watch, list[dict[str, Any]], str, tuple[int, int]]:
    """Return the measurements, the attackers' reports, the log, and the open files before and after."""
    decide = random.Random(SEED)  # noqa: S311 - no cryptography
    async with _misbehaving(decide) as origin, _gateway(folder, origin) as (of, at):
        own, attacked = of.caller("calm"), of.caller("keyed")
        secrets = (SECRET, _TOKEN, own.key, origin.removeprefix("http://"), str(folder))
        async with watched(
            at.origin, at.popen.pid, "calm", {"X-Agent-API-Key": own.key}, pause=0.05
        ) as watch:
            await asyncio.sleep(1.0)
            files = _open_files(at)
            attackers = [await _attacker(at, attacked.key, SEED + one, secrets) for one in range(_ATTACKERS)]
            printed = await asyncio.gather(*(one.communicate() for one in attackers))
        assert all(one.returncode == 0 for one in attackers), printed
        await asyncio.sleep(3.0)
        after = _open_files(at)
        # It ends as it should, too.
        at.popen.terminate()
        assert at.popen.wait(30) in (0, -15, 143)
        reports = [json.loads(output) for output, _ in printed]
        return watch, reports, at.log.read_text(errors="replace"), (files, after)


@asynccontextmanager
async def _gateway(folder: Path, origin: str) -> AsyncGenerator[tuple[Cluster, Replica]]:
    agents = {
        "calm": function("answer"), "keyed": function("answer", invoke=True),
        "open": {**function("answer"), "access": "open"},
        "queued": {"card": OWN_CARD, "backend": {"queue": {"token": _TOKEN}}, "owner": "acme", "access": "open"},
        "behind": {"url": origin}, "broken": {"url": "http://127.0.0.1:9"},
    }  # fmt: skip
    store = str(folder / "gateway.db")
    async with cluster(folder, store, agents) as of:
        yield of, await of.start()


@asynccontextmanager
async def _misbehaving(decide: random.Random) -> AsyncGenerator[str]:
    """Run an agent with a valid card and mostly invalid responses."""
    origin = ""

    async def answer(request: RecordedRequest) -> Reply:
        if request.path == CARD:
            return served(card(origin))
        await asyncio.sleep(decide.choice((0, 0, 0, 0.05, 1.0)))
        if decide.random() < 0.3:
            message = {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "hello"}]}
            return served({"jsonrpc": "2.0", "id": 1, "result": {"message": message}})
        return decide.choice(list(WAYS.values()))(origin)

    async with peer(answer) as running:
        origin = running.origin
        yield origin


async def _attacker(at: Replica, key: str, seed: int, secrets: tuple[str, ...]) -> asyncio.subprocess.Process:
    options = [option for secret in secrets for option in ("--secret", secret)]
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.cluster.hostile.attacking", *options),
        *(
            "--port",
            at.origin.rpartition(":")[2],
            "--key",
            key,
            "--seed",
            str(seed),
            "--seconds",
            str(SECONDS),
        ),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=ROOT,
        env=command_environ(),
    )


def _open_files(at: Replica) -> int:
    """Return how many files and connections the worker has."""
    children = Path(f"/proc/{at.popen.pid}/task/{at.popen.pid}/children").read_text(encoding="ascii").split()
    return sum(len(list(Path(f"/proc/{child}/fd").iterdir())) for child in children)
