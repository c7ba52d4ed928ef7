"""Beach 1.0 agent card: its rules and its validator.

Generated from schemas/beach/1.0/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_rules.synonyms import SYNONYMS
from cardwright_runtime.checks import dig, needs, registered, unique
from cardwright_runtime.engine import DialectValidator
from cardwright_runtime.spelling import Spelling, spelling
from cardwright_runtime.violation import Rule

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies
    from cardwright_runtime.violation import Violation

RULES: Final[dict[str, Rule]] = {
    "beach/auth-member": Rule(
        id="beach/auth-member",
        severity="error",
        spec="Beach Agent Card, Transport entry",
        message="{field} is missing; auth of type {value} requires it",
    ),
    "beach/auth-registered": Rule(
        id="beach/auth-registered",
        severity="error",
        spec="Beach Agent Card, Transport entry",
        message="unknown auth type {value}. Register it, or use a registered one ({known})",
    ),
    "beach/capability-schema": Rule(
        id="beach/capability-schema",
        severity="error",
        spec="Beach Agent Card, Capability entry; JSON Schema 2020-12",
        message="not a JSON Schema and not a reference to one: {fault}",
    ),
    "beach/contact": Rule(
        id="beach/contact",
        severity="warning",
        spec="Beach Agent Card, Field reference; RFC 5321 §4.1.2",
        message="{value} is no e-mail address. Write an address that peers can send to, such as agents@example.com",
    ),
    "beach/endpoint": Rule(
        id="beach/endpoint",
        severity="error",
        spec="Beach Agent Card, Transport entry",
        message="{value} is not an endpoint of that protocol. Write an absolute http(s) URL (for mcp also stdio://)",
    ),
    "beach/generated-at": Rule(
        id="beach/generated-at",
        severity="warning",
        spec="Beach Agent Card, Field reference; RFC 3339 §5.6",
        message="{value} is not an RFC 3339 date and time. Write it as 2026-04-20T09:50:00Z",
    ),
    "beach/part-registered": Rule(
        id="beach/part-registered",
        severity="error",
        spec="Beach Agent Card, Envelope block",
        message="unknown part type {value}. Register it, use a registered type ({known}), or a namespaced name such as acme.chart",
    ),
    "beach/schema-version": Rule(
        id="beach/schema-version",
        severity="error",
        spec="Beach Agent Card, Versioning",
        message="unsupported major version in schemaVersion {value} (supported: 1). The rest of the card was not validated",
    ),
    "beach/semver": Rule(
        id="beach/semver",
        severity="error",
        spec="Beach Agent Card, Field reference",
        message="{value} is not a semantic version. Write Major.Minor.Patch, such as 1.0.0",
    ),
    "beach/state-registered": Rule(
        id="beach/state-registered",
        severity="warning",
        spec="Beach Agent Card, Extensions: beach",
        message="unknown conversation state {value}; peers may not support it. Register it, or use a registered one ({known})",
    ),
    "beach/transport-member": Rule(
        id="beach/transport-member",
        severity="error",
        spec="Beach Agent Card, Transport entry",
        message="{field} is missing; a transport of protocol {value} requires it",
    ),
    "beach/transport-registered": Rule(
        id="beach/transport-registered",
        severity="error",
        spec="Beach Agent Card, Transport entry",
        message="unknown transport {value}. Register it, or use a registered one ({known})",
    ),
    "capabilities/unique-id": Rule(
        id="capabilities/unique-id",
        severity="error",
        spec="Beach Agent Card, Capability entry",
        message="duplicate capability id {value}: {first} has the same. Give each capability its own id",
    ),
    "members/empty": Rule(
        id="members/empty",
        severity="warning",
        spec="Beach Agent Card, Field reference",
        message="this value is empty, so peers learn nothing from it. Write it, or remove an optional field",
    ),
    "members/spelling": Rule(
        id="members/spelling",
        severity="warning",
        spec="Beach Agent Card, Field reference; project decision",
        message="unknown field {value}; did you mean {meant}?",
    ),
    "members/x-beach": Rule(
        id="members/x-beach",
        severity="warning",
        spec="Beach card seed, Scope",
        message="`x-beach` is the name of the extension in prose; no client reads such a field. Write `extensions.beach`",
    ),
    "secrets/token": Rule(
        id="secrets/token",
        severity="error",
        spec="A2A 0.1 §5.4; A2A 1.0 §13.4",
        message="this text contains what looks like a secret (an API key, token or private key). Remove it and revoke it",
    ),
    "text/bidirectional": Rule(
        id="text/bidirectional",
        severity="warning",
        spec="project decision; Unicode TR 9 §2; CVE-2021-42574",
        message="this text contains bidirectional control characters, so it is displayed in another order than it is read. Remove them",
    ),
    "text/control-characters": Rule(
        id="text/control-characters",
        severity="warning",
        spec="project decision; ECMA-48",
        message="this text contains control characters, which a terminal may execute. Remove them",
    ),
    "text/hidden-characters": Rule(
        id="text/hidden-characters",
        severity="warning",
        spec="project decision; Unicode TR 36 §2",
        message="this text contains invisible characters (zero-width, tag or variation selector): a model reads them, a person does not see them. Remove them",
    ),
    "text/instruction": Rule(
        id="text/instruction",
        severity="warning",
        spec="project decision; OWASP LLM01 2025",
        message="this text may give orders to the model that reads the card: {found}. Describe what the agent does, and do not pass the card to a model if you do not trust its author",
    ),
    "text/system-prompt": Rule(
        id="text/system-prompt",
        severity="warning",
        spec="project decision; OWASP LLM07 2025",
        message="this description reads like the instructions of the agent's own model. They are public now: write in one or two sentences what callers can ask for",
    ),
    "url/https": Rule(
        id="url/https",
        severity="warning",
        spec="Beach Agent Card, Transport entry",
        message="{value} uses plain http. Serve the agent over https",
    ),
    "url/loopback-host": Rule(
        id="url/loopback-host",
        severity="warning",
        spec="Beach Agent Card, Transport entry",
        message="{value} points to this machine (localhost); other hosts cannot reach it. Use the public URL",
    ),
    "url/reference-absolute": Rule(
        id="url/reference-absolute",
        severity="warning",
        spec="Beach Agent Card, Field reference",
        message="{value} is not an absolute URL; a card has no base URL to resolve it against. Write scheme and host, such as https://example.com/docs",
    ),
    "url/userinfo": Rule(
        id="url/userinfo",
        severity="error",
        spec="A2A 0.1 §5.4; RFC 3986 §3.2.1",
        message="the URL contains a user name or a password. Remove it: a card is public",
    ),
    "url/wildcard-host": Rule(
        id="url/wildcard-host",
        severity="warning",
        spec="Beach Agent Card, Transport entry",
        message="{value} is an address that servers listen on; clients cannot connect to it. Use the public URL",
    ),
}

SPELLINGS: Final = {
    "members/spelling": Spelling.of(
        {
            (
                (
                    "$schema",
                    "capabilities",
                    "contact",
                    "description",
                    "displayName",
                    "envelope",
                    "extensions",
                    "generatedAt",
                    "id",
                    "name",
                    "provider",
                    "schemaVersion",
                    "transports",
                    "version",
                ),
                (),
            ): ("",),
            (("fingerprints", "header", "scope", "tokenEndpoint", "type"), ()): ("/transports/[*]/auth",),
            (("conversationStates", "respondToolSchemaVersion", "turnStates", "version"), ()): (
                "/extensions/beach",
            ),
            (("description", "examples", "id", "inputSchema", "outputSchema", "requiredScopes"), ()): (
                "/capabilities/[*]",
            ),
            (("email",), ()): ("/contact",),
            (("a2uiCatalog", "consumes", "llmContextLanguage", "parts"), ()): ("/envelope",),
            (("beach",), ()): ("/extensions",),
            (("name", "url"), ()): ("/provider",),
            (("auth", "endpoint", "protocol", "requiredScopes", "tool", "transport", "version"), ()): (
                "/transports/[*]",
            ),
        },
        SYNONYMS,
    ),
}


def structural(document: dict[str, Any], violations: list[Violation], vocabularies: Vocabularies) -> None:
    """Add the violations of the rules that JSON Schema cannot express."""
    needs(
        violations,
        RULES["beach/auth-member"],
        document,
        ("transports", "*", "auth"),
        "type",
        {"api-key": ("header",), "oauth2": ("tokenEndpoint", "scope"), "mtls": ("fingerprints",)},
        vocabularies["auth-types"],
    )
    registered(
        violations,
        RULES["beach/auth-registered"],
        document,
        ("transports", "*", "auth", "type"),
        vocabularies["auth-types"],
        slug=False,
    )
    if dig(document, ("envelope", "parts")):
        registered(
            violations,
            RULES["beach/part-registered"],
            document,
            ("envelope", "parts", "*"),
            vocabularies["part-types"],
            slug=True,
        )
    if dig(document, ("envelope", "consumes")):
        registered(
            violations,
            RULES["beach/part-registered"],
            document,
            ("envelope", "consumes", "*"),
            vocabularies["part-types"],
            slug=True,
        )
    if dig(document, ("extensions", "beach", "turnStates")):
        registered(
            violations,
            RULES["beach/state-registered"],
            document,
            ("extensions", "beach", "turnStates", "*"),
            vocabularies["conversation-states"],
            slug=False,
        )
    if dig(document, ("extensions", "beach", "conversationStates")):
        registered(
            violations,
            RULES["beach/state-registered"],
            document,
            ("extensions", "beach", "conversationStates", "*"),
            vocabularies["conversation-states"],
            slug=False,
        )
    needs(
        violations,
        RULES["beach/transport-member"],
        document,
        ("transports", "*"),
        "protocol",
        {"mcp": ("tool",)},
        vocabularies["transports"],
    )
    registered(
        violations,
        RULES["beach/transport-registered"],
        document,
        ("transports", "*", "protocol"),
        vocabularies["transports"],
        slug=False,
    )
    unique(
        violations, RULES["capabilities/unique-id"], document.get("capabilities"), "/capabilities", ("id",)
    )


def names(document: dict[str, Any], violations: list[Violation]) -> None:
    """Add the violations of the rules about the names of fields."""
    spelling(violations, RULES["members/spelling"], document, SPELLINGS["members/spelling"])


VALIDATOR: Final = DialectValidator(
    __package__ or "", RULES, structural, names, schema="cardwright_models.beach_v1_0", gated=True
)
