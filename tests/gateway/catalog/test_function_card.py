"""Cards derived from the functions of agents without a card."""

from __future__ import annotations

from typing import Any

import pytest

from cardwright.builder import skill
from cardwright.errors import BadConfiguration
from cardwright_gateway import GatewayConfig
from cardwright_gateway.catalog.function_card import function_card
from cardwright_gateway.settings.agents import AgentConfig
from tests.gateway.gateways import BASE

URL = f"{BASE}/agents/one"


def find_berths(message: str) -> str:
    """Find free berths.

    More of it.
    """
    return message


def plan(data: dict[str, Any]) -> dict[str, Any]:
    """Plan a trip."""
    return data


def silent(message: str) -> str:
    return message


@skill(name="Berths", tags=["harbour"], input_schema={"type": "object"})
def described(turn: Any) -> Any:
    """Describe it."""
    return turn


def card(function: Any, **more: Any) -> dict[str, Any]:
    return dict(function_card(AgentConfig(id="one", protocol="managed", **more), function, URL).document)


def test_the_card_comes_from_the_function_and_has_the_url_of_the_gateway() -> None:
    document = card(find_berths)
    assert (document["name"], document["description"], document["version"]) == (
        "Find berths",
        "Find free berths.",
        "1.0.0",
    )
    assert [one["url"] for one in document["supportedInterfaces"]] == [URL]
    assert document["skills"] == [
        {
            "id": "find-berths",
            "name": "Find berths",
            "description": "Find free berths.",
            "tags": ["find-berths"],
        }
    ]


@pytest.mark.parametrize(
    ("function", "modes"),
    [
        (find_berths, (["text/plain"], ["text/plain"])),
        (plan, (["application/json"], ["application/json"])),
        (described, (["text/plain", "application/json"],) * 2),
    ],
)
def test_the_media_types_follow_from_the_annotations(
    function: Any, modes: tuple[list[str], list[str]]
) -> None:
    document = card(function)
    assert (document["defaultInputModes"], document["defaultOutputModes"]) == modes


def test_settings_override_derived_fields() -> None:
    document = card(silent, name="Harbour", description="Knows berths.", version=2.5)
    assert (document["name"], document["description"], document["version"]) == (
        "Harbour",
        "Knows berths.",
        "2.5",
    )


def test_settings_of_a_decorator_are_kept() -> None:
    assert card(described)["skills"][0]["tags"] == ["harbour"]


def test_a_function_without_a_docstring_is_refused_with_a_fix() -> None:
    with pytest.raises(BadConfiguration, match=r"/agents/one: .*docstring.* Or set `card`"):
        card(silent)


def test_a_function_needs_no_card_and_a_queue_does() -> None:
    config = GatewayConfig.from_value({"agents": {"one": {"backend": {"python": "a:b"}}}})
    assert (config.agents["one"].protocol, config.agents["one"].card) == ("managed", None)
    with pytest.raises(BadConfiguration, match="only the card of a Python function is derived"):
        GatewayConfig.from_value({"agents": {"one": {"backend": {"queue": {"token": "x" * 16}}}}})
