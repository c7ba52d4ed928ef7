"""An agent of google-adk, behind its A2A server. `python server_adk.py PORT`."""

from __future__ import annotations

import asyncio
import sys
import warnings
from typing import TYPE_CHECKING, Any

import uvicorn
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents import BaseAgent
from google.adk.events import Event
from google.genai import types

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


class SampleAgent(BaseAgent):
    """Answers every message; an agent of google-adk asks only through its tools."""

    async def _run_async_impl(self, ctx: Any) -> AsyncGenerator[Event, None]:
        text = "".join(one.text or "" for one in ctx.user_content.parts)
        if text == "wait":
            await asyncio.Event().wait()
        reply = "high water" if text == "task" else f"you said {text}"
        content = types.Content(role="model", parts=[types.Part(text=reply)])
        yield Event(author=self.name, invocation_id=ctx.invocation_id, content=content)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    port = int(sys.argv[1])
    agent = SampleAgent(name="tides", description="Tells when the water is high.")
    uvicorn.run(to_a2a(agent, host="127.0.0.1", port=port), host="127.0.0.1", port=port, log_level="critical")
