"""Card generated from an MCP session: typed models.

Generated from schemas/mcp/2024-11-05/agent-card.schema.json (sha256 d8555e8f036bab40195085f52c0dd1e8f2671768221eb0beb9aa8cf58a52f1cf)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import MISSING, ConfigDict, Field, RootModel

from cardwright_runtime.wire import WireModel


class Absent(RootModel[None]):
    root: None
    """
    An explicit null: the server does not have this capability.
    """


class AgentExtension(WireModel):
    """
    One extension statement, in the shape of an A2A extension.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    uri: str
    """
    Identifies the extension and its version; compared as a string.
    """
    description: str | MISSING = MISSING
    """
    What the extension says about this server.
    """
    required: bool = False
    """
    True if callers must follow the extension.
    """
    params: dict[str, Any] | MISSING = MISSING
    """
    Settings whose meaning the extension defines.
    """


class AgentSkill(WireModel):
    """
    One tool of the server.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    id: str
    """
    Name of the tool, unique within this card.
    """
    name: str
    """
    Name of the tool, the same as `id`; this is what `tools/call` takes.
    """
    description: str | None | MISSING = MISSING
    """
    What the tool does; null where the server did not say.
    """
    input_schema: Annotated[dict[str, Any], Field(serialization_alias="inputSchema")]
    """
    JSON Schema of the tool's arguments, which are always an object.
    """
    output_schema: Annotated[dict[str, Any] | MISSING, Field(serialization_alias="outputSchema")] = MISSING
    """
    JSON Schema of the tool's structured result; known to newer servers only.
    """
    annotations: dict[str, Any] | MISSING = MISSING
    """
    Hints about the tool's behaviour, such as `readOnlyHint`. Not to be trusted unless the server is.
    """


class PromptArgument(WireModel):
    """
    One value that a prompt template takes.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    name: str
    """
    Name of the value.
    """
    description: str | None | MISSING = MISSING
    """
    What to put there; null where the server did not say.
    """
    required: bool = False
    """
    True if the template cannot be filled in without it.
    """


class PromptsCapability(WireModel):
    """
    Details of the prompts capability; an empty object already grants it.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    list_changed: Annotated[bool, Field(serialization_alias="listChanged")] = False
    """
    True if the server sends a notification when its list of prompts changes.
    """


class Resource(WireModel):
    """
    Data that the server lets clients read.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    uri: str
    """
    Identifies the resource; any scheme, also one of the server's own.
    """
    name: str
    """
    What people call the resource.
    """
    description: str | None | MISSING = MISSING
    """
    What the resource holds; null where the server did not say.
    """
    mime_type: Annotated[str | None | MISSING, Field(serialization_alias="mimeType")] = MISSING
    """
    Media type of the content, where it is known.
    """


class ResourcesCapability(WireModel):
    """
    Details of the resources capability; an empty object already grants it.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    subscribe: bool = False
    """
    True if a client can subscribe to changes of a single resource.
    """
    list_changed: Annotated[bool, Field(serialization_alias="listChanged")] = False
    """
    True if the server sends a notification when its list of resources changes.
    """


class SamplingCapability(WireModel):
    """
    The sampling capability, for which MCP 2024-11-05 defines no fields.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )


class ToolsCapability(WireModel):
    """
    Details of the tools capability; an empty object already grants it.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    list_changed: Annotated[bool, Field(serialization_alias="listChanged")] = False
    """
    True if the server sends a notification when its list of tools changes.
    """


class Prompt(WireModel):
    """
    A prompt template that the server fills in.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    name: str
    """
    Name of the template, unique within the server.
    """
    description: str | None | MISSING = MISSING
    """
    What the template is for; null where the server did not say.
    """
    arguments: list[PromptArgument] | None | MISSING = MISSING
    """
    Values that the template takes; null and absent mean none.
    """


class ServerCapabilities(WireModel):
    """
    The four capability groups of MCP; null and absent both mean that the server does not have the group.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    tools: ToolsCapability | Absent | MISSING = MISSING
    """
    Set if the server has tools.
    """
    resources: ResourcesCapability | Absent | MISSING = MISSING
    """
    Set if the server has resources.
    """
    prompts: PromptsCapability | Absent | MISSING = MISSING
    """
    Set if the server has prompt templates.
    """
    sampling: SamplingCapability | Absent | MISSING = MISSING
    """
    Set if the session offers sampling, which in MCP is a capability of the client.
    """


class AgentCard(WireModel):
    """
    Card that a gateway puts together from an MCP session: the description of the server, its tools as skills, its resources and prompts. MCP itself has no such document; the form is SuperX's.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    name: str
    """
    Identifier under which the server is configured, for example `exa_search`.
    """
    description: str
    """
    The name that the server gave in its `serverInfo`, or the identifier where it gave none.
    """
    url: str | MISSING = MISSING
    """
    Gateway address under which the server is reached. The table of the seed asks for it, its example leaves it out, so a card may do without.
    """
    protocol: Literal["mcp"]
    """
    Tells this form from an A2A card: always `mcp`.
    """
    protocol_version: Annotated[str, Field(serialization_alias="protocolVersion")]
    """
    Protocol date that server and gateway agreed on, such as 2024-11-05. Any later date is accepted too; it is never a version of A2A.
    """
    version: str | None | MISSING = MISSING
    """
    Release of the server from its `serverInfo`; null or absent where it did not say.
    """
    capabilities: ServerCapabilities | MISSING = MISSING
    """
    What the server offered in its `initialize` result.
    """
    skills: list[AgentSkill] | MISSING = MISSING
    """
    One entry for each tool in `tools/list`.
    """
    resources: list[Resource] | MISSING = MISSING
    """
    One entry for each resource in `resources/list`, where the server has resources.
    """
    prompts: list[Prompt] | MISSING = MISSING
    """
    One entry for each prompt in `prompts/list`, where the server has prompts.
    """
    extensions: list[AgentExtension] | MISSING = MISSING
    """
    Data that this form has no field for; a card converted from A2A keeps its extensions here.
    """
