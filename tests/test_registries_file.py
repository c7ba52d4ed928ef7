"""The registries file: added names, its location, and errors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import Checks
from cardwright.errors import BadConfiguration
from cardwright.registries import Registries
from cardwright.registries_file import find_registries, read_registries
from cardwright.validate import violations
from tests.test_registries import CARD

if TYPE_CHECKING:
    from pathlib import Path

NAMES: dict[str, Any] = {
    "transports": {"websocket": {"description": "A web socket.", "deliveryClass": "streaming"}},
    "authTypes": {"dpop": {"requires": ["issuer"]}},
    "partTypes": {
        "acme.board": {
            "deliveryRules": {"streaming": "delta", "buffered": "settle"},
            "a2aKind": None,
            "allowedTransports": ["websocket"],
            "requiresPeerConsumes": True,
        }
    },
    "conversationStates": {"parked": {}},
}
TOML = """
[project]
name = "harbour"

[tool.cardwright.transports.websocket]
description = "A web socket."
deliveryClass = "streaming"

[tool.cardwright.authTypes.dpop]
requires = ["issuer"]
"""


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text)
    return file


def test_a_file_adds_names_to_the_canonical_cores(tmp_path: Path) -> None:
    registries = read_registries(written(tmp_path, "names.json", json.dumps(NAMES)))

    transport = registries.transports["websocket"]
    assert (transport.description, transport.delivery_class) == ("A web socket.", "streaming")
    assert registries.auth_types["dpop"].requires == ("issuer",)
    part = registries.part_types["acme.board"]
    assert (part.streaming, part.buffered, part.a2a_kind) == ("delta", "settle", None)
    assert (part.allowed_transports, part.requires_peer_consumes) == (("websocket",), True)
    assert "parked" in registries.conversation_states
    assert set(Registries().transports) < set(registries.transports)


def test_a_card_with_a_name_of_the_file_has_no_warning_about_it(tmp_path: Path) -> None:
    registries = read_registries(written(tmp_path, "names.yml", "transports: {websocket: {}}"))

    assert [one.rule for one in violations(CARD)] == ["beach/transport-registered"]
    assert violations(CARD, checks=Checks(registries=registries)) == ()


def test_the_table_of_the_nearest_project_is_found(tmp_path: Path) -> None:
    below = tmp_path / "cards" / "harbour"
    below.mkdir(parents=True)
    written(tmp_path, "pyproject.toml", TOML)

    for registries in (find_registries(below), read_registries(tmp_path / "pyproject.toml")):
        assert registries is not None
        assert "websocket" in registries.transports
        assert "dpop" in registries.auth_types
    written(below.parent, "pyproject.toml", "[project]\nname = 'other'")
    assert find_registries(below) == find_registries(tmp_path)
    written(below.parent, "cardwright.toml", "strict = true")
    closest = find_registries(below)
    assert closest is not None
    assert "websocket" not in closest.transports


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("names.json", '{"transport": {}}', r'names\.json: /: unknown field "transport"'),
        ("names.json", '{"transports": {"a b": {}}}', r"/transports.*A name has 1 to 64 letters"),
        ("names.json", '{"transports": {"sse": {}}}', r"/transports/sse: 'sse' is already registered"),
        ("names.json", '{"partTypes": {"board": {}}}', r"slug\.type-name"),
        ("names.json", '{"partTypes": {"a.b": {}}}', r"/partTypes/a\.b/deliveryRules"),
        ("names.json", '{"partTypes": {"a.b": {"deliveryRules": {"streaming": "now", "buffered": "settle"}}}}', r"/streaming: expected one of"),
        ("names.json", "[]", r"expected an object"),
        ("names.json", "{", r"names\.json: "),
        ("names.toml", "transports = x", r"names\.toml: not valid TOML: .*line 1, column"),
        ("names.toml", "transports = 1979-05-27", r"names\.toml: "),
        ("names.yml", "transports: &a {}\nauthTypes: *a", r"line 2: aliases are not allowed"),
        ("pyproject.toml", "[project]", r"it has no table \[tool\.cardwright\]"),
        ("pyproject.toml", "[tool.cardwright.transport]", r'/tool/cardwright: unknown field "transport"'),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_file_and_place(tmp_path: Path, name: str, text: str, fault: str) -> None:
    with pytest.raises(BadConfiguration, match=fault):
        read_registries(written(tmp_path, name, text))


def test_a_file_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match=r"nowhere\.toml: cannot be read: No such file"):
        read_registries(tmp_path / "nowhere.toml")
