"""What the sender of a reply wrote, and whether it is a yes or a no.

A quoted "approve" must never approve, so everything from the first sign of a quotation or a signature on is left
out, and whatever is not clearly a yes or a no is neither (ours).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cardwright.envelope.approvals.answers import malformed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.envelope.approvals.answers import Decision

# What an answer begins with.
GRANTED: Final = frozenset({"yes", "approve", "approved", "grant", "granted", "ok", "okay"})
DENIED: Final = frozenset({"no", "deny", "denied", "reject", "rejected"})
# What may follow it without a comma.
_POLITE: Final = frozenset({"please", "thanks", "thank", "you", "it", "this", "that"})
# A yes that stands beside one of these is none.
_RESERVATIONS: Final = frozenset(
    [
        "not",
        "never",
        "cannot",
        "cant",
        "dont",
        "wont",
        "shouldnt",
        "mustnt",
        "none",
        "nobody",
        "nothing",
        "unless",
        "if",
        "but",
        "except",
        "only",
        "until",
        "till",
        "maybe",
        "perhaps",
        "wait",
        "hold",
        "stop",
        "later",
        "however",
        "although",
        "though",
        "decline",
        "declined",
        "refuse",
        "refused",
        "cancel",
        "cancelled",
        "disapprove",
        "disapproved",
        "disagree",
        "nope",
        "nah",
        "neither",
        "nor",
        "against",
        "instead",
        "pending",
    ]
)
# And a no that stands beside one of these.
_CONCESSIONS: Final = frozenset(
    [
        "but",
        "unless",
        "if",
        "except",
        "maybe",
        "perhaps",
        "wait",
        "hold",
        "however",
        "problem",
        "problems",
        "worries",
        "objection",
        "objections",
        "issue",
        "issues",
        "doubt",
        "ahead",
        "fine",
        "sure",
        "yep",
        "yeah",
        "agree",
        "agreed",
    ]
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_OPENING: Final = re.compile(r"[\W_]*([^\W\d_]+)[ \t]*(.*)", re.DOTALL)
_SALUTATION: Final = re.compile(r"\s*(?:hi|hello|hey|dear)\b[^.!?:]{0,60}[,!.]?\s*", re.IGNORECASE)

# `>` and its kin, also after initials; `|` of old programs.
_QUOTED: Final = re.compile(r"\s*(?:>|\||»|&gt;|\w{1,8}>)")
# The signature's dashes (RFC 3676 §4.3), Outlook's line, and every "-----Original Message-----".
_RULED: Final = re.compile(r"\s*(?:[-_=]{2,}|[–—])")
_HEADED: Final = re.compile(
    r"\s*[*_]{0,2}(?:from|sent|date|to|cc|subject|von|gesendet|datum|an|betreff|de|envoyé|à|objet|enviado|para"
    r"|asunto|da|inviato|oggetto|van|verzonden|onderwerp|fra|från|skickat|ämne|od|do|temat)[*_]{0,2}\s?:",
    re.IGNORECASE,
)
_ANNOUNCED: Final = re.compile(
    r"(?:original|forwarded|ursprüngliche|weitergeleitete)\s(?:message|mail|email|nachricht)", re.IGNORECASE
)
_SIGNED: Final = re.compile(
    r"\s*(?:(?:best|kind|warm|kindest|many)?\s?regards\b|sincerely\b|yours\b|best wishes|sent from|get outlook"
    r"|mit freundlichen|(?:viele|liebe|beste) grüße|cordialement|envoyé d|von meinem|gesendet von)",
    re.IGNORECASE,
)
_BEGINS_ATTRIBUTION: Final = re.compile(r"\s*(?:on|am|le|el|il|op|den|em|dne|w dniu)\b", re.IGNORECASE)
_ATTRIBUTES: Final = re.compile(
    r"@|\b(?:wrote|writes|schrieb|écrit|escribió|scritto|schreef|skrev|escreveu|napisał|kirjoitti)\b",
    re.IGNORECASE,
)
# An attribution is broken over so many lines (ours, by what mail programs do).
_ATTRIBUTION_LINES: Final = 4
# More than anybody writes to say yes or no (ours).
MAX_OWN_LINES: Final = 1_000
_HOW: Final = 'begin the reply with "approve" or "deny" and nothing else, above the quoted text'


def own_lines(body: str) -> list[str]:
    """Return the lines that the sender of a reply wrote above quotation and signature.

    Raises:
        ApprovalRefused: As malformed, if they are more than anybody writes.
    """
    lines = body.replace("\ufeff", "").replace("\u200b", "").splitlines()
    looked_at = range(min(len(lines), MAX_OWN_LINES + 1))
    end = next((at for at in looked_at if _ends(lines, at)), len(lines))
    if end > MAX_OWN_LINES:
        raise malformed(f"the reply has more than {MAX_OWN_LINES:,} lines above the quoted text: {_HOW}")
    return lines[:end]


def decided(own: Sequence[str]) -> Decision:
    """Return the decision that the sender's own lines begin with.

    Raises:
        ApprovalRefused: As malformed, if they say nothing, both, or one with a reservation.
    """
    first = next((line for line in own if line.strip() and not _SALUTATION.fullmatch(line)), "")
    opening = _OPENING.match(first)
    if opening is None:
        raise malformed(f"the reply says nothing of its own: {_HOW}")
    word, rest = opening[1].casefold(), opening[2]
    words = _words(own)
    if _stands_alone(rest) and not any("?" in line for line in own):
        if word in GRANTED and not words & (DENIED | _RESERVATIONS) and not any(map(_negates, words)):
            return "granted"
        if word in DENIED and not words & (GRANTED | _CONCESSIONS):
            return "denied"
    raise malformed(f"the reply is neither a clear yes nor a clear no: {_HOW}")


def contradicts(decision: str, lines: Iterable[str]) -> bool:
    """Whether lines hold a word of the other decision."""
    return not _words(lines).isdisjoint(DENIED if decision == "granted" else GRANTED)


def _words(lines: Iterable[str]) -> set[str]:
    return {word.replace("’", "'") for line in lines for word in _WORD.findall(line.casefold())}


def _negates(word: str) -> bool:
    return word.endswith("n't")


def _stands_alone(rest: str) -> bool:
    """Whether what follows an answer on its line begins a new thought, or is merely polite."""
    following = _WORD.match(rest.casefold())
    return following[0] in _POLITE if following else not rest[:1].isalnum() and rest[:1] != "_"


def _ends(lines: Sequence[str], at: int) -> bool:
    """Whether the sender's own text ends above a line."""
    line = lines[at]
    if any(sign.match(line) for sign in (_QUOTED, _RULED, _HEADED, _SIGNED)) or _ANNOUNCED.search(line):
        return True
    if _attributes(lines, at):
        return True
    ahead = range(at + 1, min(at + _ATTRIBUTION_LINES, len(lines)))
    return bool(_BEGINS_ATTRIBUTION.match(line)) and any(_attributes(lines, one) for one in ahead)


def _attributes(lines: Sequence[str], at: int) -> bool:
    """Whether a line ends what says who wrote the quotation below: "…, the harbour desk wrote:"."""
    line = lines[at].rstrip()
    if not line.endswith((":", "：")):
        return False
    below = next((one for one in lines[at + 1 : at + 3] if one.strip()), "")
    return bool(_ATTRIBUTES.search(line)) or bool(_QUOTED.match(below))
