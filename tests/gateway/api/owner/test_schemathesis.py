"""The OpenAPI description of the gateway's own API, checked by Schemathesis in this process."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from schemathesis.specs.openapi.checks import negative_data_rejection

from cardwright.guard import GuardedClient
from cardwright_gateway import Gateway
from cardwright_gateway.api.owner.openapi import description_bytes
from cardwright_gateway.auth.authenticator import Authenticator
from cardwright_gateway.errors import UnknownAgent
from tests.gateway.api.owner.gateways import AGENTS, JWT, OWNERS, Owned, Users, files_of
from tests.gateway.gateways import BASE
from tests.openapi_checks import CHECKED, CHECKS

if TYPE_CHECKING:
    from schemathesis import Case

    from cardwright_gateway.auth.principal import Principal

OPENAPI = "/api/v1/openapi.json"
# Existing ids for path parameters, so that responses are not all 404.
KNOWN = {
    "AgentId": ["greeter", "bos", "absent"],
    "AgentQuery": ["greeter", "bos", "absent"],
    "KeyId": ["key_0", "key_1", "key_none"],
    "TaskId": ["t-1", "t-none"],
    "WebhookId": ["w-1"],
    "DeliveryId": ["dlv_0", "dlv_1", "dlv_none"],
}


class Known(Authenticator):
    """Knows the users of these tests by their names."""

    async def user(self, scope: Any) -> Principal:
        return await Users().user(scope)

    async def principal(self, agent: Any, scope: Any) -> Principal:
        principal = await Users().principal(agent, scope)
        if agent.visibility == "private" and principal.owner_id != agent.owner:
            raise UnknownAgent(agent.id)
        return principal


class Application:
    """The gateway, with a description that names what is there.

    Args:
        whole: Whether to call the whole application of the gateway, and not only the parts under test.
    """

    def __init__(self, *, whole: bool) -> None:
        self._whole = whole
        self._owned: Owned | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            # It is opened and closed for every request: what is kept in memory would be gone.
            await _opened_and_closed(receive, send)
        elif scope["path"] == OPENAPI and scope["method"] == "GET" and scope["query_string"] == b"named":
            body = json.dumps(_named(compat=self._whole)).encode()
            start = {"type": "http.response.start", "status": 200}
            await send({**start, "headers": [(b"content-type", b"application/json")]})
            await send({"type": "http.response.body", "body": body})
        else:
            target: Any = self._gateway().gateway if self._whole else self._gateway()
            await target(scope, receive, send)

    def _gateway(self) -> Owned:
        if self._owned is None:
            limits = {"requests": 0}
            running = Gateway(
                {
                    "base_url": BASE,
                    "agents": AGENTS,
                    "owners": OWNERS,
                    "jwt": JWT,
                    "invoke": True,
                    "compat": "beeos",
                    "limits": limits,
                }
            )
            running.identity = Known(running.config, running.keys, GuardedClient())
            self._owned = Owned(running, files_of(running))
            for _ in range(2):
                self._owned.keys.issue("greeter", "ada", actor="", name="", quota=None, expires_at=None)
        return self._owned


async def _opened_and_closed(receive: Any, send: Any) -> None:
    while (kind := (await receive())["type"]) in ("lifespan.startup", "lifespan.shutdown"):
        await send({"type": f"{kind}.complete"})
        if kind == "lifespan.shutdown":
            return


def _named(*, compat: bool) -> dict[str, Any]:
    document = json.loads(description_bytes(BASE, compat=compat))
    for name, values in KNOWN.items():
        document["components"]["parameters"][name]["schema"] = {"type": "string", "enum": values}
    return dict(document)


@cache
def application(*, whole: bool) -> Application:
    return Application(whole=whole)


described = schemathesis.openapi.from_asgi(f"{OPENAPI}?named", application(whole=False))
wholly = schemathesis.openapi.from_asgi(f"{OPENAPI}?named", application(whole=True))


@pytest.mark.parametrize("who", ["ada", None])
@described.parametrize()  # pyright: ignore[reportUntypedFunctionDecorator] # it has no types
@CHECKED
def test_the_owner_api_conforms_to_its_openapi_description(case: Case[Any], who: str | None) -> None:
    case.headers.pop("Authorization", None)
    if who:
        case.headers["Authorization"] = f"Bearer {who}"
    case.call_and_validate(checks=[*CHECKS, negative_data_rejection] if who else CHECKS)


@wholly.parametrize()  # pyright: ignore[reportUntypedFunctionDecorator] # it has no types
@CHECKED
def test_the_whole_gateway_conforms_to_its_openapi_description(case: Case[Any]) -> None:
    case.headers["Authorization"] = "Bearer ada"
    case.call_and_validate(checks=[*CHECKS, negative_data_rejection])
