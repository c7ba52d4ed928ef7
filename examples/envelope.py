"""One turn of a harbour desk, sent to a streaming agent and to an email agent: `python examples/envelope.py`."""

from __future__ import annotations

import asyncio
import json
import os
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any

from aiohttp import web

from cardwright.guard import Guard, GuardedClient, allowed
from cardwright_beach import (
    Approvals,
    SessionState,
    StateMachines,
    Transport,
    apply_set_state,
    build_envelope,
    deliver,
    email_subject,
    merge,
    part,
    read_email,
    read_envelope,
    to_wire,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from cardwright_beach import AgentResponseEnvelope, Delivery, Part

SESSION, EVENT = "session-19", "event-204"
BERTHS = [{"name": "N4", "depth": 9.5}, {"name": "S1", "depth": 7.0}]
STAGE = {"initial": "open", "states": ["open", "held"], "transitions": {"open": ["held"]}}
MACHINES = {"components": {"booking": {"allowHandlerTransitions": True, "coordinates": {"stage": STAGE}}}}


async def desk(approvals: Approvals) -> AsyncIterator[Part]:
    """Yield the parts of the turn; wait for a person's decision at the approval request."""
    for completed, berth in enumerate(BERTHS, 1):
        yield part(
            "progress", data={"operation": "berth search", "completed": completed, "total": len(BERTHS)}
        )
        yield part("domain-data", data=[berth], slot_key="harbour.berths", merge_strategy="append")
    question = approvals.request(
        tool_name="hold_berth",
        tool_call_id="call-1",
        args={"berth": "N4"},
        handler="desk",
        turn=EVENT,
        session=SESSION,
    )
    yield question
    answer = await approvals.decision(question.data["approvalId"])
    yield answer
    if answer.data["decision"] == "granted":
        yield part("setState", data={"booking.stage": "held"})
    for word in ("Berth N4 ", "is ", "yours." if answer.data["decision"] == "granted" else "not for you."):
        yield part("response", text=word, merge_strategy="append")


async def as_events(delivery: Delivery, request: web.Request) -> web.StreamResponse:
    """Send a delivery as server-sent events: one envelope per part, then the settlement."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    async for item in delivery:
        await response.write(b"data: " + json.dumps(to_wire([item], delivery.meta)).encode() + b"\n\n")
    await response.write(b"data: " + json.dumps(to_wire([], delivery.meta)).encode() + b"\n\n")
    return response


async def streaming_agent(url: str) -> dict[str, Any]:
    """Read the stream of the turn, merge its data and apply its state changes."""
    slots: dict[str, Any] = {}
    session, proposed = SessionState({"booking.stage": "open"}), 0
    # Connections to loopback addresses must be allowed.
    guard = Guard(allow=allowed(["127.0.0.0/8"]))
    async with GuardedClient(guard) as client, client.stream("GET", url) as response:
        async for line in lines(response.chunks()):
            received = read_envelope(line.removeprefix(b"data: "))
            for item in received.parts:
                print(f"  [stream] {item.type}: {item.text or json.dumps(item.data)[:60]}")
                slots = merge(slots, item)
                if item.type == "setState":
                    machines = StateMachines.of(MACHINES)
                    # A turn may propose several changes; each has its own id and is applied once.
                    proposed += 1
                    event_id = f"{received.meta['eventId']}/{proposed}"
                    session = apply_set_state(session, item, machines=machines, event_id=event_id).state
            if received.settled:
                print(f"  [stream] settled as {received.meta['conversationState']}")
    return {"data": slots, "state": dict(session.values)}


async def lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the non-empty lines of a stream."""
    rest = b""
    async for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in filter(None, whole):
            yield line


async def mail_agent(delivery: Delivery, approvals: Approvals) -> EmailMessage:
    """Respond to the approval request by mail; return the mail that is sent when the turn has settled."""
    text, attached = "", b""
    async for item in delivery:
        if item.type == "approval-request":
            subject = email_subject(f"May {item.data['toolName']} run?", item.data["approvalId"])
            print(f"  [mail]   {subject}")
            reply = read_email(
                f"Re: {subject}", "Yes, go ahead.\n\n> May hold_berth run?", decided_by="harbour master"
            )
            assert reply is not None
            approvals.receive(reply, session=SESSION)
        elif item.type == "response":
            text = item.text or ""
        elif item.type == "domain-data":
            attached = json.dumps(item.data).encode()
    mail = EmailMessage()
    mail["Subject"] = "Your berth"
    mail.set_content(text)
    mail.add_attachment(attached, maintype="application", subtype="json", filename="berths.json")
    return mail


async def turn(envelope: AgentResponseEnvelope, approvals: Approvals) -> tuple[dict[str, Any], EmailMessage]:
    """Deliver one turn to both agents; call `deliver` for each before reading the first part."""
    browser = await deliver(envelope, to=Transport("a2a", "streaming"))
    mailbox = await deliver(envelope, to=Transport("smtp"))

    async def handle(request: web.Request) -> web.StreamResponse:
        return await as_events(browser, request)

    app = web.Application()
    app.router.add_get("/turn", handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    try:
        return await asyncio.gather(
            streaming_agent(f"http://127.0.0.1:{port}/turn"), mail_agent(mailbox, approvals)
        )
    finally:
        await runner.cleanup()
        print("outcome of each part in the mail:")
        for row in mailbox.explain():
            print(f"  {row.type}: {row.outcome}, {row.reason}")


async def main() -> None:
    """Run the turn and show the result of each agent."""
    approvals = Approvals(os.urandom(32))
    envelope = build_envelope(
        session_id=SESSION,
        event_id=EVENT,
        originator_id="harbour-web",
        conversation_state="complete",
        parts=desk(approvals),
    )
    async with envelope:
        followed, mail = await turn(envelope, approvals)
    print("result of the streaming agent:", json.dumps(followed))
    (berths,) = mail.iter_attachments()
    body = mail.get_body()
    assert body is not None
    print(
        "text of the mail:",
        body.get_content().strip(),
        "with",
        berths.get_filename(),
        berths.get_content().decode(),
    )
    assert followed == {"data": {"harbour.berths": BERTHS}, "state": {"booking.stage": "held"}}
    assert json.loads(berths.get_content()) == BERTHS


if __name__ == "__main__":
    asyncio.run(main())
