"""Signing and verifying, compared with the joserfc operations alone and with a2a-sdk."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import orjson
from a2a.client.card_resolver import parse_agent_card
from a2a.utils.signing import create_agent_card_signer, create_signature_verifier
from joserfc.jwk import ECKey
from joserfc.jws import HeaderDict, JWSRegistry, deserialize_json, serialize_json
from jwt import PyJWK

from benchmarks.documents import card
from benchmarks.measure import interleaved
from cardwright import Card, canonical_form, sign, verify
from cardwright.signing import Key, KeySet, new_key

if TYPE_CHECKING:
    from collections.abc import Callable

BYTES = 4_000
# Maximum multiple of the time of the joserfc operations alone.
BOUND = 1.5


def signing() -> None:
    print("Sign and verify a card with ES256 (medians, µs; ! over the limit)\n")
    print(
        f"{'card':18} {'bytes':>8} {'joserfc':>9} {'cardwright':>11} {'a2a-sdk':>9}  {'× joserfc':>9} {'limit':>6}"
    )
    for german in (False, True):
        document = card("a2a-1.0", BYTES, german=german)
        times = interleaved(_contestants(document))
        ratio = times["cardwright"] / times["joserfc"]
        print(
            f"{'a2a-1.0' + (', umlauts' if german else ''):18} {len(orjson.dumps(document)):8,} {times['joserfc']:9.1f}"
            f" {times['cardwright']:11.1f} {times['sdk']:9.1f}  {ratio:9.2f} {BOUND:5}×{'!' if ratio > BOUND else ' '}"
        )
    print()


def _contestants(document: dict[str, Any]) -> dict[str, Callable[[], object]]:
    private = new_key("ES256", "bench")
    checked_card = Card.from_document(document).check()
    key = Key.from_jwk(private)
    keys = KeySet.of([key])
    payload = canonical_form(checked_card)
    bare = ECKey.import_key({**private})
    header: HeaderDict = {"protected": {"alg": "ES256", "typ": "JOSE", "kid": "bench"}}
    registry = JWSRegistry(algorithms=["ES256"])
    pyjwk = PyJWK(private)
    signer = create_agent_card_signer(pyjwk, {"kid": "bench", "alg": "ES256", "jku": "", "typ": "JOSE"})
    verifier = create_signature_verifier(lambda _kid, _jku: pyjwk, ["ES256"])
    message = parse_agent_card(copy.deepcopy(document))

    def joserfc() -> None:
        deserialize_json(serialize_json(header, payload, bare, registry=registry), bare, registry=registry)

    def with_cardwright() -> None:
        verification = verify(sign(checked_card, key=key, kid="bench", alg="ES256"), keys=keys)
        if not verification.covered:
            raise RuntimeError("the new signature must verify")

    def sdk() -> None:
        unsigned = type(message)()
        unsigned.CopyFrom(message)
        verifier(signer(unsigned))

    return {"joserfc": joserfc, "cardwright": with_cardwright, "sdk": sdk}
