"""google-adk: how its remote agent reads and validates a card from a file."""

from __future__ import annotations

import asyncio
import json
import tempfile
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

from adapter import answer_lines, is_accepted, only

warnings.simplefilter("ignore")

from google.adk.agents.remote_a2a_agent import RemoteA2aAgent  # noqa: E402 - it warns that it is experimental


async def resolve(file: Path) -> None:
    agent = RemoteA2aAgent(name="remote", agent_card=str(file))
    await agent._validate_agent_card(await agent._resolve_agent_card_from_file(str(file)))  # noqa: SLF001


def validate(given: dict[str, Any]) -> dict[str, Any]:
    document = only(given, "a2a-1.0", "a2a-0.3")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "agent-card.json")
        file.write_text(json.dumps(document), encoding="utf-8")
        return is_accepted(lambda path: asyncio.run(resolve(path)), file)


if __name__ == "__main__":
    answer_lines("google-adk", version("google-adk"), {"validate": validate})
