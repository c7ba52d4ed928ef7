"""MCP server card in the older form (SEP-1649): typed models.

Generated from schemas/mcp-server-card/1649/server-card.schema.json (sha256 0269730f0ee6cb2cc4fa0bb00d9ba3cbfa88b8bb1c64cc22df10abea4eadf1c5)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import MISSING, ConfigDict, Field, RootModel

from cardwright_runtime.wire import WireModel


class Authentication(WireModel):
    """
    Which credentials the server asks for.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    required: bool | MISSING = MISSING
    """
    Whether a client without credentials is refused.
    """
    schemes: list[str] | MISSING = MISSING
    """
    Names of the schemes, such as `bearer`.
    """


class CapabilityNames(RootModel[list[Any]]):
    """
    Names of capabilities.
    """

    root: list[Any]
    """
    Names of capabilities.
    """


class CapabilityTable(WireModel):
    """
    Capabilities by name.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )


class Part(WireModel):
    """
    A resource or a prompt of the server.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    name: str | MISSING = MISSING
    """
    Name of the resource or of the prompt.
    """
    uri: str | MISSING = MISSING
    """
    URI of a resource.
    """
    description: str | MISSING = MISSING
    """
    What it is for.
    """


class PartList(RootModel[list[Part]]):
    """
    The resources or the prompts of the server.
    """

    root: list[Part]
    """
    The resources or the prompts of the server.
    """


class ServerInfo(WireModel):
    """
    Name and version of the server.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    name: str
    """
    Name of the server.
    """
    title: str | MISSING = MISSING
    """
    Name for people.
    """
    version: str
    """
    Version of the server.
    """
    description: str | MISSING = MISSING
    """
    What the server does.
    """


class Tool(WireModel):
    """
    A tool of the server.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    name: str
    """
    Name of the tool.
    """
    title: str | MISSING = MISSING
    """
    Name for people.
    """
    description: str | MISSING = MISSING
    """
    What the tool does.
    """
    input_schema: Annotated[dict[str, Any] | MISSING, Field(serialization_alias="inputSchema")] = MISSING
    """
    JSON Schema of the arguments.
    """
    annotations: dict[str, Any] | MISSING = MISSING
    """
    Hints about the tool.
    """


class ToolList(RootModel[list[Tool]]):
    """
    The tools of the server.
    """

    root: list[Tool]
    """
    The tools of the server.
    """


class Transport(WireModel):
    """
    How to reach the server.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: str | MISSING = MISSING
    """
    Name of the transport, such as `streamable-http`.
    """
    endpoint: str | None | MISSING = MISSING
    """
    URL or path of the endpoint; null without an endpoint.
    """


class Word(RootModel[str]):
    root: str
    """
    The word `dynamic`.
    """


class OlderServerCard(WireModel):
    """
    MCP server card in the older form of SEP-1649, at /.well-known/mcp/server-card.json or /.well-known/mcp.json: the server's own answer to `initialize`, often with its tools.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    field_schema: Annotated[str | MISSING, Field(serialization_alias="$schema")] = MISSING
    """
    URL of a schema; there is no published one.
    """
    version: str | MISSING = MISSING
    """
    Version of the form of the card.
    """
    protocol_version: Annotated[str | MISSING, Field(serialization_alias="protocolVersion")] = MISSING
    """
    Version of MCP, such as `2025-06-18`.
    """
    server_info: Annotated[ServerInfo, Field(serialization_alias="serverInfo")]
    """
    Name and version of the server, as in its answer to `initialize`.
    """
    description: str | MISSING = MISSING
    """
    What the server does.
    """
    icon_url: Annotated[str | MISSING, Field(serialization_alias="iconUrl")] = MISSING
    """
    URL of an image.
    """
    documentation_url: Annotated[str | MISSING, Field(serialization_alias="documentationUrl")] = MISSING
    """
    URL of the documentation.
    """
    transport: Transport | MISSING = MISSING
    """
    How to reach the server.
    """
    capabilities: CapabilityTable | CapabilityNames | MISSING = MISSING
    """
    What the server offers, as in its answer to `initialize`; some cards list names or flags instead.
    """
    authentication: Authentication | MISSING = MISSING
    """
    Which credentials the server asks for.
    """
    instructions: str | MISSING = MISSING
    """
    How a model should use the server.
    """
    tools: ToolList | Word | MISSING = MISSING
    """
    The tools, or the word `dynamic` if only the server knows them.
    """
    resources: PartList | Word | MISSING = MISSING
    """
    The resources, or the word `dynamic`.
    """
    prompts: PartList | Word | MISSING = MISSING
    """
    The prompts, or the word `dynamic`.
    """
    field_meta: Annotated[dict[str, Any] | MISSING, Field(serialization_alias="_meta")] = MISSING
    """
    Additional data.
    """
