"""`examples/federation` runs as a newcomer runs it, and its client is as short as the seed's."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from cardwright.discovery.probe import probe
from cardwright.guard import Guard, GuardedClient
from tests.gateway.cli.test_run import running

FOLDER = Path(__file__).parents[2] / "examples/federation"


@pytest.mark.process
def test_a_stranger_discovers_the_card_sends_the_key_and_reads_the_stream(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", FOLDER / "run.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("a key for the agent issues: bak_")
    assert lines[1] == "Issues: Lists the open pull requests. [agentApiKey]"
    assert lines[2:5] == [
        "You asked: List the open pull requests",
        "#12 Rewrite the harbour's timetable",
        "#15 Greet in Breton, too",
    ]
    assert lines[-1].startswith("[task completed] ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.process
def test_the_agent_of_the_example_passes_the_probe(tmp_path: Path) -> None:
    for name in ("gateway.yml", "issues.py", "issues.card.json"):
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    config = tmp_path / "gateway.yml"
    command = [
        sys.executable, "-m", "cardwright", "gateway", "keys", "issue", "issues", "--config", str(config),
    ]  # fmt: skip
    key = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    async def probed(port: int) -> list[str]:
        async with GuardedClient(Guard(allow=("127.0.0.0/8",))) as client:
            url = f"http://127.0.0.1:{port}/agents/issues"
            report = await probe(url, client=client, headers={"X-Agent-API-Key": key}, send=True)
        return [str(result) for outcome in ("error", "warning") for result in report.of(outcome)]

    with running(tmp_path, config) as (_, port, _):
        assert asyncio.run(probed(port)) == []


def test_the_example_client_is_short_and_imports_no_cardwright() -> None:
    client = (FOLDER / "client.py").read_text(encoding="utf-8")
    assert len(client.splitlines()) <= 40
    assert "cardwright" not in client
    assert len((FOLDER / "README.md").read_text(encoding="utf-8").splitlines()) < 30
