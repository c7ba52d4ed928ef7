"""MCP server card (SEP-2127): typed models.

Generated from schemas/mcp-server-card/1/server-card.schema.json (sha256 d93d16760341941517cc955fa2a37d622ce1c5cd5b847292ef2e78387666d6d7)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict

from cardwright_models.base import WireModel


class Icon(WireModel):
    """
    An image for the name of the server in lists.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    src: str
    """
    URL of the image, or a `data:` URL with it.
    """
    mime_type: str | None = None
    """
    Media type of the image, if the source does not say it.
    """
    sizes: list[str] | None = None
    """
    Sizes in pixels as `48x48`, or `any` for an image that scales.
    """
    theme: Literal["dark", "light"] | None = None
    """
    Whether the image is for a dark or a light background.
    """


class Input(WireModel):
    """
    A value that the user gives or that is fixed.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    description: str | None = None
    """
    What the value is for.
    """
    is_required: bool | None = None
    """
    Whether the server does not work without the value.
    """
    format: Literal["string", "number", "boolean", "filepath"] | None = None
    """
    Type of the value.
    """
    value: str | None = None
    """
    Fixed value; names in braces are replaced by variables.
    """
    is_secret: bool | None = None
    """
    Whether the value is a credential.
    """
    default: str | None = None
    """
    Value if the user gives none.
    """
    placeholder: str | None = None
    """
    Example that a form shows in the empty field.
    """
    choices: list[str] | None = None
    """
    The allowed values.
    """


class KeyValueInput(WireModel):
    """
    A named value, such as a header field or an environment variable.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    name: str
    """
    Name of the header field or of the environment variable.
    """
    description: str | None = None
    """
    What the value is for.
    """
    is_required: bool | None = None
    """
    Whether the server does not work without the value.
    """
    format: Literal["string", "number", "boolean", "filepath"] | None = None
    """
    Type of the value.
    """
    value: str | None = None
    """
    Fixed value; names in braces are replaced by variables.
    """
    is_secret: bool | None = None
    """
    Whether the value is a credential.
    """
    default: str | None = None
    """
    Value if the user gives none.
    """
    placeholder: str | None = None
    """
    Example that a form shows in the empty field.
    """
    choices: list[str] | None = None
    """
    The allowed values.
    """
    variables: dict[str, Input] | None = None
    """
    The variables in the value, by name.
    """


class Remote(WireModel):
    """
    One endpoint of the server.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["streamable-http", "sse"]
    """
    Transport of MCP.
    """
    url: str
    """
    URL of the endpoint; names in braces are replaced by variables.
    """
    headers: list[KeyValueInput] | None = None
    """
    Header fields that a client sends.
    """
    variables: dict[str, Input] | None = None
    """
    The variables in the URL, by name.
    """
    supported_protocol_versions: list[str] | None = None
    """
    Versions of MCP that the endpoint supports.
    """


class Repository(WireModel):
    """
    Where the source code of the server is.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    url: str
    """
    URL of the repository, for browsers and `git clone`.
    """
    source: str
    """
    Name of the hosting service, such as `github`.
    """
    id: str | None = None
    """
    Identifier of the repository at the service, which stays the same when it is renamed.
    """
    subfolder: str | None = None
    """
    Relative path of the server in the repository.
    """


class ServerCard(WireModel):
    """
    MCP server card (SEP-2127): how to reach an MCP server, and what it is called. It lists no tools; clients ask the server for them.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    field_schema: str
    """
    URL of the schema of server cards, always `https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json`.
    """
    name: str
    """
    Name of the server: a domain in reverse order, a slash and a name, such as `com.example/tides`.
    """
    version: str
    """
    Version of the server, preferably a semantic version; no range.
    """
    description: str
    """
    What the server does, in at most 100 characters.
    """
    title: str | None = None
    """
    Name of the server for people, in at most 100 characters.
    """
    website_url: str | None = None
    """
    URL of the server's home page.
    """
    repository: Repository | None = None
    """
    Where the source code is.
    """
    icons: list[Icon] | None = None
    """
    Images for user interfaces.
    """
    remotes: list[Remote] | None = None
    """
    The endpoints of the server.
    """
    field_meta: dict[str, Any] | None = None
    """
    Additional data by names in reverse domain order.
    """
