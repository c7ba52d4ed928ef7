"""A2A 1.0 agent card: its rules, and the judge that asks them.

Generated from schemas/a2a/1.0/dialect.json
by `make generate`: not edited, printed again when the schemas change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardwright_runtime.checks import (
    Spelling,
    declared,
    dig,
    jws_header,
    listed,
    mapping,
    registered,
    spelling,
    unique,
)
from cardwright_runtime.engine import Judge, break_rule
from cardwright_runtime.violation import Rule

if TYPE_CHECKING:
    from cardwright_runtime.engine import Vocabularies
    from cardwright_runtime.violation import Violation

RULES: Final[dict[str, Rule]] = {
    "extensions/beach-params": Rule(
        id="extensions/beach-params",
        severity="error",
        spec="Beach protocol 0.6.0, Agent Card advertising",
        message="the parameters of the Beach extension are not what it defines: {fault}",
    ),
    "extensions/beach-part-registered": Rule(
        id="extensions/beach-part-registered",
        severity="warning",
        spec="Beach protocol 0.6.0, Consumer-defined part types",
        message="the part type {value} is neither registered nor namespaced as slug.name (registered: {known})",
    ),
    "extensions/carried-params": Rule(
        id="extensions/carried-params",
        severity="error",
        spec="ours: carried-params",
        message="what the card carries of another form cannot be read: {fault}",
    ),
    "extensions/mcp-params": Rule(
        id="extensions/mcp-params",
        severity="error",
        spec="ours: mcp-params",
        message="the parameters of the MCP extension are not what it defines: {fault}",
    ),
    "extensions/provenance-params": Rule(
        id="extensions/provenance-params",
        severity="error",
        spec="ours: provenance-params",
        message="what is told of the signature is not what its extension defines: {fault}",
    ),
    "extensions/skill-schemas-params": Rule(
        id="extensions/skill-schemas-params",
        severity="error",
        spec="ours: skill-schemas-params",
        message="the schemas of the skills are not what their extension defines: {fault}",
    ),
    "extensions/unique": Rule(
        id="extensions/unique",
        severity="error",
        spec="A2A 1.0 §4.4.4",
        message="the extension {value} is declared at {first} already: declare it once",
    ),
    "extensions/uri-absolute": Rule(
        id="extensions/uri-absolute",
        severity="error",
        spec="A2A 1.0 §4.4.4",
        message="{value} is not an absolute URI: an extension is known by its URI alone",
    ),
    "extensions/uri-missing": Rule(
        id="extensions/uri-missing",
        severity="warning",
        spec="A2A 1.0 §4.4.4",
        message="the extension has no uri: nobody can tell which one it is",
    ),
    "interfaces/custom-binding": Rule(
        id="interfaces/custom-binding",
        severity="warning",
        spec="A2A 1.0 §5.8",
        message="{value} is a binding of its own: §5.8 asks for a URI as its name, so that it is unique",
    ),
    "interfaces/repeated": Rule(
        id="interfaces/repeated",
        severity="warning",
        spec="A2A 1.0 §4.4.6",
        message="the same URL, binding, version and tenant stand at {first} already",
    ),
    "interfaces/version-form": Rule(
        id="interfaces/version-form",
        severity="error",
        spec="A2A 1.0 §3.6",
        message="{value} is not a protocol version: write Major.Minor, such as 1.0",
    ),
    "interfaces/version-patch": Rule(
        id="interfaces/version-patch",
        severity="warning",
        spec="A2A 1.0 §3.6",
        message="{value} has a patch number: write Major.Minor, patches do not count",
    ),
    "limits/interfaces": Rule(
        id="limits/interfaces",
        severity="error",
        spec="ours",
        message="more than 64 interfaces: no reader tries them all",
    ),
    "limits/skills": Rule(
        id="limits/skills",
        severity="error",
        spec="ours",
        message="more than 1,024 skills: no reader gets through them; split the agent",
    ),
    "members/authentication": Rule(
        id="members/authentication",
        severity="warning",
        spec="A2A 1.0 §4.5.1",
        message="`authentication` is a member of A2A 0.1: later readers do not see it and take the agent for open; declare `securitySchemes`",
    ),
    "members/protocol-version": Rule(
        id="members/protocol-version",
        severity="warning",
        spec="A2A 1.0 §4.4.6",
        message="`protocolVersion` is not a member of a 1.0 card and is ignored: write protocolVersion of each interface",
    ),
    "members/protocol-versions": Rule(
        id="members/protocol-versions",
        severity="warning",
        spec="A2A 1.0 §A.2.1",
        message="`protocolVersions` is not a member of a 1.0 card and is ignored: write protocolVersion of each interface",
    ),
    "members/security": Rule(
        id="members/security",
        severity="warning",
        spec="A2A 1.0 §4.5",
        message="`security` is not a member of a 1.0 card and is ignored: write securityRequirements",
    ),
    "members/spelling": Rule(
        id="members/spelling",
        severity="warning",
        spec="A2A 1.0 §5.5",
        message="{value} is read by nobody: the member is called {meant}",
    ),
    "members/state-transition-history": Rule(
        id="members/state-transition-history",
        severity="warning",
        spec="A2A 1.0 §4.4.3",
        message="`stateTransitionHistory` is gone since 1.0 and is ignored: leave it out",
    ),
    "members/supports-extended-agent-card": Rule(
        id="members/supports-extended-agent-card",
        severity="warning",
        spec="A2A 1.0 §A.2.2",
        message="`supportsExtendedAgentCard` is not a member of a 1.0 card and is ignored: write capabilities.extendedAgentCard",
    ),
    "modes/media-type": Rule(
        id="modes/media-type",
        severity="warning",
        spec="A2A 1.0 §4.4.1",
        message="{value} is not a media type: write type/subtype, such as text/plain or application/json",
    ),
    "secrets/token": Rule(
        id="secrets/token",
        severity="error",
        spec="A2A 0.1 §5.4; A2A 1.0 §13.4",
        message="this text holds what looks like a secret (an API key, token or private key): take it out and revoke it",
    ),
    "security/declared": Rule(
        id="security/declared",
        severity="error",
        spec="A2A 1.0 §4.5.1",
        message="the security scheme {value} is not declared in securitySchemes (declared: {declared}): declare it or name one that is",
    ),
    "security/deprecated-flow": Rule(
        id="security/deprecated-flow",
        severity="warning",
        spec="A2A 1.0 §4.5.7",
        message="the implicit and password flows are deprecated: use authorizationCode with PKCE, or deviceCode",
    ),
    "security/requirement-form": Rule(
        id="security/requirement-form",
        severity="warning",
        spec="A2A 1.0 §4.5",
        message='the requirement has no `schemes`: a 1.0 reader takes it for `nothing needed`; write {{"schemes": {{"NAME": {{"list": []}}}}}}',
    ),
    "security/url": Rule(
        id="security/url",
        severity="warning",
        spec="A2A 1.0 §4.5",
        message="{value} is not an https URL: credentials are obtained there",
    ),
    "signatures/base64url": Rule(
        id="signatures/base64url",
        severity="error",
        spec="A2A 1.0 §8.4.2",
        message="the signature is not base64url without padding",
    ),
    "signatures/protected": Rule(
        id="signatures/protected",
        severity="error",
        spec="A2A 1.0 §8.4.2",
        message="this is no protected JWS header: {fault}; it must be base64url of a JSON object with alg and kid",
    ),
    "skills/unique-id": Rule(
        id="skills/unique-id",
        severity="error",
        spec="A2A 1.0 §4.4.5",
        message="the skill id {value} stands at {first} already: give each skill its own",
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
    "transports/core-name-alias": Rule(
        id="transports/core-name-alias",
        severity="warning",
        spec="A2A 1.0 §4.4.6; §5.8",
        message="{value} is no transport name of the specification; JSONRPC, GRPC and HTTP+JSON are",
    ),
    "transports/core-name-case": Rule(
        id="transports/core-name-case",
        severity="warning",
        spec="A2A 1.0 §4.4.6; §5.8",
        message="{value} is a core transport in another spelling: clients compare the exact name",
    ),
    "url/https": Rule(
        id="url/https",
        severity="warning",
        spec="A2A 1.0 §4.4.6; §7.1",
        message="{value} is plain http: an agent that others reach over a network is served over https",
    ),
    "url/interface-absolute": Rule(
        id="url/interface-absolute",
        severity="error",
        spec="A2A 1.0 §4.4.6",
        message="{value} is not an absolute URL (a GRPC interface may be host:port)",
    ),
    "url/loopback-host": Rule(
        id="url/loopback-host",
        severity="warning",
        spec="A2A 1.0 §4.4.6; §7.1",
        message="{value} names this machine itself: nobody else reaches it there; write the public host",
    ),
    "url/reference-absolute": Rule(
        id="url/reference-absolute",
        severity="warning",
        spec="A2A 1.0 §4.4.1",
        message="{value} is not an absolute URL: a reader of the card has no base to resolve it against",
    ),
    "url/userinfo": Rule(
        id="url/userinfo",
        severity="error",
        spec="A2A 0.1 §5.4; RFC 3986 §3.2.1",
        message="the URL carries a user name or password before its host: take it out of the card",
    ),
    "url/wildcard-host": Rule(
        id="url/wildcard-host",
        severity="warning",
        spec="A2A 1.0 §4.4.6; §7.1",
        message="{value} names the address a server listens on, not one that a client can dial; write the public host",
    ),
}

SPELLINGS: Final = {
    "": Spelling.of(
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
    "/capabilities": Spelling.of(
        "extendedAgentCard",
        "extensions",
        "pushNotifications",
        "streaming",
    ),
    "/provider": Spelling.of(
        "organization",
        "url",
    ),
    "/skills/*": Spelling.of(
        "description",
        "examples",
        "id",
        "inputModes",
        "name",
        "outputModes",
        "securityRequirements",
        "tags",
    ),
    "/supportedInterfaces/*": Spelling.of(
        "protocolBinding",
        "protocolVersion",
        "tenant",
        "url",
    ),
}


def structural(document: dict[str, Any], found: list[Violation], vocabularies: Vocabularies) -> None:
    """Add what breaks the rules that JSON Schema cannot say."""
    if dig(document, ("capabilities", "extensions")):
        for index, item in enumerate(listed(dig(document, ("capabilities", "extensions")))):
            if type(item) is dict and item.get("uri") == "https://beach.cool-ai.io/extensions/v1":
                registered(
                    found,
                    RULES["extensions/beach-part-registered"],
                    item,
                    ("params", "envelopeConsumes", "*"),
                    vocabularies["part-types"],
                    slug=True,
                    at=f"/capabilities/extensions/{index}",
                )
    if dig(document, ("capabilities", "extensions")):
        unique(
            found,
            RULES["extensions/unique"],
            dig(document, ("capabilities", "extensions")),
            "/capabilities/extensions",
            ("uri",),
        )
    if "supportedInterfaces" in document:
        unique(
            found,
            RULES["interfaces/repeated"],
            document.get("supportedInterfaces"),
            "/supportedInterfaces",
            ("url", "protocolBinding", "protocolVersion", "tenant"),
        )
    if "authentication" in document and document.get("protocol") != "a2a":
        found.append(
            break_rule(RULES["members/authentication"], "/authentication", document["authentication"])
        )
    if "protocolVersion" in document:
        found.append(
            break_rule(RULES["members/protocol-version"], "/protocolVersion", document["protocolVersion"])
        )
    if "protocolVersions" in document:
        found.append(
            break_rule(RULES["members/protocol-versions"], "/protocolVersions", document["protocolVersions"])
        )
    if "security" in document:
        found.append(break_rule(RULES["members/security"], "/security", document["security"]))
    if type(document) is dict and not document.keys() <= SPELLINGS[""].names:
        spelling(found, RULES["members/spelling"], document, "", SPELLINGS[""])
    item = dig(document, ("provider",))
    if type(item) is dict and not item.keys() <= SPELLINGS["/provider"].names:
        spelling(found, RULES["members/spelling"], item, "/provider", SPELLINGS["/provider"])
    item = dig(document, ("capabilities",))
    if type(item) is dict and not item.keys() <= SPELLINGS["/capabilities"].names:
        spelling(found, RULES["members/spelling"], item, "/capabilities", SPELLINGS["/capabilities"])
    for index, item in enumerate(listed(document.get("skills"))):
        if type(item) is dict and not item.keys() <= SPELLINGS["/skills/*"].names:
            spelling(found, RULES["members/spelling"], item, f"/skills/{index}", SPELLINGS["/skills/*"])
    for index, item in enumerate(listed(document.get("supportedInterfaces"))):
        if type(item) is dict and not item.keys() <= SPELLINGS["/supportedInterfaces/*"].names:
            spelling(
                found,
                RULES["members/spelling"],
                item,
                f"/supportedInterfaces/{index}",
                SPELLINGS["/supportedInterfaces/*"],
            )
    if "stateTransitionHistory" in mapping(dig(document, ("capabilities",))):
        found.append(
            break_rule(
                RULES["members/state-transition-history"],
                "/capabilities/stateTransitionHistory",
                mapping(dig(document, ("capabilities",)))["stateTransitionHistory"],
            )
        )
    if "supportsExtendedAgentCard" in document:
        found.append(
            break_rule(
                RULES["members/supports-extended-agent-card"],
                "/supportsExtendedAgentCard",
                document["supportsExtendedAgentCard"],
            )
        )
    if "securityRequirements" in document:
        declared(
            found,
            RULES["security/declared"],
            document.get("securityRequirements"),
            document.get("securitySchemes"),
            "/securityRequirements",
            "schemes",
        )
    for index, item in enumerate(listed(document.get("skills"))):
        if type(item) is dict and "securityRequirements" in item:
            declared(
                found,
                RULES["security/declared"],
                item["securityRequirements"],
                document.get("securitySchemes"),
                f"/skills/{index}/securityRequirements",
                "schemes",
            )
    if "signatures" in document:
        jws_header(found, RULES["signatures/protected"], document, ("signatures", "*", "protected"))
    unique(found, RULES["skills/unique-id"], document.get("skills"), "/skills", ("id",))


JUDGE: Final = Judge(__package__ or "", RULES, structural, gated=True)
