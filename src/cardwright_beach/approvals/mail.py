"""Approvals by email: a token in the subject, a yes or no in the reply (Beach protocol seed, Approvals)."""

from __future__ import annotations

import binascii
import re
from typing import TYPE_CHECKING, Final

from cardwright.errors import BadArgument
from cardwright_beach.approvals.approval_parts import malformed, read_response, utc_now
from cardwright_beach.approvals.quoting import own_lines
from cardwright_beach.approvals.replies import concedes, decided, only_polite, reason_of, ungreeted
from cardwright_beach.approvals.tokens import WRITABLE, folded, writable

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from cardwright_beach.parts import Part

# Larger than any real subject or reply, quoted text included (project decision).
MAX_SUBJECT_CHARACTERS: Final = 4_096
MAX_BODY_CHARACTERS: Final = 1024 * 1024
_TOKEN: Final = re.compile(rf"\[approval:({WRITABLE})\]", re.IGNORECASE | re.ASCII)
# For a line in which white space is collapsed to single spaces; matches in linear time.
_LINE: Final = re.compile(
    rf"\[?approval ?: ?({WRITABLE}) ?\]? (granted|denied) ?[.!]?", re.IGNORECASE | re.ASCII
)
# RFC 2047 §2. No group can match a question mark, so matching takes linear time.
_ENCODED_WORD: Final = re.compile(r"=\?([^?]+)\?([BbQq])\?([^?]*)\?=")

# Line breaks, which would start another header field, and other control characters (RFC 5322 §2.2).
_CONTROL: Final = re.compile("[\x00-\x1f\x7f\x85\u2028\u2029]")


def email_subject(subject: str, approval_id: str) -> str:
    """Return a subject that ends with the token of an approval.

    >>> email_subject("Book berth N4?", "abc123")
    'Book berth N4? [approval:abc123]'

    Raises:
        BadArgument: If the id is not writable, the subject has several lines, or it already has another token.
    """
    token = f"[approval:{writable(approval_id)}]"
    if not isinstance(subject, str) or _CONTROL.search(subject):
        raise BadArgument("subject", "must be one line without control characters")
    present = {folded(found_id) for found_id in _TOKEN.findall(subject)}
    if present == {folded(approval_id)}:
        return subject
    if present:
        raise BadArgument("subject", "already has the token of another approval; remove it")
    return f"{subject.rstrip()} {token}".lstrip()


def read_email(
    subject: str, body: str = "", *, clock: Callable[[], datetime] = utc_now, decided_by: str | None = None
) -> Part | None:
    """Read an email reply as an approval-response part for `Approvals.receive`.

    The id comes from the token in the subject, or from a first line `approval: ID granted` (or `denied`). The decision
    comes from that line, or from the first word of the sender's own text: approve or deny, yes or no. A yes counts only
    if the rest is a salutation, politeness ("thanks", "go ahead") or a signature; a no may be followed by a reason.
    Quoted text, signatures and everything below the first quoted line are ignored.

    Args:
        subject: The raw header field; it may be folded or encoded (RFC 2047).
        body: The decoded text/plain part. For an HTML-only mail, pass its visible text, with each block and `<br>` on a
            line of its own and each `<blockquote>` prefixed with `> `; never the HTML itself, nor "".
        clock: Returns the current time.
        decided_by: The sender, as authenticated by the application.

    Returns:
        The approval-response part; None if the mail names no approval.

    Raises:
        ApprovalRefused: `malformed`, if it names several approvals, is not a clear yes or no, or is too long.
        BadArgument: If the clock returns a time without a time zone.
    """
    _check_length("subject", subject, MAX_SUBJECT_CHARACTERS)
    _check_length("body", body, MAX_BODY_CHARACTERS)
    own = [" ".join(line.split()) for line in own_lines(body)]
    lines = [match for line in own if (match := _LINE.fullmatch(line))]
    ids = [*_TOKEN.findall(_decoded(subject)), *(line[1] for line in lines)]
    if not ids:
        return None
    if len(set(map(folded, ids))) > 1:
        raise malformed("the mail names several approvals; send a separate mail for each")
    text = ungreeted(own)
    decision, reason = _from_line(text, {line[2].lower() for line in lines}) if lines else decided(text)
    return read_response(ids[0], decision, clock=clock, decided_by=decided_by, reason=reason)


def _from_line(text: list[str], decisions: set[str]) -> tuple[str, str | None]:
    """Return the decision of the approval line, which must come first, and the reason of a denial."""
    rest = [line for line in text if not _LINE.fullmatch(line)]
    first = _LINE.fullmatch(text[0])
    if first and decisions == {"granted"} and only_polite(rest):
        return "granted", None
    if first and decisions == {"denied"} and not concedes(rest):
        return "denied", reason_of(rest)
    raise malformed(
        "the reply must begin with the line approval: ID granted (or denied), and must not contradict it"
    )


def _check_length(name: str, text: object, max_length: int) -> None:
    if not isinstance(text, str):
        raise malformed(f"the {name} of the mail must be a string")
    if len(text) > max_length:
        raise malformed(f"the {name} of the mail has more than {max_length:,} characters")


def _decoded(subject: str) -> str:
    """Decode a subject and remove white space: folding may break a token anywhere."""
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
