"""Read the sender's own text in a reply as a yes or a no.

A yes may only be followed by polite phrases, because any other word may be a condition. A no may be followed by a
reason, because denying is safe (project decision).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cardwright_beach.approvals.approval_parts import malformed
from cardwright_beach.approvals.quoting import HOW_TO_REPLY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright_beach.approvals.approval_parts import Decision

# The first word of a reply.
GRANTED: Final = frozenset({"yes", "approve", "approved", "grant", "granted", "ok", "okay"})
DENIED: Final = frozenset({"no", "deny", "denied", "reject", "rejected"})
# Phrases that may follow a yes (project decision). No phrase is a combination of others, so matching is unambiguous.
POLITE: Final = (
    *("please", "please do", "thanks", "thanks again", "thanks a lot", "thanks so much", "thanks very much"),
    *("many thanks", "thank you", "thank you so much", "thank you very much", "cheers", "bye"),
    *("go ahead", "go for it", "proceed", "do it", "run it", "it may run"),
    *("approve it", "approve this", "approve that", "grant it", "grant this", "grant that"),
    *(
        "sure",
        "of course",
        "certainly",
        "absolutely",
        "definitely",
        "gladly",
        "with pleasure",
        "by all means",
    ),
    *("fine", "fine by me", "fine with me", "good", "great", "perfect", "sounds good", "looks good"),
    *("looks good to me", "agreed", "confirmed"),
)
_ONLY_POLITE: Final = re.compile(rf"(?:(?:{'|'.join(map(re.escape, sorted({*GRANTED, *POLITE})))}) )*")
# Separators between words. Not the question mark, which makes a reply doubtful, nor digits, which may be a condition.
_BETWEEN: Final = re.compile(
    "[\\s,.!:*_\\-–—\U0001f44d\u2705\U0001f44c\U0001f64f\U0001f642\U0001f3fb-\U0001f3ff\ufe0f]+"
)
_GREETING: Final = re.compile(
    r"\s*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|day))((?: [^\W\d_]+[.]?){0,4})\s?[,!.]?\s*",
    re.IGNORECASE,
)
# Words that may follow a no without a comma.
_AFTER_NO: Final = frozenset({"please", "thanks", "thank", "you", "it", "this", "that"})
# Words that make a no doubtful.
_CONCESSIONS: Final = frozenset(
    [
        *("but", "unless", "if", "except", "maybe", "perhaps", "wait", "hold", "however"),
        *("problem", "problems", "worries", "objection", "objections", "issue", "issues", "doubt"),
        *("ahead", "fine", "sure", "yep", "yeah", "agree", "agreed"),
    ]
)
# Words that are not names, so a line with one is not a salutation.
_NO_NAMES: Final = frozenset({"not", "never", "dont", "do", "wait", "stop", "hold", *GRANTED, *DENIED})
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_OPENING: Final = re.compile(r"[\W_]*([^\W\d_]+)[ \t]*(.*)", re.DOTALL)
# Project decision.
_MAX_REASON_CHARACTERS: Final = 500


def ungreeted(own: Sequence[str]) -> list[str]:
    """Return the lines without leading empty lines and salutations."""
    start = next((at for at, line in enumerate(own) if line.strip() and not _greets(line)), len(own))
    return list(own[start:])


def decided(text: Sequence[str]) -> tuple[Decision, str | None]:
    """Return the decision that the sender's own lines begin with, and the reason of a denial.

    Raises:
        ApprovalRefused: `malformed`, if they are empty, contradictory, or a yes with other words.
    """
    opening = _OPENING.match(text[0]) if text else None
    if opening is None:
        raise malformed(f"the reply has no text of its own; {HOW_TO_REPLY}")
    word = opening[1].casefold()
    if word in GRANTED and only_polite(text):
        return "granted", None
    if word in DENIED and _ends_clause(opening[2]) and not concedes(text):
        return "denied", reason_of([opening[2], *text[1:]])
    raise malformed(f"the reply is not a clear yes or no; {HOW_TO_REPLY}")


def only_polite(lines: Iterable[str]) -> bool:
    """Return whether lines hold only words that may follow a yes."""
    words = _BETWEEN.sub(" ", "\n".join(lines)).casefold().split()
    return _ONLY_POLITE.fullmatch("".join(f"{word} " for word in words)) is not None


def concedes(lines: Iterable[str]) -> bool:
    """Return whether lines have a question mark or a word that makes a no doubtful."""
    lines = list(lines)
    words = {word.replace("’", "'") for line in lines for word in _WORD.findall(line.casefold())}
    return any("?" in line for line in lines) or not words.isdisjoint(GRANTED | _CONCESSIONS)


def reason_of(lines: Sequence[str]) -> str | None:
    """Return the first paragraph after a no; None if it is only polite words."""
    paragraph = "\n".join(lines).strip().partition("\n\n")[0]
    reason = " ".join(paragraph.split()).lstrip(" ,.!:;*_-–—")
    if not reason or only_polite([reason]):
        return None
    return reason if len(reason) <= _MAX_REASON_CHARACTERS else f"{reason[:_MAX_REASON_CHARACTERS]}…"


def _greets(line: str) -> bool:
    greeting = _GREETING.fullmatch(line)
    return greeting is not None and _NO_NAMES.isdisjoint(_WORD.findall(greeting[1].casefold()))


def _ends_clause(rest: str) -> bool:
    """Return whether a no ends its clause: punctuation or a polite word follows on the line."""
    following = _WORD.match(rest.casefold())
    return following[0] in _AFTER_NO if following else not rest[:1].isalnum() and rest[:1] != "_"
