"""Card generated from an MCP session: typed models.

Generated from schemas/mcp/2024-11-05/agent-card.schema.json (sha256 688445b64d229ad2e4d0d0dc1fffd64f348b99cba444ca6a5735128670718d64)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from cardwright_models.base import WireModel


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
    description: str | None = None
    """
    What the extension says about this server.
    """
    required: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True if callers must follow the extension.
    """
    params: dict[str, Any] | None = None
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
    description: Annotated[str | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    What the tool does; null where the server did not say.
    """
    input_schema: dict[str, Any]
    """
    JSON Schema of the tool's arguments, which are always an object.
    """
    output_schema: dict[str, Any] | None = None
    """
    JSON Schema of the tool's structured result; known to newer servers only.
    """
    annotations: dict[str, Any] | None = None
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
    description: Annotated[str | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    What to put there; null where the server did not say.
    """
    required: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
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
    list_changed: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
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
    description: Annotated[str | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    What the resource holds; null where the server did not say.
    """
    mime_type: Annotated[str | None, Field(json_schema_extra={"x-nullable": True})] = None
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
    subscribe: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True if a client can subscribe to changes of a single resource.
    """
    list_changed: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
    """
    True if the server sends a notification when its list of resources changes.
    """


class ToolsCapability(WireModel):
    """
    Details of the tools capability; an empty object already grants it.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    list_changed: Annotated[bool | None, Field(json_schema_extra={"x-default": False})] = None
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
    description: Annotated[str | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    What the template is for; null where the server did not say.
    """
    arguments: Annotated[list[PromptArgument] | None, Field(json_schema_extra={"x-nullable": True})] = None
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
    tools: Annotated[ToolsCapability | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    Set if the server has tools.
    """
    resources: Annotated[ResourcesCapability | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    Set if the server has resources.
    """
    prompts: Annotated[PromptsCapability | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    Set if the server has prompt templates.
    """
    sampling: Annotated[dict[str, Any] | None, Field(json_schema_extra={"x-nullable": True})] = None
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
    url: str | None = None
    """
    Gateway address under which the server is reached. The table of the seed asks for it, its example leaves it out, so a card may do without.
    """
    protocol: Literal["mcp"] = "mcp"
    """
    Tells this form from an A2A card: always `mcp`.
    """
    protocol_version: str
    """
    Protocol date that server and gateway agreed on, such as 2024-11-05. Any later date is accepted too; it is never a version of A2A.
    """
    version: Annotated[str | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    Release of the server from its `serverInfo`; null or absent where it did not say.
    """
    capabilities: ServerCapabilities | None = None
    """
    What the server offered in its `initialize` result.
    """
    skills: list[AgentSkill] | None = None
    """
    One entry for each tool in `tools/list`.
    """
    resources: list[Resource] | None = None
    """
    One entry for each resource in `resources/list`, where the server has resources.
    """
    prompts: list[Prompt] | None = None
    """
    One entry for each prompt in `prompts/list`, where the server has prompts.
    """
    extensions: list[AgentExtension] | None = None
    """
    Data that this form has no field for; a card converted from A2A keeps its extensions here.
    """
