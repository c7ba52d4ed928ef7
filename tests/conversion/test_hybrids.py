"""A hybrid gives each version its own half, and lists what only the other half has."""

from __future__ import annotations

from typing import Any

import pytest

from cardwright.card import Card
from cardwright.conversion import convert
from tests.conversion.test_known_errors import COMMON, Json, converted, lost

OLD = "https://old.example.com/a2a"
NEW = "https://new.example.com/a2a"
BOTH: Json = {"type": "http", "scheme": "Bearer", "httpAuthSecurityScheme": {"scheme": "Bearer"}}
HYBRID: Json = {
    **COMMON,
    "protocolVersion": "0.3.0",
    "url": OLD,
    "preferredTransport": "JSONRPC",
    "supportedInterfaces": [{"url": NEW, "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}],
    "securitySchemes": {"login": BOTH},
    "security": [{"login": []}],
    "securityRequirements": [{"schemes": {"login": {"list": []}}}],
}


def without(document: Json, *names: str) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in names}


@pytest.mark.parametrize("to", ["a2a-0.1", "a2a-0.2", "a2a-0.3"])
def test_an_older_version_gets_the_older_half(to: str) -> None:
    older, report = converted(HYBRID, "a2a-hybrid", to)

    assert older["url"] == OLD
    assert NEW not in str(older)
    assert any(pointer.startswith("/supportedInterfaces") for pointer in lost(report))


def test_a2a_1_0_gets_the_newer_half() -> None:
    newer, report = converted(HYBRID, "a2a-hybrid", "a2a-1.0")

    assert newer["supportedInterfaces"] == HYBRID["supportedInterfaces"]
    assert newer["securityRequirements"] == HYBRID["securityRequirements"]
    assert OLD not in str(newer)
    assert lost(report) == ["/preferredTransport", "/protocolVersion", "/url"]


def test_security_of_the_newer_half_alone_is_lost_to_older_versions_and_listed() -> None:
    older, report = converted(without(HYBRID, "security"), "a2a-hybrid", "a2a-0.3")

    assert "security" not in older
    assert "/securityRequirements" in lost(report)


def test_security_of_the_older_half_alone_is_lost_to_a2a_1_0_and_listed() -> None:
    newer, report = converted(without(HYBRID, "securityRequirements"), "a2a-hybrid", "a2a-1.0")

    assert "securityRequirements" not in newer
    assert "/security" in lost(report)


@pytest.mark.parametrize(("to", "name"), [("a2a-0.3", "security"), ("a2a-1.0", "securityRequirements")])
def test_security_that_both_halves_have_is_no_loss(to: str, name: str) -> None:
    result, report = converted(HYBRID, "a2a-hybrid", to)

    assert result[name] == HYBRID[name]
    assert not [pointer for pointer in lost(report) if pointer.startswith("/security")]


@pytest.mark.parametrize(
    ("name", "to"), [("security", "a2a-1.0"), ("securityRequirements", "a2a-0.3")], ids=["older", "newer"]
)
def test_a_skill_requirement_in_one_half_of_a_hybrid_is_a_listed_loss(name: str, to: str) -> None:
    skill = {**COMMON["skills"][0], name: HYBRID[name]}
    result, report = converted({**HYBRID, "skills": [skill]}, "a2a-hybrid", to)

    assert result["skills"] == COMMON["skills"]
    assert f"/skills/0/{name}" in lost(report)


def test_a_scheme_with_two_meanings_gives_each_version_its_own() -> None:
    scheme = {"type": "http", "scheme": "Basic", "httpAuthSecurityScheme": {"scheme": "Bearer"}}
    document = {**HYBRID, "securitySchemes": {"login": scheme}}

    older, of_older = converted(document, "a2a-hybrid", "a2a-0.3")
    newer, of_newer = converted(document, "a2a-hybrid", "a2a-1.0")
    assert older["securitySchemes"] == {"login": {"type": "http", "scheme": "Basic"}}
    assert newer["securitySchemes"] == {"login": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}}
    assert "/securitySchemes/login/httpAuthSecurityScheme/scheme" in lost(of_older)
    assert "/securitySchemes/login/scheme" in lost(of_newer)


def test_a_hybrid_without_one_half_gives_the_other() -> None:
    older = converted(without(HYBRID, "url", "preferredTransport"), "a2a-hybrid", "a2a-0.3")[0]
    newer = converted(without(HYBRID, "supportedInterfaces"), "a2a-hybrid", "a2a-1.0")[0]

    assert older["url"] == NEW
    assert newer["supportedInterfaces"][0]["url"] == OLD


@pytest.mark.parametrize("to", ["a2a-0.1", "a2a-0.2", "a2a-0.3", "a2a-1.0"])
def test_fields_of_the_other_half_of_a_hybrid_are_carried(to: str) -> None:
    card = Card.from_document(HYBRID, dialect="a2a-hybrid")
    carrying, report = convert(card, to=to, carry=True)

    assert report.lossless
    assert convert(carrying, to="a2a-hybrid")[0].document == HYBRID
