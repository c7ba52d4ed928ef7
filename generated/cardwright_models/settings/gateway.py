"""Settings, GatewayFile: typed models.

Generated from schemas/settings/gateway.schema.json (sha256 a424eade3022b9a10bbd5f4dc68d2a26dfcc2c0273064936db899cb6b07fa526)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import ConfigDict, Field

from cardwright_runtime.documents import SettingsModel


class Transport(SettingsModel):
    """
    How the gateway connects to an MCP server.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    type: Literal["stdio", "http", "streamable-http", "streamable_http", "sse"]
    """
    Over the pipes of a process (stdio), or over HTTP.
    """
    command: str | None = None
    """
    The command that starts the server. `${NAME}` is taken from the environment.
    """
    args: Sequence[str] | None = None
    """
    The arguments of the command.
    """
    env: Mapping[str, str] | None = None
    """
    The environment variables of the command.
    """
    cwd: str | None = None
    """
    The working folder of the command. A relative path counts from this file.
    """
    url: str | None = None
    """
    The URL of the server. `${NAME}` is taken from the environment.
    """
    headers: Mapping[str, str] | None = None
    """
    Header fields for the server's origin alone.
    """


class Queue(SettingsModel):
    """
    A queue that workers take calls from.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    token: str
    """
    The Bearer token of workers, 16 characters or more. `${NAME}` is taken from the environment.
    """
    lease_seconds: float = 60
    """
    How long a worker may be silent before another worker gets its call, in seconds.
    """
    offline: Literal["refuse", "wait"] = "refuse"
    """
    What happens to calls while no worker is connected. refuse: they fail as AGENT_OFFLINE. wait: they wait for a worker.
    """


class ProxySettings(SettingsModel):
    """
    Trusted proxies and the public URLs that they serve.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    networks: Sequence[str]
    """
    Addresses or networks of the proxies.
    """
    base_urls: Sequence[str]
    """
    The public base URLs that they serve.
    """
    forwarded_header: Literal["x-forwarded", "forwarded"] = "x-forwarded"
    """
    The header fields that the proxies set: `X-Forwarded-*` or `Forwarded`.
    """


class SigningSettings(SettingsModel):
    """
    A private key and its algorithm.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    key: str
    """
    The file of the private key; only its owner may have permission to read it. A relative path counts from this file.
    """
    alg: Literal["ES256", "ES384", "EdDSA", "RS256", "PS256"]
    """
    The algorithm.
    """
    kid: str | None = None
    """
    The id of the key; by default the key's own id.
    """
    jku: str | None = None
    """
    The URL of the key set that has the public key.
    """
    state: str | None = None
    """
    A folder that keeps signatures, so that every process serves the same ones, also after a restart. A relative path counts from this file.
    """


class Owner(SettingsModel):
    """
    An owner of agents.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    name: str
    """
    The owner's name in cards: `provider.organization`.
    """
    url: str | None = None
    """
    The owner's website in cards; by default the gateway's URL.
    """
    subject: str | None = None
    """
    The `sub` of the owner's tokens; by default the owner's id.
    """
    issuer: str | None = None
    """
    The issuer of the owner's tokens; required if several issuers are trusted.
    """


class Issuer(SettingsModel):
    """
    A trusted issuer of tokens.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    issuer: str
    """
    The `iss` of its tokens.
    """
    audience: str
    """
    The `aud` of its tokens.
    """
    jwks: str
    """
    The issuer's public keys: an https URL, or a file. A relative path counts from this file.
    """
    algorithms: Sequence[Literal["ES256", "ES384", "EdDSA", "RS256", "PS256"]] = ["ES256", "EdDSA", "RS256"]
    """
    The algorithms that the issuer signs with.
    """


class LimitSettings(SettingsModel):
    """
    A rate limit over a moving window.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    requests: int = 60
    """
    How many requests a key, a user or an address may send to one agent within the window; 0 for any number.
    """
    seconds: int = 60
    """
    The length of the window, in seconds.
    """
    redis: str | None = None
    """
    A Redis in which several processes count together, such as redis://host:6379/0. `${NAME}` is taken from the environment.
    """
    processes: int = 1
    """
    How many processes share the limit. While Redis is unavailable, each admits its share.
    """
    anonymous: bool = False
    """
    Whether callers without credentials are limited too, by their addresses; behind `proxies` by the addresses that these name.
    """


class TaskSettings(SettingsModel):
    """
    Tasks that the gateway stores itself.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    retention_seconds: float = 86400
    """
    How long a task is kept after it ended, in seconds.
    """
    lost_seconds: float = 45
    """
    How long a process may send no heartbeat before the other processes take over its work, in seconds.
    """


class WebhookSettings(SettingsModel):
    """
    Delivery of push notifications.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    enabled: bool = True
    """
    Whether agents with tasks of the gateway accept webhooks.
    """
    encryption_key: str | None = None
    """
    The key that encrypts the secrets of webhooks in the database: 32 bytes in base64 or base64url. By default the gateway creates one beside the SQLite file; a database that several machines share needs it. `${NAME}` is taken from the environment.
    """
    allow: Sequence[str] = []
    """
    Private networks, such as 10.0.0.0/8, that may receive webhooks.
    """
    ports: Sequence[int] = []
    """
    Ports of webhooks, beside 80 and 443.
    """
    schedule_seconds: Sequence[float] = [60, 300, 1800, 7200, 43200]
    """
    The waits after each failed attempt, in seconds. After the last attempt a delivery is a dead letter.
    """
    timeout_seconds: float = 15
    """
    How long a receiver has for its response, in seconds.
    """
    concurrency: int = 4
    """
    The maximum number of concurrent deliveries to one endpoint.
    """


class FileSettings(SettingsModel):
    """
    Files that callers upload for invocations.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    max_bytes: int = 8388608
    """
    The maximum size of a file, in bytes.
    """
    owner_bytes: int = 268435456
    """
    The maximum size of all files of one owner together, in bytes.
    """
    retention_seconds: float = 86400
    """
    How long a file is kept, in seconds.
    """


class TelemetrySettings(SettingsModel):
    """
    Where the gateway sends traces.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    otlp: str
    """
    The URL of an OTLP collector over HTTP, such as http://127.0.0.1:4318.
    """
    service: str = "cardwright-gateway"
    """
    The service name of the gateway in traces.
    """


class Backend(SettingsModel):
    """
    What executes a managed agent: one of three.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    url: str | None = None
    """
    The URL of an A2A agent that the gateway calls. `${NAME}` is taken from the environment.
    """
    python: str | None = None
    """
    A Python callable, as `package.module:name`.
    """
    queue: Queue | None = None
    """
    A queue that workers take calls from.
    """


class Agent(SettingsModel):
    """
    One agent: an A2A agent by its URL, an MCP server, or a managed agent by its card.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    protocol: Literal["a2a", "mcp", "managed"] | None = None
    """
    The protocol of the agent; by default it follows from the other fields.
    """
    protocol_version: str | None = Field(default=None, alias="protocolVersion")
    """
    The protocol version according to the owner. The card states it too, and the card wins.
    """
    url: str | None = None
    """
    The URL of an A2A agent's endpoint, origin or card, or of an MCP server. `${NAME}` is taken from the environment.
    """
    card_url: str | None = None
    """
    The URL of the card, if it is elsewhere.
    """
    bearer: str | None = None
    """
    A Bearer token that is sent to the agent's origin alone. `${NAME}` is taken from the environment; an empty text means no token.
    """
    headers: Mapping[str, str] | None = None
    """
    Header fields for the agent's origin alone.
    """
    name: str | None = None
    """
    The name according to the owner. The card states it too, and the card wins.
    """
    description: str | None = None
    """
    The description according to the owner. The card states it too, and the card wins.
    """
    version: str | float | None = None
    """
    The agent's version according to the owner. The card states it too, and the card wins.
    """
    metadata: Mapping[str, Any] | None = None
    """
    Notes of the owner. The gateway reads `agentCard.url` of them, the URL of the card.
    """
    transport: Transport | None = None
    """
    How the gateway connects to an MCP server.
    """
    command: str | None = None
    """
    The command that starts an MCP server over stdio. `${NAME}` is taken from the environment.
    """
    args: Sequence[str] | None = None
    """
    The arguments of the command.
    """
    env: Mapping[str, str] | None = None
    """
    The environment variables of the command.
    """
    card: str | Mapping[str, Any] | None = None
    """
    The card of a managed agent: a file, whose relative path counts from this one, or the card itself.
    """
    backend: Backend | None = None
    """
    What executes a managed agent.
    """
    invalid_cards: Literal["fix", "pass", "refuse"] = "fix"
    """
    What the gateway does with this agent's card if it has errors.
    """
    ttl_seconds: float | None = None
    """
    How long the card is fresh, whatever the response says, in seconds.
    """
    stale_seconds: float = 0
    """
    How long after that the gateway serves the last good card while it cannot get a new one, in seconds.
    """
    timeout_seconds: float = 60
    """
    How long the agent has for its whole response, or to begin a stream, in seconds.
    """
    start_seconds: float = 10
    """
    How long a request waits for the MCP server to start, in seconds.
    """
    concurrency: int = 256
    """
    The maximum number of concurrent calls to this agent.
    """
    owner: str | None = None
    """
    The id of the owner in `owners`.
    """
    visibility: Literal["public", "unlisted", "private"] = "public"
    """
    Who sees the agent. public: everybody. unlisted: callers who know its id, without the details of its card. private: its owner and callers with one of its keys.
    """
    access: Literal["open", "keys"] | None = None
    """
    Who may call the agent. open: everybody. keys: users and callers with one of its keys. The default is keys if the agent has an owner.
    """
    tasks: Literal["pass", "own"] | None = None
    """
    Who stores the tasks. pass: the agent itself. own: the gateway, durably and with webhooks. The default is own if `access` is keys.
    """
    invoke: bool = False
    """
    Whether the agent accepts `POST v1/invoke`.
    """
    card_version: Literal["1.0", "0.3", "hybrid"] | None = None
    """
    The form of the card for callers that send no `A2A-Version`; by default a hybrid if the agent also supports A2A 0.3.
    """


class GatewayFile(SettingsModel):
    """
    The settings of a gateway: its agents, and how it serves them. It also reads SuperX's `agents.yml` unchanged.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    agents: Mapping[str, Agent]
    """
    The agents by their ids, which are part of URL paths.
    """
    base_url: str | None = None
    """
    The public URL of the gateway. The URLs in served cards begin with it.
    """
    proxies: ProxySettings | None = None
    """
    Reverse proxies that name the public URL in each request; use it instead of `base_url`.
    """
    hosts: Sequence[str] = []
    """
    More host names that requests may name. While the gateway listens on a loopback address, it refuses other names.
    """
    root: str | None = None
    """
    The agent that the gateway also serves at the root of the host.
    """
    store: str = "gateway.db"
    """
    Where the gateway stores its data: an SQLite file, a database URL, or `:memory:`. A relative path counts from this file.
    """
    admin_token: str | None = None
    """
    The Bearer token for adding, changing and removing agents over the network. Without it nobody can. `${NAME}` is taken from the environment.
    """
    allow: Sequence[str] = []
    """
    Private networks, such as 10.0.0.0/8, that the gateway may connect to. It may always connect to the origin of an agent in this file.
    """
    ports: Sequence[int] = []
    """
    Ports of public addresses that the gateway may connect to, beside 80 and 443.
    """
    keys: Sequence[str] = []
    """
    Files of keys that verify the signatures of agents' cards. A relative path counts from this file.
    """
    jku: Sequence[str] = []
    """
    Origins whose key sets are trusted.
    """
    signing: SigningSettings | None = None
    """
    The key that the gateway signs its served cards with.
    """
    ttl_seconds: float = 300
    """
    How long a fetched card is fresh if the response does not say it, in seconds.
    """
    stale_seconds: float = 0
    """
    How long after that the gateway serves the last good card while it cannot get a new one, in seconds.
    """
    timeout_seconds: float = 60
    """
    How long an agent has for its whole response, or to begin a stream, in seconds.
    """
    start_seconds: float = 10
    """
    How long a request waits for an MCP server to start, in seconds.
    """
    invalid_cards: Literal["fix", "pass", "refuse"] = "fix"
    """
    What the gateway does with a card that has errors: apply safe fixes, pass it on unchanged, or refuse it.
    """
    max_body_bytes: int = 8388608
    """
    The maximum size of a request body, in bytes.
    """
    concurrency: int = 256
    """
    The maximum number of concurrent calls to one agent; more get status 429.
    """
    owners: Mapping[str, Owner] = Field(default={}, validate_default=True)
    """
    The owners of agents by the ids that agents name.
    """
    jwt: Sequence[Issuer] = Field(default=[], validate_default=True)
    """
    Trusted issuers of users' tokens.
    """
    limits: LimitSettings = Field(default={}, validate_default=True)
    """
    The rate limit of each caller.
    """
    tasks: TaskSettings = Field(default={}, validate_default=True)
    """
    Tasks that the gateway stores itself.
    """
    webhooks: WebhookSettings = Field(default={}, validate_default=True)
    """
    Delivery of push notifications.
    """
    files: FileSettings = Field(default={}, validate_default=True)
    """
    Files that callers upload for invocations.
    """
    telemetry: TelemetrySettings | None = None
    """
    Traces by OpenTelemetry.
    """
    log: Literal["text", "json"] = "text"
    """
    The format of the log: lines for people, or one JSON object for each line.
    """
    invoke: bool = False
    """
    Whether agents accept `POST v1/invoke`.
    """
