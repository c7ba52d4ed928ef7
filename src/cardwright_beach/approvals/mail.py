"""Approvals by email: a token in the subject, and a reply that says yes or no (Beach protocol seed, Approvals)."""

from __future__ import annotations

import binascii
import re
from typing import TYPE_CHECKING, Final

from cardwright.errors import BadArgument
from cardwright_beach.approvals.answers import malformed, read_answer, utc_now
from cardwright_beach.approvals.quoting import own_lines
from cardwright_beach.approvals.replies import concedes, decided, only_polite, reason_of, ungreeted
from cardwright_beach.approvals.tokens import WRITABLE, folded, writable

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from cardwright_beach.parts import Part

# More than any subject or any reply that a person writes, quotes included (ours).
MAX_SUBJECT_CHARACTERS: Final = 4_096
MAX_BODY_CHARACTERS: Final = 1024 * 1024
_TOKEN: Final = re.compile(rf"\[approval:({WRITABLE})\]", re.IGNORECASE | re.ASCII)
# Of a line whose runs of white space are one space each, so that it is read in one pass.
_LINE: Final = re.compile(
    rf"\[?approval ?: ?({WRITABLE}) ?\]? (granted|denied) ?[.!]?", re.IGNORECASE | re.ASCII
)
# RFC 2047 §2; no part of it holds a question mark, so it is found in one pass.
_ENCODED_WORD: Final = re.compile(r"=\?([^?]+)\?([BbQq])\?([^?]*)\?=")

# What would end the header field and begin another one, or is written by nobody (RFC 5322 §2.2).
_CONTROL: Final = re.compile("[\x00-\x1f\x7f\x85\u2028\u2029]")


def email_subject(subject: str, approval_id: str) -> str:
    """Return a subject that bears the token of an approval once, at its end.

    >>> email_subject("Book berth N4?", "abc123")
    'Book berth N4? [approval:abc123]'

    Raises:
        BadArgument: If a subject cannot carry the id, the subject is more than a line, or it bears another token.
    """
    token = f"[approval:{writable(approval_id)}]"
    if not isinstance(subject, str) or _CONTROL.search(subject):
        raise BadArgument("subject", "must be one line without control characters")
    there = {folded(one) for one in _TOKEN.findall(subject)}
    if there == {folded(approval_id)}:
        return subject
    if there:
        raise BadArgument("subject", "bears the token of another approval already: leave it out")
    return f"{subject.rstrip()} {token}".lstrip()


def read_email(
    subject: str,
    body: str = "",
    *,
    clock: Callable[[], datetime] = utc_now,
    decided_by: str | None = None,
) -> Part | None:
    """Return the answer that a reply gives, as an approval-response part for `Approvals.receive`.

    The id is that of the subject's token, or of a line `approval: ID granted` (or `denied`) that the sender wrote
    first. The decision is that line's, or the word that the sender's own text begins with: approve or deny, yes or
    no. A yes counts if nothing but a salutation, politeness ("thanks", "go ahead") and a signature stands beside it;
    a no may give its reason. Quoted text and signatures never count, nor does anything below the first quoted line.

    Args:
        subject: The header field as it came: folded, encoded (RFC 2047) or neither.
        body: The text/plain part, decoded. Of a mail that has HTML only, give the text that it shows, each block and
            `<br>` on a line of its own and each `<blockquote>` marked with `> `; never the HTML itself, nor "".
        clock: Says what time it is.
        decided_by: Who the sender is, as far as the application has made sure of it.

    Returns:
        The answer; None where the mail names no approval at all.

    Raises:
        ApprovalRefused: As malformed, if it names several, says neither yes nor no clearly, or is too long.
        BadArgument: If the clock returns no time with its zone.
    """
    _check_length("subject", subject, MAX_SUBJECT_CHARACTERS)
    _check_length("body", body, MAX_BODY_CHARACTERS)
    own = [" ".join(line.split()) for line in own_lines(body)]
    lines = [match for line in own if (match := _LINE.fullmatch(line))]
    named = [*_TOKEN.findall(_decoded(subject)), *(line[1] for line in lines)]
    if not named:
        return None
    if len(set(map(folded, named))) > 1:
        raise malformed("the mail names several approvals: answer each of them in a mail of its own")
    said = ungreeted(own)
    decision, reason = _told(said, {line[2].lower() for line in lines}) if lines else decided(said)
    return read_answer(named[0], decision, clock=clock, decided_by=decided_by, reason=reason)


def _told(said: list[str], decisions: set[str]) -> tuple[str, str | None]:
    """Return the decision of a line that names it; that line is the first, and no other text makes it doubtful."""
    rest = [line for line in said if not _LINE.fullmatch(line)]
    first = _LINE.fullmatch(said[0])
    if first and decisions == {"granted"} and only_polite(rest):
        return "granted", None
    if first and decisions == {"denied"} and not concedes(rest):
        return "denied", reason_of(rest)
    raise malformed(
        "the line approval: ID granted (or denied) must be the first of the reply, with nothing of another meaning"
    )


def _check_length(name: str, text: object, most: int) -> None:
    if not isinstance(text, str):
        raise malformed(f"the {name} of the mail is no text")
    if len(text) > most:
        raise malformed(f"the {name} of the mail has more than {most:,} characters")


def _decoded(subject: str) -> str:
    """Return a subject as people read it, without white space: folding may break a token anywhere."""
    joined = "".join(subject.split())
    return "".join(_ENCODED_WORD.sub(_word, joined).split())


def _word(match: re.Match[str]) -> str:
    charset, encoding, text = match.groups()
    try:
        encoded = text.encode("ascii")
        if encoding in "Bb":
            body = binascii.a2b_base64(encoded + b"=" * (-len(encoded) % 4))
        else:
            body = binascii.a2b_qp(encoded, header=True)
        # RFC 2231 §5: a language may follow the charset.
        return body.decode(charset.partition("*")[0], "replace")
    except (LookupError, ValueError):
        return match[0]
