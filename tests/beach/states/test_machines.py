"""Reading `state-machine.json`, and its errors."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.errors import BadConfiguration
from cardwright_beach.states import StateMachines

if TYPE_CHECKING:
    from pathlib import Path

DOCUMENT: dict[str, Any] = {
    "components": {
        "berth": {
            "allowHandlerTransitions": True,
            "coordinates": {
                "status": {
                    "initial": "free",
                    "states": ["free", "held", "taken"],
                    "transitions": {"free": ["held"], "held": ["free", "taken"]},
                }
            },
        },
        "gate": {"coordinates": {"door": {"initial": "shut", "states": ["shut"], "transitions": {}}}},
    }
}


def test_a_new_session_has_the_initial_state_of_every_coordinate() -> None:
    assert StateMachines.of(DOCUMENT).initial() == {"berth.status": "free", "gate.door": "shut"}


def test_handlers_may_change_a_component_only_if_it_allows_them() -> None:
    components = StateMachines.of(DOCUMENT).components
    assert components["berth"].allow_handler_transitions
    assert not components["gate"].allow_handler_transitions


def test_the_document_is_copied() -> None:
    document = deepcopy(DOCUMENT)
    machines = StateMachines.of(document)
    document["components"]["berth"]["coordinates"]["status"]["transitions"]["free"].append("taken")
    assert document != DOCUMENT
    assert not machines.components["berth"].coordinates["status"].allows("free", "taken")


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "state-machine.json"
    file.write_text(json.dumps(DOCUMENT))
    assert StateMachines.read(file) == StateMachines.of(DOCUMENT)


def test_all_undeclared_states_are_reported_together() -> None:
    document = deepcopy(DOCUMENT)
    status = document["components"]["berth"]["coordinates"]["status"]
    status["initial"] = "empty"
    status["states"].append("held")
    status["transitions"] = {"gone": ["held", "sunk"]}
    with pytest.raises(BadConfiguration) as refused:
        StateMachines.of(document)
    at = "/components/berth/coordinates/status"
    for pointer in ("initial", "states/3", "transitions/gone", "transitions/gone/1"):
        assert f"{at}/{pointer}: " in str(refused.value)
    assert "transitions/gone/0" not in str(refused.value)


@pytest.mark.parametrize(
    ("document", "pointer"),
    [
        ({}, "/components"),
        ({"components": {"a.b": {"coordinates": {}}}}, "/components"),
        ({"components": {"a": {}}}, "/components/a/coordinates"),
        (
            {"components": {"a": {"coordinates": {}, "allowHandlerTransitions": "yes"}}},
            "allowHandlerTransitions",
        ),
        (
            {"components": {"a": {"coordinates": {"b": {"initial": "x", "states": [], "transitions": {}}}}}},
            "/components/a/coordinates/b/states",
        ),
        ([], "(root)"),
        ({"components": {1: 2}}, "/components"),
    ],
)
def test_a_wrong_shape_is_named_by_its_pointer(document: Any, pointer: str) -> None:
    with pytest.raises(BadConfiguration) as refused:
        StateMachines.of(document)
    assert pointer in str(refused.value)


@pytest.mark.parametrize("body", [b"", b"{", b'{"components": {}, "components": {}}', b"\xff\xfe"])
def test_a_file_that_is_not_json_is_named(body: bytes, tmp_path: Path) -> None:
    file = tmp_path / "state-machine.json"
    file.write_bytes(body)
    with pytest.raises(BadConfiguration) as refused:
        StateMachines.read(file)
    assert refused.value.path == str(file)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match="cannot be read"):
        StateMachines.read(tmp_path / "none.json")


def test_a_cyclic_document_is_refused() -> None:
    document: dict[str, Any] = {"components": {}}
    document["components"]["a"] = document
    with pytest.raises(BadConfiguration, match="levels"):
        StateMachines.of(document)
