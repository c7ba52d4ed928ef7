"""Detect the dialect of a document, with the evidence: shape first, never `$schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import UnknownDialect
from cardwright_models import DIALECTS
from cardwright_models.signs import all_signs, first_sign

if TYPE_CHECKING:
    from cardwright_runtime.violation import JsonObject


@dataclass(frozen=True, slots=True)
class Dialect:
    """A family and a version, such as A2A 0.3; `str()` gives `a2a-0.3`."""

    family: str
    version: str

    def __str__(self) -> str:
        return f"{self.family}-{self.version}"


KNOWN: Final = {name: Dialect(row.family, row.version) for name, row in DIALECTS.items()}


@dataclass(frozen=True, slots=True)
class Detection:
    """What `detect` found.

    Attributes:
        dialect: The dialect to validate by.
        sure: Whether the document says so itself; False where it is only the closest.
        evidence: What was seen, strongest first, in words; only what is as sure as the verdict.
        candidates: Every dialect that some sign speaks for, strongest first.
    """

    dialect: Dialect
    sure: bool
    evidence: tuple[str, ...]
    candidates: tuple[Dialect, ...]

    def __str__(self) -> str:
        return str(self.dialect)


def detect(document: JsonObject) -> Detection:
    """Return the dialect of a decoded document, with the evidence for it.

    >>> str(detect({"name": "A", "protocolVersion": "0.3.0", "skills": []}).dialect)
    'a2a-0.3'

    Raises:
        UnknownDialect: If nothing in the document is a sign of any agent card.
    """
    sign = strongest(document)
    if sign is None:
        raise UnknownDialect(_why_unknown(document))
    name, sure = sign
    signs = all_signs(document)
    return Detection(
        dialect=KNOWN[name],
        sure=sure,
        evidence=tuple(s.evidence for s in signs if s.dialect == name and s.sure == sure),
        candidates=tuple(dict.fromkeys(KNOWN[s.dialect] for s in signs)),
    )


def strongest(document: Any) -> tuple[str, bool] | None:
    """Return the name of the dialect that the strongest sign speaks for, and whether it is sure."""
    sign = first_sign(document) if isinstance(document, dict) else None
    return (sign.dialect, sign.sure) if sign else None


def older_half(document: dict[str, Any]) -> str:
    """Return which older dialect judges a hybrid's other half: that of the document without the newer one."""
    older = {
        name: value
        for name, value in document.items()
        if name != "supportedInterfaces" and not (name == "protocolVersion" and str(value)[:1] != "0")
    }
    sign = first_sign(older)
    name = sign.dialect if sign else ""
    return name if name in ("a2a-0.1", "a2a-0.2") else "a2a-0.3"


def named(name: str) -> Dialect:
    """Return the dialect of a name such as `a2a-0.3`.

    Raises:
        UnknownDialect: If there is none of that name; the message lists those there are.
    """
    dialect = KNOWN.get(name)
    if dialect is None:
        raise UnknownDialect(f"there is no dialect {name!r}; known are {', '.join(KNOWN)}")
    return dialect


def _why_unknown(document: Any) -> str:
    if not isinstance(document, dict):
        return "this is no JSON object, so it is no agent card"
    if "serverInfo" in document:
        return "this is an MCP initialize result, not a card (serverInfo stands at the top)"
    missing = [name for name in ("name", "skills", "capabilities", "url") if name not in document]
    lacks = f"; it has no {', no '.join(missing)}" if missing else ""
    return (
        f"nothing here is a sign of an agent card of any known dialect{lacks}: name the dialect if it is one"
    )
