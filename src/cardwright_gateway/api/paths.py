"""Which path leads to what; read as it was sent, each step by itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import quote, unquote_to_bytes

from cardwright.serve.routes import CARD_PATH, LEGACY_PATH
from cardwright.serve.settings import CARD_ID

if TYPE_CHECKING:
    from collections.abc import Container

    from cardwright.http.request import Scope

Kind = Literal["card", "legacy", "jsonrpc", "rest", "report", "work", "invoke", "mcp"]
_CARDS: Final[dict[str, Kind]] = {CARD_PATH: "card", LEGACY_PATH: "legacy"}
# BeeOS seed §1; MCP's streamable HTTP has one path for all.
_OWN: Final[dict[str, Kind]] = {"v1/invoke": "invoke", "mcp": "mcp"}
# What a step of a path may hold as it is (RFC 3986 §3.3).
_SAFE: Final = "-._~!$&'()*+,;=:@"
_MOST_STEPS: Final = 12
_LONGEST: Final = 2048
# A2A 1.0 §11.3 and 0.3 §3.5.3: the routes of REST, below `/v1` in 0.3, below a tenant in 1.0.
_TASK: Final = r"tasks/[^/]+"
_REST: Final = re.compile(
    rf"(?:message:send|message:stream|tasks|{_TASK}|{_TASK}/pushNotificationConfigs(?:/[^/]+)?|extendedAgentCard)"
)
_REST_0_3: Final = re.compile(
    rf"v1/(?:message:send|message:stream|tasks|{_TASK}|{_TASK}/pushNotificationConfigs(?:/[^/]+)?|card)"
)
EXTENDED: Final = frozenset({"extendedAgentCard", "v1/card"})


@dataclass(frozen=True, slots=True)
class Target:
    """What a path leads to.

    Attributes:
        kind: Of what.
        agent_id: Of which agent; "" at the root.
        rest: What stands behind the agent, each step quoted, without a slash at its beginning.
        version: The version of A2A that a path of REST belongs to.
    """

    kind: Kind
    agent_id: str
    rest: str = ""
    version: str = ""

    @property
    def extended(self) -> bool:
        """Whether it is REST's path of the extended card."""
        return self.rest.rpartition("/")[2] == "extendedAgentCard" or self.rest in EXTENDED


def target_of(scope: Scope, *, root: bool, ids: Container[str] = ()) -> Target | None:
    """Return what the path of a request leads to; None where that is nothing of an agent.

    Args:
        scope: The ASGI scope.
        root: Whether an agent is mounted at the host's root.
        ids: The agents: their paths go before what might be a tenant's of the agent at the root.
    """
    sent = sent_path(scope)
    steps = _steps(sent)
    if steps is None:
        return None
    if steps and steps[0] == "agents":
        return _below(steps[1], steps[2:]) if len(steps) > 1 and CARD_ID.fullmatch(steps[1]) else None
    if root and not (steps and steps[0] in ids) and (found := _below("", steps)) is not None:
        return found
    return _below(steps[0], steps[1:]) if steps and CARD_ID.fullmatch(steps[0]) else None


def sent_path(scope: Scope) -> str:
    """Return the path as it was sent, below the place where the gateway is mounted."""
    raw = scope.get("raw_path")
    sent = (
        raw.partition(b"?")[0].decode("latin-1")
        if isinstance(raw, bytes) and raw
        else quote(str(scope["path"]))
    )
    root = str(scope.get("root_path", "")).rstrip("/")
    return sent[len(root) :] or "/" if root and sent.startswith(f"{root}/") else sent


def _steps(sent: str) -> list[str] | None:
    """Return the steps of a path, percent-encoding undone; None where two readers might see two paths in it."""
    if len(sent) > _LONGEST or not sent.startswith("/"):
        return None
    parts = sent[1:].split("/")
    if parts[-1] == "":
        parts.pop()
    found: list[str] = []
    for part in parts:
        try:
            step = unquote_to_bytes(part).decode("utf-8")
        except UnicodeDecodeError:
            return None
        # Some servers leave out what stands behind a semicolon, and find another step before it.
        if step.partition(";")[0] in ("", ".", "..") or any(
            c in "/\\%?#" or not c.isprintable() for c in step
        ):
            return None
        found.append(step)
    return found if len(found) <= _MOST_STEPS else None


def _below(agent_id: str, steps: list[str]) -> Target | None:
    rest = "/".join(quote(step, safe=_SAFE) for step in steps)
    if not rest:
        return Target("jsonrpc", agent_id)
    if (kind := _CARDS.get(f"/{rest}")) is not None:
        return Target(kind, agent_id)
    if rest in _OWN:
        return Target(_OWN[rest], agent_id)
    if rest == "report":
        return Target("report", agent_id)
    if steps[0] == "queue" and len(steps) <= 3:
        return Target("work", agent_id, rest)
    if _REST_0_3.fullmatch(rest):
        return Target("rest", agent_id, rest, "0.3")
    # A tenant may stand before it (A2A 1.0 §11.3).
    if _REST.fullmatch(rest) or _REST.fullmatch("/".join(rest.split("/")[1:])):
        return Target("rest", agent_id, rest, "1.0")
    return None
