"""The calls of every A2A client, by an adapter to its SDK.

An adapter has one method for each feature; a feature that its SDK does not have is in `absent`. States are written as A2A
0.3 writes them.

- `card()` returns the name in the card, `extended()` the description in the extended card of the agent that needs a key.
- `send(text, binding)` sends a message that is answered by a message, and returns its text; `open()` sends `ask`, and
  returns the id of the open task.
- `stream(text)` returns the id of the task and the states or texts of its events; `resubscribe()` sends `wait` as a stream,
  leaves it, subscribes and cancels the task, and returns the state of the last event.
- `get(task_id)` returns the state and the text of the artifacts, `cancel(task_id)` the state, `list()` the id of a task
  that was opened with a key and the ids of all tasks of this caller.
- `push_set(task_id, url)` returns the id of a push configuration, `push_get(task_id, id)` and `push_list(task_id)` return
  its URL and all URLs, `push_delete(task_id, id)` deletes it.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from steps import Steps, expect, report, send_each, settings_from_stdin

if TYPE_CHECKING:
    from collections.abc import Callable

NAME: Final = "Tides"
# The public card of the agent that needs a key has another one.
DESCRIPTION: Final = "Tells when the water is high."


class Scenario:
    """The calls, one after another: later ones use what earlier ones made."""

    def __init__(self, adapter: Any, webhook_url: str) -> None:
        self._adapter = adapter
        self._webhook_url = webhook_url
        self._task = self._open = self._config = ""

    async def run(self) -> Steps:
        """Make all calls; return the results."""
        steps, sdk = Steps(), self._adapter

        def equal(wanted: Any, name: str, *arguments: str | Callable[[], str]) -> Callable[[], Any]:
            async def step() -> None:
                values = [one() if callable(one) else one for one in arguments]
                expect(await getattr(sdk, name)(*values), wanted)

            return step

        reply, text = "you said good day", "good day"
        url = self._webhook_url
        calls = {
            "read card": equal(NAME, "card"), "send": equal(reply, "send", text),
            "HTTP+JSON": equal(reply, "send", text, "HTTP+JSON"), "gRPC": equal(reply, "send", text, "GRPC"),
            "stream": self.stream, "get task": self.get, "list tasks": self.list, "cancel": self.cancel,
            "resubscribe": equal("canceled", "resubscribe"), "push set": self.push_set,
            "push get": equal(url, "push_get", lambda: self._open, lambda: self._config),
            "push list": equal([url], "push_list", lambda: self._open), "push delete": self.push_delete,
            "extended card": equal(DESCRIPTION, "extended"),
        }  # fmt: skip
        for feature, call in calls.items():
            if feature in sdk.absent:
                steps.absent(feature)
            else:
                await steps.run(feature, call)
        return steps

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

    async def push_set(self) -> None:
        self._open = await self._adapter.open()
        self._config = await self._adapter.push_set(self._open, self._webhook_url)

    async def push_delete(self) -> None:
        await self._adapter.push_delete(self._open, self._config)
        expect(await self._adapter.push_list(self._open), [])


async def main(package: str, adapter: Callable[[dict[str, Any]], Any]) -> None:
    """Make all calls with an adapter, and print the release of its package and the results."""
    given = settings_from_stdin()
    report(version(package), (await Scenario(adapter(given), given["hook"]).run()).cells)


async def send_parts(package: str, sender: Callable[..., Any]) -> None:
    """Make the calls on standard input with a client, and print the results."""
    given = settings_from_stdin()
    cells = [await send_each(lambda contents, call=call: sender(call, contents)) for call in given["calls"]]
    report(version(package), cells)
