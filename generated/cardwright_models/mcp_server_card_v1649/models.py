"""MCP server card in the older form (SEP-1649): typed models.

Generated from schemas/mcp-server-card/1649/server-card.schema.json (sha256 3fd2dfed7b62392a36b6c28fedfc1064627f40954ee12401f1ce6ae05e72029e)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from cardwright_models.base import WireModel


class Authentication(WireModel):
    """
    Which credentials the server asks for.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    required: bool | None = None
    """
    Whether a client without credentials is refused.
    """
    schemes: list[str] | None = None
    """
    Names of the schemes, such as `bearer`.
    """


class Part(WireModel):
    """
    A resource or a prompt of the server.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    name: str | None = None
    """
    Name of the resource or of the prompt.
    """
    uri: str | None = None
    """
    URI of a resource.
    """
    description: str | None = None
    """
    What it is for.
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
    title: str | None = None
    """
    Name for people.
    """
    version: str
    """
    Version of the server.
    """
    description: str | None = None
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
    title: str | None = None
    """
    Name for people.
    """
    description: str | None = None
    """
    What the tool does.
    """
    input_schema: dict[str, Any] | None = None
    """
    JSON Schema of the arguments.
    """
    annotations: dict[str, Any] | None = None
    """
    Hints about the tool.
    """


class Transport(WireModel):
    """
    How to reach the server.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: str | None = None
    """
    Name of the transport, such as `streamable-http`.
    """
    endpoint: Annotated[str | None, Field(json_schema_extra={"x-nullable": True})] = None
    """
    URL or path of the endpoint; null without an endpoint.
    """


class OlderServerCard(WireModel):
    """
    MCP server card in the older form of SEP-1649, at /.well-known/mcp/server-card.json or /.well-known/mcp.json: the server's own answer to `initialize`, often with its tools.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    field_schema: str | None = None
    """
    URL of a schema; there is no published one.
    """
    version: str | None = None
    """
    Version of the form of the card.
    """
    protocol_version: str | None = None
    """
    Version of MCP, such as `2025-06-18`.
    """
    server_info: ServerInfo
    """
    Name and version of the server, as in its answer to `initialize`.
    """
    description: str | None = None
    """
    What the server does.
    """
    icon_url: str | None = None
    """
    URL of an image.
    """
    documentation_url: str | None = None
    """
    URL of the documentation.
    """
    transport: Transport | None = None
    """
    How to reach the server.
    """
    capabilities: dict[str, Any] | list[Any] | None = None
    """
    What the server offers, as in its answer to `initialize`; some cards list names or flags instead.
    """
    authentication: Authentication | None = None
    """
    Which credentials the server asks for.
    """
    instructions: str | None = None
    """
    How a model should use the server.
    """
    tools: list[Tool] | str | None = None
    """
    The tools, or the word `dynamic` if only the server knows them.
    """
    resources: list[Part] | str | None = None
    """
    The resources, or the word `dynamic`.
    """
    prompts: list[Part] | str | None = None
    """
    The prompts, or the word `dynamic`.
    """
    field_meta: dict[str, Any] | None = None
    """
    Additional data.
    """
