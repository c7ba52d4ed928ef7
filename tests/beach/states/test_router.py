"""The router: proposals change the state of the session before the parts are delivered."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from cardwright_beach import Transport, deliver
from cardwright_beach.parts import part
from cardwright_beach.states import SessionState, StateMachines, StateRouter, StateTransitionRejected
from tests.beach.envelopes import envelope, live
from tests.beach.states.test_machines import DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright_beach.parts import Part

MACHINES = StateMachines.of(DOCUMENT)
HELD: dict[str, Any] = {"partType": "setState", "data": {"berth.status": "held"}}
WRONG: dict[str, Any] = {"partType": "setState", "data": {"berth.status": "sunk"}}
RESPONSE: dict[str, Any] = {"partType": "response", "text": "a"}


def got(
    parts: Iterable[Part | Mapping[str, Any]], router: StateRouter, to: Transport, **more: Any
) -> list[tuple[str, Mapping[str, str]]]:
    """Return the type of each delivered part with the state of the session at that moment."""

    async def run() -> list[tuple[str, Mapping[str, str]]]:
        made = envelope(live(parts), router=router, **more)
        return [(one.type, router.state.values) async for one in await deliver(made, to=to)]

    return asyncio.run(run())


@pytest.mark.parametrize(("to", "passed"), [(Transport("sse"), False), (Transport("a2a", "streaming"), True)])
def test_a_proposal_changes_the_state_before_it_is_delivered_to_agents_only(
    to: Transport, *, passed: bool
) -> None:
    seen = got([HELD, RESPONSE], StateRouter(MACHINES), to)

    assert [name for name, _ in seen] == (["setState", "response"] if passed else ["response"])
    assert all(values == {"berth.status": "held"} for _, values in seen)


def test_a_rejected_proposal_is_reported_and_delivered_to_no_receiver() -> None:
    rejected: list[StateTransitionRejected] = []
    router = StateRouter(MACHINES, on_rejected=rejected.append)

    seen = got([RESPONSE, WRONG], router, Transport("a2a", "streaming"))

    assert [name for name, _ in seen] == ["response"]
    assert [(one.refusals[0].reason, one.event_id) for one in rejected] == [("unknown-value", "e/1")]
    assert router.state == SessionState()


def test_a_turn_that_runs_again_changes_nothing_twice() -> None:
    router = StateRouter(MACHINES)
    got([HELD], router, Transport("sse"))
    state = router.state

    got([HELD], router, Transport("sse"))

    assert router.state is state


def test_a_recorded_proposal_of_the_mailbox_is_not_applied() -> None:
    router = StateRouter(MACHINES)

    got([RESPONSE], router, Transport("sse"), mailbox=[HELD])

    assert router.state == SessionState()


def test_an_exception_of_the_application_becomes_an_error_part() -> None:
    def fail(rejected: StateTransitionRejected) -> None:
        raise RuntimeError(rejected.event_id)

    seen = got([WRONG, RESPONSE], StateRouter(MACHINES, on_rejected=fail), Transport("sse"))

    assert [name for name, _ in seen] == ["error", "response"]


def test_a_stored_state_is_continued() -> None:
    router = StateRouter(MACHINES, SessionState({"berth.status": "held"}))

    change = router.apply(part("setState", data={"berth.status": "held"}))

    assert (change.outcome, dict(change.changed)) == ("applied", {})
