"""Signing of cards."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from cardwright.dialect import older_half
from cardwright.errors import BadKey, UnsignableCard
from cardwright.signing.forms import PROFILES, canonical_form
from cardwright.signing.header import MAX_HEADER_CHARACTERS, MAX_SIGNATURES
from cardwright.signing.keys import Key, check_named
from cardwright.signing.origins import origin_of
from cardwright.signing.reduction import SDK_DIALECT
from cardwright_rules import DIALECTS
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.card import Card
    from cardwright.signing.forms import Profile
    from cardwright.signing.keys import Algorithm


def sign(
    card: Card,
    *,
    key: Key | Mapping[str, object] | bytes | str,
    kid: str,
    alg: Algorithm,
    jku: str | None = None,
    profile: Profile = "spec",
) -> Card:
    """Return the card with an additional signature (A2A 1.0 §8.4.2).

    Args:
        card: A valid card of a dialect with signatures: A2A 0.3, 1.0 or hybrid.
        key: A private key: a `Key`, a JSON Web Key, or PEM.
        kid: The id by which verifiers find the public key.
        alg: ES256, ES384, EdDSA, RS256 or PS256.
        jku: The https URL of the key set with the public key, to be named in the signature.
        profile: The canonical form to sign; use another than `spec` only if the verifiers require it.

    >>> from cardwright import Card, verify
    >>> from cardwright.signing import KeySet, new_key
    >>> card = Card.from_document({
    ...     "name": "Seed Bank", "description": "Knows which seeds are in store.", "version": "3.1.0",
    ...     "supportedInterfaces": [
    ...         {"url": "https://seeds.example.com", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    ...     ],
    ...     "capabilities": {}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
    ...     "skills": [{"id": "stock", "name": "Stock", "description": "Counts seeds.", "tags": ["seeds"]}],
    ... })
    >>> private = new_key("ES256", kid="2026-11")
    >>> signed = sign(card, key=private, kid="2026-11", alg="ES256")
    >>> verify(signed, keys=KeySet.of([private])).signatures[0].profile
    'spec'

    Raises:
        InvalidCard: If the card has errors, with or without the signature (project decision).
        UnsignableCard: If its dialect has no signatures, it has sixteen already, or the profile is `sdk` and the SDKs
            would verify a converted card.
        BadKey: If the key cannot sign, does not fit the algorithm, or has another id; or if `kid`, `alg` or `jku` is
            invalid in a header.
        NoCanonicalForm: If the profile defines no canonical form for the card.
    """
    _check_card(card, profile)
    signer = key_of(key)
    _check_key(signer, kid, alg)
    from cardwright.signing.jws import signed

    signature = signed(canonical_form(card, profile=profile), signer, _header(alg, kid, jku))
    if len(signature["protected"]) > MAX_HEADER_CHARACTERS:
        raise BadKey(f"kid and jku are too long: the header exceeds {MAX_HEADER_CHARACTERS:,} characters")
    signatures = [*card.document.get("signatures", ()), signature]
    document = {**card.document, "signatures": signatures}
    # The older half of a hybrid without a version is read as A2A 0.2, and with signatures as 0.3.
    if DIALECTS[str(card.dialect)].halves and older_half(document) != older_half(card.document):
        return card.of_parts(document, card.dialect).check()
    # Not validated again: a signature does not change other violations, which a property test checks.
    return replace(card, document=document)


def unsigned(card: Card) -> Card:
    """Return the card without its signatures, validated again; the card itself if it has none."""
    if type(card.document) is not dict or "signatures" not in card.document:
        return card
    document = {name: value for name, value in card.document.items() if name != "signatures"}
    return card.of_parts(document, card.dialect)


def _header(alg: str, kid: str, jku: str | None) -> dict[str, str]:
    header = {"alg": alg, "typ": "JOSE", "kid": kid}
    if jku is None:
        return header
    if origin_of(jku) is None:
        raise BadKey("jku must be an https URL without user information and fragment")
    return {**header, "jku": jku}


def _check_card(card: Card, profile: str) -> None:
    if profile not in PROFILES:
        raise ValueError(f"unknown profile {profile!r}; known profiles: {', '.join(PROFILES)}")
    card.check()
    name = str(card.dialect)
    if not has_signatures(name):
        raise UnsignableCard(f"{name} does not support signatures: convert the card to a2a-1.0 first")
    if len(card.document.get("signatures", ())) >= MAX_SIGNATURES:
        raise UnsignableCard(
            f"the card already has {MAX_SIGNATURES} signatures, the maximum that is verified"
        )
    if profile == "sdk" and SDK_DIALECT not in (name, *DIALECTS[name].halves):
        raise UnsignableCard(
            f"the SDKs convert a card of {name} to {SDK_DIALECT} before they verify it, so its signature would be"
            " invalid there: convert the card first, or use the profile spec"
        )


@cache
def has_signatures(dialect: str) -> bool:
    """Return whether a dialect has signatures: A2A 0.3, 1.0 and hybrid."""
    row = DIALECTS[dialect]
    schemas = [DIALECTS[name].schema() for name in row.halves or (row.name,)]
    return all("signatures" in schema["properties"] for schema in schemas)


def key_of(key: Key | Mapping[str, object] | bytes | str) -> Key:
    """Return the key in a `Key`, a JSON Web Key or PEM.

    Raises:
        BadKey: If it has another form.
    """
    if isinstance(key, Key):
        return key
    if isinstance(key, str):
        key = key.encode()
    return Key.read(key) if isinstance(key, bytes) else Key.from_jwk(dict(key))


def _check_key(key: Key, kid: str, alg: str) -> None:
    check_named(kid, alg)
    if not key.private:
        raise BadKey("the key is public; signing needs a private key")
    if key.revoked:
        raise BadKey("the key was revoked")
    if key.kid not in (None, kid):
        raise BadKey(
            f"the key has the kid {quote(key.kid)}, so verifiers would not find it by {quote(kid)}; use the key's kid"
        )
    misfit = key.misfit(alg, "sign")
    if misfit:
        raise BadKey(misfit)
