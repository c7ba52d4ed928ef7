"""Authentication of callers by API keys or JSON Web Tokens."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from cardwright.canonical import Limits, decode
from cardwright.errors import BadKey, CardError, MalformedDocument
from cardwright.signing.base64url import decoded
from cardwright.signing.header import Unacceptable, read_header
from cardwright.signing.jws import holds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.signing import Algorithm, KeySet

Scope = Mapping[str, Any]
_HASH: Final = re.compile(r"[0-9a-f]{64}")
# Longer than the tokens of common identity providers (RFC 7519; project decision).
MAX_TOKEN: Final = 16_384
TOKEN_LIMITS: Final = Limits(max_bytes=MAX_TOKEN, max_depth=16, max_members=256)
# Tolerated difference of clocks (project decision; RFC 7519 §4.1.4 allows a few minutes).
_LEEWAY_SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated caller.

    Attributes:
        subject: A name for the application; it is never sent or logged.
        audience: The view that the caller sees: `authenticated` or `owner`.
    """

    subject: str
    audience: Literal["authenticated", "owner"] = "authenticated"

    def __post_init__(self) -> None:
        if self.audience not in ("authenticated", "owner"):
            raise BadKey('the audience of a caller must be "authenticated" or "owner"')


class BadCredentials(CardError):
    """The credentials of a request are invalid; the response is 401."""


# Returns the caller of an ASGI scope, or None if it has no credentials; raises BadCredentials if they are invalid.
Authenticate = Callable[[Scope], Caller | None | Awaitable[Caller | None]]


@dataclass(frozen=True, slots=True)
class ApiKeys:
    """Authentication by an API key in a header field.

    Attributes:
        callers: The callers by the hexadecimal SHA-256 of their keys; the keys are not stored.
        header: The header field, as in the card's `apiKey` scheme.
    """

    callers: Mapping[str, Caller] = field(repr=False)
    header: str = "X-API-Key"

    def __post_init__(self) -> None:
        if not all(_HASH.fullmatch(key) for key in self.callers):
            raise BadKey("expected the hexadecimal SHA-256 of each key: use ApiKeys.of(keys)")
        if not all(isinstance(caller, Caller) for caller in self.callers.values()):
            raise BadKey("expected a Caller for each key, such as Caller('ada', 'owner')")

    @classmethod
    def of(cls, keys: Mapping[str, Caller], *, header: str = "X-API-Key") -> Self:
        """Return the authentication for these keys.

        Raises:
            BadKey: If a key is shorter than 16 characters, which can be guessed.
        """
        if any(len(key) < 16 for key in keys):
            raise BadKey("an API key must have at least 16 characters: use secrets.token_urlsafe()")
        return cls({hashed(key): caller for key, caller in keys.items()}, header)

    @property
    def vary(self) -> tuple[str, ...]:
        """The header fields that the response depends on."""
        return (self.header,)

    @property
    def challenge(self) -> str:
        """The value of WWW-Authenticate; the scheme has no registered name."""
        return f'ApiKey realm="agent card", header="{self.header}"'

    def __call__(self, scope: Scope) -> Caller | None:
        """Return the caller of a request.

        Raises:
            BadCredentials: If the key is unknown, or the field is repeated.
        """
        values = fields(scope, self.header)
        if not values:
            return None
        caller = self.callers.get(hashed(values[0])) if len(values) == 1 else None
        if caller is None:
            raise BadCredentials("unknown API key")
        return caller


@dataclass(frozen=True, slots=True)
class JwtBearer:
    """Authentication by a JSON Web Token in `Authorization: Bearer` (RFC 6750, RFC 7519, RFC 8725).

    `iss`, `aud` and `exp` are required. The algorithm must be asymmetric, in the list, and fit the key. Claims are
    decoded as strictly as a card.

    Attributes:
        issuer: The required value of `iss`.
        audience: The required value of `aud`, or one of its values.
        keys: The issuer's public keys; read its key set with `KeySet.from_bytes`.
        algorithms: The accepted algorithms.
        owner: Returns whether the claims are those of the card's owner.
        clock: Returns the seconds since 1970.
    """

    issuer: str
    audience: str
    keys: KeySet = field(repr=False)
    algorithms: Sequence[Algorithm] = ("ES256", "EdDSA", "RS256")
    owner: Callable[[Mapping[str, Any]], bool] = field(default=lambda _: False, repr=False)
    clock: Callable[[], float] = field(default=time.time, repr=False)

    vary = ("Authorization",)
    challenge = 'Bearer realm="agent card"'

    def __call__(self, scope: Scope) -> Caller | None:
        """Return the caller of a request.

        Raises:
            BadCredentials: If the token is invalid; the message says why.
        """
        values = fields(scope, "Authorization")
        if not values:
            return None
        scheme, _, token = values[0].partition(" ")
        if scheme.lower() != "bearer":
            return None
        if len(values) > 1:
            raise BadCredentials("the header field Authorization is repeated")
        claims = self._claims(token.strip())
        subject = claims.get("sub")
        return Caller(
            subject if type(subject) is str else "", "owner" if self.owner(claims) else "authenticated"
        )

    def _claims(self, token: str) -> dict[str, Any]:
        parts = token.split(".")
        body = decoded(parts[1]) if len(parts) == 3 and len(token) <= MAX_TOKEN else None
        if body is None:
            raise BadCredentials("expected a signed JSON Web Token")
        try:
            header = read_header({"protected": parts[0], "signature": parts[2]})
            key = self.keys.find(header.kid, header.alg, self.clock())
        except Unacceptable as error:
            raise BadCredentials(f"the token is not accepted: {error}") from None
        if header.alg not in self.algorithms:
            raise BadCredentials("the token's algorithm is not accepted")
        if not holds(body, key, header):
            raise BadCredentials("the token's signature is invalid")
        try:
            claims = decode(body, TOKEN_LIMITS)
        except MalformedDocument:
            claims = None
        if type(claims) is not dict:
            raise BadCredentials("the token's claims are not a JSON object")
        return self._checked(claims)

    def _checked(self, claims: dict[str, Any]) -> dict[str, Any]:
        now = self.clock()
        audience = claims.get("aud")
        audiences = audience if type(audience) is list else [audience]
        expires, begins = claims.get("exp"), claims.get("nbf", now)
        if claims.get("iss") != self.issuer:
            raise BadCredentials("the token has another issuer (iss)")
        if self.audience not in audiences:
            raise BadCredentials("the token has another audience (aud)")
        if not isinstance(expires, (int, float)) or not isinstance(begins, (int, float)):
            raise BadCredentials("the token's exp or nbf is missing or not a number")
        if now >= expires + _LEEWAY_SECONDS:
            raise BadCredentials("the token has expired")
        if now < begins - _LEEWAY_SECONDS:
            raise BadCredentials("the token is not valid yet (nbf)")
        return claims


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Authentication by the first of several methods for which a request has credentials."""

    ways: tuple[ApiKeys | JwtBearer, ...]

    @property
    def vary(self) -> tuple[str, ...]:
        """The header fields that the response depends on."""
        return tuple(dict.fromkeys(name for method in self.ways for name in method.vary))

    @property
    def challenge(self) -> str:
        """The value of WWW-Authenticate: the challenges of all methods."""
        return ", ".join(method.challenge for method in self.ways)

    def __call__(self, scope: Scope) -> Caller | None:
        """Return the caller of a request."""
        return next((caller for method in self.ways if (caller := method(scope))), None)


def hashed(key: str) -> str:
    """Return the hash of an API key; the time of a lookup by it reveals nothing about the key."""
    return hashlib.sha256(key.encode()).hexdigest()


def fields(scope: Scope, name: str) -> list[str]:
    """Return all values of a header field of a request."""
    wanted = name.lower().encode("latin-1")
    return [value.decode("latin-1").strip() for key, value in scope["headers"] if key.lower() == wanted]
