"""setState parts: applied completely or not at all, and once."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.errors import BadArgument
from cardwright_beach.parts import part
from cardwright_beach.states import (
    SessionState,
    StateMachines,
    StateTransitionRejected,
    apply_set_state,
    stripped,
)
from tests.beach.states.test_machines import DOCUMENT

MACHINES = StateMachines.of(
    {
        "components": {
            **DOCUMENT["components"],
            "tide": {
                "allowHandlerTransitions": True,
                "coordinates": {
                    "level": {"initial": "low", "states": ["low", "high"], "transitions": {"low": ["high"]}}
                },
            },
        }
    }
)
START = SessionState(MACHINES.initial())


def test_a_declared_transition_is_applied() -> None:
    change = apply_set_state(START, part("setState", data={"berth.status": "held"}), machines=MACHINES)
    assert change.outcome == "applied"
    assert change.state.values == {**START.values, "berth.status": "held"}
    assert change.changed == {"berth.status": "held"}


def test_one_invalid_coordinate_rejects_the_whole_proposal() -> None:
    heard: list[StateTransitionRejected] = []
    proposal = {"tide.level": "high", "berth.status": "taken"}
    change = apply_set_state(START, proposal, machines=MACHINES, event_id="e1", on_rejected=heard.append)
    assert change.outcome == "rejected"
    assert change.state is START
    assert [one.coordinate for one in change.refusals] == ["berth.status"]
    assert heard == [StateTransitionRejected(proposal, change.refusals, "e1")]


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("boat.status", "held", "unknown-component"), ("gate.door", "shut", "handlers-not-allowed"),
        ("berth.colour", "red", "unknown-coordinate"), ("berth.status", "sunk", "unknown-value"),
        ("berth.status", "taken", "no-such-transition"), ("berth", "held", "malformed-name"),
        ("berth.status.deep", "held", "malformed-name"), (".status", "held", "malformed-name"),
        ("berth.", "held", "malformed-name"), ("", "held", "malformed-name"), ("berth.status", 1, "malformed-value"),
        ("berth.status", ["held"], "malformed-value"), (7, "held", "malformed-name"),
    ],
)  # fmt: skip
def test_every_rejection_has_its_reason(name: Any, value: Any, reason: str) -> None:
    change = apply_set_state(START, {name: value}, machines=MACHINES)
    assert [one.reason for one in change.refusals] == [reason]


def test_every_refused_coordinate_is_reported() -> None:
    change = apply_set_state(START, {"a.b": "c", "berth.status": "taken"}, machines=MACHINES)
    assert [one.reason for one in change.refusals] == ["unknown-component", "no-such-transition"]
    assert 'no transition from "free" to "taken" is declared' in change.refusals[1].message


def test_an_empty_proposal_is_rejected() -> None:
    assert apply_set_state(START, {}, machines=MACHINES).refusals[0].reason == "empty"


def test_staying_in_a_state_is_accepted_without_a_change() -> None:
    change = apply_set_state(START, {"tide.level": "low"}, machines=MACHINES)
    assert (change.outcome, change.changed) == ("applied", {})


def test_a_missing_coordinate_has_its_initial_state() -> None:
    assert apply_set_state(SessionState(), {"berth.status": "held"}, machines=MACHINES).outcome == "applied"


def test_an_undeclared_state_has_no_transitions() -> None:
    old = SessionState({"berth.status": "sold"})
    change = apply_set_state(old, {"berth.status": "free"}, machines=MACHINES)
    assert [one.reason for one in change.refusals] == ["no-such-transition"]


def test_the_same_event_is_not_applied_again() -> None:
    first = apply_set_state(START, {"berth.status": "held"}, machines=MACHINES, event_id="e1").state
    back = apply_set_state(first, {"berth.status": "free"}, machines=MACHINES, event_id="e2").state
    again = apply_set_state(back, {"berth.status": "held"}, machines=MACHINES, event_id="e1")
    assert again.outcome == "replayed"
    assert again.state is back


def test_a_rejected_event_may_be_retried() -> None:
    rejected = apply_set_state(START, {"berth.status": "taken"}, machines=MACHINES, event_id="e1").state
    held = apply_set_state(rejected, {"berth.status": "held"}, machines=MACHINES, event_id="e0").state
    assert (
        apply_set_state(held, {"berth.status": "taken"}, machines=MACHINES, event_id="e1").outcome
        == "applied"
    )


def test_a_replayed_part_is_neither_applied_nor_reported() -> None:
    heard: list[StateTransitionRejected] = []
    for proposal in ({"berth.status": "held"}, {"berth.status": "sunk"}):
        change = apply_set_state(START, proposal, machines=MACHINES, replay=True, on_rejected=heard.append)
        assert (change.outcome, change.state) == ("replayed", START)
    assert heard == []


def test_a_session_remembers_a_limited_number_of_events() -> None:
    state = START
    for number in range(1_005):
        state = apply_set_state(state, {"tide.level": "low"}, machines=MACHINES, event_id=f"e{number}").state
    assert state.applied == tuple(f"e{number}" for number in range(5, 1_005))


def test_a_part_of_another_type_is_refused() -> None:
    for wrong in (part("domain-data", data={"berth.status": "held"}), ["berth.status"]):
        with pytest.raises(BadArgument, match="setState"):
            apply_set_state(START, wrong, machines=MACHINES)  # type: ignore[arg-type] # a caller without types


def test_stripped_removes_set_state_parts() -> None:
    response, state = part("response", text="Held."), part("setState", data={"berth.status": "held"})
    assert stripped([state, response, state]) == [response]


NAMES = st.sampled_from(["a", "b", "c"])
VALUES = st.sampled_from(["w", "x", "y", "z"])


@st.composite
def machines(draw: st.DrawFn) -> StateMachines:
    def coordinate() -> dict[str, Any]:
        states = draw(st.lists(VALUES, min_size=1, unique=True))
        follows = st.lists(st.sampled_from(states), max_size=4)
        transitions = draw(st.dictionaries(st.sampled_from(states), follows))
        return {"initial": draw(st.sampled_from(states)), "states": states, "transitions": transitions}

    components = {
        name: {
            "allowHandlerTransitions": draw(st.booleans()),
            "coordinates": {inner: coordinate() for inner in draw(st.sets(NAMES))},
        }
        for name in draw(st.sets(NAMES, min_size=1))
    }
    return StateMachines.of({"components": components})


PROPOSALS = st.dictionaries(st.builds("{}.{}".format, NAMES, NAMES), VALUES, max_size=5)


@given(machines(), st.lists(st.tuples(st.sampled_from(["e1", "e2", "e3", None]), PROPOSALS), max_size=8))
def test_proposals_are_applied_completely_or_not_at_all(
    declared: StateMachines, proposals: list[tuple[str | None, dict[str, str]]]
) -> None:
    state, applied = SessionState(declared.initial()), set[str]()
    for event, proposal in proposals:
        before, proposed = deepcopy(state), dict(proposal)
        alone = [
            apply_set_state(state, {name: value}, machines=declared).outcome == "applied"
            for name, value in proposal.items()
        ]
        change = apply_set_state(state, proposal, machines=declared, event_id=event)
        assert (state, proposal) == (before, proposed)
        if event in applied:
            assert change.outcome == "replayed"
        else:
            assert (change.outcome == "applied") == (bool(alone) and all(alone))
        if change.outcome == "applied":
            assert change.state.values == {**state.values, **proposal}
            applied |= {event} if event else set()
        else:
            assert change.state is state
        state = change.state
    for name, value in state.values.items():
        component, inner = name.split(".")
        assert value in declared.components[component].coordinates[inner].states
