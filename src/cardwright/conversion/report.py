"""What a conversion says it lost and assumed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright_runtime.violation import JsonValue, quote

if TYPE_CHECKING:
    from cardwright_runtime.violation import Violation


@dataclass(frozen=True, slots=True)
class Loss:
    """Something of the source that the result does not say.

    Attributes:
        pointer: Where it stands in the source (RFC 6901).
        kind: What it is: `string`, `number`, `boolean`, `null`, `array` or `object`.
        why: Why the result cannot say it.
    """

    pointer: str
    kind: str
    why: str


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something that the result says and the source does not.

    Attributes:
        pointer: Where it stands in the result (RFC 6901).
        value: What was assumed.
        why: Why something had to be, and why this.
    """

    pointer: str
    value: JsonValue
    why: str


@dataclass(frozen=True, slots=True)
class ConversionReport:
    """All that a conversion lost and assumed.

    Attributes:
        source: The dialect that was converted from.
        target: The dialect that was converted to.
        losses: By pointer; with `carry` the result carries them.
        assumptions: By pointer.
        violations: Those of the source, so that none is forgotten on the way.
        carried: Whether the result carries its losses.
    """

    source: str
    target: str
    losses: tuple[Loss, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    violations: tuple[Violation, ...] = ()
    carried: bool = False

    @property
    def lossless(self) -> bool:
        """Whether the result says all that the source says, or carries it."""
        return self.carried or not self.losses

    def to_json(self) -> dict[str, Any]:
        """Return the report as a JSON value."""
        return {
            "from": self.source,
            "to": self.target,
            "carried": self.carried,
            "losses": [{"pointer": loss.pointer, "kind": loss.kind, "why": loss.why} for loss in self.losses],
            "assumptions": [
                {"pointer": one.pointer, "value": one.value, "why": one.why} for one in self.assumptions
            ],
            "violations": [
                {
                    "rule": one.rule,
                    "severity": one.severity,
                    "pointer": one.pointer,
                    "message": one.message,
                    "spec": one.spec,
                }
                for one in self.violations
            ],
        }


def kind_of(value: Any) -> str:
    """Return the name that JSON has for a kind of value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def told(assumption: Assumption) -> str:
    """Return what was assumed, short enough for a line."""
    value = assumption.value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(quote(item) for item in value[:3]) + (" …" if len(value) > 3 else "")
    return quote(value)
