"""The approval ledger: requests, responses, expiry and sessions."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cardwright.errors import BadArgument, DuplicateEntry
from cardwright_beach.approvals import Approvals, records
from cardwright_beach.approvals.approval_parts import response_part
from cardwright_beach.errors import ApprovalRefused, BadPart
from cardwright_beach.parts import Part, part

if TYPE_CHECKING:
    from collections.abc import Iterable

SECRET = bytes(range(32))
START = datetime(2026, 5, 4, 6, 0, tzinfo=UTC)
REQUEST: dict[str, Any] = {
    "tool_name": "book_berth",
    "tool_call_id": "call_81",
    "args": {"berth": "N4"},
    "handler": "harbour-desk",
    "turn": "evt-204",
}


class Clock:
    """Manual clock."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


def ledger(clock: Clock | None = None, **given: Any) -> Approvals:
    return Approvals(SECRET, clock=clock or Clock(), **given)


def with_args(args: dict[str, Any]) -> dict[str, Any]:
    return {**REQUEST, "args": args}


def response(approval_id: str, decision: str = "granted", **fields: Any) -> Part:
    data = {"approvalId": approval_id, "decision": decision, "decidedAt": "2026-05-04T06:41:00Z", **fields}
    return part("approval-response", data=data)


def request_data(approval_id: str, session: str, **more: Any) -> dict[str, Any]:
    return {
        "approvalId": approval_id,
        "toolName": "book_berth",
        "toolCallId": "call_81",
        "args": {},
        "handler": "harbour-desk",
        "turn": "evt-204",
        "session": session,
        **more,
    }


def request_part(approval_id: str, session: str, **more: Any) -> Part:
    return part("approval-request", data=request_data(approval_id, session, **more))


def kind_of(approvals: Approvals, approval_id: str, session: str) -> str:
    with pytest.raises(ApprovalRefused) as refused:
        approvals.receive(response(approval_id), session=session)
    return refused.value.kind


def test_an_issued_id_is_32_characters_that_an_email_subject_can_carry() -> None:
    requested = ledger().request(**REQUEST, session="s-19")
    assert re.fullmatch(r"[a-z2-7]{32}", requested.data["approvalId"])


def test_a_request_contains_a_copy_of_its_arguments() -> None:
    args = {"berth": "N4"}
    requested = ledger().request(**with_args(args), session="s-19", expires_in=timedelta(hours=1))
    args["berth"] = "N5"
    assert requested.type == "approval-request"
    assert {name: value for name, value in requested.data.items() if name != "approvalId"} == {
        "toolName": "book_berth",
        "toolCallId": "call_81",
        "args": {"berth": "N4"},
        "handler": "harbour-desk",
        "turn": "evt-204",
        "session": "s-19",
        "expiresAt": "2026-05-04T07:00:00Z",
    }


def test_an_expiry_is_written_in_utc_without_rounding() -> None:
    clock = Clock()
    approvals = ledger(clock)
    moment = datetime(2026, 5, 4, 9, 0, 0, 250_000, tzinfo=timezone(timedelta(hours=2)))
    requested = approvals.request(**REQUEST, session="s", expires_at=moment)
    assert requested.data["expiresAt"] == "2026-05-04T07:00:00.250000Z"
    assert approvals.next_expiry() == moment


def test_only_the_first_response_is_accepted() -> None:
    approvals = ledger()
    approval_id = approvals.request(**REQUEST, session="s-19").data["approvalId"]
    matched = approvals.receive(response(approval_id, reason="Go."), session="s-19")
    assert (matched.data["decision"], matched.data["reason"]) == ("granted", "Go.")
    assert approvals.pending() == []
    assert kind_of(approvals, approval_id, "s-19") == "duplicate"


def test_an_id_in_capitals_is_accepted_and_returned_in_its_issued_form() -> None:
    approvals = ledger()
    approval_id = approvals.request(**REQUEST, session="s-19").data["approvalId"]
    shouted = response(f" {approval_id.upper()} ")
    assert approvals.receive(shouted, session="s-19").data["approvalId"] == approval_id
    assert shouted.data["approvalId"] == f" {approval_id.upper()} "


def test_another_session_can_neither_respond_nor_learn_of_a_response() -> None:
    approvals = ledger()
    approval_id = approvals.request(**REQUEST, session="s-19").data["approvalId"]
    messages: list[str] = []
    for _ in range(2):
        with pytest.raises(ApprovalRefused) as refused:
            approvals.receive(response(approval_id), session="s-20")
        assert refused.value.kind == "foreign"
        messages.append(str(refused.value))
        assert "s-19" not in messages[-1]
        assert "book_berth" not in messages[-1]
        if approvals.pending():
            approvals.receive(response(approval_id), session="s-19")
    with pytest.raises(ApprovalRefused) as unknown:
        approvals.receive(response("abc"), session="s-20")
    assert {*messages, str(unknown.value)} == {str(unknown.value)}


def test_a_foreign_response_leaves_the_request_pending() -> None:
    approvals = ledger()
    approval_id = approvals.request(**REQUEST, session="s-19").data["approvalId"]
    assert kind_of(approvals, approval_id, "s-20") == "foreign"
    assert approvals.receive(response(approval_id), session="s-19").data["decision"] == "granted"


def test_an_id_of_another_secret_is_forged_and_an_unissued_id_unknown() -> None:
    other = Approvals(bytes(32)).request(**REQUEST, session="s-19").data["approvalId"]
    assert kind_of(ledger(), other, "s-19") == "forged"
    assert kind_of(ledger(), "abc123", "s-19") == "unknown"


def test_an_issued_id_that_is_no_longer_remembered_is_late() -> None:
    before = ledger()
    approval_id = before.request(**REQUEST, session="s-19").data["approvalId"]
    assert kind_of(ledger(), approval_id, "s-19") == "late"
    before.forget("s-19")
    assert kind_of(before, approval_id, "s-19") == "late"
    assert kind_of(before, approval_id, "s-20") == "forged"


def test_an_expired_request_is_denied_once_and_responses_are_late() -> None:
    clock = Clock()
    approvals = ledger(clock)
    approval_id = approvals.request(**REQUEST, session="s", expires_in=timedelta(hours=1)).data["approvalId"]
    clock.forward(minutes=59, seconds=59)
    assert approvals.expire() == []
    clock.forward(seconds=1)
    assert kind_of(approvals, approval_id, "s") == "late"
    [denial] = approvals.expire()
    assert denial.data == {
        "approvalId": approval_id,
        "decision": "denied",
        "reason": "the request expired without a response",
        "decidedBy": "expiry",
        "decidedAt": "2026-05-04T07:00:00Z",
    }
    assert approvals.expire() == []
    assert kind_of(approvals, approval_id, "s") == "late"


def test_expiries_are_reported_in_order_and_the_next_is_known() -> None:
    clock = Clock()
    approvals = ledger(clock)
    ids = {
        hours: approvals.request(**REQUEST, session="s", expires_in=timedelta(hours=hours)).data["approvalId"]
        for hours in (3, 1, 2)
    }
    never = approvals.request(**REQUEST, session="s")
    assert approvals.next_expiry() == START + timedelta(hours=1)
    clock.forward(hours=2)
    assert [one.data["approvalId"] for one in approvals.expire()] == [ids[1], ids[2]]
    assert approvals.next_expiry() == START + timedelta(hours=3)
    clock.forward(hours=2)
    approvals.expire()
    assert approvals.next_expiry() is None
    assert approvals.pending() == [never]


@pytest.mark.parametrize(
    "written",
    [
        "2026-05-04T07:00:00", "2026-05-04 07:00:00Z", "2026-05-04", "tomorrow", "2026-13-04T07:00:00Z", "",
        "2026-05-04T07:00:00+25:00", "2026-05-04T24:00:00Z", "0001-01-01T00:00:00+23:59", "٢٠٢٦-05-04T07:00:00Z",
    ],
)  # fmt: skip
def test_an_expiry_without_a_time_zone_or_of_another_type_is_refused(written: str) -> None:
    with pytest.raises(BadPart) as bad:
        ledger().adopt(request_part("abc", "s", expiresAt=written))
    assert [one.pointer for one in bad.value.violations] == ["/data/expiresAt"]
    approvals = ledger()
    approval_id = approvals.request(**REQUEST, session="s").data["approvalId"]
    answer = {"approvalId": approval_id, "decision": "granted", "decidedAt": written}
    with pytest.raises(ApprovalRefused) as refused:
        approvals.receive({"partType": "approval-response", "data": answer}, session="s")
    assert refused.value.kind == "malformed"
    assert approvals.pending() != []


@pytest.mark.parametrize(
    "wrong",
    [
        {"expires_at": datetime(2026, 5, 4)},  # noqa: DTZ001 # no zone is the fault
        {"expires_at": START, "expires_in": timedelta(1)},
        {"expires_in": timedelta(-1)},
        {"expires_in": timedelta.max},
        {"expires_in": 60},
        {"expires_at": "2026-05-04T07:00:00Z"},
    ],
)
def test_an_invalid_expiry_is_refused_and_adds_no_request(wrong: dict[str, Any]) -> None:
    approvals = ledger()
    with pytest.raises(BadArgument, match="expires_"):
        approvals.request(**REQUEST, session="s", **wrong)
    assert approvals.pending() == []


def test_arguments_that_are_not_json_are_refused_and_add_no_request() -> None:
    approvals = ledger()
    with pytest.raises(BadPart, match="/data/args"):
        approvals.request(**with_args({"berth": object()}), session="s")
    assert approvals.pending() == []


@pytest.mark.parametrize("secret", [b"", b"short", "a text of sufficient length, but no bytes"])
def test_a_weak_secret_is_refused(secret: Any) -> None:
    with pytest.raises(BadArgument, match="secret") as refused:
        Approvals(secret)
    assert "sufficient" not in str(refused.value)


def test_failing_or_repeating_randomness_is_refused() -> None:
    with pytest.raises(BadArgument, match="randomness"):
        ledger(randomness=lambda _: b"").request(**REQUEST, session="s")
    same = ledger(randomness=bytes)
    same.request(**REQUEST, session="s")
    with pytest.raises(DuplicateEntry):
        same.request(**REQUEST, session="s")
    assert len(same.pending()) == 1


def test_an_application_request_is_adopted() -> None:
    approvals = ledger()
    requested = approvals.adopt({"partType": "approval-request", "data": request_data("ABC 123", "s")})
    assert approvals.pending("s") == [requested]
    assert approvals.receive(response("abc 123"), session="s").data["approvalId"] == "ABC 123"


def test_an_adopted_id_is_unique_in_its_session_only_and_foreign_elsewhere() -> None:
    approvals = ledger()
    for session in ("s", "t"):
        approvals.adopt(request_part("abc", session))
    with pytest.raises(DuplicateEntry):
        approvals.adopt(request_part("ABC", "s"))
    approvals.receive(response("abc"), session="s")
    assert [one.data["session"] for one in approvals.pending()] == ["t"]
    assert kind_of(approvals, "abc", "u") == "foreign"


def test_an_adopted_id_that_looks_issued_is_accepted() -> None:
    requested = Approvals(bytes(32)).request(**REQUEST, session="s")
    approvals = ledger()
    approvals.adopt(requested)
    assert (
        approvals.receive(response(requested.data["approvalId"]), session="s").data["decision"] == "granted"
    )


def test_an_invalid_request_is_not_adopted() -> None:
    with pytest.raises(BadPart, match="approval-request"):
        ledger().adopt(response("abc"))
    with pytest.raises(BadPart):
        ledger().adopt({"partType": "approval-request", "data": {}})


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        [],
        None,
        {"partType": "approval-response", "data": {"approvalId": "abc", "decision": "perhaps"}},
        {"partType": "approval-response", "text": "granted"},
        {"partType": "response", "text": "granted"},
        {"partType": "approval-response", "data": {"approvalId": 7, "decision": "granted", "decidedAt": "x"}},
    ],
)
def test_an_invalid_response_is_malformed(wrong: Any) -> None:
    with pytest.raises(ApprovalRefused) as refused:
        ledger().receive(wrong, session="s")
    assert refused.value.kind == "malformed"


def test_pending_requests_survive_a_restart() -> None:
    clock = Clock()
    before = ledger(clock)
    ids = [
        before.request(**REQUEST, session="s", expires_in=timedelta(hours=hours)).data["approvalId"]
        for hours in (1, 2, 3, 4)
    ]
    clock.forward(hours=1)
    before.expire()
    before.receive(response(ids[1]), session="s")
    after = ledger(clock, pending=before.pending(), answered=before.answered())
    assert [kind_of(after, one, "s") for one in ids[:2]] == ["late", "duplicate"]
    assert after.receive(response(ids[2]), session="s").data["decision"] == "granted"
    clock.forward(hours=3)
    assert [one.data["approvalId"] for one in after.expire()] == [ids[3]]


def test_a_request_with_a_response_is_not_pending_after_a_restart() -> None:
    before = ledger()
    requested = before.request(**REQUEST, session="s")
    before.receive(response(requested.data["approvalId"]), session="s")
    after = ledger(pending=[requested], answered=before.answered())
    assert after.pending() == []
    assert kind_of(after, requested.data["approvalId"], "s") == "duplicate"


def test_a_limited_number_of_responses_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_ANSWERED", 3)
    approvals = ledger()
    ids = [approvals.request(**REQUEST, session="s").data["approvalId"] for _ in range(4)]
    for one in ids:
        approvals.receive(response(one), session="s")
    assert [session for session, _ in approvals.answered()] == ["s"] * 3
    assert [kind_of(approvals, one, "s") for one in ids] == ["late", *["duplicate"] * 3]


def test_sessions_are_separate() -> None:
    approvals = ledger()
    first, second = (approvals.request(**REQUEST, session=one) for one in ("s", "t"))
    approvals.receive(response(first.data["approvalId"]), session="s")
    assert (approvals.pending("s"), approvals.pending("t")) == ([], [second])
    assert [session for session, _ in approvals.answered("s")] == ["s"]
    assert approvals.answered("t") == []


@given(st.data())
def test_a_tampered_id_is_refused(data: st.DataObject) -> None:
    approvals = ledger()
    approval_id: str = approvals.request(**REQUEST, session="s-19").data["approvalId"]
    at = data.draw(st.integers(0, 31))
    wrong = data.draw(st.characters(codec="utf-8", exclude_characters="\0"))
    tampered = data.draw(
        st.sampled_from(
            [
                approval_id[:at] + wrong + approval_id[at + 1 :],
                approval_id[:at] + approval_id[at + 1 :],
                approval_id[:at] + wrong + approval_id[at:],
                approval_id[at:] + approval_id[:at],
            ]
        )
    )
    if tampered.strip().casefold() == approval_id:
        return
    assert kind_of(approvals, tampered or "x", "s-19") in {"forged", "unknown"}
    assert len(approvals.pending()) == 1


@given(st.text(max_size=40), st.text(max_size=40))
@example("s", "s\0")
def test_an_id_belongs_to_one_session(session: str, other: str) -> None:
    session = session.replace("\0", "0")
    approvals = ledger()
    approval_id = approvals.request(**REQUEST, session=session).data["approvalId"]
    if other != session:
        assert kind_of(approvals, approval_id, other) == "foreign"
        assert kind_of(ledger(), approval_id, other) == "forged"


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), st.sampled_from([None, 1, 2, 5])),
        st.tuples(st.just("answer"), st.integers(0, 5)),
        st.tuples(st.just("pass"), st.integers(-1, 3)),
        st.tuples(st.just("expire"), st.just(0)),
        st.tuples(st.just("restart"), st.just(0)),
    ),
    max_size=40,
)


@given(STEPS)
@example([("ask", 1), ("pass", 1), ("answer", 0), ("pass", -1), ("answer", 0), ("restart", 0), ("expire", 0)])
def test_every_request_gets_at_most_one_response_and_none_after_expiry(
    steps: Iterable[tuple[str, Any]],
) -> None:
    clock = Clock()
    approvals = ledger(clock)
    requested: list[tuple[str, datetime | None]] = []
    answers: dict[str, str] = {}
    late: set[str] = set()

    def note(answer: Part) -> None:
        assert answer.data["approvalId"] not in answers
        answers[answer.data["approvalId"]] = answer.data["decision"]

    for step, value in steps:
        if step == "ask":
            expires_in = None if value is None else timedelta(hours=value)
            given = approvals.request(**REQUEST, session="s", expires_in=expires_in)
            requested.append(
                (given.data["approvalId"], None if expires_in is None else clock.now + expires_in)
            )
        elif step == "answer" and value < len(requested):
            approval_id, till = requested[value]
            expected = approval_id not in {*answers, *late} and (till is None or clock.now < till)
            try:
                note(approvals.receive(response(approval_id), session="s"))
            except ApprovalRefused as refused:
                assert not expected
                if refused.kind == "late":
                    late.add(approval_id)
            else:
                assert expected
        elif step == "pass":
            clock.forward(hours=value)
        elif step == "expire":
            for denial in approvals.expire():
                assert denial.data["decision"] == "denied"
                note(denial)
        elif step == "restart":
            approvals = ledger(clock, pending=approvals.pending(), answered=approvals.answered())
        assert {one.data["approvalId"] for one in approvals.pending()} == {
            one for one, _ in requested if one not in answers
        }


class Sleeps:
    """Sleep function that moves the clock and records the durations."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.durations: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.durations.append(seconds)
        await asyncio.sleep(0)
        self.clock.forward(seconds=seconds)


async def others_wait() -> None:
    """Run all other tasks until they wait."""
    for _ in range(10):
        await asyncio.sleep(0)


async def _forever(_seconds: float) -> None:
    await asyncio.Event().wait()


async def test_a_waiting_task_gets_the_response() -> None:
    approvals = ledger()
    approval_id = approvals.request(**REQUEST, session="s").data["approvalId"]
    waiting = [asyncio.create_task(approvals.decision(approval_id)) for _ in range(3)]
    await others_wait()
    matched = approvals.receive(response(approval_id), session="s")
    assert await asyncio.gather(*waiting) == [matched] * 3
    assert await approvals.decision(approval_id) == matched


async def test_a_waiting_task_gets_a_denial_at_expiry_after_one_sleep() -> None:
    clock = Clock()
    approvals, sleep = ledger(clock), Sleeps(clock)
    approval_id = approvals.request(**REQUEST, session="s", expires_in=timedelta(hours=9)).data["approvalId"]
    denial = await approvals.decision(approval_id, sleep=sleep)
    assert (denial.data["decision"], denial.data["decidedBy"]) == ("denied", "expiry")
    assert sleep.durations == [9 * 3600]
    assert clock.now == START + timedelta(hours=9)
    assert approvals.expire() == []
    assert kind_of(approvals, approval_id, "s") == "late"


async def test_cancelling_a_waiting_task_leaves_request_and_other_tasks() -> None:
    approvals = ledger()
    approval_id = approvals.request(**REQUEST, session="s", expires_in=timedelta(1)).data["approvalId"]
    first, second = (asyncio.create_task(approvals.decision(approval_id, sleep=_forever)) for _ in range(2))
    await others_wait()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert len(approvals.pending()) == 1
    approvals.receive(response(approval_id, "denied"), session="s")
    assert (await second).data["decision"] == "denied"
    await others_wait()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_expire_wakes_waiting_tasks() -> None:
    clock = Clock()
    approvals = ledger(clock)
    approval_id = approvals.request(**REQUEST, session="s", expires_in=timedelta(1)).data["approvalId"]
    waiting = asyncio.create_task(approvals.decision(approval_id, sleep=_forever))
    await others_wait()
    clock.forward(days=1)
    assert approvals.expire() == [await waiting]


async def test_a_task_that_waits_in_a_forgotten_session_gets_an_error() -> None:
    approvals = ledger()
    approval_id = approvals.request(**REQUEST, session="s").data["approvalId"]
    waiting = asyncio.create_task(approvals.decision(approval_id))
    await others_wait()
    approvals.forget("s")
    with pytest.raises(ApprovalRefused) as refused:
        await waiting
    assert refused.value.kind == "unknown"


async def test_waiting_for_an_unknown_or_ambiguous_id_is_refused() -> None:
    approvals = ledger()
    with pytest.raises(ApprovalRefused) as refused:
        await approvals.decision("abc")
    assert refused.value.kind == "unknown"
    for session in ("s", "t"):
        approvals.adopt(request_part("abc", session))
    with pytest.raises(BadArgument, match="session"):
        await approvals.decision("abc")
    approvals.receive(response("abc"), session="t")
    assert (await approvals.decision("abc", session="t")).data["decision"] == "granted"


def test_a_clock_without_a_time_zone_is_refused() -> None:
    approvals = Approvals(SECRET, clock=lambda: datetime(2026, 5, 4))  # noqa: DTZ001 # no zone is the fault
    with pytest.raises(BadArgument, match="clock"):
        approvals.request(**REQUEST, session="s", expires_in=timedelta(1))
    with pytest.raises(BadArgument, match="clock"):
        approvals.request(**REQUEST, session="s")
    approvals.adopt(request_part("abc", "s"))
    with pytest.raises(BadArgument, match="clock"):
        approvals.receive(response("abc"), session="s")
    assert len(approvals.pending()) == 1


@pytest.mark.parametrize("session", [None, 7, b"s"])
def test_a_session_that_is_not_a_string_is_refused(session: Any) -> None:
    approvals = ledger()
    issued = approvals.request(**REQUEST, session="s").data["approvalId"]
    for approval_id in (issued, "abc"):
        with pytest.raises(BadArgument, match="session"):
            approvals.receive(response(approval_id), session=session)
    with pytest.raises(BadArgument, match="session"):
        approvals.request(**REQUEST, session=session)
    with pytest.raises(BadArgument, match="session"):
        ledger(answered=[(session, response("abc"))])


def late_request(clock: Clock) -> tuple[Approvals, str]:
    """Return a ledger that refused a late response and whose clock was set back, with the id of the request."""
    approvals = ledger(clock)
    requested = approvals.request(**REQUEST, session="s", expires_in=timedelta(hours=1))
    clock.forward(hours=1)
    assert kind_of(approvals, requested.data["approvalId"], "s") == "late"
    clock.forward(hours=-1)
    return approvals, requested.data["approvalId"]


def test_a_late_response_stays_late_after_the_clock_is_set_back() -> None:
    approvals, approval_id = late_request(Clock())
    assert kind_of(approvals, approval_id, "s") == "late"
    assert [(session, one.data["decision"]) for session, one in approvals.answered()] == [("s", "denied")]


def test_a_denial_caused_by_a_late_response_is_reported_once_by_expire() -> None:
    approvals, approval_id = late_request(Clock())
    assert len(approvals.pending()) == 1
    [denial] = approvals.expire()
    assert (denial.data["approvalId"], denial.data["decidedBy"]) == (approval_id, "expiry")
    assert approvals.expire() == approvals.pending() == []
    assert len(approvals.answered()) == 1


async def test_a_waiting_task_gets_the_denial_caused_by_a_late_response() -> None:
    clock = Clock()
    approvals = ledger(clock)
    approval_id = approvals.request(**REQUEST, session="s", expires_in=timedelta(1)).data["approvalId"]
    waiting = asyncio.create_task(approvals.decision(approval_id, sleep=_forever))
    await others_wait()
    clock.forward(days=1)
    assert kind_of(approvals, approval_id, "s") == "late"
    await others_wait()
    assert waiting.done()
    assert waiting.result().data["decidedBy"] == "expiry"
    assert approvals.expire() == approvals.pending() == []


def test_an_unreported_denial_is_reported_after_a_restart() -> None:
    clock = Clock()
    before, approval_id = late_request(clock)
    after = ledger(clock, pending=before.pending(), answered=before.answered())
    assert kind_of(after, approval_id, "s") == "late"
    assert after.pending() == before.pending()
    assert after.next_expiry() == before.next_expiry() == START + timedelta(hours=1)
    assert [one.data["decision"] for one in after.expire()] == ["denied"]
    assert after.expire() == after.pending() == []
    with pytest.raises(DuplicateEntry):
        ledger(clock, pending=before.pending() * 2, answered=before.answered())


def test_a_late_response_in_a_forgotten_session_is_not_reported() -> None:
    approvals, _ = late_request(Clock())
    approvals.forget("s")
    assert approvals.expire() == approvals.pending() == []
    assert approvals.answered() == []


@pytest.mark.parametrize(("decision", "kind"), [("granted", "duplicate"), ("denied", "late")])
def test_a_response_decided_by_expiry_is_the_same_after_a_restart(decision: str, kind: str) -> None:
    before = ledger()
    requested = before.request(**REQUEST, session="s", expires_in=timedelta(hours=1))
    approval_id = requested.data["approvalId"]
    before.receive(response(approval_id, decision, decidedBy="expiry"), session="s")
    after = ledger(answered=before.answered())
    assert [kind_of(one, approval_id, "s") for one in (before, after)] == [kind, kind]


def test_changing_returned_parts_does_not_change_the_ledger() -> None:
    approvals = ledger()
    args = {"berth": {"name": "N4"}}
    requested = approvals.request(**with_args(args), session="s")
    adopted = approvals.adopt(request_part("abc", "s", args=args))
    for one in (requested, adopted, *approvals.pending()):
        one.data["args"]["berth"]["name"] = "N5"
    assert [one.data["args"] for one in approvals.pending()] == [args, args]
    given = response("abc", reason="Go.", more={"said": "yes"})
    matched = approvals.receive(given, session="s")
    for one in (given, matched, approvals.answered()[0][1]):
        one.data["more"]["said"] = "no"
        one.data["decision"] = "denied"
    [(_, held)] = approvals.answered()
    assert (held.data["decision"], held.data["more"]) == ("granted", {"said": "yes"})


def test_a_response_has_decider_and_reason() -> None:
    made = response_part("abc", "denied", at=START, decided_by="harbour-master", reason="Taken.")
    assert made.data == {
        "approvalId": "abc",
        "decision": "denied",
        "reason": "Taken.",
        "decidedBy": "harbour-master",
        "decidedAt": "2026-05-04T06:00:00Z",
    }
