"""Each kind of fix: the field before, the field after, and whether the fix is a guess."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest

from cardwright import Card, Checks, violations
from cardwright.canonical import Limits
from cardwright.errors import MalformedDocument, SignedCard, UnknownDialect
from cardwright.repair import is_signed
from cardwright.repair.patch import Moves, patched
from cardwright.validator import violations_of
from cardwright_rules.a2a_v0_3.validators import VALIDATOR
from cardwright_runtime.engine import _rule_id  # pyright: ignore[reportPrivateUsage] # its calls are counted
from cardwright_runtime.violation import break_rule
from tests.repair.fixed_documents import fixed

SKILL = {"id": "tides", "name": "Tides", "description": "Tells the tides.", "tags": ["sea"]}
BODY: dict[str, Any] = {
    "name": "Harbour",
    "description": "Knows a harbour.",
    "version": "1.2.3",
    "capabilities": {"streaming": True},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "skills": [SKILL],
}
URL = "https://harbour.example/a2a"
V01: dict[str, Any] = {**BODY, "url": URL, "authentication": {"schemes": ["Bearer"]}}
V02: dict[str, Any] = {**BODY, "url": URL, "protocolVersion": "0.2.6", "preferredTransport": "JSONRPC"}
V03: dict[str, Any] = {**BODY, "url": URL, "protocolVersion": "0.3.0", "preferredTransport": "JSONRPC"}
ENTRY = {"url": URL, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
V10: dict[str, Any] = {**BODY, "supportedInterfaces": [ENTRY]}
OLDER_ENTRY = {**ENTRY, "protocolVersion": "0.3"}
HYBRID: dict[str, Any] = {**V03, "supportedInterfaces": [ENTRY, OLDER_ENTRY]}
BASES = {"0.1": V01, "0.2": V02, "0.3": V03, "1.0": V10, "hybrid": HYBRID}
GONE = object()

KEY = {"type": "apiKey", "in": "header", "name": "X-Key"}
WRAPPED_KEY = {"apiKeySecurityScheme": {"location": "header", "name": "X-Key"}}
BEARER = {"type": "http", "scheme": "bearer"}
WRAPPED_BEARER = {"httpAuthSecurityScheme": {"scheme": "bearer"}}
FLOW = {"tokenUrl": "https://harbour.example/token", "scopes": {"read": "Reads."}}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fix: on a valid card, the invalid fields, and the same fields when fixed."""

    name: str
    base: str
    wrong: dict[str, Any]
    fixed: dict[str, Any]
    safe: bool = True

    def __str__(self) -> str:
        return f"{self.base} {self.name}"


def changed(card: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of a card with other fields; those marked as gone are left out."""
    both = {**deepcopy(card), **deepcopy(fields)}
    return {name: value for name, value in both.items() if fields.get(name) is not GONE}


def skills(**fields: Any) -> dict[str, Any]:
    return {"skills": [changed(SKILL, fields)]}


def interfaces(*entries: Any) -> dict[str, Any]:
    return {"supportedInterfaces": list(entries)}


KINDS = [
    # Fields and values
    Kind("snake case", "0.3", {"default_input_modes": ["text/plain"], "defaultInputModes": GONE}, {}),
    Kind("a repeated snake case field with equal values", "0.3", {"default_input_modes": ["text/plain"]}, {}),
    Kind("snake case within", "1.0", {"capabilities": {"push_notifications": True}}, {"capabilities": {"pushNotifications": True}}),
    Kind("another spelling", "0.3", {"DefaultInputModes": ["text/plain"], "defaultInputModes": GONE}, {}, safe=False),
    Kind("null", "0.3", {"iconUrl": None}, {}),
    Kind("null where modes must stand", "0.3", {"defaultInputModes": None}, {}, safe=False),
    Kind("True", "0.3", {"capabilities": {"streaming": "True"}}, {"capabilities": {"streaming": True}}),
    Kind("no", "1.0", {"capabilities": {"streaming": "no"}}, {"capabilities": {"streaming": False}}),
    Kind("yes", "0.1", {"capabilities": {"pushNotifications": " Yes "}}, {"capabilities": {"pushNotifications": True}}),
    Kind("version as a number", "1.0", {"version": 1.5}, {"version": "1.5"}),
    Kind("one text for a list", "1.0", skills(tags="sea"), {}),
    Kind("a plain name for a skill", "0.1", {"skills": ["tides"]}, {"skills": [{"id": "tides", "name": "tides"}]}),
    Kind("blanks around a URL", "0.3", {"url": f"  {URL}\n"}, {}),
    Kind("blanks around an interface's URL", "1.0", interfaces({**ENTRY, "url": f" {URL}"}), {}),
    # Modes
    Kind("no modes", "0.2", {"defaultInputModes": GONE, "defaultOutputModes": GONE}, {}, safe=False),
    Kind("empty modes", "1.0", {"defaultInputModes": []}, {}, safe=False),
    Kind("no version of A2A", "0.2", {"protocolVersion": GONE}, {}, safe=False),
    Kind("no transport", "0.2", {"preferredTransport": GONE}, {}),
    Kind("text", "1.0", {"defaultInputModes": ["text"]}, {}),
    Kind("Json, with blanks", "0.1", {"defaultInputModes": [" Json "]}, {"defaultInputModes": ["application/json"]}),
    Kind("text beside text/plain", "0.3", {"defaultInputModes": ["text", "text/plain"]}, {}),
    Kind("blanks around a media type", "0.3", {"defaultInputModes": ["text/plain "]}, {}),
    Kind("image", "0.3", {"defaultInputModes": ["image"]}, {"defaultInputModes": ["image/*"]}, safe=False),
    # Transports and interfaces
    Kind("jsonrpc", "1.0", interfaces({**ENTRY, "protocolBinding": "jsonrpc"}), {}),
    Kind("http+json", "0.3", {"preferredTransport": "http+json"}, {"preferredTransport": "HTTP+JSON"}),
    Kind("REST", "0.3", {"preferredTransport": "REST"}, {"preferredTransport": "HTTP+JSON"}, safe=False),
    Kind("no preferred transport", "0.3", {"preferredTransport": GONE}, {}),
    Kind("main URL not listed", "0.3", {"additionalInterfaces": [{"url": f"{URL}/g", "transport": "GRPC"}]}, {"additionalInterfaces": [{"url": f"{URL}/g", "transport": "GRPC"}, {"url": URL, "transport": "JSONRPC"}]}),
    Kind("an interface twice", "1.0", interfaces(ENTRY, ENTRY), {}),
    Kind("one interface for a list", "1.0", {"supportedInterfaces": ENTRY}, {}),
    Kind("patch number", "1.0", interfaces({**ENTRY, "protocolVersion": "1.0.1"}), {}),
    Kind("v1.0", "1.0", interfaces({**ENTRY, "protocolVersion": "v1.0"}), {}),
    Kind("transport for protocolBinding", "1.0", interfaces({"url": URL, "transport": "JSONRPC", "protocolVersion": "1.0"}), {}),
    Kind("one version for all interfaces", "1.0", {"protocolVersions": ["1.0.0"], **interfaces(changed(ENTRY, {"protocolVersion": GONE}))}, {}),
    Kind("no interface version", "1.0", interfaces(changed(ENTRY, {"protocolVersion": GONE})), {}, safe=False),
    Kind("no binding", "1.0", interfaces(changed(ENTRY, {"protocolBinding": GONE})), {}, safe=False),
    # What earlier versions had
    Kind("leftover protocolVersion", "1.0", {"protocolVersion": "1.0"}, {}),
    Kind("leftover protocolVersions", "1.0", {"protocolVersions": ["1.0", "0.3"]}, {}),
    Kind("supportsExtendedAgentCard", "1.0", {"supportsExtendedAgentCard": True}, {"capabilities": {"streaming": True, "extendedAgentCard": True}}),
    Kind("a repeated supportsExtendedAgentCard", "1.0", {"supportsExtendedAgentCard": True, "capabilities": {"extendedAgentCard": True}}, {"capabilities": {"extendedAgentCard": True}}),
    # Security
    Kind("API key of 0.x", "1.0", {"securitySchemes": {"k": KEY}}, {"securitySchemes": {"k": WRAPPED_KEY}}),
    Kind("http of 0.x", "1.0", {"securitySchemes": {"b": {**BEARER, "bearerFormat": "JWT"}}}, {"securitySchemes": {"b": {"httpAuthSecurityScheme": {"scheme": "bearer", "bearerFormat": "JWT"}}}}),
    Kind("OAuth of 0.x", "1.0", {"securitySchemes": {"o": {"type": "oauth2", "flows": {"clientCredentials": FLOW}}}}, {"securitySchemes": {"o": {"oauth2SecurityScheme": {"flows": {"clientCredentials": FLOW}}}}}),
    Kind("OpenID of 0.x", "1.0", {"securitySchemes": {"i": {"type": "openIdConnect", "openIdConnectUrl": URL}}}, {"securitySchemes": {"i": {"openIdConnectSecurityScheme": {"openIdConnectUrl": URL}}}}),
    Kind("mutual TLS of 0.x", "1.0", {"securitySchemes": {"m": {"type": "mutualTLS"}}}, {"securitySchemes": {"m": {"mtlsSecurityScheme": {}}}}),
    Kind("security of 0.x", "1.0", {"securitySchemes": {"k": WRAPPED_KEY}, "security": [{"k": ["a"]}, {}]}, {"securitySchemes": {"k": WRAPPED_KEY}, "securityRequirements": [{"schemes": {"k": {"list": ["a"]}}}, {"schemes": {}}]}),
    Kind("requirement of 0.x", "1.0", {"securitySchemes": {"k": WRAPPED_KEY}, "securityRequirements": [{"k": []}]}, {"securitySchemes": {"k": WRAPPED_KEY}, "securityRequirements": [{"schemes": {"k": {"list": []}}}]}),
    Kind("requirement of 0.x on a skill", "1.0", {"securitySchemes": {"k": WRAPPED_KEY}, **skills(securityRequirements=[{"k": []}])}, {"securitySchemes": {"k": WRAPPED_KEY}, **skills(securityRequirements=[{"schemes": {"k": {"list": []}}}])}),
    Kind("scopes as a list", "1.0", {"securitySchemes": {"k": WRAPPED_KEY}, "securityRequirements": [{"schemes": {"k": ["a"]}}]}, {"securitySchemes": {"k": WRAPPED_KEY}, "securityRequirements": [{"schemes": {"k": {"list": ["a"]}}}]}),
    Kind("wrapper of 1.0", "0.3", {"securitySchemes": {"k": WRAPPED_KEY}}, {"securitySchemes": {"k": KEY}}),
    Kind("location for in", "0.2", {"securitySchemes": {"k": {"type": "apiKey", "location": "header", "name": "X-Key"}}}, {"securitySchemes": {"k": KEY}}),
    Kind("null in a scheme", "0.2", {"securitySchemes": {"k": {**KEY, "description": None}}}, {"securitySchemes": {"k": KEY}}),
    Kind("flow without scopes", "0.3", {"securitySchemes": {"o": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": URL}}}}}, {"securitySchemes": {"o": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": URL, "scopes": {}}}}}}),
    Kind("an invalid scheme", "0.3", {"securitySchemes": {"n": {"type": "none"}}, "security": [{"n": []}]}, {"securitySchemes": {}, "security": [{}]}),
    Kind("a list of schemes", "0.3", {"securitySchemes": [KEY]}, {"securitySchemes": {"apiKey": KEY}}, safe=False),
    Kind("an undeclared scheme", "0.3", {"security": [{"bearer": []}]}, {"security": [{"bearer": []}], "securitySchemes": {"bearer": BEARER}}, safe=False),
    Kind("an undeclared scheme", "1.0", {"securitySchemes": {}, "securityRequirements": [{"schemes": {"bearer": {"list": []}}}]}, {"securitySchemes": {"bearer": WRAPPED_BEARER}, "securityRequirements": [{"schemes": {"bearer": {"list": []}}}]}, safe=False),
    # authentication of 0.1
    Kind("authentication by bearer", "0.3", {"authentication": {"schemes": ["Bearer"]}}, {"securitySchemes": {"Bearer": BEARER}, "security": [{"Bearer": []}]}),
    Kind("authentication by basic", "0.2", {"authentication": {"schemes": ["basic"], "credentials": None}}, {"securitySchemes": {"basic": {"type": "http", "scheme": "basic"}}, "security": [{"basic": []}]}),
    Kind("authentication by bearer", "1.0", {"authentication": {"schemes": ["bearer"]}}, {"securitySchemes": {"bearer": WRAPPED_BEARER}, "securityRequirements": [{"schemes": {"bearer": {"list": []}}}]}),
    Kind("authentication either way", "0.3", {"authentication": {"schemes": ["bearer", "basic"]}}, {"securitySchemes": {"bearer": BEARER, "basic": {"type": "http", "scheme": "basic"}}, "security": [{"bearer": []}, {"basic": []}]}),
    Kind("authentication by a key with a named header", "0.3", {"authentication": {"schemes": ["apiKey"], "credentials": '{"in": "header", "name": "X-Key"}'}}, {"securitySchemes": {"apiKey": KEY}, "security": [{"apiKey": []}]}),
    Kind("authentication with words about it", "0.3", {"authentication": {"schemes": ["bearer"], "credentials": "Ask at the quay."}}, {"securitySchemes": {"bearer": {**BEARER, "description": "Ask at the quay."}}, "security": [{"bearer": []}]}),
    Kind("authentication by a key", "0.3", {"authentication": {"schemes": ["api_key"]}}, {"securitySchemes": {"api_key": {"type": "apiKey", "in": "header", "name": "X-API-Key"}}, "security": [{"api_key": []}]}, safe=False),
    Kind("authentication by a key", "1.0", {"authentication": {"schemes": ["apiKey"]}}, {"securitySchemes": {"apiKey": {"apiKeySecurityScheme": {"location": "header", "name": "X-API-Key"}}}, "securityRequirements": [{"schemes": {"apiKey": {"list": []}}}]}, safe=False),
    Kind("invalid authentication", "0.3", {"authentication": {"schemes": ["none"]}}, {}),
    Kind("authentication of nothing", "0.2", {"authentication": None}, {}),
    Kind("one scheme for a list", "0.1", {"authentication": {"schemes": "Bearer"}}, {}),
    Kind("credentials as an object", "0.1", {"authentication": {"schemes": ["key"], "credentials": {"in": "header"}}}, {"authentication": {"schemes": ["key"], "credentials": '{"in": "header"}'}}),
    Kind("a type for schemes", "0.1", {"authentication": {"type": "atc"}}, {"authentication": {"type": "atc", "schemes": ["atc"]}}, safe=False),
    Kind("no scheme at all", "0.1", {"authentication": {"required": False}}, {"authentication": {"required": False, "schemes": []}}, safe=False),
    # Providers
    Kind("provider's name", "0.2", {"provider": {"name": "Port", "url": URL}}, {"provider": {"organization": "Port", "url": URL}}),
    Kind("provider's name", "0.1", {"provider": {"name": "Port"}}, {"provider": {"organization": "Port"}}),
    Kind("empty provider", "1.0", {"provider": {}}, {}),
    Kind("no provider's URL", "0.3", {"provider": {"organization": "Port"}}, {"provider": {"organization": "Port", "url": "https://harbour.example"}}, safe=False),
    Kind("no provider's organization", "0.3", {"provider": {"url": URL}}, {"provider": {"url": URL, "organization": "Harbour"}}, safe=False),
    # What is missing
    Kind("no tags", "0.3", skills(tags=GONE), skills(tags=["general"]), safe=False),
    Kind("empty tags", "1.0", skills(tags=[]), skills(tags=["general"]), safe=False),
    Kind("no skill id", "1.0", skills(id=GONE, name="Tídes & Ebbs!"), skills(id="tides-ebbs", name="Tídes & Ebbs!"), safe=False),
    Kind("no skill name", "0.3", skills(name=GONE), skills(name="tides"), safe=False),
    Kind("no skill description", "0.3", skills(description=GONE), skills(description="Tides"), safe=False),
    Kind("a plain name for a skill", "0.3", {"skills": ["tides"]}, {"skills": [{"id": "tides", "name": "tides", "description": "tides", "tags": ["general"]}]}, safe=False),
    Kind("a skill twice", "0.3", {"skills": [SKILL, SKILL]}, {}),
    Kind("a skill id twice", "0.3", {"skills": [SKILL, {**SKILL, "name": "Ebbs"}]}, {"skills": [SKILL, {**SKILL, "name": "Ebbs", "id": "tides-2"}]}, safe=False),
    Kind("empty skills", "1.0", {"skills": []}, {"skills": [{"id": "harbour", "name": "Harbour", "description": "Knows a harbour.", "tags": ["general"]}]}, safe=False),
    Kind("no description", "0.3", {"description": GONE}, {"description": "Harbour"}, safe=False),
    Kind("no version", "1.0", {"version": GONE}, {"version": "0.0.0"}, safe=False),
    Kind("no capabilities", "0.3", {"capabilities": GONE}, {"capabilities": {}}, safe=False),
    Kind("capabilities as a list", "0.3", {"capabilities": ["streaming", "Push-Notifications"]}, {"capabilities": {"streaming": True, "pushNotifications": True}}),
    Kind("capabilities as a list of known and other names", "1.0", {"capabilities": ["streaming", "tools"]}, {"capabilities": {"streaming": True}}, safe=False),
    Kind("capabilities as a list of other names", "0.3", {"capabilities": ["tools"]}, {"capabilities": {}}, safe=False),
    Kind("an endpoint by another name", "0.2", {"url": GONE, "endpoint": URL}, {}, safe=False),
    Kind("an extension twice", "1.0", {"capabilities": {"extensions": [{"uri": URL}, {"uri": URL}]}}, {"capabilities": {"extensions": [{"uri": URL}]}}),
    Kind("a scheme that is a name", "0.3", {"securitySchemes": {"k": "bearer"}}, {"securitySchemes": {"k": BEARER}}),
    Kind("a scheme that is a name", "1.0", {"securitySchemes": {"k": "bearer"}}, {"securitySchemes": {"k": WRAPPED_BEARER}}),
    Kind("a scheme without a type", "0.3", {"securitySchemes": {"k": {"name": "X-Key", "location": "header"}}}, {"securitySchemes": {"k": KEY}}),
    Kind("a scheme without a type", "1.0", {"securitySchemes": {"k": {"name": "X-Key", "in": "header"}}}, {"securitySchemes": {"k": WRAPPED_KEY}}),
    Kind("a version in a list", "1.0", {"protocolVersions": ["0.3"], "supportedInterfaces": [{**ENTRY, "protocolVersion": "0.3"}]}, {"supportedInterfaces": [{**ENTRY, "protocolVersion": "0.3"}]}),
    Kind("interfaces by their names", "1.0", {"supportedInterfaces": {"a2a": URL, "mcp": f"{URL}/mcp"}}, {"supportedInterfaces": [ENTRY]}, safe=False),
    # Hybrids
    Kind("an interface without a version, by an alias", "hybrid", {"supportedInterfaces": [{"url": URL, "protocolBinding": "json-rpc"}]}, {"supportedInterfaces": [ENTRY]}, safe=False),
    Kind("1.x on a body of 0.x", "0.3", {"protocolVersion": "1.0"}, {}, safe=False),
    Kind("a scheme of 0.x alone", "hybrid", {"securitySchemes": {"k": KEY}}, {"securitySchemes": {"k": {**KEY, **WRAPPED_KEY}}}),
    Kind("a scheme of 1.0 alone", "hybrid", {"securitySchemes": {"k": WRAPPED_KEY}}, {"securitySchemes": {"k": {**KEY, **WRAPPED_KEY}}}),
    Kind("security in one half", "hybrid", {"securitySchemes": {"k": {**KEY, **WRAPPED_KEY}}, "security": [{"k": []}]}, {"securitySchemes": {"k": {**KEY, **WRAPPED_KEY}}, "security": [{"k": []}], "securityRequirements": [{"schemes": {"k": {"list": []}}}]}, safe=False),
    Kind("security in the other half", "hybrid", {"securitySchemes": {"k": {**KEY, **WRAPPED_KEY}}, "securityRequirements": [{"schemes": {"k": {"list": ["a"]}}}]}, {"securitySchemes": {"k": {**KEY, **WRAPPED_KEY}}, "security": [{"k": ["a"]}], "securityRequirements": [{"schemes": {"k": {"list": ["a"]}}}]}, safe=False),
    Kind("an extended card in one half", "hybrid", {"supportsAuthenticatedExtendedCard": True}, {"supportsAuthenticatedExtendedCard": True, "capabilities": {"streaming": True, "extendedAgentCard": True}}, safe=False),
    Kind("an extended card in the other half", "hybrid", {"capabilities": {"extendedAgentCard": True}}, {"supportsAuthenticatedExtendedCard": True, "capabilities": {"extendedAgentCard": True}}, safe=False),
    Kind("a URL in one half", "hybrid", {"url": f"{URL}/old", **interfaces(ENTRY)}, {"url": f"{URL}/old", **interfaces(ENTRY, {**OLDER_ENTRY, "url": f"{URL}/old"})}, safe=False),
    Kind("an interface of 0.3 in one half", "hybrid", interfaces(ENTRY, {**OLDER_ENTRY, "url": f"{URL}/old"}), {"additionalInterfaces": [{"url": URL, "transport": "JSONRPC"}, {"url": f"{URL}/old", "transport": "JSONRPC"}], **interfaces(ENTRY, {**OLDER_ENTRY, "url": f"{URL}/old"})}, safe=False),
    Kind("a transport in one half", "hybrid", {"preferredTransport": GONE, **interfaces({**ENTRY, "protocolBinding": "GRPC"})}, {"preferredTransport": "GRPC", **interfaces({**ENTRY, "protocolBinding": "GRPC"})}, safe=False),
]  # fmt: skip


@pytest.mark.parametrize("name", BASES)
def test_the_base_cards_of_these_tests_need_no_fix(name: str) -> None:
    assert [v for v in violations(BASES[name]) if v.severity == "error"] == []
    assert fixed(BASES[name], safe_only=True) == (BASES[name], ())


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_each_kind_of_fix_gives_the_expected_card(kind: Kind) -> None:
    before, after = changed(BASES[kind.base], kind.wrong), changed(BASES[kind.base], kind.fixed)

    # Its error may be what distinguished a card of 0.1 from the others.
    dialect = "a2a-0.1" if kind.base == "0.1" else None

    better, fixes = fixed(before, dialect=dialect)

    assert better == after
    assert Card.from_document(better, dialect=dialect).valid
    assert fixes
    assert all(one.fix.safe for one in fixes) is kind.safe


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.safe], ids=str)
def test_with_safe_fixes_only_a_guess_is_neither_applied_nor_confirmed(kind: Kind) -> None:
    before = changed(BASES[kind.base], kind.wrong)
    requests: list[Any] = []

    better, fixes = fixed(before, safe_only=True, ask=requests.append)  # type: ignore[arg-type] # returns None: no

    assert all(one.fix.safe for one in fixes)
    assert better == before or fixes
    assert requests == []


# What is left alone


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": GONE},
        {"url": "/a2a"},
        {"url": ""},
        {"url": GONE, "endpoint": "/a2a"},
        {"securitySchemes": {"k": {"type": "apiKey", "in": "header"}}},
        {"securitySchemes": {"o": {"type": "oauth2"}}},
        {"security": [{"partners": []}]},
        {"capabilities": {"streaming": "sometimes"}},
        {"skills": "tides"},
        # A named scheme stays required, whatever else is invalid; a requirement is never removed.
        {"securitySchemes": {"b": BEARER}, "security": [{"b": None}]},
        {"securitySchemes": {"list": BEARER}, "security": [{"list": None}]},
        {"securitySchemes": {"b": BEARER}, **skills(security=[{"b": None}])},
        {"securitySchemes": {"n": {"type": "none", "scheme": "bearer"}}, "security": [{"n": []}]},
        {"securitySchemes": {"b": {"type": "bearer", "scheme": "basic"}}, "security": [{"b": []}]},
        {"authentication": {"required": True}},
        {"authentication": {"schemes": ["none"], "required": True}},
        {"authentication": {"schemes": ["bearer"], "credentials": '{"scheme": "basic"}'}},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_a_value_that_cannot_be_derived_is_left_unchanged(wrong: dict[str, Any]) -> None:
    before = changed(V03, wrong)

    assert fixed(before) == (before, ())


@pytest.mark.parametrize(
    "wrong",
    [
        {"securitySchemes": {"b": WRAPPED_BEARER}, "securityRequirements": [{"schemes": {"b": None}}]},
        {"securitySchemes": {"b": WRAPPED_BEARER}, "securityRequirements": [{"schemes": None}]},
        {"securitySchemes": {"k": {**KEY, "location": "query"}}},
    ],
)
def test_a_fix_never_removes_a_security_requirement_of_1_0(wrong: dict[str, Any]) -> None:
    before = changed(V10, wrong)

    assert fixed(before) == (before, ())


def test_null_scopes_are_no_scopes_and_the_scheme_stays_required() -> None:
    requirements = {"securityRequirements": [{"schemes": {"b": {"list": None}}}]}
    before = changed(V10, {"securitySchemes": {"b": WRAPPED_BEARER}, **requirements})

    assert fixed(before)[0]["securityRequirements"] == [{"schemes": {"b": {}}}]


def test_a_fix_that_would_add_an_error_is_left_out() -> None:
    # Under its right name the number would be an error.
    before = changed(V03, {"iconUrl": GONE, "icon_url": 7})

    assert fixed(before) == (before, ())


def test_a_fix_that_adds_only_a_warning_is_applied() -> None:
    # Its only endpoint is plain http: as its url it is warned of.
    before = changed(V02, {"url": GONE, "endpoint": "http://harbour.example/a2a"})

    assert fixed(before)[0] == changed(V02, {"url": "http://harbour.example/a2a"})


def test_a_fix_names_and_counts_what_it_drops() -> None:
    _, (one,) = fixed(changed(V03, {"capabilities": ["plan", "book", "pay", "cancel"]}))
    assert one.fix.description.endswith(
        'no optional capability, and drops 4 entries: "plan", "book", "pay", …'
    )
    _, (one,) = fixed(changed(V10, {"capabilities": ["streaming", "tools"]}))
    assert one.fix.description.endswith('are true, and drops 1 entry: "tools"')


def test_a_document_that_lacks_most_of_an_agent_is_not_fixed() -> None:
    before = changed(V03, {"version": GONE, "description": GONE, "iconUrl": None})
    assert len(fixed(before)[1]) == 3
    before = changed(before, {"capabilities": GONE})
    assert fixed(before) == (before, ())


def test_a_harmful_fix_does_not_prevent_others() -> None:
    before = changed(V02, {"icon_url": 7, "documentationUrl": None})
    before["default_input_modes"] = before.pop("defaultInputModes")

    better, _ = fixed(before)

    assert better == changed(V02, {"icon_url": 7})


def test_a_violation_revealed_by_a_fix_is_fixed_too() -> None:
    before = changed(V03, {"defaultInputModes": GONE, "default_input_modes": "text"})

    better, fixes = fixed(before, safe_only=True)

    assert better == V03
    assert [one.violation.rule for one in fixes] == ["members/spelling", "schema/type", "modes/media-type"]


def test_an_unfixable_violation_revealed_by_a_fix_stays_as_a_warning() -> None:
    before = changed(V03, {"defaultInputModes": GONE, "default_input_modes": ["smell"]})

    better, _ = fixed(before, safe_only=True)

    assert better == changed(V03, {"defaultInputModes": ["smell"]})


def test_two_fixes_of_the_same_place_are_applied_in_turn() -> None:
    before = changed(V10, {"securitySchemes": {"k": {**KEY, "description": None}}})
    before |= {"security": [{"k": []}], "supportedInterfaces": [ENTRY, {**ENTRY, "url": f" {URL}"}]}

    better, fixes = fixed(before, safe_only=True)

    # The second interface is the first one, once its blanks are gone.
    assert better["supportedInterfaces"] == [ENTRY]
    assert better["securityRequirements"] == [{"schemes": {"k": {"list": []}}}]
    assert patched(before, [one.fix.patch for one in fixes]) == better


def test_a_renamed_field_keeps_its_position() -> None:
    before = {("default_input_modes" if name == "defaultInputModes" else name): v for name, v in V03.items()}

    assert list(fixed(before)[0]) == list(V03)


def test_a_misspelt_field_that_contradicts_the_right_one_is_left() -> None:
    before = {**V03, "default_input_modes": ["application/json"]}

    assert fixed(before) == (before, ())


def test_a_document_and_its_fixed_copy_share_nothing() -> None:
    before = changed(V03, {"iconUrl": None, **skills(tags=GONE)})
    kept = deepcopy(before)

    better, _ = fixed(before)
    better["skills"][0]["tags"].append("mine")
    better["capabilities"]["streaming"] = False

    assert before == kept
    assert fixed(before)[0]["skills"][0]["tags"] == ["general"]


# Confirmation and refusal


def test_each_guess_is_confirmed_and_only_agreed_ones_are_applied() -> None:
    before = changed(V03, {"version": GONE, **skills(tags=GONE)})

    better, fixes = fixed(before, ask=lambda violation: violation.pointer == "/version")

    assert better == changed(V03, {"version": "0.0.0", **skills(tags=GONE)})
    assert [one.violation.pointer for one in fixes] == ["/version"]


def test_a_guess_is_confirmed_once() -> None:
    requests: list[str] = []

    def refuse(violation: Any) -> bool:
        requests.append(violation.pointer)
        return False

    fixed(changed(V03, {"version": GONE, **skills(tags=GONE)}), ask=refuse)

    assert sorted(requests) == ["/skills/0/tags", "/version"]


def test_a_confirmation_applies_to_its_own_item() -> None:
    # With a tag the second skill is the first one again and is left out: then the others move up.
    first = {**SKILL, "tags": ["general"]}
    untagged = [changed(SKILL, {"id": name, "tags": GONE}) for name in ("tides", "ebbs", "locks")]
    requests: list[str] = []

    def agree(violation: Any) -> bool:
        requests.append(violation.pointer)
        return violation.pointer == "/skills/1/tags" and requests.count(violation.pointer) == 1

    better, _ = fixed(changed(V03, {"skills": [first, *untagged]}), ask=agree)

    assert better["skills"] == [first, *untagged[1:]]


SIGNED = {**V03, "signatures": [{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ", "signature": "c2ln"}]}


def test_each_fix_of_a_signed_card_warns_that_it_invalidates_the_signatures() -> None:
    before = {**SIGNED, "iconUrl": None}

    better, fixes = fixed(before)

    assert better == SIGNED
    assert [one.breaks_signatures for one in fixes] == [True]
    assert [one.breaks_signatures for one in fixed({**V03, "iconUrl": None})[1]] == [False]


def test_a_signed_card_is_refused_if_its_signatures_must_stay_valid() -> None:
    with pytest.raises(SignedCard, match=r"1 fix would change it and invalidate its signatures") as refusal:
        fixed({**SIGNED, "iconUrl": None}, break_signatures=False)

    assert refusal.value.fixes == 1


def test_a_signed_card_without_fixes_is_not_refused() -> None:
    assert fixed(SIGNED, break_signatures=False) == (SIGNED, ())


@pytest.mark.parametrize(
    ("signatures", "signed"), [(None, False), ([], False), ([{}], True), ({"did": "x"}, True)]
)
def test_any_value_of_signatures_makes_a_card_signed(signatures: Any, signed: bool) -> None:  # noqa: FBT001 - parametrised
    assert is_signed({"signatures": signatures}) is signed
    assert not is_signed([])  # type: ignore[arg-type] # no object


def test_a_document_that_cannot_be_validated_is_refused() -> None:
    with pytest.raises(UnknownDialect):
        fixed({"hello": 1})
    with pytest.raises(UnknownDialect):
        fixed(V03, dialect="a2a-9.9")
    with pytest.raises(MalformedDocument):
        fixed({**V03, "name": float("nan")})
    with pytest.raises(MalformedDocument):
        fixed(V03, checks=Checks(limits=Limits(max_depth=1)))


def test_a_document_that_is_no_object_is_unchanged() -> None:
    assert fixed([1], dialect="a2a-1.0") == ([1], ())


# Many at once


def test_a_thousand_violations_need_only_a_few_validations(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def counted(*arguments: Any, **named: Any) -> Any:
        calls.append(1)
        return violations_of(*arguments, **named)

    monkeypatch.setattr("cardwright.repair.rounds.violations_of", counted)
    before = {**V03, "skills": [{"name": f"Tide {number}"} for number in range(330)]}

    better, fixes = fixed(before)

    assert len(fixes) == 990
    assert Card.from_document(better).violations == ()
    assert len(calls) <= 4


def test_generated_ids_are_unique_among_many() -> None:
    before = {**V03, "skills": [changed(SKILL, {"id": GONE}) for _ in range(3)] + [SKILL]}

    better, _ = fixed(before)

    assert [skill["id"] for skill in better["skills"]] == ["tides-2", "tides-3", "tides-4", "tides"]


@pytest.mark.bulk
@pytest.mark.parametrize("count", [998, 1_001, 2_000])
def test_a_document_with_more_faults_than_are_listed_is_left_as_it_is(count: int) -> None:
    before = changed(V03, {"iconUrl": None, "defaultInputModes": ["text"] * count})
    better, fixes = fixed(before)
    rules = {violation.rule for violation in Card.from_document(before).violations}

    if count < 1_000:
        assert len(fixes) == count + 1
        assert "limits/violations" not in rules
    else:
        assert (better, fixes) == (before, ())
        assert "limits/violations" in rules


def test_no_more_violations_are_created_than_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    created: list[int] = []

    def counted(*arguments: Any, **named: Any) -> Any:
        created.append(1)
        return break_rule(*arguments, **named)

    monkeypatch.setattr("cardwright_runtime.engine.break_rule", counted)
    card = Card.from_document(changed(V03, {"defaultInputModes": ["text"] * 2_000}))

    assert len(created) <= 1_000
    assert len(card.violations) == 1_001


def test_validation_stops_when_both_severities_are_full(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def counted(*arguments: Any) -> str:
        seen.append(_rule_id(*arguments))
        return seen[-1]

    monkeypatch.setattr("cardwright_runtime.engine._rule_id", counted)
    extensions = [{"uri": f"relative/{number}"} for number in range(300)]
    wrong = {"capabilities": {"extensions": extensions}, "defaultInputModes": ["text"] * 300}
    document = changed(V03, wrong)
    every = VALIDATOR.violations(document, {}, limit=100_000)
    severities = Counter(violation.severity for violation in every)
    assert min(severities["error"], severities["warning"]) >= 300
    walked, seen[:] = len(seen), []
    found = VALIDATOR.violations(document, {}, limit=3)

    assert len(found) == 4
    assert found[0].rule == "limits/violations"
    assert walked >= 600
    # All errors come first: they must be passed by, to find the first warnings.
    assert len(seen) == 303


@pytest.mark.bulk
def test_no_number_of_warnings_hides_an_error() -> None:
    warned = changed(V03, {"defaultInputModes": ["text"] * 2_000})
    wrong = changed(warned, {"url": "https://user:secret@example.com/"})

    assert Card.from_document(warned).valid
    assert not Card.from_document(wrong).valid
    assert {
        one.severity for one in Card.from_document(wrong).violations if one.rule == "limits/violations"
    } == {"error"}


def test_the_number_of_applied_fixes_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardwright.repair.rounds.MAX_FIXES", 5)
    before = changed(V03, {"iconUrl": None, "defaultInputModes": ["text"] * 9})

    better, fixes = fixed(before)

    assert len(fixes) == 5
    assert len(Card.from_document(better).violations) == len(Card.from_document(before).violations) - 5


# Patches


def test_items_after_removed_ones_move_up() -> None:
    document = {"list": ["a", "b", "c", "d"], "old": {"inner": 1}}
    patches = [
        [{"op": "remove", "path": "/list/2"}],
        [{"op": "remove", "path": "/list/0"}],
        [{"op": "move", "from": "/old", "path": "/new"}],
    ]

    moves = Moves(document, patches)

    assert patched(document, patches) == {"list": ["b", "d"], "new": {"inner": 1}}
    assert [moves(("list", step)) for step in "0123"] == [None, ("list", "0"), None, ("list", "1")]
    assert moves(("old", "inner")) == ("new", "inner")
    assert moves(("other",)) == ("other",)


def test_an_operation_on_a_missing_target_is_an_error() -> None:
    with pytest.raises(LookupError):
        patched({"a": 1}, [[{"op": "remove", "path": "/b"}]])
