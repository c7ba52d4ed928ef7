"""server.json of the MCP registry: typed models.

Generated from schemas/mcp-registry/2025-12-11/server.schema.json (sha256 4b736d942d4e7fe803855a5db79692099cb67b99156993710baa7ad830cb27d8)
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import MISSING, ConfigDict, Field

from cardwright_runtime.wire import WireModel


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
    mime_type: Annotated[str | MISSING, Field(serialization_alias="mimeType")] = MISSING
    """
    Media type of the image, if the source does not say it.
    """
    sizes: list[str] | MISSING = MISSING
    """
    Sizes in pixels as `48x48`, or `any` for an image that scales.
    """
    theme: Literal["dark", "light"] | MISSING = MISSING
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
    description: str | MISSING = MISSING
    """
    What the value is for.
    """
    is_required: Annotated[bool | MISSING, Field(serialization_alias="isRequired")] = MISSING
    """
    Whether the server does not work without the value.
    """
    format: Literal["string", "number", "boolean", "filepath"] | MISSING = MISSING
    """
    Type of the value.
    """
    value: str | MISSING = MISSING
    """
    Fixed value; names in braces are replaced by variables.
    """
    is_secret: Annotated[bool | MISSING, Field(serialization_alias="isSecret")] = MISSING
    """
    Whether the value is a credential.
    """
    default: str | MISSING = MISSING
    """
    Value if the user gives none.
    """
    placeholder: str | MISSING = MISSING
    """
    Example that a form shows in the empty field.
    """
    choices: list[str] | MISSING = MISSING
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
    description: str | MISSING = MISSING
    """
    What the value is for.
    """
    is_required: Annotated[bool | MISSING, Field(serialization_alias="isRequired")] = MISSING
    """
    Whether the server does not work without the value.
    """
    format: Literal["string", "number", "boolean", "filepath"] | MISSING = MISSING
    """
    Type of the value.
    """
    value: str | MISSING = MISSING
    """
    Fixed value; names in braces are replaced by variables.
    """
    is_secret: Annotated[bool | MISSING, Field(serialization_alias="isSecret")] = MISSING
    """
    Whether the value is a credential.
    """
    default: str | MISSING = MISSING
    """
    Value if the user gives none.
    """
    placeholder: str | MISSING = MISSING
    """
    Example that a form shows in the empty field.
    """
    choices: list[str] | MISSING = MISSING
    """
    The allowed values.
    """
    variables: dict[str, Input] | MISSING = MISSING
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
    type: Literal["streamable-http"]
    """
    Always `streamable-http`.
    """
    url: str
    """
    URL of the endpoint; names in braces are replaced by variables.
    """
    headers: list[KeyValueInput] | MISSING = MISSING
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
    type: Literal["sse"]
    """
    Always `sse`.
    """
    url: str
    """
    URL of the endpoint; names in braces are replaced by variables.
    """
    headers: list[KeyValueInput] | MISSING = MISSING
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
    type: Literal["named"]
    """
    Always `named`.
    """
    name: str
    """
    The flag, with its dashes.
    """
    description: str | MISSING = MISSING
    """
    What the value is for.
    """
    is_required: Annotated[bool | MISSING, Field(serialization_alias="isRequired")] = MISSING
    """
    Whether the server does not work without the value.
    """
    format: Literal["string", "number", "boolean", "filepath"] | MISSING = MISSING
    """
    Type of the value.
    """
    value: str | MISSING = MISSING
    """
    Fixed value; names in braces are replaced by variables.
    """
    is_secret: Annotated[bool | MISSING, Field(serialization_alias="isSecret")] = MISSING
    """
    Whether the value is a credential.
    """
    default: str | MISSING = MISSING
    """
    Value if the user gives none.
    """
    placeholder: str | MISSING = MISSING
    """
    Example that a form shows in the empty field.
    """
    choices: list[str] | MISSING = MISSING
    """
    The allowed values.
    """
    variables: dict[str, Input] | MISSING = MISSING
    """
    The variables in the value, by name.
    """
    is_repeated: Annotated[bool | MISSING, Field(serialization_alias="isRepeated")] = MISSING
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
    type: Literal["positional"]
    """
    Always `positional`.
    """
    value_hint: Annotated[str | MISSING, Field(serialization_alias="valueHint")] = MISSING
    """
    Name of the value, for people.
    """
    description: str | MISSING = MISSING
    """
    What the value is for.
    """
    is_required: Annotated[bool | MISSING, Field(serialization_alias="isRequired")] = MISSING
    """
    Whether the server does not work without the value.
    """
    format: Literal["string", "number", "boolean", "filepath"] | MISSING = MISSING
    """
    Type of the value.
    """
    value: str | MISSING = MISSING
    """
    Fixed value; names in braces are replaced by variables.
    """
    is_secret: Annotated[bool | MISSING, Field(serialization_alias="isSecret")] = MISSING
    """
    Whether the value is a credential.
    """
    default: str | MISSING = MISSING
    """
    Value if the user gives none.
    """
    placeholder: str | MISSING = MISSING
    """
    Example that a form shows in the empty field.
    """
    choices: list[str] | MISSING = MISSING
    """
    The allowed values.
    """
    variables: dict[str, Input] | MISSING = MISSING
    """
    The variables in the value, by name.
    """
    is_repeated: Annotated[bool | MISSING, Field(serialization_alias="isRepeated")] = MISSING
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
    type: Literal["streamable-http"]
    """
    Always `streamable-http`.
    """
    url: str
    """
    URL of the endpoint; names in braces are replaced by variables.
    """
    headers: list[KeyValueInput] | MISSING = MISSING
    """
    Header fields that a client sends.
    """
    variables: dict[str, Input] | MISSING = MISSING
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
    type: Literal["sse"]
    """
    Always `sse`.
    """
    url: str
    """
    URL of the endpoint; names in braces are replaced by variables.
    """
    headers: list[KeyValueInput] | MISSING = MISSING
    """
    Header fields that a client sends.
    """
    variables: dict[str, Input] | MISSING = MISSING
    """
    The variables in the URL, by name.
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
    id: str | MISSING = MISSING
    """
    Identifier of the repository at the service, which stays the same when it is renamed.
    """
    subfolder: str | MISSING = MISSING
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
    io_modelcontextprotocol_registry_publisher_provided: Annotated[
        dict[str, Any] | MISSING,
        Field(serialization_alias="io.modelcontextprotocol.registry/publisher-provided"),
    ] = MISSING
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
    type: Literal["stdio"]
    """
    Always `stdio`.
    """


class Package(WireModel):
    """
    A package that installs the server.
    """

    model_config = ConfigDict(
        use_attribute_docstrings=True,
    )
    registry_type: Annotated[str, Field(serialization_alias="registryType")]
    """
    Kind of the package, such as `npm`, `pypi`, `oci`, `nuget` or `mcpb`.
    """
    registry_base_url: Annotated[str | MISSING, Field(serialization_alias="registryBaseUrl")] = MISSING
    """
    URL of the package registry.
    """
    identifier: str
    """
    Name of the package, or its URL.
    """
    version: str | MISSING = MISSING
    """
    Version of the package; no range and never `latest`.
    """
    file_sha256: Annotated[str | MISSING, Field(serialization_alias="fileSha256")] = MISSING
    """
    SHA-256 digest of the package file in hexadecimal.
    """
    runtime_hint: Annotated[str | MISSING, Field(serialization_alias="runtimeHint")] = MISSING
    """
    Command that runs the package, such as `npx` or `uvx`.
    """
    transport: Stdio | LocalHttp | LocalSse
    """
    How a client speaks to the running package.
    """
    runtime_arguments: Annotated[
        list[PositionalArgument | NamedArgument] | MISSING, Field(serialization_alias="runtimeArguments")
    ] = MISSING
    """
    Arguments of the runtime command.
    """
    package_arguments: Annotated[
        list[PositionalArgument | NamedArgument] | MISSING, Field(serialization_alias="packageArguments")
    ] = MISSING
    """
    Arguments of the package's own command.
    """
    environment_variables: Annotated[
        list[KeyValueInput] | MISSING, Field(serialization_alias="environmentVariables")
    ] = MISSING
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
    field_schema: Annotated[str | MISSING, Field(serialization_alias="$schema")] = MISSING
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
    title: str | MISSING = MISSING
    """
    Name of the server for people, in at most 100 characters.
    """
    version: str
    """
    Version of the server, preferably a semantic version; no range and never `latest`.
    """
    website_url: Annotated[str | MISSING, Field(serialization_alias="websiteUrl")] = MISSING
    """
    URL of the server's home page.
    """
    repository: Repository | MISSING = MISSING
    """
    Where the source code is.
    """
    icons: list[Icon] | MISSING = MISSING
    """
    Images for user interfaces.
    """
    packages: list[Package] | MISSING = MISSING
    """
    The packages that install the server.
    """
    remotes: list[RemoteHttp | RemoteSse] | MISSING = MISSING
    """
    The endpoints where the server runs.
    """
    field_meta: Annotated[ServerMeta | MISSING, Field(serialization_alias="_meta")] = MISSING
    """
    Additional data by names in reverse domain order.
    """
