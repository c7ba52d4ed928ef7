"""Detection of the dialect of a document, with evidence: by its shape, never by `$schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import UnknownDialect
from cardwright_models import DIALECTS
from cardwright_models.detection import all_matches, first_match

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
    """The result of `detect`.

    Attributes:
        dialect: The dialect to validate as.
        sure: Whether the document identifies the dialect; False if it is only the closest one.
        evidence: The evidence as text, strongest first; only evidence as certain as `sure`.
        candidates: Every dialect with evidence, strongest first.
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
        UnknownDialect: If the document matches no detection rule.
    """
    match = strongest(document)
    if match is None:
        raise UnknownDialect(_why_unknown(document))
    name, sure = match
    matches = all_matches(document)
    return Detection(
        dialect=KNOWN[name],
        sure=sure,
        evidence=tuple(rule.evidence for rule in matches if rule.dialect == name and rule.sure == sure),
        candidates=tuple(dict.fromkeys(KNOWN[rule.dialect] for rule in matches)),
    )


def strongest(document: Any) -> tuple[str, bool] | None:
    """Return the name of the dialect with the strongest evidence, and whether it is certain; None without evidence."""
    match = first_match(document) if isinstance(document, dict) else None
    return (match.dialect, match.sure) if match else None


def older_half(document: dict[str, Any]) -> str:
    """Return the dialect of the older half of a hybrid: that of the document without the fields of the newer half."""
    older = {
        name: value
        for name, value in document.items()
        if name != "supportedInterfaces" and not (name == "protocolVersion" and str(value)[:1] != "0")
    }
    match = first_match(older)
    name = match.dialect if match else ""
    return name if name in ("a2a-0.1", "a2a-0.2") else "a2a-0.3"


def named(name: str) -> Dialect:
    """Return the dialect with a name such as `a2a-0.3`.

    Raises:
        UnknownDialect: If no dialect matches; the message lists the known dialects.
    """
    dialect = KNOWN.get(name)
    if dialect is None:
        raise UnknownDialect(f"unknown dialect {name!r}; use one of {', '.join(KNOWN)}")
    return dialect


def _why_unknown(document: Any) -> str:
    if not isinstance(document, dict):
        return "not an agent card: expected a JSON object"
    if "serverInfo" in document:
        return "not an agent card: this is an MCP initialize result (it has the field serverInfo)"
    missing = [name for name in ("name", "skills", "capabilities", "url") if name not in document]
    reason = f" (no {', no '.join(missing)})" if missing else ""
    return f"not an agent card of any known dialect{reason}. If it is a card, specify its dialect"
