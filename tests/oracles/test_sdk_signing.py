"""Signatures in both directions between this project and the real a2a-sdk 1.3."""

from __future__ import annotations

import copy
import json
from collections import Counter
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from a2a.client.card_resolver import parse_agent_card
from a2a.server.request_handlers.response_helpers import agent_card_to_dict
from a2a.types import AgentCard
from a2a.utils.signing import InvalidSignaturesError, create_agent_card_signer, create_signature_verifier
from google.protobuf.json_format import (  # type: ignore[import-untyped] # it has no stubs
    MessageToDict,
    ParseDict,
    ParseError,
)
from hypothesis import given, settings
from jwt import PyJWK

from cardwright import Card, sign, verify
from cardwright.errors import InvalidCard, UnknownDialect
from cardwright.signing import Algorithm, Key, KeySet, Profile, new_key
from tests.cards import least_card
from tests.oracles.signers import (
    LISTED,
    ROWS,
    SIGNED,
    WIDE,
    cardwright_form,
    causes,
    known,
    of_corpus,
    of_examples,
    read,
    sdk_form,
    troubled,
    without_what_is_empty,
)
from tests.oracles.valid_cards import sound
from tests.shared import shared

if TYPE_CHECKING:
    from collections.abc import Callable

KNOWN = known("a2a-sdk")
ALGORITHMS: tuple[Algorithm, ...] = ("ES256", "ES384", "RS256", "PS256", "EdDSA")
ACCENTS = {"name": "Größe 日本 😀", "description": "\u2028 \x7f דּ é"}


@cache
def key(alg: Algorithm) -> dict[str, str]:
    return new_key(alg, "k-1")


def signed_by_sdk(document: dict[str, Any], alg: Algorithm = "ES256") -> AgentCard:
    """Return a2a-sdk's card of a document, signed as its users sign."""
    message = ParseDict(copy.deepcopy(document), AgentCard(), ignore_unknown_fields=True)
    del message.signatures[:]
    signer = create_agent_card_signer(
        PyJWK.from_dict(key(alg)), {"kid": "k-1", "alg": alg, "typ": "JOSE", "jku": None}
    )
    return signer(message)


def verified_by_sdk(document: dict[str, Any], alg: Algorithm = "ES256") -> bool:
    """Whether a2a-sdk verifies a served card, as its resolver reads it."""
    public = PyJWK.from_dict(Key.from_jwk(key(alg)).to_jwk())
    served = json.loads(json.dumps(document))
    try:
        create_signature_verifier(lambda *_: public, [alg])(parse_agent_card(served))
    except InvalidSignaturesError:
        return False
    return True


def verified_by_cardwright(document: dict[str, Any], alg: Algorithm = "ES256") -> Profile | None:
    """Return the profile by which the last signature of a served card verifies here; None if it does not."""
    card = Card.from_bytes(json.dumps(document).encode(), checks=WIDE)
    return verify(card, keys=KeySet.of([key(alg)])).signatures[-1].profile


def signable() -> list[tuple[str, Card]]:
    """Return every real card of A2A 1.0 that has no error, and would have none with a signature."""
    found = []
    for name, card in [*of_examples(), *of_corpus()]:
        if card.valid and str(card.dialect) in SIGNED:
            rest = {name: value for name, value in card.document.items() if name != "signatures"}
            with suppress(InvalidCard):
                unsigned = Card.from_document(rest, checks=WIDE)
                sign(unsigned, key=key("ES256"), kid="k-1", alg="ES256")
                found.append((name, unsigned))
    return found


def resolved(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document as a2a-sdk's resolver changes it before it reads it."""
    changed = copy.deepcopy(document)
    parse_agent_card(changed)
    return changed


# Bytes


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_every_listed_difference_exists_and_disappears_with_its_cause(row: dict[str, Any]) -> None:
    assert (cardwright_form(row["document"]), sdk_form(row["document"])) == (row["ours"], row["a2a-sdk"])
    assert len({row["ours"], row["a2a-sdk"], row["a2a-js"]}) > 1
    assert row["cause"]
    _, rest = causes(row["document"], {row["without"], "nothing"})
    assert rest != row["document"]
    assert cardwright_form(rest) == sdk_form(rest)
    assert cardwright_form(rest) is not None


def explained(document: Any) -> list[str]:
    """Return the listed causes of a difference; fail where there is one beyond them."""
    if cardwright_form(document) == sdk_form(document):
        return []
    found, rest = causes(document, KNOWN)
    assert found, "no listed cause"
    assert cardwright_form(rest) == sdk_form(rest), found
    return found


def test_the_canonical_forms_of_real_cards_are_those_of_a2a_sdk(
    record_property: Callable[[str, object], None],
) -> None:
    shared("corpus")
    cards = of_corpus()
    found = {name: why for name, card in cards if (why := explained(card.document))}

    record_property("compared", len(cards))
    assert len(cards) >= 90
    assert found == LISTED["documents"]["a2a-sdk"]


def test_the_canonical_forms_of_the_examples_are_those_of_a2a_sdk() -> None:
    for name, card in of_examples():
        assert cardwright_form(card.document) == sdk_form(card.document), name
        accented = {**card.document, **ACCENTS}
        assert cardwright_form(accented) == sdk_form(accented), name


@settings(max_examples=200)
@given(troubled())
@pytest.mark.bulk
def test_the_canonical_forms_of_any_card_are_those_of_a2a_sdk(document: dict[str, Any]) -> None:
    explained(document)


@pytest.mark.parametrize(
    "number", [2.0**53, 2.0**53 + 2, 1e16, 1e21, 1.7e308, -(2.0**60), -0.0, 0.1, 1e-7, 5e-324, 2**53 - 1]
)
def test_numbers_are_written_alike(number: float) -> None:
    document = {"capabilities": {"extensions": [{"params": {"a": number, "b": [number]}}]}}

    assert cardwright_form(document) == sdk_form(document) != "{}"


# Signatures


@pytest.mark.parametrize("alg", ALGORITHMS)
@pytest.mark.parametrize("accents", [{}, ACCENTS], ids=["ascii", "beyond"])
def test_signatures_of_each_algorithm_verify_in_both_directions(
    alg: Algorithm, accents: dict[str, str]
) -> None:
    for name, card in of_examples():
        if str(card.dialect) in SIGNED:
            document = {**card.document, **accents}
            sdk_signed = MessageToDict(signed_by_sdk(document, alg))
            appended = {**document, "signatures": sdk_signed["signatures"]}
            assert verified_by_cardwright(sdk_signed, alg) in ("spec", "sdk"), name
            assert verified_by_cardwright(appended, alg) in ("spec", "sdk"), name
            own = sign(read_again(document), key=key(alg), kid="k-1", alg=alg, profile="sdk")
            assert verified_by_sdk(own.document, alg), name


def read_again(document: dict[str, Any]) -> Card:
    return Card.from_document(document, checks=WIDE)


@given(sound())
def test_any_valid_card_signed_by_a2a_sdk_verifies_here_however_served(document: dict[str, Any]) -> None:
    message = signed_by_sdk(document)
    alone = MessageToDict(message)

    assert verified_by_cardwright(alone) in ("spec", "sdk")
    assert verified_by_cardwright({**document, "signatures": alone["signatures"]}) in ("spec", "sdk")
    # Its server adds what readers of 0.3 look for.
    assert verified_by_cardwright(agent_card_to_dict(message)) in ("spec", "sdk")


@given(sound())
def test_any_valid_card_signed_here_verifies_in_a2a_sdk(document: dict[str, Any]) -> None:
    card = read(document)
    assert verified_by_sdk(sign(card, key=key("ES256"), kid="k-1", alg="ES256", profile="sdk").document)
    reduced, why = without_what_is_empty(cardwright_form(document, "spec") or "")

    by_spec = verified_by_sdk(sign(card, key=key("ES256"), kid="k-1", alg="ES256").document)
    assert by_spec == (not why)
    assert why <= LISTED["spec"].keys()
    assert reduced == sdk_form(document)


def test_real_cards_signed_by_a2a_sdk_verify_here(record_property: Callable[[str, object], None]) -> None:
    shared("corpus")
    counts: Counter[str] = Counter()
    for name, card in of_corpus():
        try:
            message = signed_by_sdk(card.document)
        except ParseError:
            counts["refused by a2a-sdk"] += 1
            assert cardwright_form(card.document) is None, name
            continue
        alone = MessageToDict(message)
        for how, document in (
            ("its message", alone),
            ("its server", agent_card_to_dict(message)),
            ("as written", {**card.document, "signatures": alone["signatures"]}),
        ):
            try:
                profile = verified_by_cardwright(document)
            except UnknownDialect:
                # a2a-sdk drops fields of older versions and empty lists, such as the skills: no agent card is left.
                assert "skills" not in document, (name, how)
                continue
            counts[f"{how}: {profile}"] += 1
            # A card of which we have no form is one that the SDKs read in different ways.
            assert (profile is None) == (how == "as written" and cardwright_form(card.document) is None), (
                name,
                how,
            )
    record_property("told", dict(counts))
    assert counts["its message: spec"] >= 30
    assert counts["its message: sdk"] >= 30


def test_real_cards_signed_here_verify_in_a2a_sdk(record_property: Callable[[str, object], None]) -> None:
    shared("corpus")
    counts: Counter[str] = Counter()
    unlike: dict[str, list[str]] = {}
    changed: dict[str, list[str]] = {}
    for name, card in signable():
        document = card.document
        by_resolver = sdk_form(resolved(document)) != sdk_form(document)
        by_sdk = verified_by_sdk(sign(card, key=key("ES256"), kid="k-1", alg="ES256", profile="sdk").document)
        assert by_sdk == (not by_resolver), name
        if by_resolver:
            changed[name] = resolver_causes(document)
        reduced, why = without_what_is_empty(cardwright_form(document, "spec") or "")
        assert reduced == sdk_form(document), name
        assert (cardwright_form(document, "spec") == sdk_form(document)) == (not why), name
        by_spec = verified_by_sdk(sign(card, key=key("ES256"), kid="k-1", alg="ES256").document)
        assert by_spec == (not why and not by_resolver), name
        counts[f"sdk: {by_sdk}"] += 1
        counts[f"spec: {by_spec}"] += 1
        if why:
            unlike[name] = sorted(why)
    record_property("told", dict(counts))
    assert unlike == LISTED["documents"]["spec"]
    assert changed == LISTED["documents"]["resolver"]
    assert {why for each in unlike.values() for why in each} <= LISTED["spec"].keys()
    assert {why for each in changed.values() for why in each} <= LISTED["resolver"].keys()


@pytest.mark.parametrize(("cause", "row"), LISTED["spec"].items(), ids=LISTED["spec"])
def test_each_listed_cause_alone_makes_a2a_sdk_refuse_the_spec_profile(
    cause: str, row: dict[str, Any]
) -> None:
    form = cardwright_form(row["document"], "spec")
    assert form is not None
    assert form != sdk_form(row["document"])
    assert without_what_is_empty(form) == (sdk_form(row["document"]), {cause})
    assert row["why"]


def resolver_causes(document: dict[str, Any]) -> list[str]:
    """Return what a2a-sdk's resolver changes in a card."""
    found = []
    for cause, fields in (
        ("security", ("securityRequirements", "skills")),
        ("extended", ("capabilities",)),
        ("schemes", ("securitySchemes",)),
        ("interfaces", ("supportedInterfaces",)),
    ):
        after = resolved(document)
        if any(
            sdk_form({"name": "A", m: after.get(m)}) != sdk_form({"name": "A", m: document.get(m)})
            for m in fields
        ):
            found.append(cause)
    return found


@pytest.mark.parametrize("cause", LISTED["resolver"])
def test_no_signature_survives_changes_by_the_resolver_of_a2a_sdk(cause: str) -> None:
    # All are hybrids or leftovers: an A2A 1.0 card without them is read as it is served.
    base = json.loads(json.dumps(dict(of_examples())["a2a-1.0.card.json"].document))
    base.pop("securityRequirements", None)
    base.pop("signatures", None)
    base["capabilities"].pop("extendedAgentCard", None)
    scheme = {"apiKeySecurityScheme": {"location": "header", "name": "X-Key"}, "type": "apiKey"}
    added: dict[str, dict[str, Any]] = {
        "security": {"security": [{"k": ["read"]}]},
        "extended": {"supportsAuthenticatedExtendedCard": True},
        "schemes": {"securitySchemes": {"k": scheme}},
        "interfaces": {"url": "https://agent.example.com/a2a"},
    }
    if cause == "interfaces":
        del base["supportedInterfaces"]
    document = {**base, **added[cause]}

    message = signed_by_sdk(document)
    served = {**document, "signatures": MessageToDict(message)["signatures"]}

    assert resolver_causes(document) == [cause]
    assert not verified_by_sdk(served)
    assert verified_by_cardwright(served) == "sdk"


# The hole


def test_fields_that_the_sdks_do_not_sign_can_be_stripped_and_are_reported() -> None:
    document = least_card(
        capabilities={"streaming": False},
        securitySchemes={"m": {"mtlsSecurityScheme": {}}},
        securityRequirements=[{"schemes": {"m": {"list": []}}}],
    )
    full = {**document, "signatures": MessageToDict(signed_by_sdk(document))["signatures"]}
    stripped = {name: value for name, value in full.items() if not name.startswith("security")}
    keys = KeySet.of([key("ES256")])

    # Stripping the only two fields that protect the agent leaves a card that a2a-sdk still verifies.
    assert verified_by_sdk(full)
    assert verified_by_sdk(stripped)

    seen = verify(read_again(full), keys=keys)
    assert seen.signatures[0].profile == "sdk"
    assert seen.signatures[0].uncovered == ("/securitySchemes", "/securityRequirements")
    assert seen.verified
    assert not seen.covered

    # Nothing of the stripped card is empty, so its form by `spec` is the very bytes that were signed: no
    # verifier can know that more fields were signed. What helps is a signer that signs by
    # `spec`, as we do by default.
    seen = verify(read_again(stripped), keys=keys)
    assert cardwright_form(stripped, "spec") == cardwright_form(stripped) == sdk_form(full)
    assert seen.signatures[0].profile == "spec"
    assert seen.signatures[0].uncovered == ()
    own = sign(read_again(document), key=key("ES256"), kid="k-1", alg="ES256").document
    robbed = {name: value for name, value in own.items() if not name.startswith("security")}
    assert verified_by_cardwright(own) == "spec"
    assert verified_by_cardwright(robbed) is None


def test_a_stripped_card_of_the_sdk_profile_reports_uncovered_requirements() -> None:
    card = dict(of_examples())["a2a-1.0.card.json"].document
    document = {**card, "capabilities": {}, "securityRequirements": [{"schemes": {"m": {"list": []}}}]}
    document |= {"securitySchemes": {"m": {"mtlsSecurityScheme": {}}}}
    for skill in (skills := copy.deepcopy(document["skills"])):
        skill.pop("securityRequirements", None)
    document["skills"] = skills
    full = {**document, "signatures": MessageToDict(signed_by_sdk(document))["signatures"]}
    stripped = {name: value for name, value in full.items() if not name.startswith("security")}

    seen = verify(read_again(stripped), keys=KeySet.of([key("ES256")])).signatures[0]

    assert verified_by_sdk(stripped)
    # `capabilities: {}` is in the form of `spec`, so only `sdk` matches here, and the result says so.
    assert seen.profile == "sdk"
    assert seen.uncovered == ("/capabilities", "/securityRequirements")
    assert seen.essential == ("/securityRequirements",)


# The specification


def test_the_worked_example_of_the_specification_is_signed_otherwise_by_a2a_sdk() -> None:
    document = {
        "name": "Example Agent",
        "description": "",
        "capabilities": {"streaming": False, "pushNotifications": False, "extensions": []},
        "skills": [],
    }

    # A2A 1.0 §8.4.1 prints the first line; a2a-sdk leaves out what is required and empty.
    assert cardwright_form(document, "spec") == (
        '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"",'
        '"name":"Example Agent","skills":[]}'
    )
    assert (
        sdk_form(document)
        == cardwright_form(document)
        == ('{"capabilities":{"pushNotifications":false,"streaming":false},"name":"Example Agent"}')
    )


def test_the_sample_card_of_the_specification_has_one_form() -> None:
    # A2A 1.0 §8.5: nothing of it is empty or unknown. Its signature has no published key.
    body = (shared("corpus") / "cards" / "006.json").read_bytes()
    document = Card.from_bytes(body).document

    assert document["name"] == "GeoSpatial Route Planner Agent"
    assert document["signatures"]
    assert cardwright_form(document) == cardwright_form(document, "spec") == sdk_form(document)


def test_an_invalid_card_is_not_signed() -> None:
    with pytest.raises(InvalidCard):
        sign(read({"name": "A"}), key=key("ES256"), kid="k-1", alg="ES256", profile="sdk")
