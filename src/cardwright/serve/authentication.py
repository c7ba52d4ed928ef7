"""Who is asking: a callable of the application, or one of those here for API keys and JSON Web Tokens."""

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
# RFC 7519: no token that a person's identity provider writes is longer (ours).
MAX_TOKEN: Final = 16_384
TOKEN_LIMITS: Final = Limits(max_bytes=MAX_TOKEN, max_depth=16, max_members=256)
# Clocks of two machines differ by no more (reliability: JWT).
_LEEWAY_SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class Caller:
    """Who was recognised.

    Attributes:
        subject: A name for the application's own use; it is never sent or logged.
        audience: What they see: as `authenticated`, or as the `owner` of the card.
    """

    subject: str
    audience: Literal["authenticated", "owner"] = "authenticated"

    def __post_init__(self) -> None:
        if self.audience not in ("authenticated", "owner"):
            raise BadKey("a caller is seen as authenticated or as the owner")


class BadCredentials(CardError):
    """Credentials were sent and do not hold: they are answered with 401."""


# From the ASGI scope of a request to who sent it; None where it has no credentials, BadCredentials where they fail.
Authenticate = Callable[[Scope], Caller | None | Awaitable[Caller | None]]


@dataclass(frozen=True, slots=True)
class ApiKeys:
    """Recognises callers by a key in a header field.

    Attributes:
        callers: Who has which key, by the SHA-256 of the key in hexadecimal: no key is kept.
        header: The field; its name is that of the card's `apiKey` scheme.
    """

    callers: Mapping[str, Caller] = field(repr=False)
    header: str = "X-API-Key"

    def __post_init__(self) -> None:
        if not all(_HASH.fullmatch(key) for key in self.callers):
            raise BadKey("keys are kept by the SHA-256 of each in hexadecimal: use ApiKeys.of(keys)")
        if not all(isinstance(caller, Caller) for caller in self.callers.values()):
            raise BadKey("each key is that of a Caller, such as Caller('ada', 'owner')")

    @classmethod
    def of(cls, keys: Mapping[str, Caller], *, header: str = "X-API-Key") -> Self:
        """Return one that knows these keys.

        Raises:
            BadKey: If one is shorter than 16 characters, which can be guessed.
        """
        if any(len(key) < 16 for key in keys):
            raise BadKey("an API key of fewer than 16 characters can be guessed: use secrets.token_urlsafe()")
        return cls({hashed(key): caller for key, caller in keys.items()}, header)

    @property
    def vary(self) -> tuple[str, ...]:
        """The header fields that the answer depends on."""
        return (self.header,)

    @property
    def challenge(self) -> str:
        """What WWW-Authenticate says; the scheme has no registered name."""
        return f'ApiKey realm="agent card", header="{self.header}"'

    def __call__(self, scope: Scope) -> Caller | None:
        """Return who sent a request.

        Raises:
            BadCredentials: If the key is not known, or the field stands there twice.
        """
        sent = fields(scope, self.header)
        if not sent:
            return None
        caller = self.callers.get(hashed(sent[0])) if len(sent) == 1 else None
        if caller is None:
            raise BadCredentials("the API key is not known here")
        return caller


@dataclass(frozen=True, slots=True)
class JwtBearer:
    """Recognises callers by a JSON Web Token in `Authorization: Bearer` (RFC 6750, RFC 7519, RFC 8725).

    `iss`, `aud` and `exp` are demanded, and only asymmetric algorithms are accepted; the algorithm must
    be one of the list and fit the key. Claims are read as strictly as a card.

    Attributes:
        issuer: What `iss` must be.
        audience: What `aud` must be or hold.
        keys: The issuer's public keys; give the bytes of its key set to `KeySet.from_bytes`.
        algorithms: Those that the issuer signs with.
        owner: Whether the claims are those of the card's owner.
        clock: Seconds since 1970.
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
        """Return who sent a request.

        Raises:
            BadCredentials: If the token does not hold; the message says in which respect.
        """
        sent = fields(scope, "Authorization")
        if not sent:
            return None
        kind, _, token = sent[0].partition(" ")
        if kind.lower() != "bearer":
            return None
        if len(sent) > 1:
            raise BadCredentials("Authorization stands there twice")
        claims = self._claims(token.strip())
        subject = claims.get("sub")
        return Caller(
            subject if type(subject) is str else "", "owner" if self.owner(claims) else "authenticated"
        )

    def _claims(self, token: str) -> dict[str, Any]:
        parts = token.split(".")
        body = decoded(parts[1]) if len(parts) == 3 and len(token) <= MAX_TOKEN else None
        if body is None:
            raise BadCredentials("this is no signed JSON Web Token")
        try:
            header = read_header({"protected": parts[0], "signature": parts[2]})
            key = self.keys.find(header.kid, header.alg, self.clock())
        except Unacceptable as error:
            raise BadCredentials(f"the token is not accepted: {error}") from None
        if header.alg not in self.algorithms:
            raise BadCredentials("the token's algorithm is not accepted")
        if not holds(body, key, header):
            raise BadCredentials("the token's signature does not hold")
        try:
            claims = decode(body, TOKEN_LIMITS)
        except MalformedDocument:
            claims = None
        if type(claims) is not dict:
            raise BadCredentials("the token's claims are no JSON object")
        return self._checked(claims)

    def _checked(self, claims: dict[str, Any]) -> dict[str, Any]:
        now = self.clock()
        audience = claims.get("aud")
        audiences = audience if type(audience) is list else [audience]
        expires, begins = claims.get("exp"), claims.get("nbf", now)
        if claims.get("iss") != self.issuer:
            raise BadCredentials("the token is of another issuer")
        if self.audience not in audiences:
            raise BadCredentials("the token is for another audience")
        if not isinstance(expires, (int, float)) or not isinstance(begins, (int, float)):
            raise BadCredentials("the token does not say in numbers when it expires (exp) or begins (nbf)")
        if now >= expires + _LEEWAY_SECONDS:
            raise BadCredentials("the token has expired")
        if now < begins - _LEEWAY_SECONDS:
            raise BadCredentials("the token does not hold yet")
        return claims


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Recognises callers by the first of several ways for which a request has credentials."""

    ways: tuple[ApiKeys | JwtBearer, ...]

    @property
    def vary(self) -> tuple[str, ...]:
        """The header fields that the answer depends on."""
        return tuple(dict.fromkeys(name for way in self.ways for name in way.vary))

    @property
    def challenge(self) -> str:
        """What WWW-Authenticate says: each way's own."""
        return ", ".join(way.challenge for way in self.ways)

    def __call__(self, scope: Scope) -> Caller | None:
        """Return who sent a request, as the ways do."""
        return next((caller for way in self.ways if (caller := way(scope))), None)


def hashed(key: str) -> str:
    """Return what an API key is kept as: a search by it tells nothing of a key that is nearly right."""
    return hashlib.sha256(key.encode()).hexdigest()


def fields(scope: Scope, name: str) -> list[str]:
    """Return the values of a header field of a request, one for each time it stands there."""
    wanted = name.lower().encode("latin-1")
    return [value.decode("latin-1").strip() for key, value in scope["headers"] if key.lower() == wanted]
