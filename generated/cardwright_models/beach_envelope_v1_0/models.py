"""Beach 1.0 envelope: typed models.

Generated from schemas/beach/1.0/envelope.schema.json (sha256 6f104f8457075f9b4ed8bfd821eda65c9826c5db5e243a3907d4399c4c63ece0)
by `make generate`: not edited, printed again when the schemas change.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import MISSING, ConfigDict, Field, RootModel

from cardwright_models.wire import WireModel


class ApprovalRequest(WireModel):
    """
    A question to a person whether a tool call that waits may run.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    approval_id: Annotated[str, Field(serialization_alias="approvalId")]
    """
    Ties the answer to this question; no two questions of one session have the same.
    """
    tool_name: Annotated[str, Field(serialization_alias="toolName")]
    """
    Name of the tool that waits.
    """
    tool_call_id: Annotated[str, Field(serialization_alias="toolCallId")]
    """
    The model's own name for this call of the tool.
    """
    args: dict[str, Any]
    """
    Arguments the tool would run with.
    """
    handler: str
    """
    Handler that asked for the tool.
    """
    turn: str
    """
    Event of the handler's invocation, the envelope's `eventId`.
    """
    session: str
    """
    Session the question belongs to.
    """
    expires_at: Annotated[str | MISSING, Field(serialization_alias="expiresAt")] = MISSING
    """
    RFC 3339 time after which no answer means no.
    """


class ApprovalResponse(WireModel):
    """
    The answer to an approval request.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    approval_id: Annotated[str, Field(serialization_alias="approvalId")]
    """
    The request that is answered.
    """
    decision: Literal["granted", "denied"]
    """
    Whether the tool may run.
    """
    reason: str | MISSING = MISSING
    """
    Why, in words for people.
    """
    decided_by: Annotated[str | MISSING, Field(serialization_alias="decidedBy")] = MISSING
    """
    Who or what decided: a user, a policy, a rule that answers by itself.
    """
    decided_at: Annotated[str, Field(serialization_alias="decidedAt")]
    """
    RFC 3339 time of the decision.
    """


class ArtifactReference(WireModel):
    """
    A file, an image or a recording that an artifact store holds.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    artifact_id: Annotated[str, Field(serialization_alias="artifactId")]
    """
    What the store calls it.
    """
    media_type: Annotated[str | MISSING, Field(serialization_alias="mediaType")] = MISSING
    """
    Media type of its bytes.
    """
    filename: str | MISSING = MISSING
    """
    Name to save it by; no path.
    """
    size: Annotated[int | MISSING, Field(ge=0)] = MISSING
    """
    How many bytes it has.
    """
    url: str | MISSING = MISSING
    """
    Where a receiver can fetch it.
    """


class CitedSource(WireModel):
    """
    A source as people look it up.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    title: str | MISSING = MISSING
    """
    Its name.
    """
    url: str | MISSING = MISSING
    """
    Where it is.
    """
    quote: str | MISSING = MISSING
    """
    The words in it that say so.
    """
    retrieved_at: Annotated[str | MISSING, Field(serialization_alias="retrievedAt")] = MISSING
    """
    RFC 3339 time it was read.
    """


class EnvelopeMeta(WireModel):
    """
    Which turn an envelope belongs to, and where that turn stands.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    session_id: Annotated[str, Field(serialization_alias="sessionId")]
    """
    Session of the conversation.
    """
    event_id: Annotated[str, Field(serialization_alias="eventId")]
    """
    Event of the handler's invocation; one turn.
    """
    originator_id: Annotated[str | MISSING, Field(serialization_alias="originatorId")] = MISSING
    """
    Who the turn answers.
    """
    conversation_state: Annotated[str, Field(serialization_alias="conversationState")]
    """
    Where the turn stands; looked up in the conversation state registry.
    """
    timestamp: str
    """
    RFC 3339 time, in UTC, at which the envelope was made.
    """
    finalized_by: Annotated[str | MISSING, Field(serialization_alias="finalizedBy")] = MISSING
    """
    What settled the turn: `respond` where its handler came to its end, `failure` where it broke off. Absent while more is to come: this is the settlement marker.
    """


class EnvelopePartMetadata(WireModel):
    """
    What a part is, and how its receiver puts it together with what came before.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    part_type: Annotated[str, Field(serialization_alias="partType")]
    """
    Kind of part, looked up in the part type registry.
    """
    slot_key: Annotated[str | MISSING, Field(serialization_alias="slotKey")] = MISSING
    """
    Stable name of the place this part fills; what comes later for the same place meets what is there.
    """
    merge_strategy: Annotated[
        Literal["replace", "append", "deep-merge"] | MISSING, Field(serialization_alias="mergeStrategy")
    ] = MISSING
    """
    How it meets what is there: takes its place, is added at its end, or is merged member by member.
    """
    data_kind: Annotated[str | MISSING, Field(serialization_alias="dataKind")] = MISSING
    """
    Kind of data, by which surface templates are found.
    """
    artifact_id: Annotated[str | MISSING, Field(serialization_alias="artifactId")] = MISSING
    """
    What the sender's artifact store calls it.
    """
    language: str | MISSING = MISSING
    """
    Language of a text, as a BCP 47 tag.
    """
    rule: str | MISSING = MISSING
    """
    In an error: the rule that was broken.
    """
    part_index: Annotated[int | MISSING, Field(ge=0, serialization_alias="partIndex")] = MISSING
    """
    In an error: which part of the turn it is about, counted from 0.
    """
    pointer: str | MISSING = MISSING
    """
    In an error: where in that part, as a JSON Pointer.
    """


class Progress(WireModel):
    """
    News of a long operation.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    operation: str | MISSING = MISSING
    """
    What is going on, the same in all news of it.
    """
    message: str | MISSING = MISSING
    """
    A sentence for people.
    """
    completed: Annotated[float | MISSING, Field(ge=0.0)] = MISSING
    """
    How much is done, in `unit`s.
    """
    total: Annotated[float | MISSING, Field(ge=0.0)] = MISSING
    """
    How much there is to do, in `unit`s.
    """
    unit: str | MISSING = MISSING
    """
    What `completed` and `total` count.
    """


class RawContent(WireModel):
    """
    A part whose content is bytes.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    raw: Annotated[str, Field(json_schema_extra={"contentEncoding": "base64"})]
    """
    The bytes, in base64 (RFC 4648 §4).
    """
    metadata: EnvelopePartMetadata
    """
    What the part is.
    """
    media_type: Annotated[str | MISSING, Field(serialization_alias="mediaType")] = MISSING
    """
    Media type of the content.
    """
    filename: str | MISSING = MISSING
    """
    Name to save the content by; no path.
    """


class SetState(RootModel[dict[str, str]]):
    root: Annotated[dict[str, str], Field(min_length=1, title="SetState")]
    """
    Changes of session state that a handler proposes: a new value for each `component.coordinate`; all of them are applied, or none.
    """


class StateCoordinate(WireModel):
    """
    One coordinate: a value out of a few, and how it may change.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    initial: str
    """
    Its value in a new session; one of `states`.
    """
    states: list[str]
    """
    Every value it may have, each once.
    """
    transitions: dict[str, list[str]]
    """
    For each value the values that may follow it; one that is not named leads nowhere. To stay as it is is always allowed.
    """


class TextContent(WireModel):
    """
    A part whose content is text.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    text: str
    """
    The text.
    """
    metadata: EnvelopePartMetadata
    """
    What the part is.
    """
    media_type: Annotated[str | MISSING, Field(serialization_alias="mediaType")] = MISSING
    """
    Media type of the content.
    """
    filename: str | MISSING = MISSING
    """
    Name to save the content by; no path.
    """


class UrlContent(WireModel):
    """
    A part whose content lies elsewhere.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    url: str
    """
    Where the content can be fetched.
    """
    metadata: EnvelopePartMetadata
    """
    What the part is.
    """
    media_type: Annotated[str | MISSING, Field(serialization_alias="mediaType")] = MISSING
    """
    Media type of the content.
    """
    filename: str | MISSING = MISSING
    """
    Name to save the content by; no path.
    """


class Citation(WireModel):
    """
    Where something in the domain data comes from.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    path: str
    """
    JSON Pointer (RFC 6901) to the value in the domain data that the source backs; "" is all of it.
    """
    slot_key: Annotated[str | MISSING, Field(serialization_alias="slotKey")] = MISSING
    """
    Slot whose domain data is meant; without it the data that has no slot.
    """
    source: CitedSource
    """
    What backs it.
    """


class DataContent(WireModel):
    """
    A part whose content is a JSON value.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    data: Any
    """
    Any JSON value.
    """
    metadata: EnvelopePartMetadata
    """
    What the part is.
    """
    media_type: Annotated[str | MISSING, Field(serialization_alias="mediaType")] = MISSING
    """
    Media type of the content.
    """
    filename: str | MISSING = MISSING
    """
    Name to save the content by; no path.
    """


class EnvelopePart(RootModel[TextContent | DataContent | RawContent | UrlContent]):
    root: Annotated[TextContent | DataContent | RawContent | UrlContent, Field(title="EnvelopePart")]
    """
    One part of an envelope: an A2A 1.0 part whose metadata says what it is. What its content must be follows from that.
    """


class StateComponent(WireModel):
    """
    One component: its coordinates, and whether handlers may move them.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    allow_handler_transitions: Annotated[
        bool | MISSING, Field(serialization_alias="allowHandlerTransitions")
    ] = MISSING
    """
    Whether a handler's setState part may change this component.
    """
    coordinates: dict[str, StateCoordinate]
    """
    The coordinates by their names, the second half of `component.coordinate`; a name holds no dot.
    """


class StateMachineFile(WireModel):
    """
    What `state-machine.json` declares: which coordinates a session's state has, their values, and which may follow which.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    components: dict[str, StateComponent]
    """
    The components by their names, the first half of `component.coordinate`; a name holds no dot.
    """


class AgentResponseEnvelope(WireModel):
    """
    What one turn of an agent answers: an A2A message's role and parts, and which turn it was.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    role: Literal["agent", "user"]
    """
    Who speaks.
    """
    parts: list[EnvelopePart]
    """
    What is said, in order.
    """
    meta: EnvelopeMeta
    """
    Which turn it is.
    """
