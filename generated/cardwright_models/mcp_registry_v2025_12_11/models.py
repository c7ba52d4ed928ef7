"""server.json of the MCP registry: typed models.

Generated from schemas/mcp-registry/2025-12-11/server.schema.json (sha256 1dbda8a9edf289552884bbffb36b370b94dbc04021b934f241952e1dca16bb8d)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, RootModel

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


class LocalHttp(WireModel):
    """
    Streamable HTTP of a package that runs on the user's machine.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["streamable-http"] = "streamable-http"
    """
    Always `streamable-http`.
    """
    url: str
    """
    URL of the endpoint; names in braces are replaced by variables.
    """
    headers: list[KeyValueInput] | None = None
    """
    Header fields that a client sends.
    """


class LocalSse(WireModel):
    """
    HTTP with SSE of a package that runs on the user's machine.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["sse"] = "sse"
    """
    Always `sse`.
    """
    url: str
    """
    URL of the endpoint; names in braces are replaced by variables.
    """
    headers: list[KeyValueInput] | None = None
    """
    Header fields that a client sends.
    """


class NamedArgument(WireModel):
    """
    An argument that begins with a flag.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["named"] = "named"
    """
    Always `named`.
    """
    name: str
    """
    The flag, with its dashes.
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
    is_repeated: bool | None = None
    """
    Whether the argument may be given several times.
    """


class PositionalArgument(WireModel):
    """
    An argument that is known by its position; it has a value, or a hint for one.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["positional"] = "positional"
    """
    Always `positional`.
    """
    value_hint: str | None = None
    """
    Name of the value, for people.
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
    is_repeated: bool | None = None
    """
    Whether the argument may be given several times.
    """


class RemoteHttp(WireModel):
    """
    Streamable HTTP of a server that runs elsewhere.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["streamable-http"] = "streamable-http"
    """
    Always `streamable-http`.
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


class RemoteSse(WireModel):
    """
    HTTP with SSE of a server that runs elsewhere.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["sse"] = "sse"
    """
    Always `sse`.
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


class RemoteTransport(RootModel[RemoteHttp | RemoteSse]):
    root: Annotated[RemoteHttp | RemoteSse, Field(discriminator="type")]
    """
    A remote endpoint of the server; `type` tells which protocol.
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


class ServerMeta(WireModel):
    """
    Additional data of publishers and registries.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    io_modelcontextprotocol_registry_publisher_provided: dict[str, Any] | None = None
    """
    Data of the publisher.
    """


class Stdio(WireModel):
    """
    Standard input and output of a process.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    type: Literal["stdio"] = "stdio"
    """
    Always `stdio`.
    """


class Argument(RootModel[PositionalArgument | NamedArgument]):
    root: Annotated[PositionalArgument | NamedArgument, Field(discriminator="type")]
    """
    An argument of a command; `type` tells whether it has a name.
    """


class LocalTransport(RootModel[Stdio | LocalHttp | LocalSse]):
    root: Annotated[Stdio | LocalHttp | LocalSse, Field(discriminator="type")]
    """
    How a client speaks to a running package; `type` tells which.
    """


class Package(WireModel):
    """
    A package that installs the server.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    registry_type: str
    """
    Kind of the package, such as `npm`, `pypi`, `oci`, `nuget` or `mcpb`.
    """
    registry_base_url: str | None = None
    """
    URL of the package registry.
    """
    identifier: str
    """
    Name of the package, or its URL.
    """
    version: str | None = None
    """
    Version of the package; no range and never `latest`.
    """
    file_sha256: str | None = None
    """
    SHA-256 digest of the package file in hexadecimal.
    """
    runtime_hint: str | None = None
    """
    Command that runs the package, such as `npx` or `uvx`.
    """
    transport: LocalTransport
    """
    How a client speaks to the running package.
    """
    runtime_arguments: list[Argument] | None = None
    """
    Arguments of the runtime command.
    """
    package_arguments: list[Argument] | None = None
    """
    Arguments of the package's own command.
    """
    environment_variables: list[KeyValueInput] | None = None
    """
    Environment variables to set.
    """


class ServerJson(WireModel):
    """
    server.json of the MCP registry: an MCP server, the packages that install it and the endpoints where it runs. The form of 2025-12-11; that of 2025-07-09 has names in snake_case.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    field_schema: str | None = None
    """
    URL of the dated schema of server.json.
    """
    name: str
    """
    Name of the server: a domain in reverse order, a slash and a name, such as `com.example/tides`.
    """
    description: str
    """
    What the server does, in at most 100 characters.
    """
    title: str | None = None
    """
    Name of the server for people, in at most 100 characters.
    """
    version: str
    """
    Version of the server, preferably a semantic version; no range and never `latest`.
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
    packages: list[Package] | None = None
    """
    The packages that install the server.
    """
    remotes: list[RemoteTransport] | None = None
    """
    The endpoints where the server runs.
    """
    field_meta: ServerMeta | None = None
    """
    Additional data by names in reverse domain order.
    """
