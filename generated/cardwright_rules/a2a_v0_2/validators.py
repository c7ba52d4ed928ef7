"""A2A 0.2 agent card: its rules and its validator.

Generated from schemas/a2a/0.2/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_rules.synonyms import SYNONYMS
from cardwright_runtime.agreement import main_interface_agrees, main_interface_listed
from cardwright_runtime.checks import declared, dig, listed, registered, scopes, unique
from cardwright_runtime.engine import DialectValidator
from cardwright_runtime.spelling import Spelling, spelling
from cardwright_runtime.violation import Rule, break_rule

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies
    from cardwright_runtime.violation import Violation

RULES: Final[dict[str, Rule]] = {
    "extensions/beach-params": Rule(
        id="extensions/beach-params",
        severity="error",
        spec="Beach protocol 0.6.0, Agent Card advertising",
        message="invalid parameters of the Beach extension: {fault}",
    ),
    "extensions/beach-part-registered": Rule(
        id="extensions/beach-part-registered",
        severity="warning",
        spec="Beach protocol 0.6.0, Consumer-defined part types",
        message="unknown part type {value}. Register it, use a registered type ({known}), or a namespaced name such as acme.chart",
    ),
    "extensions/carried-params": Rule(
        id="extensions/carried-params",
        severity="error",
        spec="project decision: schemas/extensions/carried-params",
        message="invalid parameters of the extension that carries fields of another dialect: {fault}",
    ),
    "extensions/mcp-params": Rule(
        id="extensions/mcp-params",
        severity="error",
        spec="project decision: schemas/extensions/mcp-params",
        message="invalid parameters of the MCP extension: {fault}",
    ),
    "extensions/provenance-params": Rule(
        id="extensions/provenance-params",
        severity="error",
        spec="project decision: schemas/extensions/provenance-params",
        message="invalid parameters of the signature provenance extension: {fault}",
    ),
    "extensions/skill-schemas-params": Rule(
        id="extensions/skill-schemas-params",
        severity="error",
        spec="project decision: schemas/extensions/skill-schemas-params",
        message="invalid parameters of the skill schemas extension: {fault}",
    ),
    "extensions/unique": Rule(
        id="extensions/unique",
        severity="error",
        spec="A2A 0.2.6 §5.5.2.1",
        message="duplicate extension {value}: {first} declares it. Declare it once",
    ),
    "extensions/uri-absolute": Rule(
        id="extensions/uri-absolute",
        severity="error",
        spec="A2A 0.2.6 §5.5.2.1",
        message="{value} is not an absolute URI; an extension is identified by its URI. Write the full URI",
    ),
    "interfaces/main-conflict": Rule(
        id="interfaces/main-conflict",
        severity="error",
        spec="A2A 0.2.6 §5.5.5",
        message="additionalInterfaces lists the main URL with {value}, but preferredTransport is {preferred}. One entry with the main URL must have the preferred transport",
    ),
    "interfaces/main-listed": Rule(
        id="interfaces/main-listed",
        severity="warning",
        spec="A2A 0.2.6 §5.5.5",
        message="additionalInterfaces does not list the main URL {value}. Add it with the preferred transport",
    ),
    "interfaces/preferred-missing": Rule(
        id="interfaces/preferred-missing",
        severity="warning",
        spec="A2A 0.2.6 §5.6.1",
        message="preferredTransport is missing: clients assume JSONRPC or skip the card. Add the transport that the url supports",
    ),
    "interfaces/repeated": Rule(
        id="interfaces/repeated",
        severity="warning",
        spec="A2A 0.2.6 §5.5.5",
        message="duplicate interface: {first} has the same URL and transport. Remove one",
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
    "members/authentication": Rule(
        id="members/authentication",
        severity="warning",
        spec="A2A 0.2 §5.5.3",
        message="`authentication` is a field of A2A 0.1; clients of later versions ignore it and treat the agent as open. Declare `securitySchemes`",
    ),
    "members/capability-misplaced": Rule(
        id="members/capability-misplaced",
        severity="warning",
        spec="A2A 0.2.6 §5.5",
        message="capabilities have no place here, and clients ignore this one. Move it into `capabilities`",
    ),
    "members/empty": Rule(
        id="members/empty",
        severity="warning",
        spec="A2A 0.2.6 §5.5",
        message="this required text is empty, so people and clients learn nothing from it. Write it",
    ),
    "members/extensions-misplaced": Rule(
        id="members/extensions-misplaced",
        severity="warning",
        spec="A2A 0.2.6 §5.5",
        message="unknown field `extensions`: clients ignore it here. Move the list to `capabilities.extensions`",
    ),
    "members/modes-misplaced": Rule(
        id="members/modes-misplaced",
        severity="warning",
        spec="A2A 0.2.6 §5.5",
        message="media types have no place here, and clients ignore them. Move them to `defaultInputModes` and `defaultOutputModes` of the card",
    ),
    "members/security-requirements": Rule(
        id="members/security-requirements",
        severity="warning",
        spec="A2A 0.2.6 §5.5",
        message="unknown field `securityRequirements`: it is the A2A 1.0 name, and clients of 0.x read `security` only",
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
        spec="A2A 0.2.6 §5.5",
        message="{value} is not a media type. Write type/subtype, such as text/plain or application/json",
    ),
    "protocol-version/form": Rule(
        id="protocol-version/form",
        severity="error",
        spec="A2A 0.2.6 §5.5",
        message="{value} is not a protocol version. Write the A2A version that the url supports, such as 0.3.0",
    ),
    "protocol-version/known": Rule(
        id="protocol-version/known",
        severity="warning",
        spec="A2A 0.2.6 §5.5",
        message="unknown A2A version {value}. Clients choose by it: write the version that the url supports",
    ),
    "protocol-version/missing": Rule(
        id="protocol-version/missing",
        severity="warning",
        spec="A2A 0.2.6 §5.5",
        message="protocolVersion is missing: clients guess the version of the card. Add the A2A version that the url supports",
    ),
    "secrets/token": Rule(
        id="secrets/token",
        severity="error",
        spec="A2A 0.1 §5.4; A2A 1.0 §13.4",
        message="this text contains what looks like a secret (an API key, token or private key). Remove it and revoke it",
    ),
    "security/declared": Rule(
        id="security/declared",
        severity="error",
        spec="A2A 0.2.6 §5.5",
        message="security scheme {value} is not declared in securitySchemes (declared: {declared}). Declare it, or use a declared name",
    ),
    "security/http-scheme": Rule(
        id="security/http-scheme",
        severity="warning",
        spec="A2A 0.2.6 §5.5; RFC 9110 §16.4.1",
        message="unknown HTTP authentication scheme {value}. Write a registered name, such as Bearer or Basic; a key in a header of its own is an apiKey scheme",
    ),
    "security/not-required": Rule(
        id="security/not-required",
        severity="warning",
        spec="A2A 0.2.6 §5.5",
        message="security schemes are declared, but neither the card nor a skill requires one, so clients send no credentials. Require one, or remove them",
    ),
    "security/scope": Rule(
        id="security/scope",
        severity="warning",
        spec="A2A 0.2.6 §5.5",
        message="scope {value} is required, but {fault}. Clients request the scopes of the scheme: list it there, or remove it here",
    ),
    "security/url": Rule(
        id="security/url",
        severity="warning",
        spec="A2A 0.2.6 §5.5",
        message="{value} is not an https URL. Clients send credentials there: use https",
    ),
    "skills/none": Rule(
        id="skills/none",
        severity="warning",
        spec="A2A 0.2.6 §5.5",
        message="skills is empty, so clients cannot tell what the agent does. Add one skill at least",
    ),
    "skills/unique-id": Rule(
        id="skills/unique-id",
        severity="error",
        spec="A2A 0.2.6 §5.5.4",
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
    "token/no-flow": Rule(
        id="token/no-flow",
        severity="warning",
        spec="A2A 0.2.6 §5.5; RFC 6749 §1.3",
        message="no flow has a name that clients know, so they cannot obtain a token. Declare authorizationCode, clientCredentials, implicit or password",
    ),
    "token/no-url": Rule(
        id="token/no-url",
        severity="warning",
        spec="A2A 0.2.6 §5.5; RFC 6749 §3",
        message="the URL is missing, so clients cannot obtain a token from this card alone. Write the https URL of the authorization server",
    ),
    "transports/core-name-alias": Rule(
        id="transports/core-name-alias",
        severity="warning",
        spec="A2A 0.2.6 §5.5.5",
        message="unknown transport name {value}. The specification defines JSONRPC, GRPC and HTTP+JSON",
    ),
    "transports/core-name-case": Rule(
        id="transports/core-name-case",
        severity="warning",
        spec="A2A 0.2.6 §5.5.5",
        message="{value} is a misspelled transport name; clients compare the exact name: JSONRPC, GRPC or HTTP+JSON",
    ),
    "transports/foreign": Rule(
        id="transports/foreign",
        severity="warning",
        spec="A2A 0.2.6 §5.5.5",
        message="{value} is no binding of A2A, and A2A clients cannot call it. List the A2A interface here, and describe the other protocol in a card of its own",
    ),
    "url/absolute": Rule(
        id="url/absolute",
        severity="error",
        spec="A2A 0.2.6 §5.5",
        message="{value} is not an absolute URL. Write scheme, host and path, such as https://agent.example.com/a2a",
    ),
    "url/https": Rule(
        id="url/https",
        severity="warning",
        spec="A2A 0.2.6 §5.5",
        message="{value} uses plain http. Serve the agent over https",
    ),
    "url/interface-absolute": Rule(
        id="url/interface-absolute",
        severity="error",
        spec="A2A 0.2.6 §5.5.5",
        message="{value} is not an absolute URL. Write scheme, host and path, such as https://agent.example.com/a2a (a GRPC interface may be host:port)",
    ),
    "url/loopback-host": Rule(
        id="url/loopback-host",
        severity="warning",
        spec="A2A 0.2.6 §5.5",
        message="{value} points to this machine (localhost); other hosts cannot reach it. Use the public URL",
    ),
    "url/placeholder": Rule(
        id="url/placeholder",
        severity="warning",
        spec="A2A 0.2.6 §5.5; RFC 3986 §2",
        message="{value} contains a placeholder, which clients do not replace. Write the URL that they can open",
    ),
    "url/reference-absolute": Rule(
        id="url/reference-absolute",
        severity="warning",
        spec="A2A 0.2.6 §5.5",
        message="{value} is not an absolute URL; a card has no base URL to resolve it against. Write scheme and host, such as https://example.com/docs",
    ),
    "url/scheme": Rule(
        id="url/scheme",
        severity="warning",
        spec="A2A 0.2.6 §5.5",
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
        spec="A2A 0.2.6 §5.5",
        message="{value} is an address that servers listen on; clients cannot connect to it. Use the public URL",
    ),
}

SPELLINGS: Final = {
    "members/spelling": Spelling.of(
        {
            (
                (
                    "additionalInterfaces",
                    "capabilities",
                    "defaultInputModes",
                    "defaultOutputModes",
                    "description",
                    "documentationUrl",
                    "iconUrl",
                    "name",
                    "preferredTransport",
                    "protocolVersion",
                    "provider",
                    "security",
                    "securitySchemes",
                    "skills",
                    "supportedInterfaces",
                    "supportsAuthenticatedExtendedCard",
                    "url",
                    "version",
                ),
                ("authentication", "securityRequirements", "signatures"),
            ): ("",),
            (
                ("bearerFormat", "description", "flows", "in", "name", "openIdConnectUrl", "scheme", "type"),
                (
                    "apiKeySecurityScheme",
                    "httpAuthSecurityScheme",
                    "mtlsSecurityScheme",
                    "oauth2MetadataUrl",
                    "oauth2SecurityScheme",
                    "openIdConnectSecurityScheme",
                ),
            ): ("/securitySchemes/*",),
            (
                ("extensions", "pushNotifications", "stateTransitionHistory", "streaming"),
                ("extendedAgentCard",),
            ): ("/capabilities",),
            (("description", "params", "required", "uri"), ()): ("/capabilities/extensions/[*]",),
            (("transport", "url"), ()): ("/additionalInterfaces/[*]",),
            (("organization", "url"), ()): ("/provider",),
            (
                ("description", "examples", "id", "inputModes", "name", "outputModes", "tags"),
                ("security", "securityRequirements"),
            ): ("/skills/[*]",),
            (("authorizationUrl", "refreshUrl", "scopes", "tokenUrl"), ()): (
                "/securitySchemes/*/flows/authorizationCode",
            ),
            (("refreshUrl", "scopes", "tokenUrl"), ()): (
                "/securitySchemes/*/flows/clientCredentials",
                "/securitySchemes/*/flows/password",
            ),
            (("authorizationUrl", "refreshUrl", "scopes"), ()): ("/securitySchemes/*/flows/implicit",),
            (("authorizationCode", "clientCredentials", "implicit", "password"), ()): (
                "/securitySchemes/*/flows",
            ),
        },
        SYNONYMS,
    ),
}


def structural(document: dict[str, Any], violations: list[Violation], vocabularies: Vocabularies) -> None:
    """Add the violations of the rules that JSON Schema cannot express."""
    if dig(document, ("capabilities", "extensions")):
        for index, item in enumerate(listed(dig(document, ("capabilities", "extensions")))):
            if type(item) is dict and item.get("uri") == "https://beach.cool-ai.io/extensions/v1":
                registered(
                    violations,
                    RULES["extensions/beach-part-registered"],
                    item,
                    ("params", "envelopeConsumes", "*"),
                    vocabularies["part-types"],
                    slug=True,
                    at=f"/capabilities/extensions/{index}",
                )
    if dig(document, ("capabilities", "extensions")):
        unique(
            violations,
            RULES["extensions/unique"],
            dig(document, ("capabilities", "extensions")),
            "/capabilities/extensions",
            ("uri",),
        )
    if "additionalInterfaces" in document:
        main_interface_agrees(violations, RULES["interfaces/main-conflict"], document)
    if "additionalInterfaces" in document:
        main_interface_listed(violations, RULES["interfaces/main-listed"], document)
    if "additionalInterfaces" in document:
        unique(
            violations,
            RULES["interfaces/repeated"],
            document.get("additionalInterfaces"),
            "/additionalInterfaces",
            ("url", "transport"),
        )
    if "security" in document:
        declared(
            violations,
            RULES["security/declared"],
            document.get("security"),
            document.get("securitySchemes"),
            "/security",
            "",
        )
    for index, item in enumerate(listed(document.get("skills"))):
        if type(item) is dict and "security" in item:
            declared(
                violations,
                RULES["security/declared"],
                item["security"],
                document.get("securitySchemes"),
                f"/skills/{index}/security",
                "",
            )
    if "security" in document:
        scopes(
            violations,
            RULES["security/scope"],
            document.get("security"),
            document.get("securitySchemes"),
            "/security",
            "",
        )
    for index, item in enumerate(listed(document.get("skills"))):
        if type(item) is dict and "security" in item:
            scopes(
                violations,
                RULES["security/scope"],
                item["security"],
                document.get("securitySchemes"),
                f"/skills/{index}/security",
                "",
            )
    unique(violations, RULES["skills/unique-id"], document.get("skills"), "/skills", ("id",))


def names(document: dict[str, Any], violations: list[Violation]) -> None:
    """Add the violations of the rules about the names of fields."""
    if "preferredTransport" not in document:
        violations.append(break_rule(RULES["interfaces/preferred-missing"], "/preferredTransport", None))
    if "authentication" in document and document.get("protocol") != "a2a":
        violations.append(
            break_rule(RULES["members/authentication"], "/authentication", document["authentication"])
        )
    spelling(violations, RULES["members/spelling"], document, SPELLINGS["members/spelling"])
    if "supportedInterfaces" in document:
        violations.append(
            break_rule(
                RULES["members/supported-interfaces"], "/supportedInterfaces", document["supportedInterfaces"]
            )
        )
    if "protocolVersion" not in document:
        violations.append(break_rule(RULES["protocol-version/missing"], "/protocolVersion", None))


VALIDATOR: Final = DialectValidator(
    __package__ or "", RULES, structural, names, schema="cardwright_models.a2a_v0_2", gated=True
)
