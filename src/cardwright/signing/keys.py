"""Keys that sign cards and verify them: JSON Web Keys, PEM, and sets of them.

A key is used for what it says it is for, and its type must fit the algorithm (RFC 8725 §3.1):
the token never chooses. Symmetric keys are no keys here.
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
# RFC 7638 §3.2: what a thumbprint is made of; what else a private key has (RFC 7518 §6, RFC 8037 §2).
_PUBLIC: Final = {"EC": ("crv", "kty", "x", "y"), "OKP": ("crv", "kty", "x"), "RSA": ("e", "kty", "n")}
_PRIVATE: Final = {"EC": ("d",), "OKP": ("d",), "RSA": ("d", "p", "q", "dp", "dq", "qi")}
PRIVATE_MEMBERS: Final = frozenset(name for names in _PRIVATE.values() for name in names)
_LONGEST: Final = {"EC": "x", "OKP": "x", "RSA": "n"}
_SIZES: Final = {"P-256": 32, "P-384": 48, "Ed25519": 32}
# RFC 7518 §3.3 and §3.5; past the greatest a key only costs its verifier time (ours).
RSA_BITS: Final = (2048, 8192)
_PEM_KEY: Final = re.compile(rb"-----BEGIN [A-Z0-9 ]*(?:PRIVATE|PUBLIC) KEY-----")
# More characters than this no one compares (ours).
MAX_KID_CHARACTERS: Final = 1024
# Files of keys are small; what is read of one is bounded like what is read of a card.
KEY_LIMITS: Final = Limits(max_bytes=256 * 1024, max_depth=8, max_members=256)


@dataclass(frozen=True, slots=True, eq=False)
class Key:
    """One asymmetric key; it prints without what is secret of it.

    Attributes:
        kty: `EC`, `OKP` or `RSA`.
        crv: The curve of an `EC` or `OKP` key.
        kid: The id that signatures name it by, or None.
        alg: The only algorithm that it may be used with, or None where it does not say.
        thumbprint: RFC 7638, SHA-256, base64url.
        private: Whether it can sign.
        not_before: Seconds since the epoch before which it is not used, or None.
        expires: Seconds since the epoch from which on it is no longer used, or None.
        revoked: Whether it must not be used any more.
        operations: Its `key_ops`: `sign`, `verify` or both; None where it does not say.
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

        Besides the members of the RFC these are read, as a trust store writes them: `nbf` and `exp`
        (NumericDate), `revoked` (true, or the object of OpenID Federation 1.0 §8.7.2).

        Args:
            value: The JSON value of the key.
            kid: The id of a key that has none.

        Raises:
            BadKey: If it is no key that signs cards, or is not for signing.
        """
        if type(value) is not dict:
            raise BadKey("a JSON Web Key is a JSON object")
        kty, crv = value.get("kty"), value.get("crv")
        if kty == "oct":
            raise BadKey(
                "the key is symmetric: whoever can verify with it can sign; give an EC, OKP or RSA key"
            )
        if kty is None:
            raise BadKey("this has no kty, so it is no JSON Web Key")
        if type(kty) is not str or kty not in _PUBLIC:
            raise BadKey(f"the key's kty is {quote(kty)}; cards are signed with EC, OKP or RSA keys")
        if kty != "RSA" and (type(crv) is not str or crv not in _SIZES):
            raise BadKey(f"the key's curve is {quote(crv)}; cards are signed with P-256, P-384 or Ed25519")
        _check_use(value)
        alg = value.get("alg")
        if alg is not None and NEEDED.get(str(alg)) != (kty, crv if kty != "RSA" else None):
            raise BadKey(f"the key is for {quote(alg)}, which a key of its type does not sign cards with")
        _check_numbers(kty, str(crv), value)
        public: dict[str, str] = {name: value[name] for name in _PUBLIC[kty]}
        private = value.get("d") is not None
        secret = {name: value[name] for name in _PRIVATE[kty] if name in value} if private else {}
        # No part of a private key is longer than its modulus or coordinate, and reading one takes its time.
        if any(
            type(part) is not str or len(part) > len(public[_LONGEST[kty]]) + 3 for part in secret.values()
        ):
            raise BadKey(f"the key is no valid {kty} key")
        name = value.get("kid")
        if name is not None and type(name) is not str:
            raise BadKey("the key's kid is no text")
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
            BadKey: If it is no such key, is encrypted, or is of a kind that does not sign cards.
        """
        with requires_extra("sign"):
            from cryptography.exceptions import UnsupportedAlgorithm
            from cryptography.hazmat.primitives import serialization
            from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
            from joserfc.jwk import ECKey, OKPKey, RSAKey

        if len(_PEM_KEY.findall(body)) > 1:
            raise BadKey("the file has several keys: give one of them in a file of its own")
        if b"-----BEGIN CERTIFICATE" in body:
            raise BadKey("this is a certificate; take its key out first: openssl x509 -pubkey -noout")
        try:
            raw = (
                serialization.load_pem_private_key(body, None)
                if b"PRIVATE KEY-----" in body
                else serialization.load_pem_public_key(body)
            )
        except TypeError:
            raise BadKey(
                "the key is encrypted; to sign, take the passphrase off: (umask 077; openssl pkey -in FILE"
                " -out NEW); its public half alone: openssl pkey -in FILE -pubout -out PUBLIC"
            ) from None
        except (ValueError, UnsupportedAlgorithm):
            raise BadKey("this is no PEM of one EC, Ed25519 or RSA key") from None
        match raw:
            case ec.EllipticCurvePrivateKey() | ec.EllipticCurvePublicKey():
                if raw.curve.name not in ("secp256r1", "secp384r1"):
                    raise BadKey(f"the key's curve is {raw.curve.name}; cards are signed with P-256 or P-384")
                key: ECKey | OKPKey | RSAKey = ECKey.import_key(raw)
            case ed25519.Ed25519PrivateKey() | ed25519.Ed25519PublicKey():
                key = OKPKey.import_key(raw)
            case rsa.RSAPrivateKey() | rsa.RSAPublicKey():
                _check_bits(raw.key_size)
                key = RSAKey.import_key(raw)
            case _:
                raise BadKey("the key is of a kind that signs no cards; give an EC, Ed25519 or RSA key")
        return cls.from_jwk(dict(key.as_dict(private=key.is_private)), kid=kid)

    @classmethod
    def read(cls, body: bytes) -> Self:
        """Read one key from the bytes of a file: a JSON Web Key, a set of one, or PEM.

        Raises:
            BadKey: If it is none of these.
        """
        keys = cls.read_all(body)
        if len(keys) != 1:
            raise BadKey("this is a set of keys; give a file with the one to use")
        return keys[0]

    @classmethod
    def read_all(cls, body: bytes) -> list[Self]:
        """Read the keys of a file: a JSON Web Key Set, one key, or PEM.

        Raises:
            BadKey: If it is none of these, or one of its keys signs no cards.
        """
        if b"-----BEGIN " in body[:4096]:
            return [cls.from_pem(body)]
        try:
            value = decode(body, KEY_LIMITS)
        except MalformedDocument as error:
            raise BadKey(f"this is neither a JSON Web Key nor PEM: {error.reason}") from None
        keys = value["keys"] if type(value) is dict and "keys" in value else [value]
        if type(keys) is not list:
            raise BadKey("a key set is a JSON object with an array `keys`")
        return [cls.from_jwk(key) for key in keys]

    def to_jwk(self) -> dict[str, Any]:
        """Return the public JSON Web Key, with `use`, and all else that is known of when and how it is used."""
        named: dict[str, Any] = {"kid": self.kid, "alg": self.alg, "use": "sig"}
        named |= {"nbf": self.not_before, "exp": self.expires, "revoked": self.revoked or None}
        return {**self.public, **{name: value for name, value in named.items() if value is not None}}

    def misfit(self, alg: str, operation: str) -> str:
        """Return why the key is not one to `sign` or `verify` with by an algorithm; empty where it is."""
        if (self.kty, self.crv) != NEEDED[alg]:
            kty, crv = NEEDED[alg]
            kind = " ".join(filter(None, (self.kty, self.crv)))
            return f"{alg} needs a key of type {' '.join(filter(None, (kty, crv)))}, and this one is {kind}"
        if self.alg is not None and self.alg != alg:
            return f"the key is for {self.alg} only, not for {alg}"
        if self.operations is not None and operation not in self.operations:
            return f"the key's key_ops do not name {operation}"
        return ""


def is_revoked(value: dict[str, Any]) -> bool:
    """Whether a JSON Web Key says that it must not be used any more."""
    return value.get("revoked") not in (None, False)


def thumbprint_of(value: Any) -> str | None:
    """Return the RFC 7638 thumbprint of what may be a JSON Web Key; None where it is none of ours."""
    names = _PUBLIC.get(str(value.get("kty"))) if type(value) is dict else None
    if names is None or not all(type(value.get(name)) is str for name in names):
        return None
    return _thumbprint({name: value[name] for name in names})


def _thumbprint(public: dict[str, str]) -> str:
    return encoded(sha256(canonical_bytes(public)).digest())


def new_key(alg: Algorithm, kid: str) -> dict[str, str]:
    """Return a new private key for one algorithm, as a JSON Web Key with kid, alg and use.

    The randomness is the operating system's; an RSA key has 3,072 bits (NIST SP 800-57: to 2030 and beyond).

    Raises:
        BadKey: If the algorithm is none that signs cards, or `kid` cannot stand in a header.
    """
    check_named(kid, alg)
    with requires_extra("sign"):
        from joserfc.jwk import ECKey, OKPKey, RSAKey

    kty, crv = NEEDED[alg]
    if kty == "EC":
        made: ECKey | OKPKey | RSAKey = ECKey.generate_key(crv)
    elif kty == "OKP":
        made = OKPKey.generate_key("Ed25519")
    else:
        made = RSAKey.generate_key(3072)
    numbers = {
        name: str(value) for name, value in made.as_dict(private=True).items() if name not in ("kid", "use")
    }
    return {"kty": kty, "kid": kid, "alg": alg, "use": "sig", **numbers}


def check_named(kid: str, alg: str) -> None:
    """Refuse what a signature's header cannot say of its key.

    Raises:
        BadKey: If the algorithm is none that signs cards, or the kid is empty, too long or not printable.
    """
    if alg not in ALGORITHMS:
        raise BadKey(f"cards are signed with {', '.join(ALGORITHMS)}, not with {quote(alg)}")
    if type(kid) is not str or not kid or len(kid) > MAX_KID_CHARACTERS or not kid.isprintable():
        raise BadKey(f"a kid is 1 to {MAX_KID_CHARACTERS:,} printable characters")


def _check_use(value: dict[str, Any]) -> None:
    use, operations = value.get("use"), value.get("key_ops")
    if use not in (None, "sig"):
        raise BadKey(f"the key is for the use {quote(use)}, not for signatures")
    if operations is None:
        return
    if type(operations) is not list or not all(type(one) is str for one in operations):
        raise BadKey("the key's key_ops are no array of texts")
    if not {"sign", "verify"} & set(operations):
        raise BadKey("the key's key_ops name neither sign nor verify")


def _check_numbers(kty: str, crv: str, value: dict[str, Any]) -> None:
    for name in _PUBLIC[kty]:
        if name in ("kty", "crv"):
            continue
        number = decoded(value.get(name))
        if number is None:
            raise BadKey(f"the key's {name} is no base64url without padding")
        if kty != "RSA" and len(number) != _SIZES[crv]:
            raise BadKey(f"the key's {name} has {len(number)} bytes; on {crv} it has {_SIZES[crv]}")
        # RFC 7518 §2: the fewest bytes. Else one key would have several thumbprints.
        if kty == "RSA" and number[:1] in (b"", b"\0"):
            raise BadKey(f"the key's {name} is no number in its shortest form")
        if name == "n":
            modulus = int.from_bytes(number)
            _check_bits(modulus.bit_length())
            if modulus % 2 == 0:
                raise BadKey("the key's modulus is even, so it is no RSA key")
            if has_roca(modulus):
                raise BadKey("the key was made by a library whose keys can be factored (CVE-2017-15361)")
        if name == "e" and (int.from_bytes(number) < 3 or number[-1] % 2 == 0 or len(number) > 8):
            raise BadKey("the key's exponent is no odd number from 3 on")


def _check_bits(bits: int) -> None:
    least, most = RSA_BITS
    if not least <= bits <= most:
        raise BadKey(f"the RSA key has {bits:,} bits; cards are signed with {least:,} to {most:,}")


def _jose(kty: str, members: dict[str, Any]) -> ECKey | OKPKey | RSAKey:
    with requires_extra("sign"):
        from joserfc.errors import JoseError
        from joserfc.jwk import ECKey, OKPKey, RSAKey

    types: dict[str, type[ECKey | OKPKey | RSAKey]] = {"EC": ECKey, "OKP": OKPKey, "RSA": RSAKey}
    try:
        key = types[kty].import_key(members)
        # joserfc hands back the public members that it was given: those of the private ones are worked out.
        whole: Any = key.private_key
        pair = types[kty].import_key(whole.public_key()) if whole else key
        alike = {name: pair.as_dict(private=False)[name] for name in _PUBLIC[kty]}
    # joserfc lets what cryptography and base64 raise through; their messages may hold what is secret.
    except (JoseError, ValueError, TypeError, KeyError):
        raise BadKey(f"the key is no valid {kty} key") from None
    if any(members[name] != value for name, value in alike.items()):
        raise BadKey("the key's public members are not those of its private ones")
    return key


def _time(value: dict[str, Any], name: str) -> float | None:
    time = value.get(name)
    if time is None:
        return None
    # No card is signed past 2^53 seconds; a greater integer may be none that a double holds.
    if type(time) not in (int, float) or not abs(time) < 2**53:
        raise BadKey(f"the key's {name} is no number of seconds since 1970")
    return float(time)
