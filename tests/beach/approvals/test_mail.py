"""Approvals by email: subjects, replies, quoted text."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from email.header import Header
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cardwright.errors import BadArgument
from cardwright_beach.approvals import Approvals, email_subject, read_email
from cardwright_beach.approvals.replies import GRANTED, POLITE
from cardwright_beach.errors import ApprovalRefused

if TYPE_CHECKING:
    from cardwright_beach.parts import Part

ID = "abcdefghijklmnopqrstuvwxyz234567"
TOKEN = f"[approval:{ID}]"
# Replies by the decision that they are, and ways in which mail programs quote a text.
TEXTS = json.loads((Path(__file__).parent / "mail.json").read_bytes())
NOW = datetime(2026, 5, 4, 6, 41, tzinfo=UTC)


def read(subject: str, body: str = "", **given: Any) -> Part | None:
    return read_email(subject, body, clock=lambda: NOW, **given)


def decision(body: str, subject: str = f"Re: Book N4? {TOKEN}") -> str:
    """Return the decision of a reply, or the kind of its refusal."""
    try:
        answer = read(subject, body)
    except ApprovalRefused as refused:
        return refused.kind
    return "nothing" if answer is None else str(answer.data["decision"])


def test_a_reply_becomes_a_response_that_a_ledger_accepts() -> None:
    approvals = Approvals(bytes(32), clock=lambda: NOW)
    request = approvals.request(tool_name="t", tool_call_id="c", args={}, handler="h", turn="e", session="s")
    subject = email_subject("Book berth N4?", request.data["approvalId"])
    answer = read(f"RE: {subject.upper()}", "Yes, please.\n", decided_by="harbour-master")
    assert answer is not None
    assert answer.data == {
        "approvalId": request.data["approvalId"].upper(),
        "decision": "granted",
        "decidedBy": "harbour-master",
        "decidedAt": "2026-05-04T06:41:00Z",
    }
    assert approvals.receive(answer, session="s").data["approvalId"] == request.data["approvalId"]


def test_the_token_is_appended_once() -> None:
    once = email_subject("Book berth N4?", ID)
    assert once == f"Book berth N4? {TOKEN}"
    assert email_subject(once, ID) == once
    assert email_subject(once.upper(), ID) == once.upper()
    assert email_subject("", ID) == TOKEN


@pytest.mark.parametrize(
    ("subject", "approval_id"),
    [
        ("Book", "a]b"), ("Book", "a b"), ("Book", "a\r\nBcc: x"), ("Book", ""), ("Book", "x" * 129),
        ("Book\r\nBcc: someone@example.com", ID), ("Book\u2028", ID), ("Book [approval:other]", ID),
    ],
)  # fmt: skip
def test_a_subject_with_line_breaks_or_another_token_is_refused(subject: str, approval_id: str) -> None:
    with pytest.raises(BadArgument):
        email_subject(subject, approval_id)


@pytest.mark.parametrize(
    "subject",
    [
        f"Re: {TOKEN}",
        f"AW: Re: Fwd: WG: Liegeplatz buchen? {TOKEN} (was: N3)",
        f"RE: BOOK {TOKEN.upper()}",
        "Re: Book [approval:abcdefghijklm\r\n nopqrstuvwxyz234567]",
        "Re: Book [approval:\r\n\tabcdefghijklm nopqrstuvwxyz234567 ]",
        "Re: Book [ approval : abcdefghijklmnopqrstuvwxyz234567]",
        f"{TOKEN} {TOKEN.upper()}",
        str(Header(f"Antw: Liegeplatz für Müller buchen? {TOKEN}", "utf-8").encode()),
        str(Header(f"Antw: Liegeplatz für Müller buchen? {TOKEN}", "iso-8859-1").encode(maxlinelen=40)),
        str(Header(f"返信: 予約 {TOKEN}", "iso-2022-jp").encode()),
        "=?UTF-8*de?Q?Re:_=5Bapproval:abcdefghijklm?=\r\n =?utf-8?q?nopqrstuvwxyz234567=5D?=",
        "=?utf-8?q?=5Bapproval:_abcdefghijklmnopqrstuvwxyz234567=5D?=",
        f"=?no-such-charset?B?!!!?= {TOKEN}",
        f"=?utf-8?B?A?= =?idna?Q?=ff?= {TOKEN}",
    ],
)
def test_the_token_is_found_in_folded_and_encoded_subjects(subject: str) -> None:
    answer = read(subject, "yes")
    assert answer is not None
    assert answer.data["approvalId"].lower() == ID


@pytest.mark.parametrize("subject", ["", "Re: Lunch?", "[approval:]", "approval:abc", "[approval:a/b]"])
def test_a_mail_without_an_approval_is_ignored(subject: str) -> None:
    assert read(subject, "Yes, gladly.") is None


@pytest.mark.parametrize(
    ("body", "expected"), [(body, some["decision"]) for some in TEXTS["replies"] for body in some["bodies"]]
)
def test_an_ambiguous_reply_is_no_consent(body: str, expected: str) -> None:
    assert decision(body) == expected


QUOTATIONS: list[str] = TEXTS["quotations"]


@pytest.mark.parametrize("quotation", QUOTATIONS)
@pytest.mark.parametrize("word", ["yes", f"approval: {ID} granted"])
def test_quoted_text_and_text_below_it_are_ignored(quotation: str, word: str) -> None:
    quotation = quotation.replace("yes", word).replace("approve", word)
    assert decision(quotation) == "malformed"
    assert decision(f"\n\n{quotation}\n{word}\napprove\n") == "malformed"
    assert decision(f"no\n\n{quotation}") == "denied"
    assert decision(f"No.\n{quotation}\n\n{word}") == "denied"


@pytest.mark.parametrize("quotation", QUOTATIONS)
def test_a_yes_above_a_quotation_that_says_no_is_a_yes(quotation: str) -> None:
    assert decision(f"yes\n\n{quotation}\nno, never, but if not?".replace("approve", "deny")) == "granted"


def test_an_approval_line_gives_id_and_decision() -> None:
    for line in (
        f"approval: {ID} granted",
        f"  Approval:{ID.upper()}   GRANTED.",
        f"[approval:{ID}] granted",
    ):
        answer = read("Re: your question", f"Hello,\n{line}\nBye")
        assert answer is not None
        assert answer.data["decision"] == "granted"
    assert decision(f"approval: {ID} denied", "Re: your question") == "denied"
    assert decision(f"> approval: {ID} granted", "Re: your question") == "nothing"
    assert decision(f"It says approval: {ID} granted", "Re: your question") == "nothing"


@pytest.mark.parametrize(
    "body",
    [
        "Your message could not be delivered.\n\nTo allow it, answer with the line\n{line}",
        "I am out of the office. Your message was:\n\n{line}",
        "Never. I forbid this.\n\n{line}",
        "{line}\nNever. I forbid this.",
        "{line}\nlater",
        "Thanks\n{line}",
        "Отправитель - Порт\nПонедельник\n\n{line}",
        "Ответ: ниже\n\n{line}",
    ],
)
@pytest.mark.parametrize("subject", [TOKEN, "Re: your question"])
def test_a_line_below_or_beside_other_text_grants_nothing(body: str, subject: str) -> None:
    assert decision(body.format(line=f"approval: {ID} granted"), subject) == "malformed"


def test_politeness_and_a_signature_may_follow_the_line() -> None:
    line = f"approval: {ID} granted"
    assert decision(f"Dear all,\n\n{line}\n{line}\nThank you!\n\nBest,\nAnna", "Re") == "granted"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("Denied: the berth is taken.", "the berth is taken."),
        ("No.\nThe berth\n is taken.\n\nAsk again in May.\n\nBest,\nAnna", "The berth is taken."),
        (f"approval: {ID} denied\nThe berth is taken.", "The berth is taken."),
        ("No", None),
        ("No, thanks!\n-- \nAnna", None),
        (f"approval: {ID} denied\nBye", None),
        ("No. " + "x" * 501, "x" * 500 + "…"),
        ("No. " + "x" * 500, "x" * 500),
    ],
)
def test_a_denial_has_its_reason(body: str, reason: str | None) -> None:
    answer = read(f"Re: {TOKEN}", body)
    assert answer is not None
    assert (answer.data["decision"], answer.data.get("reason")) == ("denied", reason)


def test_every_polite_word_may_follow_a_yes_and_none_is_made_of_others() -> None:
    for phrase in POLITE:
        assert decision(f"Yes, {phrase}.") == "granted"
        others = "|".join(re.escape(one) for one in {*POLITE, *GRANTED} - {phrase})
        assert re.fullmatch(f"(?:(?:{others})(?: |$))+", phrase) is None


def test_a_clock_without_a_time_zone_is_refused() -> None:
    with pytest.raises(BadArgument, match="clock"):
        read_email(TOKEN, "yes", clock=lambda: datetime(2026, 5, 4))  # noqa: DTZ001 # no zone is the fault


@pytest.mark.parametrize(
    ("subject", "body"),
    [
        (f"Re: {TOKEN} [approval:other]", "yes"),
        (f"Re: {TOKEN}", "approval: other granted"),
        ("Re", "approval: one granted\napproval: other granted"),
        ("Re", "approval: one granted\napproval: one denied"),
        ("Re", "approval: one granted\nNo, I mean the other."),
        (f"Re: {TOKEN}", "no\napproval: one granted"),
        ("Re", "I will not say.\napproval: one denied"),
        ("Re", "approval: one denied\nBut maybe later"),
    ],
)
def test_a_mail_that_contradicts_itself_is_malformed(subject: str, body: str) -> None:
    assert decision(body, subject) == "malformed"


def test_an_error_says_how_to_reply_and_does_not_quote_the_mail() -> None:
    with pytest.raises(ApprovalRefused, match='reply with only "approve" or "deny"') as refused:
        read(TOKEN, "my password is hunter2")
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(("subject", "body"), [(None, ""), (TOKEN, b"yes"), (TOKEN, None), (7, "yes")])
def test_a_mail_that_is_not_a_string_is_malformed(subject: Any, body: Any) -> None:
    with pytest.raises(ApprovalRefused) as refused:
        read(subject, body)
    assert refused.value.kind == "malformed"


def test_a_too_long_mail_is_malformed() -> None:
    assert decision("yes" + " " * 1024 * 1024) == "malformed"
    assert decision("yes\n" * 1_001) == "malformed"
    assert decision("yes\n" * 1_000 + "> no\n" * 10_000) == "granted"
    assert decision("yes", TOKEN + "x" * 4_096) == "malformed"


@pytest.mark.parametrize(
    "piece",
    [
        "yes ", "\n", " ", ">", "on ", "on \n", "[approval:", "approval: a ", "approval : a  ]", "=?a?q?", "a@:\n",
        "hi ", "'", "n't ", "_", "On a\nwrote\n", "\u2028", "x>", "-", "regards ", "[approval:aa\n",
    ],
)  # fmt: skip
def test_reading_takes_linear_time(piece: str) -> None:
    """Read a megabyte in a time limit that quadratic code exceeds."""
    many = 1024 * 1024 // len(piece)
    began = process_time()
    for body in (piece * many, f"yes {piece}" + piece * (many - 8), f"approval: a{piece * (many - 16)}x"):
        decision(body[: 1024 * 1024], (piece * 4_096)[: 4_096 - len(TOKEN)] + TOKEN)
    assert process_time() - began < 3


OWN = st.text(st.characters(codec="utf-8"), max_size=200)


@given(OWN, OWN)
@example("=?utf-8?q?=00?=", "yes\0")
def test_any_text_is_a_response_none_or_malformed(subject: str, body: str) -> None:
    for one in (subject, f"{subject}{TOKEN}"):
        assert decision(body, one) in {"granted", "denied", "nothing", "malformed"}


WORDS = [
    "yes", "no", "approve", "denied", "but", "please", "n't", "hi", "On", "wrote:", ",", ".", "?", " ", "\n", ">", "-",
]  # fmt: skip
REPLY = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


@given(REPLY, st.sampled_from(QUOTATIONS))
@example("yes", QUOTATIONS[0])
@example("no", QUOTATIONS[0])
@example("yes \n On", QUOTATIONS[0])
def test_quoted_text_does_not_change_the_decision(body: str, quotation: str) -> None:
    assert decision(f"{body}\n\n{quotation}\nyes\n") in {decision(body), "malformed"}


@given(REPLY)
@example("yes , no")
def test_a_text_with_words_of_both_decisions_is_malformed(body: str) -> None:
    words = set(body.split())
    if words & {"yes", "approve"} and words & {"no", "denied"} and not words & {">", "-", "On", "wrote:"}:
        assert decision(body) == "malformed"
