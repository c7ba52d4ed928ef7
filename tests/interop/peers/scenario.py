"""The calls of every A2A client, by an adapter to its SDK.

An adapter has one method for each feature; a feature that its SDK does not have is in `absent`.
"""

from __future__ import annotations

from typing import Final, Protocol

from steps import Steps, expect

NAME: Final = "Tides"
# The public card of the agent that needs a key has another one.
DESCRIPTION: Final = "Tells when the water is high."


class Adapter(Protocol):
    """The client of an SDK. States are written as A2A 0.3 writes them."""

    absent: tuple[str, ...]

    async def card(self) -> str:
        """Return the name in the card."""

    async def send(self, text: str, binding: str = "JSONRPC") -> str:
        """Send a message that is answered by a message, over a binding; return its text."""

    async def stream(self, text: str) -> list[str]:
        """Send a message as a stream; return the id of the task and the states or texts of its events."""

    async def open(self) -> str:
        """Send `ask`; return the id of the open task."""

    async def get(self, task_id: str) -> tuple[str, str]:
        """Return the state and the text of the artifacts of a task."""

    async def list(self) -> tuple[str, list[str]]:
        """Open a task with a key; return its id and the ids of all tasks of this caller."""

    async def cancel(self, task_id: str) -> str:
        """Cancel a task; return its state."""

    async def resubscribe(self) -> str:
        """Send `wait` as a stream, leave it, subscribe, and cancel the task; return the state of the last event."""

    async def push_set(self, task_id: str, url: str) -> str:
        """Set a push configuration; return its id."""

    async def push_get(self, task_id: str, config_id: str) -> str:
        """Return the URL of a push configuration."""

    async def push_list(self, task_id: str) -> list[str]:
        """Return the URLs of all push configurations of a task."""

    async def push_delete(self, task_id: str, config_id: str) -> None:
        """Delete a push configuration."""

    async def extended(self) -> str:
        """Return the description in the extended card of the agent that needs a key."""


class Scenario:
    """The calls, one after another: later ones use what earlier ones made."""

    def __init__(self, adapter: Adapter, webhook_url: str) -> None:
        self._adapter = adapter
        self._webhook_url = webhook_url
        self._task = self._open = self._config = ""

    async def run(self) -> Steps:
        """Make all calls; return the results."""
        steps = Steps()
        calls = {
            "read card": self.card,
            "send": lambda: self.send("JSONRPC"),
            "HTTP+JSON": lambda: self.send("HTTP+JSON"),
            "gRPC": lambda: self.send("GRPC"),
            "stream": self.stream,
            "get task": self.get,
            "list tasks": self.list,
            "cancel": self.cancel,
            "resubscribe": self.resubscribe,
            "push set": self.push_set,
            "push get": self.push_get,
            "push list": self.push_list,
            "push delete": self.push_delete,
            "extended card": self.extended,
        }
        for feature, call in calls.items():
            if feature in self._adapter.absent:
                steps.absent(feature)
            else:
                await steps.run(feature, call)
        return steps

    async def card(self) -> None:
        expect(await self._adapter.card(), NAME)

    async def send(self, binding: str) -> None:
        expect(await self._adapter.send("good day", binding), "you said good day")

    async def stream(self) -> None:
        self._task, *updates = await self._adapter.stream("task")
        expect(updates[-1], "completed")
        expect([one for one in updates if one in ("high ", "water")], ["high ", "water"])

    async def get(self) -> None:
        if self._task:
            expect(await self._adapter.get(self._task), ("completed", "high water"))
        else:
            expect(await self._adapter.get(await self._adapter.open()), ("input-required", ""))

    async def list(self) -> None:
        opened, listed = await self._adapter.list()
        assert opened in listed, "the task is not listed"

    async def cancel(self) -> None:
        expect(await self._adapter.cancel(await self._adapter.open()), "canceled")

    async def resubscribe(self) -> None:
        expect(await self._adapter.resubscribe(), "canceled")

    async def push_set(self) -> None:
        self._open = await self._adapter.open()
        self._config = await self._adapter.push_set(self._open, self._webhook_url)

    async def push_get(self) -> None:
        expect(await self._adapter.push_get(self._open, self._config), self._webhook_url)

    async def push_list(self) -> None:
        expect(await self._adapter.push_list(self._open), [self._webhook_url])

    async def push_delete(self) -> None:
        await self._adapter.push_delete(self._open, self._config)
        expect(await self._adapter.push_list(self._open), [])

    async def extended(self) -> None:
        expect(await self._adapter.extended(), DESCRIPTION)


async def run(adapter: Adapter, webhook_url: str) -> Steps:
    """Make all calls with an adapter; return the results."""
    return await Scenario(adapter, webhook_url).run()
