"""Asymmetric keys for signing and verifying: JSON Web Keys and PEM.

A key is only used as it declares, and its type must fit the algorithm (RFC 8725 §3.1). Symmetric keys are rejected.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, Literal, Self, get_args

from cardwright.canonical import Limits, decode
from cardwright.errors import BadKey, MalformedDocument
from cardwright.extras import requires_extra
from cardwright.jcs import canonical_bytes
from cardwright.signing.base64url import decoded, encoded
from cardwright.signing.roca import has_roca
from cardwright_runtime.violation import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from joserfc.jwk import ECKey, OKPKey, RSAKey

Algorithm = Literal["ES256", "ES384", "EdDSA", "RS256", "PS256"]
ALGORITHMS: Final[tuple[Algorithm, ...]] = get_args(Algorithm)

# (kty, crv) that each algorithm needs: RFC 7518 §3.1, RFC 8037 §3.1.
NEEDED: Final[dict[str, tuple[str, str | None]]] = {
    "ES256": ("EC", "P-256"),
    "ES384": ("EC", "P-384"),
    "EdDSA": ("OKP", "Ed25519"),
    "RS256": ("RSA", None),
    "PS256": ("RSA", None),
}
# The fields of a thumbprint (RFC 7638 §3.2), and of the private part (RFC 7518 §6, RFC 8037 §2).
_PUBLIC: Final = {"EC": ("crv", "kty", "x", "y"), "OKP": ("crv", "kty", "x"), "RSA": ("e", "kty", "n")}
_PRIVATE: Final = {"EC": ("d",), "OKP": ("d",), "RSA": ("d", "p", "q", "dp", "dq", "qi")}
PRIVATE_MEMBERS: Final = frozenset(name for names in _PRIVATE.values() for name in names)
_LONGEST: Final = {"EC": "x", "OKP": "x", "RSA": "n"}
_SIZES: Final = {"P-256": 32, "P-384": 48, "Ed25519": 32}
# RFC 7518 §3.3 and §3.5; a larger key only makes verification slow (project decision).
RSA_BITS: Final = (2048, 8192)
_PEM_KEY: Final = re.compile(rb"-----BEGIN [A-Z0-9 ]*(?:PRIVATE|PUBLIC) KEY-----")
# Enough for any key id (project decision).
MAX_KID_CHARACTERS: Final = 1024
# Limits of a key file, as for a card.
KEY_LIMITS: Final = Limits(max_bytes=256 * 1024, max_depth=8, max_members=256)


@dataclass(frozen=True, slots=True, eq=False)
class Key:
    """An asymmetric key, whose `repr` does not contain the key material.

    Attributes:
        kty: `EC`, `OKP` or `RSA`.
        crv: The curve of an `EC` or `OKP` key.
        kid: The id of the key in signatures, or None.
        alg: The only algorithm that it may be used with, or None for any that fits.
        thumbprint: RFC 7638, SHA-256, base64url.
        private: Whether it can sign.
        not_before: When it becomes valid, in seconds since the epoch, or None.
        expires: When it expires, in seconds since the epoch, or None.
        revoked: Whether it must not be used any more.
        operations: Its `key_ops`: `sign`, `verify` or both; None if not declared.
    """

    kty: str
    crv: str | None
    kid: str | None
    alg: str | None
    thumbprint: str
    private: bool
    not_before: float | None = None
    expires: float | None = None
    revoked: bool = False
    operations: frozenset[str] | None = None
    jose: ECKey | OKPKey | RSAKey = field(repr=False, kw_only=True)
    public: Mapping[str, str] = field(repr=False, kw_only=True)

    @classmethod
    def from_jwk(cls, value: Any, *, kid: str | None = None) -> Self:
        """Read a JSON Web Key (RFC 7517).

        The fields of a trust store are read, too: `nbf` and `exp` (NumericDate), and `revoked` (true, or the object of
        OpenID Federation 1.0 §8.7.2).

        Args:
            value: The JSON value of the key.
            kid: The id for a key without one.

        Raises:
            BadKey: If it is invalid, or not for signing cards.
        """
        if type(value) is not dict:
            raise BadKey("expected a JSON Web Key, which is a JSON object")
        kty, crv = value.get("kty"), value.get("crv")
        if kty == "oct":
            raise BadKey(
                "the key is symmetric, so every verifier could sign with it; use an EC, OKP or RSA key"
            )
        if kty is None:
            raise BadKey("expected a JSON Web Key, but kty is missing")
        if type(kty) is not str or kty not in _PUBLIC:
            raise BadKey(f"the key's kty is {quote(kty)}; use an EC, OKP or RSA key")
        if kty != "RSA" and (type(crv) is not str or crv not in _SIZES):
            raise BadKey(f"the key's curve is {quote(crv)}; use P-256, P-384 or Ed25519")
        _check_use(value)
        alg = value.get("alg")
        if alg is not None and NEEDED.get(str(alg)) != (kty, crv if kty != "RSA" else None):
            raise BadKey(
                f"the key is for {quote(alg)}, which is not supported for signing cards with a key of this type"
            )
        _check_numbers(kty, str(crv), value)
        public: dict[str, str] = {name: value[name] for name in _PUBLIC[kty]}
        private = value.get("d") is not None
        secret = {name: value[name] for name in _PRIVATE[kty] if name in value} if private else {}
        # A private value is never longer than the modulus or coordinate; parsing a long one would be slow.
        if any(
            type(part) is not str or len(part) > len(public[_LONGEST[kty]]) + 3 for part in secret.values()
        ):
            raise BadKey(f"the key is not a valid {kty} key")
        name = value.get("kid")
        if name is not None and type(name) is not str:
            raise BadKey("the key's kid must be a string")
        return cls(
            kty=kty,
            crv=crv if kty != "RSA" else None,
            kid=name if name is not None else kid,
            alg=alg,
            thumbprint=_thumbprint(public),
            private=private,
            not_before=_time(value, "nbf"),
            expires=_time(value, "exp"),
            revoked=is_revoked(value),
            operations=None if value.get("key_ops") is None else frozenset(value["key_ops"]),
            jose=_jose(kty, {**public, **secret}),
            public=public,
        )

    @classmethod
    def from_pem(cls, body: bytes, *, kid: str | None = None) -> Self:
        """Read a public or private key in PEM: PKCS #8, SubjectPublicKeyInfo, SEC 1 or PKCS #1.

        Raises:
            BadKey: If it is not such a key, is encrypted, or cannot sign cards.
        """
        with requires_extra("sign"):
            from cryptography.exceptions import UnsupportedAlgorithm
            from cryptography.hazmat.primitives import serialization
            from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
            from joserfc.jwk import ECKey, OKPKey, RSAKey

        if len(_PEM_KEY.findall(body)) > 1:
            raise BadKey("the file contains several keys: give a file with one key")
        if b"-----BEGIN CERTIFICATE" in body:
            raise BadKey("expected a key, found a certificate; extract its key: openssl x509 -pubkey -noout")
        try:
            raw = (
                serialization.load_pem_private_key(body, None)
                if b"PRIVATE KEY-----" in body
                else serialization.load_pem_public_key(body)
            )
        except TypeError:
            raise BadKey(
                "the key is encrypted; to sign, decrypt it: (umask 077; openssl pkey -in FILE -out NEW); to get its"
                " public key: openssl pkey -in FILE -pubout -out PUBLIC"
            ) from None
        except (ValueError, UnsupportedAlgorithm):
            raise BadKey("expected the PEM of one EC, Ed25519 or RSA key") from None
        match raw:
            case ec.EllipticCurvePrivateKey() | ec.EllipticCurvePublicKey():
                if raw.curve.name not in ("secp256r1", "secp384r1"):
                    raise BadKey(f"the key's curve is {raw.curve.name}; use P-256 or P-384")
                key: ECKey | OKPKey | RSAKey = ECKey.import_key(raw)
            case ed25519.Ed25519PrivateKey() | ed25519.Ed25519PublicKey():
                key = OKPKey.import_key(raw)
            case rsa.RSAPrivateKey() | rsa.RSAPublicKey():
                _check_bits(raw.key_size)
                key = RSAKey.import_key(raw)
            case _:
                raise BadKey("keys of this type are not supported; use an EC, Ed25519 or RSA key")
        return cls.from_jwk(dict(key.as_dict(private=key.is_private)), kid=kid)

    @classmethod
    def read(cls, body: bytes) -> Self:
        """Read one key from the bytes of a file: a JSON Web Key, a set with one key, or PEM.

        Raises:
            BadKey: If it has another form.
        """
        keys = cls.read_all(body)
        if len(keys) != 1:
            raise BadKey(f"expected one key, found {len(keys)}; give a file with the key to use")
        return keys[0]

    @classmethod
    def read_all(cls, body: bytes) -> list[Self]:
        """Read the keys of a file: a JSON Web Key Set, one key, or PEM.

        Raises:
            BadKey: If it has another form, or a key cannot sign cards.
        """
        if b"-----BEGIN " in body[:4096]:
            return [cls.from_pem(body)]
        try:
            value = decode(body, KEY_LIMITS)
        except MalformedDocument as error:
            raise BadKey(f"expected a JSON Web Key or PEM: {error.reason}") from None
        keys = value["keys"] if type(value) is dict and "keys" in value else [value]
        if type(keys) is not list:
            raise BadKey("expected a key set, which is a JSON object with an array `keys`")
        return [cls.from_jwk(key) for key in keys]

    def to_jwk(self) -> dict[str, Any]:
        """Return the public JSON Web Key, with its id, use and validity."""
        fields: dict[str, Any] = {"kid": self.kid, "alg": self.alg, "use": "sig"}
        fields |= {"nbf": self.not_before, "exp": self.expires, "revoked": self.revoked or None}
        return {**self.public, **{name: value for name, value in fields.items() if value is not None}}

    def misfit(self, alg: str, operation: str) -> str:
        """Return why the key cannot `sign` or `verify` with an algorithm, or ""."""
        if (self.kty, self.crv) != NEEDED[alg]:
            kty, crv = NEEDED[alg]
            kind = " ".join(filter(None, (self.kty, self.crv)))
            return f"{alg} needs a key of type {' '.join(filter(None, (kty, crv)))}; this key is {kind}"
        if self.alg is not None and self.alg != alg:
            return f"the key is for {self.alg} only, not for {alg}"
        if self.operations is not None and operation not in self.operations:
            return f"the key's key_ops do not contain {operation}"
        return ""


def is_revoked(value: dict[str, Any]) -> bool:
    """Return whether a JSON Web Key is marked as revoked."""
    return value.get("revoked") not in (None, False)


def thumbprint_of(value: Any) -> str | None:
    """Return the RFC 7638 thumbprint of a JSON Web Key, or None if it is not one of a supported type."""
    names = _PUBLIC.get(str(value.get("kty"))) if type(value) is dict else None
    if names is None or not all(type(value.get(name)) is str for name in names):
        return None
    return _thumbprint({name: value[name] for name in names})


def _thumbprint(public: dict[str, str]) -> str:
    return encoded(sha256(canonical_bytes(public)).digest())


def new_key(alg: Algorithm, kid: str) -> dict[str, str]:
    """Generate a private key for one algorithm, as a JSON Web Key with kid, alg and use.

    An RSA key has 3,072 bits (NIST SP 800-57: to 2030 and beyond).

    Raises:
        BadKey: If the algorithm is not supported, or `kid` is invalid in a header.
    """
    check_named(kid, alg)
    with requires_extra("sign"):
        from joserfc.jwk import ECKey, OKPKey, RSAKey

    kty, crv = NEEDED[alg]
    if kty == "EC":
        key: ECKey | OKPKey | RSAKey = ECKey.generate_key(crv)
    elif kty == "OKP":
        key = OKPKey.generate_key("Ed25519")
    else:
        key = RSAKey.generate_key(3072)
    numbers = {
        name: str(value) for name, value in key.as_dict(private=True).items() if name not in ("kid", "use")
    }
    return {"kty": kty, "kid": kid, "alg": alg, "use": "sig", **numbers}


def check_named(kid: str, alg: str) -> None:
    """Check an algorithm and a key id for a signature's header.

    Raises:
        BadKey: If the algorithm is not supported, or the kid is empty, too long or not printable.
    """
    if alg not in ALGORITHMS:
        raise BadKey(f"unsupported algorithm {quote(alg)}; supported: {', '.join(ALGORITHMS)}")
    if type(kid) is not str or not kid or len(kid) > MAX_KID_CHARACTERS or not kid.isprintable():
        raise BadKey(f"a kid must have 1 to {MAX_KID_CHARACTERS:,} printable characters")


def _check_use(value: dict[str, Any]) -> None:
    use, operations = value.get("use"), value.get("key_ops")
    if use not in (None, "sig"):
        raise BadKey(f"the key is for the use {quote(use)}, not for signatures")
    if operations is None:
        return
    if type(operations) is not list or not all(type(operation) is str for operation in operations):
        raise BadKey("the key's key_ops must be an array of strings")
    if not {"sign", "verify"} & set(operations):
        raise BadKey("the key's key_ops contain neither sign nor verify")


def _check_numbers(kty: str, crv: str, value: dict[str, Any]) -> None:
    for name in _PUBLIC[kty]:
        if name in ("kty", "crv"):
            continue
        number = decoded(value.get(name))
        if number is None:
            raise BadKey(f"the key's {name} is not base64url without padding")
        if kty != "RSA" and len(number) != _SIZES[crv]:
            raise BadKey(f"the key's {name} has {len(number)} bytes; {crv} requires {_SIZES[crv]}")
        # RFC 7518 §2: the shortest form; otherwise one key would have several thumbprints.
        if kty == "RSA" and number[:1] in (b"", b"\0"):
            raise BadKey(f"the key's {name} is not a number in its shortest form")
        if name == "n":
            modulus = int.from_bytes(number)
            _check_bits(modulus.bit_length())
            if modulus % 2 == 0:
                raise BadKey("the key's modulus is even, so it is not an RSA key")
            if has_roca(modulus):
                raise BadKey(
                    "the key was generated by a library whose keys can be factored (CVE-2017-15361): use another key"
                )
        if name == "e" and (int.from_bytes(number) < 3 or number[-1] % 2 == 0 or len(number) > 8):
            raise BadKey("the key's exponent must be an odd number, at least 3 and below 2^64")


def _check_bits(bits: int) -> None:
    minimum, maximum = RSA_BITS
    if not minimum <= bits <= maximum:
        raise BadKey(f"the RSA key has {bits:,} bits; use {minimum:,} to {maximum:,}")


def _jose(kty: str, fields: dict[str, Any]) -> ECKey | OKPKey | RSAKey:
    with requires_extra("sign"):
        from joserfc.errors import JoseError
        from joserfc.jwk import ECKey, OKPKey, RSAKey

    types: dict[str, type[ECKey | OKPKey | RSAKey]] = {"EC": ECKey, "OKP": OKPKey, "RSA": RSAKey}
    try:
        key = types[kty].import_key(fields)
        # joserfc returns the public fields as given, so compute them from the private ones.
        private: Any = key.private_key
        pair = types[kty].import_key(private.public_key()) if private else key
        computed = {name: pair.as_dict(private=False)[name] for name in _PUBLIC[kty]}
    # joserfc does not catch the exceptions of cryptography and base64, whose messages may contain secrets.
    except (JoseError, ValueError, TypeError, KeyError):
        raise BadKey(f"the key is not a valid {kty} key") from None
    if any(fields[name] != value for name, value in computed.items()):
        raise BadKey("the key's public fields do not match its private ones")
    return key


def _time(value: dict[str, Any], name: str) -> float | None:
    time = value.get(name)
    if time is None:
        return None
    # A double cannot hold every integer from 2^53 on.
    if type(time) not in (int, float) or not abs(time) < 2**53:
        raise BadKey(f"the key's {name} must be a number of seconds since 1970")
    return float(time)
