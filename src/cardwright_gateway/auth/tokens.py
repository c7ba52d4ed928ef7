"""Recognising users by the tokens of issuers that the configuration names (RFC 7519, RFC 8725)."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cardwright.canonical import decode
from cardwright.errors import BadAnswer, BadConfiguration, ConnectionDenied, MalformedDocument
from cardwright.guard import Timeouts, target_of
from cardwright.serve.authentication import MAX_TOKEN, TOKEN_LIMITS, BadCredentials, JwtBearer
from cardwright.signing.base64url import decoded, encoded
from cardwright.signing.header import Unacceptable, read_header
from cardwright.signing.keys import KEY_LIMITS
from cardwright_gateway.auth.key_sets import FetchedKeys, FileKeys, Pauses
from cardwright_gateway.auth.principal import Principal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.guard import GuardedClient
    from cardwright.signing.header import Header
    from cardwright_gateway.settings.config import GatewayConfig
    from cardwright_models.settings.gateway import Issuer

_TIMES: Final = Timeouts(total=5.0)


class _Source(NamedTuple):
    issuer: Issuer
    keys: FileKeys | FetchedKeys


class UserTokens:
    """Users, by the issuers that are trusted.

    Args:
        settings: Issuers and owners.
        client: What key sets are fetched by.
        clock: Seconds that only grow.
        wall: Seconds since 1970, for tokens that expire.

    Raises:
        BadConfiguration: If the keys of an issuer are in a file that cannot be read, or at what is no URL.
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
        pauses = Pauses(clock)
        self._sources = {one.issuer: _Source(one, self._keys_of(one, pauses, clock)) for one in settings.jwt}
        self._owners = {
            (owner.issuer, owner.subject): owner_id
            for owner_id, owner in settings.owners.items()
            if owner.issuer
        }

    def meant(self, token: str) -> bool:
        """Whether a token says that it is of a trusted issuer and for this gateway: then it has to hold.

        Any other is an affair between its sender and the agent.
        """
        return self._source(token) is not None

    async def principal(self, token: str) -> Principal:
        """Return the user of a token.

        Raises:
            BadCredentials: If it does not hold.
            KeysUnavailable: If the keys of its issuer cannot be had.
        """
        source = self._source(token)
        if source is None:
            raise BadCredentials("the token is of no issuer that is trusted here, or for somebody else")
        issuer = source.issuer
        header = _header(token, issuer)
        keys = await source.keys.find(header.kid)
        try:
            keys.find(header.kid, header.alg, self._wall())
        except Unacceptable:
            raise BadCredentials("the token's key is none of its issuer's, or counts no longer") from None
        bearer = JwtBearer(issuer.issuer, issuer.audience, keys, issuer.algorithms, clock=self._wall)
        caller = bearer({"headers": [(b"authorization", b"Bearer " + token.encode())]})
        if caller is None or not caller.subject:
            raise BadCredentials("the token does not say whose it is (sub)")
        owner_id = self._owners.get((issuer.issuer, caller.subject), "")
        return Principal("user", user_name(issuer.issuer, caller.subject), owner_id=owner_id)

    async def close(self) -> None:
        """End what is under way."""
        for source in self._sources.values():
            await source.keys.close()

    def _source(self, token: str) -> _Source | None:
        """Return the issuer that a token names, which proves nothing yet."""
        claims = _claims(token) if self._sources else {}
        issuer, audience = claims.get("iss"), claims.get("aud")
        source = self._sources.get(issuer) if type(issuer) is str else None
        audiences = audience if type(audience) is list else [audience]
        return source if source is not None and source.issuer.audience in audiences else None

    def _keys_of(self, issuer: Issuer, pauses: Pauses, clock: Callable[[], float]) -> FileKeys | FetchedKeys:
        if "://" not in issuer.jwks:
            return FileKeys(issuer.jwks, clock)
        try:
            target = target_of(issuer.jwks)
        except ConnectionDenied as error:
            raise BadConfiguration("", f"/jwt: the URL of an issuer's keys cannot be used: {error}") from None
        if target.scheme != "https":
            raise BadConfiguration(
                "", "/jwt: an issuer's keys are at an https URL: whoever changes them is anybody"
            )
        return FetchedKeys(issuer.jwks, self._fetched, pauses, clock)

    async def _fetched(self, url: str) -> bytes:
        # The operator named it: it may be where only this machine reaches it.
        answer = await self._client.get(
            url,
            headers={"Accept": "application/jwk-set+json, application/json"},
            configured=target_of(url).origin,
            max_bytes=KEY_LIMITS.max_bytes,
            timeouts=_TIMES,
        )
        if answer.status != 200:
            raise BadAnswer(
                target_of(url).shown, "status", "it answers with an HTTP error", status=answer.status
            )
        return answer.body


def user_name(issuer: str, subject: str) -> str:
    """Return the name of a user: no two of them have the same, whatever their issuers call them."""
    told = json.dumps([issuer, subject]).encode()
    return f"user:{encoded(sha256(told).digest())}"


def _claims(token: str) -> Mapping[str, Any]:
    """Return what a token says, before anything of it was verified."""
    parts = token.split(".", 3)
    body = decoded(parts[1]) if len(parts) == 3 and len(token) <= MAX_TOKEN else None
    try:
        claims = None if body is None else decode(body, TOKEN_LIMITS)
    except MalformedDocument:
        return {}
    return claims if type(claims) is dict else {}


def _header(token: str, issuer: Issuer) -> Header:
    """Return the header of a token; one of another algorithm lets nobody be asked for keys.

    Raises:
        BadCredentials: If it is not accepted; what stands in it is not repeated.
    """
    protected, _, signature = token.split(".")
    try:
        header = read_header({"protected": protected, "signature": signature})
    except Unacceptable:
        raise BadCredentials("the token's header is not accepted") from None
    if header.alg not in issuer.algorithms:
        raise BadCredentials("the token's algorithm is not accepted")
    return header
