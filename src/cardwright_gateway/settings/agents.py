"""One agent as it is written down."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from cardwright.discovery.settings_file import filled_in, header_value
from cardwright.errors import BadConfiguration, ConnectionDenied
from cardwright.guard import target_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Protocol = Literal["a2a", "mcp", "managed"]
Invalid = Literal["fix", "pass", "refuse"]
Visibility = Literal["public", "unlisted", "private"]

# What stands where an id would (interop §6 and the routes of this gateway).
RESERVED: Final = frozenset({"agents", "rpc", "api", "health", "healthz", "readyz", "metrics"})
# What would start something here, or read something of this machine: the local file alone may say it.
_LOCAL: Final = ("command", "args", "env")


@dataclass(frozen=True, slots=True)
class Place:
    """Where an agent is written.

    Attributes:
        here: The folder that relative paths count from.
        environ: Where `${NAME}` is looked up.
        written: Whether it is in the operator's own file, and not come over the network.
    """

    here: Path
    environ: Mapping[str, str] = field(repr=False)
    written: bool


@dataclass(frozen=True, slots=True)
class Stdio:
    """A server of MCP over the pipes of a process."""

    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    cwd: str | None = None


@dataclass(frozen=True, slots=True)
class Http:
    """Where something answers over HTTP.

    Attributes:
        url: The URL.
        headers: Fields for its origin alone; they may be secrets.
        configured: Its origin, where the operator's file names it: it may be dialled wherever it is.
        sse: Whether it is MCP's older transport.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    configured: str | None = None
    sse: bool = False


@dataclass(frozen=True, slots=True)
class Work:
    """A queue that workers pull from; `waits` says whether calls wait while none is connected."""

    token: str = field(repr=False)
    lease_seconds: float = 60.0
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Code:
    """A callable of this machine, as `package.module:name`."""

    path: str


Backend = Stdio | Http | Work | Code


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentConfig:
    """One agent.

    Attributes:
        id: What it is called in paths.
        protocol: What it speaks: A2A, MCP, or nothing, where its card is kept here.
        backend: Where it is, or what answers for it; None where nothing does.
        card_url: Where the card of an agent of A2A is, if that is elsewhere.
        card: The card of a managed agent: a file, or the card itself.
        invalid_cards: What becomes of a card with errors.
        owner: Whose it is: an id of `owners`; "" where it has none.
        visibility: Who sees it.
        access: Whether anybody may call it, or who has a key or is a user.
        tasks: Whose its tasks are: those of what stands behind, or the gateway's own.
        invoke: Whether it takes `v1/invoke`.
        card_version: The form of its card for who names no version; None for the usual one.
        written: Whether it is in the operator's own file.
        said: What was said, as it was said, of an agent that was added: it is kept so.
    """

    id: str
    protocol: Protocol
    backend: Backend | None = None
    card_url: str | None = None
    card: Path | dict[str, Any] | None = field(default=None, repr=False)
    invalid_cards: Invalid = "fix"
    ttl_seconds: float | None = None
    stale_seconds: float = 0.0
    timeout_seconds: float = 60.0
    start_seconds: float = 10.0
    concurrency: int = 256
    owner: str = ""
    visibility: Visibility = "public"
    access: Literal["open", "keys"] = "open"
    tasks: Literal["pass", "own"] = "pass"
    invoke: bool = False
    card_version: Literal["1.0", "0.3", "hybrid"] | None = None
    written: bool = True
    said: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)


def read_agent(
    name: str, said: Mapping[str, Any], place: Place, defaults: Mapping[str, Any], *, at: str
) -> AgentConfig:
    """Read one agent that the schema has nothing against.

    Args:
        name: Its id.
        said: What is said of it.
        place: Where.
        defaults: What is said of every agent.
        at: Where it stands, for messages.

    Raises:
        BadConfiguration: If it contradicts itself, or says what only the operator's file may.
    """
    if name in RESERVED:
        raise BadConfiguration("", f"{at}: {name!r} is a path of the gateway: call the agent otherwise")
    if not place.written:
        _check_harmless(said, at)
    settings = {**defaults, **{key: said[key] for key in (*defaults, *_SETTINGS) if key in said}}
    protocol = said.get("protocol") or _protocol(said)
    read = {"a2a": _a2a, "mcp": _mcp, "managed": _managed}[protocol]
    return AgentConfig(
        id=name,
        protocol=protocol,
        written=place.written,
        said={} if place.written else dict(said),
        **read(said, place, at),
        **settings,
        **_identity(said, at),
    )


_SETTINGS: Final = (
    "invalid_cards", "ttl_seconds", "stale_seconds", "timeout_seconds", "start_seconds", "concurrency",
    "invoke", "card_version",
)  # fmt: skip


def _identity(said: Mapping[str, Any], at: str) -> dict[str, Any]:
    """Return whose an agent is, and who may call it.

    Raises:
        BadConfiguration: If nobody could.
    """
    owner, visibility = said.get("owner", ""), said.get("visibility", "public")
    access = said.get("access", "keys" if owner else "open")
    if visibility == "private" and access == "open":
        raise BadConfiguration(
            "", f"{at}/access: a private agent is called with keys: say an owner, or leave access out"
        )
    if access == "keys" and not owner:
        raise BadConfiguration("", f"{at}/access: keys are issued for an owner: say one")
    if visibility != "public" and not owner:
        raise BadConfiguration("", f"{at}/visibility: what is not public is its owner's: say an owner")
    if visibility != "public" and "card" in said and "backend" not in said:
        told = "nothing answers for it here, so its card would tell where it is"
        raise BadConfiguration("", f"{at}/visibility: {told}: name a backend, or let it be public")
    if said.get("tasks") == "own" and "card" in said and "backend" not in said:
        raise BadConfiguration("", f"{at}/tasks: nothing answers for it here: name a backend")
    tasks = said.get("tasks", "own" if access == "keys" else "pass")
    return {"owner": owner, "visibility": visibility, "access": access, "tasks": tasks}


def _protocol(said: Mapping[str, Any]) -> Protocol:
    """Return what an agent speaks that does not say so (SuperX, Agent.Loader)."""
    if "transport" in said or "command" in said:
        return "mcp"
    return "managed" if "card" in said else "a2a"


def _check_harmless(said: Mapping[str, Any], at: str) -> None:
    transport = said.get("transport", {})
    backend = said.get("backend", {})
    for holder, where in ((said, at), (transport, f"{at}/transport")):
        for member in (*_LOCAL, "cwd"):
            if member in holder:
                raise BadConfiguration("", f"{where}/{member}: {_ONLY_LOCAL}")
    if transport.get("type") == "stdio":
        raise BadConfiguration("", f"{at}/transport/type: stdio starts a process; {_ONLY_LOCAL}")
    for member in ("python", "queue"):
        if member in backend:
            raise BadConfiguration("", f"{at}/backend/{member}: {_ONLY_LOCAL}")
    if isinstance(said.get("card"), str):
        raise BadConfiguration(
            "", f"{at}/card: a file of this machine; over the network give the card itself"
        )
    if "${" in str([said.get("bearer"), said.get("headers"), transport.get("headers"), transport.get("url")]):
        raise BadConfiguration("", f"{at}: ${{NAME}} reads the gateway's environment; {_ONLY_LOCAL}")


_ONLY_LOCAL: Final = "only the gateway's own configuration file may say this"


def _a2a(said: Mapping[str, Any], place: Place, at: str) -> dict[str, Any]:
    _without(said, at, "a2a", "transport", "command", "args", "env", "card", "backend")
    if "url" not in said:
        raise BadConfiguration("", f"{at}: an agent of A2A needs its url")
    card_url = said.get("card_url") or _kept_card_url(said)
    return {"backend": _http(said, place, at), "card_url": card_url and _url(card_url, f"{at}/card_url")}


def _kept_card_url(said: Mapping[str, Any]) -> str | None:
    """Return the URL of the card as SuperX keeps it, in `metadata.agentCard.url`."""
    card = said.get("metadata", {}).get("agentCard")
    url = card.get("url") if type(card) is dict else None
    # There the URL of the card stands, or that of the agent: only the first tells something.
    return url if type(url) is str and "/.well-known/" in url else None


def _mcp(said: Mapping[str, Any], place: Place, at: str) -> dict[str, Any]:
    _without(said, at, "mcp", "card", "backend", "card_url")
    transport = said.get("transport")
    if transport is None:
        return {"backend": _stdio(said, place, at) if "command" in said else _http(said, place, at)}
    both = [name for name in ("command", "args", "env", "url") if name in said]
    if both:
        raise BadConfiguration("", f"{at}/{both[0]}: say it in the transport, and once")
    at = f"{at}/transport"
    if transport["type"] == "stdio":
        _without(transport, at, "stdio", "url", "headers")
        return {"backend": _stdio(transport, place, at)}
    _without(transport, at, transport["type"], "command", "args", "env", "cwd")
    bearer = {"bearer": said["bearer"]} if "bearer" in said else {}
    headers = {"headers": {**said.get("headers", {}), **transport.get("headers", {})}}
    return {"backend": _http({**transport, **headers, **bearer}, place, at, sse=transport["type"] == "sse")}


def _managed(said: Mapping[str, Any], place: Place, at: str) -> dict[str, Any]:
    _without(said, at, "managed", "transport", "command", "args", "env", "card_url", "url")
    card = said.get("card")
    if card is None:
        raise BadConfiguration("", f"{at}: a managed agent needs its card")
    held = place.here / card if isinstance(card, str) else card
    return {"card": held, "backend": _backend(said, place, at)}


def _backend(said: Mapping[str, Any], place: Place, at: str) -> Backend | None:
    backend = said.get("backend")
    if backend is None:
        _without(said, at, "managed and has no backend", "bearer", "headers")
        return None
    if "url" in backend:
        return _http({**said, "url": backend["url"]}, place, f"{at}/backend")
    _without(said, at, "managed and not called by a URL", "bearer", "headers")
    if "python" in backend:
        return Code(backend["python"])
    queue = backend["queue"]
    token = filled_in(f"{at}/backend/queue/token", queue["token"], place.environ)
    if len(token) < 16 or not token.isascii() or not token.isprintable():
        raise BadConfiguration(
            "", f"{at}/backend/queue/token: a token has 16 or more visible ASCII characters"
        )
    waits = queue.get("offline", "refuse") == "wait"
    return Work(token, float(queue.get("lease_seconds", 60)), waits)


def _without(said: Mapping[str, Any], at: str, kind: str, *names: str) -> None:
    for name in names:
        if name in said:
            raise BadConfiguration(
                "", f"{at}/{name}: this means nothing where the agent is {kind}: leave it out"
            )


def _stdio(said: Mapping[str, Any], place: Place, at: str) -> Stdio:
    if "command" not in said:
        raise BadConfiguration("", f"{at}: a server over stdio needs its command")
    env = {
        name: filled_in(f"{at}/env/{name}", value, place.environ)
        for name, value in said.get("env", {}).items()
    }
    command = filled_in(f"{at}/command", said["command"], place.environ)
    given = enumerate(said.get("args", ()))
    args = tuple(filled_in(f"{at}/args/{index}", value, place.environ) for index, value in given)
    cwd = said.get("cwd")
    return Stdio(command, args, env, str(place.here / cwd) if cwd else None)


def _http(said: Mapping[str, Any], place: Place, at: str, *, sse: bool = False) -> Http:
    if "url" not in said:
        raise BadConfiguration("", f"{at}: it needs its url")
    written = filled_in(f"{at}/url", said["url"], place.environ) if place.written else said["url"]
    url = _url(written, f"{at}/url")
    environ = place.environ if place.written else None
    headers = {
        name: header_value(at, name, value, environ) for name, value in said.get("headers", {}).items()
    }
    bearer = said.get("bearer", "")
    if bearer:
        if any(name.lower() == "authorization" for name in headers):
            raise BadConfiguration("", f"{at}/bearer: the headers have an Authorization already")
        token = header_value(at, "Authorization", bearer, environ)
        headers["Authorization"] = f"Bearer {token}"
    return Http(url, headers, target_of(url).origin if place.written else None, sse)


def _url(url: str, at: str) -> str:
    try:
        return target_of(url).url
    except ConnectionDenied as error:
        raise BadConfiguration("", f"{at}: {error.reason}") from None
