"""Apply a setState part: all of its coordinates, or none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from cardwright.errors import BadArgument
from cardwright_beach.parts import Part
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright_beach.states.machines import StateMachines
    from cardwright_beach.states.session import SessionState
    from cardwright_runtime.violation import JsonMapping

Outcome = Literal["applied", "rejected", "replayed"]
Reason = Literal[
    "empty",
    "malformed-name",
    "malformed-value",
    "unknown-component",
    "handlers-not-allowed",
    "unknown-coordinate",
    "unknown-value",
    "no-such-transition",
]
# Messages by reason; `after` is the proposed state, `before` the current one.
_MESSAGES: Final[Mapping[Reason, str]] = {
    "empty": "no coordinate is given; name at least one coordinate and its state",
    "malformed-name": "invalid coordinate name; write component.coordinate, with one dot",
    "malformed-value": "the state must be a string",
    "unknown-component": "unknown component; declare it or correct the name",
    "handlers-not-allowed": "handlers may not change this component; set its allowHandlerTransitions to true",
    "unknown-coordinate": "unknown coordinate of the component; declare it or correct the name",
    "unknown-value": "{after} is not a declared state; declare it or correct the name",
    "no-such-transition": "no transition from {before} to {after} is declared; declare it or propose another state",
}


@dataclass(frozen=True, slots=True)
class CoordinateRefusal:
    """Refusal of one coordinate of a proposal.

    Attributes:
        coordinate: The proposed name, or "" for an empty proposal.
        reason: The machine-readable reason.
        message: The reason as a sentence.
    """

    coordinate: str
    reason: Reason
    message: str


@dataclass(frozen=True, slots=True)
class StateTransitionRejected:
    """Event for a refused proposal (Beach protocol seed, setState part schema: onStateTransitionRejected).

    Attributes:
        proposal: The proposed states by `component.coordinate`.
        refusals: The refused coordinates, in the order of the proposal.
        event_id: The id of the proposing event, or None.
    """

    proposal: Mapping[str, Any]
    refusals: tuple[CoordinateRefusal, ...]
    event_id: str | None = None


@dataclass(frozen=True, slots=True)
class StateChange:
    """Result of a proposal.

    Attributes:
        outcome: `applied`, `rejected`, or `replayed` if it was applied before.
        state: The new state; the unchanged state object if the proposal was not applied.
        changed: The changed states by `component.coordinate`.
        refusals: The reasons of a rejection.
    """

    outcome: Outcome
    state: SessionState
    changed: Mapping[str, str] = field(default_factory=dict[str, str])
    refusals: tuple[CoordinateRefusal, ...] = ()


def apply_set_state(
    state: SessionState,
    proposal: Part | JsonMapping,
    *,
    machines: StateMachines,
    event_id: str | None = None,
    replay: bool = False,
    on_rejected: Callable[[StateTransitionRejected], object] | None = None,
) -> StateChange:
    """Apply a handler's setState part; no argument is changed.

    Args:
        state: The current state.
        proposal: The part, or its data.
        machines: The declared state machines.
        event_id: A unique id of this part, such as the event id and the part's index (`evt-204/3`). A part with the
            id of an applied one is not applied again.
        replay: Whether the part comes from a recording and was applied before (Beach protocol seed, setState).
        on_rejected: Called with a refused proposal.

    Raises:
        BadArgument: If the proposal is a part of another type, or not a mapping.
    """
    data = _data(proposal)
    if replay or (event_id is not None and event_id in state.applied):
        return StateChange("replayed", state)
    initial = machines.initial()
    before = {name: state.values.get(name, initial.get(name)) for name in data}
    refusals = _refusals(data, before, machines)
    if refusals:
        if on_rejected is not None:
            on_rejected(StateTransitionRejected(data, refusals, event_id))
        return StateChange("rejected", state, refusals=refusals)
    changed = {name: value for name, value in data.items() if value != before[name]}
    return StateChange("applied", state.with_values(data, event_id=event_id), changed)


def _data(proposal: object) -> dict[str, Any]:
    if isinstance(proposal, Part):
        if proposal.type != "setState":
            raise BadArgument("proposal", f"must be a setState part, not {quote(proposal.type)}")
        return dict(proposal.data)
    if not isinstance(proposal, Mapping):
        raise BadArgument("proposal", f"must be a setState part or its data, not {quote(proposal)}")
    return dict(proposal)


def _refusals(
    data: Mapping[str, Any], before: Mapping[str, str | None], machines: StateMachines
) -> tuple[CoordinateRefusal, ...]:
    if not data:
        return (CoordinateRefusal("", "empty", _MESSAGES["empty"]),)
    refusals: list[CoordinateRefusal] = []
    for name, value in data.items():
        reason = _reason(name, value, before[name], machines)
        if reason is not None:
            message = _MESSAGES[reason].format(after=quote(value), before=quote(before[name]))
            refusals.append(CoordinateRefusal(str(name), reason, f"{quote(name)}: {message}"))
    return tuple(refusals)


def _reason(name: object, value: object, before: str | None, machines: StateMachines) -> Reason | None:
    component, dot, inner = name.partition(".") if isinstance(name, str) else ("", "", "")
    if not (component and dot and inner) or "." in inner:
        return "malformed-name"
    if not isinstance(value, str):
        return "malformed-value"
    declared = machines.components.get(component)
    if declared is None:
        return "unknown-component"
    if not declared.allow_handler_transitions:
        return "handlers-not-allowed"
    coordinate = declared.coordinates.get(inner)
    if coordinate is None:
        return "unknown-coordinate"
    if value not in coordinate.states:
        return "unknown-value"
    if before is None or not coordinate.allows(before, value):
        return "no-such-transition"
    return None
