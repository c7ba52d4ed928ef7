"""Beach cards with more than one A2A endpoint: each is compared by its own security requirements."""

from __future__ import annotations

from typing import Any

import pytest

from cardwright.card import Card
from cardwright.difference import compare

FREE = {"type": "none"}
KEY = {"type": "api-key", "header": "X-Key"}
TOKEN = {"type": "oauth2", "scope": "read", "tokenEndpoint": "https://login.example/token"}


def card(*auths: Any) -> Card:
    transports = [
        {"protocol": "a2a", "version": "1.0", "endpoint": f"https://{index}.example/a2a", "auth": auth}
        for index, auth in enumerate(auths)
    ]
    body = {"schemaVersion": "1.0", "id": "a", "name": "A", "description": "A.", "version": "1.0.0"}
    return Card.from_document({**body, "capabilities": [], "transports": transports}, dialect="beach-1.0")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ((FREE, FREE), (KEY, FREE)),
        ((KEY, FREE), (FREE, KEY)),
        ((KEY, TOKEN), (TOKEN, KEY)),
        ((TOKEN, TOKEN), (TOKEN, {**TOKEN, "scope": "read write"})),
        (("none",), ("oauth2",)),
        (({"type": "acme", "realm": "a"},), ({"type": "acme", "realm": "b"},)),
    ],
)
def test_an_endpoint_with_another_requirement_is_a_breaking_change(old: Any, new: Any) -> None:
    assert compare(card(*old), card(*new)).bump == "major"
    assert compare(card(*old), card(*old)).changes == ()


def test_an_endpoint_with_fewer_requirements_is_no_breaking_change() -> None:
    more = {**TOKEN, "scope": "write read"}

    assert compare(card(KEY), card(FREE)).bump == "minor"
    assert compare(card(more), card({**TOKEN, "scope": "read write"})).bump == "none"
    assert not any(change.kind == "transport-changed" for change in compare(card(more), card(TOKEN)).changes)
