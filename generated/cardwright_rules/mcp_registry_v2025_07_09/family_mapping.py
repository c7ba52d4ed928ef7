"""server.json of 2025-07-09 to the newest form and back.

Generated from schemas/mappings/family/mcp-registry-2025-07-09.mapping.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_rules.mapping_tables import FieldMap, Mapping, ObjectMap

MAPPING: Final = Mapping(
    dialect="mcp-registry-2025-07-09",
    root="ServerJson",
    hub="mcp-registry-2025-12-11",
    objects={
        "ServerJson": ObjectMap(
            hub="ServerJson",
            fields={
                "$schema": FieldMap(("$schema",), "hand", "form"),
                "name": FieldMap(("name",), "hand", "name"),
                "description": FieldMap(("description",), "hand", "text"),
                "status": FieldMap(("status",)),
                "repository": FieldMap(("repository",)),
                "version": FieldMap(("version",)),
                "website_url": FieldMap(("websiteUrl",)),
                "packages": FieldMap(("packages",), "items", "Package"),
                "remotes": FieldMap(("remotes",), "items", "RemoteHttp"),
                "_meta": FieldMap(("_meta",)),
            },
            beyond={
                "protocolVersion": "it names no endpoint whose version of MCP this could be",
                "capabilities": "a description of an MCP server does not have it: a session with the server does",
                "instructions": "a description of an MCP server does not have it: a session with the server does",
                "resources": "a description of an MCP server does not have it: a session with the server does",
                "prompts": "a description of an MCP server does not have it: a session with the server does",
                "tools": "a description of an MCP server lists no tools: a session with the server does",
                "authentication": "a description of an MCP server names the headers of a remote, and no scheme",
                "transport": "it has no absolute URL of an MCP server with the transport streamable-http or sse",
                "url": "it is no absolute URL of an MCP server",
                "extensions": "a description of an MCP server has no A2A extensions",
                "title": "server.json of 2025-07-09 has no such field",
                "icons": "server.json of 2025-07-09 has no such field",
            },
        ),
        "Package": ObjectMap(
            hub="Package",
            fields={
                "registry_type": FieldMap(("registryType",)),
                "registry_base_url": FieldMap(("registryBaseUrl",)),
                "identifier": FieldMap(("identifier",)),
                "version": FieldMap(("version",)),
                "file_sha256": FieldMap(("fileSha256",)),
                "runtime_hint": FieldMap(("runtimeHint",)),
                "transport": FieldMap(("transport",), "object", "LocalHttp"),
                "runtime_arguments": FieldMap(("runtimeArguments",), "items", "NamedArgument"),
                "package_arguments": FieldMap(("packageArguments",), "items", "NamedArgument"),
                "environment_variables": FieldMap(("environmentVariables",), "items", "KeyValueInput"),
            },
        ),
        "LocalHttp": ObjectMap(
            hub="LocalHttp",
            fields={
                "type": FieldMap(("type",)),
                "url": FieldMap(("url",)),
                "headers": FieldMap(("headers",), "items", "KeyValueInput"),
            },
        ),
        "RemoteHttp": ObjectMap(
            hub="RemoteHttp",
            fields={
                "type": FieldMap(("type",)),
                "url": FieldMap(("url",)),
                "headers": FieldMap(("headers",), "items", "KeyValueInput"),
            },
            beyond={
                "variables": "server.json of 2025-07-09 has no such field",
            },
        ),
        "NamedArgument": ObjectMap(
            hub="NamedArgument",
            fields={
                "type": FieldMap(("type",)),
                "name": FieldMap(("name",)),
                "description": FieldMap(("description",)),
                "is_required": FieldMap(("isRequired",)),
                "format": FieldMap(("format",)),
                "value": FieldMap(("value",)),
                "is_secret": FieldMap(("isSecret",)),
                "default": FieldMap(("default",)),
                "choices": FieldMap(("choices",)),
                "variables": FieldMap(("variables",), "entries", "Input"),
                "is_repeated": FieldMap(("isRepeated",)),
            },
            beyond={
                "placeholder": "server.json of 2025-07-09 has no such field",
            },
        ),
        "KeyValueInput": ObjectMap(
            hub="KeyValueInput",
            fields={
                "name": FieldMap(("name",)),
                "description": FieldMap(("description",)),
                "is_required": FieldMap(("isRequired",)),
                "format": FieldMap(("format",)),
                "value": FieldMap(("value",)),
                "is_secret": FieldMap(("isSecret",)),
                "default": FieldMap(("default",)),
                "choices": FieldMap(("choices",)),
                "variables": FieldMap(("variables",), "entries", "Input"),
            },
            beyond={
                "placeholder": "server.json of 2025-07-09 has no such field",
            },
        ),
        "Input": ObjectMap(
            hub="Input",
            fields={
                "description": FieldMap(("description",)),
                "is_required": FieldMap(("isRequired",)),
                "format": FieldMap(("format",)),
                "value": FieldMap(("value",)),
                "is_secret": FieldMap(("isSecret",)),
                "default": FieldMap(("default",)),
                "choices": FieldMap(("choices",)),
            },
            beyond={
                "placeholder": "server.json of 2025-07-09 has no such field",
            },
        ),
    },
)
