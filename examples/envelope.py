"""One turn of a harbour desk, for an agent that streams and one that reads mail: `python examples/envelope.py`."""

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
    """Say what the turn has to say, as it comes; at the approval it waits for a person."""
    for asked, berth in enumerate(BERTHS, 1):
        yield part("progress", data={"operation": "berth search", "completed": asked, "total": len(BERTHS)})
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
    """Send a delivery as server-sent events: an envelope of one part each, and at last the settlement."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    async for one in delivery:
        await response.write(b"data: " + json.dumps(to_wire([one], delivery.meta)).encode() + b"\n\n")
    await response.write(b"data: " + json.dumps(to_wire([], delivery.meta)).encode() + b"\n\n")
    return response


async def streaming_agent(url: str) -> dict[str, Any]:
    """Follow the turn as it streams, put its data together, and apply the state that it proposes."""
    slots: dict[str, Any] = {}
    session, proposed = SessionState({"booking.stage": "open"}), 0
    # Loopback is not dialled unless it is allowed.
    guard = Guard(allow=allowed(["127.0.0.0/8"]))
    async with GuardedClient(guard) as client, client.stream("GET", url) as answer:
        async for line in lines(answer.chunks()):
            received = read_envelope(line.removeprefix(b"data: "))
            for one in received.parts:
                print(f"  [stream] {one.type}: {one.text or json.dumps(one.data)[:60]}")
                slots = merge(slots, one)
                if one.type == "setState":
                    machines = StateMachines.of(MACHINES)
                    # A turn may propose several changes; each has an id of its own, and is applied once.
                    proposed += 1
                    event_id = f"{received.meta['eventId']}/{proposed}"
                    session = apply_set_state(session, one, machines=machines, event_id=event_id).state
            if received.settled:
                print(f"  [stream] settled as {received.meta['conversationState']}")
    return {"data": slots, "state": dict(session.values)}


async def lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the lines of a stream that are not empty."""
    rest = b""
    async for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in filter(None, whole):
            yield line


async def mail_agent(delivery: Delivery, approvals: Approvals) -> EmailMessage:
    """Answer the question that comes by mail, and return the mail that comes when the turn has settled."""
    said, attached = "", b""
    async for one in delivery:
        if one.type == "approval-request":
            subject = email_subject(f"May {one.data['toolName']} run?", one.data["approvalId"])
            print(f"  [mail]   {subject}")
            reply = read_email(
                f"Re: {subject}", "Yes, go ahead.\n\n> May hold_berth run?", decided_by="harbour master"
            )
            assert reply is not None
            approvals.receive(reply, session=SESSION)
        elif one.type == "response":
            said = one.text or ""
        elif one.type == "domain-data":
            attached = json.dumps(one.data).encode()
    mail = EmailMessage()
    mail["Subject"] = "Your berth"
    mail.set_content(said)
    mail.add_attachment(attached, maintype="application", subtype="json", filename="berths.json")
    return mail


async def turn(envelope: AgentResponseEnvelope, approvals: Approvals) -> tuple[dict[str, Any], EmailMessage]:
    """Let both agents follow one turn; each must be known before its first part is taken."""
    browser = await deliver(envelope, to=Transport("a2a", "streaming"))
    mailbox = await deliver(envelope, to=Transport("smtp"))

    async def answer(request: web.Request) -> web.StreamResponse:
        return await as_events(browser, request)

    app = web.Application()
    app.router.add_get("/turn", answer)
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
        print("why the mail has what it has:")
        for row in mailbox.explain():
            print(f"  {row.type}: {row.outcome}, {row.reason}")


async def main() -> None:
    """Run the turn and show what each agent has at its end."""
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
    print("the streaming agent holds:", json.dumps(followed))
    (berths,) = mail.iter_attachments()
    body = mail.get_body()
    assert body is not None
    print(
        "the mail says:",
        body.get_content().strip(),
        "with",
        berths.get_filename(),
        berths.get_content().decode(),
    )
    assert followed == {"data": {"harbour.berths": BERTHS}, "state": {"booking.stage": "held"}}
    assert json.loads(berths.get_content()) == BERTHS


if __name__ == "__main__":
    asyncio.run(main())
