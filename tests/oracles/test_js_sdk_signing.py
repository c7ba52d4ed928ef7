"""Signatures in both directions between this project and the real @a2a-js/sdk 1.3; needs node."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardwright import Card, sign
from cardwright.signing import Algorithm, Key
from tests.oracles.signers import (
    LISTED,
    ROWS,
    SIGNED,
    cardwright_form,
    causes,
    jobs,
    js_sdk_forms,
    known,
    of_corpus,
    of_examples,
    peer,
    read,
    troubled,
    without_what_is_empty,
)
from tests.oracles.test_sdk_signing import (
    ACCENTS,
    ALGORITHMS,
    key,
    read_again,
    signable,
    verified_by_cardwright,
)
from tests.oracles.valid_cards import sound
from tests.shared import shared

if TYPE_CHECKING:
    from collections.abc import Callable

KNOWN = known("a2a-js")


@pytest.fixture(scope="module", autouse=True)
def package() -> None:
    peer()


@cache
def public(alg: Algorithm) -> dict[str, str]:
    return Key.from_jwk(key(alg)).to_jwk()


def to_sign(document: dict[str, Any], alg: Algorithm = "ES256") -> dict[str, Any]:
    rest = {name: value for name, value in document.items() if name != "signatures"}
    header = {"kid": "k-1", "alg": alg, "typ": "JOSE"}
    return {"task": "sign", "card": rest, "key": key(alg), "header": header}


def to_verify(document: dict[str, Any], alg: Algorithm = "ES256") -> dict[str, Any]:
    return {"task": "verify", "card": document, "keys": {"k-1": public(alg)}}


def explained(documents: list[Any]) -> list[list[str]]:
    """Return the listed causes of each difference; fail where there is one beyond them."""
    found: dict[int, tuple[list[str], Any]] = {
        index: causes(document, KNOWN)
        for index, (document, form) in enumerate(zip(documents, js_sdk_forms(documents), strict=True))
        if cardwright_form(document) != form
    }
    again = js_sdk_forms([rest for _, rest in found.values()])
    for (index, (why, rest)), form in zip(found.items(), again, strict=True):
        assert why, f"no listed cause: {documents[index]}"
        assert cardwright_form(rest) == form, (why, documents[index])
    return [found.get(index, ([], None))[0] for index in range(len(documents))]


# Bytes


def test_every_listed_difference_exists_and_disappears_with_its_cause() -> None:
    forms = js_sdk_forms([row["document"] for row in ROWS])
    assert {row["id"]: one for row, one in zip(ROWS, forms, strict=True)} == {
        row["id"]: row["a2a-js"] for row in ROWS
    }
    without = [causes(row["document"], {row["without"], "nothing"})[1] for row in ROWS]
    assert js_sdk_forms(without) == [cardwright_form(rest) for rest in without]


def test_the_canonical_forms_of_real_cards_are_those_of_a2a_js(
    record_property: Callable[[str, object], None],
) -> None:
    shared("corpus")
    cards = of_corpus()
    reasons = explained([card.document for _, card in cards])

    record_property("compared", len(cards))
    assert len(cards) >= 90
    found = {name: why for (name, _), why in zip(cards, reasons, strict=True) if why}
    assert found == LISTED["documents"]["a2a-js"]


def test_the_canonical_forms_of_the_examples_are_those_of_a2a_js() -> None:
    # Older cards may have several flows in one scheme.
    documents = [card.document for _, card in of_examples() if str(card.dialect) in SIGNED]
    documents += [{**document, **ACCENTS} for document in documents]

    assert len(documents) >= 4
    assert js_sdk_forms(documents) == [cardwright_form(document) for document in documents]


# One process reads many cards: starting one takes longer than all of them.
def test_the_canonical_forms_of_any_card_are_those_of_a2a_js() -> None:
    documents: list[Any] = []

    @settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
    @given(troubled())
    def gather(document: dict[str, Any]) -> None:
        documents.append(document)

    gather()
    explained(documents)


def test_numbers_are_written_alike() -> None:
    numbers = [2.0**53, 1e16, 1e21, 1.7e308, -(2.0**60), -0.0, 0.1, 1e-7, 5e-324, 2**53 - 1]
    documents = [{"capabilities": {"extensions": [{"params": {"a": number}}]}} for number in numbers]

    assert js_sdk_forms(documents) == [cardwright_form(document) for document in documents]


def test_the_sdk_loses_every_scheme_of_its_own_agent_card() -> None:
    # A2A-js#663: its object has {"scheme": {"$case": ...}}, which it reads again as if it were JSON. What it
    # signs of its object and of the JSON of that object are two things: canonicalise the JSON that was received.
    document = dict(of_examples())["a2a-1.0.card.json"].document
    whole = json.loads(js_sdk_forms([document])[0] or "")
    lost = json.loads(js_sdk_forms([document], "instance")[0] or "")

    assert document["securitySchemes"]
    assert whole["securitySchemes"]
    assert "securitySchemes" not in lost
    assert {name: value for name, value in whole.items() if name != "securitySchemes"} == lost


# Signatures


@pytest.mark.parametrize("alg", ALGORITHMS)
@pytest.mark.parametrize("accents", [{}, ACCENTS], ids=["ascii", "beyond"])
def test_signatures_of_each_algorithm_verify_in_both_directions(
    alg: Algorithm, accents: dict[str, str]
) -> None:
    documents = [{**card.document, **accents} for _, card in of_examples() if str(card.dialect) in SIGNED]
    for signed in jobs(*(to_sign(document, alg) for document in documents)):
        assert verified_by_cardwright(signed, alg) in ("spec", "sdk")
    own = [
        sign(read_again(document), key=key(alg), kid="k-1", alg=alg, profile="sdk").document
        for document in documents
    ]
    assert jobs(*(to_verify(document, alg) for document in own)) == [True] * len(own)


@settings(max_examples=3, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.lists(sound(), min_size=10, max_size=10))
def test_signatures_of_any_valid_card_verify_in_both_directions(documents: list[dict[str, Any]]) -> None:
    for signed in jobs(*map(to_sign, documents)):
        assert verified_by_cardwright(signed) in ("spec", "sdk")
    both = [
        [sign(read(one), key=key("ES256"), kid="k-1", alg="ES256", profile=how).document for one in documents]
        for how in ("sdk", "spec")
    ]
    verified = jobs(*map(to_verify, both[0] + both[1]))
    assert verified[: len(documents)] == [True] * len(documents)
    for document, by_spec in zip(documents, verified[len(documents) :], strict=True):
        _, why = without_what_is_empty(cardwright_form(document, "spec") or "")
        assert bool(by_spec) == (not why)


def test_real_cards_signed_by_a2a_js_verify_here(record_property: Callable[[str, object], None]) -> None:
    shared("corpus")
    cards = of_corpus()
    counts: Counter[str] = Counter()
    for (name, _), signed in zip(cards, jobs(*(to_sign(card.document) for _, card in cards)), strict=True):
        assert signed is not None, name
        profile = verified_by_cardwright(signed)
        counts[str(profile)] += 1
        # Where we have no form, or another.
        assert (profile is None) == (name in LISTED["documents"]["a2a-js"]), name
    record_property("told", dict(counts))


def test_real_cards_signed_here_verify_in_a2a_js(record_property: Callable[[str, object], None]) -> None:
    shared("corpus")
    cards = signable()
    by_sdk, by_spec = (
        jobs(*(
            to_verify(sign(card, key=key("ES256"), kid="k-1", alg="ES256", profile=how).document) for _, card in cards
        ))
        for how in ("sdk", "spec")
    )  # fmt: skip
    forms = js_sdk_forms([card.document for _, card in cards])
    for (name, card), sdk, spec, form in zip(cards, by_sdk, by_spec, forms, strict=True):
        assert sdk, name
        reduced, why = without_what_is_empty(cardwright_form(card.document, "spec") or "")
        assert reduced == form, name
        assert bool(spec) == (not why) == (name not in LISTED["documents"]["spec"]), name
    record_property("told", {"sdk": sum(map(bool, by_sdk)), "spec": sum(map(bool, by_spec))})


# The hole, and the specification


def test_fields_that_the_sdk_does_not_sign_can_be_stripped() -> None:
    document = {
        **dict(of_examples())["a2a-1.0.card.json"].document,
        "securitySchemes": {"m": {"mtlsSecurityScheme": {}}},
        "securityRequirements": [{"schemes": {"m": {"list": []}}}],
    }
    (full,) = jobs(to_sign(document))
    stripped = {name: value for name, value in full.items() if not name.startswith("security")}

    assert jobs(to_verify(full), to_verify(stripped)) == [True, True]


def test_the_worked_example_of_the_specification_is_signed_otherwise() -> None:
    # A2A 1.0 §8.4.1.
    document = {
        "name": "Example Agent",
        "description": "",
        "capabilities": {"streaming": False, "pushNotifications": False, "extensions": []},
        "skills": [],
    }

    form = '{"capabilities":{"pushNotifications":false,"streaming":false},"name":"Example Agent"}'
    assert js_sdk_forms([document]) == [cardwright_form(document)] == [form]
    assert cardwright_form(document, "spec") != form


def test_the_sample_card_of_the_specification_has_one_form() -> None:
    # A2A 1.0 §8.5.
    body = (shared("corpus") / "cards" / "006.json").read_bytes()
    document = Card.from_bytes(body).document

    assert js_sdk_forms([document]) == [cardwright_form(document)] == [cardwright_form(document, "spec")]
