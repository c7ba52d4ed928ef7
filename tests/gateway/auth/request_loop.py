"""Process that sends one caller's requests as fast as possible and prints how many were admitted.

`python -m tests.gateway.auth.request_loop REDIS PROCESSES TRIES`; it begins when a line comes in.
"""

from __future__ import annotations

import asyncio
import json
import sys

from cardwright.http.problem import HttpError
from cardwright_gateway.auth import Limiter
from cardwright_gateway.auth.principal import Principal
from cardwright_gateway_models.settings.gateway import LimitSettings

CALLER = Principal("key", "key:shared", "ada", "shared")


async def main(redis: str, processes: int, tries: int) -> None:
    """Send requests without a pause."""
    limiter = Limiter(LimitSettings(redis=redis, processes=processes))
    admitted = 0
    afters: set[int] = set()
    # The connection and the script exist before the count starts.
    await limiter.admit("warm-up", CALLER, "")
    print("ready", flush=True)  # noqa: T201 - what the test waits for
    sys.stdin.readline()
    for _ in range(tries):
        try:
            await limiter.admit("agent", CALLER, "")
        except HttpError as refused:
            afters.add(int(dict(refused.problem.headers)[b"retry-after"]))
            continue
        admitted += 1
    report = {"admitted": admitted, "afters": sorted(afters), "standing": limiter.status()}
    await limiter.close()
    print(json.dumps(report), flush=True)  # noqa: T201 - what the test reads


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
