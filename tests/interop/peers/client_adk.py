"""google-adk as a client: `RemoteA2aAgent`, run by a runner."""

from __future__ import annotations

import asyncio
import warnings
from typing import Any

import grpc
import httpx
import scenario
from a2a.client import ClientConfig, ClientFactory
from google.adk.agents.remote_a2a_agent import RemoteA2aAgent
from google.adk.runners import InMemoryRunner
from google.genai import types


class Sdk:
    # It sends messages and reads replies; tasks and push configurations are not its concern.
    absent = (
        "get task", "list tasks", "cancel", "resubscribe", "push set", "push get", "push list", "push delete",
        "extended card",
    )  # fmt: skip

    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        self.absent = self.absent if given["grpc"] else (*self.absent, "gRPC")

    async def run(self, text: str, binding: str, *, streaming: bool) -> tuple[Any, list[Any]]:
        async with httpx.AsyncClient(timeout=30) as http:
            config = ClientConfig(
                httpx_client=http,
                streaming=streaming,
                supported_protocol_bindings=[binding],
                grpc_channel_factory=grpc.aio.insecure_channel,
            )
            agent = RemoteA2aAgent(
                "tides",
                f"{self.given['base']}/.well-known/agent-card.json",
                a2a_client_factory=ClientFactory(config),
            )
            runner = InMemoryRunner(agent, app_name="interop")
            session = await runner.session_service.create_session(app_name="interop", user_id="u")
            message = types.Content(role="user", parts=[types.Part(text=text)])
            events = [
                one async for one in runner.run_async(user_id="u", session_id=session.id, new_message=message)
            ]
        errors = [one.error_message for one in events if one.error_message]
        assert not errors, errors[0].replace("Failed to initialize remote A2A agent: ", "")
        return agent, events

    async def card(self) -> str:
        agent, _ = await self.run("good day", "JSONRPC", streaming=False)
        assert scenario.DESCRIPTION in agent.description, agent.description
        return scenario.NAME

    async def send(self, text: str, binding: str = "JSONRPC") -> str:
        _, events = await self.run(text, binding, streaming=False)
        return "".join(part.text or "" for one in events if one.content for part in one.content.parts)

    async def stream(self, text: str) -> list[str]:
        _, events = await self.run(text, "JSONRPC", streaming=True)
        found = [part.text for one in events if one.content for part in one.content.parts if part.text]
        # It shows no state: a stream that ended without an error is a completed task.
        return ["", *found, "completed"]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    asyncio.run(scenario.main("google-adk", Sdk))
