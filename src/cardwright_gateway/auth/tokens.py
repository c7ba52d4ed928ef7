"""Authentication of users by tokens of configured issuers (RFC 7519, RFC 8725)."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cardwright.canonical import decode
from cardwright.errors import BadConfiguration, BadResponse, ConnectionDenied, MalformedDocument
from cardwright.guard import Timeouts, target_of
from cardwright.serve.authentication import MAX_TOKEN, TOKEN_LIMITS, BadCredentials, JwtBearer
from cardwright.signing.base64url import decoded, encoded
from cardwright.signing.header import Unacceptable, read_header
from cardwright.signing.keys import KEY_LIMITS
from cardwright_gateway.auth.key_sets import FetchedKeys, FetchLimit, FileKeys
from cardwright_gateway.auth.principal import Principal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.guard import GuardedClient
    from cardwright.signing.header import Header
    from cardwright_gateway.settings.config import GatewayConfig
    from cardwright_gateway_models.settings.gateway import Issuer

_TIMES: Final = Timeouts(total=5.0)


class _Source(NamedTuple):
    issuer: Issuer
    keys: FileKeys | FetchedKeys


class UserTokens:
    """Verifier of user tokens from trusted issuers.

    Args:
        settings: The issuers and owners.
        client: The guarded HTTP client for key sets.
        clock: A monotonic clock, in seconds.
        wall: Seconds since 1970, for tokens that expire.

    Raises:
        BadConfiguration: If the key file of an issuer cannot be read, or its URL is not valid.
    """

    def __init__(
        self,
        settings: GatewayConfig,
        client: GuardedClient,
        *,
        clock: Callable[[], float],
        wall: Callable[[], float],
    ) -> None:
        self._client = client
        self._wall = wall
        limit = FetchLimit(clock)
        self._sources = {
            issuer.issuer: _Source(issuer, self._keys_of(issuer, limit, clock)) for issuer in settings.jwt
        }
        self._owners = {
            (owner.issuer, owner.subject): owner_id
            for owner_id, owner in settings.owners.items()
            if owner.issuer
        }

    def meant(self, token: str) -> bool:
        """Return whether a token claims a trusted issuer and this gateway as its audience; then it must be valid.

        Any other token is for the agent, and is forwarded.
        """
        return self._source(token) is not None

    async def principal(self, token: str) -> Principal:
        """Return the user of a token.

        Raises:
            BadCredentials: If it is not valid.
            KeysUnavailable: If the keys of its issuer are unavailable.
        """
        source = self._source(token)
        if source is None:
            raise BadCredentials(
                "the token's issuer is not trusted here, or the token is for another audience"
            )
        issuer = source.issuer
        header = _header(token, issuer)
        keys = await source.keys.find(header.kid)
        try:
            keys.find(header.kid, header.alg, self._wall())
        except Unacceptable:
            raise BadCredentials("the token's key is unknown to its issuer, or is no longer valid") from None
        bearer = JwtBearer(issuer.issuer, issuer.audience, keys, issuer.algorithms, clock=self._wall)
        caller = bearer({"headers": [(b"authorization", b"Bearer " + token.encode())]})
        if caller is None or not caller.subject:
            raise BadCredentials("the token has no subject (sub)")
        owner_id = self._owners.get((issuer.issuer, caller.subject), "")
        return Principal("user", user_name(issuer.issuer, caller.subject), owner_id=owner_id)

    async def close(self) -> None:
        """Cancel running fetches of key sets."""
        for source in self._sources.values():
            await source.keys.close()

    def _source(self, token: str) -> _Source | None:
        """Return the issuer that a token claims; not verified yet."""
        claims = _claims(token) if self._sources else {}
        issuer, audience = claims.get("iss"), claims.get("aud")
        source = self._sources.get(issuer) if type(issuer) is str else None
        audiences = audience if type(audience) is list else [audience]
        return source if source is not None and source.issuer.audience in audiences else None

    def _keys_of(
        self, issuer: Issuer, limit: FetchLimit, clock: Callable[[], float]
    ) -> FileKeys | FetchedKeys:
        if "://" not in issuer.jwks:
            return FileKeys(issuer.jwks, clock)
        try:
            target = target_of(issuer.jwks)
        except ConnectionDenied as error:
            raise BadConfiguration("", f"/jwt: the URL of an issuer's keys is not usable: {error}") from None
        if target.scheme != "https":
            raise BadConfiguration(
                "",
                "/jwt: the URL of an issuer's keys must be https; over http, anyone could replace the keys",
            )
        return FetchedKeys(issuer.jwks, self._fetch, limit, clock)

    async def _fetch(self, url: str) -> bytes:
        # Configured by the operator, so it may be an internal address.
        response = await self._client.get(
            url,
            headers={"Accept": "application/jwk-set+json, application/json"},
            configured=target_of(url).origin,
            max_bytes=KEY_LIMITS.max_bytes,
            timeouts=_TIMES,
        )
        if response.status != 200:
            raise BadResponse(
                target_of(url).safe_url, "status", "it returned an HTTP error", status=response.status
            )
        return response.body


def user_name(issuer: str, subject: str) -> str:
    """Return the name of a user, unique over all issuers."""
    identity = json.dumps([issuer, subject]).encode()
    return f"user:{encoded(sha256(identity).digest())}"


def _claims(token: str) -> Mapping[str, Any]:
    """Return the claims of a token, not verified."""
    parts = token.split(".", 3)
    body = decoded(parts[1]) if len(parts) == 3 and len(token) <= MAX_TOKEN else None
    try:
        claims = None if body is None else decode(body, TOKEN_LIMITS)
    except MalformedDocument:
        return {}
    return claims if type(claims) is dict else {}


def _header(token: str, issuer: Issuer) -> Header:
    """Return the header of a token; check its algorithm before any keys are fetched.

    Raises:
        BadCredentials: If it is not accepted; the message does not quote it.
    """
    protected, _, signature = token.split(".")
    try:
        header = read_header({"protected": protected, "signature": signature})
    except Unacceptable:
        raise BadCredentials("the token's header is not accepted") from None
    if header.alg not in issuer.algorithms:
        raise BadCredentials("the token's algorithm is not accepted")
    return header
