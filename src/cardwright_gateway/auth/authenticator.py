"""Authentication of callers by agent keys, user tokens and owners' tokens (BeeOS seed §2, §3 and §8)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import StoreError
from cardwright.http.problem import FORBIDDEN, NOT_READY, UNAUTHENTICATED, HttpError, refuse
from cardwright.serve.authentication import BadCredentials
from cardwright_gateway.a2a.problems import AGENT_PAUSED
from cardwright_gateway.auth.key_ring import KeyRing
from cardwright_gateway.auth.key_sets import KeysUnavailable
from cardwright_gateway.auth.principal import ANONYMOUS, Principal
from cardwright_gateway.auth.schemes import CHALLENGE, KEY_HEADER, USER_CHALLENGE
from cardwright_gateway.auth.secret_values import KEY_FORM, KEY_PREFIX, TOKEN_FORM, TOKEN_PREFIX
from cardwright_gateway.auth.tokens import UserTokens, user_name
from cardwright_gateway.errors import UnknownAgent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cardwright.guard import GuardedClient
    from cardwright_gateway.auth.agent_keys import AgentKeys, KeyRecord
    from cardwright_gateway.auth.owner_tokens import OwnerTokens
    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_gateway.settings.config import GatewayConfig

_UNKNOWN_KEY: Final = (
    "the agent key is not valid for this agent: it is unknown, revoked, expired, or for another agent"
)
_UNKNOWN_ISSUER: Final = (
    "the token is not accepted: its iss and aud match no issuer in the gateway's configuration"
)
_INVALID_OWNER: Final = (
    "the owner's token is not valid: it is unknown, revoked or expired; ask the operator for a new one"
)
# Of keys, of the other form of keys (`compat`), and of owners' tokens: none of them is for an agent.
_OWN_PREFIXES: Final = (KEY_PREFIX, "oag_", TOKEN_PREFIX)
_RETRY_AFTER: Final = ((b"retry-after", b"10"),)

# When to try again after a pause of unknown length (project decision).
PAUSE: Final = ((b"retry-after", b"60"),)
_KEY_HEADER: Final = KEY_HEADER.lower().encode()


@dataclass(frozen=True, slots=True)
class Credentials:
    """The credentials of a request.

    Attributes:
        key: An agent key.
        token: A bearer token that is not an agent key: a user token, or one for the agent itself.
        owner_token: A token that the operator issued to an owner.
    """

    key: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)
    owner_token: str | None = field(default=None, repr=False)


class Authenticator:
    """Authenticator of callers.

    Args:
        settings: The issuers and all owners.
        keys: The table of keys; changes through this object take effect at once.
        client: The guarded HTTP client for the key sets of issuers.
        clock: A monotonic clock, in seconds.
        wall: Seconds since 1970.
        tokens: The table of owners' tokens; None to accept none.
        used: Called with the id of each key and token that a request is authenticated with.

    Raises:
        BadConfiguration: If the keys of an issuer cannot be read.
    """

    def __init__(
        self,
        settings: GatewayConfig,
        keys: AgentKeys,
        client: GuardedClient,
        clock: Callable[[], float] = time.monotonic,
        *,
        wall: Callable[[], float] = time.time,
        tokens: OwnerTokens | None = None,
        used: Callable[[str], None] | None = None,
    ) -> None:
        self._ring = KeyRing(keys, clock=clock, wall=wall)
        self._owner_ring = None if tokens is None else KeyRing(tokens, clock=clock, wall=wall)
        self._owners = settings.owners
        self._used = used
        self._tokens = UserTokens(settings, client, clock=clock, wall=wall)

    async def principal(self, agent: AgentConfig, scope: Mapping[str, Any]) -> Principal:
        """Return the caller of an agent.

        Raises:
            UnknownAgent: If the agent is private and the caller has no access, with any credentials.
            HttpError: With 401 if credentials are missing or not valid; with 503 if the keys of an issuer are
                unavailable.
            StoreError: If the database is unavailable.
        """
        if agent.visibility != "private":
            return await self._agent_caller(agent, scope)
        try:
            principal = await self._agent_caller(agent, scope)
        except (HttpError, StoreError):
            # Not even an error may reveal that the agent exists: respond as for an unknown agent.
            raise UnknownAgent(agent.id) from None
        if principal.kind == "key" or self.owns(agent, principal):
            return principal
        raise UnknownAgent(agent.id)

    async def user(self, scope: Mapping[str, Any]) -> Principal:
        """Return the user that sends a request to the owners' API; `owner_id` is "" if it is not an owner.

        Raises:
            HttpError: With 401 without a valid user token or owner's token.
            StoreError: If the database is unavailable.
        """
        principal = await self._authenticate(scope, None)
        if principal is ANONYMOUS:
            raise _anonymous_error(
                scope, "authentication is required: send a user token or an owner's token", USER_CHALLENGE
            )
        return principal

    async def caller(self, scope: Mapping[str, Any]) -> Principal:
        """Return the caller of a request that is for no single agent: a user, or one with a key of any agent.

        The key may be one of a former owner of its agent: compare the two.

        Raises:
            HttpError: As `principal`; and with 401 if the caller is anonymous.
            StoreError: If the database is unavailable.
        """
        principal = await self._authenticate(scope, lambda _: True)
        if principal is ANONYMOUS:
            raise _anonymous_error(scope, "authentication is required: send an agent key or a user token")
        return principal

    async def name(self, scope: Mapping[str, Any]) -> str:
        """Return the name of a caller with valid credentials for any agent; "" for any other caller."""
        try:
            return (await self._authenticate(scope, lambda _: True)).name
        except (HttpError, StoreError):
            return ""

    def owns(self, agent: AgentConfig, principal: Principal) -> bool:
        """Return whether a user owns an agent; a key only allows calls."""
        return principal.kind == "user" and bool(agent.owner) and principal.owner_id == agent.owner

    @staticmethod
    def strip(headers: Iterable[tuple[bytes, bytes]], principal: Principal) -> list[tuple[bytes, bytes]]:
        """Return the headers of a request without the credentials for the gateway.

        With them the upstream agent could call the gateway in its caller's name. An Authorization for the agent itself
        stays.
        """
        return [
            (name, value) for name, value in headers if not _is_for_gateway(name.lower(), value, principal)
        ]

    async def close(self) -> None:
        """Cancel running fetches of key sets."""
        await self._tokens.close()

    async def _agent_caller(self, agent: AgentConfig, scope: Mapping[str, Any]) -> Principal:
        # A key of a former owner of the agent is not valid.
        try:
            principal = await self._authenticate(
                scope, lambda key: key.agent_id == agent.id and key.owner_id == agent.owner
            )
        except HttpError:
            # A client with a key of another agent is as welcome at an open one as a client without a key.
            if agent.access == "keys" or (await self._authenticate(scope, lambda _: True)).kind != "key":
                raise
            principal = ANONYMOUS
        if principal is ANONYMOUS and agent.access == "keys":
            raise _anonymous_error(
                scope, "authentication is required: send an agent key from the agent's owner, or a user token"
            )
        return principal

    async def _authenticate(
        self, scope: Mapping[str, Any], accepts: Callable[[KeyRecord], bool] | None
    ) -> Principal:
        """Authenticate a request; return ANONYMOUS if it has no credentials for the gateway.

        Args:
            scope: The request.
            accepts: Whether a key is accepted; None accepts no keys.
        """
        challenge = USER_CHALLENGE if accepts is None else CHALLENGE
        try:
            sent = _credentials(scope)
            token = sent.token if sent.token is not None and self._tokens.meant(sent.token) else None
            if sent.key is None and sent.owner_token is None:
                return ANONYMOUS if token is None else await self._tokens.principal(token)
        except BadCredentials as error:
            raise _unauthenticated(str(error), challenge) from None
        except KeysUnavailable as error:
            raise refuse(NOT_READY, str(error), headers=_RETRY_AFTER) from None
        if sent.key is None:
            return await self._owner_principal(sent.owner_token or "", challenge)
        if token is not None or sent.owner_token is not None:
            raise _unauthenticated(
                "both an agent key and a user token were sent; send one of them", challenge
            )
        if accepts is None:
            raise _unauthenticated(
                "an agent key is not accepted here; send an owner's token or a user token", challenge
            )
        key = await self._ring.find(sent.key)
        if key is None or not accepts(key):
            raise _unauthenticated(_UNKNOWN_KEY, challenge)
        self._note(key.id)
        return Principal(
            "key",
            f"key:{key.id}",
            key.owner_id,
            key.id,
            key.quota,
            key.agent_id,
            paused=key.paused_at is not None,
        )

    async def _owner_principal(self, secret: str, challenge: bytes) -> Principal:
        """Return the owner of a token: the same principal as with the owner's user token.

        Raises:
            HttpError: With 401 if it is not valid.
            StoreError: If the database is unavailable.
        """
        token = None if self._owner_ring is None else await self._owner_ring.find(secret)
        known = None if token is None else self._owners.get(token.owner_id)
        if token is None or known is None:
            raise _unauthenticated(_INVALID_OWNER, challenge)
        self._note(token.id)
        subject = known.subject or token.owner_id
        name = user_name(known.issuer, subject) if known.issuer else f"owner:{token.owner_id}"
        return Principal("user", name, token.owner_id)

    def _note(self, secret_id: str) -> None:
        if self._used is not None:
            self._used(secret_id)


def require_owner(principal: Principal) -> Principal:
    """Return the principal if it is an owner.

    Raises:
        HttpError: With 403 if the gateway has no owner for the user.
    """
    if not principal.owner_id:
        raise refuse(FORBIDDEN, "this user is not an owner; the operator of the gateway adds owners")
    return principal


def check_key_runs(principal: Principal) -> None:
    """Check that the caller's key is not paused.

    Raises:
        HttpError: With 503 and Retry-After if it is.
    """
    if principal.paused:
        raise refuse(AGENT_PAUSED, "the key is paused by its owner; try again later", headers=PAUSE)


def _anonymous_error(scope: Mapping[str, Any], message: str, challenge: bytes = CHALLENGE) -> HttpError:
    """Return the 401 response for an unauthenticated caller; it explains why a sent token was ignored."""
    sent = _credentials(scope).token is not None
    return _unauthenticated(_UNKNOWN_ISSUER if sent else message, challenge)


def _unauthenticated(message: str, challenge: bytes = CHALLENGE) -> HttpError:
    return refuse(UNAUTHENTICATED, message, headers=((b"www-authenticate", challenge),))


def _credentials(scope: Mapping[str, Any]) -> Credentials:
    """Parse the credentials of a request.

    Raises:
        BadCredentials: If a header is repeated, two keys differ, or a key is malformed.
    """
    key_values = _values(scope, _KEY_HEADER)
    authorization = _values(scope, b"authorization")
    if len(key_values) > 1 or len(authorization) > 1:
        raise BadCredentials("a header with credentials occurs twice; send it once")
    bearer = _bearer(authorization[0]) if authorization else None
    keys = set(key_values)
    if bearer is not None and bearer.startswith(KEY_PREFIX):
        keys.add(bearer)
        bearer = None
    owner_token = bearer if bearer is not None and bearer.startswith(TOKEN_PREFIX) else None
    if owner_token is not None and not TOKEN_FORM.fullmatch(owner_token):
        raise BadCredentials(
            "the owner's token is malformed; it must be cwo_ followed by 43 characters, as it was issued"
        )
    if len(keys) > 1:
        raise BadCredentials(f"{KEY_HEADER} and Authorization contain different keys; send one of them")
    key = next(iter(keys), None)
    if key is not None and not KEY_FORM.fullmatch(key):
        raise BadCredentials(
            "the agent key is malformed; it must be bak_ followed by 43 characters, as it was issued"
        )
    return Credentials(key, None if owner_token else bearer, owner_token)


def _is_for_gateway(name: bytes, value: bytes, principal: Principal) -> bool:
    if name == _KEY_HEADER:
        return True
    if name != b"authorization":
        return False
    bearer = _bearer(value.decode("latin-1").strip())
    return principal.kind == "user" or (bearer is not None and bearer.startswith(_OWN_PREFIXES))


def _bearer(value: str) -> str | None:
    """Return the token of an Authorization header; None for another scheme (RFC 6750 §2.1)."""
    scheme, *rest = value.split(maxsplit=1) if value else ("",)
    return (rest[0].strip() if rest else "") if scheme.lower() == "bearer" else None


def _values(scope: Mapping[str, Any], name: bytes) -> list[str]:
    return [value.decode("latin-1").strip() for key, value in scope["headers"] if key.lower() == name]
