"""A call over A2A: one message to the selected interface, and its result."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from cardwright.discovery.calling.a2a_client import A2aClient, failure
from cardwright.discovery.calling.failures import no_reply
from cardwright.discovery.calling.outcome import Outcome

if TYPE_CHECKING:
    from cardwright.discovery.calling.exchange import Call
    from cardwright.discovery.calling.reply import Reply


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
        sending = client.send(message, streams=call.stream, output_modes=call.output_modes)
        try:
            async with contextlib.aclosing(sending) as events:
                async for event in events:
                    outcome.take(event)
                    if outcome.message is not None:
                        break
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
