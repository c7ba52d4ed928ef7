"""Published signatures and canonical forms: which are valid, which are not, and why."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cardwright.card import Card
from cardwright.errors import MalformedDocument, NoCanonicalForm
from cardwright.signing import (
    ALGORITHMS,
    PROFILES,
    KeySet,
    Policy,
    Profile,
    canonical_form,
    form_of,
    sign,
    verify,
)

FOLDER = Path(__file__).parent / "signing"
# Each cause and its reason here: no vector passes for another reason.
REASONS: dict[str, str] = json.loads((FOLDER.parent / "reasons.json").read_bytes())


def vectors() -> list[dict[str, Any]]:
    files = sorted(file for file in FOLDER.glob("*.json") if file.name != "keys.json")
    return [vector for file in files for vector in json.loads(file.read_text(encoding="utf-8"))["vectors"]]


VECTORS = vectors()
FORMS = [vector for vector in VECTORS if "document" in vector]
CARDS = [vector for vector in VECTORS if "card" in vector]
TEXTS = [vector for vector in VECTORS if "card_text" in vector]


def policy_of(vector: dict[str, Any]) -> Policy:
    settings = vector["policy"]

    def fetch(url: str) -> bytes:
        return json.dumps(settings.get("key_sets", {})[url]).encode()

    return Policy(
        profiles=tuple(settings["profiles"]),
        algorithms=tuple(settings.get("algorithms", ALGORITHMS)),
        jku_origins=frozenset(settings.get("jku_origins", ())),
        origin=settings.get("card_origin"),
        fetch=fetch,
        clock=lambda: float(settings["time"]),
    )


@pytest.mark.parametrize("vector", CARDS, ids=lambda vector: vector["id"])
def test_a_signature_gets_the_result_of_its_vector(vector: dict[str, Any]) -> None:
    card = Card.from_document(vector["card"])

    result = verify(card, keys=vector["keys"], policy=policy_of(vector))

    expect = vector["expect"]
    assert str(card.dialect) == vector["dialect"]
    assert result.verified == expect["verified"]
    assert len(result.signatures) == len(expect["signatures"])
    for found, wanted in zip(result.signatures, expect["signatures"], strict=True):
        assert found.verified == wanted["verified"], found.reason
        if found.verified:
            assert found.profile == wanted["profile"]
            assert sorted(found.uncovered) == sorted(wanted["uncovered"])
        else:
            assert re.search(REASONS[wanted["cause"]], found.reason), found.reason


@pytest.mark.parametrize("vector", TEXTS, ids=lambda vector: vector["id"])
def test_an_ambiguous_card_is_refused_before_its_signature_is_verified(vector: dict[str, Any]) -> None:
    with pytest.raises(MalformedDocument) as caught:
        Card.from_bytes(vector["card_text"].encode())

    assert caught.value.rule == f"decode/{vector['expect']['refused']}"


@pytest.mark.parametrize("vector", FORMS, ids=lambda vector: vector["id"])
def test_a_document_has_the_canonical_bytes_of_its_vector(vector: dict[str, Any]) -> None:
    card = Card.from_document(vector["document"], dialect=vector["dialect"])
    expect, profile = vector["expect"], vector["profile"]

    if "cause" in expect:
        with pytest.raises(NoCanonicalForm):
            canonical_form(card, profile=profile)
        return
    form = form_of(card, profile)
    assert form.body.decode() == expect["bytes"]
    assert sorted(form.uncovered) == sorted(expect.get("uncovered", ()))


@pytest.mark.parametrize("vector", FORMS, ids=lambda vector: vector["id"])
def test_a_signature_over_the_bytes_of_a_vector_verifies_for_its_document(vector: dict[str, Any]) -> None:
    card = Card.from_document(vector["document"], dialect=vector["dialect"])
    if "cause" in vector["expect"]:
        return
    signature = sign_bytes(vector["expect"]["bytes"].encode(), "eddsa", "EdDSA")
    document = {**card.document, "signatures": [signature]}
    profile: Profile = vector["profile"]

    result = verify(
        Card.from_document(document, dialect=vector["dialect"]),
        keys={"keys": [TEST_KEYS["eddsa"]]},
        policy=Policy(profiles=(profile,)),
    )

    assert result.signatures[0].profile == profile, result.signatures[0].reason


TEST_KEYS: dict[str, dict[str, str]] = {
    key["kid"]: key for key in json.loads((FOLDER / "keys.json").read_text(encoding="utf-8"))["keys"]
}


def sign_bytes(body: bytes, kid: str, alg: str) -> dict[str, str]:
    from cardwright.signing.jws import signed
    from cardwright.signing.keys import Key

    return signed(body, Key.from_jwk(TEST_KEYS[kid]), {"alg": alg, "kid": kid, "typ": "JOSE"})


@pytest.mark.parametrize(("kid", "alg"), [("rsa", "RS256"), ("eddsa", "EdDSA")])
def test_a_deterministic_signature_is_reproduced_byte_for_byte(kid: str, alg: str) -> None:
    vector = next(vector for vector in CARDS if vector["id"] == f"accept-{alg.lower()}-plain")
    plain = {name: value for name, value in vector["card"].items() if name != "signatures"}

    again = sign(
        Card.from_document(plain), key=TEST_KEYS[kid], kid=kid, alg="RS256" if alg == "RS256" else "EdDSA"
    )

    assert again.document["signatures"] == vector["card"]["signatures"]


def test_the_vectors_are_many_and_none_is_repeated() -> None:
    ids = [vector["id"] for vector in VECTORS]
    kinds = Counter(identifier.split("-")[0] for identifier in ids)

    assert len(set(ids)) == len(ids)
    assert all(vector["sentence"].endswith(".") and vector["source"] for vector in VECTORS)
    assert kinds["accept"] >= 40
    assert kinds["reject"] >= 100
    assert kinds["form"] >= 50


def test_the_vectors_use_each_cause_profile_and_algorithm() -> None:
    results = [result for vector in CARDS for result in vector["expect"]["signatures"]]
    named = {result["cause"] for result in results if not result["verified"]}
    good = {result["profile"] for result in results if result["verified"]}
    algorithms = {
        signature.alg
        for vector in CARDS
        for signature in verify(
            Card.from_document(vector["card"]), keys=vector["keys"], policy=policy_of(vector)
        ).signatures
        if signature.verified
    }

    assert named == set(REASONS)
    assert good == set(PROFILES)
    assert algorithms == set(ALGORITHMS)


def test_no_vector_has_a_private_key() -> None:
    for vector in CARDS:
        sets = [vector["keys"], *vector["policy"].get("key_sets", {}).values()]
        keys = [key for one in sets if isinstance(one, dict) for key in one["keys"]]
        assert not any("d" in key for key in keys), vector["id"]
        assert len(KeySet.from_jwks(vector["keys"])) <= len(vector["keys"]["keys"])
