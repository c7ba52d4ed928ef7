"""The settings of a gateway, read from a file or given as a value; a JSON Schema validates them."""

# pyright: reportIncompatibleVariableOverride=false
# The models are frozen, so a subclass may narrow the type of a field; pyright does not see that they are.

from __future__ import annotations

import os
from collections.abc import Mapping  # noqa: TC003 - pydantic reads it
from pathlib import Path
from typing import Any, Final, Self

from cardwright.canonical import Limits, copied
from cardwright.discovery.settings_file import Place, faults, filled_in, read_settings
from cardwright.errors import BadConfiguration, MalformedDocument
from cardwright.rewrite import BadBaseURL, check_base_url
from cardwright_gateway.settings.agents import (
    AgentConfig,
    check_agent,
    check_token,
    read_agent,
    settings_schema,
    validator,
    with_protocol,
)
from cardwright_gateway.settings.owners import owners_of
from cardwright_gateway.settings.webhooks import checked_webhooks
from cardwright_models.settings.gateway import GatewayFile, TaskSettings

# As many agents as the schema allows, each perhaps with its card (project decision).
_LIMITS: Final = Limits(max_bytes=64 * 1024 * 1024, max_depth=128, max_members=100_000)
LOST_SECONDS: Final = TaskSettings().lost_seconds
# Settings of the file that hold for every agent which has not its own.
_FOR_EVERY_AGENT: Final = (
    "stale_seconds", "timeout_seconds", "start_seconds", "invalid_cards", "concurrency", "invoke",
)  # fmt: skip
# What A2A over HTTP has right below the root, where one agent is also served at the root.
_ROOT_PATHS: Final = frozenset({"v1", "tasks", "extendedAgentCard", "mcp", "report", "queue"})


class GatewayConfig(GatewayFile):
    """The settings of a gateway: variables, paths and defaults are filled in.

    Read it by `from_file` or `from_value`. Without a file the database is in memory.

    Attributes:
        agents: The agents by their ids.
        source: The file, for messages; "" if there is none.
    """

    agents: Mapping[str, AgentConfig]
    store: str = ":memory:"
    source: str = ""

    @property
    def defaults(self) -> dict[str, Any]:
        """The settings that hold for every agent which has not its own."""
        return {name: getattr(self, name) for name in _FOR_EVERY_AGENT}

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None) -> Self:
        """Read a file of YAML or JSON; SuperX's `agents.yml` is one.

        Args:
            path: The file; anything that does not end in `.json` is read as YAML.
            environ: Where `${NAME}` is looked up; the process's own environment if not given.

        Raises:
            BadConfiguration: If it cannot be read, or has faults; each is named with its JSON Pointer.
        """
        file = Path(path)
        value = read_settings(file, _LIMITS)
        if type(value) is dict:
            value.setdefault("store", GatewayFile.model_fields["store"].default)
        try:
            return cls._read(value, file.absolute().parent, environ, source=str(file))
        except BadConfiguration as error:
            raise BadConfiguration(str(file), error.reason) from None

    @classmethod
    def from_value(cls, value: Mapping[str, Any], *, environ: Mapping[str, str] | None = None) -> Self:
        """Read the same as a value; relative paths count from the working folder.

        Raises:
            BadConfiguration: As `from_file`.
        """
        try:
            copy = copied(dict(value), _LIMITS)
        except MalformedDocument as error:
            raise BadConfiguration("", str(error)) from None
        return cls._read(copy, Path.cwd(), environ)

    @classmethod
    def _read(cls, value: Any, folder: Path, environ: Mapping[str, str] | None, *, source: str = "") -> Self:
        schema = settings_schema()
        wrong = faults(_with_protocols(value), validator(), schema)
        if wrong:
            raise BadConfiguration("", "; ".join(wrong))
        place = Place(folder, os.environ if environ is None else environ)
        # A name such as $schema is for editors.
        others = {name: part for name, part in value.items() if name not in ("$schema", "agents")}
        settings = filled_in(others, schema, schema, place)
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
        _check_root(config.root, agents, "/root")
        for agent in agents.values():
            check_owner(agent, config)
        return config

    def at(self, base_url: str | None = None, root: str | None = None) -> Self:
        """Return the configuration with another base URL or root, as the command line gives them.

        Raises:
            BadConfiguration: If the URL cannot be a base URL, or there is no such agent.
        """
        try:
            _check_root(root, self.agents, "--root")
        except BadConfiguration as error:
            raise BadConfiguration(self.source, error.reason) from None
        base = self.base_url if base_url is None else _base(base_url, "--base-url")
        return self.model_copy(update={"base_url": base, "root": root or self.root})


def network_agent(name: str, definition: Any, defaults: Mapping[str, Any]) -> AgentConfig:
    """Read an agent that was added over the network: it uses no process, code, file or environment of the gateway.

    Raises:
        BadConfiguration: If it uses one, or breaks the schema.
    """
    check_agent(name, definition, at="")
    return read_agent(name, definition, None, defaults, at="")


def trusted_agent(name: str, definition: Mapping[str, Any], defaults: Mapping[str, Any]) -> AgentConfig:
    """Read an agent that the operator adds while the gateway runs.

    Raises:
        BadConfiguration: If it has faults.
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
        raise BadConfiguration("", f"{at}/owner: there is no such owner: add it to `owners`")


def _with_protocols(value: Any) -> Any:
    agents = value.get("agents") if type(value) is dict else None
    if type(agents) is not dict:
        return value
    return {**value, "agents": {name: with_protocol(one) for name, one in agents.items()}}


def _check_root(root: str | None, agents: Mapping[str, AgentConfig], at: str) -> None:
    if root is None:
        return
    if root not in agents:
        raise BadConfiguration("", f"{at}: there is no agent {root!r}")
    if agents[root].visibility == "private":
        raise BadConfiguration(
            "",
            f"/agents/{root}/visibility: every caller finds the agent at the root, so it cannot be private",
        )
    taken = sorted(_ROOT_PATHS.intersection(agents))
    if taken:
        raise BadConfiguration(
            "", f"/agents/{taken[0]}: with an agent at the root, this id is a path of that agent: rename it"
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
