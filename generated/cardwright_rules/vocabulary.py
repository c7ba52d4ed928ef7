"""The canonical cores of the open registries, as frozen entries.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Entry:
    """One name of a vocabulary.

    `requires` are the fields that an object with this name must have; `delivery_class` of a transport says
    whether envelope parts are sent as they arrive (streaming) or in one message (buffered).
    """

    name: str
    description: str
    requires: tuple[str, ...] = ()
    delivery_class: str | None = None


@dataclass(frozen=True, slots=True)
class PartTypeEntry:
    """One part type and its delivery rules (Beach protocol)."""

    name: str
    description: str
    a2a_kind: str | None
    streaming: str
    buffered: str
    allowed_transports: tuple[str, ...] | None
    requires_peer_consumes: bool


# A2A protocol bindings (A2A 1.0 §4.4.6, §5.8; A2A 0.3 §5.5.5)
A2A_TRANSPORTS: Final = (
    Entry(
        name="JSONRPC",
        description="JSON-RPC 2.0 over HTTP.",
    ),
    Entry(
        name="GRPC",
        description="gRPC over HTTP/2.",
    ),
    Entry(
        name="HTTP+JSON",
        description="JSON over HTTP with a URL for each operation.",
    ),
)

# Beach authentication types (Beach Agent Card, Transport entry)
AUTH_TYPES: Final = (
    Entry(
        name="none",
        description="Nothing is asked; meant for development and trusted networks.",
    ),
    Entry(
        name="api-key",
        description="A secret key in a named HTTP header.",
        requires=("header",),
    ),
    Entry(
        name="oauth2",
        description="An access token from an OAuth 2.0 token endpoint.",
        requires=("tokenEndpoint", "scope"),
    ),
    Entry(
        name="mtls",
        description="A client certificate in the TLS handshake, known by its fingerprint.",
        requires=("fingerprints",),
    ),
)

# Beach conversation states (Beach Agent Card, Extensions — beach)
CONVERSATION_STATES: Final = (
    Entry(
        name="awaiting",
        description="More is to come from the agent; the turn has not settled.",
    ),
    Entry(
        name="complete",
        description="The turn has settled and its envelope is whole.",
    ),
    Entry(
        name="clarifying",
        description="The agent waits for the caller to answer a question.",
    ),
    Entry(
        name="error",
        description="The turn failed.",
    ),
    Entry(
        name="suspended",
        description="The turn waits for a person's decision.",
    ),
    Entry(
        name="delegated",
        description="The turn waits for the answer of a peer agent.",
    ),
    Entry(
        name="passed",
        description="The turn was handed to another actor of the conversation.",
    ),
)

# Beach part types (Beach protocol 0.6.0, Canonical part types; Delivery rules per transport class)
PART_TYPES: Final = (
    PartTypeEntry(
        name="domain-data",
        description="Structured data as the application holds it.",
        a2a_kind="data",
        streaming="once",
        buffered="settle",
        allowed_transports=None,
        requires_peer_consumes=False,
    ),
    PartTypeEntry(
        name="llm-context",
        description="Prose analysis of the data, written for the model of a peer; made once, when the turn settles.",
        a2a_kind="text",
        streaming="settle",
        buffered="settle",
        allowed_transports=None,
        requires_peer_consumes=True,
    ),
    PartTypeEntry(
        name="a2ui-surface",
        description="A2UI messages that create a surface or update its data or components.",
        a2a_kind="data",
        streaming="flush",
        buffered="final",
        allowed_transports=None,
        requires_peer_consumes=False,
    ),
    PartTypeEntry(
        name="artifact",
        description="A file, an image or a recording, by reference or as bytes.",
        a2a_kind="file",
        streaming="reference",
        buffered="attach",
        allowed_transports=None,
        requires_peer_consumes=False,
    ),
    PartTypeEntry(
        name="reasoning-trace",
        description="Reasoning recorded from the model itself.",
        a2a_kind="text",
        streaming="audit",
        buffered="audit",
        allowed_transports=None,
        requires_peer_consumes=False,
    ),
    PartTypeEntry(
        name="citation",
        description="A source, tied to a path in the domain data.",
        a2a_kind="data",
        streaming="settle",
        buffered="settle",
        allowed_transports=None,
        requires_peer_consumes=False,
    ),
    PartTypeEntry(
        name="approval-request",
        description="A question to a person whether a waiting tool call may run; the turn is suspended until it is answered.",
        a2a_kind="data",
        streaming="flush",
        buffered="flush",
        allowed_transports=None,
        requires_peer_consumes=False,
    ),
    PartTypeEntry(
        name="approval-response",
        description="The answer, granted or denied, to the request that bears the same approvalId.",
        a2a_kind="data",
        streaming="inbound",
        buffered="inbound",
        allowed_transports=None,
        requires_peer_consumes=False,
    ),
    PartTypeEntry(
        name="progress",
        description="Structured news of a long operation.",
        a2a_kind="data",
        streaming="flush",
        buffered="drop",
        allowed_transports=None,
        requires_peer_consumes=False,
    ),
    PartTypeEntry(
        name="setState",
        description="A handler's proposal to change session state, keyed `component.coordinate`; the router applies all of it or none.",
        a2a_kind="data",
        streaming="relay",
        buffered="relay",
        allowed_transports=("a2a",),
        requires_peer_consumes=False,
    ),
    PartTypeEntry(
        name="ack",
        description="Signal that a message has arrived.",
        a2a_kind="text",
        streaming="flush",
        buffered="drop",
        allowed_transports=None,
        requires_peer_consumes=False,
    ),
    PartTypeEntry(
        name="thinking",
        description="Signal that work is going on.",
        a2a_kind="text",
        streaming="flush",
        buffered="drop",
        allowed_transports=None,
        requires_peer_consumes=False,
    ),
    PartTypeEntry(
        name="response",
        description="What the agent says to the caller.",
        a2a_kind="text",
        streaming="delta",
        buffered="final",
        allowed_transports=None,
        requires_peer_consumes=False,
    ),
    PartTypeEntry(
        name="clarify",
        description="A question the caller must answer before work can go on.",
        a2a_kind="text",
        streaming="flush",
        buffered="flush",
        allowed_transports=None,
        requires_peer_consumes=False,
    ),
    PartTypeEntry(
        name="error",
        description="Word that something failed.",
        a2a_kind="text",
        streaming="flush",
        buffered="flush",
        allowed_transports=None,
        requires_peer_consumes=False,
    ),
)

# Beach transports (Beach Agent Card, Transport entry)
TRANSPORTS: Final = (
    Entry(
        name="a2a",
        description="A2A over HTTP: the endpoint takes posted A2A messages.",
        delivery_class="buffered",
    ),
    Entry(
        name="mcp",
        description="Model Context Protocol, at a streamable HTTP address or a local command behind `stdio://`; peers talk by calling one tool.",
        requires=("tool",),
        delivery_class="buffered",
    ),
    Entry(
        name="sse",
        description="Server-sent events over HTTP.",
        delivery_class="streaming",
    ),
    Entry(
        name="smtp",
        description="Electronic mail.",
        delivery_class="buffered",
    ),
    Entry(
        name="whatsapp",
        description="WhatsApp messages.",
        delivery_class="buffered",
    ),
    Entry(
        name="webhook",
        description="HTTP callbacks posted by another system.",
        delivery_class="buffered",
    ),
    Entry(
        name="cron",
        description="Turns started by a timetable rather than by a message.",
        delivery_class="buffered",
    ),
)

# What each delivery rule of part-types means.
DELIVERY_RULES: Final = {
    "flush": "Every occurrence goes out the moment it is produced.",
    "delta": "Increments go out as they are produced; the receiver puts them together.",
    "once": "One complete part goes out as soon as it is available.",
    "settle": "One complete part goes out when the turn settles.",
    "final": "Only the last state goes out, rendered when the turn settles; a transport that cannot render it leaves it out.",
    "reference": "A URL goes out in place of the bytes wherever there is one.",
    "attach": "The bytes themselves go out with the message.",
    "audit": "Kept in the audit record; is sent to no receiver unless the application changes that.",
    "inbound": "Never goes out; it arrives, is handed to the turn that waits for it, and that turn goes on.",
    "relay": "Goes unchanged to an agent peer; everything made for people leaves it out.",
    "drop": "Not sent.",
}
