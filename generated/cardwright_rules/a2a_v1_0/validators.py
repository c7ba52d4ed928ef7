"""A2A 1.0 agent card: its rules and its validator.

Generated from schemas/a2a/1.0/dialect.json
by `make generate`. Do not edit: change the schemas and generate again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_rules.synonyms import SYNONYMS
from cardwright_runtime.checks import declared, dig, jws_header, listed, mapping, registered, scopes, unique
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
        spec="A2A 1.0 §4.4.4",
        message="duplicate extension {value}: {first} declares it. Declare it once",
    ),
    "extensions/uri-absolute": Rule(
        id="extensions/uri-absolute",
        severity="error",
        spec="A2A 1.0 §4.4.4",
        message="{value} is not an absolute URI; an extension is identified by its URI. Write the full URI",
    ),
    "extensions/uri-missing": Rule(
        id="extensions/uri-missing",
        severity="warning",
        spec="A2A 1.0 §4.4.4",
        message="uri is missing; it identifies the extension. Add the URI of the extension",
    ),
    "interfaces/custom-binding": Rule(
        id="interfaces/custom-binding",
        severity="warning",
        spec="A2A 1.0 §5.8",
        message="{value} is a custom binding. §5.8 requires a URI as its name, so that it is unique",
    ),
    "interfaces/repeated": Rule(
        id="interfaces/repeated",
        severity="warning",
        spec="A2A 1.0 §4.4.6",
        message="duplicate interface: {first} has the same URL, binding, version and tenant. Remove one",
    ),
    "interfaces/version-form": Rule(
        id="interfaces/version-form",
        severity="error",
        spec="A2A 1.0 §3.6",
        message="{value} is not a protocol version. Write Major.Minor, such as 1.0",
    ),
    "interfaces/version-known": Rule(
        id="interfaces/version-known",
        severity="warning",
        spec="A2A 1.0 §3.6",
        message="unknown A2A version {value}. Clients choose by it: write the version that the url supports, such as 1.0",
    ),
    "interfaces/version-patch": Rule(
        id="interfaces/version-patch",
        severity="warning",
        spec="A2A 1.0 §3.6",
        message="{value} has a patch number. Write Major.Minor: clients do not compare patch numbers",
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
    "members/additional-interfaces": Rule(
        id="members/additional-interfaces",
        severity="warning",
        spec="A2A 1.0 §4.4.6",
        message="unknown field `additionalInterfaces`: A2A 1.0 has `supportedInterfaces`, and without a `url` no client reads this one",
    ),
    "members/authentication": Rule(
        id="members/authentication",
        severity="warning",
        spec="A2A 1.0 §4.5.1",
        message="`authentication` is a field of A2A 0.1; clients of later versions ignore it and treat the agent as open. Declare `securitySchemes`",
    ),
    "members/capability-misplaced": Rule(
        id="members/capability-misplaced",
        severity="warning",
        spec="A2A 1.0 §4.4.1",
        message="capabilities have no place here, and clients ignore this one. Move it into `capabilities`",
    ),
    "members/empty": Rule(
        id="members/empty",
        severity="warning",
        spec="A2A 1.0 §4.4.1",
        message="this required text is empty, so people and clients learn nothing from it. Write it",
    ),
    "members/extensions-misplaced": Rule(
        id="members/extensions-misplaced",
        severity="warning",
        spec="A2A 1.0 §4.4.1",
        message="unknown field `extensions`: clients ignore it here. Move the list to `capabilities.extensions`",
    ),
    "members/modes-misplaced": Rule(
        id="members/modes-misplaced",
        severity="warning",
        spec="A2A 1.0 §4.4.1",
        message="media types have no place here, and clients ignore them. Move them to `defaultInputModes` and `defaultOutputModes` of the card",
    ),
    "members/preferred-transport": Rule(
        id="members/preferred-transport",
        severity="warning",
        spec="A2A 1.0 §4.4.6",
        message="unknown field `preferredTransport`: it is the transport of a `url`, which the card lacks. In A2A 1.0 the first entry of `supportedInterfaces` is preferred",
    ),
    "members/protocol-version": Rule(
        id="members/protocol-version",
        severity="warning",
        spec="A2A 1.0 §4.4.6",
        message="unknown field `protocolVersion`: in A2A 1.0 each entry of `supportedInterfaces` has its own, and 1.0 clients ignore this one",
    ),
    "members/protocol-versions": Rule(
        id="members/protocol-versions",
        severity="warning",
        spec="A2A 1.0 §A.2.1",
        message="unknown field `protocolVersions`: in A2A 1.0 each entry of `supportedInterfaces` has a `protocolVersion`, and 1.0 clients ignore this field",
    ),
    "members/security": Rule(
        id="members/security",
        severity="warning",
        spec="A2A 1.0 §4.5",
        message="unknown field `security`: A2A 1.0 replaced it by `securityRequirements`, and 1.0 clients ignore it",
    ),
    "members/skill-security": Rule(
        id="members/skill-security",
        severity="warning",
        spec="A2A 1.0 §4.4.5",
        message="unknown field `security`: A2A 1.0 replaced it by `securityRequirements`, and 1.0 clients call the skill without credentials",
    ),
    "members/spelling": Rule(
        id="members/spelling",
        severity="warning",
        spec="A2A 1.0 §5.5",
        message="unknown field {value}; did you mean {meant}?",
    ),
    "members/state-transition-history": Rule(
        id="members/state-transition-history",
        severity="warning",
        spec="A2A 1.0 §4.4.3",
        message="unknown field `stateTransitionHistory`: A2A 1.0 removed it, and 1.0 clients ignore it. Remove it",
    ),
    "members/supports-authenticated-extended-card": Rule(
        id="members/supports-authenticated-extended-card",
        severity="warning",
        spec="A2A 1.0 §4.4.3",
        message="unknown field `supportsAuthenticatedExtendedCard`: A2A 1.0 has `capabilities.extendedAgentCard`, and 1.0 clients ignore this one",
    ),
    "members/supports-extended-agent-card": Rule(
        id="members/supports-extended-agent-card",
        severity="warning",
        spec="A2A 1.0 §A.2.2",
        message="unknown field `supportsExtendedAgentCard`: A2A 1.0 has `capabilities.extendedAgentCard`, and 1.0 clients ignore this one",
    ),
    "members/url": Rule(
        id="members/url",
        severity="warning",
        spec="A2A 1.0 §4.4.1",
        message="unknown field `url`: in A2A 1.0 each entry of `supportedInterfaces` has its own, and 1.0 clients ignore this one",
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
        spec="A2A 1.0 §4.4.1",
        message="{value} is not a media type. Write type/subtype, such as text/plain or application/json",
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
        spec="A2A 1.0 §4.5.1",
        message="security scheme {value} is not declared in securitySchemes (declared: {declared}). Declare it, or use a declared name",
    ),
    "security/deprecated-flow": Rule(
        id="security/deprecated-flow",
        severity="warning",
        spec="A2A 1.0 §4.5.7",
        message="the OAuth flows `implicit` and `password` are deprecated. Use authorizationCode with PKCE, or deviceCode",
    ),
    "security/http-scheme": Rule(
        id="security/http-scheme",
        severity="warning",
        spec="A2A 1.0 §4.5; RFC 9110 §16.4.1",
        message="unknown HTTP authentication scheme {value}. Write a registered name, such as Bearer or Basic; a key in a header of its own is an apiKey scheme",
    ),
    "security/not-required": Rule(
        id="security/not-required",
        severity="warning",
        spec="A2A 1.0 §4.5",
        message="security schemes are declared, but neither the card nor a skill requires one, so clients send no credentials. Require one, or remove them",
    ),
    "security/requirement-form": Rule(
        id="security/requirement-form",
        severity="warning",
        spec="A2A 1.0 §4.5",
        message='the security requirement has no `schemes`, so 1.0 clients treat the agent as open. Write {{"schemes": {{"NAME": {{"list": []}}}}}}',
    ),
    "security/scope": Rule(
        id="security/scope",
        severity="warning",
        spec="A2A 1.0 §4.5",
        message="scope {value} is required, but {fault}. Clients request the scopes of the scheme: list it there, or remove it here",
    ),
    "security/url": Rule(
        id="security/url",
        severity="warning",
        spec="A2A 1.0 §4.5",
        message="{value} is not an https URL. Clients send credentials there: use https",
    ),
    "signatures/algorithm": Rule(
        id="signatures/algorithm",
        severity="warning",
        spec="A2A 1.0 §8.4.2; RFC 7518 §3.1",
        message="the signature's algorithm is {fault}: with it anybody can sign, or no client can verify. Sign with ES256, RS256 or EdDSA",
    ),
    "signatures/base64url": Rule(
        id="signatures/base64url",
        severity="error",
        spec="A2A 1.0 §8.4.2",
        message="the signature is not base64url without padding. Encode it as RFC 7515 requires",
    ),
    "signatures/protected": Rule(
        id="signatures/protected",
        severity="error",
        spec="A2A 1.0 §8.4.2",
        message="invalid protected JWS header: {fault}. It must be base64url of a JSON object with alg and kid",
    ),
    "skills/unique-id": Rule(
        id="skills/unique-id",
        severity="error",
        spec="A2A 1.0 §4.4.5",
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
    "token/no-url": Rule(
        id="token/no-url",
        severity="warning",
        spec="A2A 1.0 §4.5; RFC 6749 §3",
        message="the URL is missing, so clients cannot obtain a token from this card alone. Write the https URL of the authorization server",
    ),
    "transports/core-name-alias": Rule(
        id="transports/core-name-alias",
        severity="warning",
        spec="A2A 1.0 §4.4.6; §5.8",
        message="unknown transport name {value}. The specification defines JSONRPC, GRPC and HTTP+JSON",
    ),
    "transports/core-name-case": Rule(
        id="transports/core-name-case",
        severity="warning",
        spec="A2A 1.0 §4.4.6; §5.8",
        message="{value} is a misspelled transport name; clients compare the exact name: JSONRPC, GRPC or HTTP+JSON",
    ),
    "transports/foreign": Rule(
        id="transports/foreign",
        severity="warning",
        spec="A2A 1.0 §5.8",
        message="{value} is no binding of A2A, and A2A clients cannot call it. List the A2A interface here, and describe the other protocol in a card of its own",
    ),
    "url/https": Rule(
        id="url/https",
        severity="warning",
        spec="A2A 1.0 §4.4.6; §7.1",
        message="{value} uses plain http. Serve the agent over https",
    ),
    "url/interface-absolute": Rule(
        id="url/interface-absolute",
        severity="error",
        spec="A2A 1.0 §4.4.6",
        message="{value} is not an absolute URL. Write scheme, host and path, such as https://agent.example.com/a2a (a GRPC interface may be host:port)",
    ),
    "url/loopback-host": Rule(
        id="url/loopback-host",
        severity="warning",
        spec="A2A 1.0 §4.4.6; §7.1",
        message="{value} points to this machine (localhost); other hosts cannot reach it. Use the public URL",
    ),
    "url/placeholder": Rule(
        id="url/placeholder",
        severity="warning",
        spec="A2A 1.0 §4.4.1; RFC 3986 §2",
        message="{value} contains a placeholder, which clients do not replace. Write the URL that they can open",
    ),
    "url/reference-absolute": Rule(
        id="url/reference-absolute",
        severity="warning",
        spec="A2A 1.0 §4.4.1",
        message="{value} is not an absolute URL; a card has no base URL to resolve it against. Write scheme and host, such as https://example.com/docs",
    ),
    "url/scheme": Rule(
        id="url/scheme",
        severity="warning",
        spec="A2A 1.0 §4.4.1",
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
        spec="A2A 1.0 §4.4.6; §7.1",
        message="{value} is an address that servers listen on; clients cannot connect to it. Use the public URL",
    ),
}

SPELLINGS: Final = {
    "members/spelling": Spelling.of(
        {
            (
                (
                    "capabilities",
                    "defaultInputModes",
                    "defaultOutputModes",
                    "description",
                    "documentationUrl",
                    "iconUrl",
                    "name",
                    "provider",
                    "securityRequirements",
                    "securitySchemes",
                    "signatures",
                    "skills",
                    "supportedInterfaces",
                    "version",
                ),
                (
                    "additionalInterfaces",
                    "authentication",
                    "preferredTransport",
                    "protocolVersion",
                    "security",
                    "supportsAuthenticatedExtendedCard",
                    "url",
                ),
            ): ("",),
            (("description", "location", "name"), ()): ("/securitySchemes/*/apiKeySecurityScheme",),
            (
                ("extendedAgentCard", "extensions", "pushNotifications", "streaming"),
                ("stateTransitionHistory",),
            ): ("/capabilities",),
            (("header", "protected", "signature"), ()): ("/signatures/[*]",),
            (("description", "params", "required", "uri"), ()): ("/capabilities/extensions/[*]",),
            (("protocolBinding", "protocolVersion", "tenant", "url"), ()): ("/supportedInterfaces/[*]",),
            (("organization", "url"), ()): ("/provider",),
            (
                (
                    "description",
                    "examples",
                    "id",
                    "inputModes",
                    "name",
                    "outputModes",
                    "securityRequirements",
                    "tags",
                ),
                ("security",),
            ): ("/skills/[*]",),
            (("authorizationUrl", "pkceRequired", "refreshUrl", "scopes", "tokenUrl"), ()): (
                "/securitySchemes/*/oauth2SecurityScheme/flows/authorizationCode",
            ),
            (("refreshUrl", "scopes", "tokenUrl"), ()): (
                "/securitySchemes/*/oauth2SecurityScheme/flows/clientCredentials",
                "/securitySchemes/*/oauth2SecurityScheme/flows/password",
            ),
            (("deviceAuthorizationUrl", "refreshUrl", "scopes", "tokenUrl"), ()): (
                "/securitySchemes/*/oauth2SecurityScheme/flows/deviceCode",
            ),
            (("bearerFormat", "description", "scheme"), ()): ("/securitySchemes/*/httpAuthSecurityScheme",),
            (("authorizationUrl", "refreshUrl", "scopes"), ()): (
                "/securitySchemes/*/oauth2SecurityScheme/flows/implicit",
            ),
            (("description",), ()): ("/securitySchemes/*/mtlsSecurityScheme",),
            (("description", "flows", "oauth2MetadataUrl"), ()): ("/securitySchemes/*/oauth2SecurityScheme",),
            (("authorizationCode", "clientCredentials", "deviceCode", "implicit", "password"), ()): (
                "/securitySchemes/*/oauth2SecurityScheme/flows",
            ),
            (("description", "openIdConnectUrl"), ()): ("/securitySchemes/*/openIdConnectSecurityScheme",),
            (("schemes",), ()): ("/securityRequirements/[*]", "/skills/[*]/securityRequirements/[*]"),
            (
                (
                    "apiKeySecurityScheme",
                    "httpAuthSecurityScheme",
                    "mtlsSecurityScheme",
                    "oauth2SecurityScheme",
                    "openIdConnectSecurityScheme",
                ),
                (
                    "bearerFormat",
                    "description",
                    "flows",
                    "in",
                    "name",
                    "oauth2MetadataUrl",
                    "openIdConnectUrl",
                    "scheme",
                    "type",
                ),
            ): ("/securitySchemes/*",),
            (("list",), ()): (
                "/securityRequirements/[*]/schemes/*",
                "/skills/[*]/securityRequirements/[*]/schemes/*",
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
    if "supportedInterfaces" in document:
        unique(
            violations,
            RULES["interfaces/repeated"],
            document.get("supportedInterfaces"),
            "/supportedInterfaces",
            ("url", "protocolBinding", "protocolVersion", "tenant"),
        )
    if "securityRequirements" in document:
        declared(
            violations,
            RULES["security/declared"],
            document.get("securityRequirements"),
            document.get("securitySchemes"),
            "/securityRequirements",
            "schemes",
        )
    for index, item in enumerate(listed(document.get("skills"))):
        if type(item) is dict and "securityRequirements" in item:
            declared(
                violations,
                RULES["security/declared"],
                item["securityRequirements"],
                document.get("securitySchemes"),
                f"/skills/{index}/securityRequirements",
                "schemes",
            )
    if "securityRequirements" in document:
        scopes(
            violations,
            RULES["security/scope"],
            document.get("securityRequirements"),
            document.get("securitySchemes"),
            "/securityRequirements",
            "schemes",
        )
    for index, item in enumerate(listed(document.get("skills"))):
        if type(item) is dict and "securityRequirements" in item:
            scopes(
                violations,
                RULES["security/scope"],
                item["securityRequirements"],
                document.get("securitySchemes"),
                f"/skills/{index}/securityRequirements",
                "schemes",
            )
    if "signatures" in document:
        jws_header(
            violations,
            RULES["signatures/algorithm"],
            document,
            ("signatures", "*", "protected"),
            ("none", "hs256", "hs384", "hs512"),
        )
    if "signatures" in document:
        jws_header(violations, RULES["signatures/protected"], document, ("signatures", "*", "protected"))
    unique(violations, RULES["skills/unique-id"], document.get("skills"), "/skills", ("id",))


def names(document: dict[str, Any], violations: list[Violation]) -> None:
    """Add the violations of the rules about the names of fields."""
    if "additionalInterfaces" in document:
        violations.append(
            break_rule(
                RULES["members/additional-interfaces"],
                "/additionalInterfaces",
                document["additionalInterfaces"],
            )
        )
    if "authentication" in document and document.get("protocol") != "a2a":
        violations.append(
            break_rule(RULES["members/authentication"], "/authentication", document["authentication"])
        )
    if "preferredTransport" in document:
        violations.append(
            break_rule(
                RULES["members/preferred-transport"], "/preferredTransport", document["preferredTransport"]
            )
        )
    if "protocolVersion" in document:
        violations.append(
            break_rule(RULES["members/protocol-version"], "/protocolVersion", document["protocolVersion"])
        )
    if "protocolVersions" in document:
        violations.append(
            break_rule(RULES["members/protocol-versions"], "/protocolVersions", document["protocolVersions"])
        )
    if "security" in document:
        violations.append(break_rule(RULES["members/security"], "/security", document["security"]))
    spelling(violations, RULES["members/spelling"], document, SPELLINGS["members/spelling"])
    if "stateTransitionHistory" in mapping(dig(document, ("capabilities",))):
        violations.append(
            break_rule(
                RULES["members/state-transition-history"],
                "/capabilities/stateTransitionHistory",
                mapping(dig(document, ("capabilities",)))["stateTransitionHistory"],
            )
        )
    if "supportsAuthenticatedExtendedCard" in document:
        violations.append(
            break_rule(
                RULES["members/supports-authenticated-extended-card"],
                "/supportsAuthenticatedExtendedCard",
                document["supportsAuthenticatedExtendedCard"],
            )
        )
    if "supportsExtendedAgentCard" in document:
        violations.append(
            break_rule(
                RULES["members/supports-extended-agent-card"],
                "/supportsExtendedAgentCard",
                document["supportsExtendedAgentCard"],
            )
        )
    if "url" in document:
        violations.append(break_rule(RULES["members/url"], "/url", document["url"]))


VALIDATOR: Final = DialectValidator(
    __package__ or "", RULES, structural, names, schema="cardwright_models.a2a_v1_0", gated=True
)
