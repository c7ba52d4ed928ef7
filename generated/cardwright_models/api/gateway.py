"""cardwright gateway: typed models.

Generated from schemas/api/gateway.openapi.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import MISSING, ConfigDict, Field

from cardwright_runtime.documents import DocumentModel


class Attachment(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    file_id: str
    """
    What the upload told.
    """


class InvokeReply(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    reply: str
    """
    The agent's texts, each on a line of its own; without any, its data as compact JSON, a line each.
    """
    context_id: str
    """
    The conversation, to be given with the next message.
    """
    thought: str | MISSING = MISSING
    """
    How the agent came to it, where it tells.
    """
    state: Literal["input-required", "auth-required"] | MISSING = MISSING
    """
    There where the reply asks for something, to be answered in the same context.
    """


class AddAgent(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    id: str
    """
    What it will be called in paths.
    """
    agent: Mapping[str, Any]
    """
    As an agent stands in the configuration file: https://cardwright.dev/schemas/settings/gateway.schema.json#/$defs/Agent.
    """


class ChangeAgent(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    agent: Mapping[str, Any]
    """
    As an agent stands in the configuration file: https://cardwright.dev/schemas/settings/gateway.schema.json#/$defs/Agent.
    """


class SetVisibility(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    visibility: Literal["public", "unlisted", "private"]


class AgentRecord(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    What it is called in paths.
    """
    name: str
    """
    What its card calls it; its id where no card is known.
    """
    visibility: Literal["public", "unlisted", "private"]
    access: Literal["open", "keys"]
    protocol: Literal["a2a", "mcp", "managed"]
    state: Literal["ok", "stale", "failing", "waiting", "starting", "idle"]
    """
    How its card does.
    """
    error: str | MISSING = MISSING
    """
    Why its card could not be had.
    """
    added: bool
    """
    Whether it was added here; else it stands in the gateway's configuration file, and is changed there.
    """
    url: str
    """
    Where it is called.
    """
    card_url: str
    """
    Where its card is.
    """


class AgentPage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    agents: Sequence[AgentRecord]
    next_page_token: str | MISSING = MISSING
    """
    The `page_token` of what follows; absent on the last page.
    """


class Quota(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    requests: int
    """
    How many; 0 for any number.
    """
    seconds: int
    """
    Within how many.
    """


class IssueKey(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    name: str | MISSING = MISSING
    """
    What you call it.
    """
    expires_at: str | MISSING = MISSING
    """
    From when on it does not count, a time to come (RFC 3339).
    """
    quota: Quota | MISSING = MISSING


class KeyRecord(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    What it is named by, the same after a rotation.
    """
    name: str
    """
    What its owner calls it.
    """
    prefix: str
    """
    Its first characters.
    """
    quota: Quota | None
    created_at: str
    """
    When it was issued (RFC 3339)
    """
    rotated_at: str | None
    """
    When it last got another secret (RFC 3339); null where it did not come to that
    """
    expires_at: str | None
    """
    From when on it does not count (RFC 3339); null where it did not come to that
    """
    revoked_at: str | None
    """
    When it was revoked (RFC 3339); null where it did not come to that
    """


class KeyIssued(KeyRecord):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    secret: str
    """
    What callers send as X-Agent-API-Key. Nobody can tell it again.
    """


class KeyPage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    keys: Sequence[KeyRecord]
    next_page_token: str | MISSING = MISSING
    """
    The `page_token` of what follows; absent on the last page.
    """


class Delivery(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    The attempt.
    """
    event_id: str
    """
    What was to be delivered; the `webhook-id` that the receiver sees.
    """
    number: int
    """
    Which attempt it was.
    """
    cause: str
    """
    schedule or redelivery.
    """
    started_at: str
    """
    When it began (RFC 3339)
    """
    ended_at: str | None
    """
    When it ended; an attempt that was cut off has no end (RFC 3339); null where it did not come to that
    """
    outcome: str
    """
    delivered, failed, refused or unknown.
    """
    status_class: int | None
    """
    2, 4 or 5 of 2xx, 4xx and 5xx.
    """
    duration_ms: float | None
    response_bytes: int | None


class DeliveryPage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    deliveries: Sequence[Delivery]
    next_page_token: str | MISSING = MISSING
    """
    The `page_token` of what follows; absent on the last page.
    """


class Redelivery(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    delivery_id: str
    """
    The new attempt; the same one for the same Idempotency-Key.
    """


class Instance(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    agent_id: str
    """
    The agent.
    """
    mode: Literal["push", "pull", "local", "none"]
    """
    Whether the gateway calls it, its workers ask for work, it runs in the gateway, or nothing answers.
    """
    state: Literal["online", "offline", "unknown"]
    workers_waiting: int | MISSING = MISSING
    """
    Workers that wait for work in this process.
    """
    calls_under_way: int | MISSING = MISSING
    seen_seconds_ago: float | MISSING = MISSING
    """
    How long ago it was last heard of.
    """


class InstancePage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    instances: Sequence[Instance]
    next_page_token: str | MISSING = MISSING
    """
    The `page_token` of what follows; absent on the last page.
    """


class AuditEntry(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    number: int
    at: str
    """
    When (RFC 3339)
    """
    actor: str
    """
    Who.
    """
    action: str
    """
    What, such as `key.issue`.
    """
    agent_id: str
    """
    Of which agent.
    """
    subject: str
    """
    What was changed, such as the id of a key.
    """
    detail: Mapping[str, Any]


class AuditPage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    entries: Sequence[AuditEntry]
    next_page_token: str | MISSING = MISSING
    """
    The `page_token` of what follows; absent on the last page.
    """


class FileRecord(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    file_id: str
    """
    What invocations refer to.
    """
    name: str
    """
    As it was told.
    """
    media_type: str
    """
    As Content-Type told it.
    """
    size: int
    """
    Bytes.
    """
    expires_at: str
    """
    When it is forgotten (RFC 3339)
    """


class Health(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    status: str
    """
    ok, ready or not ready.
    """


class ProblemStatus(DocumentModel):
    """
    An error of google.rpc as REST carries it (A2A 1.0 §11.6).
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: int
    status: str
    """
    A google.rpc.Code.
    """
    message: str
    """
    What is wrong, and what helps.
    """
    details: Sequence[Mapping[str, Any]]
    """
    A google.rpc.ErrorInfo, and where the request breaks its schema a google.rpc.BadRequest with JSON Pointers.
    """


class InvokeRequest(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    message: str
    """
    What to say to the agent.
    """
    context_id: str | MISSING = MISSING
    """
    The conversation that it belongs to, as the reply before told it.
    """
    attachments: Sequence[Attachment] | MISSING = MISSING
    """
    Files that go with it, in their order.
    """


class Problem(DocumentModel):
    """
    A2A 1.0 §11.6.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    error: ProblemStatus


class GatewayApi(DocumentModel):
    """
    cardwright gateway
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    invoke_request: Annotated[InvokeRequest | MISSING, Field(alias="InvokeRequest")] = MISSING
    attachment: Annotated[Attachment | MISSING, Field(alias="Attachment")] = MISSING
    invoke_reply: Annotated[InvokeReply | MISSING, Field(alias="InvokeReply")] = MISSING
    add_agent: Annotated[AddAgent | MISSING, Field(alias="AddAgent")] = MISSING
    change_agent: Annotated[ChangeAgent | MISSING, Field(alias="ChangeAgent")] = MISSING
    set_visibility: Annotated[SetVisibility | MISSING, Field(alias="SetVisibility")] = MISSING
    agent_record: Annotated[AgentRecord | MISSING, Field(alias="AgentRecord")] = MISSING
    agent_page: Annotated[AgentPage | MISSING, Field(alias="AgentPage")] = MISSING
    quota: Annotated[Quota | MISSING, Field(alias="Quota")] = MISSING
    issue_key: Annotated[IssueKey | MISSING, Field(alias="IssueKey")] = MISSING
    key_record: Annotated[KeyRecord | MISSING, Field(alias="KeyRecord")] = MISSING
    key_issued: Annotated[KeyIssued | MISSING, Field(alias="KeyIssued")] = MISSING
    key_page: Annotated[KeyPage | MISSING, Field(alias="KeyPage")] = MISSING
    delivery: Annotated[Delivery | MISSING, Field(alias="Delivery")] = MISSING
    delivery_page: Annotated[DeliveryPage | MISSING, Field(alias="DeliveryPage")] = MISSING
    redelivery: Annotated[Redelivery | MISSING, Field(alias="Redelivery")] = MISSING
    instance: Annotated[Instance | MISSING, Field(alias="Instance")] = MISSING
    instance_page: Annotated[InstancePage | MISSING, Field(alias="InstancePage")] = MISSING
    audit_entry: Annotated[AuditEntry | MISSING, Field(alias="AuditEntry")] = MISSING
    audit_page: Annotated[AuditPage | MISSING, Field(alias="AuditPage")] = MISSING
    file_record: Annotated[FileRecord | MISSING, Field(alias="FileRecord")] = MISSING
    health: Annotated[Health | MISSING, Field(alias="Health")] = MISSING
    problem: Annotated[Problem | MISSING, Field(alias="Problem")] = MISSING
    problem_status: Annotated[ProblemStatus | MISSING, Field(alias="ProblemStatus")] = MISSING
