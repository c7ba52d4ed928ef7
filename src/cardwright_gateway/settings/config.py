"""What the operator says of a gateway: one file, or the same as a value; judged by a schema of ours."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from cardwright.canonical import Limits, copied
from cardwright.discovery.settings_file import faults, filled_in, read_settings
from cardwright.errors import BadConfiguration, MalformedDocument
from cardwright.rewrite import BadBaseURL, check_base_url
from cardwright_gateway.settings.agents import AgentConfig, Place, read_agent
from cardwright_gateway.settings.platform import Platform, read_platform
from cardwright_runtime.engine import compile_schema, load

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jsonschema_rs import Validator

# A file with thousands of agents, each perhaps with its card (ours).
_LIMITS: Final = Limits(max_bytes=64 * 1024 * 1024, max_depth=128)
DEFAULT_STORE: Final = "gateway.db"


@dataclass(frozen=True, slots=True)
class SigningConfig:
    """The key that the gateway signs with; paths are absolute."""

    key: str
    alg: str
    kid: str | None = None
    jku: str | None = None
    state: str | None = None


@dataclass(frozen=True, slots=True)
class ProxiesConfig:
    """Trusted proxies, as `TrustedProxies` takes them."""

    networks: tuple[str, ...]
    base_urls: tuple[str, ...]
    told_by: str = "x-forwarded"


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayConfig:
    """All that a gateway is told; read by `from_file` or `from_value`. Paths are absolute.

    Attributes:
        agents: By their ids.
        base_url: The public URL, without a slash at its end; None where the command tells it.
        proxies: Proxies that tell it with each request instead.
        hosts: More names that requests may be sent to.
        root: The agent that is also served at the root.
        store: A path of an SQLite file, `:memory:`, or a URL of a database.
        admin_token: What changes over the network need; None where there are none.
        allow: Networks that may be dialled though they are not public.
        ports: Ports that may be dialled at public addresses.
        keys: Files of keys that signatures are verified by.
        jku: Origins whose key sets are trusted.
        signing: The key that cards are signed with.
        ttl_seconds: How long a fetched card is fresh.
        max_body_bytes: The greatest body of a request.
        platform: What is said of callers: owners, limits, tasks, webhooks, files.
        source: The file, for messages; "" where there is none.
    """

    agents: Mapping[str, AgentConfig]
    base_url: str | None = None
    proxies: ProxiesConfig | None = None
    hosts: tuple[str, ...] = ()
    root: str | None = None
    store: str = ":memory:"
    admin_token: str | None = field(default=None, repr=False)
    allow: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    keys: tuple[str, ...] = ()
    jku: tuple[str, ...] = ()
    signing: SigningConfig | None = None
    ttl_seconds: float = 300.0
    max_body_bytes: int = 8 * 1024 * 1024
    platform: Platform = field(default_factory=Platform)
    defaults: Mapping[str, Any] = field(default_factory=dict[str, Any])
    source: str = ""

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, environ: Mapping[str, str] | None = None) -> Self:
        """Read a file of YAML or JSON; SuperX's `agents.yml` is one.

        Args:
            path: The file; anything that does not end in `.json` is read as YAML.
            environ: Where `${NAME}` is looked up; the process's own where not given.

        Raises:
            BadConfiguration: If it cannot be read, or says what it may not; every fault is named.
        """
        file = Path(path)
        value = read_settings(file, _LIMITS)
        try:
            store = value.get("store", DEFAULT_STORE) if type(value) is dict else DEFAULT_STORE
            return cls._read({**value, "store": store} if type(value) is dict else value, file, environ)
        except BadConfiguration as error:
            raise BadConfiguration(str(file), error.reason) from None

    @classmethod
    def from_value(cls, value: Mapping[str, Any], *, environ: Mapping[str, str] | None = None) -> Self:
        """Read the same as a value; relative paths count from the working folder, the store is in memory.

        Raises:
            BadConfiguration: As `from_file`.
        """
        try:
            given = copied(dict(value), _LIMITS)
        except MalformedDocument as error:
            raise BadConfiguration("", str(error)) from None
        return cls._read(given, None, environ)

    @classmethod
    def _read(cls, value: Any, file: Path | None, environ: Mapping[str, str] | None) -> Self:
        wrong = faults(value, _judge())
        if wrong:
            raise BadConfiguration("", "; ".join(wrong))
        here = (file.absolute() if file else Path.cwd() / "_").parent
        place = Place(here, os.environ if environ is None else environ, written=True)
        defaults = {name: value[name] for name in _OF_AGENTS if name in value}
        agents = {
            name: read_agent(name, said, place, defaults, at=f"/agents/{name}")
            for name, said in value["agents"].items()
        }
        root = value.get("root")
        if root is not None and root not in agents:
            raise BadConfiguration("", f"/root: there is no agent {root!r}")
        _check_root(root, agents)
        platform = read_platform(value, here, place.environ)
        for agent in agents.values():
            check_owner(agent, platform)
        token = value.get("admin_token")
        return cls(
            agents=agents,
            base_url=_base(value["base_url"], "/base_url") if "base_url" in value else None,
            proxies=_proxies(value.get("proxies")),
            hosts=tuple(value.get("hosts", ())),
            root=root,
            store=_store(filled_in("/store", value.get("store", ":memory:"), place.environ), here),
            admin_token=None if token is None else _token(filled_in("/admin_token", token, place.environ)),
            allow=tuple(value.get("allow", ())),
            ports=tuple(value.get("ports", ())),
            keys=tuple(str(here / name) for name in value.get("keys", ())),
            jku=tuple(value.get("jku", ())),
            signing=_signing(value.get("signing"), here),
            ttl_seconds=float(value.get("ttl_seconds", 300)),
            max_body_bytes=value.get("max_body_bytes", 8 * 1024 * 1024),
            platform=platform,
            defaults=defaults,
            source=str(file) if file else "",
        )

    def at(self, base_url: str | None = None, root: str | None = None) -> Self:
        """Return the configuration with another base URL or root, as the command line gives them.

        Raises:
            BadConfiguration: If the URL is none, or there is no such agent.
        """
        if root is not None and root not in self.agents:
            raise BadConfiguration(self.source, f"--root: there is no agent {root!r}")
        _check_root(root or self.root, self.agents)
        base = self.base_url if base_url is None else _base(base_url, "--base-url")
        return replace(self, base_url=base, root=root or self.root)


# What stands at the top for every agent that does not say it itself.
_OF_AGENTS: Final = (
    "stale_seconds",
    "timeout_seconds",
    "start_seconds",
    "invalid_cards",
    "concurrency",
    "invoke",
)
# What REST of A2A has right below the root, where one agent is mounted there.
_ROOT_PATHS: Final = frozenset({"v1", "tasks", "extendedAgentCard", "mcp", "report", "queue"})


def network_agent(name: str, value: Any, defaults: Mapping[str, Any]) -> AgentConfig:
    """Read an agent that came over the network: no process, no code, no file and no environment of ours.

    Raises:
        BadConfiguration: If it says anything of these, or breaks the schema.
    """
    wrong = faults({"agents": {name: value}}, _judge())
    if wrong:
        raise BadConfiguration("", "; ".join(wrong).replace(f"/agents/{name}", ""))
    return read_agent(name, value, Place(Path(), {}, written=False), defaults, at="")


@cache
def _judge() -> Validator:
    return compile_schema(load("cardwright_models.settings", "gateway.json"))


def _check_root(root: str | None, agents: Mapping[str, AgentConfig]) -> None:
    if root is not None and agents[root].visibility == "private":
        raise BadConfiguration(
            "", f"/agents/{root}/visibility: what is at the root is found by everybody: it is not private"
        )
    taken = sorted(_ROOT_PATHS.intersection(agents))
    if root is not None and taken:
        raise BadConfiguration(
            "", f"/agents/{taken[0]}: with an agent at the root, this is a path of that agent"
        )


def trusted_agent(name: str, said: Mapping[str, Any], defaults: Mapping[str, Any]) -> AgentConfig:
    """Read an agent that the operator adds while the gateway runs.

    Raises:
        BadConfiguration: If it contradicts itself.
    """
    wrong = faults({"agents": {name: said}}, _judge())
    if wrong:
        raise BadConfiguration("", "; ".join(wrong))
    return read_agent(name, said, Place(Path.cwd(), os.environ, written=True), defaults, at=f"/agents/{name}")


def check_owner(agent: AgentConfig, platform: Platform) -> None:
    """Refuse an agent of an owner that is not there.

    Raises:
        BadConfiguration: If it is.
    """
    if agent.owner and agent.owner not in platform.owners:
        at = f"/agents/{agent.id}" if agent.written else ""
        raise BadConfiguration("", f"{at}/owner: there is no such owner in owners")


def _base(url: str, at: str) -> str:
    try:
        return check_base_url(url)
    except BadBaseURL as error:
        raise BadConfiguration("", f"{at}: {error}") from None


def _token(token: str) -> str:
    # 16 characters are what a person would call a token; less is guessed.
    if len(token) < 16 or not token.isascii() or not token.isprintable() or " " in token:
        raise BadConfiguration("", "/admin_token: a token has 16 or more visible ASCII characters")
    return token


def _proxies(said: Any) -> ProxiesConfig | None:
    if said is None:
        return None
    bases = tuple(_base(url, f"/proxies/base_urls/{index}") for index, url in enumerate(said["base_urls"]))
    return ProxiesConfig(tuple(said["networks"]), bases, said.get("told_by", "x-forwarded"))


def _store(place: str, here: Path) -> str:
    return place if "://" in place or place == ":memory:" else str(here / place)


def _signing(said: Any, here: Path) -> SigningConfig | None:
    if said is None:
        return None
    state = said.get("state")
    return SigningConfig(
        str(here / said["key"]),
        said["alg"],
        said.get("kid"),
        said.get("jku"),
        str(here / state) if state else None,
    )
