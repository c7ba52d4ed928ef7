"""The settings of one agent, completed, and how the gateway connects to it."""

# pyright: reportIncompatibleVariableOverride=false
# The models are frozen, so a subclass may narrow the type of a field; pyright does not see that they are.

from __future__ import annotations

import json
from collections.abc import Mapping  # noqa: TC003 - pydantic reads it
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal

from cardwright.discovery.header_settings import check_header
from cardwright.errors import BadConfiguration, ConnectionDenied
from cardwright.guard import target_of
from cardwright.settings_file import faults, resolve_settings
from cardwright_gateway.settings.server_source import transport_of
from cardwright_gateway_models.settings.gateway import Agent, Queue
from cardwright_runtime.engine import compile_schema, load

if TYPE_CHECKING:
    from jsonschema_rs import Validator

    from cardwright.settings_file import Place

Protocol = Literal["a2a", "mcp", "managed"]

# An owner must not take more of the gateway than its operator allows each agent.
_LIMITED: Final = ("concurrency", "timeout_seconds")
# Shorter tokens can be guessed.
_MIN_TOKEN_CHARACTERS: Final = 16


@dataclass(frozen=True, slots=True)
class Stdio:
    """An MCP server that the gateway starts and talks to over pipes; `cwd` is absolute."""

    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    cwd: str | None = None


@dataclass(frozen=True, slots=True)
class Http:
    """An agent or an MCP server that the gateway reaches over HTTP.

    Attributes:
        url: The URL.
        headers: Header fields that are sent to its origin only; they may be secrets.
        configured: Its origin, if the configuration file names it: then any address is allowed.
        sse: Whether it uses MCP's older transport.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    configured: str | None = None
    sse: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A callable of this process, as `package.module:name`."""

    path: str


Connection = Stdio | Http | Function | Queue


class AgentConfig(Agent):
    """The settings of one agent, with variables, paths and defaults filled in.

    Attributes:
        id: The agent's id; part of URL paths.
        connection: How the gateway reaches the agent; None if nothing executes it.
        from_file: Whether the configuration file has the agent; any other was added over the network.
        definition: The settings as received, for an agent that was added.
        definition_bytes: Their size as JSON.
    """

    id: str
    protocol: Protocol = "a2a"
    owner: str = ""
    access: Literal["open", "keys"] = "open"
    tasks: Literal["pass", "own"] = "pass"
    connection: Connection | None = None
    from_file: bool = True
    definition: Mapping[str, Any] = {}
    definition_bytes: int = 0


@cache
def validator() -> Validator:
    """Return the validator of a whole settings file."""
    return compile_schema(settings_schema())


def settings_schema() -> Any:
    """Return the JSON Schema of a settings file; callers must not change it."""
    return load("cardwright_rules.settings", "gateway.json")


def with_protocol(definition: Any) -> Any:
    """Return the settings of an agent with its protocol, which follows from the other fields (SuperX, Agent.Loader)."""
    if type(definition) is not dict or "protocol" in definition:
        return definition
    if not {"transport", "command", "source"}.isdisjoint(definition):
        return {**definition, "protocol": "mcp"}
    managed = "card" in definition or ("backend" in definition and "url" not in definition)
    return {**definition, "protocol": "managed" if managed else "a2a"}


def check_agent(name: str, definition: Any, *, at: str) -> None:
    """Validate the id and the settings of an agent that the settings file does not have.

    Raises:
        BadConfiguration: If they violate the schema; `at` is the pointer of the agent.
    """
    value = {"agents": {name: with_protocol(definition)}}
    found = faults(value, validator(), settings_schema())
    if found:
        raise BadConfiguration("", *(fault.replace(f"/agents/{name}", at) for fault in found))


def check_limits(
    definition: Mapping[str, Any], defaults: Mapping[str, Any], *, at: str, whose: str = "the gateway's"
) -> None:
    """Check that settings from the network do not exceed the operator's limits.

    Args:
        definition: The settings.
        defaults: The operator's.
        at: The pointer of the agent, for messages.
        whose: Whose limits these are, for messages.

    Raises:
        BadConfiguration: If they do.
    """
    found = [
        f"{at}/{name}: {definition[name]:g} is more than {whose} {name}, {defaults[name]:g}; "
        f"use {defaults[name]:g} or less, or ask the operator to raise {whose}"
        for name in _LIMITED
        if name in definition and name in defaults and definition[name] > defaults[name]
    ]
    if found:
        raise BadConfiguration("", *found)


def _limited(value: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return the limited settings, lowered to the gateway's: they may be older than its own."""
    return {name: min(value[name], defaults[name]) for name in _LIMITED if name in value and name in defaults}


def read_agent(
    name: str, definition: Mapping[str, Any], place: Place | None, defaults: Mapping[str, Any], *, at: str
) -> AgentConfig:
    """Return the settings of one agent that the schema accepts.

    Args:
        name: The id of the agent.
        definition: Its settings as written.
        place: The folder and environment of the file; None for settings from the network, whose limits are lowered to
            the gateway's.
        defaults: The gateway's settings for all agents.
        at: The pointer of the agent, for messages.

    Raises:
        BadConfiguration: If a value is invalid, or only the configuration file may set it.
    """
    schema = {"$ref": "#/$defs/Agent"}
    value = resolve_settings(with_protocol(definition), schema, settings_schema(), place, at)
    if "source" in value:
        source = value["source"]
        value = {name: inner for name, inner in value.items() if name != "source"}
        value["transport"] = transport_of(source, f"{at}/source")
    owner = value.get("owner", "")
    access = value.get("access", "keys" if owner else "open")
    return AgentConfig.from_wire(
        {
            **defaults,
            **value,
            **({} if place else _limited(value, defaults)),
            **_card_url(value, at),
            "id": name,
            "access": access,
            "tasks": value.get("tasks", "own" if access == "keys" else "pass"),
            "connection": _connection(value, at, from_file=place is not None),
            "from_file": place is not None,
            "definition": {} if place else dict(definition),
            "definition_bytes": 0 if place else len(json.dumps(definition)),
        }
    )


def check_token(token: str, at: str) -> str:
    """Return a token that can be sent in a header and is hard to guess.

    Raises:
        BadConfiguration: If it is too short, or has other characters than visible ASCII.
    """
    if len(token) < _MIN_TOKEN_CHARACTERS or not token.isascii() or not token.isprintable() or " " in token:
        raise BadConfiguration(
            "", f"{at}: a token needs {_MIN_TOKEN_CHARACTERS} or more visible ASCII characters"
        )
    return token


def _card_url(value: Mapping[str, Any], at: str) -> dict[str, str]:
    """Return the URL of the card, which SuperX keeps in `metadata.agentCard.url`."""
    url = value.get("card_url")
    if url is None and value["protocol"] == "a2a":
        card = value.get("metadata", {}).get("agentCard")
        noted = card.get("url") if type(card) is dict else None
        # It is the URL of the card or of the agent: only a card URL is useful here.
        url = noted if type(noted) is str and "/.well-known/" in noted else None
    return {"card_url": _url(url, f"{at}/card_url")} if url else {}


def _connection(value: Mapping[str, Any], at: str, *, from_file: bool) -> Connection | None:
    if value["protocol"] == "managed":
        return _backend(value, at, from_file=from_file)
    target = value.get("transport", value)
    at = f"{at}/transport" if "transport" in value else at
    if "command" in target:
        return Stdio(
            target["command"], tuple(target.get("args", ())), target.get("env", {}), target.get("cwd")
        )
    return _http(value, target, at, from_file=from_file)


def _backend(value: Mapping[str, Any], at: str, *, from_file: bool) -> Connection | None:
    backend = value.get("backend", {})
    if "python" in backend:
        return Function(backend["python"])
    if "queue" in backend:
        queue = Queue.from_wire(backend["queue"])
        check_token(queue.token, f"{at}/backend/queue/token")
        return queue
    return _http(value, backend, f"{at}/backend", from_file=from_file) if backend else None


def _http(value: Mapping[str, Any], target: Mapping[str, Any], at: str, *, from_file: bool) -> Http:
    url = _url(target["url"], f"{at}/url")
    headers = {**value.get("headers", {}), **target.get("headers", {})}
    for name, content in headers.items():
        check_header(at, name, content)
    if value.get("bearer"):
        if any(name.lower() == "authorization" for name in headers):
            raise BadConfiguration(
                "", f"{at}/bearer: the headers already have an Authorization field; remove one of the two"
            )
        check_header(at, "Authorization", value["bearer"])
        headers["Authorization"] = f"Bearer {value['bearer']}"
    origin = target_of(url).origin if from_file else None
    return Http(url, headers, origin, sse=target.get("type") == "sse")


def _url(url: str, at: str) -> str:
    try:
        return target_of(url).url
    except ConnectionDenied as error:
        raise BadConfiguration("", f"{at}: {error.reason}") from None
