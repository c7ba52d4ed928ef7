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
    thought: str | MISSING = MISSING
    """
    The reasoning of the agent, if it reports any: the string `thought` in the metadata of its result, of its artifacts or of its message.
    """
    state: Literal["input-required", "auth-required"] | MISSING = MISSING
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
    visibility: Literal["public", "unlisted", "private"] | MISSING = MISSING
    """
    Who sees the agent.
    """
    concurrency: int | MISSING = MISSING
    """
    The maximum number of concurrent calls to the agent.
    """
    timeout_seconds: float | MISSING = MISSING
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
    name: str | MISSING = MISSING
    """
    A name of your choice.
    """
    expires_at: str | MISSING = MISSING
    """
    When the key expires; a time in the future (RFC 3339).
    """
    quota: Quota | MISSING = MISSING


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
    next_page_token: str | MISSING = MISSING
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
    next_page_token: str | MISSING = MISSING
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
    workers_waiting: int | MISSING = MISSING
    """
    The number of workers that wait for work in this process.
    """
    calls_under_way: int | MISSING = MISSING
    seen_seconds_ago: float | MISSING = MISSING
    """
    When it was last seen, in seconds before now.
    """


class InstancePage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    instances: Sequence[Instance]
    next_page_token: str | MISSING = MISSING
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
    next_page_token: str | MISSING = MISSING
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
    secret: str | MISSING = MISSING
    """
    The secret that signs deliveries. Default: they are not signed.
    """
    token: str | MISSING = MISSING
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
    agent_id: str | MISSING = MISSING
    """
    The agent. Default: that of the API key.
    """
    message: str | MISSING = MISSING
    """
    The message to the agent. Optional beside `data`.
    """
    data: Mapping[str, Any] | MISSING = MISSING
    """
    Structured input, such as the arguments of a skill. The agent gets it after the message, as a data part.
    """
    skill: str | MISSING = MISSING
    """
    The id of the skill to use.
    """
    context_id: str | MISSING = MISSING
    """
    The conversation to continue.
    """
    webhook: CreateWebhook | MISSING = MISSING


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
    next_page_token: str | MISSING = MISSING
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
    url: str | MISSING = MISSING
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
    name: str | MISSING = MISSING
    """
    A name of your choice.
    """
    expires_at: str | None | MISSING = MISSING
    """
    When the key expires; a time in the future (RFC 3339). null: never.
    """
    quota: Quota | None | MISSING = MISSING
    """
    The limit of the key. null: the gateway's limit.
    """
    paused: bool | MISSING = MISSING
    """
    Whether calls with the key get status 503 with Retry-After; what is running finishes.
    """


class RotateKey(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    overlap_seconds: int | MISSING = MISSING
    """
    How long the old secret stays valid, in seconds. Default: 0, it becomes invalid at once.
    """


class PatchAgent(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    visibility: Literal["public", "unlisted", "private"] | None | MISSING = MISSING
    """
    Who sees the agent. For an agent of the gateway's configuration file, only where `owner_may_change` has `visibility`; null for the value of the file. For an added agent, null for the default, public.
    """
    concurrency: int | None | MISSING = MISSING
    """
    The maximum number of concurrent calls to the agent; running calls are cancelled. For an agent of the gateway's configuration file, only where `owner_may_change` has `limits`, and at most the value of the file. null for the value of the file, or the gateway's for an added agent.
    """
    timeout_seconds: float | None | MISSING = MISSING
    """
    Time limit for the whole response of the agent, or for the start of a stream, in seconds; running calls are cancelled. For an agent of the gateway's configuration file, only where `owner_may_change` has `limits`, and at most the value of the file. null for the value of the file, or the gateway's for an added agent.
    """
    paused: bool | MISSING = MISSING
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
    url: str | MISSING = MISSING
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
    next_page_token: str | MISSING = MISSING
    """
    The `page_token` of the next page; absent on the last page.
    """


class IssueToken(DocumentModel):
    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
    )
    name: str | MISSING = MISSING
    """
    A name of your choice.
    """
    expires_at: str | MISSING = MISSING
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
    next_page_token: str | MISSING = MISSING
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
    next_page_token: str | MISSING = MISSING
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
    next_page_token: str | MISSING = MISSING
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
    message: str | MISSING = MISSING
    """
    The message to the agent, at most 1,048,576 characters. Send a longer text as a file. Optional beside `data`.
    """
    data: Mapping[str, Any] | MISSING = MISSING
    """
    Structured input, such as the arguments of a skill. The agent gets it after the message, as a data part.
    """
    skill: str | MISSING = MISSING
    """
    The id of the skill to use, from the card; required by an MCP server with several tools. The agent gets it in the metadata of the message.
    """
    context_id: str | MISSING = MISSING
    """
    The conversation to continue: `context_id` of the previous reply.
    """
    attachments: Sequence[Attachment] | MISSING = MISSING
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
    error: str | MISSING = MISSING
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
    concurrency: int | MISSING = MISSING
    """
    The maximum number of concurrent calls to the agent; only for its owner.
    """
    timeout_seconds: float | MISSING = MISSING
    """
    Time limit for the whole response of the agent, or for the start of a stream, in seconds; only for its owner.
    """
    owner_may_change: Sequence[Literal["visibility", "limits"]] | MISSING = MISSING
    """
    What its owner may change with PATCH, besides `paused`; only for its owner.
    """
    overrides: AgentOverrides | MISSING = MISSING
    """
    Which of these settings replace those of the gateway's configuration file; only for its owner.
    """


class AgentPage(DocumentModel):
    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    agents: Sequence[AgentRecord]
    next_page_token: str | MISSING = MISSING
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
    invoke_request: Annotated[InvokeRequest | MISSING, Field(alias="InvokeRequest")] = MISSING
    attachment: Annotated[Attachment | MISSING, Field(alias="Attachment")] = MISSING
    invoke_reply: Annotated[InvokeReply | MISSING, Field(alias="InvokeReply")] = MISSING
    add_agent: Annotated[AddAgent | MISSING, Field(alias="AddAgent")] = MISSING
    change_agent: Annotated[ChangeAgent | MISSING, Field(alias="ChangeAgent")] = MISSING
    agent_record: Annotated[AgentRecord | MISSING, Field(alias="AgentRecord")] = MISSING
    agent_overrides: Annotated[AgentOverrides | MISSING, Field(alias="AgentOverrides")] = MISSING
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
    create_webhook: Annotated[CreateWebhook | MISSING, Field(alias="CreateWebhook")] = MISSING
    create_task: Annotated[CreateTask | MISSING, Field(alias="CreateTask")] = MISSING
    caller_task: Annotated[CallerTask | MISSING, Field(alias="CallerTask")] = MISSING
    caller_task_page: Annotated[CallerTaskPage | MISSING, Field(alias="CallerTaskPage")] = MISSING
    caller_webhook: Annotated[CallerWebhook | MISSING, Field(alias="CallerWebhook")] = MISSING
    caller_webhook_list: Annotated[CallerWebhookList | MISSING, Field(alias="CallerWebhookList")] = MISSING
    file_record: Annotated[FileRecord | MISSING, Field(alias="FileRecord")] = MISSING
    health: Annotated[Health | MISSING, Field(alias="Health")] = MISSING
    problem: Annotated[Problem | MISSING, Field(alias="Problem")] = MISSING
    problem_status: Annotated[ProblemStatus | MISSING, Field(alias="ProblemStatus")] = MISSING
    change_key: Annotated[ChangeKey | MISSING, Field(alias="ChangeKey")] = MISSING
    rotate_key: Annotated[RotateKey | MISSING, Field(alias="RotateKey")] = MISSING
    patch_agent: Annotated[PatchAgent | MISSING, Field(alias="PatchAgent")] = MISSING
    add_owner: Annotated[AddOwner | MISSING, Field(alias="AddOwner")] = MISSING
    owner_record: Annotated[OwnerRecord | MISSING, Field(alias="OwnerRecord")] = MISSING
    owner_page: Annotated[OwnerPage | MISSING, Field(alias="OwnerPage")] = MISSING
    issue_token: Annotated[IssueToken | MISSING, Field(alias="IssueToken")] = MISSING
    owner_token: Annotated[OwnerToken | MISSING, Field(alias="OwnerToken")] = MISSING
    owner_token_issued: Annotated[OwnerTokenIssued | MISSING, Field(alias="OwnerTokenIssued")] = MISSING
    owner_token_page: Annotated[OwnerTokenPage | MISSING, Field(alias="OwnerTokenPage")] = MISSING
    task_record: Annotated[TaskRecord | MISSING, Field(alias="TaskRecord")] = MISSING
    task_page: Annotated[TaskPage | MISSING, Field(alias="TaskPage")] = MISSING
    webhook_record: Annotated[WebhookRecord | MISSING, Field(alias="WebhookRecord")] = MISSING
    webhook_page: Annotated[WebhookPage | MISSING, Field(alias="WebhookPage")] = MISSING
    delivery_event: Annotated[DeliveryEvent | MISSING, Field(alias="DeliveryEvent")] = MISSING
    delivery_event_page: Annotated[DeliveryEventPage | MISSING, Field(alias="DeliveryEventPage")] = MISSING
