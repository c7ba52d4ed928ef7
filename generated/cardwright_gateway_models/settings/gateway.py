"""Settings, GatewayFile: typed models.

Generated from schemas/settings/gateway.schema.json (sha256 4c499f7e333b500d691d7f91d869dc827cefb88bf2c10e0bb9e72738a0789eb2)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import ConfigDict, Field

from cardwright_gateway_models.documents_base import SettingsModel


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
    The transport: stdio (the pipes of a process), or one of the HTTP transports. Required.
    """
    command: str | None = None
    """
    The command that starts the server. `${NAME}` is read from the environment.
    """
    args: Sequence[str] | None = None
    """
    The arguments of the command. `${NAME}` is read from the environment. Default: none.
    """
    env: Mapping[str, str] | None = None
    """
    The environment variables of the command. `${NAME}` is read from the environment. Default: none.
    """
    cwd: str | None = None
    """
    The working folder of the command. A relative path is relative to the folder of this file.
    """
    url: str | None = None
    """
    The URL of the server. `${NAME}` is read from the environment.
    """
    headers: Mapping[str, str] | None = None
    """
    Header fields that are sent to the server's origin only. `${NAME}` is read from the environment. Default: none.
    """


class ServerSource(SettingsModel):
    """
    A file of the operator that describes an MCP server.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    server_json: str | None = None
    """
    The path of a `server.json` of the MCP registry. A relative path is relative to the folder of this file. Required, unless `server_card` is given.
    """
    server_card: str | None = None
    """
    The path of an MCP server card. A relative path is relative to the folder of this file. Required, unless `server_json` is given.
    """
    inputs: Mapping[str, str] | None = None
    """
    Values for the headers, variables, environment variables and arguments that the file asks for, by name. `${NAME}` is read from the environment. Default: none.
    """


class Queue(SettingsModel):
    """
    A queue from which workers take calls.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    token: str
    """
    The Bearer token of workers, 16 characters or more. `${NAME}` is read from the environment. Required.
    """
    lease_seconds: float = 60
    """
    How long a worker may be silent before its call is given to another worker, in seconds. Default: 60.
    """
    offline: Literal["refuse", "wait"] = "refuse"
    """
    What happens to calls while no worker is connected. refuse: they fail with AGENT_OFFLINE. wait: they wait for a worker. Default: refuse.
    """


class AgentGrpc(SettingsModel):
    """
    How an agent is offered over gRPC.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    listed: bool = True
    """
    Whether the card lists the gateway's gRPC interface. Calls over gRPC are accepted in any case. false: for clients that refuse a card with an interface of another origin, as google-adk does. Default: true.
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
    Addresses or networks of the proxies. Required.
    """
    base_urls: Sequence[str]
    """
    The public base URLs that the proxies serve. Required.
    """
    forwarded_header: Literal["x-forwarded", "forwarded"] = "x-forwarded"
    """
    The header fields that the proxies set: `X-Forwarded-*` (x-forwarded) or `Forwarded` (forwarded). Default: x-forwarded.
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
    The file of the private key; only its owner may have permission to read it. A relative path is relative to the folder of this file. Required.
    """
    alg: Literal["ES256", "ES384", "EdDSA", "RS256", "PS256"]
    """
    The signature algorithm. Required.
    """
    kid: str | None = None
    """
    The id of the key. Default: the key's own id.
    """
    jku: str | None = None
    """
    The URL of the key set that contains the public key. Default: none.
    """
    state: str | None = None
    """
    A folder that stores signatures, so that every process serves the same ones, also after a restart. A relative path is relative to the folder of this file. Default: signatures are kept in memory.
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
    The owner's name in cards: `provider.organization`. Required.
    """
    url: str | None = None
    """
    The owner's website in cards. Default: the gateway's URL.
    """
    subject: str | None = None
    """
    The `sub` claim of the owner's tokens. Default: the owner's id.
    """
    issuer: str | None = None
    """
    The issuer of the owner's tokens; required if several issuers are trusted. Default: the only trusted issuer.
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
    The `iss` claim of its tokens. Required.
    """
    audience: str
    """
    The `aud` claim of its tokens. Required.
    """
    jwks: str
    """
    The issuer's public keys: an https URL, or a file. A relative path is relative to the folder of this file. Required.
    """
    algorithms: Sequence[Literal["ES256", "ES384", "EdDSA", "RS256", "PS256"]] = ["ES256", "EdDSA", "RS256"]
    """
    The algorithms that the issuer signs with. Default: ES256, EdDSA and RS256.
    """


class LimitSettings(SettingsModel):
    """
    A rate limit with a sliding window.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    requests: int = 60
    """
    The maximum number of requests that one key, user or address may send to one agent within the window; 0 means no limit. Default: 60.
    """
    seconds: int = 60
    """
    The length of the window, in seconds. Default: 60.
    """
    redis: str | None = None
    """
    The URL of a Redis in which several processes count together, such as redis://host:6379/0. `${NAME}` is read from the environment. Default: each process counts in its memory.
    """
    processes: int = 1
    """
    The number of processes that share the limit. While Redis is unavailable, each process admits its share. Default: 1.
    """
    anonymous: bool = False
    """
    Whether callers without credentials are limited too, by address; behind `proxies`, by the address that the proxy names. Default: false.
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
    How long a task is stored after it ended, in seconds. Default: 86400 (1 day).
    """
    owner_bytes: int = 1073741824
    """
    The maximum total size of the tasks of one owner's agents and of their webhooks and the events that wait for delivery, in bytes; agents without an owner count together. Callers without credentials may use a sixteenth of it; if it is full, their oldest tasks are deleted. Default: 1073741824 (1 GiB).
    """
    lost_seconds: float = 45
    """
    How long a process may send no heartbeat before other processes take over its work, in seconds. Default: 45.
    """
    blocking_seconds: float = 60
    """
    How long a call that waits for the end of its task waits, in seconds; then it gets the task as it is, and the task goes on. Default: 60.
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
    Whether agents whose tasks the gateway stores accept webhooks. Default: true.
    """
    encryption_key: str | None = None
    """
    The key that encrypts the secrets of webhooks in the database: 32 bytes in base64 or base64url. `${NAME}` is read from the environment. Default: the gateway creates a key beside the SQLite file; required if several machines share the database.
    """
    allow: Sequence[str] = []
    """
    Private networks, such as 10.0.0.0/8, to which webhooks may be delivered. Default: none.
    """
    ports: Sequence[int] = []
    """
    Ports to which webhooks may be delivered, in addition to 80 and 443. Default: none.
    """
    schedule_seconds: Sequence[float] = [60, 300, 1800, 7200, 43200]
    """
    The delays before each retry, in seconds. After the last retry, the event is a dead letter. Default: 60, 300, 1800, 7200, 43200.
    """
    timeout_seconds: float = 15
    """
    Time limit for the response of a receiver, in seconds. Default: 15.
    """
    concurrency: int = 4
    """
    The maximum number of concurrent deliveries to one endpoint. Default: 4.
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
    The maximum size of one file, in bytes. Default: 8388608 (8 MiB).
    """
    owner_bytes: int = 268435456
    """
    The maximum total size of one owner's files, in bytes. Default: 268435456 (256 MiB).
    """
    retention_seconds: float = 86400
    """
    How long a file is stored, in seconds. Default: 86400 (1 day).
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
    The URL of an OTLP collector over HTTP, such as http://127.0.0.1:4318. Required.
    """
    service: str = "cardwright-gateway"
    """
    The service name of the gateway in traces. Default: cardwright-gateway.
    """


class GrpcSettings(SettingsModel):
    """
    Where the gateway serves gRPC.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    port: int
    """
    The port. Required.
    """
    host: str | None = None
    """
    The address to listen on. Default: that of `--host`; 127.0.0.1 without the command.
    """
    address: str | None = None
    """
    The public host and port, such as grpc.example.com:443, for the cards. Clients of a2a-sdk read this form; with a scheme (grpc, grpcs, http or https) others also learn whether there is TLS. Default: the host of the gateway's public URL, and `port`.
    """
    certificate: str | None = None
    """
    The PEM file of the TLS certificate, with its chain. A relative path is relative to the folder of this file. Default: without TLS, for a proxy that has it, or for this machine.
    """
    private_key: str | None = None
    """
    The PEM file of the certificate's private key. A relative path is relative to the folder of this file. Required beside `certificate`.
    """


class PageSettings(SettingsModel):
    """
    The HTML pages for visitors.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    try_: bool = Field(default=True, alias="try")
    """
    Whether each agent has a page on which a visitor can send it messages, as any caller can. Default: true.
    """
    playground: bool = False
    """
    Whether /playground validates, fixes, converts and compares cards that visitors paste. Nothing is stored. Default: false.
    """


class Backend(SettingsModel):
    """
    What executes a managed agent: exactly one of `url`, `python` and `queue`.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    url: str | None = None
    """
    The URL of an A2A agent that the gateway calls. `${NAME}` is read from the environment.
    """
    python: str | None = None
    """
    A Python callable, as `package.module:name`.
    """
    queue: Queue | None = None
    """
    A queue from which workers take calls.
    """


class Agent(SettingsModel):
    """
    One agent: an A2A agent by its URL, an MCP server, a managed agent by its card, or a Python function.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    protocol: Literal["a2a", "mcp", "managed"] | None = None
    """
    The protocol of the agent. Default: mcp with `command` or `transport`, else managed with `card` or, without `url`, `backend`, else a2a.
    """
    protocol_version: str | None = Field(default=None, alias="protocolVersion")
    """
    The protocol version according to the owner. The gateway does not use it: the card states the version. Default: none.
    """
    url: str | None = None
    """
    The URL of an A2A agent's endpoint, origin or card, or of an MCP server. `${NAME}` is read from the environment.
    """
    card_url: str | None = None
    """
    The URL of the card, if it does not follow from `url`. Default: derived from `url`.
    """
    bearer: str | None = None
    """
    A Bearer token that is sent to the agent's origin only. `${NAME}` is read from the environment. An empty string means no token. Default: none.
    """
    headers: Mapping[str, str] | None = None
    """
    Header fields that are sent to the agent's origin only. `${NAME}` is read from the environment. Default: none.
    """
    name: str | None = None
    """
    The name in the card that is derived from a Python function; of another agent the card states the name. Default: derived from the function's name.
    """
    description: str | None = None
    """
    The description in the card that is derived from a Python function; of another agent the card states the description. Default: the first sentence of the function's docstring.
    """
    version: str | float | None = None
    """
    The agent's version in the card that is derived from a Python function; of another agent the card states the version. Default: 1.0.0.
    """
    metadata: Mapping[str, Any] | None = None
    """
    Notes of the owner. The gateway reads only `agentCard.url`, the URL of the card. Default: none.
    """
    transport: Transport | None = None
    """
    How the gateway connects to an MCP server.
    """
    source: ServerSource | None = None
    """
    A file that describes an MCP server and how to reach it, instead of `url`, `command` or `transport`. Its first remote is used; a package is started only if it has none.
    """
    command: str | None = None
    """
    The command that starts an MCP server over stdio. `${NAME}` is read from the environment.
    """
    args: Sequence[str] | None = None
    """
    The arguments of the command. `${NAME}` is read from the environment. Default: none.
    """
    env: Mapping[str, str] | None = None
    """
    The environment variables of the command. `${NAME}` is read from the environment. Default: none.
    """
    card: str | Mapping[str, Any] | None = None
    """
    The card of a managed agent: the path of a file, or the card itself. A relative path is relative to the folder of this file. Default, for a Python function only: derived from its name, docstring and annotations.
    """
    backend: Backend | None = None
    """
    What executes a managed agent. Default: none; calls get status 503.
    """
    invalid_cards: Literal["fix", "pass", "refuse"] = "fix"
    """
    What the gateway does with this agent's card if it has errors. fix: apply safe fixes. pass: serve it unchanged. refuse: do not serve it. Default: the gateway's `invalid_cards`.
    """
    ttl_seconds: float | None = None
    """
    How long the card is fresh, whatever the response states, in seconds. Default: the lifetime in the response, or else the gateway's `ttl_seconds`.
    """
    stale_seconds: float = 0
    """
    How long the gateway serves the last valid card after it expired, while no new card can be fetched, in seconds. Default: the gateway's `stale_seconds`.
    """
    timeout_seconds: float = 60
    """
    Time limit for the whole response of the agent, or for the start of a stream, in seconds. Default: the gateway's `timeout_seconds`, which is also the maximum for an agent that was added through the API.
    """
    start_seconds: float = 10
    """
    How long a request waits for the MCP server to start, in seconds. Default: the gateway's `start_seconds`.
    """
    concurrency: int = 256
    """
    The maximum number of concurrent calls to this agent; further calls get status 429. Callers without credentials get at most half of them if the agent has an owner. As many workers may wait for its work. Default: the gateway's `concurrency`, which is also the maximum for an agent that was added through the API.
    """
    owner: str | None = None
    """
    The id of the agent's owner in `owners`. Default: none.
    """
    visibility: Literal["public", "unlisted", "private"] = "public"
    """
    Who sees the agent. public: every caller. unlisted: callers who know its id, without the details of its card. private: as unlisted, and only its owner and callers with one of its keys may call it. Default: public.
    """
    access: Literal["open", "keys"] | None = None
    """
    Who may call the agent. open: every caller. keys: users and callers with one of its keys. Default: keys if the agent has an owner, else open.
    """
    tasks: Literal["pass", "own"] | None = None
    """
    Who stores the tasks. pass: the agent itself, or the memory of the gateway if it answers for the agent (MCP servers, managed agents, A2A 0.1). own: the gateway, durably and with webhooks. Default: own if `access` is keys, else pass.
    """
    grpc: AgentGrpc = Field(default={}, validate_default=True)
    """
    How the agent is offered over the gateway's gRPC binding. Default: the default of each field.
    """
    owner_may_change: Sequence[Literal["visibility", "limits"]] = []
    """
    What the agent's owner may change over the API, and the operator with `cardwright gateway agents change`. visibility: `visibility`. limits: `concurrency` and `timeout_seconds`, up to the values here. Default: the gateway's `owner_may_change`.
    """
    invoke: bool = False
    """
    Whether the agent accepts `POST v1/invoke`. Default: the gateway's `invoke`.
    """
    card_version: Literal["1.0", "0.3", "hybrid", "as-written"] | None = None
    """
    The form of the card for callers that send no `A2A-Version`; `as-written` is the form of Beach for a Beach card. Default: hybrid if the agent also supports A2A 0.3, else the newest form.
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
    The agents by id. The id is part of URL paths. Required.
    """
    base_url: str | None = None
    """
    The public URL of the gateway; the URLs in served cards begin with it. Required, unless `proxies` or `--base-url` gives it.
    """
    proxies: ProxySettings | None = None
    """
    Trusted reverse proxies that name the public URL in each request; use it instead of `base_url`. Default: no proxy is trusted.
    """
    hosts: Sequence[str] = []
    """
    Additional host names that requests may name. On a loopback address, the gateway refuses all other host names. Default: none.
    """
    root: str | None = None
    """
    The id of the agent that the gateway also serves at the root of the host. Default: none.
    """
    short_urls: bool = False
    """
    Whether cards and lists have the URL of an agent as `/ID` below the base URL, not `/agents/ID`. Both paths work in either case. It excludes `root`. Default: false.
    """
    compat: Literal["beeos"] | None = None
    """
    Also serve the routes that the BeeOS seed gives to the gateways beside it: /api/v1/a2a, /tasks, /agents/ID/invoke and /oauth/token. Default: none.
    """
    store: str = "gateway.db"
    """
    Where the gateway stores its data: an SQLite file, a database URL, or `:memory:`. A relative path is relative to the folder of this file. `${NAME}` is read from the environment. Default: `gateway.db`.
    """
    admin_token: str | None = None
    """
    The Bearer token for adding, changing and removing agents and owners over the network, 16 characters or more. `${NAME}` is read from the environment. Default: none, so agents cannot be changed with a token.
    """
    allow: Sequence[str] = []
    """
    Private networks, such as 10.0.0.0/8, that the gateway may connect to. It may always connect to the origin of an agent in this file. Default: none.
    """
    ports: Sequence[int] = []
    """
    Ports of public addresses that the gateway may connect to, in addition to 80 and 443. Default: none.
    """
    keys: Sequence[str] = []
    """
    Files with keys that verify the signatures of agents' cards. A relative path is relative to the folder of this file. Default: none.
    """
    jku: Sequence[str] = []
    """
    Origins whose key sets are trusted to verify signatures of cards. Default: none.
    """
    registries: str | None = None
    """
    A file that names further transports, auth types, part types and conversation states of Beach, so that cards with them are valid. A relative path is relative to the folder of this file. Default: none.
    """
    signing: SigningSettings | None = None
    """
    The key that the gateway signs its served cards with. Default: the gateway does not sign cards.
    """
    ttl_seconds: float = 300
    """
    How long a fetched card is fresh if the response does not state it, in seconds. Default: 300.
    """
    stale_seconds: float = 0
    """
    How long the gateway serves the last valid card after it expired, while no new card can be fetched, in seconds. Default: 0.
    """
    timeout_seconds: float = 60
    """
    Time limit for the whole response of an agent, or for the start of a stream, in seconds. Default: 60.
    """
    start_seconds: float = 10
    """
    How long a request waits for an MCP server to start, in seconds. Default: 10.
    """
    invalid_cards: Literal["fix", "pass", "refuse"] = "fix"
    """
    What the gateway does with a card that has errors. fix: apply safe fixes. pass: serve it unchanged. refuse: do not serve it. Default: fix.
    """
    max_body_bytes: int = 8388608
    """
    The maximum size of a request body, in bytes. Default: 8388608 (8 MiB).
    """
    max_anonymous_body_bytes: int = 262144
    """
    The maximum size of a request body of a caller without credentials for the gateway, in bytes. Default: 262144 (256 KiB).
    """
    max_body_values: int = 5000
    """
    The maximum number of JSON values in a request body. Many small values take much more time and memory than their bytes suggest: in a message that the gateway answers itself, 5,000 take about 0.1 s. Default: 5000.
    """
    max_bodies_bytes: int = 134217728
    """
    The maximum size of the bodies of all running requests in one process, and of the files that invocations name, in bytes; further requests get status 503. One caller may take a fourth, all callers of one owner's agents together a half. Callers without credentials get at most half of each: half of all, and half of what one owner's agents may take; and while their bodies are received, what these have beyond 16 KiB each may take an eighth, for one owner's agents a thirty-second part, from one address a fourth of that. A turn that goes on after its request counts until it ends, and takes about four times its size in memory. The answers of agents that have more than 64 KiB may take as much again, those of one owner's agents a half of it; further ones get status 502. Default: 134217728 (128 MiB).
    """
    concurrency: int = 256
    """
    The maximum number of concurrent calls to one agent; further calls get status 429. Default: 256.
    """
    owners: Mapping[str, Owner] = Field(default={}, validate_default=True)
    """
    The owners of agents by id; agents refer to these ids. Default: none.
    """
    jwt: Sequence[Issuer] = Field(default=[], validate_default=True)
    """
    Trusted issuers of users' tokens. Default: none.
    """
    limits: LimitSettings = Field(default={}, validate_default=True)
    """
    The rate limit of each caller. Default: 60 requests in 60 seconds for each caller with credentials.
    """
    tasks: TaskSettings = Field(default={}, validate_default=True)
    """
    Settings for tasks that the gateway stores itself. Default: the default of each field.
    """
    webhooks: WebhookSettings = Field(default={}, validate_default=True)
    """
    Settings for the delivery of push notifications. Default: the default of each field.
    """
    files: FileSettings = Field(default={}, validate_default=True)
    """
    Settings for files that callers upload for invocations. Default: the default of each field.
    """
    telemetry: TelemetrySettings | None = None
    """
    OpenTelemetry traces. Default: no traces are sent.
    """
    grpc: GrpcSettings | None = None
    """
    The gRPC binding of A2A, on a port of its own, for agents that the gateway answers for: those with `tasks: own`, functions, queues and MCP servers. Their cards list it. Requires the extra grpc. Default: off.
    """
    pages: PageSettings = Field(default={}, validate_default=True)
    """
    The HTML pages for visitors. Default: the default of each field.
    """
    log: Literal["text", "json"] = "text"
    """
    The format of the log. text: readable lines. json: one JSON object per line. Default: text.
    """
    owner_may_change: Sequence[Literal["visibility", "limits"]] = []
    """
    What owners may change of the agents of this file over the API: `visibility`, `limits`. Default: nothing.
    """
    invoke: bool = False
    """
    Whether agents accept `POST v1/invoke`. Default: false.
    """
