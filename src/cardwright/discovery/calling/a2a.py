"""A call over A2A: one message to the selected interface, and its result."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from typing import TYPE_CHECKING, Any, Final

from cardwright.discovery.calling.a2a_client import A2aClient, failure
from cardwright.discovery.calling.failures import no_reply
from cardwright.discovery.calling.outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from cardwright.discovery.calling.exchange import Call
    from cardwright.discovery.calling.reply import Reply

# The pauses between reads of a task that is not finished; the last one is repeated (project decision).
_POLL_SECONDS: Final = (0.2, 0.5, 1.0, 2.0)


async def call_a2a(call: Call, skill: str | None = None) -> Reply:
    """Send a message to the selected interface and return the reply.

    Args:
        call: The message and the interface.
        skill: The skill that the message names (project decision: in its metadata, since A2A has no field for it).

    Raises:
        CardError: As `call_agent`.
    """
    interface = call.selection.interface
    outcome = Outcome()
    async with A2aClient.connect(
        call.client,
        url=interface.url,
        binding=interface.binding,
        version=interface.version,
        tenant=interface.tenant,
        credentials=call.credentials,
        timeouts=call.timeouts,
        configured=call.configured,
    ) as client:
        message = client.message(
            call.parts,
            context_id=call.context_id,
            task_id=call.task_id,
            metadata=None if skill is None else {"skill": skill},
        )
        sending = client.send(
            message, streams=call.stream and call.waits, output_modes=call.output_modes, waits=call.waits
        )
        try:
            async with contextlib.aclosing(sending) as events:
                async for event in events:
                    _take(outcome, event, call)
                    if outcome.message is not None:
                        break
            if call.waits and outcome.message is None and not outcome.done:
                await _poll(client, outcome, call)
        except asyncio.CancelledError:
            task_id = outcome.task_id or message.get("taskId")
            if task_id is not None and not outcome.done:
                await client.cancel(task_id, within_seconds=call.cancel_seconds)
            raise
        except Exception as error:  # a2a-sdk parses a remote response: it may raise anything
            raise failure(error, call.safe_url) from error
    reply = outcome.reply(call.selection)
    if reply is None:
        raise no_reply(call.safe_url, "A2A")
    return reply


def _take(outcome: Outcome, event: dict[str, Any], call: Call) -> None:
    outcome.take(event)
    if call.on_event is not None:
        call.on_event(event)


async def _poll(client: A2aClient, outcome: Outcome, call: Call) -> None:
    """Read an unfinished task again until it ends, waits for its caller, cannot be read, or the timeout is reached.

    A2A 1.0 §3.2.2 has the agent wait by default, but some agents reply before they work.
    """
    task_id = outcome.task_id
    if task_id is None:
        return
    with contextlib.suppress(Exception):  # then the reply is the task as the agent sent it
        async with asyncio.timeout_at(call.polls_until):
            async for event in _readings(client, task_id, outcome):
                if call.on_event is not None:
                    call.on_event(event)


async def watch(client: A2aClient, task_id: str) -> AsyncGenerator[dict[str, Any]]:
    """Yield the events of a task until it ends or waits for its caller, in the A2A 1.0 form.

    The task is read again if the agent sends no events of it: the agent has no streaming, the task has ended (A2A 1.0
    §3.1.6), or the stream broke. Exceptions of a2a-sdk in these readings pass through.
    """
    outcome = Outcome()
    with contextlib.suppress(Exception):  # the reading below finds what is wrong
        async with contextlib.aclosing(client.subscribe(task_id)) as events:
            async for event in events:
                outcome.take(event)
                yield event
    if outcome.done or outcome.message is not None:
        return
    async for event in _readings(client, task_id, outcome, first_pause=0.0):
        yield event


async def _readings(
    client: A2aClient, task_id: str, outcome: Outcome, *, first_pause: float = _POLL_SECONDS[0]
) -> AsyncGenerator[dict[str, Any]]:
    """Read a task again until it ends or waits for its caller, and yield it each time that it has changed.

    A task without a state of A2A is not read twice: it would never end.
    """
    for pause in itertools.chain((first_pause,), _POLL_SECONDS[1:], itertools.repeat(_POLL_SECONDS[-1])):
        await asyncio.sleep(pause)
        before, outcome.task = outcome.task, await client.get_task(task_id)
        if outcome.task != before:
            yield {"task": outcome.task}
        if outcome.done or outcome.state in ("", "unknown"):
            return
