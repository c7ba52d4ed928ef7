"""State coordinates: read `state-machine.json` and apply setState parts."""

from cardwright_beach.states.machines import Component, Coordinate, StateMachines
from cardwright_beach.states.router import StateRouter
from cardwright_beach.states.session import SessionState, stripped
from cardwright_beach.states.transition import (
    CoordinateRefusal,
    StateChange,
    StateTransitionRejected,
    apply_set_state,
)

__all__ = [
    "Component",
    "Coordinate",
    "CoordinateRefusal",
    "SessionState",
    "StateChange",
    "StateMachines",
    "StateRouter",
    "StateTransitionRejected",
    "apply_set_state",
    "stripped",
]
