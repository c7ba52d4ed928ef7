"""Older MCP server card (SEP-1649) to the hub of MCP servers and back.

Generated from schemas/mappings/family/mcp-server-card-1649.mapping.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import Final

from cardwright_rules.mapping_tables import FieldMap, Mapping, ObjectMap

MAPPING: Final = Mapping(
    dialect="mcp-server-card-1649",
    root="OlderServerCard",
    hub="mcp-server-card-1",
    objects={
        "OlderServerCard": ObjectMap(
            hub="ServerCard",
            fields={
                "$schema": FieldMap(("$schema",), "lost", "it names the schema of the older form"),
                "version": FieldMap(("version",), "hand", "info"),
                "protocolVersion": FieldMap(("protocolVersion",), "hand", "remotes"),
                "serverInfo": FieldMap(("name",), "hand", "info"),
                "description": FieldMap(("description",)),
                "iconUrl": FieldMap(("icons",), "hand", "icons"),
                "documentationUrl": FieldMap(("websiteUrl",)),
                "transport": FieldMap(("remotes",), "hand", "remotes"),
                "capabilities": FieldMap(("capabilities",), "hand", "capabilities"),
                "authentication": FieldMap(("authentication",)),
                "instructions": FieldMap(("instructions",)),
                "tools": FieldMap(("tools",)),
                "resources": FieldMap(("resources",)),
                "prompts": FieldMap(("prompts",)),
                "_meta": FieldMap(("_meta",)),
            },
            beyond={
                "packages": "an older server card names no packages: server.json of the MCP registry does",
                "extensions": "an older server card has no A2A extensions",
            },
        ),
    },
)
