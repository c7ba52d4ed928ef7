"""Signing and verifying beside the bare joserfc operations, and beside a2a-sdk."""

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
# At most so many times the bare joserfc operations.
BOUND = 1.5


def signing() -> None:
    print(
        "Sign and verify a card with ES256, from the held card to the verdict (medians, µs; ! past the bound)\n"
    )
    print(
        f"{'card':18} {'bytes':>8} {'joserfc':>9} {'cardwright':>11} {'a2a-sdk':>9}  {'× joserfc':>9} {'bound':>6}"
    )
    for german in (False, True):
        document = card("a2a-1.0", BYTES, german=german)
        times = interleaved(_contestants(document))
        ratio = times["ours"] / times["joserfc"]
        print(
            f"{'a2a-1.0' + (', umlauts' if german else ''):18} {len(orjson.dumps(document)):8,} {times['joserfc']:9.1f}"
            f" {times['ours']:11.1f} {times['sdk']:9.1f}  {ratio:9.2f} {BOUND:5}×{'!' if ratio > BOUND else ' '}"
        )
    print()


def _contestants(document: dict[str, Any]) -> dict[str, Callable[[], object]]:
    private = new_key("ES256", "bench")
    held = Card.from_document(document).check()
    key = Key.from_jwk(private)
    keys = KeySet.of([key])
    payload = canonical_form(held)
    bare = ECKey.import_key({**private})
    header: HeaderDict = {"protected": {"alg": "ES256", "typ": "JOSE", "kid": "bench"}}
    registry = JWSRegistry(algorithms=["ES256"])
    theirs = PyJWK(private)
    signer = create_agent_card_signer(theirs, {"kid": "bench", "alg": "ES256", "jku": "", "typ": "JOSE"})
    verifier = create_signature_verifier(lambda _kid, _jku: theirs, ["ES256"])
    message = parse_agent_card(copy.deepcopy(document))

    def joserfc() -> None:
        deserialize_json(serialize_json(header, payload, bare, registry=registry), bare, registry=registry)

    def ours() -> None:
        verdict = verify(sign(held, key=key, kid="bench", alg="ES256"), keys=keys)
        if not verdict.covered:
            raise RuntimeError("what was just signed must verify")

    def sdk() -> None:
        unsigned = type(message)()
        unsigned.CopyFrom(message)
        verifier(signer(unsigned))

    return {"joserfc": joserfc, "ours": ours, "sdk": sdk}
