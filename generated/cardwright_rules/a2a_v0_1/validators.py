"""A2A 0.1 agent card: its rules and its validator.

Generated from schemas/a2a/0.1/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_rules.synonyms import SYNONYMS
from cardwright_runtime.checks import unique
from cardwright_runtime.engine import DialectValidator
from cardwright_runtime.spelling import Spelling, spelling
from cardwright_runtime.violation import Rule, break_rule

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies
    from cardwright_runtime.violation import Violation

RULES: Final[dict[str, Rule]] = {
    "authentication/empty": Rule(
        id="authentication/empty",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message='authentication names no scheme, so clients cannot tell whether the agent is open. Name the schemes, or "none" for an open agent',
    ),
    "authentication/missing": Rule(
        id="authentication/missing",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message='authentication is missing or null, so clients cannot tell whether the agent is open. Add the schemes, or ["none"] for an open agent',
    ),
    "authentication/scheme-unknown": Rule(
        id="authentication/scheme-unknown",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="unknown authentication scheme {value}. Use a name of OpenAPI or HTTP that clients know, such as Bearer, Basic, OAuth2 or apiKey",
    ),
    "limits/interfaces": Rule(
        id="limits/interfaces",
        severity="error",
        spec="project decision: clients cannot process more",
        message="the card has more than 64 interfaces; clients do not try that many. Remove some",
    ),
    "limits/skills": Rule(
        id="limits/skills",
        severity="error",
        spec="project decision: clients cannot process more",
        message="the card has more than 1,024 skills; clients cannot process that many. Split the agent",
    ),
    "members/capability-misplaced": Rule(
        id="members/capability-misplaced",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="capabilities have no place here, and clients ignore this one. Move it into `capabilities`",
    ),
    "members/empty": Rule(
        id="members/empty",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="this required text is empty, so people and clients learn nothing from it. Write it",
    ),
    "members/extensions-misplaced": Rule(
        id="members/extensions-misplaced",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="unknown field `extensions`: clients ignore it here. Move the list to `capabilities.extensions`",
    ),
    "members/modes-misplaced": Rule(
        id="members/modes-misplaced",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="media types have no place here, and clients ignore them. Move them to `defaultInputModes` and `defaultOutputModes` of the card",
    ),
    "members/spelling": Rule(
        id="members/spelling",
        severity="warning",
        spec="A2A §5.5; project decision",
        message="unknown field {value}; did you mean {meant}?",
    ),
    "members/supported-interfaces": Rule(
        id="members/supported-interfaces",
        severity="warning",
        spec="A2A 1.0 §4.4.6",
        message="unknown field `supportedInterfaces`: {value} is not a list of interfaces, so 1.0 clients cannot read the card",
    ),
    "members/x-beach": Rule(
        id="members/x-beach",
        severity="warning",
        spec="Beach card seed, Scope",
        message="`x-beach` is the name of the extension in prose; no client reads such a field. Declare the Beach extension by its URI in `capabilities.extensions`",
    ),
    "modes/media-type": Rule(
        id="modes/media-type",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="{value} is not a media type. Write type/subtype, such as text/plain or application/json",
    ),
    "protocol-version/form": Rule(
        id="protocol-version/form",
        severity="error",
        spec="A2A 0.1 §5.5",
        message="{value} is not a protocol version. Write the A2A version that the url supports, such as 0.3.0",
    ),
    "protocol-version/known": Rule(
        id="protocol-version/known",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="unknown A2A version {value}. Clients choose by it: write the version that the url supports",
    ),
    "secrets/credentials-opaque": Rule(
        id="secrets/credentials-opaque",
        severity="warning",
        spec="A2A 0.1 §5.5.3",
        message='`credentials` looks like a secret. Write JSON that describes the scheme without the secret, such as {{"in": "header", "name": "X-API-Key"}}',
    ),
    "secrets/credentials-value": Rule(
        id="secrets/credentials-value",
        severity="error",
        spec="A2A 0.1 §5.5.3",
        message="`credentials` holds a secret. A card is public: describe where the key is sent and under which name, and remove the key itself",
    ),
    "secrets/token": Rule(
        id="secrets/token",
        severity="error",
        spec="A2A 0.1 §5.4; A2A 1.0 §13.4",
        message="this text contains what looks like a secret (an API key, token or private key). Remove it and revoke it",
    ),
    "skills/none": Rule(
        id="skills/none",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="skills is empty, so clients cannot tell what the agent does. Add one skill at least",
    ),
    "skills/unique-id": Rule(
        id="skills/unique-id",
        severity="error",
        spec="A2A 0.1 §5.5.4",
        message="duplicate skill id {value}: {first} has the same. Give each skill its own id",
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
    "url/absolute": Rule(
        id="url/absolute",
        severity="error",
        spec="A2A 0.1 §5.5",
        message="{value} is not an absolute URL. Write scheme, host and path, such as https://agent.example.com/a2a",
    ),
    "url/https": Rule(
        id="url/https",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="{value} uses plain http. Serve the agent over https",
    ),
    "url/loopback-host": Rule(
        id="url/loopback-host",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="{value} points to this machine (localhost); other hosts cannot reach it. Use the public URL",
    ),
    "url/placeholder": Rule(
        id="url/placeholder",
        severity="warning",
        spec="A2A 0.1 §5.5; RFC 3986 §2",
        message="{value} contains a placeholder, which clients do not replace. Write the URL that they can open",
    ),
    "url/reference-absolute": Rule(
        id="url/reference-absolute",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="{value} is not an absolute URL; a card has no base URL to resolve it against. Write scheme and host, such as https://example.com/docs",
    ),
    "url/scheme": Rule(
        id="url/scheme",
        severity="warning",
        spec="A2A 0.1 §5.5",
        message="{value} is no http or https URL, and clients do not open it. Write the https URL",
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
        spec="A2A 0.1 §5.5",
        message="{value} is an address that servers listen on; clients cannot connect to it. Use the public URL",
    ),
}

SPELLINGS: Final = {
    "members/spelling": Spelling.of(
        {
            (
                (
                    "authentication",
                    "capabilities",
                    "defaultInputModes",
                    "defaultOutputModes",
                    "description",
                    "documentationUrl",
                    "name",
                    "provider",
                    "skills",
                    "supportedInterfaces",
                    "url",
                    "version",
                ),
                (
                    "additionalInterfaces",
                    "iconUrl",
                    "preferredTransport",
                    "protocolVersion",
                    "security",
                    "securityRequirements",
                    "securitySchemes",
                    "signatures",
                    "supportsAuthenticatedExtendedCard",
                ),
            ): ("",),
            (("credentials", "schemes"), ()): ("/authentication",),
            (
                ("pushNotifications", "stateTransitionHistory", "streaming"),
                ("extendedAgentCard", "extensions"),
            ): ("/capabilities",),
            (("organization", "url"), ()): ("/provider",),
            (
                ("description", "examples", "id", "inputModes", "name", "outputModes", "tags"),
                ("security", "securityRequirements"),
            ): ("/skills/[*]",),
        },
        SYNONYMS,
    ),
}


def structural(document: dict[str, Any], violations: list[Violation], vocabularies: Vocabularies) -> None:
    """Add the violations of the rules that JSON Schema cannot express."""
    unique(violations, RULES["skills/unique-id"], document.get("skills"), "/skills", ("id",))
    del vocabularies


def names(document: dict[str, Any], violations: list[Violation]) -> None:
    """Add the violations of the rules about the names of fields."""
    spelling(violations, RULES["members/spelling"], document, SPELLINGS["members/spelling"])
    if "supportedInterfaces" in document:
        violations.append(
            break_rule(
                RULES["members/supported-interfaces"], "/supportedInterfaces", document["supportedInterfaces"]
            )
        )


VALIDATOR: Final = DialectValidator(
    __package__ or "", RULES, structural, names, schema="cardwright_models.a2a_v0_1", gated=True
)
