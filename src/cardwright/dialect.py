"""Detection of the dialect of a document, with evidence: by its fields; what they leave open, by `$schema` and its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import UnknownDialect
from cardwright_rules import MESSAGES, ROWS
from cardwright_rules.detection import evidence_of, first_match, neighbour_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright_rules.detection import DetectionRule
    from cardwright_runtime.violation import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class Dialect:
    """A family and a version, such as A2A 0.3; `str()` gives `a2a-0.3`."""

    family: str
    version: str

    def __str__(self) -> str:
        return f"{self.family}-{self.version}"


# The longest first: one may end with another.
_WELL_KNOWN: Final = sorted({path for row in ROWS.values() for path in row.well_known}, key=len, reverse=True)
# Project decision: how deep in a document a card is searched that an API put around it.
_MAX_DEPTH: Final = 4
KNOWN: Final = {name: Dialect(row.family, row.version) for name, row in ROWS.items()}


@dataclass(frozen=True, slots=True)
class Detection:
    """The result of `detect`.

    Attributes:
        dialect: The dialect to validate as.
        evidence: What was found, as text: first in the document, then in its `$schema` and the place.
        candidates: The dialects that the evidence leaves open, the closest one first.
    """

    dialect: Dialect
    evidence: tuple[str, ...]
    candidates: tuple[Dialect, ...]

    @property
    def sure(self) -> bool:
        """Whether the evidence leaves only this dialect open; otherwise it is the closest one."""
        return len(self.candidates) == 1

    @property
    def others(self) -> tuple[Dialect, ...]:
        """The other dialects that the evidence leaves open."""
        return self.candidates[1:]

    def __str__(self) -> str:
        return str(self.dialect)


def detect(document: JsonObject | list[JsonValue], *, found_at: str = "") -> Detection:
    """Return the dialect of a decoded document, with the evidence for it.

    Args:
        document: The document; an array is a stream of messages.
        found_at: The URL or path that it was read from: a card below `/.well-known/agent-card.json` is not older than
            0.3 (A2A 0.3, section 5.3), one below `/.well-known/agent.json` is.

    >>> str(detect({"name": "A", "protocolVersion": "0.3.0", "skills": []}).dialect)
    'a2a-0.3'

    Raises:
        UnknownDialect: If the document matches no detection rule.
    """
    subject, rule = _matched(document)
    if rule is None:
        raise UnknownDialect(_why_unknown(document, found_at))
    names, further = _left_open(subject, rule.candidates, found_at)
    return Detection(
        dialect=KNOWN[names[0]],
        evidence=(evidence_of(rule, subject), *further),
        candidates=tuple(KNOWN[name] for name in names),
    )


def detected_name(document: Any, found_at: str = "") -> str | None:
    """Return the name of the dialect of a document, or None if it matches no detection rule."""
    subject, rule = _matched(document)
    return None if rule is None else _left_open(subject, rule.candidates, found_at)[0][0]


def _matched(document: Any) -> tuple[dict[str, Any], DetectionRule | None]:
    """Return the object that tells the dialect, and the detection rule that it matches: of a stream, its first element."""
    is_stream = isinstance(document, list)
    subject = next((one for one in document if isinstance(one, dict)), None) if is_stream else document
    if not isinstance(subject, dict):
        return {}, None
    rule = first_match(subject)
    return subject, None if is_stream and rule and rule.candidates[0] not in MESSAGES else rule


def _left_open(
    document: dict[str, Any], candidates: tuple[str, ...], found_at: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the candidates that its `$schema` leaves open, those of its place first, and the evidence of these."""
    evidence: tuple[str, ...] = ()
    if len(candidates) == 1:
        return candidates, evidence
    schema = document.get("$schema")
    of_schema = tuple(
        name for name in candidates if isinstance(schema, str) and ROWS[name].schema_id == schema
    )
    if of_schema:
        return of_schema, (f"$schema is the schema of {of_schema[0]}",)
    path = _well_known_path(found_at)
    of_path = tuple(name for name in candidates if path in ROWS[name].well_known)
    if of_path and len(of_path) < len(candidates):
        others = tuple(name for name in candidates if name not in of_path)
        return of_path + others, (f"found at {path}, the path of {' and '.join(sorted(of_path))}",)
    return candidates, evidence


def _well_known_path(found_at: str) -> str:
    """Return the well-known path that a URL or path ends with, or "".

    >>> _well_known_path("https://example.com/weather/.well-known/agent.json?a=b")
    '/.well-known/agent.json'
    """
    path = found_at.partition("?")[0].partition("#")[0].replace("\\", "/")
    return next((known for known in _WELL_KNOWN if f"/{path}".endswith(known)), "")


def older_half(document: dict[str, Any]) -> str:
    """Return the dialect of the older half of a hybrid: that of the document without the fields of the newer half."""
    older = {
        name: value
        for name, value in document.items()
        if name != "supportedInterfaces" and not (name == "protocolVersion" and str(value)[:1] != "0")
    }
    name = detected_name(older)
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


def _why_unknown(document: Any, found_at: str) -> str:
    if not isinstance(document, dict):
        return "not an agent card: expected a JSON object"
    neighbour = neighbour_of(document)
    nearest = (neighbour[2] if neighbour else "") or _nearest(document, found_at)
    lacks = _lacks(document, nearest) if nearest else ""
    if neighbour:
        what, advice, _ = neighbour
        return f"not an agent card, but {what}. {advice}{lacks}"
    if inner := next(_inside(document, "", 0), None):
        place, name = inner
        return f"not an agent card, but it has a document of the dialect {name} in `{place}`. Pass the value of that field"
    missing = [name for name in ("name", "skills", "capabilities", "url") if name not in document]
    reason = "" if nearest else f" (no {', no '.join(missing)})" if missing else ""
    return f"not an agent card of any known dialect{reason}. If it is a card, specify its dialect{lacks}"


def _nearest(document: dict[str, Any], found_at: str) -> str:
    """Return the dialect that the `$schema` or the place of a document names, or ""."""
    schema, path = document.get("$schema", ""), _well_known_path(found_at)
    rows = [(name, row) for name, row in ROWS.items() if row.schema_id]
    return next((name for name, row in rows if row.schema_id == schema or path in row.well_known), "")


def _lacks(document: dict[str, Any], nearest: str) -> str:
    """Return what a document lacks to be one of the nearest dialect, as the end of a message."""
    missing = [name for name in ROWS[nearest].schema().get("required", ()) if name not in document]
    what = f", which requires {', '.join(missing)}" if missing else ""
    return f". The nearest dialect is {nearest}{what}: --dialect {nearest} validates it"


def _inside(value: Any, place: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the place and the dialect of each card, server or catalogue in a document."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        rule = first_match(value) if depth else None
        if rule is not None and rule.candidates[0] not in MESSAGES:
            yield place, rule.candidates[0]
        for name, inner in value.items():
            yield from _inside(inner, f"{place}.{name}" if place else name, depth + 1)
    elif isinstance(value, list) and value:
        yield from _inside(value[0], f"{place}[0]", depth + 1)
