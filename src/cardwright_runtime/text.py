"""A document as one text, which shows without a walk that most rules about texts find nothing in it."""

from __future__ import annotations

from typing import NamedTuple


class Text(NamedTuple):
    """A document as one JSON text with minimal escapes.

    A pattern that does not match the whole text matches none of its strings, so that most documents need no
    walk through their strings. `beyond` is the text without its ASCII characters.
    """

    whole: str
    beyond: str
