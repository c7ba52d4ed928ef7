"""Validators, rules, fixes and tables of every dialect of agent cards and catalogues; its models are in `cardwright_models`.

Generated from schemas/
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cardwright_models.base import WireModel

    from cardwright_rules.mapping_tables import Mapping
    from cardwright_rules.presence_tables import Presence
    from cardwright_runtime.engine import DialectValidator


@dataclass(frozen=True, slots=True)
class DialectRow:
    """One dialect: its name, its package and its parts."""

    name: str
    family: str
    version: str
    title: str
    package: str
    schema_package: str | None
    model: str | None
    schema_id: str | None
    halves: tuple[str, ...] = ()
    well_known: tuple[str, ...] = ()
    silences: tuple[str, ...] = ()
    mapped: bool = False
    states_presence: bool = False

    def validator(self) -> DialectValidator:
        """Return the validator of this dialect. Its package is imported now, its schemas are compiled at first use."""
        validator: DialectValidator = import_module(f"{self.package}.validators").VALIDATOR
        return validator

    def model_class(self) -> type[WireModel]:
        """Return the root model.

        Raises:
            LookupError: If the dialect has no model of its own, like a hybrid or messages of many types.
        """
        if self.model is None:
            parts = f"its halves are {', '.join(self.halves)}" if self.halves else "it has no typed models"
            msg = f"{self.name} has no model of its own: {parts}"
            raise LookupError(msg)
        model: type[WireModel] = getattr(import_module(f"{self.schema_package}.models"), self.model)
        return model

    def mapping(self) -> Mapping:
        """Return the tables that convert the dialect's fields to the hub's (A2A 1.0) and back.

        Raises:
            LookupError: If the dialect has no mapping.
        """
        if not self.mapped:
            msg = f"{self.name} has no mapping in schemas/mappings"
            raise LookupError(msg)
        mapping: Mapping = import_module(f"{self.package}.mapping").MAPPING
        return mapping

    def family_mapping(self) -> Mapping:
        """Return the tables that convert the dialect's fields to those of the hub of its family and back."""
        mapping: Mapping = import_module(f"{self.package}.family_mapping").MAPPING
        return mapping

    def presence(self) -> Presence:
        """Return the table that says when the fields of the dialect's objects count as set.

        Raises:
            LookupError: If its schema has no `x-presence`.
        """
        if not self.states_presence:
            msg = f"the schema of {self.name} does not state which of its fields count as set (x-presence)"
            raise LookupError(msg)
        presence: Presence = import_module(f"{self.package}.presence").PRESENCE
        return presence

    def schema(self) -> Any:
        """Return the bundled JSON Schema as a JSON value; callers must not change it.

        Raises:
            LookupError: If the dialect has no schema of its own, like a hybrid.
        """
        if self.schema_id is None:
            msg = f"{self.name} has no schema of its own; its halves are {', '.join(self.halves)}"
            raise LookupError(msg)
        from cardwright_runtime.engine import load  # noqa: PLC0415 - keeps the index free of imports

        return load(str(self.schema_package), "schema.json")


# The dialects of agent cards, by name.
DIALECTS: Final[dict[str, DialectRow]] = {
    "a2a-0.1": DialectRow(
        name="a2a-0.1",
        family="a2a",
        version="0.1",
        title="A2A 0.1 agent card",
        package="cardwright_rules.a2a_v0_1",
        schema_package="cardwright_models.a2a_v0_1",
        model="AgentCard",
        schema_id="https://cardwright.dev/schemas/a2a/0.1/agent-card.schema.json",
        well_known=("/.well-known/agent.json",),
        mapped=True,
    ),
    "a2a-0.2": DialectRow(
        name="a2a-0.2",
        family="a2a",
        version="0.2",
        title="A2A 0.2 agent card",
        package="cardwright_rules.a2a_v0_2",
        schema_package="cardwright_models.a2a_v0_2",
        model="AgentCard",
        schema_id="https://cardwright.dev/schemas/a2a/0.2/agent-card.schema.json",
        well_known=("/.well-known/agent.json",),
        mapped=True,
    ),
    "a2a-0.3": DialectRow(
        name="a2a-0.3",
        family="a2a",
        version="0.3",
        title="A2A 0.3 agent card",
        package="cardwright_rules.a2a_v0_3",
        schema_package="cardwright_models.a2a_v0_3",
        model="AgentCard",
        schema_id="https://cardwright.dev/schemas/a2a/0.3/agent-card.schema.json",
        well_known=("/.well-known/agent-card.json",),
        mapped=True,
        states_presence=True,
    ),
    "a2a-1.0": DialectRow(
        name="a2a-1.0",
        family="a2a",
        version="1.0",
        title="A2A 1.0 agent card",
        package="cardwright_rules.a2a_v1_0",
        schema_package="cardwright_models.a2a_v1_0",
        model="AgentCard",
        schema_id="https://cardwright.dev/schemas/a2a/1.0/agent-card.schema.json",
        well_known=("/.well-known/agent-card.json",),
        mapped=True,
        states_presence=True,
    ),
    "a2a-hybrid": DialectRow(
        name="a2a-hybrid",
        family="a2a",
        version="hybrid",
        title="A2A card with a 0.x and a 1.0 form",
        package="cardwright_rules.a2a_hybrid",
        schema_package=None,
        model=None,
        schema_id=None,
        halves=("a2a-1.0", "a2a-0.3"),
        well_known=("/.well-known/agent-card.json",),
        silences=(
            "interfaces/preferred-missing",
            "members/additional-interfaces",
            "members/authentication",
            "members/preferred-transport",
            "members/protocol-version",
            "members/security",
            "members/security-requirements",
            "members/skill-security",
            "members/state-transition-history",
            "members/supported-interfaces",
            "members/supports-authenticated-extended-card",
            "members/url",
        ),
    ),
    "beach-1.0": DialectRow(
        name="beach-1.0",
        family="beach",
        version="1.0",
        title="Beach 1.0 agent card",
        package="cardwright_rules.beach_v1_0",
        schema_package="cardwright_models.beach_v1_0",
        model="AgentCard",
        schema_id="https://cardwright.dev/schemas/beach/1.0/agent-card.schema.json",
        mapped=True,
    ),
    "mcp-2024-11-05": DialectRow(
        name="mcp-2024-11-05",
        family="mcp",
        version="2024-11-05",
        title="Card generated from an MCP session",
        package="cardwright_rules.mcp_v2024_11_05",
        schema_package="cardwright_models.mcp_v2024_11_05",
        model="AgentCard",
        schema_id="https://cardwright.dev/schemas/mcp/2024-11-05/agent-card.schema.json",
        mapped=True,
    ),
}
# The dialects of descriptions of MCP servers, by name.
SERVERS: Final[dict[str, DialectRow]] = {
    "mcp-registry-2025-07-09": DialectRow(
        name="mcp-registry-2025-07-09",
        family="mcp-registry",
        version="2025-07-09",
        title="server.json of the MCP registry as of 2025-07-09",
        package="cardwright_rules.mcp_registry_v2025_07_09",
        schema_package="cardwright_rules.mcp_registry_v2025_07_09",
        model=None,
        schema_id="https://cardwright.dev/schemas/mcp-registry/2025-07-09/server.schema.json",
        mapped=True,
    ),
    "mcp-registry-2025-12-11": DialectRow(
        name="mcp-registry-2025-12-11",
        family="mcp-registry",
        version="2025-12-11",
        title="server.json of the MCP registry",
        package="cardwright_rules.mcp_registry_v2025_12_11",
        schema_package="cardwright_models.mcp_registry_v2025_12_11",
        model="ServerJson",
        schema_id="https://cardwright.dev/schemas/mcp-registry/2025-12-11/server.schema.json",
        well_known=("/server.json",),
        mapped=True,
    ),
    "mcp-server-card-1": DialectRow(
        name="mcp-server-card-1",
        family="mcp-server-card",
        version="1",
        title="MCP server card (SEP-2127)",
        package="cardwright_rules.mcp_server_card_v1",
        schema_package="cardwright_models.mcp_server_card_v1",
        model="ServerCard",
        schema_id="https://cardwright.dev/schemas/mcp-server-card/1/server-card.schema.json",
        well_known=(
            "/.well-known/mcp/server-card.json",
            "/.well-known/mcp.json",
            "/server-card",
            "/server-card.json",
        ),
        mapped=True,
    ),
    "mcp-server-card-1649": DialectRow(
        name="mcp-server-card-1649",
        family="mcp-server-card",
        version="1649",
        title="MCP server card in the older form (SEP-1649)",
        package="cardwright_rules.mcp_server_card_v1649",
        schema_package="cardwright_models.mcp_server_card_v1649",
        model="OlderServerCard",
        schema_id="https://cardwright.dev/schemas/mcp-server-card/1649/server-card.schema.json",
        well_known=("/.well-known/mcp/server-card.json", "/.well-known/mcp.json"),
        mapped=True,
    ),
}
# The dialects of catalogues, which list agents and other resources, by name.
CATALOGS: Final[dict[str, DialectRow]] = {
    "ai-catalog-1": DialectRow(
        name="ai-catalog-1",
        family="ai-catalog",
        version="1",
        title="AI Catalog 1.0",
        package="cardwright_rules.ai_catalog_v1",
        schema_package="cardwright_models.ai_catalog_v1",
        model="AiCatalog",
        schema_id="https://cardwright.dev/schemas/ai-catalog/1/catalog.schema.json",
        well_known=("/.well-known/ai-catalog.json",),
    ),
    "ard-0.91": DialectRow(
        name="ard-0.91",
        family="ard",
        version="0.91",
        title="ARD 0.91 manifest",
        package="cardwright_rules.ard_v0_91",
        schema_package="cardwright_models.ard_v0_91",
        model="ArdManifest",
        schema_id="https://cardwright.dev/schemas/ard/0.91/catalog.schema.json",
        well_known=("/.well-known/ard.json",),
    ),
}
# The dialects of what agents send each other, by name.
MESSAGES: Final[dict[str, DialectRow]] = {
    "a2a-messages-0.1": DialectRow(
        name="a2a-messages-0.1",
        family="a2a-messages",
        version="0.1",
        title="A2A 0.1 messages",
        package="cardwright_rules.a2a_messages_v0_1",
        schema_package="cardwright_rules.a2a_messages_v0_1",
        model=None,
        schema_id="https://cardwright.dev/schemas/a2a-messages/0.1/document.schema.json",
        mapped=True,
    ),
    "a2a-messages-0.3": DialectRow(
        name="a2a-messages-0.3",
        family="a2a-messages",
        version="0.3",
        title="A2A 0.3 messages",
        package="cardwright_rules.a2a_messages_v0_3",
        schema_package="cardwright_rules.a2a_messages_v0_3",
        model=None,
        schema_id="https://cardwright.dev/schemas/a2a-messages/0.3/document.schema.json",
        mapped=True,
    ),
    "a2a-messages-1.0": DialectRow(
        name="a2a-messages-1.0",
        family="a2a-messages",
        version="1.0",
        title="A2A 1.0 messages",
        package="cardwright_rules.a2a_messages_v1_0",
        schema_package="cardwright_rules.a2a_messages_v1_0",
        model=None,
        schema_id="https://cardwright.dev/schemas/a2a-messages/1.0/document.schema.json",
    ),
}

# All of them.
ROWS: Final[dict[str, DialectRow]] = {**DIALECTS, **SERVERS, **CATALOGS, **MESSAGES}
