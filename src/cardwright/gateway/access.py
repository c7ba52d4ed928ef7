"""Who is let in to an agent, how often, and what the agent is told of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson

from cardwright.errors import CardError
from cardwright.gateway.bodies import value_of
from cardwright.gateway.bridge.callers import Caller
from cardwright.gateway.bridge.endpoint import SENDER
from cardwright.gateway.observing import seen_in
from cardwright.gateway.tasks.owning import owner_of
from cardwright.serve.problems import BAD_HEADER, Refused, refuse

if TYPE_CHECKING:
    from cardwright.gateway.agent import Agent
    from cardwright.gateway.gateway import Gateway
    from cardwright.gateway.identity.principal import Principal
    from cardwright.serve.requests import Scope

# BeeOS seed §2.1.
ATTRIBUTION: Final = b"x-a2a-agent-id"
_LONGEST_ATTRIBUTION: Final = 256


@dataclass(frozen=True, slots=True)
class Visit:
    """A request that was let in.

    Attributes:
        agent: To whom.
        principal: Who is asking.
        sender: What agents are told of who is asking (BeeOS seed §2.1): whom the gateway recognised, and whom
            the caller says it asks for, which nobody has verified.
        scope: The request, without the credentials that the gateway itself read.
    """

    agent: Agent
    principal: Principal
    sender: dict[str, str]
    scope: Scope

    def said(self, body: bytes, max_bytes: int) -> bytes:
        """Return the body of a call that passes through, with who is asking in its message (BeeOS seed §2.1).

        Where the gateway knows nothing of who asks and the agent has no owner, the body stays as it came.

        Raises:
            Refused: If the body is no JSON that may be read.
        """
        if not body or not (self.sender or self.agent.config.owner):
            return body
        value = value_of(body, max_bytes)
        params: Any = value.get("params", value) if type(value) is dict else None
        # The proto of A2A 0.3 calls it `request`, and readers of ProtoJSON take either name.
        held = [params.get(name) for name in ("message", "request")] if type(params) is dict else []
        messages = [one for one in held if type(one) is dict]
        if not messages:
            return body
        for holder in (params, *messages):
            metadata = holder.get("metadata")
            if type(metadata) is dict:
                metadata.pop("from", None)
        if self.sender:
            for message in messages:
                metadata = message.get("metadata")
                message["metadata"] = {**(metadata if type(metadata) is dict else {}), "from": self.sender}
        return orjson.dumps(value)

    def inner(self, path: str) -> Scope:
        """Return the request as what speaks A2A for the agent sees it."""
        told: dict[str, Any] = {"path": path, "raw_path": path.encode(), "root_path": ""}
        if self.sender or self.agent.config.owner or self.agent.config.tasks == "own":
            told[SENDER] = self.sender
        if self.agent.config.tasks == "own":
            told["user"] = Caller(owner_of(self.agent.id, self.principal.name))
        elif self.principal.name:
            told["user"] = Caller(self.principal.name)
        return {**self.scope, **told}


async def admitted(gateway: Gateway, agent_id: str, scope: Scope) -> Visit:
    """Let a request in.

    Raises:
        UnknownAgent: If there is no such agent, or whoever asks may not know that there is.
        Refused: If it has no credentials that hold, or comes too often.
    """
    agent = gateway.agent(agent_id)
    principal = await gateway.identity.principal(agent.config, scope)
    seen = seen_in(scope)
    seen.key = principal.key_id
    sender = _sender(principal, scope)
    if principal.name or gateway.config.platform.limits.anonymous:
        try:
            await gateway.limiter.admit(agent.id, principal, _address(scope))
        except Refused:
            seen.limited = True
            raise
    headers = gateway.identity.strip(scope["headers"], principal)
    return Visit(agent, principal, sender, {**scope, "headers": headers})


async def is_owner(gateway: Gateway, agent: Agent, scope: Scope) -> bool:
    """Whether an agent's own owner asks; whoever does not prove that is somebody else."""
    try:
        return gateway.identity.owns(agent.config, await gateway.identity.user(scope))
    except (Refused, CardError):
        return False


def _sender(principal: Principal, scope: Scope) -> dict[str, str]:
    said = [value for name, value in scope["headers"] if name == ATTRIBUTION]
    told = {"owner_id": principal.owner_id} if principal.owner_id else {}
    if not said:
        return told
    text = said[0].decode("latin-1").strip()
    if len(said) > 1 or len(text) > _LONGEST_ATTRIBUTION or not text.isascii() or not text.isprintable():
        raise refuse(
            BAD_HEADER, f"X-A2A-Agent-ID is one text of up to {_LONGEST_ATTRIBUTION} visible ASCII characters"
        )
    return {**told, "caller_id": text} if text else told


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""
