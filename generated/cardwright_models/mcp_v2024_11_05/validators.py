"""Card synthesised from an MCP session: its rules, and the judge that asks them.

Generated from schemas/mcp/2024-11-05/dialect.json
by `make generate`: not edited, printed again when the schemas change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.checks import Spelling, listed, spelling, unique
from cardwright_runtime.engine import Judge
from cardwright_runtime.violation import Rule

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies
    from cardwright_runtime.violation import Violation

RULES: Final[dict[str, Rule]] = {
    "mcp/tool-schema": Rule(
        id="mcp/tool-schema",
        severity="error",
        spec="MCP tools; JSON Schema 2020-12",
        message="this is not a JSON Schema: {fault}",
    ),
    "members/spelling": Rule(
        id="members/spelling",
        severity="warning",
        spec="SuperX Agent Cards, Data Sources; ours",
        message="{value} is read by nobody: the member is called {meant}",
    ),
    "secrets/token": Rule(
        id="secrets/token",
        severity="error",
        spec="A2A 0.1 §5.4; A2A 1.0 §13.4",
        message="this text holds what looks like a secret (an API key, token or private key): take it out and revoke it",
    ),
    "skills/unique-id": Rule(
        id="skills/unique-id",
        severity="error",
        spec="MCP tools; SuperX Agent Cards, Data Sources",
        message="the tool {value} stands at {first} already: tool names are unique",
    ),
    "text/bidirectional": Rule(
        id="text/bidirectional",
        severity="warning",
        spec="ours; Unicode TR 9 §2; CVE-2021-42574",
        message="this text holds bidirectional control characters: it is shown in another order than it is read; remove them",
    ),
    "text/control-characters": Rule(
        id="text/control-characters",
        severity="warning",
        spec="ours; ECMA-48",
        message="this text holds control characters (a terminal may obey them): remove them",
    ),
    "text/hidden-characters": Rule(
        id="text/hidden-characters",
        severity="warning",
        spec="ours; Unicode TR 36 §2",
        message="this text holds characters that are not shown (zero-width, tag or variation-selector characters): a model reads what a person does not; remove them",
    ),
    "text/instruction": Rule(
        id="text/instruction",
        severity="warning",
        spec="ours; OWASP LLM01 2025",
        message="this text speaks to the model that reads the card instead of describing the agent: describe what the agent does",
    ),
    "text/instruction-in-example": Rule(
        id="text/instruction-in-example",
        severity="warning",
        spec="ours; OWASP LLM01 2025",
        message="this text gives orders to the model that reads the card: an example says what a caller may ask of the agent",
    ),
}

SPELLINGS: Final = {
    "": Spelling.of(
        "capabilities",
        "description",
        "extensions",
        "name",
        "prompts",
        "protocol",
        "protocolVersion",
        "resources",
        "skills",
        "url",
        "version",
    ),
    "/skills/*": Spelling.of(
        "annotations",
        "description",
        "id",
        "inputSchema",
        "name",
        "outputSchema",
    ),
}


def structural(document: dict[str, Any], found: list[Violation], vocabularies: Vocabularies) -> None:
    """Add what breaks the rules that JSON Schema cannot say."""
    if type(document) is dict and not document.keys() <= SPELLINGS[""].names:
        spelling(found, RULES["members/spelling"], document, "", SPELLINGS[""])
    for index, item in enumerate(listed(document.get("skills"))):
        if type(item) is dict and not item.keys() <= SPELLINGS["/skills/*"].names:
            spelling(found, RULES["members/spelling"], item, f"/skills/{index}", SPELLINGS["/skills/*"])
    unique(found, RULES["skills/unique-id"], document.get("skills"), "/skills", ("id",))
    del vocabularies


JUDGE: Final = Judge(__package__ or "", RULES, structural)
