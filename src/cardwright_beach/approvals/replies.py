"""Whether what the sender of a reply wrote is a yes or a no.

A yes is the answer and politeness, and nothing else: whoever adds a word of their own may mean a reservation. A no may
be followed by its reason, since denying is safe (ours).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from cardwright_beach.approvals.answers import malformed
from cardwright_beach.approvals.quoting import HOW

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright_beach.approvals.answers import Decision

# What an answer begins with.
GRANTED: Final = frozenset({"yes", "approve", "approved", "grant", "granted", "ok", "okay"})
DENIED: Final = frozenset({"no", "deny", "denied", "reject", "rejected"})
# All that may stand beside a yes (ours). None is made of others, so that a text is read in one way only.
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
# What may stand between words: a question mark is no part of an answer, and a digit changes what was asked.
_BETWEEN: Final = re.compile(
    "[\\s,.!:*_\\-–—\U0001f44d\u2705\U0001f44c\U0001f64f\U0001f642\U0001f3fb-\U0001f3ff\ufe0f]+"
)
_GREETING: Final = re.compile(
    r"\s*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|day))((?: [^\W\d_]+[.]?){0,4})\s?[,!.]?\s*",
    re.IGNORECASE,
)
# What may follow a no without a comma.
_AFTER_NO: Final = frozenset({"please", "thanks", "thank", "you", "it", "this", "that"})
# A no that stands beside one of these is none.
_CONCESSIONS: Final = frozenset(
    [
        *("but", "unless", "if", "except", "maybe", "perhaps", "wait", "hold", "however"),
        *("problem", "problems", "worries", "objection", "objections", "issue", "issues", "doubt"),
        *("ahead", "fine", "sure", "yep", "yeah", "agree", "agreed"),
    ]
)
# What nobody is called, so that it is no greeting.
_NO_NAMES: Final = frozenset({"not", "never", "dont", "do", "wait", "stop", "hold", *GRANTED, *DENIED})
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_OPENING: Final = re.compile(r"[\W_]*([^\W\d_]+)[ \t]*(.*)", re.DOTALL)
# Enough to say why (ours).
_REASON_CHARACTERS: Final = 500


def ungreeted(own: Sequence[str]) -> list[str]:
    """Return the lines from the first that is neither empty nor a salutation."""
    start = next((at for at, line in enumerate(own) if line.strip() and not _greets(line)), len(own))
    return list(own[start:])


def decided(said: Sequence[str]) -> tuple[Decision, str | None]:
    """Return the decision that the sender's own lines begin with, and the reason of a denial.

    Raises:
        ApprovalRefused: As malformed, if they say nothing, both, or a yes with anything else.
    """
    opening = _OPENING.match(said[0]) if said else None
    if opening is None:
        raise malformed(f"the reply says nothing of its own: {HOW}")
    word = opening[1].casefold()
    if word in GRANTED and only_polite(said):
        return "granted", None
    if word in DENIED and _stands_alone(opening[2]) and not concedes(said):
        return "denied", reason_of([opening[2], *said[1:]])
    raise malformed(f"the reply is neither a clear no nor a yes without anything else: {HOW}")


def only_polite(lines: Iterable[str]) -> bool:
    """Whether lines hold nothing but what may stand beside a yes."""
    words = _BETWEEN.sub(" ", "\n".join(lines)).casefold().split()
    return _ONLY_POLITE.fullmatch("".join(f"{word} " for word in words)) is not None


def concedes(lines: Iterable[str]) -> bool:
    """Whether lines hold a word or a mark that makes a no doubtful."""
    given = list(lines)
    words = {word.replace("’", "'") for line in given for word in _WORD.findall(line.casefold())}
    return any("?" in line for line in given) or not words.isdisjoint(GRANTED | _CONCESSIONS)


def reason_of(lines: Sequence[str]) -> str | None:
    """Return the first paragraph of what follows a no, unless it is merely polite."""
    paragraph = "\n".join(lines).strip().partition("\n\n")[0]
    reason = " ".join(paragraph.split()).lstrip(" ,.!:;*_-–—")
    if not reason or only_polite([reason]):
        return None
    return reason if len(reason) <= _REASON_CHARACTERS else f"{reason[:_REASON_CHARACTERS]}…"


def _greets(line: str) -> bool:
    greeting = _GREETING.fullmatch(line)
    return greeting is not None and _NO_NAMES.isdisjoint(_WORD.findall(greeting[1].casefold()))


def _stands_alone(rest: str) -> bool:
    """Whether what follows a no on its line begins a new thought, or is merely polite."""
    following = _WORD.match(rest.casefold())
    return following[0] in _AFTER_NO if following else not rest[:1].isalnum() and rest[:1] != "_"
