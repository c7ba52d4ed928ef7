"""Authentication of callers by agent keys and users' tokens (BeeOS seed §2, §3 and §8)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import StoreError
from cardwright.http.problem import NOT_READY, UNAUTHENTICATED, HttpError, refuse
from cardwright.serve.authentication import BadCredentials
from cardwright_gateway.a2a.problems import FORBIDDEN
from cardwright_gateway.auth.agent_keys import FORM, PREFIX
from cardwright_gateway.auth.key_ring import KeyRing
from cardwright_gateway.auth.key_sets import KeysUnavailable
from cardwright_gateway.auth.principal import ANONYMOUS, Principal
from cardwright_gateway.auth.schemes import CHALLENGE, KEY_HEADER, USER_CHALLENGE
from cardwright_gateway.auth.tokens import UserTokens
from cardwright_gateway.errors import UnknownAgent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cardwright.guard import GuardedClient
    from cardwright_gateway.auth.agent_keys import AgentKeys, KeyRecord
    from cardwright_gateway.settings.agents import AgentConfig
    from cardwright_gateway.settings.config import GatewayConfig

_UNKNOWN_KEY: Final = "the agent key does not count here: it was revoked, has expired, or is another agent's"
_FOREIGN: Final = "the token counts nowhere here: its iss and aud are those of no issuer in the configuration"
_RETRY: Final = ((b"retry-after", b"10"),)


_KEY_FIELD: Final = KEY_HEADER.lower().encode()


@dataclass(frozen=True, slots=True)
class Credentials:
    """What was sent.

    Attributes:
        key: A key of an agent.
        token: What follows `Bearer` where that is no key of an agent: it may be a user's, or nothing of ours.
    """

    key: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)


class Authenticator:
    """Recognises who sends a request, and refuses who may not.

    Args:
        settings: Issuers and owners.
        keys: The table of keys; what is changed through this very object holds at once.
        client: What the key sets of issuers are fetched by.
        clock: Seconds that only grow.
        wall: Seconds since 1970.

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
    ) -> None:
        self._ring = KeyRing(keys, clock=clock, wall=wall)
        self._tokens = UserTokens(settings, client, clock=clock, wall=wall)

    async def principal(self, agent: AgentConfig, scope: Mapping[str, Any]) -> Principal:
        """Return who calls an agent.

        Raises:
            UnknownAgent: If the agent is private and they have no part in it, whatever they sent.
            HttpError: With 401 if they have to say who they are, or what they say does not hold; with 503 if
                the keys of an issuer cannot be had.
            StoreError: If a key cannot be looked up.
        """
        if agent.visibility != "private":
            return await self._checked(agent, scope)
        try:
            found = await self._checked(agent, scope)
        except (HttpError, StoreError):
            # Not even a fault may tell that there is something: the answer is that of an absent agent.
            raise UnknownAgent(agent.id) from None
        if found.kind == "key" or self.owns(agent, found):
            return found
        raise UnknownAgent(agent.id)

    async def user(self, scope: Mapping[str, Any]) -> Principal:
        """Return the owner who asks for what is theirs.

        Raises:
            HttpError: With 401 if there is no user's token that holds, 403 if the user is no owner here.
        """
        found = await self._recognised(scope, None)
        if found is ANONYMOUS:
            raise _nobody(scope, "say who you are by a user's token", USER_CHALLENGE)
        return _owner(found)

    async def caller(self, scope: Mapping[str, Any]) -> Principal:
        """Return who asks for what belongs to an owner and no single agent: by a token, or a key of any agent.

        Raises:
            HttpError: As `user`.
            StoreError: If a key cannot be looked up.
        """
        found = await self._recognised(scope, lambda _: True)
        if found is ANONYMOUS:
            raise _nobody(scope, "say who you are by an agent key or a user's token")
        return _owner(found)

    def owns(self, agent: AgentConfig, principal: Principal) -> bool:
        """Whether an agent is a user's own; a key lets call it, and no more."""
        return principal.kind == "user" and bool(agent.owner) and principal.owner_id == agent.owner

    @staticmethod
    def strip(headers: Iterable[tuple[bytes, bytes]], principal: Principal) -> list[tuple[bytes, bytes]]:
        """Return the header of a request without the credentials that the caller was recognised by here.

        An Authorization that is the agent's own affair stays. The upstream agent must not be able to call the
        gateway in its caller's name.
        """
        return [(name, value) for name, value in headers if not _is_ours(name.lower(), value, principal)]

    async def close(self) -> None:
        """End what is under way."""
        await self._tokens.close()

    async def _checked(self, agent: AgentConfig, scope: Mapping[str, Any]) -> Principal:
        # A key of an owner that the agent no longer belongs to lets nobody in.
        found = await self._recognised(
            scope, lambda key: key.agent_id == agent.id and key.owner_id == agent.owner
        )
        if found is ANONYMOUS and agent.access == "keys":
            raise _nobody(scope, "the agent is called with an agent key of its owner's, or a user's token")
        return found

    async def _recognised(
        self, scope: Mapping[str, Any], fits: Callable[[KeyRecord], bool] | None
    ) -> Principal:
        """Return who sent a request; ANONYMOUS where nothing is there that is meant for the gateway.

        Args:
            scope: The request.
            fits: Which keys count; None for none.
        """
        challenge = USER_CHALLENGE if fits is None else CHALLENGE
        try:
            sent = _credentials(scope)
            token = sent.token if sent.token is not None and self._tokens.meant(sent.token) else None
            if sent.key is None:
                return ANONYMOUS if token is None else await self._tokens.principal(token)
        except BadCredentials as error:
            raise _unauthenticated(str(error), challenge) from None
        except KeysUnavailable as error:
            raise refuse(NOT_READY, str(error), headers=_RETRY) from None
        if token is not None:
            raise _unauthenticated("an agent key and a user's token were sent: send one of them", challenge)
        if fits is None:
            raise _unauthenticated("an agent key does not count here: send a user's token", challenge)
        key = await self._ring.find(sent.key)
        if key is None or not fits(key):
            raise _unauthenticated(_UNKNOWN_KEY, challenge)
        return Principal("key", f"key:{key.id}", key.owner_id, key.id, key.quota)


def _owner(principal: Principal) -> Principal:
    """Return an owner.

    Raises:
        HttpError: With 403 if it is a user that the configuration has no owner for.
    """
    if not principal.owner_id:
        raise refuse(FORBIDDEN, "you are no owner here: the gateway's configuration names them")
    return principal


def _nobody(scope: Mapping[str, Any], message: str, challenge: bytes = CHALLENGE) -> HttpError:
    """Return what whoever was not recognised is told, who may believe that they have said who they are."""
    sent = _credentials(scope).token is not None
    return _unauthenticated(_FOREIGN if sent else message, challenge)


def _unauthenticated(message: str, challenge: bytes = CHALLENGE) -> HttpError:
    return refuse(UNAUTHENTICATED, message, headers=((b"www-authenticate", challenge),))


def _credentials(scope: Mapping[str, Any]) -> Credentials:
    """Read the header of a request.

    Raises:
        BadCredentials: If a field stands there twice, two keys differ, or a key is none by its form.
    """
    given = _values(scope, _KEY_FIELD)
    sent = _values(scope, b"authorization")
    if len(given) > 1 or len(sent) > 1:
        raise BadCredentials("a field with credentials stands there twice: send it once")
    bearer = _bearer(sent[0]) if sent else None
    keys = set(given)
    if bearer is not None and bearer.startswith(PREFIX):
        keys.add(bearer)
        bearer = None
    if len(keys) > 1:
        raise BadCredentials(f"{KEY_HEADER} and Authorization have different keys: send one of them")
    key = next(iter(keys), None)
    if key is not None and not FORM.fullmatch(key):
        raise BadCredentials("the agent key is malformed: it is bak_ and 43 characters, as it was issued")
    return Credentials(key, bearer)


def _is_ours(name: bytes, value: bytes, principal: Principal) -> bool:
    if name == _KEY_FIELD:
        return True
    if name != b"authorization":
        return False
    bearer = _bearer(value.decode("latin-1").strip())
    return principal.kind == "user" or (bearer is not None and bearer.startswith(PREFIX))


def _bearer(value: str) -> str | None:
    """Return the token of an Authorization; None where it is of another scheme (RFC 6750 §2.1)."""
    kind, *rest = value.split(maxsplit=1) if value else ("",)
    return (rest[0].strip() if rest else "") if kind.lower() == "bearer" else None


def _values(scope: Mapping[str, Any], name: bytes) -> list[str]:
    return [value.decode("latin-1").strip() for key, value in scope["headers"] if key.lower() == name]
