"""The settings of a gateway, from a file or a mapping, validated by a JSON Schema."""

# pyright: reportIncompatibleVariableOverride=false
# The models are frozen, so a subclass may narrow the type of a field; pyright does not see that they are.

from __future__ import annotations

import os
from collections.abc import Mapping  # noqa: TC003 - pydantic reads it
from pathlib import Path
from typing import Any, Final, Self

from cardwright.canonical import Limits, checked_copy
from cardwright.errors import BadConfiguration, MalformedDocument
from cardwright.rewrite import BadBaseURL, check_base_url
from cardwright.settings_file import Place, faults, read_settings, resolve_settings
from cardwright_gateway.settings.agents import (
    AgentConfig,
    check_agent,
    check_limits,
    check_token,
    read_agent,
    settings_schema,
    validator,
    with_protocol,
)
from cardwright_gateway.settings.more_checks import checked_webhooks, owners_of
from cardwright_gateway_models.settings.gateway import GatewayFile, TaskSettings

# Room for the maximum number of agents, each with a card (project decision).
_LIMITS: Final = Limits(
    max_bytes=64 * 1024 * 1024, max_depth=128, max_members=100_000, max_values=64 * 1024 * 1024
)
# The maximum size of a card that the gateway fetches, too (project decision).
MAX_AGENT_BYTES: Final = 256 * 1024
LOST_SECONDS: Final = TaskSettings().lost_seconds
# Settings of the gateway that are the defaults of every agent.
_FOR_EVERY_AGENT: Final = (
    "stale_seconds", "timeout_seconds", "start_seconds", "invalid_cards", "concurrency", "owner_may_change", "invoke",
)  # fmt: skip
# First path segments of A2A over HTTP: they are in use if an agent is served at the root.
_ROOT_PATHS: Final = frozenset({"v1", "tasks", "extendedAgentCard", "mcp", "report", "queue"})


class GatewayConfig(GatewayFile):
    """The settings of a gateway, with variables, paths and defaults filled in.

    Read them with `from_file` or `from_value`. Without a file, the database is in memory.

    Attributes:
        agents: The agents by id.
        source: The file, for messages; "" without a file.
    """

    agents: Mapping[str, AgentConfig]
    store: str = ":memory:"
    source: str = ""

    @property
    def defaults(self) -> dict[str, Any]:
        """The settings that are the defaults of every agent."""
        return {name: getattr(self, name) for name in _FOR_EVERY_AGENT}

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None) -> Self:
        """Read a YAML or JSON file; SuperX's `agents.yml` is accepted too.

        Args:
            path: The file; read as YAML unless its name ends in `.json`.
            environ: The variables for `${NAME}`. Default: the environment of the process.

        Raises:
            BadConfiguration: If it cannot be read or is invalid; each fault has its JSON Pointer.
        """
        file = Path(path)
        value = read_settings(file, _LIMITS)
        if type(value) is dict:
            value.setdefault("store", GatewayFile.model_fields["store"].default)
        try:
            return cls._read(value, file.absolute().parent, environ, source=str(file))
        except BadConfiguration as error:
            raise BadConfiguration(str(file), *error.faults) from None

    @classmethod
    def from_value(cls, value: Mapping[str, Any], *, environ: Mapping[str, str] | None = None) -> Self:
        """Read the settings from a mapping; relative paths are relative to the working folder.

        Raises:
            BadConfiguration: As `from_file`.
        """
        try:
            copy = checked_copy(dict(value), _LIMITS)
        except MalformedDocument as error:
            raise BadConfiguration("", str(error)) from None
        return cls._read(copy, Path.cwd(), environ)

    @classmethod
    def _read(cls, value: Any, folder: Path, environ: Mapping[str, str] | None, *, source: str = "") -> Self:
        schema = settings_schema()
        found = faults(_with_protocols(value), validator(), schema)
        if found:
            raise BadConfiguration("", *found)
        place = Place(folder, os.environ if environ is None else environ)
        # Editors use $schema.
        others = {name: part for name, part in value.items() if name not in ("$schema", "agents")}
        settings = resolve_settings(others, schema, schema, place)
        _check_urls(settings)
        if "admin_token" in settings:
            check_token(settings["admin_token"], "/admin_token")
        settings["webhooks"] = checked_webhooks(settings.get("webhooks", {}))
        settings["owners"] = owners_of(settings)
        shared = {name: settings[name] for name in _FOR_EVERY_AGENT if name in settings}
        agents = {
            name: read_agent(name, definition, place, shared, at=f"/agents/{name}")
            for name, definition in value["agents"].items()
        }
        config = cls.from_wire({**settings, "agents": agents, "source": source})
        _check_root(config.root, agents, "/root", config)
        for agent in agents.values():
            check_owner(agent, config)
        return config

    def at(self, base_url: str | None = None, root: str | None = None, host: str | None = None) -> Self:
        """Return the settings with the base URL, root and address from the command line.

        Raises:
            BadConfiguration: If the URL is not a valid base URL, or there is no such agent.
        """
        try:
            _check_root(root, self.agents, "--root", self)
        except BadConfiguration as error:
            raise BadConfiguration(self.source, error.reason) from None
        base = self.base_url if base_url is None else _base(base_url, "--base-url")
        grpc = self.grpc
        if grpc is not None and grpc.host is None:
            grpc = grpc.model_copy(update={"host": host})
        return self.model_copy(update={"base_url": base, "root": root or self.root, "grpc": grpc})

    def differences(self, other: GatewayConfig) -> list[str]:
        """Return the names of the settings that differ, but for the agents and what is a default of every agent."""
        names = sorted(set(type(self).model_fields) - {"agents", "source", *_FOR_EVERY_AGENT})
        return [name for name in names if getattr(self, name) != getattr(other, name)]


def network_agent(
    name: str, definition: Any, defaults: Mapping[str, Any], *, stored: bool = False
) -> AgentConfig:
    """Read the settings of an agent from the network: no process, code, file or environment of the gateway.

    Args:
        name: The id of the agent.
        definition: Its settings as written.
        defaults: The gateway's settings for all agents.
        stored: Whether they were accepted before: then limits above the gateway's are lowered, not refused, because the
            operator may have changed the gateway's since.

    Raises:
        BadConfiguration: If they use one of these, violate the schema, are too large, or exceed the gateway's limits.
    """
    check_agent(name, definition, at="")
    if not stored:
        check_limits(definition, defaults, at="")
    agent = read_agent(name, definition, None, defaults, at="")
    if agent.definition_bytes > MAX_AGENT_BYTES:
        message = f"the settings of an agent, with its card, may have at most {MAX_AGENT_BYTES:,} bytes"
        raise BadConfiguration("", message)
    return agent


def trusted_agent(name: str, definition: Mapping[str, Any], defaults: Mapping[str, Any]) -> AgentConfig:
    """Read the settings of an agent that the operator adds while the gateway runs.

    Raises:
        BadConfiguration: If they are invalid.
    """
    at = f"/agents/{name}"
    check_agent(name, definition, at=at)
    return read_agent(name, definition, Place(Path.cwd(), os.environ), defaults, at=at)


def check_owner(agent: AgentConfig, config: GatewayConfig) -> None:
    """Check that the owner of an agent is known.

    Raises:
        BadConfiguration: If there is no such owner.
    """
    if agent.owner and agent.owner not in config.owners:
        at = f"/agents/{agent.id}" if agent.from_file else ""
        raise BadConfiguration(
            "",
            f"{at}/owner: unknown owner; add it to `owners` of the file, where an owner that `owner add` added keeps its tokens",
        )


def _with_protocols(value: Any) -> Any:
    agents = value.get("agents") if type(value) is dict else None
    if type(agents) is not dict:
        return value
    return {**value, "agents": {name: with_protocol(agent) for name, agent in agents.items()}}


def _check_root(
    root: str | None, agents: Mapping[str, AgentConfig], at: str, settings: GatewayConfig
) -> None:
    if root is None:
        return
    if root not in agents:
        raise BadConfiguration("", f"{at}: unknown agent {root!r}; use the id of one of the agents")
    if agents[root].visibility == "private":
        raise BadConfiguration(
            "",
            f"/agents/{root}/visibility: the agent at the root cannot be private; set visibility: public, or"
            " choose another root",
        )
    if settings.compat is not None:
        raise BadConfiguration(
            "", f"{at}: the agent at the root has paths that `compat` has, too; use one of the two"
        )
    if settings.short_urls:
        raise BadConfiguration(
            "", f"{at}: the paths of short URLs are those of the agent at the root; use one of the two"
        )
    taken = sorted(_ROOT_PATHS.intersection(agents))
    if taken:
        raise BadConfiguration(
            "", f"/agents/{taken[0]}: this id is a path of the agent at the root; use another id"
        )


def _check_urls(settings: dict[str, Any]) -> None:
    if "base_url" in settings:
        settings["base_url"] = _base(settings["base_url"], "/base_url")
    if "proxies" in settings:
        bases = enumerate(settings["proxies"]["base_urls"])
        settings["proxies"]["base_urls"] = [_base(url, f"/proxies/base_urls/{index}") for index, url in bases]


def _base(url: str, at: str) -> str:
    try:
        return check_base_url(url)
    except BadBaseURL as error:
        raise BadConfiguration("", f"{at}: {error}") from None
