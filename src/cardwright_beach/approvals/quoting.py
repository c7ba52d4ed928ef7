"""Where the sender's own text in a reply ends, and the quotation or the signature begins.

A line that merely looks like either may be a reservation ("To: be decided"), and what is left out cannot be told from
silence. So only what a mail program writes ends the text; the rest stays in it, where it makes no yes (ours).
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from cardwright_beach.approvals.answers import malformed

if TYPE_CHECKING:
    from collections.abc import Sequence

# More than anybody writes to say yes or no (ours).
MAX_OWN_LINES: Final = 1_000
HOW: Final = 'begin the reply with "approve" or "deny" and nothing else, above the quoted text'

# `>` and its kin, also after initials; `|` of old programs.
_QUOTED: Final = re.compile(r"\s*(?:>|\||»|&gt;|\w{1,8}>)")
# A rule alone on its line, and "-----Original Message-----" in any language.
_RULED: Final = re.compile(r"\s*(?:[-_=]{2,}|[–—]+|-{4,}[^-].{0,80}-{4,})\s*")
_ANNOUNCED: Final = re.compile(
    r"\s*(?:begin )?(?:original|forwarded|ursprüngliche|weitergeleitete)\s(?:message|mail|email|nachricht):?\s*",
    re.IGNORECASE,
)
# "From: …", in any script and with any mark of emphasis; the label is at most three words.
_LABELLED: Final = re.compile(r"\s*([*_]{0,2})([^\W\d_]+(?: [^\W\d_]+){0,2})[*_]{0,2}\s?[:：]")
_BRACKETED: Final = re.compile(r"[<\[(](?:mailto:)?[^\s<>@]{1,64}@[^\s<>@]{1,255}[>\])]")
# How a quoted header begins, and what follows within it: mail programs write who sent it, then when or about what.
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
# An attribution is broken over so many lines (ours, by what mail programs do).
_ATTRIBUTION_LINES: Final = 4
# What begins a signature, alone on its line or with a name; and what telephones write.
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
# A postscript belongs to what is said.
_POSTSCRIPT: Final = re.compile(r"\W*p\.?\s?(?:p\.?\s?)?s\b", re.IGNORECASE)


def own_lines(body: str) -> list[str]:
    """Return the lines that the sender of a reply wrote above quotation and signature.

    Raises:
        ApprovalRefused: As malformed, if they are more than anybody writes.
    """
    lines = body.replace("\ufeff", "").replace("\u200b", "").splitlines()[: MAX_OWN_LINES + 8]
    quoted = next((at for at in range(len(lines)) if _quotes(lines, at)), len(lines))
    own = _unsigned(lines[:quoted])
    if len(own) > MAX_OWN_LINES:
        raise malformed(f"the reply has more than {MAX_OWN_LINES:,} lines above the quoted text: {HOW}")
    return own


def is_name(text: str) -> bool:
    """Whether a text is written as names are: one to four words, none with a small letter first."""
    return _NAME.fullmatch(text) is not None and not any(word[0].islower() for word in text.split())


def _unsigned(lines: list[str]) -> list[str]:
    """Return lines above the signature; all of them where a postscript follows it."""
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
    """Whether a line is "Thanks," with nothing but a name below: unlike a closing, it may go on."""
    if not _THANKS.fullmatch(lines[at]):
        return False
    written = (line.strip() for line in lines[at + 1 :] if line.strip())
    below = list(islice(written, _NAME_LINES + 1))
    return len(below) <= _NAME_LINES and all(map(is_name, below))


def _quotes(lines: Sequence[str], at: int) -> bool:
    """Whether a quotation begins at a line."""
    line = lines[at]
    if _QUOTED.match(line) or _ANNOUNCED.fullmatch(line) or _heads(lines, at):
        return True
    if _RULED.fullmatch(line):
        # The dashes of a signature (RFC 3676 §4.3), below which a postscript is looked for.
        return line.strip() != "--"
    ahead = _ATTRIBUTION_LINES if _BEGINS_ATTRIBUTION.match(line) else 1
    return any(_attributes(lines, at, last) for last in range(at, min(at + ahead, len(lines))))


def _heads(lines: Sequence[str], at: int) -> bool:
    """Whether lines are the header of a quoted mail, and not terms of the sender's: "Nights: two", "From: Friday"."""
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
    """Whether lines say when who wrote the quotation below."""
    if not lines[last].rstrip().endswith((":", "：")):
        return False
    # Mail programs break an attribution over lines, never by an empty one: what stands above that is the sender's.
    if not all(line.strip() for line in lines[first : last + 1]):
        return False
    told = " ".join(lines[first : last + 1])
    if not (_DATED.search(told) or _BRACKETED.search(told)):
        return False
    below = next((one for one in lines[last + 1 : last + 3] if one.strip()), "")
    return bool(_ATTRIBUTES.search(told) or _QUOTED.match(below))
