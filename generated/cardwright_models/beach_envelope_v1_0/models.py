"""Beach 1.0 envelope: typed models.

Generated from schemas/beach/1.0/envelope.schema.json (sha256 0320a75d9b30c87504d5ea79e91341c37ff5077a3846b8e469999c206292a80c)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import MISSING, ConfigDict, Field, RootModel, StringConstraints

from cardwright_runtime.wire import WireModel


class A2uiBasicTheme(WireModel):
    """
    Theme of a surface that uses the basic catalogue.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    primary_color: Annotated[
        str | MISSING, Field(pattern="^#[0-9a-fA-F]{6}$", serialization_alias="primaryColor")
    ] = MISSING
    """
    Primary colour: # and six hexadecimal digits.
    """
    icon_url: Annotated[str | MISSING, Field(serialization_alias="iconUrl")] = MISSING
    """
    URL of a picture of the agent.
    """
    agent_display_name: Annotated[str | MISSING, Field(serialization_alias="agentDisplayName")] = MISSING
    """
    Display name of the agent.
    """


class A2uiChildIds(RootModel[list[str]]):
    """
    Ids of the children, in order.
    """

    root: list[str]
    """
    Ids of the children, in order.
    """


class A2uiChildTemplate(WireModel):
    """
    Template: one child per item of a list in the data model.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    component_id: Annotated[str, Field(serialization_alias="componentId")]
    """
    Id of the component to repeat.
    """
    path: str
    """
    JSON Pointer to the list.
    """


class A2uiChildren(RootModel[A2uiChildIds | A2uiChildTemplate]):
    root: A2uiChildIds | A2uiChildTemplate
    """
    Children of a component: a list of ids, or a template.
    """


class A2uiComponent(WireModel):
    """
    Component of any catalogue; the catalogue defines its other properties.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: str
    """
    Name of the component type in the catalogue.
    """


class A2uiCreateSurface(WireModel):
    """
    Creates a surface; its components and data follow.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    surface_id: Annotated[str, Field(serialization_alias="surfaceId")]
    """
    Id of the surface.
    """
    catalog_id: Annotated[str, Field(serialization_alias="catalogId")]
    """
    Id of the component catalogue; it need not be a resolvable URL.
    """
    theme: dict[str, Any] | MISSING = MISSING
    """
    Theme; its properties are defined by the catalogue.
    """
    send_data_model: Annotated[bool, Field(serialization_alias="sendDataModel")] = False
    """
    Whether the renderer sends the complete data model with every message.
    """


class A2uiCreateSurfaceMessage(WireModel):
    """
    Message with createSurface.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    version: Literal["v0.9"]
    """
    Version of A2UI.
    """
    create_surface: Annotated[A2uiCreateSurface, Field(serialization_alias="createSurface")]
    """
    Create a surface.
    """


class A2uiDataBinding(WireModel):
    """
    Data binding: a value of the data model.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    path: str
    """
    JSON Pointer into the data model; without a leading `/` relative to the item of a template.
    """


class A2uiDeleteSurface(WireModel):
    """
    Deletes a surface with its components and data.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    surface_id: Annotated[str, Field(serialization_alias="surfaceId")]
    """
    Id of the surface.
    """


class A2uiDeleteSurfaceMessage(WireModel):
    """
    Message with deleteSurface.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    version: Literal["v0.9"]
    """
    Version of A2UI.
    """
    delete_surface: Annotated[A2uiDeleteSurface, Field(serialization_alias="deleteSurface")]
    """
    Delete a surface.
    """


class A2uiIconName(
    RootModel[
        Literal[
            "accountCircle",
            "add",
            "arrowBack",
            "arrowForward",
            "attachFile",
            "calendarToday",
            "call",
            "camera",
            "check",
            "close",
            "delete",
            "download",
            "edit",
            "event",
            "error",
            "fastForward",
            "favorite",
            "favoriteOff",
            "folder",
            "help",
            "home",
            "info",
            "locationOn",
            "lock",
            "lockOpen",
            "mail",
            "menu",
            "moreVert",
            "moreHoriz",
            "notificationsOff",
            "notifications",
            "pause",
            "payment",
            "person",
            "phone",
            "photo",
            "play",
            "print",
            "refresh",
            "rewind",
            "search",
            "send",
            "settings",
            "share",
            "shoppingCart",
            "skipNext",
            "skipPrevious",
            "star",
            "starHalf",
            "starOff",
            "stop",
            "upload",
            "visibility",
            "visibilityOff",
            "volumeDown",
            "volumeMute",
            "volumeOff",
            "volumeUp",
            "warning",
        ]
    ]
):
    root: Literal[
        "accountCircle",
        "add",
        "arrowBack",
        "arrowForward",
        "attachFile",
        "calendarToday",
        "call",
        "camera",
        "check",
        "close",
        "delete",
        "download",
        "edit",
        "event",
        "error",
        "fastForward",
        "favorite",
        "favoriteOff",
        "folder",
        "help",
        "home",
        "info",
        "locationOn",
        "lock",
        "lockOpen",
        "mail",
        "menu",
        "moreVert",
        "moreHoriz",
        "notificationsOff",
        "notifications",
        "pause",
        "payment",
        "person",
        "phone",
        "photo",
        "play",
        "print",
        "refresh",
        "rewind",
        "search",
        "send",
        "settings",
        "share",
        "shoppingCart",
        "skipNext",
        "skipPrevious",
        "star",
        "starHalf",
        "starOff",
        "stop",
        "upload",
        "visibility",
        "visibilityOff",
        "volumeDown",
        "volumeMute",
        "volumeOff",
        "volumeUp",
        "warning",
    ]
    """
    Icon of the catalogue.
    """


class A2uiIconPath(WireModel):
    """
    Icon as SVG path.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    svg_path: Annotated[str, Field(serialization_alias="svgPath")]
    """
    SVG path data.
    """


class A2uiLiteralBoolean(RootModel[bool]):
    root: bool
    """
    Boolean literal.
    """


class A2uiLiteralList(RootModel[list[Any]]):
    """
    List literal.
    """

    root: list[Any]
    """
    List literal.
    """


class A2uiLiteralNumber(RootModel[float]):
    root: float
    """
    Number literal.
    """


class A2uiLiteralObject(WireModel):
    """
    Object literal.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )


class A2uiLiteralText(RootModel[str]):
    root: str
    """
    String literal.
    """


class A2uiTextList(RootModel[list[str]]):
    """
    List of string literals.
    """

    root: list[str]
    """
    List of string literals.
    """


class A2uiUpdateComponents(WireModel):
    """
    Components of a surface to add, or to replace by id.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    surface_id: Annotated[str, Field(serialization_alias="surfaceId")]
    """
    Id of the surface.
    """
    components: Annotated[list[A2uiComponent], Field(min_length=1)]
    """
    Components; one of a surface has the id `root`.
    """


class A2uiUpdateComponentsMessage(WireModel):
    """
    Message with updateComponents.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    version: Literal["v0.9"]
    """
    Version of A2UI.
    """
    update_components: Annotated[A2uiUpdateComponents, Field(serialization_alias="updateComponents")]
    """
    Add or replace components of a surface.
    """


class A2uiUpdateDataModel(WireModel):
    """
    Updates the data model of a surface.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    surface_id: Annotated[str, Field(serialization_alias="surfaceId")]
    """
    Id of the surface.
    """
    path: str = "/"
    """
    JSON Pointer to the updated value; `/` is the root.
    """
    value: Any | MISSING = MISSING
    """
    New value; absent to remove the old one.
    """


class A2uiUpdateDataModelMessage(WireModel):
    """
    Message with updateDataModel.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    version: Literal["v0.9"]
    """
    Version of A2UI.
    """
    update_data_model: Annotated[A2uiUpdateDataModel, Field(serialization_alias="updateDataModel")]
    """
    Update the data model of a surface.
    """


class ApprovalRequest(WireModel):
    """
    Request for a person's decision whether a tool call may run.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    approval_id: Annotated[str, Field(min_length=1, serialization_alias="approvalId")]
    """
    Id that links the response to this request; unique within the session.
    """
    tool_name: Annotated[str, Field(serialization_alias="toolName")]
    """
    Name of the tool that needs approval.
    """
    tool_call_id: Annotated[str, Field(serialization_alias="toolCallId")]
    """
    The model's id of this tool call.
    """
    args: dict[str, Any]
    """
    Arguments of the tool call.
    """
    handler: str
    """
    Handler that requested the tool.
    """
    turn: str
    """
    Event id of the handler's invocation, the `eventId` of the envelope.
    """
    session: str
    """
    Session of the request.
    """
    expires_at: Annotated[str | MISSING, Field(serialization_alias="expiresAt")] = MISSING
    """
    RFC 3339 time at which the request counts as denied.
    """


class ApprovalResponse(WireModel):
    """
    Response to an approval request.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    approval_id: Annotated[str, Field(min_length=1, serialization_alias="approvalId")]
    """
    Id of the request.
    """
    decision: Literal["granted", "denied"]
    """
    Whether the tool may run.
    """
    reason: str | MISSING = MISSING
    """
    Reason as text for people.
    """
    decided_by: Annotated[str | MISSING, Field(serialization_alias="decidedBy")] = MISSING
    """
    Who or what decided: a user, a policy, an automatic rule.
    """
    decided_at: Annotated[str, Field(serialization_alias="decidedAt")]
    """
    RFC 3339 time of the decision.
    """


class ArtifactReference(WireModel):
    """
    Reference to a file, an image or a recording in an artifact store.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    artifact_id: Annotated[str, Field(min_length=1, serialization_alias="artifactId")]
    """
    Id of the artifact in the store.
    """
    media_type: Annotated[str | MISSING, Field(serialization_alias="mediaType")] = MISSING
    """
    Media type of the artifact.
    """
    filename: Annotated[str | MISSING, Field(pattern="^[^/\\\\\\x00-\\x1f\\x7f-\\x9f]*$")] = MISSING
    """
    Suggested file name, without a path.
    """
    size: Annotated[int | MISSING, Field(ge=0)] = MISSING
    """
    Size in bytes.
    """
    url: Annotated[str | MISSING, Field(pattern="^https?://")] = MISSING
    """
    URL from which a receiver can fetch it.
    """


class CitedSource(WireModel):
    """
    A source that a person can look up.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    title: str | MISSING = MISSING
    """
    Title of the source.
    """
    url: Annotated[str | MISSING, Field(pattern="^https?://")] = MISSING
    """
    URL of the source.
    """
    quote: str | MISSING = MISSING
    """
    Quotation that supports the value.
    """
    retrieved_at: Annotated[str | MISSING, Field(serialization_alias="retrievedAt")] = MISSING
    """
    RFC 3339 time at which the source was read.
    """


class EnvelopeMeta(WireModel):
    """
    Ids and state of the turn of an envelope.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    session_id: Annotated[str, Field(min_length=1, serialization_alias="sessionId")]
    """
    Session of the conversation.
    """
    event_id: Annotated[str, Field(min_length=1, serialization_alias="eventId")]
    """
    Event id of the handler's invocation: one turn.
    """
    originator_id: Annotated[str | MISSING, Field(min_length=1, serialization_alias="originatorId")] = MISSING
    """
    Participant whose request the turn responds to.
    """
    conversation_state: Annotated[str, Field(serialization_alias="conversationState")]
    """
    State of the turn, looked up in the conversation state registry.
    """
    timestamp: str
    """
    RFC 3339 time, in UTC, at which the envelope was created.
    """
    finalized_by: Annotated[str | MISSING, Field(serialization_alias="finalizedBy")] = MISSING
    """
    How the turn settled: `respond` if its handler returned, `failure` if it raised. The property is the settlement marker: it is absent while more parts follow.
    """


class EnvelopePartMetadata(WireModel):
    """
    Type of a part, and how a receiver merges it with earlier parts.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    part_type: Annotated[str, Field(serialization_alias="partType")]
    """
    Part type, looked up in the part type registry.
    """
    slot_key: Annotated[str | MISSING, Field(min_length=1, serialization_alias="slotKey")] = MISSING
    """
    Stable name of the slot of this part; later data for the same slot is merged with earlier data.
    """
    merge_strategy: Annotated[
        Literal["replace", "append", "deep-merge"], Field(serialization_alias="mergeStrategy")
    ] = "replace"
    """
    How the data is merged into its slot: it replaces the old data, is appended, or is merged property by property.
    """
    data_kind: Annotated[str | MISSING, Field(min_length=1, serialization_alias="dataKind")] = MISSING
    """
    Kind of data, which selects a surface template.
    """
    artifact_id: Annotated[str | MISSING, Field(serialization_alias="artifactId")] = MISSING
    """
    Id of the artifact in the sender's store.
    """
    language: str | MISSING = MISSING
    """
    Language of a text, as a BCP 47 tag.
    """
    rule: str | MISSING = MISSING
    """
    In an error: id of the violated rule.
    """
    part_index: Annotated[int | MISSING, Field(ge=0, serialization_alias="partIndex")] = MISSING
    """
    In an error: index of the part in the turn, counted from 0.
    """
    pointer: str | MISSING = MISSING
    """
    In an error: JSON Pointer into that part.
    """


class Progress(WireModel):
    """
    Progress report of a long operation.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    operation: str | MISSING = MISSING
    """
    Id of the operation, the same in all its progress reports.
    """
    message: str | MISSING = MISSING
    """
    Status message for people.
    """
    completed: Annotated[float | MISSING, Field(ge=0.0)] = MISSING
    """
    Completed amount, in `unit`s.
    """
    total: Annotated[float | MISSING, Field(ge=0.0)] = MISSING
    """
    Total amount, in `unit`s.
    """
    unit: str | MISSING = MISSING
    """
    Unit of `completed` and `total`.
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
    Metadata of the part, with its part type.
    """
    media_type: Annotated[str | MISSING, Field(serialization_alias="mediaType")] = MISSING
    """
    Media type of the content.
    """
    filename: Annotated[str | MISSING, Field(pattern="^[^/\\\\\\x00-\\x1f\\x7f-\\x9f]*$")] = MISSING
    """
    Suggested file name, without a path.
    """


class SetState(RootModel[dict[Annotated[str, StringConstraints(pattern=r"^[^.]+\.[^.]+$")], str]]):
    root: Annotated[
        dict[Annotated[str, StringConstraints(pattern=r"^[^.]+\.[^.]+$")], str], Field(min_length=1)
    ]
    """
    Session state changes proposed by a handler: a new state for each `component.coordinate`. Either all are applied, or none.
    """


class StateCoordinate(WireModel):
    """
    Coordinate: a set of states and the allowed transitions.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    initial: str
    """
    State in a new session; one of `states`.
    """
    states: Annotated[list[str], Field(min_length=1)]
    """
    All states, each listed once.
    """
    transitions: dict[str, list[str]]
    """
    Allowed next states by state; a state that is not listed has none. Staying in a state is always allowed.
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
    Metadata of the part, with its part type.
    """
    media_type: Annotated[str | MISSING, Field(serialization_alias="mediaType")] = MISSING
    """
    Media type of the content.
    """
    filename: Annotated[str | MISSING, Field(pattern="^[^/\\\\\\x00-\\x1f\\x7f-\\x9f]*$")] = MISSING
    """
    Suggested file name, without a path.
    """


class UrlContent(WireModel):
    """
    A part whose content is available at a URL.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    url: str
    """
    URL of the content.
    """
    metadata: EnvelopePartMetadata
    """
    Metadata of the part, with its part type.
    """
    media_type: Annotated[str | MISSING, Field(serialization_alias="mediaType")] = MISSING
    """
    Media type of the content.
    """
    filename: Annotated[str | MISSING, Field(pattern="^[^/\\\\\\x00-\\x1f\\x7f-\\x9f]*$")] = MISSING
    """
    Suggested file name, without a path.
    """


class A2uiIconChoice(RootModel[A2uiIconName | A2uiIconPath | A2uiDataBinding]):
    root: A2uiIconName | A2uiIconPath | A2uiDataBinding
    """
    Name of the icon.
    """


class A2uiMessage(
    RootModel[
        A2uiCreateSurfaceMessage
        | A2uiUpdateComponentsMessage
        | A2uiUpdateDataModelMessage
        | A2uiDeleteSurfaceMessage
    ]
):
    root: (
        A2uiCreateSurfaceMessage
        | A2uiUpdateComponentsMessage
        | A2uiUpdateDataModelMessage
        | A2uiDeleteSurfaceMessage
    )
    """
    Message to a renderer, of exactly one of four kinds.
    """


class A2uiSurface(RootModel[list[A2uiMessage]]):
    """
    Messages that create and update surfaces, in order. Components are validated against the basic catalogue if all created surfaces use it; else only id and component are required.
    """

    root: Annotated[list[A2uiMessage], Field(min_length=1)]
    """
    Messages that create and update surfaces, in order. Components are validated against the basic catalogue if all created surfaces use it; else only id and component are required.
    """


class Citation(WireModel):
    """
    Source of a value in the domain data.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    path: str
    """
    JSON Pointer (RFC 6901) to the supported value in the domain data; "" means all of it.
    """
    slot_key: Annotated[str | MISSING, Field(min_length=1, serialization_alias="slotKey")] = MISSING
    """
    Slot of the domain data; default: the data without a slot.
    """
    source: CitedSource
    """
    The source.
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
    Metadata of the part, with its part type.
    """
    media_type: Annotated[str | MISSING, Field(serialization_alias="mediaType")] = MISSING
    """
    Media type of the content.
    """
    filename: Annotated[str | MISSING, Field(pattern="^[^/\\\\\\x00-\\x1f\\x7f-\\x9f]*$")] = MISSING
    """
    Suggested file name, without a path.
    """


class EnvelopePart(RootModel[TextContent | DataContent | RawContent | UrlContent]):
    root: TextContent | DataContent | RawContent | UrlContent
    """
    Envelope part: an A2A 1.0 part with its part type in the metadata. The part type determines the allowed content.
    """


class StateComponent(WireModel):
    """
    Component: its coordinates, and whether handlers may change them.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    allow_handler_transitions: Annotated[bool, Field(serialization_alias="allowHandlerTransitions")] = False
    """
    Whether a handler's setState part may change this component.
    """
    coordinates: dict[Annotated[str, StringConstraints(pattern=r"^[^.]+$")], StateCoordinate]
    """
    Coordinates by name, the second half of `component.coordinate`; a name contains no dot.
    """


class StateMachineFile(WireModel):
    """
    Content of `state-machine.json`: the coordinates of a session's state, their states and the allowed transitions.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    components: dict[Annotated[str, StringConstraints(pattern=r"^[^.]+$")], StateComponent]
    """
    Components by name, the first half of `component.coordinate`; a name contains no dot.
    """


class AgentResponseEnvelope(WireModel):
    """
    Envelope of one agent turn: role and parts as in an A2A message, and the ids of the turn.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    role: Literal["agent", "user"]
    """
    Role of the sender.
    """
    parts: list[EnvelopePart]
    """
    The parts, in order.
    """
    meta: EnvelopeMeta
    """
    Ids and state of the turn.
    """


class A2uiAccessibility(WireModel):
    """
    Accessibility attributes.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    label: A2uiDynamicText | MISSING = MISSING
    """
    Short label, one to three words.
    """
    description: A2uiDynamicText | MISSING = MISSING
    """
    Longer description.
    """


class A2uiAudioPlayer(WireModel):
    """
    Audio player.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["AudioPlayer"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    url: A2uiDynamicText
    """
    URL.
    """
    description: A2uiDynamicText | MISSING = MISSING
    """
    Description of the sound.
    """


class A2uiButton(WireModel):
    """
    Button.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["Button"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    child: str
    """
    Id of the component on the button.
    """
    variant: Literal["default", "primary", "borderless"] = "default"
    """
    Display variant.
    """
    action: A2uiAction
    """
    Action on press.
    """
    checks: list[A2uiCheckRule] | MISSING = MISSING
    """
    Validation check.
    """


class A2uiCard(WireModel):
    """
    Card: a frame around one child.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["Card"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    child: str
    """
    Id of the only child.
    """


class A2uiCheckBox(WireModel):
    """
    Checkbox.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["CheckBox"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    label: A2uiDynamicText
    """
    Label of the input.
    """
    value: A2uiDynamicBoolean
    """
    Whether the box is checked.
    """
    checks: list[A2uiCheckRule] | MISSING = MISSING
    """
    Validation check.
    """


class A2uiCheckRule(WireModel):
    """
    Validation check of an input.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    condition: A2uiDynamicBoolean
    """
    Condition of the check.
    """
    message: str
    """
    Message if the check fails.
    """


class A2uiChoicePicker(WireModel):
    """
    Selection from options.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["ChoicePicker"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    label: A2uiDynamicText | MISSING = MISSING
    """
    Label of the input.
    """
    variant: Literal["multipleSelection", "mutuallyExclusive"] = "mutuallyExclusive"
    """
    Whether several options can be selected.
    """
    options: list[A2uiOption]
    """
    Options.
    """
    value: A2uiDynamicTextList
    """
    Selected value.
    """
    display_style: Annotated[Literal["checkbox", "chips"], Field(serialization_alias="displayStyle")] = (
        "checkbox"
    )
    """
    Display variant.
    """
    filterable: bool = False
    """
    Whether the options can be searched.
    """
    checks: list[A2uiCheckRule] | MISSING = MISSING
    """
    Validation check.
    """


class A2uiColumn(WireModel):
    """
    Column: children below each other.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["Column"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    children: A2uiChildren
    """
    Child components.
    """
    justify: Literal["start", "center", "end", "spaceBetween", "spaceAround", "spaceEvenly", "stretch"] = (
        "start"
    )
    """
    Distribution of the children on the main axis.
    """
    align: Literal["start", "center", "end", "stretch"] = "stretch"
    """
    Alignment of the children on the cross axis.
    """


class A2uiDateTimeInput(WireModel):
    """
    Date and time input.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["DateTimeInput"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    label: A2uiDynamicText | MISSING = MISSING
    """
    Label of the input.
    """
    value: A2uiDynamicText
    """
    ISO 8601 date, time or both; empty if nothing is selected.
    """
    enable_date: Annotated[bool, Field(serialization_alias="enableDate")] = False
    """
    Whether a date can be selected.
    """
    enable_time: Annotated[bool, Field(serialization_alias="enableTime")] = False
    """
    Whether a time can be selected.
    """
    min: A2uiDynamicText | MISSING = MISSING
    """
    Earliest ISO 8601 date or time.
    """
    max: A2uiDynamicText | MISSING = MISSING
    """
    Latest ISO 8601 date or time.
    """
    checks: list[A2uiCheckRule] | MISSING = MISSING
    """
    Validation check.
    """


class A2uiDivider(WireModel):
    """
    Divider line.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["Divider"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    axis: Literal["horizontal", "vertical"] = "horizontal"
    """
    Direction.
    """


class A2uiEvent(WireModel):
    """
    Event sent to the agent.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    name: str
    """
    Name of the event.
    """
    context: dict[str, A2uiDynamicValue] | MISSING = MISSING
    """
    Context values by name.
    """


class A2uiEventAction(WireModel):
    """
    Action that sends an event to the agent.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    event: A2uiEvent
    """
    Event to send.
    """


class A2uiFunctionAction(WireModel):
    """
    Action that the renderer runs locally.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    function_call: Annotated[A2uiFunctionCall, Field(serialization_alias="functionCall")]
    """
    Function to call.
    """


class A2uiFunctionCall(WireModel):
    """
    Function call that the renderer evaluates.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    call: Literal[
        "required",
        "regex",
        "length",
        "numeric",
        "email",
        "formatString",
        "formatNumber",
        "formatCurrency",
        "formatDate",
        "pluralize",
        "openUrl",
        "and",
        "or",
        "not",
    ]
    """
    Name of a function of the basic catalogue.
    """
    args: dict[str, A2uiDynamicValue | A2uiLiteralObject]
    """
    Arguments by name.
    """
    return_type: Annotated[
        Literal["string", "number", "boolean", "array", "object", "any", "void"],
        Field(serialization_alias="returnType"),
    ] = "boolean"
    """
    Return type.
    """


class A2uiIcon(WireModel):
    """
    Icon.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["Icon"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    name: A2uiIconChoice
    """
    Icon to show.
    """


class A2uiImage(WireModel):
    """
    Picture.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["Image"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    url: A2uiDynamicText
    """
    URL.
    """
    description: A2uiDynamicText | MISSING = MISSING
    """
    Text description of the picture.
    """
    fit: Literal["contain", "cover", "fill", "none", "scaleDown"] = "fill"
    """
    How the picture fits its area.
    """
    variant: Literal["icon", "avatar", "smallFeature", "mediumFeature", "largeFeature", "header"] = (
        "mediumFeature"
    )
    """
    Size.
    """


class A2uiList(WireModel):
    """
    Scrollable list of children.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["List"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    children: A2uiChildren
    """
    Child components.
    """
    direction: Literal["vertical", "horizontal"] = "vertical"
    """
    Direction.
    """
    align: Literal["start", "center", "end", "stretch"] = "stretch"
    """
    Alignment of the children on the cross axis.
    """


class A2uiModal(WireModel):
    """
    Modal: a child shown above all others.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["Modal"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    trigger: str
    """
    Id of the component that opens it.
    """
    content: str
    """
    Id of the component to show.
    """


class A2uiOption(WireModel):
    """
    Option.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    label: A2uiDynamicText
    """
    Label of the option.
    """
    value: str
    """
    Value of the option in the data model.
    """


class A2uiRow(WireModel):
    """
    Row: children side by side.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["Row"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    children: A2uiChildren
    """
    Child components.
    """
    justify: Literal["start", "center", "end", "spaceBetween", "spaceAround", "spaceEvenly", "stretch"] = (
        "start"
    )
    """
    Distribution of the children on the main axis.
    """
    align: Literal["start", "center", "end", "stretch"] = "stretch"
    """
    Alignment of the children on the cross axis.
    """


class A2uiSlider(WireModel):
    """
    Slider.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["Slider"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    label: A2uiDynamicText | MISSING = MISSING
    """
    Label of the input.
    """
    min: float = 0
    """
    Minimum.
    """
    max: float
    """
    Maximum.
    """
    value: A2uiDynamicNumber
    """
    Selected value.
    """
    checks: list[A2uiCheckRule] | MISSING = MISSING
    """
    Validation check.
    """


class A2uiTab(WireModel):
    """
    Tab: one of several children, of which one is visible.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    title: A2uiDynamicText
    """
    Title of the tab.
    """
    child: str
    """
    Id of the component inside.
    """


class A2uiTabs(WireModel):
    """
    Tabs: children of which one is visible.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["Tabs"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    tabs: Annotated[list[A2uiTab], Field(min_length=1)]
    """
    Tabs.
    """


class A2uiText(WireModel):
    """
    Text component.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["Text"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    text: A2uiDynamicText
    """
    Text to show; simple Markdown may be rendered.
    """
    variant: Literal["h1", "h2", "h3", "h4", "h5", "caption", "body"] = "body"
    """
    Text variant.
    """


class A2uiTextField(WireModel):
    """
    Text input.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["TextField"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    label: A2uiDynamicText
    """
    Label of the input.
    """
    value: A2uiDynamicText | MISSING = MISSING
    """
    Current value.
    """
    variant: Literal["longText", "number", "shortText", "obscured"] = "shortText"
    """
    Text variant.
    """
    validation_regexp: Annotated[str | MISSING, Field(serialization_alias="validationRegexp")] = MISSING
    """
    Regular expression that the text must match.
    """
    checks: list[A2uiCheckRule] | MISSING = MISSING
    """
    Validation check.
    """


class A2uiVideo(WireModel):
    """
    Video player.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Id of the component, unique within the surface.
    """
    component: Literal["Video"]
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    Accessibility attributes.
    """
    weight: float | MISSING = MISSING
    """
    Relative size in a row or column.
    """
    url: A2uiDynamicText
    """
    URL.
    """


class A2uiAction(RootModel[A2uiEventAction | A2uiFunctionAction]):
    root: A2uiEventAction | A2uiFunctionAction
    """
    Action on press.
    """


class A2uiDynamicBoolean(RootModel[A2uiLiteralBoolean | A2uiDataBinding | A2uiFunctionCall]):
    root: A2uiLiteralBoolean | A2uiDataBinding | A2uiFunctionCall
    """
    Boolean: a literal, a data binding or a function call.
    """


class A2uiDynamicNumber(RootModel[A2uiLiteralNumber | A2uiDataBinding | A2uiFunctionCall]):
    root: A2uiLiteralNumber | A2uiDataBinding | A2uiFunctionCall
    """
    Number: a literal, a data binding or a function call.
    """


class A2uiDynamicText(RootModel[A2uiLiteralText | A2uiDataBinding | A2uiFunctionCall]):
    root: A2uiLiteralText | A2uiDataBinding | A2uiFunctionCall
    """
    String: a literal, a data binding or a function call.
    """


class A2uiDynamicTextList(RootModel[A2uiTextList | A2uiDataBinding | A2uiFunctionCall]):
    root: A2uiTextList | A2uiDataBinding | A2uiFunctionCall
    """
    List of strings: a literal, a data binding or a function call.
    """


class A2uiDynamicValue(
    RootModel[
        A2uiLiteralText
        | A2uiLiteralNumber
        | A2uiLiteralBoolean
        | A2uiLiteralList
        | A2uiDataBinding
        | A2uiFunctionCall
    ]
):
    root: (
        A2uiLiteralText
        | A2uiLiteralNumber
        | A2uiLiteralBoolean
        | A2uiLiteralList
        | A2uiDataBinding
        | A2uiFunctionCall
    )
    """
    Any value: a literal, a data binding or a function call.
    """


class A2uiBasicComponent(
    RootModel[
        A2uiText
        | A2uiImage
        | A2uiIcon
        | A2uiVideo
        | A2uiAudioPlayer
        | A2uiRow
        | A2uiColumn
        | A2uiList
        | A2uiCard
        | A2uiTabs
        | A2uiModal
        | A2uiDivider
        | A2uiButton
        | A2uiTextField
        | A2uiCheckBox
        | A2uiChoicePicker
        | A2uiSlider
        | A2uiDateTimeInput
    ]
):
    root: (
        A2uiText
        | A2uiImage
        | A2uiIcon
        | A2uiVideo
        | A2uiAudioPlayer
        | A2uiRow
        | A2uiColumn
        | A2uiList
        | A2uiCard
        | A2uiTabs
        | A2uiModal
        | A2uiDivider
        | A2uiButton
        | A2uiTextField
        | A2uiCheckBox
        | A2uiChoicePicker
        | A2uiSlider
        | A2uiDateTimeInput
    )
    """
    Component of the basic catalogue.
    """


A2uiAccessibility.model_rebuild()
A2uiAudioPlayer.model_rebuild()
A2uiButton.model_rebuild()
A2uiCheckBox.model_rebuild()
A2uiCheckRule.model_rebuild()
A2uiChoicePicker.model_rebuild()
A2uiDateTimeInput.model_rebuild()
A2uiEvent.model_rebuild()
A2uiFunctionAction.model_rebuild()
A2uiFunctionCall.model_rebuild()
A2uiImage.model_rebuild()
A2uiOption.model_rebuild()
A2uiSlider.model_rebuild()
A2uiTab.model_rebuild()
A2uiText.model_rebuild()
A2uiTextField.model_rebuild()
A2uiVideo.model_rebuild()
