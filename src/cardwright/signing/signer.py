"""Sign a card: one more entry in `signatures`, over the canonical form of a profile."""

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
from cardwright_models import DIALECTS
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
    """Return the card with one more signature (A2A 1.0 §8.4.2); those it has are kept.

    Args:
        card: A valid card whose dialect has signatures: A2A 0.3, 1.0 or both in one.
        key: A private key: a `Key`, a JSON Web Key, or PEM.
        kid: The id by which verifiers find the public key.
        alg: ES256, ES384, EdDSA, RS256 or PS256; there is no default.
        jku: The https URL of the key set that holds the public key, if the signature shall name it.
        profile: The canonical form to sign: `spec`, unless those who verify know only another.

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
        InvalidCard: If the card has errors, or would have with signatures: project decision.
        UnsignableCard: If its dialect has no signatures, it has sixteen, or the profile is `sdk` and the
            SDKs would verify another card than this one.
        BadKey: If the key cannot sign, is no key for the algorithm, or has another id; or if `kid`,
            `alg` or `jku` cannot stand in a header that is read.
        NoCanonicalForm: If the profile defines no bytes for the card.
    """
    _check_card(card, profile)
    signer = key_of(key)
    _check_key(signer, kid, alg)
    from cardwright.signing.jws import signed

    signature = signed(canonical_form(card, profile=profile), signer, _header(alg, kid, jku))
    if len(signature["protected"]) > MAX_HEADER_CHARACTERS:
        raise BadKey(f"kid and jku make a header of more than {MAX_HEADER_CHARACTERS:,} characters")
    signatures = [*card.document.get("signatures", ()), signature]
    document = {**card.document, "signatures": signatures}
    # A hybrid's older half without a version reads as A2A 0.2 until it has signatures, and then as 0.3.
    if DIALECTS[str(card.dialect)].halves and older_half(document) != older_half(card.document):
        return card.of_parts(document, card.dialect).check()
    # Validated already: a signature of ours changes no other violation, and a property test holds that.
    return replace(card, document=document)


def unsigned(card: Card) -> Card:
    """Return the card without its signatures, validated again; the card itself where it has none."""
    if type(card.document) is not dict or "signatures" not in card.document:
        return card
    document = {name: value for name, value in card.document.items() if name != "signatures"}
    return card.of_parts(document, card.dialect)


def _header(alg: str, kid: str, jku: str | None) -> dict[str, str]:
    header = {"alg": alg, "typ": "JOSE", "kid": kid}
    if jku is None:
        return header
    if origin_of(jku) is None:
        raise BadKey("the jku is no https URL without user information or fragment")
    return {**header, "jku": jku}


def _check_card(card: Card, profile: str) -> None:
    if profile not in PROFILES:
        raise ValueError(f"there is no profile {profile!r}; known are {', '.join(PROFILES)}")
    card.check()
    name = str(card.dialect)
    if not has_signatures(name):
        raise UnsignableCard(f"a card of {name} has no signatures: convert it to a2a-1.0 first")
    if len(card.document.get("signatures", ())) >= MAX_SIGNATURES:
        raise UnsignableCard(f"the card has {MAX_SIGNATURES} signatures or more, and no more are looked at")
    if profile == "sdk" and SDK_DIALECT not in (name, *DIALECTS[name].halves):
        raise UnsignableCard(
            f"the SDKs turn a card of {name} into one of {SDK_DIALECT} before they verify it, so no"
            " signature of it holds there: convert it first, or sign spec"
        )


@cache
def has_signatures(dialect: str) -> bool:
    """Whether a dialect's cards have signatures: A2A 0.3, 1.0 and both in one."""
    row = DIALECTS[dialect]
    schemas = [DIALECTS[name].schema() for name in row.halves or (row.name,)]
    return all("signatures" in schema["properties"] for schema in schemas)


def key_of(key: Key | Mapping[str, object] | bytes | str) -> Key:
    """Return a key that is given as a `Key`, a JSON Web Key or PEM.

    Raises:
        BadKey: If it is none of these.
    """
    if isinstance(key, Key):
        return key
    if isinstance(key, str):
        key = key.encode()
    return Key.read(key) if isinstance(key, bytes) else Key.from_jwk(dict(key))


def _check_key(key: Key, kid: str, alg: str) -> None:
    check_named(kid, alg)
    if not key.private:
        raise BadKey("the key is public: only a private key signs")
    if key.revoked:
        raise BadKey("the key was revoked")
    if key.kid not in (None, kid):
        raise BadKey(
            f"the key's own kid is {quote(key.kid)}, not {quote(kid)}: verifiers would look for another key"
        )
    misfit = key.misfit(alg, "sign")
    if misfit:
        raise BadKey(misfit)
