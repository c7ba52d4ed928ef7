"""The markup allowed in a page: only the elements and attributes of the templates."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from cardwright.page.render import text_file

_VOID = {"meta", "input"}
_TEXT = {"dir"}
ALLOWED: dict[str, set[str]] = {
    "html": {"lang"}, "head": set(), "meta": {"charset", "http-equiv", "content", "name"}, "title": set(),
    "style": set(), "body": set(), "a": {"class", "href", "rel"}, "header": set(), "script": set(),
    "nav": {"class", "aria-label"}, "main": {"id", "tabindex", "class"}, "section": {"aria-labelledby"},
    "article": {"class", "id"}, "footer": set(), "h1": {"dir"}, "h2": {"id", "dir"}, "h3": {"dir"},
    "p": {"class", "dir", "hidden"}, "div": {"class"}, "span": {"class", "dir", "role"}, "strong": {"class", "dir"},
    "bdi": {"class"}, "code": _TEXT, "pre": _TEXT, "ul": {"class", "aria-label"}, "ol": {"class"},
    "li": {"class", "dir"}, "dl": {"class"}, "dt": {"class", "dir"}, "dd": {"class", "dir"}, "details": set(),
    "summary": set(), "table": {"role"}, "caption": set(), "thead": {"role"}, "tbody": {"role"}, "tr": {"role"},
    "th": {"scope", "role"}, "td": {"role", "dir"}, "form": {"class", "method", "role", "action"},
    "label": {"class", "for"}, "input": {"class", "id", "type", "name", "value", "placeholder"},
    "select": {"id", "name"}, "option": {"value", "selected"}, "button": {"class", "type", "hidden"},
}  # fmt: skip
HREF = re.compile(r"https?://[^\s\"'<>\\]+|mailto:[^\s?&]+|[#?./\w][^\s:\"'<>\\]*", re.ASCII | re.IGNORECASE)
_STYLE = re.compile(r"<style>[^<]*</style>")
_SCRIPT = f"<script>{text_file('page.js')}</script>"
# Values that only a template writes.
FIXED = re.compile(r"[a-z0-9 -]*|Summary|Actions|Find an agent|On this page|Tags|Skills|Pages")


class Skeleton(HTMLParser):
    """Parser of a page that keeps its text and lists markup that no template has."""

    def __init__(self, body: bytes) -> None:
        super().__init__()
        self.foreign: list[str] = []
        self.texts: list[str] = []
        self.links: list[str] = []
        self._open: list[str] = []
        # Only the project has the style, and it is long.
        page = _STYLE.sub("<style></style>", body.decode(), count=1)
        self.feed(page.replace(_SCRIPT, "<script></script>", 1))
        self.close()
        self.foreign += [f"never closed: {tag}" for tag in self._open]

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _VOID:
            self._open.append(tag)
        for name, value in attrs:
            if name not in ALLOWED.get(tag, set()):
                self.foreign.append(f"attribute {name} of {tag}")
            elif name in ("href", "action"):
                self.links.append(value or "")
                if not HREF.fullmatch(value or "") or (value or "").startswith("//"):
                    self.foreign.append(f"link to {value!r}")
            # The query is in its field again.
            elif (tag, name) == ("input", "value") or name == "selected":
                continue
            elif tag not in ("meta", "html") and name != "rel" and not FIXED.fullmatch(value or ""):
                self.foreign.append(f"{name}={value!r} of {tag}")
        if tag not in ALLOWED:
            self.foreign.append(f"element {tag}")

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.foreign.append(f"end of {tag} where none is open")

    def handle_data(self, data: str) -> None:
        if "script" in self._open:
            self.foreign.append(f"script {data!r}")
        if "style" not in self._open:
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.foreign.append(f"comment {data!r}")

    def handle_decl(self, decl: str) -> None:
        if decl.lower() != "doctype html":
            self.foreign.append(f"declaration {decl!r}")

    def handle_pi(self, data: str) -> None:
        self.foreign.append(f"instruction {data!r}")

    def unknown_decl(self, data: str) -> None:
        self.foreign.append(f"declaration {data!r}")


def assert_allowed_markup(body: bytes) -> Skeleton:
    """Assert that a page has only markup of the templates, and shows every character."""
    skeleton = Skeleton(body)
    assert skeleton.foreign == []
    assert [c for c in set(body.decode()) if not c.isprintable() and c != "\n"] == []
    return skeleton
