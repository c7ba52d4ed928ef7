"""Router of setState parts: the state of one session, changed before the parts of a turn are delivered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright_beach.states.session import SessionState
from cardwright_beach.states.transition import StateChange, apply_set_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright_beach.parts import Part
    from cardwright_beach.states.machines import StateMachines
    from cardwright_beach.states.transition import StateTransitionRejected


class StateRouter:
    """State of one session, and the state machines that decide which proposals of handlers change it.

    Pass it to `build_envelope(router=...)`: a `setState` part of the handler is applied before any receiver gets the
    part, and a rejected one is delivered to no receiver.

    Source: Beach protocol seed, setState part schema.

    Attributes:
        machines: The declared state machines.
        state: The current state of the session. Store it when the turn settles.

    >>> from cardwright_beach import StateMachines, part
    >>> berth = {"initial": "free", "states": ["free", "held"], "transitions": {"free": ["held"]}}
    >>> component = {"allowHandlerTransitions": True, "coordinates": {"status": berth}}
    >>> router = StateRouter(StateMachines.of({"components": {"berth": component}}))
    >>> router.apply(part("setState", data={"berth.status": "held"})).outcome
    'applied'
    >>> dict(router.state.values)
    {'berth.status': 'held'}
    """

    def __init__(
        self,
        machines: StateMachines,
        state: SessionState | None = None,
        *,
        on_rejected: Callable[[StateTransitionRejected], object] | None = None,
    ) -> None:
        """Start with a stored state.

        Args:
            machines: The declared state machines.
            state: The state of the session; default: the initial states.
            on_rejected: Called with each rejected proposal (onStateTransitionRejected of the seed).
        """
        self.machines = machines
        self.state = SessionState() if state is None else state
        self._on_rejected = on_rejected

    def apply(self, proposal: Part, *, event_id: str | None = None) -> StateChange:
        """Apply a `setState` part: all of its coordinates, or none.

        Args:
            proposal: The part.
            event_id: A unique id of this part; a part with the id of an applied one is not applied again.

        Raises:
            BadArgument: If it is a part of another type.
        """
        change = apply_set_state(
            self.state, proposal, machines=self.machines, event_id=event_id, on_rejected=self._on_rejected
        )
        self.state = change.state
        return change
