"""Detection rules that distinguish dialects, in the order in which they are tried.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class DetectionRule:
    """A detection rule: the dialects that it leaves open, the closest one first, and its evidence as text.

    In the evidence, `{found}` stands for the signs that a document has; see `evidence_of`.
    """

    candidates: tuple[str, ...]
    evidence: str


PATTERNS: Final = {
    pattern: re.compile(pattern)
    for pattern in (
        "0\\.([04-9]|[1-9][0-9])",
        "0\\.1(\\.|$)",
        "0\\.2(\\.|$)",
        "0\\.3(\\.|$)",
        "0\\.[12]",
        "TASK_STATE_.*",
        "[0-9]+\\.[0-9]+(\\.[0-9]+)?$",
        "[0-9]{4}-[0-9]{2}-[0-9]{2}",
        "[1-9][0-9]{0,2}\\.|[1-9][0-9]{0,2}$",
        "[A-Za-z0-9.-]+/[A-Za-z0-9._-]+$",
        "https://agenticresourcediscovery\\.org/",
        "https://eips\\.ethereum\\.org/EIPS/eip-8004#",
        "https://static\\.modelcontextprotocol\\.io/schemas/2025-07-09/server\\.schema\\.json",
        "https://static\\.modelcontextprotocol\\.io/schemas/[0-9-]+/server\\.schema\\.json",
        "https://static\\.modelcontextprotocol\\.io/schemas/[^/]*/server\\.schema\\.json",
        "https://static\\.modelcontextprotocol\\.io/schemas/v[0-9]+/server-card\\.schema\\.json",
        "https?://.*/server-card(\\.schema)?\\.json$",
        "https?://json-schema\\.org/",
    )
}

RULE_1: Final = DetectionRule(
    candidates=("a2a-hybrid",),
    evidence="supportedInterfaces, which 1.0 introduced, together with url, which only 0.x has",
)
RULE_2: Final = DetectionRule(
    candidates=("a2a-hybrid",),
    evidence="protocolVersion is 1.x or later, but the card has the form of 0.x (no supportedInterfaces)",
)
RULE_3: Final = DetectionRule(
    candidates=("a2a-1.0",),
    evidence="{found}, which 1.0 introduced",
)
RULE_4: Final = DetectionRule(
    candidates=("beach-1.0",),
    evidence="capabilities is an array, with {found}",
)
RULE_5: Final = DetectionRule(
    candidates=("beach-1.0",),
    evidence="schemaVersion and transports, which only Beach cards have together",
)
RULE_6: Final = DetectionRule(
    candidates=("mcp-2024-11-05",),
    evidence="protocol is mcp",
)
RULE_7: Final = DetectionRule(
    candidates=("mcp-2024-11-05",),
    evidence="protocolVersion is an MCP date, with {found}",
)
RULE_8: Final = DetectionRule(
    candidates=("a2a-0.3",),
    evidence="protocol is a2a: SuperX's form of a 0.3 card",
)
RULE_9: Final = DetectionRule(
    candidates=("a2a-0.3",),
    evidence="protocolVersion 0.3",
)
RULE_10: Final = DetectionRule(
    candidates=("a2a-0.2",),
    evidence="protocolVersion 0.2",
)
RULE_11: Final = DetectionRule(
    candidates=("a2a-0.1",),
    evidence="protocolVersion 0.1",
)
RULE_12: Final = DetectionRule(
    candidates=("a2a-0.3", "a2a-0.2", "a2a-0.1"),
    evidence="protocolVersion is an unknown 0.x",
)
RULE_13: Final = DetectionRule(
    candidates=("a2a-0.3",),
    evidence="protocol_version 0.3, in snake_case",
)
RULE_14: Final = DetectionRule(
    candidates=("a2a-0.3",),
    evidence="no known protocolVersion, but {found}, which 0.3 introduced",
)
RULE_15: Final = DetectionRule(
    candidates=("a2a-0.2", "a2a-0.3"),
    evidence="no known protocolVersion, but {found}, which 0.2 introduced",
)
RULE_16: Final = DetectionRule(
    candidates=("a2a-0.1",),
    evidence="authentication.schemes, which only 0.1 has",
)
RULE_17: Final = DetectionRule(
    candidates=("a2a-0.2", "a2a-0.3"),
    evidence="no known protocolVersion, but {found}, which 0.2 introduced",
)
RULE_18: Final = DetectionRule(
    candidates=("a2a-0.1", "a2a-0.2"),
    evidence="{found}, which only 0.1 allows",
)
RULE_19: Final = DetectionRule(
    candidates=("a2a-0.2", "a2a-0.1", "a2a-0.3"),
    evidence="no known protocolVersion, and no field that distinguishes 0.1, 0.2 and 0.3",
)
RULE_20: Final = DetectionRule(
    candidates=("ai-catalog-1",),
    evidence="specVersion and entries with {found}",
)
RULE_21: Final = DetectionRule(
    candidates=("ai-catalog-1", "ard-0.91"),
    evidence="specVersion and entries",
)
RULE_22: Final = DetectionRule(
    candidates=("ard-0.91",),
    evidence="entries with {found}, without specVersion",
)
RULE_23: Final = DetectionRule(
    candidates=("ard-0.91",),
    evidence="entries and specVersion 0.91",
)
RULE_24: Final = DetectionRule(
    candidates=("mcp-server-card-1",),
    evidence="$schema is that of MCP server cards",
)
RULE_25: Final = DetectionRule(
    candidates=("mcp-server-card-1",),
    evidence="$schema ends with server-card.json, and there are neither tools nor serverInfo",
)
RULE_26: Final = DetectionRule(
    candidates=("mcp-server-card-1",),
    evidence="a name with a slash, and remotes with supportedProtocolVersions",
)
RULE_27: Final = DetectionRule(
    candidates=("mcp-server-card-1649",),
    evidence="serverInfo with {found}",
)
RULE_28: Final = DetectionRule(
    candidates=("mcp-server-card-1649",),
    evidence="serverInfo without protocolVersion",
)
RULE_29: Final = DetectionRule(
    candidates=("mcp-registry-2025-07-09",),
    evidence="$schema is that of server.json of 2025-07-09",
)
RULE_30: Final = DetectionRule(
    candidates=("mcp-registry-2025-07-09",),
    evidence="packages with registry_type, which the registry called registryType since 2025-09-16",
)
RULE_31: Final = DetectionRule(
    candidates=("mcp-registry-2025-12-11",),
    evidence="$schema is that of server.json",
)
RULE_32: Final = DetectionRule(
    candidates=("mcp-registry-2025-12-11",),
    evidence="packages with a registry type",
)
RULE_33: Final = DetectionRule(
    candidates=("mcp-registry-2025-12-11", "mcp-server-card-1"),
    evidence="a name with a slash, and remotes",
)
RULE_34: Final = DetectionRule(
    candidates=("a2a-messages-0.1",),
    evidence="the method is one of A2A 0.1",
)
RULE_35: Final = DetectionRule(
    candidates=("a2a-messages-0.1",),
    evidence="a JSON-RPC result with {found} of A2A 0.1",
)
RULE_36: Final = DetectionRule(
    candidates=("a2a-messages-0.1",),
    evidence="it carries {found} of A2A 0.1",
)
RULE_37: Final = DetectionRule(
    candidates=("a2a-messages-0.3",),
    evidence="the method is one of A2A 0.3",
)
RULE_38: Final = DetectionRule(
    candidates=("a2a-messages-0.3",),
    evidence="a JSON-RPC result of the kind {found}",
)
RULE_39: Final = DetectionRule(
    candidates=("a2a-messages-0.3",),
    evidence="kind is {found}",
)
RULE_40: Final = DetectionRule(
    candidates=("a2a-messages-0.3",),
    evidence="it sends a message of the kind message",
)
RULE_41: Final = DetectionRule(
    candidates=("a2a-messages-1.0",),
    evidence="the method is one of A2A 1.0",
)
RULE_42: Final = DetectionRule(
    candidates=("a2a-messages-1.0",),
    evidence="a JSON-RPC result with {found}",
)
RULE_43: Final = DetectionRule(
    candidates=("a2a-messages-1.0", "a2a-messages-0.3"),
    evidence="a JSON-RPC error",
)
RULE_44: Final = DetectionRule(
    candidates=("a2a-messages-1.0",),
    evidence="it carries {found} of A2A 1.0",
)
RULE_45: Final = DetectionRule(
    candidates=("a2a-messages-1.0",),
    evidence="the fields of a task, a message or an event, without a kind",
)


def first_match(document: dict[str, Any]) -> DetectionRule | None:
    """Return the first rule that a document matches, or None."""
    if isinstance(document.get("url"), str) and (
        isinstance(document.get("supportedInterfaces"), list)
        or isinstance(document.get("supportedInterfaces"), dict)
    ):
        return RULE_1
    if (
        not "supportedInterfaces" in document
        and "name" in document
        and (
            "skills" in document
            or isinstance(document.get("capabilities"), dict)
            or ("url" in document and "preferredTransport" in document)
        )
        and not (
            isinstance(document.get("capabilities"), list)
            and ("transports" in document or "schemaVersion" in document)
        )
        and matches(PATTERNS["[1-9][0-9]{0,2}\\.|[1-9][0-9]{0,2}$"], document.get("protocolVersion"))
    ):
        return RULE_2
    if (
        not (
            isinstance(document.get("url"), str)
            and not (
                isinstance(document.get("supportedInterfaces"), list)
                or isinstance(document.get("supportedInterfaces"), dict)
            )
        )
    ) and (
        "supportedInterfaces" in document
        or "supportedInterface" in document
        or "supported_interfaces" in document
    ):
        return RULE_3
    if isinstance(document.get("capabilities"), list) and (
        "transports" in document or "schemaVersion" in document
    ):
        return RULE_4
    if isinstance(document.get("schemaVersion"), str) and isinstance(document.get("transports"), list):
        return RULE_5
    if document.get("protocol") == "mcp" and not "serverInfo" in document:
        return RULE_6
    if (
        matches(PATTERNS["[0-9]{4}-[0-9]{2}-[0-9]{2}"], document.get("protocolVersion"))
        and not "serverInfo" in document
    ) and (
        (
            has_field(document.get("capabilities"), "tools")
            and (
                isinstance(field(document.get("capabilities"), "tools"), dict)
                or isinstance(field(document.get("capabilities"), "tools"), type(None))
            )
        )
        or (
            has_field(document.get("capabilities"), "resources")
            and (
                isinstance(field(document.get("capabilities"), "resources"), dict)
                or isinstance(field(document.get("capabilities"), "resources"), type(None))
            )
        )
        or (
            has_field(document.get("capabilities"), "prompts")
            and (
                isinstance(field(document.get("capabilities"), "prompts"), dict)
                or isinstance(field(document.get("capabilities"), "prompts"), type(None))
            )
        )
    ):
        return RULE_7
    if (
        document.get("protocol") == "a2a"
        and not matches(PATTERNS["0\\.[12]"], document.get("protocolVersion"))
        and "name" in document
        and ("skills" in document or isinstance(document.get("capabilities"), dict) or "url" in document)
    ):
        return RULE_8
    if matches(PATTERNS["0\\.3(\\.|$)"], document.get("protocolVersion")):
        return RULE_9
    if matches(PATTERNS["0\\.2(\\.|$)"], document.get("protocolVersion")):
        return RULE_10
    if matches(PATTERNS["0\\.1(\\.|$)"], document.get("protocolVersion")):
        return RULE_11
    if (
        "name" in document
        and (
            "skills" in document
            or isinstance(document.get("capabilities"), dict)
            or ("url" in document and "preferredTransport" in document)
        )
        and matches(PATTERNS["0\\.([04-9]|[1-9][0-9])"], document.get("protocolVersion"))
    ):
        return RULE_12
    if (
        "name" in document
        and (
            "skills" in document
            or isinstance(document.get("capabilities"), dict)
            or ("url" in document and "preferredTransport" in document)
        )
        and matches(PATTERNS["0\\.3(\\.|$)"], document.get("protocol_version"))
    ):
        return RULE_13
    if (
        "name" in document
        and "skills" in document
        and not matches(PATTERNS["[0-9]+\\.[0-9]+(\\.[0-9]+)?$"], document.get("protocolVersion"))
    ) and (
        "signatures" in document
        or some(document.get("skills"), "security")
        or some(document.get("securitySchemes"), "type", "mutualTLS")
        or some(document.get("securitySchemes"), "oauth2MetadataUrl")
    ):
        return RULE_14
    if (
        "name" in document
        and "skills" in document
        and not matches(PATTERNS["[0-9]+\\.[0-9]+(\\.[0-9]+)?$"], document.get("protocolVersion"))
    ) and (
        "securitySchemes" in document
        or "security" in document
        or "preferredTransport" in document
        or "additionalInterfaces" in document
        or "supportsAuthenticatedExtendedCard" in document
    ):
        return RULE_15
    if (
        "name" in document
        and "skills" in document
        and "url" in document
        and has_field(document.get("authentication"), "schemes")
    ):
        return RULE_16
    if ("name" in document and "skills" in document) and (
        "iconUrl" in document or has_field(document.get("capabilities"), "extensions")
    ):
        return RULE_17
    if ("name" in document and "skills" in document and "url" in document) and (
        "authentication" in document
        or ("description" in document and document["description"] is None)
        or ("provider" in document and document["provider"] is None)
        or ("documentationUrl" in document and document["documentationUrl"] is None)
    ):
        return RULE_18
    if (
        "name" in document
        and "skills" in document
        and ("url" in document or isinstance(document.get("capabilities"), dict))
    ):
        return RULE_19
    if (
        isinstance(document.get("entries"), list)
        and "specVersion" in document
        and not document.get("specVersion") == "0.91"
    ) and (some(document.get("entries"), "mediaType") or some(document.get("entries"), "publisher")):
        return RULE_20
    if (
        isinstance(document.get("entries"), list)
        and "specVersion" in document
        and not document.get("specVersion") == "0.91"
    ):
        return RULE_21
    if (isinstance(document.get("entries"), list) and not "specVersion" in document) and (
        some(document.get("entries"), "identifier")
        or some(document.get("entries"), "displayName")
        or matches(PATTERNS["https://agenticresourcediscovery\\.org/"], document.get("$schema"))
    ):
        return RULE_22
    if isinstance(document.get("entries"), list) and document.get("specVersion") == "0.91":
        return RULE_23
    if matches(
        PATTERNS["https://static\\.modelcontextprotocol\\.io/schemas/v[0-9]+/server-card\\.schema\\.json"],
        document.get("$schema"),
    ):
        return RULE_24
    if (
        matches(PATTERNS["https?://.*/server-card(\\.schema)?\\.json$"], document.get("$schema"))
        and not "serverInfo" in document
        and not "tools" in document
        and "name" in document
    ):
        return RULE_25
    if (
        matches(PATTERNS["[A-Za-z0-9.-]+/[A-Za-z0-9._-]+$"], document.get("name"))
        and "version" in document
        and not "packages" in document
        and not "tools" in document
        and some(document.get("remotes"), "supportedProtocolVersions")
    ):
        return RULE_26
    if (isinstance(document.get("serverInfo"), dict) and not "jsonrpc" in document) and (
        "transport" in document
        or "tools" in document
        or "resources" in document
        or "prompts" in document
        or "authentication" in document
        or "endpoints" in document
        or "$schema" in document
        or "iconUrl" in document
        or "documentationUrl" in document
        or "description" in document
    ):
        return RULE_27
    if (
        isinstance(document.get("serverInfo"), dict)
        and not "jsonrpc" in document
        and not "protocolVersion" in document
    ):
        return RULE_28
    if matches(
        PATTERNS["https://static\\.modelcontextprotocol\\.io/schemas/2025-07-09/server\\.schema\\.json"],
        document.get("$schema"),
    ):
        return RULE_29
    if (
        "name" in document
        and not "$schema" in document
        and not "serverInfo" in document
        and some(document.get("packages"), "registry_type")
        and not some(document.get("packages"), "registryType")
    ):
        return RULE_30
    if matches(
        PATTERNS["https://static\\.modelcontextprotocol\\.io/schemas/[0-9-]+/server\\.schema\\.json"],
        document.get("$schema"),
    ):
        return RULE_31
    if (
        "name" in document
        and not "serverInfo" in document
        and (
            some(document.get("packages"), "registryType") or some(document.get("packages"), "registry_type")
        )
    ):
        return RULE_32
    if (
        matches(PATTERNS["[A-Za-z0-9.-]+/[A-Za-z0-9._-]+$"], document.get("name"))
        and "version" in document
        and not "serverInfo" in document
        and not "tools" in document
        and some(document.get("remotes"), "url")
    ):
        return RULE_33
    if "jsonrpc" in document and (
        document.get("method") == "tasks/send"
        or document.get("method") == "tasks/sendSubscribe"
        or document.get("method") == "tasks/pushNotification/set"
        or document.get("method") == "tasks/pushNotification/get"
    ):
        return RULE_34
    if ("jsonrpc" in document and not has_field(document.get("result"), "kind")) and (
        (
            has_field(document.get("result"), "sessionId")
            and isinstance(field(document.get("result"), "status"), dict)
        )
        or (
            has_field(document.get("result"), "id")
            and isinstance(field(document.get("result"), "status"), dict)
            and has_field(document.get("result"), "final")
        )
        or (
            has_field(document.get("result"), "id")
            and isinstance(field(document.get("result"), "artifact"), dict)
        )
        or (
            has_field(document.get("result"), "id")
            and isinstance(field(document.get("result"), "pushNotificationConfig"), dict)
        )
    ):
        return RULE_35
    if (not "jsonrpc" in document and not "kind" in document and not "name" in document) and (
        ("sessionId" in document and isinstance(document.get("status"), dict))
        or ("id" in document and isinstance(document.get("status"), dict) and "final" in document)
        or ("id" in document and isinstance(document.get("artifact"), dict))
        or ("id" in document and isinstance(document.get("pushNotificationConfig"), dict))
        or (not "messageId" in document and some(document.get("parts"), "type"))
        or ("id" in document and some(field(document.get("message"), "parts"), "type"))
    ):
        return RULE_36
    if "jsonrpc" in document and (
        document.get("method") == "message/send"
        or document.get("method") == "message/stream"
        or document.get("method") == "tasks/resubscribe"
        or document.get("method") == "tasks/pushNotificationConfig/set"
        or document.get("method") == "tasks/pushNotificationConfig/get"
        or document.get("method") == "tasks/pushNotificationConfig/list"
        or document.get("method") == "tasks/pushNotificationConfig/delete"
        or document.get("method") == "agent/getAuthenticatedExtendedCard"
        or (document.get("method") == "tasks/get" and has_field(document.get("params"), "id"))
        or (document.get("method") == "tasks/cancel" and has_field(document.get("params"), "id"))
    ):
        return RULE_37
    if "jsonrpc" in document and (
        field(document.get("result"), "kind") == "task"
        or field(document.get("result"), "kind") == "message"
        or field(document.get("result"), "kind") == "status-update"
        or field(document.get("result"), "kind") == "artifact-update"
        or has_field(document.get("result"), "pushNotificationConfig")
    ):
        return RULE_38
    if not "jsonrpc" in document and (
        document.get("kind") == "task"
        or document.get("kind") == "message"
        or document.get("kind") == "status-update"
        or document.get("kind") == "artifact-update"
    ):
        return RULE_39
    if not "jsonrpc" in document and (field(document.get("message"), "kind") == "message"):
        return RULE_40
    if "jsonrpc" in document and (
        document.get("method") == "SendMessage"
        or document.get("method") == "SendStreamingMessage"
        or document.get("method") == "GetTask"
        or document.get("method") == "ListTasks"
        or document.get("method") == "CancelTask"
        or document.get("method") == "SubscribeToTask"
        or document.get("method") == "CreateTaskPushNotificationConfig"
        or document.get("method") == "GetTaskPushNotificationConfig"
        or document.get("method") == "ListTaskPushNotificationConfigs"
        or document.get("method") == "DeleteTaskPushNotificationConfig"
        or document.get("method") == "GetExtendedAgentCard"
    ):
        return RULE_41
    if "jsonrpc" in document and (
        isinstance(field(document.get("result"), "task"), dict)
        or isinstance(field(document.get("result"), "message"), dict)
        or isinstance(field(document.get("result"), "statusUpdate"), dict)
        or isinstance(field(document.get("result"), "artifactUpdate"), dict)
        or isinstance(field(document.get("result"), "tasks"), list)
        or isinstance(field(document.get("result"), "configs"), list)
        or isinstance(field(document.get("result"), "status"), dict)
        or isinstance(field(document.get("result"), "supportedInterfaces"), list)
    ):
        return RULE_42
    if "jsonrpc" in document and isinstance(document.get("error"), dict):
        return RULE_43
    if (not "jsonrpc" in document and not "name" in document) and (
        (has_field(document.get("task"), "id") and has_field(document.get("task"), "status"))
        or has_field(document.get("message"), "messageId")
        or has_field(document.get("statusUpdate"), "taskId")
        or has_field(document.get("artifactUpdate"), "taskId")
    ):
        return RULE_44
    if (
        not "jsonrpc" in document
        and not "name" in document
        and not "kind" in document
        and (
            ("messageId" in document and "parts" in document)
            or matches(PATTERNS["TASK_STATE_.*"], field(document.get("status"), "state"))
            or ("taskId" in document and "artifact" in document)
            or ("id" in document and has_field(document.get("status"), "state"))
        )
    ):
        return RULE_45
    return None


def neighbour_of(document: dict[str, Any]) -> tuple[str, str, str] | None:
    """Return what a document is that matches no rule, what to do with it, and the nearest dialect or ""; None if unknown."""
    if "jsonrpc" in document and ("result" in document or "error" in document):
        return "a JSON-RPC response", "Pass the value of its field result", ""
    if "openapi" in document or "swagger" in document:
        return (
            "an OpenAPI document",
            "It describes an HTTP API, not an agent: write a card for the agent with cardwright init",
            "",
        )
    if "schema_version" in document and (
        "modules" in document or "locators" in document or "domains" in document or "authors" in document
    ):
        return (
            "an OASF record",
            "It describes an agent for a directory: check the card in its module integration/a2a, or at the URL in its locators",
            "",
        )
    if matches(PATTERNS["https://eips\\.ethereum\\.org/EIPS/eip-8004#"], document.get("type")) or some(
        document.get("registrations"), "agentRegistry"
    ):
        return (
            "an ERC-8004 registration",
            "It registers an agent on a blockchain: check the card at the endpoint of its service A2A",
            "",
        )
    if matches(
        PATTERNS["https://static\\.modelcontextprotocol\\.io/schemas/[^/]*/server\\.schema\\.json"],
        document.get("$schema"),
    ) or ("name" in document and some(document.get("remotes"), "url")):
        return (
            "an MCP registry server.json",
            "It describes an MCP server, not an A2A agent: the gateway puts a running MCP server behind an A2A card",
            "mcp-registry-2025-12-11",
        )
    if (
        "serverInfo" in document
        and "protocolVersion" in document
        and isinstance(document.get("capabilities"), dict)
    ):
        return (
            "an MCP initialize result",
            "It describes an MCP server, not an A2A agent: the gateway puts a running MCP server behind an A2A card",
            "",
        )
    if (
        "serverInfo" in document
        or matches(PATTERNS["https?://.*/server-card(\\.schema)?\\.json$"], document.get("$schema"))
        or ("name" in document and "serverUrl" in document)
        or ("name" in document and isinstance(document.get("tools"), list))
        or (
            matches(PATTERNS["[0-9]{4}-[0-9]{2}-[0-9]{2}"], document.get("protocolVersion"))
            and isinstance(document.get("capabilities"), dict)
        )
    ):
        return (
            "an MCP server card",
            "It describes an MCP server, not an A2A agent: the gateway puts a running MCP server behind an A2A card",
            "mcp-server-card-1649",
        )
    if isinstance(document.get("tools"), list):
        return (
            "a list of MCP tools",
            "It is one part of what an MCP server offers: the gateway puts a running MCP server behind an A2A card",
            "",
        )
    if isinstance(document.get("mcpServers"), dict):
        return (
            "a configuration of MCP clients",
            "It names MCP servers, not an A2A agent: the gateway puts a running MCP server behind an A2A card",
            "",
        )
    if isinstance(document.get("entries"), list) or matches(
        PATTERNS["https://agenticresourcediscovery\\.org/"], document.get("$schema")
    ):
        return (
            "a catalogue",
            "Its entries need identifiers and display names; --dialect ard-0.91 or ai-catalog-1 validates it anyway",
            "",
        )
    if isinstance(document.get("agents"), list):
        return "a list of agents", "Check the card of each agent by itself", ""
    if matches(PATTERNS["https?://json-schema\\.org/"], document.get("$schema")) or (
        "$defs" in document and isinstance(document.get("properties"), dict)
    ):
        return "a JSON Schema", "It describes documents: check a document, such as one of its examples", ""
    return None


def message_type(dialect: str, document: dict[str, Any]) -> str:
    """Return the type of what a request, a response or a stream of a dialect of messages carries."""
    if dialect == "a2a-messages-0.1":
        if "pushNotificationConfig" in document:
            return "TaskPushNotificationConfig"
        if "message" in document and not "status" in document:
            return "TaskSendParams"
        if "artifact" in document:
            return "TaskArtifactUpdateEvent"
        if "parts" in document:
            return "Message"
        if "final" in document:
            return "TaskStatusUpdateEvent"
        return "Task"
    if dialect == "a2a-messages-0.3":
        if document.get("kind") == "task":
            return "Task"
        if document.get("kind") == "message":
            return "Message"
        if document.get("kind") == "status-update":
            return "TaskStatusUpdateEvent"
        if document.get("kind") == "artifact-update":
            return "TaskArtifactUpdateEvent"
        if "pushNotificationConfig" in document:
            return "TaskPushNotificationConfig"
        if "message" in document and not "status" in document:
            return "MessageSendParams"
        if "taskId" in document and "status" in document:
            return "TaskStatusUpdateEvent"
        if "artifact" in document:
            return "TaskArtifactUpdateEvent"
        if "parts" in document:
            return "Message"
        if "skills" in document and "url" in document:
            return "AgentCard"
        return "Task"
    if dialect == "a2a-messages-1.0":
        if "message" in document and (
            "configuration" in document
            or "metadata" in document
            or "tenant" in document
            or field(document.get("message"), "role") == "ROLE_USER"
        ):
            return "SendMessageRequest"
        if (
            "task" in document
            or "message" in document
            or "statusUpdate" in document
            or "artifactUpdate" in document
        ):
            return "StreamResponse"
        if "taskId" in document and "status" in document:
            return "TaskStatusUpdateEvent"
        if "artifact" in document:
            return "TaskArtifactUpdateEvent"
        if "parts" in document:
            return "Message"
        if "tasks" in document:
            return "ListTasksResponse"
        if "configs" in document:
            return "ListTaskPushNotificationConfigsResponse"
        if "skills" in document:
            return "AgentCard"
        if "url" in document:
            return "TaskPushNotificationConfig"
        if "status" in document:
            return "Task"
        return "StreamResponse"
    msg = f"{dialect} is no dialect of messages"
    raise LookupError(msg)


def evidence_of(rule: DetectionRule, document: dict[str, Any]) -> str:
    """Return the evidence of a rule that a document matches, with the signs that the document has."""
    signs: tuple[tuple[str, bool], ...] = ()
    if rule is RULE_3:
        signs = (
            ("supportedInterfaces", "supportedInterfaces" in document),
            ("supportedInterface", "supportedInterface" in document),
            ("supported_interfaces", "supported_interfaces" in document),
        )
    elif rule is RULE_4:
        signs = (
            ("transports", "transports" in document),
            ("schemaVersion", "schemaVersion" in document),
        )
    elif rule is RULE_7:
        signs = (
            (
                "capabilities.tools",
                (
                    has_field(document.get("capabilities"), "tools")
                    and (
                        isinstance(field(document.get("capabilities"), "tools"), dict)
                        or isinstance(field(document.get("capabilities"), "tools"), type(None))
                    )
                ),
            ),
            (
                "capabilities.resources",
                (
                    has_field(document.get("capabilities"), "resources")
                    and (
                        isinstance(field(document.get("capabilities"), "resources"), dict)
                        or isinstance(field(document.get("capabilities"), "resources"), type(None))
                    )
                ),
            ),
            (
                "capabilities.prompts",
                (
                    has_field(document.get("capabilities"), "prompts")
                    and (
                        isinstance(field(document.get("capabilities"), "prompts"), dict)
                        or isinstance(field(document.get("capabilities"), "prompts"), type(None))
                    )
                ),
            ),
        )
    elif rule is RULE_14:
        signs = (
            ("signatures", "signatures" in document),
            ("security on a skill", some(document.get("skills"), "security")),
            (
                "a security scheme of type mutualTLS",
                some(document.get("securitySchemes"), "type", "mutualTLS"),
            ),
            ("oauth2MetadataUrl", some(document.get("securitySchemes"), "oauth2MetadataUrl")),
        )
    elif rule is RULE_15:
        signs = (
            ("securitySchemes", "securitySchemes" in document),
            ("security", "security" in document),
            ("preferredTransport", "preferredTransport" in document),
            ("additionalInterfaces", "additionalInterfaces" in document),
            ("supportsAuthenticatedExtendedCard", "supportsAuthenticatedExtendedCard" in document),
        )
    elif rule is RULE_17:
        signs = (
            ("iconUrl", "iconUrl" in document),
            ("capabilities.extensions", has_field(document.get("capabilities"), "extensions")),
        )
    elif rule is RULE_18:
        signs = (
            ("authentication", "authentication" in document),
            ("description: null", ("description" in document and document["description"] is None)),
            ("provider: null", ("provider" in document and document["provider"] is None)),
            (
                "documentationUrl: null",
                ("documentationUrl" in document and document["documentationUrl"] is None),
            ),
        )
    elif rule is RULE_20:
        signs = (
            ("mediaType", some(document.get("entries"), "mediaType")),
            ("publishers", some(document.get("entries"), "publisher")),
        )
    elif rule is RULE_22:
        signs = (
            ("identifiers", some(document.get("entries"), "identifier")),
            ("display names", some(document.get("entries"), "displayName")),
            (
                "the $schema of ARD",
                matches(PATTERNS["https://agenticresourcediscovery\\.org/"], document.get("$schema")),
            ),
        )
    elif rule is RULE_27:
        signs = (
            ("transport", "transport" in document),
            ("tools", "tools" in document),
            ("resources", "resources" in document),
            ("prompts", "prompts" in document),
            ("authentication", "authentication" in document),
            ("endpoints", "endpoints" in document),
            ("$schema", "$schema" in document),
            ("iconUrl", "iconUrl" in document),
            ("documentationUrl", "documentationUrl" in document),
            ("description", "description" in document),
        )
    elif rule is RULE_35:
        signs = (
            (
                "a task with a session",
                (
                    has_field(document.get("result"), "sessionId")
                    and isinstance(field(document.get("result"), "status"), dict)
                ),
            ),
            (
                "a status update",
                (
                    has_field(document.get("result"), "id")
                    and isinstance(field(document.get("result"), "status"), dict)
                    and has_field(document.get("result"), "final")
                ),
            ),
            (
                "an artifact update",
                (
                    has_field(document.get("result"), "id")
                    and isinstance(field(document.get("result"), "artifact"), dict)
                ),
            ),
            (
                "a webhook of a task",
                (
                    has_field(document.get("result"), "id")
                    and isinstance(field(document.get("result"), "pushNotificationConfig"), dict)
                ),
            ),
        )
    elif rule is RULE_36:
        signs = (
            ("a task with a session", ("sessionId" in document and isinstance(document.get("status"), dict))),
            (
                "a status update",
                ("id" in document and isinstance(document.get("status"), dict) and "final" in document),
            ),
            ("an artifact update", ("id" in document and isinstance(document.get("artifact"), dict))),
            (
                "a webhook of a task",
                ("id" in document and isinstance(document.get("pushNotificationConfig"), dict)),
            ),
            ("parts with a type", (not "messageId" in document and some(document.get("parts"), "type"))),
            (
                "a message whose parts have a type",
                ("id" in document and some(field(document.get("message"), "parts"), "type")),
            ),
        )
    elif rule is RULE_38:
        signs = (
            ("task", field(document.get("result"), "kind") == "task"),
            ("message", field(document.get("result"), "kind") == "message"),
            ("status-update", field(document.get("result"), "kind") == "status-update"),
            ("artifact-update", field(document.get("result"), "kind") == "artifact-update"),
            ("push configuration", has_field(document.get("result"), "pushNotificationConfig")),
        )
    elif rule is RULE_39:
        signs = (
            ("task", document.get("kind") == "task"),
            ("message", document.get("kind") == "message"),
            ("status-update", document.get("kind") == "status-update"),
            ("artifact-update", document.get("kind") == "artifact-update"),
        )
    elif rule is RULE_42:
        signs = (
            ("task", isinstance(field(document.get("result"), "task"), dict)),
            ("message", isinstance(field(document.get("result"), "message"), dict)),
            ("statusUpdate", isinstance(field(document.get("result"), "statusUpdate"), dict)),
            ("artifactUpdate", isinstance(field(document.get("result"), "artifactUpdate"), dict)),
            ("tasks", isinstance(field(document.get("result"), "tasks"), list)),
            ("configs", isinstance(field(document.get("result"), "configs"), list)),
            ("a status", isinstance(field(document.get("result"), "status"), dict)),
            ("a card", isinstance(field(document.get("result"), "supportedInterfaces"), list)),
        )
    elif rule is RULE_44:
        signs = (
            ("a task", (has_field(document.get("task"), "id") and has_field(document.get("task"), "status"))),
            ("a message", has_field(document.get("message"), "messageId")),
            ("a status update", has_field(document.get("statusUpdate"), "taskId")),
            ("an artifact update", has_field(document.get("artifactUpdate"), "taskId")),
        )
    *most, last = [name for name, is_there in signs if is_there] or [""]
    found = f"{', '.join(most)} and {last}" if most else last
    return rule.evidence.replace("{found}", found)


def matches(pattern: re.Pattern[str], value: Any) -> bool:
    """Return whether a value is a string that a pattern matches from its start."""
    return isinstance(value, str) and pattern.match(value) is not None


def has_field(outer: Any, name: str) -> bool:
    """Return whether a value is an object with a field of that name."""
    return isinstance(outer, dict) and name in outer


def field(outer: Any, name: str) -> Any:
    """Return a field of a value, or None if it does not exist."""
    return outer.get(name) if isinstance(outer, dict) else None


def some(holder: Any, name: str, value: str | None = None) -> bool:
    """Return whether some object in an array or map has a field of that name (and value)."""
    inner = holder.values() if isinstance(holder, dict) else holder
    if not isinstance(inner, (list, type({}.values()))):
        return False
    objects = [item for item in inner if isinstance(item, dict)]
    return any(name in item and value in (None, item[name]) for item in objects)
