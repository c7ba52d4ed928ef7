"""Writing a changed document with the layout of its original text.

Only objects and arrays with a change are written again, with their indentation, line ends and spacing; everything else
is copied from the text.
"""

from __future__ import annotations

import json
import re
from collections import deque
from dataclasses import dataclass
from typing import Any, Final

from cardwright.locate import STRING, Node, parsed

_SHORT_LIST: Final = re.compile(r'\["[^"\n]*"[\],]')
_PUNCTUATION: Final = re.compile(f"{STRING}|[,:]")
_UNIT: Final = re.compile(r"[{\[]\r?\n([ \t]+)")


def rewritten(body: bytes, before: Any, after: Any) -> bytes:
    """Return the bytes of a changed document.

    Args:
        body: The bytes that the document was decoded from.
        before: The document as it was decoded.
        after: The changed document.
    """
    text = body.decode("utf-8")
    style = _Style.of(text)
    root = parsed(text)
    changed = text[: root.start] + _Writer(text, style).value(before, after, root, "") + text[root.end :]
    return changed.encode("utf-8")


@dataclass(frozen=True, slots=True)
class _Style:
    """The layout of a text: the indentation of one level, the line end, and the separators with their spaces."""

    unit: str
    line: str
    comma: str
    colon: str
    escapes: bool
    short_lists: bool

    @classmethod
    def of(cls, text: str) -> _Style:
        unit = _UNIT.search(text)
        return cls(
            unit=unit[1] if unit else "",
            line=("\r\n" if "\r\n" in text else "\n") if unit else "",
            comma=f",{_blank_after(text, ',') or (' ' if unit else '')}",
            colon=f":{_blank_after(text, ':')}",
            escapes=text.isascii() and "\\u" in text,
            short_lists=bool(_SHORT_LIST.search(text)),
        )


def _blank_after(text: str, mark: str) -> str:
    """Return the space that follows a punctuation mark within a line of this text, or ""."""
    for token in _PUNCTUATION.finditer(text):
        following = text[token.end() : token.end() + 1]
        if token[0] == mark and following not in ("\r", "\n"):
            return " " if following == " " else ""
    return ""


class _Writer:
    def __init__(self, text: str, style: _Style) -> None:
        self._text = text
        self._style = style

    def value(self, before: Any, after: Any, node: Node | None, indent: str, *, flat: bool = False) -> str:
        """Return the text of a value: copied if it is unchanged, else written."""
        if node is not None and _same(before, after):
            return self._text[node.start : node.end]
        if type(after) not in (dict, list) or not after:
            return json.dumps(after, ensure_ascii=self._style.escapes)
        multiline = self._is_multiline(after, node, flat=flat)
        closing, deeper = self._indents(node, indent) if multiline else (indent, indent)
        if type(after) is dict:
            left, right = "{}"
            parts = self._fields(
                before if type(before) is dict else {}, after, node, deeper, flat=not multiline
            )
        else:
            left, right = "[]"
            parts = self._items(
                before if type(before) is list else [], after, node, deeper, flat=not multiline
            )
        if not multiline:
            return f"{left}{self._style.comma.join(parts)}{right}"
        line = self._style.line
        return f"{left}{line}{deeper}{f',{line}{deeper}'.join(parts)}{line}{closing}{right}"

    def _fields(
        self, before: dict[str, Any], after: dict[str, Any], node: Node | None, indent: str, *, flat: bool
    ) -> list[str]:
        # A field that was only renamed keeps the text of its value.
        renamed = any(name not in before for name in after)
        removed = {_key(before[name]): name for name in reversed(before) if renamed and name not in after}
        lines: list[str] = []
        for name, value in after.items():
            old = name if name in before else removed.get(_key(value), name)
            inner = node.inner.get(old) if node and old in before else None
            text = self.value(before.get(old), value, inner, indent, flat=flat)
            lines.append(f"{json.dumps(name, ensure_ascii=self._style.escapes)}{self._style.colon}{text}")
        return lines

    def _items(
        self, before: list[Any], after: list[Any], node: Node | None, indent: str, *, flat: bool
    ) -> list[str]:
        texts: list[str] = []
        at = 0
        places = _places(before) if len(before) > len(after) else {}
        for item in after:
            if places:
                # Items were removed: continue with the next equal one, or with the one at the same index.
                equal = places.get(_key(item), deque())
                while equal and equal[0] < at:
                    equal.popleft()
                at = equal[0] if equal else at
            paired = node is not None and at < len(before)
            inner = node.inner.get(at) if node is not None else None
            texts.append(self.value(before[at] if paired else None, item, inner, indent, flat=flat))
            at += 1
        return texts

    def _is_multiline(self, after: Any, node: Node | None, *, flat: bool) -> bool:
        """Return whether to write each field or item on a line of its own, as in the text or its neighbours."""
        if not self._style.line:
            return False
        if node is not None and node.inner:
            return "\n" in self._text[node.start : node.first]
        plain = type(after) is list and all(type(item) not in (dict, list) for item in after)
        return not flat and not (plain and self._style.short_lists)

    def _indents(self, node: Node | None, indent: str) -> tuple[str, str]:
        """Return the indentation of a value's last line and of its contents: as in the text, or the default."""
        if node is None or not node.inner:
            return indent, indent + self._style.unit
        closing, deeper = self._line_before(node.end - 1), self._line_before(node.first)
        closing = closing if not closing.strip() else indent
        return closing, deeper if not deeper.strip() else closing + self._style.unit

    def _line_before(self, at: int) -> str:
        return self._text[self._text.rfind("\n", 0, at) + 1 : at]


def _places(items: list[Any]) -> dict[str, deque[int]]:
    """Return the indexes of each value in a list, in order: to search the list for each item takes too long."""
    places: dict[str, deque[int]] = {}
    for index, item in enumerate(items):
        places.setdefault(_key(item), deque()).append(index)
    return places


def _key(value: Any) -> str:
    """Return a text that two values share if they have the same JSON text."""
    return json.dumps(value)


def _same(one: Any, other: Any) -> bool:
    """Return whether two values have the same JSON text; Python considers True, 1 and 1.0 equal."""
    if type(one) is not type(other):
        return False
    if type(one) is dict:
        return list(one) == list(other) and all(_same(value, other[name]) for name, value in one.items())
    if type(one) is list:
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)
