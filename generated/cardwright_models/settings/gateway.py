"""Settings, GatewayFile: typed models.

Generated from schemas/settings/gateway.schema.json (sha256 1647b62e26e175a6a324dab5554cb818007c3c6893d3aa9636ef44a409fe1b84)
by `make generate`: not edited, printed again when the schemas change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import ConfigDict, Field

from cardwright_runtime.documents import SettingsModel


class Transport(SettingsModel):
    """
    How a server of MCP is reached.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    type: Literal["stdio", "http", "streamable-http", "streamable_http", "sse"]
    """
    Over the pipes of a process, or over HTTP.
    """
    command: str | None = None
    """
    The command.
    """
    args: Sequence[str] | None = None
    """
    What the command is given.
    """
    env: Mapping[str, str] | None = None
    """
    Variables of the command.
    """
    cwd: str | None = None
    """
    The folder that the command runs in. A relative path counts from this file.
    """
    url: str | None = None
    """
    Where the server is.
    """
    headers: Mapping[str, str] | None = None
    """
    Fields for its origin alone.
    """


class Queue(SettingsModel):
    """
    A queue that workers pull from.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    token: str
    """
    What workers send as a Bearer token. `${NAME}` is taken from the environment.
    """
    lease_seconds: float = 60
    """
    How long a worker may be silent before its work is given to another.
    """
    offline: Literal["refuse", "wait"] = "refuse"
    """
    What becomes of calls while no worker is connected: refused as AGENT_OFFLINE, or kept until one comes.
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
    The header fields that they set: `X-Forwarded-*` or `Forwarded`.
    """


class SigningSettings(SettingsModel):
    """
    A private key and how it signs.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    key: str
    """
    The file of the private key, which only its owner can read. A relative path counts from this file.
    """
    alg: Literal["ES256", "ES384", "EdDSA", "RS256", "PS256"]
    """
    The algorithm.
    """
    kid: str | None = None
    """
    The id of the key; its own where not given.
    """
    jku: str | None = None
    """
    Where the key set is that has the public key.
    """
    state: str | None = None
    """
    A folder where signatures are kept, so that every process and every start serves the same.
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
    What cards call them: `provider.organization`.
    """
    url: str | None = None
    """
    Their website, for cards; the gateway's own URL where not given.
    """
    subject: str | None = None
    """
    What `sub` of their tokens is; the owner's id where not given.
    """
    issuer: str | None = None
    """
    The issuer of their tokens; needed where several are trusted.
    """


class Issuer(SettingsModel):
    """
    An issuer of tokens.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    issuer: str
    """
    What `iss` is.
    """
    audience: str
    """
    What `aud` is or holds.
    """
    jwks: str
    """
    The issuer's public keys: a URL, or a file; a relative path counts from this file.
    """
    algorithms: Sequence[Literal["ES256", "ES384", "EdDSA", "RS256", "PS256"]] = ["ES256", "EdDSA", "RS256"]
    """
    Those that the issuer signs with.
    """


class LimitSettings(SettingsModel):
    """
    A moving window, and where it is counted.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    requests: int = 60
    """
    How many requests a key, a user or an address may send one agent within the window; 0 for any number.
    """
    seconds: int = 60
    """
    The length of the window.
    """
    redis: str | None = None
    """
    A Redis that several processes count in, such as redis://host:6379/0. `${NAME}` is taken from the environment.
    """
    processes: int = 1
    """
    How many processes share the limit: what each admits alone while Redis cannot be had is its share.
    """
    anonymous: bool = False
    """
    Whether callers without credentials are counted, too, by their addresses; behind `proxies` by those that these tell.
    """


class TaskSettings(SettingsModel):
    """
    Tasks that are the gateway's own.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    retention_seconds: float = 86400
    """
    How long a task is kept after it ended.
    """
    lost_seconds: float = 45
    """
    How long a process may be silent before the others take over what it had under way.
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
    Whether agents whose tasks are the gateway's own take webhooks.
    """
    encryption_key: str | None = None
    """
    What secrets of webhooks are encrypted with at rest: 32 bytes in base64url. Without it one is made beside the database's file; a database that machines share needs it. `${NAME}` is taken from the environment.
    """
    allow: Sequence[str] = []
    """
    Networks, such as 10.0.0.0/8, that webhooks may lie in though they are not public.
    """
    ports: Sequence[int] = []
    """
    Ports of webhooks beside 80 and 443.
    """
    schedule_seconds: Sequence[float] = [60, 300, 1800, 7200, 43200]
    """
    How long after each failed attempt the next follows; when they are used up it is a dead letter.
    """
    timeout_seconds: float = 15
    """
    How long a receiver has to answer.
    """
    concurrency: int = 4
    """
    How many deliveries to one endpoint are under way at once.
    """


class FileSettings(SettingsModel):
    """
    Files that were sent ahead.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    max_bytes: int = 8388608
    """
    The greatest file.
    """
    owner_bytes: int = 268435456
    """
    How much all files of one owner may have together.
    """
    retention_seconds: float = 86400
    """
    How long a file is kept.
    """


class TelemetrySettings(SettingsModel):
    """
    Where traces are sent.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    otlp: str
    """
    The URL of a collector of OTLP over HTTP, such as http://127.0.0.1:4318.
    """
    service: str = "cardwright-gateway"
    """
    What the gateway is called there.
    """


class Backend(SettingsModel):
    """
    What answers for a managed agent: one of the three.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    url: str | None = None
    """
    An agent of A2A that is called as the card says.
    """
    python: str | None = None
    """
    A callable, as `package.module:name`.
    """
    queue: Queue | None = None
    """
    Workers that connect and take its work.
    """


class Agent(SettingsModel):
    """
    One agent: of A2A by its URL, of MCP by its server, or managed here by its card.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    protocol: Literal["a2a", "mcp", "managed"] | None = None
    """
    What it speaks; told by the other members where not given.
    """
    protocol_version: str | None = Field(default=None, alias="protocolVersion")
    """
    The version that it speaks, as its owner says. Its card says it, too, and that holds.
    """
    url: str | None = None
    """
    Where it is: its endpoint, its origin, or its card; of MCP its server.
    """
    card_url: str | None = None
    """
    Where its card is, if it is elsewhere.
    """
    bearer: str | None = None
    """
    A token that is sent to its origin alone. `${NAME}` is taken from the environment; an empty one is none.
    """
    headers: Mapping[str, str] | None = None
    """
    Fields for its origin alone.
    """
    name: str | None = None
    """
    What its owner calls it. Its card says it, too, and that holds.
    """
    description: str | None = None
    """
    What its owner says of it. Its card says it, too, and that holds.
    """
    version: str | float | None = None
    """
    Its version, as its owner says. Its card says it, too, and that holds.
    """
    metadata: Mapping[str, Any] | None = None
    """
    What its owner keeps with it. Of it `agentCard.url` is read: where its card is.
    """
    transport: Transport | None = None
    """
    How a server of MCP is reached.
    """
    command: str | None = None
    """
    The command of a server of MCP over stdio.
    """
    args: Sequence[str] | None = None
    """
    What the command is given.
    """
    env: Mapping[str, str] | None = None
    """
    Variables of the command.
    """
    card: str | Mapping[str, Any] | None = None
    """
    The card of a managed agent: a file, where a relative path counts from this one, or the card itself.
    """
    backend: Backend | None = None
    """
    What answers for a managed agent.
    """
    invalid_cards: Literal["fix", "pass", "refuse"] = "fix"
    """
    What becomes of its card if it has errors.
    """
    ttl_seconds: float | None = None
    """
    How long its card is fresh, whatever its answer says.
    """
    stale_seconds: float = 0
    """
    How long after that its last good card is served while a new one cannot be had.
    """
    timeout_seconds: float = 60
    """
    How long it has for its whole answer to a call, or to begin a stream.
    """
    start_seconds: float = 10
    """
    How long a request waits for its server to start.
    """
    concurrency: int = 256
    """
    How many calls to it are under way at once.
    """
    owner: str | None = None
    """
    Whose it is: an id of `owners`.
    """
    visibility: Literal["public", "unlisted", "private"] = "public"
    """
    Who sees it: everyone; who knows its id, without the details of its card; or, operations too, its owner and its keys alone.
    """
    access: Literal["open", "keys"] | None = None
    """
    Who may call it: anybody, or who has one of its keys or is a user; `keys` where it has an owner.
    """
    tasks: Literal["pass", "own"] | None = None
    """
    Whose its tasks are: those of what stands behind, or the gateway's own, which are durable and have webhooks; `own` where keys are demanded.
    """
    invoke: bool = False
    """
    Whether it takes `POST v1/invoke`.
    """
    card_version: Literal["1.0", "0.3", "hybrid"] | None = None
    """
    The form of its card for who asks without `A2A-Version`; where left out both in one, if it speaks A2A 0.3, too.
    """


class GatewayFile(SettingsModel):
    """
    The configuration of a gateway: its agents, and how it answers for them. SuperX's `agents.yml` is read as it is.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    agents: Mapping[str, Agent]
    """
    The agents by their ids, which stand in paths.
    """
    base_url: str | None = None
    """
    The public URL that the gateway is reached at; what cards say begins with it.
    """
    proxies: ProxySettings | None = None
    """
    Proxies before the gateway that tell with each request by which public URL it came.
    """
    hosts: Sequence[str] = []
    """
    Names besides those of the base URL that requests may be sent to; on an address of this machine alone, others are refused.
    """
    root: str | None = None
    """
    The agent that is also served at the host's root.
    """
    store: str = "gateway.db"
    """
    Where cards and agents that were added are kept: a file, which is SQLite, or a URL of a database. A relative path counts from this file.
    """
    admin_token: str | None = None
    """
    What whoever adds, changes or removes agents over the network sends as a Bearer token. Without it nobody can. `${NAME}` is taken from the environment.
    """
    allow: Sequence[str] = []
    """
    Networks, such as 10.0.0.0/8, that may be dialled though they are not public. The origin of an agent in this file may be dialled anyway.
    """
    ports: Sequence[int] = []
    """
    Ports that may be dialled at public addresses, beside 80 and 443.
    """
    keys: Sequence[str] = []
    """
    Files of keys that signatures of agents' cards are verified by. A relative path counts from this file.
    """
    jku: Sequence[str] = []
    """
    Origins whose key sets are trusted.
    """
    signing: SigningSettings | None = None
    """
    The key that the gateway signs the cards with that it serves.
    """
    ttl_seconds: float = 300
    """
    How long a fetched card is fresh where its answer does not say.
    """
    stale_seconds: float = 0
    """
    How long after that the last good card is served while a new one cannot be had.
    """
    timeout_seconds: float = 60
    """
    How long an agent has for its whole answer to a call, or to begin a stream.
    """
    start_seconds: float = 10
    """
    How long a request waits for the server of MCP that it starts.
    """
    invalid_cards: Literal["fix", "pass", "refuse"] = "fix"
    """
    What becomes of a card with errors: mended where that is safe and else passed on; passed on; or refused.
    """
    max_body_bytes: int = 8388608
    """
    The greatest body of a request.
    """
    concurrency: int = 256
    """
    How many calls are under way to one agent at once; more are told to come again.
    """
    owners: Mapping[str, Owner] = Field(default={}, validate_default=True)
    """
    Who agents belong to, by the ids that agents name.
    """
    jwt: Sequence[Issuer] = Field(default=[], validate_default=True)
    """
    Issuers whose tokens of users are taken.
    """
    limits: LimitSettings = Field(default={}, validate_default=True)
    """
    How much one caller may ask.
    """
    tasks: TaskSettings = Field(default={}, validate_default=True)
    """
    Tasks that are the gateway's own.
    """
    webhooks: WebhookSettings = Field(default={}, validate_default=True)
    """
    How push notifications are delivered.
    """
    files: FileSettings = Field(default={}, validate_default=True)
    """
    Files that invocations refer to.
    """
    telemetry: TelemetrySettings | None = None
    """
    Traces by OpenTelemetry.
    """
    log: Literal["text", "json"] = "text"
    """
    How the log looks: lines for people, or one JSON object a line.
    """
    invoke: bool = False
    """
    Whether agents take `POST v1/invoke`.
    """
