"""The push sender wakes the dispatcher for events in the outbox only."""

from __future__ import annotations

from a2a.types.a2a_pb2 import Task, TaskState, TaskStatus

from cardwright_gateway.webhooks.service import Sender

ENDED = Task(id="t", status=TaskStatus(state=TaskState.TASK_STATE_COMPLETED))
WORKING = Task(id="t", status=TaskStatus(state=TaskState.TASK_STATE_WORKING))


async def test_the_dispatcher_is_woken_once_for_an_event_in_the_outbox() -> None:
    woken: list[None] = []
    sender = Sender(lambda: woken.append(None))

    await sender.send_notification("t", ENDED)
    assert woken == []
    sender.accepted.add("t")
    await sender.send_notification("t", WORKING)
    await sender.send_notification("another", ENDED)
    assert woken == []
    await sender.send_notification("t", ENDED)
    await sender.send_notification("t", ENDED)
    assert len(woken) == 1
