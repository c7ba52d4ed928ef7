"""cardwright gateway: typed models.

Generated from schemas/api/gateway.openapi.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from cardwright_gateway_models.documents_base import DocumentModel


class Attachment(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    file_id: str
    """
    The `file_id` from the response to the upload.
    """


class InvokeReply(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    reply: str
    """
    The texts of the agent, one per line; without texts, its data as compact JSON, one value per line.
    """
    context_id: str
    """
    The conversation; send it with the next message.
    """
    thought: str | None = None
    """
    The reasoning of the agent, if it reports any: the string `thought` in the metadata of its result, of its artifacts or of its message.
    """
    state: Literal["input-required", "auth-required"] | None = None
    """
    Present if the agent needs more input or authentication; send the next message with the same `context_id`.
    """


class AddAgent(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    id: str
    """
    The id of the agent; part of URL paths.
    """
    agent: Mapping[str, Any]
    """
    The settings, as for an agent in the configuration file: https://cardwright.dev/schemas/settings/gateway.schema.json#/$defs/Agent.
    """


class ChangeAgent(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    agent: Mapping[str, Any]
    """
    The settings, as for an agent in the configuration file: https://cardwright.dev/schemas/settings/gateway.schema.json#/$defs/Agent.
    """


class AgentOverrides(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    visibility: Literal["public", "unlisted", "private"] | None = None
    """
    Who sees the agent.
    """
    concurrency: int | None = None
    """
    The maximum number of concurrent calls to the agent.
    """
    timeout_seconds: float | None = None
    """
    Time limit for the whole response of the agent, or for the start of a stream, in seconds.
    """


class Quota(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    requests: int
    """
    The maximum number of requests in the window; 0 means no limit.
    """
    seconds: int
    """
    The length of the window, in seconds.
    """


class IssueKey(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    name: str | None = None
    """
    A name of your choice.
    """
    expires_at: str | None = None
    """
    When the key expires; a time in the future (RFC 3339).
    """
    quota: Quota | None = None


class KeyRecord(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    The id of the key; rotation does not change it.
    """
    name: str
    """
    The name that the owner chose.
    """
    prefix: str
    """
    The first characters of the key.
    """
    quota: Quota | None
    created_at: str
    """
    When it was issued (RFC 3339).
    """
    rotated_at: str | None
    """
    When its secret was last rotated (RFC 3339); null if never.
    """
    expires_at: str | None
    """
    When it expires (RFC 3339); null if it does not expire.
    """
    revoked_at: str | None
    """
    When it was revoked (RFC 3339); null if it was not.
    """
    previous_until: str | None
    """
    Until when the secret before the last rotation is valid (RFC 3339); null without an overlap.
    """
    paused_at: str | None
    """
    Since when it is paused (RFC 3339); null if it is not.
    """
    last_used_at: str | None
    """
    When it was last used, at most a minute old (RFC 3339); null if never.
    """


class KeyIssued(KeyRecord):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    key: str
    """
    The value that callers send as X-Agent-API-Key. It cannot be retrieved later.
    """


class KeyPage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    keys: Sequence[KeyRecord]
    next_page_token: str | None = None
    """
    The `page_token` of the next page; absent on the last page.
    """


class Delivery(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    The id of the attempt.
    """
    event_id: str
    """
    The id of the event; the `webhook-id` that the receiver gets.
    """
    number: int
    """
    The number of the attempt.
    """
    cause: str
    """
    Why it was sent: schedule or redelivery.
    """
    started_at: str
    """
    When it started (RFC 3339).
    """
    ended_at: str | None
    """
    When it ended (RFC 3339); null if it was interrupted.
    """
    outcome: str
    """
    The result: delivered, failed, refused or unknown.
    """
    duration_ms: float | None
    """
    How long it took, in milliseconds; null if it was interrupted.
    """
    response_bytes: int | None
    status: int | None
    """
    The HTTP status of the response; null without a response.
    """
    reason: str | None
    """
    Why it was not delivered; null if it was, or was interrupted.
    """


class DeliveryPage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    deliveries: Sequence[Delivery]
    next_page_token: str | None = None
    """
    The `page_token` of the next page; absent on the last page.
    """


class Redelivery(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    delivery_id: str
    """
    The id of the new attempt; the same for requests with the same Idempotency-Key.
    """


class Instance(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    agent_id: str
    """
    The id of the agent.
    """
    mode: Literal["push", "pull", "local", "none"]
    """
    How the agent is executed. push: the gateway calls it. pull: its workers take work from a queue. local: it runs in the gateway. none: nothing executes it.
    """
    state: Literal["online", "offline", "unknown"]
    workers_waiting: int | None = None
    """
    The number of workers that wait for work in this process.
    """
    calls_under_way: int | None = None
    seen_seconds_ago: float | None = None
    """
    When it was last seen, in seconds before now.
    """


class InstancePage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    instances: Sequence[Instance]
    next_page_token: str | None = None
    """
    The `page_token` of the next page; absent on the last page.
    """


class AuditEntry(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    number: int
    at: str
    """
    When the change was made (RFC 3339).
    """
    actor: str
    """
    Who made the change.
    """
    action: str
    """
    What was done, such as `key.issue`.
    """
    agent_id: str
    """
    The id of the agent.
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
    next_page_token: str | None = None
    """
    The `page_token` of the next page; absent on the last page.
    """


class CreateWebhook(DocumentModel):
    """
    A webhook of a task, with `compat: beeos`.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    url: str
    """
    The URL that gets the events.
    """
    secret: str | None = None
    """
    The secret that signs deliveries. Default: they are not signed.
    """
    token: str | None = None
    """
    A token that the receiver gets in X-A2A-Notification-Token.
    """


class CreateTask(DocumentModel):
    """
    A message that begins a task, with `compat: beeos`: `message`, `data`, or both.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    agent_id: str | None = None
    """
    The agent. Default: that of the API key.
    """
    message: str | None = None
    """
    The message to the agent. Optional beside `data`.
    """
    data: Mapping[str, Any] | None = None
    """
    Structured input, such as the arguments of a skill. The agent gets it after the message, as a data part.
    """
    skill: str | None = None
    """
    The id of the skill to use.
    """
    context_id: str | None = None
    """
    The conversation to continue.
    """
    webhook: CreateWebhook | None = None


class CallerTask(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    The id of the task, for `GetTask` of A2A.
    """
    agent_id: str
    """
    The id of the agent.
    """
    context_id: str
    """
    The conversation that the task belongs to.
    """
    state: str
    """
    The state, as A2A 0.3 writes it.
    """
    updated_at: str
    """
    When the task changed last (RFC 3339).
    """


class CallerTaskPage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    tasks: Sequence[CallerTask]
    next_page_token: str | None = None
    """
    The `page_token` of the next page; absent on the last page.
    """


class CallerWebhook(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    The id of the push notification configuration.
    """
    url: str | None = None
    """
    The URL that gets the events; absent if it was encrypted with another key.
    """
    signed: bool
    """
    Whether deliveries are signed with a secret.
    """


class CallerWebhookList(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    webhooks: Sequence[CallerWebhook]


class FileRecord(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    file_id: str
    """
    The id for attachments of invocations.
    """
    name: str
    """
    The file name from the upload.
    """
    media_type: str
    """
    The media type from the Content-Type of the upload.
    """
    size: int
    """
    The size, in bytes.
    """
    expires_at: str
    """
    When the file expires (RFC 3339).
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
    An error of google.rpc in the form of REST (A2A 1.0 §11.6).
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    code: int
    status: str
    """
    The name of a google.rpc.Code.
    """
    message: str
    """
    What is wrong and what to do.
    """
    details: Sequence[Mapping[str, Any]]
    """
    A google.rpc.ErrorInfo and, if the request violates its schema, a google.rpc.BadRequest with JSON Pointers.
    """


class ChangeKey(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    name: str | None = None
    """
    A name of your choice.
    """
    expires_at: Annotated[str | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    When the key expires; a time in the future (RFC 3339). null: never.
    """
    quota: Annotated[Quota | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    The limit of the key. null: the gateway's limit.
    """
    paused: bool | None = None
    """
    Whether calls with the key get status 503 with Retry-After; what is running finishes.
    """


class RotateKey(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    overlap_seconds: int | None = None
    """
    How long the old secret stays valid, in seconds. Default: 0, it becomes invalid at once.
    """


class PatchAgent(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    visibility: Annotated[
        Literal["public", "unlisted", "private"] | None, Field(json_schema_extra={"x-nullable": True})
    ] = None
    """
    Who sees the agent. For an agent of the gateway's configuration file, only where `owner_may_change` has `visibility`; null for the value of the file. For an added agent, null for the default, public.
    """
    concurrency: Annotated[int | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    The maximum number of concurrent calls to the agent; running calls are cancelled. For an agent of the gateway's configuration file, only where `owner_may_change` has `limits`, and at most the value of the file. null for the value of the file, or the gateway's for an added agent.
    """
    timeout_seconds: Annotated[float | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    Time limit for the whole response of the agent, or for the start of a stream, in seconds; running calls are cancelled. For an agent of the gateway's configuration file, only where `owner_may_change` has `limits`, and at most the value of the file. null for the value of the file, or the gateway's for an added agent.
    """
    paused: bool | None = None
    """
    Whether new messages get status 503 with Retry-After; what is running finishes.
    """


class AddOwner(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    id: str
    """
    The id of the owner; agents refer to it.
    """
    name: str
    """
    The owner's name in cards.
    """
    url: str | None = None
    """
    The owner's website in cards. Default: the gateway's URL.
    """


class OwnerRecord(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    The id of the owner.
    """
    name: str
    """
    The owner's name in cards.
    """
    url: str | None
    """
    The owner's website; null for the gateway's URL.
    """
    added: bool
    """
    Whether the owner was added to the running gateway. If false, the owner is in the configuration file.
    """
    created_at: str | None
    """
    When the owner was added (RFC 3339); null for an owner of the configuration file.
    """


class OwnerPage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    owners: Sequence[OwnerRecord]
    next_page_token: str | None = None
    """
    The `page_token` of the next page; absent on the last page.
    """


class IssueToken(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    name: str | None = None
    """
    A name of your choice.
    """
    expires_at: str | None = None
    """
    When the token expires; a time in the future (RFC 3339). Default: never.
    """


class OwnerToken(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    The id of the token.
    """
    name: str
    """
    The name that was chosen.
    """
    prefix: str
    """
    The first characters of the token.
    """
    created_at: str
    """
    When it was issued (RFC 3339).
    """
    expires_at: str | None
    """
    When it expires (RFC 3339); null if it does not expire.
    """
    revoked_at: str | None
    """
    When it was revoked (RFC 3339); null if it was not.
    """
    last_used_at: str | None
    """
    When it was last used, at most a minute old (RFC 3339); null if never.
    """


class OwnerTokenIssued(OwnerToken):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    token: str
    """
    The value that the owner sends as Bearer token. It cannot be retrieved later.
    """


class OwnerTokenPage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    tokens: Sequence[OwnerToken]
    next_page_token: str | None = None
    """
    The `page_token` of the next page; absent on the last page.
    """


class TaskRecord(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    The id of the task.
    """
    context_id: str
    """
    The context of the task.
    """
    state: str
    """
    The state, as the parameter `state` names it.
    """
    caller: str
    """
    Who sent it: `key:` and the id of a key, `user:` and a digest, or `owner:` and an id; empty without credentials.
    """
    updated_at: str | None
    """
    When it last changed (RFC 3339).
    """


class TaskPage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    tasks: Sequence[TaskRecord]
    next_page_token: str | None = None
    """
    The `page_token` of the next page; absent on the last page.
    """


class WebhookRecord(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    The id of the webhook.
    """
    caller: str
    """
    Who configured it; as `caller` of the task.
    """
    waiting: int
    """
    The number of deliveries that are not complete.
    """
    delivered: int
    """
    The number of deliveries that arrived.
    """
    dead: int
    """
    The number of deliveries whose last attempt failed.
    """
    dropped: int
    """
    The number of deliveries that were given up.
    """
    disabled_at: str | None
    """
    Since when its receiver is disabled (RFC 3339); null if it is not.
    """


class WebhookPage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    webhooks: Sequence[WebhookRecord]


class DeliveryEvent(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    The id of the event; the `webhook-id` that the receiver gets.
    """
    state: str
    """
    waiting, delivered, dead (the last attempt failed) or dropped (given up).
    """
    attempts: int
    """
    The number of scheduled attempts.
    """
    created_at: str
    """
    When it was accepted (RFC 3339).
    """
    next_at: str | None
    """
    When the next attempt is due (RFC 3339); null if no attempt is due.
    """
    ended_at: str | None
    """
    When it ended (RFC 3339); null if it waits.
    """


class DeliveryEventPage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    events: Sequence[DeliveryEvent]
    next_page_token: str | None = None
    """
    The `page_token` of the next page; absent on the last page.
    """


class InvokeRequest(DocumentModel):
    """
    A message, data, or both.
    """

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    message: str | None = None
    """
    The message to the agent, at most 1,048,576 characters. Send a longer text as a file. Optional beside `data`.
    """
    data: Mapping[str, Any] | None = None
    """
    Structured input, such as the arguments of a skill. The agent gets it after the message, as a data part.
    """
    skill: str | None = None
    """
    The id of the skill to use, from the card; required by an MCP server with several tools. The agent gets it in the metadata of the message.
    """
    context_id: str | None = None
    """
    The conversation to continue: `context_id` of the previous reply.
    """
    attachments: Sequence[Attachment] | None = None
    """
    Files that are sent with the message, in this order.
    """


class AgentRecord(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    The id of the agent; part of URL paths.
    """
    name: str
    """
    The name in its card; the id if no card is known.
    """
    visibility: Literal["public", "unlisted", "private"]
    access: Literal["open", "keys"]
    protocol: Literal["a2a", "mcp", "managed"]
    state: Literal["ok", "stale", "failing", "waiting", "starting", "idle"]
    """
    The state of its card; `failing` also if the agent cannot be reached, as its last call or check showed.
    """
    error: str | None = None
    """
    Why its card could not be fetched, or the agent could not be reached.
    """
    added: bool
    """
    Whether it was added over this API. If false, it is in the gateway's configuration file, and only what `owner_may_change` lists can be changed here.
    """
    url: str
    """
    The URL for calls.
    """
    card_url: str
    """
    The URL of its card.
    """
    paused_at: str | None
    """
    Since when it is paused (RFC 3339); null if it is not.
    """
    concurrency: int | None = None
    """
    The maximum number of concurrent calls to the agent; only for its owner.
    """
    timeout_seconds: float | None = None
    """
    Time limit for the whole response of the agent, or for the start of a stream, in seconds; only for its owner.
    """
    owner_may_change: Sequence[Literal["visibility", "limits"]] | None = None
    """
    What its owner may change with PATCH, besides `paused`; only for its owner.
    """
    overrides: AgentOverrides | None = None
    """
    Which of these settings replace those of the gateway's configuration file; only for its owner.
    """


class AgentPage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    agents: Sequence[AgentRecord]
    next_page_token: str | None = None
    """
    The `page_token` of the next page; absent on the last page.
    """


class Problem(DocumentModel):
    """
    An error response (A2A 1.0 §11.6).
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
    invoke_request: InvokeRequest | None = None
    attachment: Attachment | None = None
    invoke_reply: InvokeReply | None = None
    add_agent: AddAgent | None = None
    change_agent: ChangeAgent | None = None
    agent_record: AgentRecord | None = None
    agent_overrides: AgentOverrides | None = None
    agent_page: AgentPage | None = None
    quota: Quota | None = None
    issue_key: IssueKey | None = None
    key_record: KeyRecord | None = None
    key_issued: Annotated[KeyIssued | None, Field(json_schema_extra={"x-nullable": True})] = None
    key_page: KeyPage | None = None
    delivery: Delivery | None = None
    delivery_page: DeliveryPage | None = None
    redelivery: Redelivery | None = None
    instance: Instance | None = None
    instance_page: InstancePage | None = None
    audit_entry: AuditEntry | None = None
    audit_page: AuditPage | None = None
    create_webhook: CreateWebhook | None = None
    create_task: CreateTask | None = None
    caller_task: CallerTask | None = None
    caller_task_page: CallerTaskPage | None = None
    caller_webhook: CallerWebhook | None = None
    caller_webhook_list: CallerWebhookList | None = None
    file_record: FileRecord | None = None
    health: Health | None = None
    problem: Problem | None = None
    problem_status: ProblemStatus | None = None
    change_key: ChangeKey | None = None
    rotate_key: RotateKey | None = None
    patch_agent: PatchAgent | None = None
    add_owner: AddOwner | None = None
    owner_record: OwnerRecord | None = None
    owner_page: OwnerPage | None = None
    issue_token: IssueToken | None = None
    owner_token: OwnerToken | None = None
    owner_token_issued: Annotated[OwnerTokenIssued | None, Field(json_schema_extra={"x-nullable": True})] = (
        None
    )
    owner_token_page: OwnerTokenPage | None = None
    task_record: TaskRecord | None = None
    task_page: TaskPage | None = None
    webhook_record: WebhookRecord | None = None
    webhook_page: WebhookPage | None = None
    delivery_event: DeliveryEvent | None = None
    delivery_event_page: DeliveryEventPage | None = None
