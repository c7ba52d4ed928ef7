"""Beach 1.0 envelope: typed models.

Generated from schemas/beach/1.0/envelope.schema.json (sha256 6f104f8457075f9b4ed8bfd821eda65c9826c5db5e243a3907d4399c4c63ece0)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import MISSING, ConfigDict, Field, RootModel

from cardwright_runtime.wire import WireModel


class A2uiBasicTheme(WireModel):
    """
    How a surface of the basic catalogue looks.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    primary_color: Annotated[str | MISSING, Field(serialization_alias="primaryColor")] = MISSING
    """
    Main colour: # and six hexadecimal digits.
    """
    icon_url: Annotated[str | MISSING, Field(serialization_alias="iconUrl")] = MISSING
    """
    Where a picture of the agent is.
    """
    agent_display_name: Annotated[str | MISSING, Field(serialization_alias="agentDisplayName")] = MISSING
    """
    What the agent is called beside the surface.
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
    A child for every item of a list in the data.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    component_id: Annotated[str, Field(serialization_alias="componentId")]
    """
    Id of the component that is repeated.
    """
    path: str
    """
    JSON Pointer of the list.
    """


class A2uiChildren(RootModel[A2uiChildIds | A2uiChildTemplate]):
    root: A2uiChildIds | A2uiChildTemplate
    """
    Which children a component has.
    """


class A2uiComponent(WireModel):
    """
    A component of any catalogue; what else it has, the catalogue says.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: str
    """
    Which component of the catalogue it is.
    """


class A2uiCreateSurface(WireModel):
    """
    A surface begins; its components and data follow.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    surface_id: Annotated[str, Field(serialization_alias="surfaceId")]
    """
    The surface it is about.
    """
    catalog_id: Annotated[str, Field(serialization_alias="catalogId")]
    """
    Names the catalogue its components are from; no address that must answer.
    """
    theme: dict[str, Any] | MISSING = MISSING
    """
    How it looks, in words of the catalogue.
    """
    send_data_model: Annotated[bool | MISSING, Field(serialization_alias="sendDataModel")] = MISSING
    """
    Whether the renderer sends all data of the surface back with every message.
    """


class A2uiCreateSurfaceMessage(WireModel):
    """
    A message that has createSurface.
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
    Begins a surface.
    """


class A2uiDataBinding(WireModel):
    """
    A value of the surface's data.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    path: str
    """
    JSON Pointer into the data; without a leading `/` from the item that a template repeats for.
    """


class A2uiDeleteSurface(WireModel):
    """
    A surface ends, with its components and data.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    surface_id: Annotated[str, Field(serialization_alias="surfaceId")]
    """
    The surface it is about.
    """


class A2uiDeleteSurfaceMessage(WireModel):
    """
    A message that has deleteSurface.
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
    Ends a surface.
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
    An icon of the catalogue.
    """


class A2uiIconPath(WireModel):
    """
    An icon as a drawing.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    svg_path: Annotated[str, Field(serialization_alias="svgPath")]
    """
    Path data of SVG.
    """


class A2uiLiteralBoolean(RootModel[bool]):
    root: bool
    """
    True or false as it is.
    """


class A2uiLiteralList(RootModel[list[Any]]):
    """
    A list as it is.
    """

    root: list[Any]
    """
    A list as it is.
    """


class A2uiLiteralNumber(RootModel[float]):
    root: float
    """
    A number as it is.
    """


class A2uiLiteralObject(WireModel):
    """
    An object as it is.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )


class A2uiLiteralText(RootModel[str]):
    root: str
    """
    A text as it is.
    """


class A2uiTextList(RootModel[list[str]]):
    """
    Texts as they are.
    """

    root: list[str]
    """
    Texts as they are.
    """


class A2uiUpdateComponents(WireModel):
    """
    Components of a surface, new ones or in the place of those of the same id.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    surface_id: Annotated[str, Field(serialization_alias="surfaceId")]
    """
    The surface it is about.
    """
    components: list[A2uiComponent]
    """
    The components; one of a surface has the id `root`.
    """


class A2uiUpdateComponentsMessage(WireModel):
    """
    A message that has updateComponents.
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
    Sets components of a surface.
    """


class A2uiUpdateDataModel(WireModel):
    """
    A change of the data of a surface.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    surface_id: Annotated[str, Field(serialization_alias="surfaceId")]
    """
    The surface it is about.
    """
    path: str | MISSING = MISSING
    """
    JSON Pointer of what changes; `/` is the whole.
    """
    value: Any | MISSING = MISSING
    """
    What stands there from now on; absent where it goes away.
    """


class A2uiUpdateDataModelMessage(WireModel):
    """
    A message that has updateDataModel.
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
    Changes the data of a surface.
    """


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


class A2uiIconChoice(RootModel[A2uiIconName | A2uiIconPath | A2uiDataBinding]):
    root: A2uiIconName | A2uiIconPath | A2uiDataBinding
    """
    Which icon.
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
    One message to what renders the surface; it has exactly one of its four kinds.
    """


class A2uiSurface(RootModel[list[A2uiMessage]]):
    """
    Messages that make and change surfaces, in order. Components are judged by the basic catalogue where all surfaces that the messages create are of it; of others only id and component are asked.
    """

    root: Annotated[list[A2uiMessage], Field(title="A2uiSurface")]
    """
    Messages that make and change surfaces, in order. Components are judged by the basic catalogue where all surfaces that the messages create are of it; of others only id and component are asked.
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


class A2uiAccessibility(WireModel):
    """
    What assistive technologies are told.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    label: A2uiDynamicText | MISSING = MISSING
    """
    What it is, in a word or three.
    """
    description: A2uiDynamicText | MISSING = MISSING
    """
    More about it.
    """


class A2uiAudioPlayer(WireModel):
    """
    A sound to play.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["AudioPlayer"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    url: A2uiDynamicText
    """
    Where it is.
    """
    description: A2uiDynamicText | MISSING = MISSING
    """
    What it is.
    """


class A2uiButton(WireModel):
    """
    Something to press.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["Button"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    child: str
    """
    Id of what is on it.
    """
    variant: Literal["default", "primary", "borderless"] | MISSING = MISSING
    """
    How it looks.
    """
    action: A2uiAction
    """
    What a press does.
    """
    checks: list[A2uiCheckRule] | MISSING = MISSING
    """
    What must be met.
    """


class A2uiCard(WireModel):
    """
    A frame about one child.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["Card"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    child: str
    """
    Id of its only child.
    """


class A2uiCheckBox(WireModel):
    """
    A box to tick.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["CheckBox"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    label: A2uiDynamicText
    """
    What is asked.
    """
    value: A2uiDynamicBoolean
    """
    Whether it is ticked.
    """
    checks: list[A2uiCheckRule] | MISSING = MISSING
    """
    What must be met.
    """


class A2uiCheckRule(WireModel):
    """
    A condition that an input must meet.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    condition: A2uiDynamicBoolean
    """
    What must be true.
    """
    message: str
    """
    What is shown where it is not.
    """


class A2uiChoicePicker(WireModel):
    """
    Options to choose from.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["ChoicePicker"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    label: A2uiDynamicText | MISSING = MISSING
    """
    What is asked.
    """
    variant: Literal["multipleSelection", "mutuallyExclusive"] | MISSING = MISSING
    """
    Whether more than one may be chosen.
    """
    options: list[A2uiOption]
    """
    The options.
    """
    value: A2uiDynamicTextList
    """
    What is chosen.
    """
    display_style: Annotated[
        Literal["checkbox", "chips"] | MISSING, Field(serialization_alias="displayStyle")
    ] = MISSING
    """
    How it looks.
    """
    filterable: bool | MISSING = MISSING
    """
    Whether one can search among the options.
    """
    checks: list[A2uiCheckRule] | MISSING = MISSING
    """
    What must be met.
    """


class A2uiColumn(WireModel):
    """
    Children one below the other.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["Column"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    children: A2uiChildren
    """
    Its children.
    """
    justify: (
        Literal["start", "center", "end", "spaceBetween", "spaceAround", "spaceEvenly", "stretch"] | MISSING
    ) = MISSING
    """
    Where children stand along.
    """
    align: Literal["start", "center", "end", "stretch"] | MISSING = MISSING
    """
    Where children stand across.
    """


class A2uiDateTimeInput(WireModel):
    """
    A date or a time to choose.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["DateTimeInput"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    label: A2uiDynamicText | MISSING = MISSING
    """
    What is asked.
    """
    value: A2uiDynamicText
    """
    ISO 8601 date, time or both; empty where none is chosen.
    """
    enable_date: Annotated[bool | MISSING, Field(serialization_alias="enableDate")] = MISSING
    """
    Whether a date can be chosen.
    """
    enable_time: Annotated[bool | MISSING, Field(serialization_alias="enableTime")] = MISSING
    """
    Whether a time can be chosen.
    """
    min: A2uiDynamicText | MISSING = MISSING
    """
    ISO 8601 date or time; the earliest.
    """
    max: A2uiDynamicText | MISSING = MISSING
    """
    ISO 8601 date or time; the latest.
    """
    checks: list[A2uiCheckRule] | MISSING = MISSING
    """
    What must be met.
    """


class A2uiDivider(WireModel):
    """
    A line.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["Divider"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    axis: Literal["horizontal", "vertical"] | MISSING = MISSING
    """
    Which way.
    """


class A2uiEvent(WireModel):
    """
    What the agent is told.
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
    What goes with it, by name.
    """


class A2uiEventAction(WireModel):
    """
    An action that tells the agent.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    event: A2uiEvent
    """
    What it is told.
    """


class A2uiFunctionAction(WireModel):
    """
    An action that the renderer carries out itself.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    function_call: Annotated[A2uiFunctionCall, Field(serialization_alias="functionCall")]
    """
    What it runs.
    """


class A2uiFunctionCall(WireModel):
    """
    A function that the renderer runs.
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
    Which function of the basic catalogue.
    """
    args: dict[str, A2uiDynamicValue | A2uiLiteralObject]
    """
    Its arguments by name.
    """
    return_type: Annotated[
        Literal["string", "number", "boolean", "array", "object", "any", "void"] | MISSING,
        Field(serialization_alias="returnType"),
    ] = MISSING
    """
    What it returns.
    """


class A2uiIcon(WireModel):
    """
    An icon.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["Icon"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    name: A2uiIconChoice
    """
    Which one.
    """


class A2uiImage(WireModel):
    """
    A picture.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["Image"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    url: A2uiDynamicText
    """
    Where it is.
    """
    description: A2uiDynamicText | MISSING = MISSING
    """
    What it shows, in words.
    """
    fit: Literal["contain", "cover", "fill", "none", "scaleDown"] | MISSING = MISSING
    """
    How it fills its place.
    """
    variant: (
        Literal["icon", "avatar", "smallFeature", "mediumFeature", "largeFeature", "header"] | MISSING
    ) = MISSING
    """
    How large.
    """


class A2uiList(WireModel):
    """
    Children to scroll through.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["List"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    children: A2uiChildren
    """
    Its children.
    """
    direction: Literal["vertical", "horizontal"] | MISSING = MISSING
    """
    Which way.
    """
    align: Literal["start", "center", "end", "stretch"] | MISSING = MISSING
    """
    Where children stand across.
    """


class A2uiModal(WireModel):
    """
    A child that lies above all others when it is opened.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["Modal"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    trigger: str
    """
    Id of what opens it.
    """
    content: str
    """
    Id of what is shown.
    """


class A2uiOption(WireModel):
    """
    Something to choose.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    label: A2uiDynamicText
    """
    What a person reads.
    """
    value: str
    """
    What the data then holds.
    """


class A2uiRow(WireModel):
    """
    Children side by side.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["Row"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    children: A2uiChildren
    """
    Its children.
    """
    justify: (
        Literal["start", "center", "end", "spaceBetween", "spaceAround", "spaceEvenly", "stretch"] | MISSING
    ) = MISSING
    """
    Where children stand along.
    """
    align: Literal["start", "center", "end", "stretch"] | MISSING = MISSING
    """
    Where children stand across.
    """


class A2uiSlider(WireModel):
    """
    A number to choose.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["Slider"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    label: A2uiDynamicText | MISSING = MISSING
    """
    What is asked.
    """
    min: float | MISSING = MISSING
    """
    The least.
    """
    max: float
    """
    The most.
    """
    value: A2uiDynamicNumber
    """
    What is chosen.
    """
    checks: list[A2uiCheckRule] | MISSING = MISSING
    """
    What must be met.
    """


class A2uiTab(WireModel):
    """
    One of several children of which one is seen.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    title: A2uiDynamicText
    """
    Its heading.
    """
    child: str
    """
    Id of the component in it.
    """


class A2uiTabs(WireModel):
    """
    Children of which one is seen.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["Tabs"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    tabs: list[A2uiTab]
    """
    The tabs.
    """


class A2uiText(WireModel):
    """
    Words.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["Text"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    text: A2uiDynamicText
    """
    What is shown; simple Markdown may be rendered.
    """
    variant: Literal["h1", "h2", "h3", "h4", "h5", "caption", "body"] | MISSING = MISSING
    """
    Which kind of text.
    """


class A2uiTextField(WireModel):
    """
    A text to enter.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["TextField"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    label: A2uiDynamicText
    """
    What is asked.
    """
    value: A2uiDynamicText | MISSING = MISSING
    """
    What is in it.
    """
    variant: Literal["longText", "number", "shortText", "obscured"] | MISSING = MISSING
    """
    Which kind of text.
    """
    validation_regexp: Annotated[str | MISSING, Field(serialization_alias="validationRegexp")] = MISSING
    """
    Regular expression that the text must match.
    """
    checks: list[A2uiCheckRule] | MISSING = MISSING
    """
    What must be met.
    """


class A2uiVideo(WireModel):
    """
    A video.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Its name within the surface.
    """
    component: Literal["Video"]
    """
    Which component it is.
    """
    accessibility: A2uiAccessibility | MISSING = MISSING
    """
    What assistive technologies are told.
    """
    weight: float | MISSING = MISSING
    """
    Its share of the room in a row or column.
    """
    url: A2uiDynamicText
    """
    Where it is.
    """


class A2uiAction(RootModel[A2uiEventAction | A2uiFunctionAction]):
    root: A2uiEventAction | A2uiFunctionAction
    """
    What a press does.
    """


class A2uiDynamicBoolean(RootModel[A2uiLiteralBoolean | A2uiDataBinding | A2uiFunctionCall]):
    root: A2uiLiteralBoolean | A2uiDataBinding | A2uiFunctionCall
    """
    True or false, where to find it, or what makes it.
    """


class A2uiDynamicNumber(RootModel[A2uiLiteralNumber | A2uiDataBinding | A2uiFunctionCall]):
    root: A2uiLiteralNumber | A2uiDataBinding | A2uiFunctionCall
    """
    A number, where to find it, or what makes it.
    """


class A2uiDynamicText(RootModel[A2uiLiteralText | A2uiDataBinding | A2uiFunctionCall]):
    root: A2uiLiteralText | A2uiDataBinding | A2uiFunctionCall
    """
    A text, where to find it, or what makes it.
    """


class A2uiDynamicTextList(RootModel[A2uiTextList | A2uiDataBinding | A2uiFunctionCall]):
    root: A2uiTextList | A2uiDataBinding | A2uiFunctionCall
    """
    Texts, where to find them, or what makes them.
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
    Any value, where to find it, or what makes it.
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
    A component of the basic catalogue.
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
