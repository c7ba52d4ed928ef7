"""The cards of the conformance kit, in the form of ACTS client tests."""

from __future__ import annotations

import pytest
import yaml

from cardwright import Card
from conformance.build import kit_files
from tests.acts.matching import fault


@pytest.mark.bulk
def test_the_kit_has_its_valid_cards_as_client_tests() -> None:
    document = yaml.safe_load(kit_files()["acts/agent-cards.acts.yaml"])
    cards, signed = document["suites"]

    assert (document["acts_version"], document["spec_version"]) == ("1.0", "1.0")
    assert len(cards["tests"]) >= 100
    assert len(signed["tests"]) >= 30
    ids = [test["id"] for suite in (cards, signed) for test in suite["tests"]]
    assert len(set(ids)) == len(ids)
    for test in [*cards["tests"], *signed["tests"]]:
        (step,) = test["steps"]
        payload = step["client_response"]["wire_payload"]
        assert test["level"] in ("must", "should", "may")
        assert step["expect_parsed"]
        # A client passes if it parses the card without losing a field.
        assert fault(payload, step["expect_parsed"]) == "", test["id"]
    for test in cards["tests"]:
        payload = test["steps"][0]["client_response"]["wire_payload"]
        assert Card.from_document(payload, dialect="a2a-1.0").valid, test["id"]
