"""Rule ids of failed fetches."""

from __future__ import annotations

import pytest

from cardwright.discovery.fetch_rules import FETCH_RULES, fetch_rule
from cardwright.errors import AccessDenied, BadResponse, PeerError, PeerTimeout, PeerUnreachable
from cardwright_gateway.a2a.problems import fetch_message

URL = "https://a.example"


@pytest.mark.parametrize(
    ("error", "rule"),
    [
        (AccessDenied(URL, 401), "fetch/denied"),
        (AccessDenied(URL, 403), "fetch/denied"),
        (PeerTimeout(URL, ""), "fetch/timeout"),
        (PeerUnreachable(URL, ""), "fetch/unreachable"),
        (BadResponse(URL, "not-found", ""), "fetch/not-found"),
        (BadResponse(URL, "too-large", ""), "fetch/too-large"),
    ],
)
def test_each_failed_fetch_has_one_rule_id(error: PeerError, rule: str) -> None:
    assert fetch_rule(error) == rule
    assert rule in FETCH_RULES


def test_the_gateway_has_a_message_for_each_rule_id_of_a_card() -> None:
    rules = sorted(FETCH_RULES - {"fetch/not-a-reply"})
    assert len({fetch_message(rule) for rule in rules}) == len(rules)
