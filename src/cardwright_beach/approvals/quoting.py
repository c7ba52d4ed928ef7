"""Find where the sender's own text in an email reply ends, and quoted text or a signature begins.

Only lines that a mail program writes end the text. Any other line may be a condition ("To: be decided"): it stays in
the text, so that the reply is not read as a yes (project decision).
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from cardwright_beach.approvals.approval_parts import malformed

if TYPE_CHECKING:
    from collections.abc import Sequence

# Longer than any real reply (project decision).
MAX_OWN_LINES: Final = 1_000
HOW_TO_REPLY: Final = 'reply with only "approve" or "deny", above the quoted text'

# `>` and similar marks, also after initials; `|` of old mail programs.
_QUOTED: Final = re.compile(r"\s*(?:>|\||»|&gt;|\w{1,8}>)")
# A separator line, or "-----Original Message-----" in any language.
_RULED: Final = re.compile(r"\s*(?:[-_=]{2,}|[–—]+|-{4,}[^-].{0,80}-{4,})\s*")
_ANNOUNCED: Final = re.compile(
    r"\s*(?:begin )?(?:original|forwarded|ursprüngliche|weitergeleitete)\s(?:message|mail|email|nachricht):?\s*",
    re.IGNORECASE,
)
# "From: …" in any script, with or without emphasis marks; a label has at most three words.
_LABELLED: Final = re.compile(r"\s*([*_]{0,2})([^\W\d_]+(?: [^\W\d_]+){0,2})[*_]{0,2}\s?[:：]")
_BRACKETED: Final = re.compile(r"[<\[(](?:mailto:)?[^\s<>@]{1,64}@[^\s<>@]{1,255}[>\])]")
# Labels of a quoted header: the first names the sender, the following ones the date or the subject.
_SENDERS: Final = re.compile(
    "from|von|de|da|van|fra|från|lähettäjä|od|feladó|kimden|gönderen|от|від|από"
    "|发件人|寄件者|寄件人|差出人|送信者|보낸 ?사람"
)
_FOLLOWING: Final = re.compile(
    "sent|date|subject|gesendet|datum|betreff|envoyé|objet|enviad[ao]|fecha|asunto|data|assunto|inviato|oggetto"
    "|verzonden|onderwerp|sendt|dato|emne|skickat|ämne|lähetetty|päivämäärä|aihe|(?:data )?wysłan[oi]a?|temat"
    "|odesláno|předmět|elküldve|dátum|tárgy|gönder(?:ilme|ildi|me)(?: tarihi)?|tarih|konu|отправлено|дата|тема"
    "|надіслано|στάλθηκε|ημερομηνία|θέμα|发送时间|日期|主题|寄件日期|主旨|送信日時|日時|日付|件名|보낸 ?날짜|날짜|제목"
)
_HEADER_LINES: Final = 4
# "On 4 May 2026 at 07:00, the harbour desk wrote:", in many languages.
_BEGINS_ATTRIBUTION: Final = re.compile(r"\s*(?:on|am|le|el|il|op|den|em|dne|w dniu)\b", re.IGNORECASE)
_ATTRIBUTES: Final = re.compile(
    r"@|\b(?:wrote|writes|schrieb|écrit|escribió|scritto|schreef|skrev|escreveu|napisał|kirjoitti|yazdı|пишет|написал)\b"
    r"|写道|寫道",
    re.IGNORECASE,
)
_DATED: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\d[:.]\d\d(?!\d)")
# Maximum lines of an attribution (project decision, from the behaviour of mail programs).
_ATTRIBUTION_LINES: Final = 4
# The first line of a signature, with or without a name; then the signatures of mail apps.
_CLOSING: Final = re.compile(
    r"\s*(?:(?:(?:with )?(?:best|kind|warm|kindest|warmest|many) )?regards|best wishes|all the best|best|sincerely"
    r"|yours(?: sincerely| truly| faithfully)?|sincerely yours|mit freundlichen grüßen|(?:viele|liebe|beste) grüße"
    r"|cordialement|saludos|un saludo|cordiali saluti|med vänlig hälsning|met vriendelijke groet(?:en)?)(?!\w)",
    re.IGNORECASE,
)
_SENT_FROM: Final = re.compile(
    r"\s*(?:sent from (?:my|mail for|outlook|yahoo|proton)\b|get outlook for\b|envoyé (?:de|depuis) mon\b"
    r"|von meinem \w+ gesendet|gesendet von mein)",
    re.IGNORECASE,
)
_THANKS: Final = re.compile(r"\s*(?:many thanks|thanks(?: again)?|thank you|cheers)\s?,\s*", re.IGNORECASE)
_NAME: Final = re.compile(r"[^\W\d_](?:[^\W\d_]|[.'’-]){0,30}(?: [^\W\d_](?:[^\W\d_]|[.'’-]){0,30}){0,3}")
_NAME_LINES: Final = 3
# A postscript belongs to the sender's own text.
_POSTSCRIPT: Final = re.compile(r"\W*p\.?\s?(?:p\.?\s?)?s\b", re.IGNORECASE)


def own_lines(body: str) -> list[str]:
    """Return the lines that the sender wrote above quoted text and signature.

    Raises:
        ApprovalRefused: `malformed`, if there are more than `MAX_OWN_LINES`.
    """
    lines = body.replace("\ufeff", "").replace("\u200b", "").splitlines()[: MAX_OWN_LINES + 8]
    quoted = next((at for at in range(len(lines)) if _quotes(lines, at)), len(lines))
    own = _unsigned(lines[:quoted])
    if len(own) > MAX_OWN_LINES:
        raise malformed(
            f"the reply has more than {MAX_OWN_LINES:,} lines above the quoted text; {HOW_TO_REPLY}"
        )
    return own


def is_name(text: str) -> bool:
    """Return whether a text has the form of a name: one to four words, none beginning with a lower-case letter."""
    return _NAME.fullmatch(text) is not None and not any(word[0].islower() for word in text.split())


def _unsigned(lines: list[str]) -> list[str]:
    """Return the lines above the signature; all lines if a postscript follows it."""
    for at, line in enumerate(lines):
        if _signs(line) or _only_names(lines, at):
            return lines if any(map(_POSTSCRIPT.match, lines[at:])) else lines[:at]
    return lines


def _signs(line: str) -> bool:
    if line.strip() == "--" or _SENT_FROM.match(line):
        return True
    closing = _CLOSING.match(line)
    beside = line[closing.end() :].strip(" \t,.!") if closing else None
    return beside is not None and (not beside or is_name(beside))


def _only_names(lines: Sequence[str], at: int) -> bool:
    """Return whether a line is "Thanks," and only a name follows; otherwise the text continues after "Thanks,"."""
    if not _THANKS.fullmatch(lines[at]):
        return False
    written = (line.strip() for line in lines[at + 1 :] if line.strip())
    below = list(islice(written, _NAME_LINES + 1))
    return len(below) <= _NAME_LINES and all(map(is_name, below))


def _quotes(lines: Sequence[str], at: int) -> bool:
    """Return whether quoted text begins at a line."""
    line = lines[at]
    if _QUOTED.match(line) or _ANNOUNCED.fullmatch(line) or _heads(lines, at):
        return True
    if _RULED.fullmatch(line):
        # Two dashes begin a signature (RFC 3676 §4.3), which `_unsigned` handles.
        return line.strip() != "--"
    ahead = _ATTRIBUTION_LINES if _BEGINS_ATTRIBUTION.match(line) else 1
    return any(_attributes(lines, at, last) for last in range(at, min(at + ahead, len(lines))))


def _heads(lines: Sequence[str], at: int) -> bool:
    """Return whether lines are the header of a quoted mail, not the sender's own "Nights: two" or "From: Friday"."""
    first = _LABELLED.match(lines[at])
    if first is None:
        return False
    labels = [first[2].casefold()]
    for line in lines[at + 1 : at + _HEADER_LINES]:
        if (label := _LABELLED.match(line)) is None:
            break
        labels.append(label[2].casefold())
    if _SENDERS.fullmatch(labels[0]) and (first[1] or any(map(_FOLLOWING.fullmatch, labels[1:]))):
        return True
    return len(labels) > 1 and _BRACKETED.search(lines[at]) is not None


def _attributes(lines: Sequence[str], first: int, last: int) -> bool:
    """Return whether lines attribute the quoted text below: its sender and date."""
    if not lines[last].rstrip().endswith((":", "：")):
        return False
    # An attribution may span lines but has no empty line; text above an empty line is the sender's own.
    if not all(line.strip() for line in lines[first : last + 1]):
        return False
    text = " ".join(lines[first : last + 1])
    if not (_DATED.search(text) or _BRACKETED.search(text)):
        return False
    below = next((line for line in lines[last + 1 : last + 3] if line.strip()), "")
    return bool(_ATTRIBUTES.search(text) or _QUOTED.match(below))
