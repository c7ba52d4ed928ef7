"""Keys and key sets: parsing, refused keys, and no secret in output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed25519, rsa, x25519
from cryptography.hazmat.primitives.serialization import Encoding, PrivateFormat, PublicFormat

from cardwright.errors import BadKey
from cardwright.signing import ALGORITHMS, Algorithm, Key, KeySet, new_key
from cardwright.signing.base64url import decoded, encoded
from cardwright.signing.header import Unacceptable
from cardwright.signing.origins import origin_of
from cardwright.signing.roca import has_roca

_FILE = Path(__file__).parents[1] / "conformance" / "signing" / "keys.json"
JWKS: dict[str, dict[str, Any]] = {
    key["kid"]: key for key in json.loads(_FILE.read_text(encoding="utf-8"))["keys"]
}
NOW = 1_800_000_000.0
PLAIN = serialization.NoEncryption()
# RFC 7638 §3.1: its example key and thumbprint.
RFC_7638 = {
    "kty": "RSA",
    "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCi"
    "FV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0"
    "zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csF"
    "Cur-kEgU8awapJzKnqDKgw",
    "e": "AQAB",
    "alg": "RS256",
    "kid": "2011-04-29",
}
THUMBPRINT = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"


def public(name_: str, **more: Any) -> dict[str, Any]:
    return {
        name: value
        for name, value in JWKS[name_].items()
        if name in ("kid", "kty", "crv", "x", "y", "n", "e")
    } | more


@pytest.mark.parametrize("kid", sorted(JWKS.keys() - {"rsa-small"}))
def test_the_repr_of_a_key_has_no_private_part(kid: str) -> None:
    key = Key.from_jwk(JWKS[kid])

    assert key.private
    for name in ("d", "p", "q", "dp", "dq", "qi"):
        assert str(JWKS[kid].get(name, "absent!")) not in f"{key!r} {key} {key.to_jwk()} {KeySet.of([key])!r}"


@pytest.mark.parametrize("alg", ALGORITHMS)
def test_a_new_key_has_its_algorithm_and_a_private_part(alg: Algorithm) -> None:
    key = Key.from_jwk(new_key(alg, "k1"))

    assert key.private
    assert (key.kid, key.alg, key.misfit(alg, "sign")) == ("k1", alg, "")
    assert not Key.from_jwk(key.to_jwk()).private
    assert all(key.misfit(other, "sign") for other in ALGORITHMS if other != alg)


@pytest.mark.parametrize(
    ("kid", "changes", "message"),
    [
        ("es256", {"kty": "oct", "k": "AAAA"}, "symmetric"), ("es256", {"kty": []}, "kty is an empty array"),
        ("es256", {"crv": "P-521"}, 'curve is "P-521"'), ("es256", {"crv": []}, "curve is an empty array"),
        ("es256", {"crv": {}}, "curve is an empty object"), ("eddsa", {"crv": "Ed448"}, 'curve is "Ed448"'),
        ("eddsa", {"crv": "X25519"}, 'curve is "X25519"'), ("es256", {"use": "enc"}, "for the use"),
        ("es256", {"key_ops": ["deriveKey"]}, "key_ops"), ("es256", {"key_ops": "verify"}, "key_ops"),
        ("es256", {"alg": "ES384"}, 'for "ES384"'), ("es256", {"alg": "none"}, 'for "none"'),
        ("rsa", {"alg": "RS512"}, 'for "RS512"'), ("es256", {"x": "AA"}, "x has 1 bytes"),
        ("es256", {"x": None}, "x is not base64url"), ("es256", {"kid": 1}, "kid must be a string"),
        ("es256", {"exp": "soon"}, "exp must be a number"), ("es256", {"nbf": True}, "nbf must be a number"),
        ("es256", {"exp": 10**400}, "exp must be a number"), ("rsa", {"e": "AQ"}, "exponent"),
        ("rsa", {"e": "Ag"}, "exponent"), ("rsa-small", {}, "1,024 bits"),
        ("es256", {"d": JWKS["es256-next"]["d"]}, "valid EC key|not those of its private"),
        ("eddsa", {"x": "A" * 43}, "valid OKP key|do not match its private"),
    ],
)  # fmt: skip
def test_a_key_that_cannot_sign_cards_is_refused(kid: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadKey, match=message) as caught:
        Key.from_jwk({**JWKS[kid], **changes})

    assert str(JWKS[kid]["d"]) not in str(caught.value)


def test_a_modulus_that_can_be_factored_is_refused() -> None:
    # Powers of 65537 modulo every prime of the fingerprint; a random modulus is not one.
    assert has_roca(65537**130)
    assert not has_roca(int(Key.from_jwk(JWKS["rsa"]).thumbprint.encode().hex(), 16))


PRIVATE: dict[str, Any] = {
    "P-256": ec.generate_private_key(ec.SECP256R1()),
    "P-384": ec.generate_private_key(ec.SECP384R1()),
    "Ed25519": ed25519.Ed25519PrivateKey.generate(),
    "RSA": rsa.generate_private_key(65537, 2048),
}
FORMATS = [("P-256", "TraditionalOpenSSL"), ("P-384", "TraditionalOpenSSL"), ("RSA", "TraditionalOpenSSL")]


@pytest.mark.parametrize(("kind", "form"), [*((kind, "PKCS8") for kind in PRIVATE), *FORMATS])
def test_a_private_key_in_pem_is_read(kind: str, form: str) -> None:
    private = PRIVATE[kind].private_bytes(Encoding.PEM, getattr(PrivateFormat, form), PLAIN)
    public_pem = PRIVATE[kind].public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    key = Key.read(private)

    assert key.private
    assert not Key.read(public_pem).private
    assert key.thumbprint == Key.from_pem(public_pem).thumbprint


def test_a_public_rsa_key_in_pkcs1_is_read() -> None:
    pem = PRIVATE["RSA"].public_key().public_bytes(Encoding.PEM, PublicFormat.PKCS1)
    assert Key.read(pem).kty == "RSA"


@pytest.mark.parametrize(
    ("private", "message"),
    [
        (ec.generate_private_key(ec.SECP521R1()), "curve is secp521r1"),
        (ec.generate_private_key(ec.SECP256K1()), "curve is secp256k1"),
        (x25519.X25519PrivateKey.generate(), "not supported"),
        (dsa.generate_private_key(2048), "not supported"),
        (rsa.generate_private_key(65537, 1024), "1,024 bits"),  # noqa: S505 - refused for that
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_pem_of_another_kind_is_refused(private: Any, message: str) -> None:
    with pytest.raises(BadKey, match=message):
        Key.from_pem(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, PLAIN))


def test_an_encrypted_pem_a_certificate_and_other_bytes_are_refused_with_a_fix() -> None:
    locked = PRIVATE["P-256"].private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"secret")
    )
    for body, message in (
        (locked, "to sign, decrypt it"),
        (b"-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n", "certificate"),
        (b"-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n", "expected the PEM"),
        (b"ssh-ed25519 AAAA", "expected a JSON Web Key or PEM"),
        (b'{"keys": []}', "expected one key"),
        (b"[]", "JSON object"),
    ):
        with pytest.raises(BadKey, match=message):
            Key.read(body)


def test_a_key_without_an_id_is_found_by_the_thumbprint_of_the_rfc() -> None:
    nameless = {name: value for name, value in RFC_7638.items() if name != "kid"}

    assert Key.from_jwk(RFC_7638).thumbprint == THUMBPRINT
    assert KeySet.from_jwks({"keys": [nameless]}).find(THUMBPRINT, "RS256", NOW).thumbprint == THUMBPRINT


def test_a_repeated_key_is_one_and_two_keys_of_one_id_are_refused() -> None:
    assert KeySet.of([public("es256"), public("es256")]).find("es256", "ES256", NOW)
    with pytest.raises(Unacceptable, match="several trusted keys"):
        KeySet.of([public("es256"), public("es256-next", kid="es256")]).find("es256", "ES256", NOW)


@pytest.mark.parametrize(
    ("stricter", "message"),
    [({"revoked": True}, "revoked"), ({"exp": NOW - 1}, "expired"), ({"nbf": NOW + 1}, "not valid yet")],
    ids=str,
)
def test_of_a_repeated_key_the_stricter_settings_apply(stricter: dict[str, Any], message: str) -> None:
    lax, strict = public("es256", exp=NOW + 9, nbf=NOW - 9), public("es256", **stricter)
    for keys in ([lax, strict], [strict, lax]):
        with pytest.raises(Unacceptable, match=message):
            KeySet.of(keys).find("es256", "ES256", NOW)


def test_a_key_is_valid_from_its_nbf_to_just_before_its_exp() -> None:
    keys = KeySet.of([public("es256", nbf=NOW, exp=NOW + 10)])

    assert keys.find("es256", "ES256", NOW)
    assert keys.find("es256", "ES256", NOW + 9.9)
    for time in (NOW - 0.1, NOW + 10):
        with pytest.raises(Unacceptable):
            keys.find("es256", "ES256", time)


@pytest.mark.parametrize(
    "value", [{}, [], None, "x", {"keys": {}}, {"keys": [], "jku": "x"}, {"keys": [], "jku": ["http://x"]}]
)
def test_an_invalid_key_set_is_refused(value: Any) -> None:
    with pytest.raises(BadKey):
        KeySet.from_jwks(value)


def test_a_set_of_too_many_keys_is_refused() -> None:
    assert len(KeySet.of([public("eddsa")] * 1024)) == 1024
    with pytest.raises(BadKey, match="1,024"):
        KeySet.of([public("eddsa")] * 1025)


def test_a_trust_store_and_a_key_set_can_be_merged() -> None:
    store = KeySet.from_jwks({"keys": [public("es256", revoked=True)], "jku": ["https://keys.example.com/"]})

    merged = KeySet.from_jwks({"keys": [public("es256"), public("eddsa")]}).merged([store])

    assert merged.jku_origins == {"https://keys.example.com"}
    assert merged.find("eddsa", "EdDSA", NOW)
    with pytest.raises(Unacceptable, match="revoked"):
        merged.find("es256", "ES256", NOW)


@pytest.mark.parametrize(
    "entry", ["https://keys.example.com/x", "https://keys.example.com?x", "keys", 1, None]
)
def test_a_trusted_origin_has_no_path_or_query(entry: Any) -> None:
    with pytest.raises(BadKey, match="https origin"):
        KeySet.from_jwks({"keys": [], "jku": [entry]})


def test_a_key_is_revoked_by_its_thumbprint_and_not_its_id() -> None:
    key = public("es256")
    nameless = {name: value for name, value in key.items() if name != "kid"}
    for revoked in ({**nameless, "revoked": True}, {**key, "kid": "other", "revoked": {"revoked_at": 1}}):
        store = KeySet.from_jwks({"keys": [revoked]})
        for trusted in (KeySet.of([key, revoked]), KeySet.of([key]).merged([store])):
            with pytest.raises(Unacceptable, match="revoked"):
                trusted.find("es256", "ES256", NOW)


def test_the_private_part_of_a_trusted_key_is_not_read() -> None:
    rsa = {**public("rsa"), "d": "A" * 100_000, "p": 1}
    assert not KeySet.of([rsa]).find("rsa", "RS256", NOW).private
    with pytest.raises(BadKey, match="not a valid RSA key"):
        Key.from_jwk(rsa)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"key_ops": ["sign"]}, "do not contain verify"),
        ({"key_ops": [1]}, "must be an array of strings"),
        ({"key_ops": "x"}, "must be an array"),
    ],
)
def test_a_key_is_used_only_for_its_purpose(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(Unacceptable, match=reason):
        KeySet.of([{**public("es256"), **changes}]).find("es256", "ES256", NOW)


def test_a_key_with_another_encoding_is_refused() -> None:
    key = public("rsa")
    for name in ("n", "e"):
        longer = encoded(b"\0" + (decoded(key[name]) or b""))
        with pytest.raises(BadKey, match="shortest form"):
            Key.from_jwk({**key, name: longer})
    with pytest.raises(BadKey, match="even"):
        Key.from_jwk({**key, "n": encoded((decoded(key["n"]) or b"")[:-1] + b"\2")})


def test_a_pem_of_two_keys_is_refused() -> None:
    pem = ed25519.Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, PLAIN)
    with pytest.raises(BadKey, match="several keys"):
        Key.from_pem(pem + pem)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://[::1]evil.com/", None),
        ("https://[v1.a]/", None),
        ("https://a..b:0/", None),
        ("https://a:65536/", None),
        ("https://Keys.example.com/x?y", "https://keys.example.com"),
        ("https://keys.example.com:443", "https://keys.example.com"),
        ("https://keys.example.com:8443/", "https://keys.example.com:8443"),
        ("https://[::1]:9/x", "https://[::1]:9"),
        *((url, None) for url in (
            "http://a", "https://", "https:a", "https:///x", "https://u@a", "https://@a", "https://a#", "https://a:x",
            "https://a:99999", "https://a\\b", "https://a b", "https://a\n", "https://é", "https://[::1", "", None, 1,
        )),
    ],
)  # fmt: skip
def test_the_origin_of_a_url_requires_an_unambiguous_host(url: Any, origin: str | None) -> None:
    assert origin_of(url) == origin
