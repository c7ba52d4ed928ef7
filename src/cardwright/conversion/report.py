"""The report of a conversion: its losses and assumptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright_runtime.on_demand import OnDemand
from cardwright_runtime.violation import JsonValue, quote

if TYPE_CHECKING:
    from cardwright.dialect import Detection
    from cardwright_runtime.violation import Violation


@dataclass(frozen=True, slots=True)
class Loss:
    """A value of the source that is not in the result.

    Attributes:
        pointer: Its place in the source (RFC 6901).
        kind: Its JSON type: `string`, `number`, `boolean`, `null`, `array` or `object`.
        why: Why the result cannot have it.
    """

    pointer: str
    kind: str
    why: str


@dataclass(frozen=True, slots=True)
class Assumption:
    """A value of the result that is not in the source.

    Attributes:
        pointer: Its place in the result (RFC 6901).
        value: The assumed value.
        why: Why a value was necessary, and why this one.
    """

    pointer: str
    value: JsonValue
    why: str


@dataclass(frozen=True, slots=True)
class ConversionReport(OnDemand):
    """The losses and assumptions of a conversion; the report of `convert` finds them when one of them is first read.

    Attributes:
        source: The dialect of the source.
        target: The dialect of the result.
        losses: The losses, sorted by pointer; with `carry` the result carries them.
        assumptions: The assumptions, sorted by pointer.
        violations: The violations of the source.
        carried: Whether the result carries its losses.
        detection: How the dialect of the source is known; None if the caller gave it.
    """

    source: str
    target: str
    losses: tuple[Loss, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    violations: tuple[Violation, ...] = ()
    carried: bool = False
    detection: Detection | None = None

    @property
    def lossless(self) -> bool:
        """Whether the result has, or carries, everything in the source."""
        return self.carried or not self.losses

    def to_json(self) -> dict[str, Any]:
        """Return the report as a JSON value."""
        return {
            "from": self.source,
            **certainty(self.detection),
            "to": self.target,
            "carried": self.carried,
            "losses": [{"pointer": loss.pointer, "kind": loss.kind, "why": loss.why} for loss in self.losses],
            "assumptions": [
                {"pointer": assumption.pointer, "value": assumption.value, "why": assumption.why}
                for assumption in self.assumptions
            ],
            "violations": [violation.to_json() for violation in self.violations],
        }


def certainty(detection: Detection | None) -> dict[str, Any]:
    """Return how sure a dialect is, as JSON: a dialect that the caller gave is sure, without evidence."""
    if detection is None:
        return {"sure": True, "others": [], "evidence": []}
    return {
        "sure": detection.sure,
        "others": [str(other) for other in detection.others],
        "evidence": list(detection.evidence),
    }


def kind_of(value: Any) -> str:
    """Return the JSON type of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def value_text(assumption: Assumption) -> str:
    """Return the assumed value as a short text."""
    value = assumption.value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(quote(item) for item in value[:3]) + (" …" if len(value) > 3 else "")
    return quote(value)
