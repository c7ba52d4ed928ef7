"""The official MCP conformance suite, run against an example server and against the gateway in front of it."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.discovery.calling.sdk_agents import serving
from tests.gateway.processes import in_process
from tests.gateway.upstream.mcp.servers.example import Example
from tests.oracles.signers import JS, peer

PACKAGE = "@modelcontextprotocol/conformance"
LISTED: Any = json.loads((Path(__file__).parent / "mcp-conformance.json").read_text(encoding="utf-8"))
# The suite adds the time to the name of each folder.
FOLDER = re.compile(r"server-(?P<scenario>.+)-\d{4}-\d\d-\d\dT[\d-]+Z")


@pytest.fixture(scope="module", autouse=True)
def package() -> None:
    """Skip what needs node."""
    peer(PACKAGE)


async def results(url: str, version: str, folder: Path) -> dict[str, bool | None]:
    """Run the scenarios of a version at a URL, and return whether each passes; None for a skipped one."""
    arguments = ["conformance.mjs", "server", "--url", url, "--suite", "all", "--spec-version", version]
    suite = await asyncio.create_subprocess_exec(
        *("node", *arguments, "--output-dir", str(folder)),
        cwd=JS,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    await suite.wait()
    return written(folder)


def written(folder: Path) -> dict[str, bool | None]:
    """Return whether each scenario passed by the files of a run; None if no check of it did or did not."""
    passed: dict[str, bool | None] = {}
    for file in folder.glob("*/checks.json"):
        named = FOLDER.fullmatch(file.parent.name)
        assert named is not None
        found = {check["status"] for check in json.loads(file.read_bytes())} - {"INFO", "SKIPPED", "WARNING"}
        passed[named["scenario"]] = found == {"SUCCESS"} if found else None
    return passed


# What is deprecated is tested too.
@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
@pytest.mark.parametrize("version", LISTED)
def test_no_scenario_fails_through_the_gateway_that_passes_directly(version: str, tmp_path: Path) -> None:
    async def scene() -> tuple[dict[str, bool | None], dict[str, bool | None]]:
        async with serving(Example().streamable_http_app(), lifespan="on") as origin:
            transport = {"type": "http", "url": f"{origin}/mcp"}
            agents = {"example": {"protocol": "mcp", "start_seconds": 30, "transport": transport}}
            async with in_process(agents) as gateway, serving(gateway) as public:
                direct = await results(f"{origin}/mcp", version, tmp_path / "direct")
                through = await results(f"{public}/agents/example/mcp", version, tmp_path / "through")
                return direct, through

    direct, through = asyncio.run(scene())
    passes = {scenario for scenario, passed in direct.items() if passed}
    assert len(passes) > 20
    assert direct.keys() - passes == LISTED[version]["notInExample"].keys()
    for passed, listed in ((False, "notPassedOn"), (None, "skipped")):
        lost = {scenario for scenario in passes if through.get(scenario) is passed}
        assert lost == LISTED[version][listed].keys(), listed
