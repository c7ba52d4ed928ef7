"""Inline markup of descriptions: a safe subset of CommonMark (A2A 0.1 §5.5: descriptions may use CommonMark).

Emphasis (§6.2), code spans (§6.1) and inline links (§6.3) on one line. Everything else stays text: a description comes
from another server, so images, HTML, references and titles of links are not rendered, and a reader always sees where a
link leads.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, TypeAlias

Style: TypeAlias = Literal["", "strong", "em", "code"]

# A piece is bounded, so that matching stays linear in the text. A code span comes first, as its content is literal.
_INLINE: Final = re.compile(
    r"(?P<tick>`{1,3})(?!`)(?P<code>[^`\n]{1,300})(?P=tick)(?!`)"
    r"|\*\*(?=[^\s*])(?P<strong>[^*\n]{1,300})(?<=\S)\*\*"
    r"|(?<![\w_])__(?=[^\s_])(?P<strong_>[^_\n]{1,300})(?<=\S)__(?![\w_])"
    r"|(?<![\w*])\*(?=[^\s*])(?P<em>[^*\n]{1,300})(?<=\S)\*(?![\w*])"
    r"|(?<![\w_])_(?=[^\s_])(?P<em_>[^_\n]{1,300})(?<=\S)_(?![\w_])"
    r"|(?<!!)\[(?P<label>[^\[\]\n]{1,300})\]\((?P<url>https?://[^\s()<>\"'\\]{1,2000})\)"
)


class Span(NamedTuple):
    """A piece of a description.

    Attributes:
        text: The text, without its markup.
        style: `strong`, `em`, `code` or "".
        url: The http(s) URL that the text is a link to, or "".
    """

    text: str
    style: Style = ""
    url: str = ""


def spans(text: str) -> list[Span]:
    """Split a description into pieces.

    >>> spans("**Bold** and `code`, see [docs](https://a.example).")
    [Span(text='Bold', style='strong', url=''), Span(text=' and ', style='', url=''), Span(text='code', style='code', url=''), Span(text=', see ', style='', url=''), Span(text='docs', style='', url='https://a.example'), Span(text='.', style='', url='')]
    """
    result: list[Span] = []
    end = 0
    for match in _INLINE.finditer(text):
        if match.start() > end:
            result.append(Span(text[end : match.start()]))
        result.append(_span(match.groupdict()))
        end = match.end()
    return [*result, *([Span(text[end:])] if end < len(text) else [])]


def _span(groups: dict[str, str | None]) -> Span:
    if code := groups["code"]:
        return Span(code, "code")
    if strong := groups["strong"] or groups["strong_"]:
        return Span(strong, "strong")
    if em := groups["em"] or groups["em_"]:
        return Span(em, "em")
    return Span(groups["label"] or "", "", groups["url"] or "")
