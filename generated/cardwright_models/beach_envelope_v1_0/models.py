"""Beach 1.0 envelope: typed models.

Generated from schemas/beach/1.0/envelope.schema.json (sha256 0320a75d9b30c87504d5ea79e91341c37ff5077a3846b8e469999c206292a80c)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, RootModel, StringConstraints

from cardwright_models.base import WireModel


class A2uiBasicTheme(WireModel):
    """
    Theme of a surface that uses the basic catalogue.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    primary_color: Annotated[str | None, Field(pattern="^#[0-9a-fA-F]{6}$")] = None
    """
    Primary colour: # and six hexadecimal digits.
    """
    icon_url: str | None = None
    """
    URL of a picture of the agent.
    """
    agent_display_name: str | None = None
    """
    Display name of the agent.
    """


class A2uiChildTemplate(WireModel):
    """
    Template: one child per item of a list in the data model.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    component_id: str
    """
    Id of the component to repeat.
    """
    path: str
    """
    JSON Pointer to the list.
    """


class A2uiChildren(RootModel[list[str] | A2uiChildTemplate]):
    root: list[str] | A2uiChildTemplate
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
    surface_id: str
    """
    Id of the surface.
    """
    catalog_id: str
    """
    Id of the component catalogue; it need not be a resolvable URL.
    """
    theme: dict[str, Any] | None = None
    """
    Theme; its properties are defined by the catalogue.
    """
    send_data_model: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
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
    version: Literal["v0.9"] = "v0.9"
    """
    Version of A2UI.
    """
    create_surface: A2uiCreateSurface
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
    surface_id: str
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
    version: Literal["v0.9"] = "v0.9"
    """
    Version of A2UI.
    """
    delete_surface: A2uiDeleteSurface
    """
    Delete a surface.
    """


class A2uiIconName(StrEnum):
    """
    Icon of the catalogue.
    """

    account_circle = "accountCircle"
    add = "add"
    arrow_back = "arrowBack"
    arrow_forward = "arrowForward"
    attach_file = "attachFile"
    calendar_today = "calendarToday"
    call = "call"
    camera = "camera"
    check = "check"
    close = "close"
    delete = "delete"
    download = "download"
    edit = "edit"
    event = "event"
    error = "error"
    fast_forward = "fastForward"
    favorite = "favorite"
    favorite_off = "favoriteOff"
    folder = "folder"
    help = "help"
    home = "home"
    info = "info"
    location_on = "locationOn"
    lock = "lock"
    lock_open = "lockOpen"
    mail = "mail"
    menu = "menu"
    more_vert = "moreVert"
    more_horiz = "moreHoriz"
    notifications_off = "notificationsOff"
    notifications = "notifications"
    pause = "pause"
    payment = "payment"
    person = "person"
    phone = "phone"
    photo = "photo"
    play = "play"
    print = "print"
    refresh = "refresh"
    rewind = "rewind"
    search = "search"
    send = "send"
    settings = "settings"
    share = "share"
    shopping_cart = "shoppingCart"
    skip_next = "skipNext"
    skip_previous = "skipPrevious"
    star = "star"
    star_half = "starHalf"
    star_off = "starOff"
    stop = "stop"
    upload = "upload"
    visibility = "visibility"
    visibility_off = "visibilityOff"
    volume_down = "volumeDown"
    volume_mute = "volumeMute"
    volume_off = "volumeOff"
    volume_up = "volumeUp"
    warning = "warning"


class A2uiIconPath(WireModel):
    """
    Icon as SVG path.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    svg_path: str
    """
    SVG path data.
    """


class A2uiUpdateComponents(WireModel):
    """
    Components of a surface to add, or to replace by id.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    surface_id: str
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
    version: Literal["v0.9"] = "v0.9"
    """
    Version of A2UI.
    """
    update_components: A2uiUpdateComponents
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
    surface_id: str
    """
    Id of the surface.
    """
    path: Annotated[str | None, Field(json_schema_extra={"x-default": "/"})] = None
    """
    JSON Pointer to the updated value; `/` is the root.
    """
    value: Annotated[Any | None, Field(json_schema_extra={"x-nullable": True})] = None
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
    version: Literal["v0.9"] = "v0.9"
    """
    Version of A2UI.
    """
    update_data_model: A2uiUpdateDataModel
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
    approval_id: Annotated[str, Field(min_length=1)]
    """
    Id that links the response to this request; unique within the session.
    """
    tool_name: str
    """
    Name of the tool that needs approval.
    """
    tool_call_id: str
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
    expires_at: str | None = None
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
    approval_id: Annotated[str, Field(min_length=1)]
    """
    Id of the request.
    """
    decision: Literal["granted", "denied"]
    """
    Whether the tool may run.
    """
    reason: str | None = None
    """
    Reason as text for people.
    """
    decided_by: str | None = None
    """
    Who or what decided: a user, a policy, an automatic rule.
    """
    decided_at: str
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
    artifact_id: Annotated[str, Field(min_length=1)]
    """
    Id of the artifact in the store.
    """
    media_type: str | None = None
    """
    Media type of the artifact.
    """
    filename: Annotated[str | None, Field(pattern="^[^/\\\\\\x00-\\x1f\\x7f-\\x9f]*$")] = None
    """
    Suggested file name, without a path.
    """
    size: Annotated[int | None, Field(ge=0)] = None
    """
    Size in bytes.
    """
    url: Annotated[str | None, Field(pattern="^https?://")] = None
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
    title: str | None = None
    """
    Title of the source.
    """
    url: Annotated[str | None, Field(pattern="^https?://")] = None
    """
    URL of the source.
    """
    quote: str | None = None
    """
    Quotation that supports the value.
    """
    retrieved_at: str | None = None
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
    session_id: Annotated[str, Field(min_length=1)]
    """
    Session of the conversation.
    """
    event_id: Annotated[str, Field(min_length=1)]
    """
    Event id of the handler's invocation: one turn.
    """
    originator_id: Annotated[str | None, Field(min_length=1)] = None
    """
    Participant whose request the turn responds to.
    """
    conversation_state: str
    """
    State of the turn, looked up in the conversation state registry.
    """
    timestamp: str
    """
    RFC 3339 time, in UTC, at which the envelope was created.
    """
    finalized_by: str | None = None
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
    part_type: str
    """
    Part type, looked up in the part type registry.
    """
    slot_key: Annotated[str | None, Field(min_length=1)] = None
    """
    Stable name of the slot of this part; later data for the same slot is merged with earlier data.
    """
    merge_strategy: Annotated[
        Literal["replace", "append", "deep-merge"] | None, Field(json_schema_extra={"x-default": "replace"})
    ] = None
    """
    How the data is merged into its slot: it replaces the old data, is appended, or is merged property by property.
    """
    data_kind: Annotated[str | None, Field(min_length=1)] = None
    """
    Kind of data, which selects a surface template.
    """
    artifact_id: str | None = None
    """
    Id of the artifact in the sender's store.
    """
    language: str | None = None
    """
    Language of a text, as a BCP 47 tag.
    """
    rule: str | None = None
    """
    In an error: id of the violated rule.
    """
    part_index: Annotated[int | None, Field(ge=0)] = None
    """
    In an error: index of the part in the turn, counted from 0.
    """
    pointer: str | None = None
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
    operation: str | None = None
    """
    Id of the operation, the same in all its progress reports.
    """
    message: str | None = None
    """
    Status message for people.
    """
    completed: Annotated[float | None, Field(ge=0.0)] = None
    """
    Completed amount, in `unit`s.
    """
    total: Annotated[float | None, Field(ge=0.0)] = None
    """
    Total amount, in `unit`s.
    """
    unit: str | None = None
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
    media_type: str | None = None
    """
    Media type of the content.
    """
    filename: Annotated[str | None, Field(pattern="^[^/\\\\\\x00-\\x1f\\x7f-\\x9f]*$")] = None
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
    media_type: str | None = None
    """
    Media type of the content.
    """
    filename: Annotated[str | None, Field(pattern="^[^/\\\\\\x00-\\x1f\\x7f-\\x9f]*$")] = None
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
    media_type: str | None = None
    """
    Media type of the content.
    """
    filename: Annotated[str | None, Field(pattern="^[^/\\\\\\x00-\\x1f\\x7f-\\x9f]*$")] = None
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
    slot_key: Annotated[str | None, Field(min_length=1)] = None
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
    media_type: str | None = None
    """
    Media type of the content.
    """
    filename: Annotated[str | None, Field(pattern="^[^/\\\\\\x00-\\x1f\\x7f-\\x9f]*$")] = None
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
    allow_handler_transitions: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
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
    label: A2uiDynamicText | None = None
    """
    Short label, one to three words.
    """
    description: A2uiDynamicText | None = None
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
    component: Literal["AudioPlayer"] = "AudioPlayer"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
    """
    Relative size in a row or column.
    """
    url: A2uiDynamicText
    """
    URL.
    """
    description: A2uiDynamicText | None = None
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
    component: Literal["Button"] = "Button"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
    """
    Relative size in a row or column.
    """
    child: str
    """
    Id of the component on the button.
    """
    variant: Annotated[
        Literal["default", "primary", "borderless"] | None, Field(json_schema_extra={"x-default": "default"})
    ] = None
    """
    Display variant.
    """
    action: A2uiAction
    """
    Action on press.
    """
    checks: list[A2uiCheckRule] | None = None
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
    component: Literal["Card"] = "Card"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
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
    component: Literal["CheckBox"] = "CheckBox"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
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
    checks: list[A2uiCheckRule] | None = None
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
    component: Literal["ChoicePicker"] = "ChoicePicker"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
    """
    Relative size in a row or column.
    """
    label: A2uiDynamicText | None = None
    """
    Label of the input.
    """
    variant: Annotated[
        Literal["multipleSelection", "mutuallyExclusive"] | None,
        Field(json_schema_extra={"x-default": "mutuallyExclusive"}),
    ] = None
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
    display_style: Annotated[
        Literal["checkbox", "chips"] | None, Field(json_schema_extra={"x-default": "checkbox"})
    ] = None
    """
    Display variant.
    """
    filterable: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    Whether the options can be searched.
    """
    checks: list[A2uiCheckRule] | None = None
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
    component: Literal["Column"] = "Column"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
    """
    Relative size in a row or column.
    """
    children: A2uiChildren
    """
    Child components.
    """
    justify: Annotated[
        Literal["start", "center", "end", "spaceBetween", "spaceAround", "spaceEvenly", "stretch"] | None,
        Field(json_schema_extra={"x-default": "start"}),
    ] = None
    """
    Distribution of the children on the main axis.
    """
    align: Annotated[
        Literal["start", "center", "end", "stretch"] | None, Field(json_schema_extra={"x-default": "stretch"})
    ] = None
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
    component: Literal["DateTimeInput"] = "DateTimeInput"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
    """
    Relative size in a row or column.
    """
    label: A2uiDynamicText | None = None
    """
    Label of the input.
    """
    value: A2uiDynamicText
    """
    ISO 8601 date, time or both; empty if nothing is selected.
    """
    enable_date: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    Whether a date can be selected.
    """
    enable_time: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    Whether a time can be selected.
    """
    min: A2uiDynamicText | None = None
    """
    Earliest ISO 8601 date or time.
    """
    max: A2uiDynamicText | None = None
    """
    Latest ISO 8601 date or time.
    """
    checks: list[A2uiCheckRule] | None = None
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
    component: Literal["Divider"] = "Divider"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
    """
    Relative size in a row or column.
    """
    axis: Annotated[
        Literal["horizontal", "vertical"] | None, Field(json_schema_extra={"x-default": "horizontal"})
    ] = None
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
    context: dict[str, A2uiDynamicValue] | None = None
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
    function_call: A2uiFunctionCall
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
    args: dict[str, A2uiDynamicValue | dict[str, Any]]
    """
    Arguments by name.
    """
    return_type: Annotated[
        Literal["string", "number", "boolean", "array", "object", "any", "void"] | None,
        Field(json_schema_extra={"x-default": "boolean"}),
    ] = None
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
    component: Literal["Icon"] = "Icon"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
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
    component: Literal["Image"] = "Image"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
    """
    Relative size in a row or column.
    """
    url: A2uiDynamicText
    """
    URL.
    """
    description: A2uiDynamicText | None = None
    """
    Text description of the picture.
    """
    fit: Annotated[
        Literal["contain", "cover", "fill", "none", "scaleDown"] | None,
        Field(json_schema_extra={"x-default": "fill"}),
    ] = None
    """
    How the picture fits its area.
    """
    variant: Annotated[
        Literal["icon", "avatar", "smallFeature", "mediumFeature", "largeFeature", "header"] | None,
        Field(json_schema_extra={"x-default": "mediumFeature"}),
    ] = None
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
    component: Literal["List"] = "List"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
    """
    Relative size in a row or column.
    """
    children: A2uiChildren
    """
    Child components.
    """
    direction: Annotated[
        Literal["vertical", "horizontal"] | None, Field(json_schema_extra={"x-default": "vertical"})
    ] = None
    """
    Direction.
    """
    align: Annotated[
        Literal["start", "center", "end", "stretch"] | None, Field(json_schema_extra={"x-default": "stretch"})
    ] = None
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
    component: Literal["Modal"] = "Modal"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
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
    component: Literal["Row"] = "Row"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
    """
    Relative size in a row or column.
    """
    children: A2uiChildren
    """
    Child components.
    """
    justify: Annotated[
        Literal["start", "center", "end", "spaceBetween", "spaceAround", "spaceEvenly", "stretch"] | None,
        Field(json_schema_extra={"x-default": "start"}),
    ] = None
    """
    Distribution of the children on the main axis.
    """
    align: Annotated[
        Literal["start", "center", "end", "stretch"] | None, Field(json_schema_extra={"x-default": "stretch"})
    ] = None
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
    component: Literal["Slider"] = "Slider"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
    """
    Relative size in a row or column.
    """
    label: A2uiDynamicText | None = None
    """
    Label of the input.
    """
    min: Annotated[float | None, Field(json_schema_extra={"x-default": 0})] = None
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
    checks: list[A2uiCheckRule] | None = None
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
    component: Literal["Tabs"] = "Tabs"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
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
    component: Literal["Text"] = "Text"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
    """
    Relative size in a row or column.
    """
    text: A2uiDynamicText
    """
    Text to show; simple Markdown may be rendered.
    """
    variant: Annotated[
        Literal["h1", "h2", "h3", "h4", "h5", "caption", "body"] | None,
        Field(json_schema_extra={"x-default": "body"}),
    ] = None
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
    component: Literal["TextField"] = "TextField"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
    """
    Relative size in a row or column.
    """
    label: A2uiDynamicText
    """
    Label of the input.
    """
    value: A2uiDynamicText | None = None
    """
    Current value.
    """
    variant: Annotated[
        Literal["longText", "number", "shortText", "obscured"] | None,
        Field(json_schema_extra={"x-default": "shortText"}),
    ] = None
    """
    Text variant.
    """
    validation_regexp: str | None = None
    """
    Regular expression that the text must match.
    """
    checks: list[A2uiCheckRule] | None = None
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
    component: Literal["Video"] = "Video"
    """
    Name of the component type.
    """
    accessibility: A2uiAccessibility | None = None
    """
    Accessibility attributes.
    """
    weight: float | None = None
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


class A2uiDynamicBoolean(RootModel[bool | A2uiDataBinding | A2uiFunctionCall]):
    root: bool | A2uiDataBinding | A2uiFunctionCall
    """
    Boolean: a literal, a data binding or a function call.
    """


class A2uiDynamicNumber(RootModel[float | A2uiDataBinding | A2uiFunctionCall]):
    root: float | A2uiDataBinding | A2uiFunctionCall
    """
    Number: a literal, a data binding or a function call.
    """


class A2uiDynamicText(RootModel[str | A2uiDataBinding | A2uiFunctionCall]):
    root: str | A2uiDataBinding | A2uiFunctionCall
    """
    String: a literal, a data binding or a function call.
    """


class A2uiDynamicTextList(RootModel[list[str] | A2uiDataBinding | A2uiFunctionCall]):
    root: list[str] | A2uiDataBinding | A2uiFunctionCall
    """
    List of strings: a literal, a data binding or a function call.
    """


class A2uiDynamicValue(RootModel[str | float | bool | list[Any] | A2uiDataBinding | A2uiFunctionCall]):
    root: str | float | bool | list[Any] | A2uiDataBinding | A2uiFunctionCall
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
    root: Annotated[
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
        | A2uiDateTimeInput,
        Field(discriminator="component"),
    ]
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
