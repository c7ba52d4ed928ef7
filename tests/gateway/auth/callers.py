"""Agents, keys, tokens and clocks shared by authentication tests."""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright.guard import GuardedClient, Response
from cardwright.guard.responses import Headers
from cardwright.http.problem import HttpError
from cardwright_gateway.auth import Authenticator
from cardwright_gateway.auth.agent_keys import AgentKeys
from cardwright_gateway.database.tables import open_database
from cardwright_gateway.settings.agents import AgentConfig
from cardwright_gateway.settings.config import GatewayConfig
from cardwright_gateway_models.settings.gateway import Issuer, Owner
from tests.tokens import AUDIENCE, ISSUER, NOW, PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardwright.store.database import Database
    from cardwright_gateway.auth import Principal

OPEN = AgentConfig(id="open", protocol="managed")
PUBLIC = AgentConfig(id="public", protocol="managed", owner="ada", access="keys")
UNLISTED = AgentConfig(id="unlisted", protocol="managed", owner="ada", access="keys", visibility="unlisted")
SECRET = AgentConfig(id="secret", protocol="managed", owner="ada", access="keys", visibility="private")
AGENTS = (OPEN, PUBLIC, UNLISTED, SECRET)


def public_of(*keys: dict[str, str]) -> bytes:
    """The public key set of some keys."""
    kept = ("kty", "crv", "x", "y", "n", "e", "kid", "alg", "use")
    return json.dumps({"keys": [{n: v for n, v in key.items() if n in kept} for key in keys]}).encode()


def scope(*headers: tuple[str, str]) -> dict[str, Any]:
    """A request with a header."""
    return {"headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]}


def bearer(secret: str) -> dict[str, Any]:
    return scope(("Authorization", f"Bearer {secret}"))


def key_header(secret: str) -> dict[str, Any]:
    return scope(("X-Agent-API-Key", secret))


@dataclass
class Clock:
    """A clock that the test sets."""

    now: float = float(NOW)

    def __call__(self) -> float:
        return self.now


@dataclass
class Fetched(GuardedClient):
    """HTTP client with fixed responses; records its requests."""

    answers: dict[str, bytes] = field(default_factory=dict[str, bytes])
    requests: list[str] = field(default_factory=list[str])
    hangs: bool = False

    def __post_init__(self) -> None:
        super().__init__()

    async def get(self, url: str, **_: Any) -> Response:
        self.requests.append(url)
        await asyncio.Event().wait() if self.hangs else await asyncio.sleep(0)
        body = self.answers.get(url)
        return Response(url, 200 if body is not None else 503, Headers([]), body or b"canary")


class Counted(AgentKeys):
    """A table of keys that counts database queries."""

    requests = 0

    def find_all(self, digests: Any) -> Any:
        self.requests += 1
        return super().find_all(digests)


@dataclass
class AuthSetup:
    """An authenticator with its table of keys and its clock."""

    database: Database
    keys: Counted
    authenticator: Authenticator
    clock: Clock
    client: Fetched

    def who(self, agent: AgentConfig, request: dict[str, Any]) -> Principal:
        """Return who sends a request."""
        return asyncio.run(self.authenticator.principal(agent, request))

    def refused(self, agent: AgentConfig, request: dict[str, Any]) -> HttpError:
        """Return the refusal of a request."""
        try:
            found = self.who(agent, request)
        except HttpError as error:
            return error
        raise AssertionError(f"it was let in as {found}")

    def issued(self, agent: AgentConfig = PUBLIC, **more: Any) -> str:
        """Issue a key, and return its secret."""
        return self.keys.issue(agent.id, agent.owner, actor="test", **more)[1]


def platform(jwks: str) -> GatewayConfig:
    """One issuer, and one owner whose tokens are its."""
    issuer = Issuer(issuer=ISSUER, audience=AUDIENCE, jwks=jwks, algorithms=["ES256"])
    owner = Owner(name="Ada", subject="ada", issuer=ISSUER)
    return GatewayConfig(agents={}, owners={"ada": owner}, jwt=[issuer])


def auth_setup(
    folder: Path, config: GatewayConfig | None = None, place: str = ":memory:"
) -> Iterator[AuthSetup]:
    """Yield an authenticator whose issuer has its keys in a file."""
    file = folder / "jwks.json"
    if not file.exists():
        file.write_bytes(public_of(PRIVATE))
    clock, client = Clock(), Fetched()
    with closing(open_database(place, wait_seconds=5)) as database:
        keys = Counted(database, clock)
        identity = Authenticator(config or platform(str(file)), keys, client, clock, wall=clock)
        yield AuthSetup(database, keys, identity, clock, client)
