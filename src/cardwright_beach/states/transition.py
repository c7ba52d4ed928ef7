"""What becomes of a setState part: all of its coordinates are taken, or none."""

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
# What each reason tells; with the proposed value and that before it.
_TOLD: Final[Mapping[Reason, str]] = {
    "empty": "nothing is proposed: name a coordinate and its value",
    "malformed-name": "a coordinate is named component.coordinate, with one dot",
    "malformed-value": "a value is a text",
    "unknown-component": "no such component is declared: declare it, or correct its name",
    "handlers-not-allowed": "handlers may not move this component: set its allowHandlerTransitions to true",
    "unknown-coordinate": "the component has no such coordinate: declare it, or correct its name",
    "unknown-value": "{after} is none of its states: declare it, or correct its name",
    "no-such-transition": "{after} does not follow {before}: declare the transition, or propose another value",
}


@dataclass(frozen=True, slots=True)
class CoordinateRefusal:
    """Why one coordinate is not taken.

    Attributes:
        coordinate: As it was proposed, or "" where nothing was.
        reason: A word for programs.
        message: A sentence for people.
    """

    coordinate: str
    reason: Reason
    message: str


@dataclass(frozen=True, slots=True)
class StateTransitionRejected:
    """The event of a refused proposal (Beach protocol seed, setState part schema: onStateTransitionRejected).

    Attributes:
        proposal: What was proposed, by `component.coordinate`.
        refusals: Every coordinate that was refused, in the order of the proposal.
        event_id: The event that proposed it, or None.
    """

    proposal: Mapping[str, Any]
    refusals: tuple[CoordinateRefusal, ...]
    event_id: str | None = None


@dataclass(frozen=True, slots=True)
class StateChange:
    """What became of a proposal.

    Attributes:
        outcome: `applied`, `rejected`, or `replayed` where it had been applied before.
        state: The state after it; the very state from before unless it was applied.
        changed: What has another value now, by `component.coordinate`.
        refusals: Why it was rejected.
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
    """Return what becomes of a handler's setState part; no argument is changed.

    Args:
        state: What holds before.
        proposal: The part, or its data.
        machines: What is declared.
        event_id: What names this very part, such as the event's id and the part's number (`evt-204/3`). A part that
            bears the id of one that was applied is not applied again.
        replay: Whether the part is read from a record: then it was applied in its time (Beach protocol seed, setState).
        on_rejected: Told of a refused proposal.

    Raises:
        BadArgument: If the proposal is a part of another type, or no mapping.
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
            raise BadArgument("proposal", f"a setState part is expected, not {quote(proposal.type)}")
        return dict(proposal.data)
    if not isinstance(proposal, Mapping):
        raise BadArgument("proposal", f"a setState part or its data is expected, not {quote(proposal)}")
    return dict(proposal)


def _refusals(
    data: Mapping[str, Any], before: Mapping[str, str | None], machines: StateMachines
) -> tuple[CoordinateRefusal, ...]:
    if not data:
        return (CoordinateRefusal("", "empty", _TOLD["empty"]),)
    found: list[CoordinateRefusal] = []
    for name, value in data.items():
        reason = _reason(name, value, before[name], machines)
        if reason is not None:
            told = _TOLD[reason].format(after=quote(value), before=quote(before[name]))
            found.append(CoordinateRefusal(str(name), reason, f"{quote(name)}: {told}"))
    return tuple(found)


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
    if before is None or not coordinate.leads(before, value):
        return "no-such-transition"
    return None
