"""Internal hosts that remain after rewriting are reported and not quoted."""

from __future__ import annotations

from typing import Any

import pytest

from cardwright.card import Card
from cardwright_gateway.catalog.rewriting import leaks, rewritten

PUBLIC, BACKEND = "https://gw.example/agents/a", "http://10.1.2.3:8000"


def card(**fields: Any) -> Card:
    document = {"name": "A", "protocolVersion": "0.3.0", "url": f"{BACKEND}/a2a", "skills": [], **fields}
    return rewritten(Card.from_document(document), PUBLIC, BACKEND).card


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"description": "See http://wiki.internal/x, or ask."}, "/description"),
        ({"endpoints": {"a/b": ["HTTP://localhost:3000"]}}, "/endpoints/a~1b/0"),
        ({"securitySchemes": {"o": {"openIdConnectUrl": "https://10.0.0.7/"}}}, "/securitySchemes/o/openIdConnectUrl"),
        ({"homepage": "(https://[::1]/)"}, "/homepage"),
        ({"x": f"as {BACKEND}"}, "/x"),
    ],
)  # fmt: skip
def test_an_internal_host_is_located_and_not_quoted(fields: dict[str, Any], pointer: str) -> None:
    (found,) = leaks(card(**fields), PUBLIC, BACKEND)
    assert (found.rule, found.severity, found.pointer) == ("gateway/internal-host", "warning", pointer)
    assert "://" not in found.message


@pytest.mark.parametrize(
    "text",
    ["https://example.com/", "start localhost first", "https://gw.example/x", "mailto:a@localhost", ""],
)
def test_a_url_without_an_internal_host_is_no_leak(text: str) -> None:
    assert leaks(card(description=text), PUBLIC, BACKEND) == ()


def test_a_public_backend_that_a_text_names_is_a_leak() -> None:
    named = card(description="Calls https://agent.example.org/a2a directly.")
    assert [one.pointer for one in leaks(named, PUBLIC, "https://agent.example.org")] == ["/description"]


def test_a_gateway_on_localhost_is_no_leak() -> None:
    local = "http://localhost:4000/agents/a"
    served = rewritten(card(), local, BACKEND).card
    assert leaks(served, local, BACKEND) == ()


def test_a_report_has_a_maximum_length() -> None:
    assert len(leaks(card(x=["http://10.0.0.7/"] * 1_000), PUBLIC, BACKEND)) == 100
