"""Known errors of other converters, each by its name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cardwright.card import Card
from cardwright.conversion import ConversionReport, convert
from cardwright.conversion.extensions import MCP_URI, SCHEMAS_URI
from cardwright.view.interfaces import BEACH_EXTENSION_URI

Json = Any

COMMON: Json = {
    "name": "Tide Table",
    "description": "Knows when the water comes.",
    "version": "2.0.1",
    "capabilities": {},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "skills": [{"id": "tides", "name": "Tides", "description": "Tells the tides.", "tags": ["sea"]}],
}
OLDER: Json = {
    **COMMON,
    "protocolVersion": "0.3.0",
    "url": "https://tides.example.com/a2a",
    "preferredTransport": "JSONRPC",
}
NEWER: Json = {
    **COMMON,
    "supportedInterfaces": [
        {"url": "https://tides.example.com/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    ],
}
OLDEST: Json = {
    "name": "Tide Table",
    "url": "https://tides.example.com/a2a",
    "version": "2.0.1",
    "capabilities": {},
    "skills": [{"id": "tides", "name": "Tides"}],
}
BEACH: Json = {
    "schemaVersion": "1.0",
    "id": "tide-table",
    "name": "Tide Table",
    "description": "Knows when the water comes.",
    "version": "2.0.1",
    "capabilities": [{"id": "tides", "description": "Tells the tides.", "requiredScopes": []}],
    "transports": [
        {
            "protocol": "a2a",
            "version": "1.0",
            "endpoint": "https://tides.example.com/a2a",
            "auth": {"type": "api-key", "header": "X-Tide-Key"},
            "requiredScopes": [],
        }
    ],
}
LOGIN: Json = {
    "type": "oauth2",
    "flows": {
        "authorizationCode": {
            "authorizationUrl": "https://login.example.com/authorize",
            "tokenUrl": "https://login.example.com/token",
            "scopes": {"read": "Reads."},
        },
        "clientCredentials": {"tokenUrl": "https://login.example.com/token", "scopes": {"read": "Reads."}},
    },
}


def converted(document: Json, dialect: str, to: str, *, carry: bool = False) -> tuple[Json, ConversionReport]:
    card, report = convert(Card.from_document(document, dialect=dialect), to=to, carry=carry)
    return card.document, report


def lost(report: ConversionReport) -> list[str]:
    return [loss.pointer for loss in report.losses]


def assumed(report: ConversionReport) -> dict[str, Any]:
    return {one.pointer: one.value for one in report.assumptions}


def test_oauth2_with_several_flows_becomes_two_schemes_and_alternatives() -> None:
    document = {
        **OLDER,
        "securitySchemes": {"login": LOGIN, "key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
        "security": [{"login": ["read"], "key": []}, {"key": []}],
    }
    newer, report = converted(document, "a2a-0.3", "a2a-1.0")

    flows = {
        name: list(scheme["oauth2SecurityScheme"]["flows"])
        for name, scheme in newer["securitySchemes"].items()
        if "oauth2SecurityScheme" in scheme
    }
    assert flows == {"login": ["authorizationCode"], "login-clientCredentials": ["clientCredentials"]}
    assert newer["securityRequirements"] == [
        {"schemes": {"login": {"list": ["read"]}, "key": {"list": []}}},
        {"schemes": {"login-clientCredentials": {"list": ["read"]}, "key": {"list": []}}},
        {"schemes": {"key": {"list": []}}},
    ]
    assert Card.from_document(newer).valid
    assert "/securitySchemes/login-clientCredentials" in assumed(report)
    assert converted(newer, "a2a-1.0", "a2a-0.3")[0] == document
    assert not report.losses


def test_a_split_scheme_does_not_take_a_used_name() -> None:
    document = {
        **OLDER,
        "securitySchemes": {"login": LOGIN, "login-clientCredentials": {"type": "mutualTLS"}},
        "security": [{"login": []}],
    }
    newer, _ = converted(document, "a2a-0.3", "a2a-1.0")

    assert newer["securitySchemes"]["login-clientCredentials"] == {"mtlsSecurityScheme": {}}
    assert converted(newer, "a2a-1.0", "a2a-0.3")[0]["securitySchemes"] == document["securitySchemes"]


def test_a_repeated_primary_interface_is_written_once_without_a_loss() -> None:
    here = {"url": OLDER["url"], "transport": "JSONRPC"}
    grpc = {"url": "https://tides.example.com:443", "transport": "GRPC"}

    newer, report = converted({**OLDER, "additionalInterfaces": [here]}, "a2a-0.3", "a2a-1.0")
    assert len(newer["supportedInterfaces"]) == 1
    assert not report.losses

    # Among several the list names the card's own, as A2A 0.3 recommends: nothing is lost.
    newer, report = converted({**OLDER, "additionalInterfaces": [here, grpc]}, "a2a-0.3", "a2a-1.0")
    assert [one["protocolBinding"] for one in newer["supportedInterfaces"]] == ["JSONRPC", "GRPC"]
    assert not report.losses


def test_an_identical_interface_is_written_once_in_both_directions() -> None:
    grpc = {"url": "https://tides.example.com:443", "transport": "GRPC", "x-zone": {"id": "a"}}
    newer, report = converted({**OLDER, "additionalInterfaces": [grpc, grpc]}, "a2a-0.3", "a2a-1.0")

    assert len(newer["supportedInterfaces"]) == 2
    assert not report.losses
    back, on_the_way_back = converted(newer, "a2a-1.0", "a2a-0.3")
    assert back["additionalInterfaces"].count(grpc) == 1
    assert not on_the_way_back.losses


@pytest.mark.parametrize(
    ("one", "other"),
    [({"x-a": 1, "x-b": 1}, {"x-a": 1}), ({"x-a": 1}, {"x-a": True})],
    ids=["less of the same", "a number and true"],
)
def test_interfaces_that_differ_in_an_unknown_field_are_both_kept(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    common = {"url": "https://b.example.com", "protocolBinding": "GRPC", "protocolVersion": "0.3"}
    two = [{**common, **one}, {**common, **other}]
    older, report = converted({**NEWER, "supportedInterfaces": two}, "a2a-1.0", "a2a-0.3")

    assert [
        {name: value for name, value in entry.items() if name.startswith("x-")}
        for entry in older["additionalInterfaces"]
    ] == [one, other]
    assert not report.losses


SMALL: dict[str, Any] = {
    "name": "A",
    "description": "",
    "version": "1",
    "capabilities": {"streaming": False},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "skills": [{"id": "a", "name": "A", "description": "", "tags": ["a"]}],
}


def test_a_field_with_another_meaning_in_the_target_is_listed_as_lost() -> None:
    interface = {"url": "https://a", "protocolBinding": "x", "protocolVersion": None}
    _, report = converted({**SMALL, "supportedInterfaces": [interface]}, "a2a-1.0", "beach-1.0")

    assert "/supportedInterfaces/0/protocolVersion" in lost(report)


def test_one_url_with_two_transports_is_two_interfaces() -> None:
    document = {**OLDER, "additionalInterfaces": [{"url": OLDER["url"], "transport": "HTTP+JSON"}]}
    newer, _ = converted(document, "a2a-0.3", "a2a-1.0")

    assert [one["protocolBinding"] for one in newer["supportedInterfaces"]] == ["JSONRPC", "HTTP+JSON"]
    assert {one["url"] for one in newer["supportedInterfaces"]} == {OLDER["url"]}


def test_an_interface_without_a_version_is_assumed_to_be_1_0() -> None:
    document = {**NEWER, "supportedInterfaces": [{"url": OLDER["url"], "protocolBinding": "JSONRPC"}]}
    older, report = converted(document, "a2a-1.0", "a2a-hybrid")

    assert older["supportedInterfaces"][0]["protocolVersion"] == "1.0"
    assert assumed(report)["/supportedInterfaces/0/protocolVersion"] == "1.0"


@pytest.mark.parametrize(
    ("given", "version", "losses"),
    [
        ("0.3.0", "0.3", []),
        ("0.2.5", "0.2", ["/protocolVersion"]),
        ("1.2", "1.2", []),
        ("2.0", "2.0", []),
        ("2024-11-05", "0.3", ["/protocolVersion"]),
        ("a2a-2025-06", "0.3", ["/protocolVersion"]),
    ],
)
def test_a_protocol_version_becomes_major_minor_and_never_a_date(
    given: str, version: str, losses: list[str]
) -> None:
    newer, report = converted({**OLDER, "protocolVersion": given}, "a2a-0.3", "a2a-1.0")

    assert newer["supportedInterfaces"][0]["protocolVersion"] == version
    assert lost(report) == losses
    assert ("/supportedInterfaces/0/protocolVersion" in assumed(report)) == (version != given[:3])


def test_security_stays_a_disjunction_of_conjunctions() -> None:
    security = [{"a": [], "b": ["x"]}, {"c": []}, {}]
    schemes = {name: {"type": "http", "scheme": "bearer"} for name in "abc"}
    document = {**OLDER, "securitySchemes": schemes, "security": security}
    newer, report = converted(document, "a2a-0.3", "a2a-1.0")

    assert newer["securityRequirements"] == [
        {"schemes": {"a": {"list": []}, "b": {"list": ["x"]}}},
        {"schemes": {"c": {"list": []}}},
        {"schemes": {}},
    ]
    assert not report.losses
    assert converted(newer, "a2a-1.0", "a2a-0.3")[0]["security"] == security


def test_a_requirement_without_scopes_stays() -> None:
    document = {
        **NEWER,
        "securitySchemes": {"m": {"mtlsSecurityScheme": {}}},
        "securityRequirements": [{"schemes": {"m": {"list": []}}}],
        "skills": [{**COMMON["skills"][0], "securityRequirements": [{"schemes": {"m": {"list": []}}}]}],
    }
    older, _ = converted(document, "a2a-1.0", "a2a-0.3")

    assert older["security"] == [{"m": []}]
    assert older["skills"][0]["security"] == [{"m": []}]
    assert older["securitySchemes"] == {"m": {"type": "mutualTLS"}}


def test_a_tenant_is_a_listed_loss() -> None:
    document = {**NEWER, "supportedInterfaces": [{**NEWER["supportedInterfaces"][0], "tenant": "harbour"}]}
    older, report = converted(document, "a2a-1.0", "a2a-0.3")

    assert "harbour" not in json.dumps(older)
    assert "/supportedInterfaces/0/tenant" in lost(report)


def test_a_device_code_flow_and_pkce_are_listed_losses() -> None:
    flow = {
        "authorizationUrl": "https://l.example.com/a",
        "tokenUrl": "https://l.example.com/t",
        "scopes": {},
    }
    device = {
        "deviceAuthorizationUrl": "https://l.example.com/d",
        "tokenUrl": "https://l.example.com/t",
        "scopes": {},
    }
    schemes = {
        "web": {"oauth2SecurityScheme": {"flows": {"authorizationCode": {**flow, "pkceRequired": True}}}},
        "tv": {"oauth2SecurityScheme": {"flows": {"deviceCode": device}}},
    }
    older, report = converted({**NEWER, "securitySchemes": schemes}, "a2a-1.0", "a2a-0.3")

    assert older["securitySchemes"]["web"]["flows"] == {"authorizationCode": flow}
    assert older["securitySchemes"]["tv"] == {"type": "http", "scheme": "Bearer"}
    assert assumed(report)["/securitySchemes/tv"] == "Bearer"
    at = "/securitySchemes/{}/oauth2SecurityScheme/flows/{}"
    assert {at.format("web", "authorizationCode/pkceRequired"), at.format("tv", "deviceCode")} <= set(
        lost(report)
    )


def test_state_transition_history_is_lost_in_1_0_and_kept_between_older_forms() -> None:
    document = {**OLDER, "capabilities": {"stateTransitionHistory": True}}

    newer, report = converted(document, "a2a-0.3", "a2a-1.0")
    assert newer["capabilities"] == {}
    assert lost(report) == ["/capabilities/stateTransitionHistory"]
    for older in ("a2a-0.1", "a2a-0.2", "a2a-hybrid"):
        assert converted(document, "a2a-0.3", older)[0]["capabilities"] == {"stateTransitionHistory": True}


def test_json_in_credentials_gives_the_key_location_and_is_not_copied() -> None:
    credentials = json.dumps({"in": "query", "name": "tide_key", "value": "hunter2"})
    document = {**OLDEST, "authentication": {"schemes": ["apiKey", "Bearer"], "credentials": credentials}}
    newer, report = converted(document, "a2a-0.1", "a2a-1.0")

    assert newer["securitySchemes"] == {
        "apiKey": {"apiKeySecurityScheme": {"location": "query", "name": "tide_key"}},
        "Bearer": {"httpAuthSecurityScheme": {"scheme": "Bearer"}},
    }
    assert newer["securityRequirements"] == [
        {"schemes": {"apiKey": {"list": []}}},
        {"schemes": {"Bearer": {"list": []}}},
    ]
    assert "hunter2" not in json.dumps(newer)
    assert lost(report) == ["/authentication/credentials"]


@pytest.mark.parametrize("credentials", ["hunter2", "{", "[1]", '{"in": 1, "name": []}', "{" * 5_000])
def test_other_credentials_are_a_loss(credentials: str) -> None:
    document = {**OLDEST, "authentication": {"schemes": ["api_key"], "credentials": credentials}}
    newer, report = converted(document, "a2a-0.1", "a2a-1.0")

    scheme = newer["securitySchemes"]["api_key"]["apiKeySecurityScheme"]
    assert scheme == {"location": "header", "name": "X-API-Key"}
    assert assumed(report)["/securitySchemes/api_key/apiKeySecurityScheme/name"] == "X-API-Key"
    assert lost(report) == ["/authentication/credentials"]


def test_fields_that_0_1_leaves_out_are_listed_assumptions() -> None:
    newer, report = converted(OLDEST, "a2a-0.1", "a2a-1.0")

    assert Card.from_document(newer).valid
    assert assumed(report) == {
        "/defaultInputModes": ["text/plain"],
        "/defaultOutputModes": ["text/plain"],
        "/description": "Tide Table",
        "/skills/0/description": "Tides",
        "/skills/0/tags": ["general"],
        "/supportedInterfaces/0/protocolBinding": "JSONRPC",
        "/supportedInterfaces/0/protocolVersion": "0.1",
    }
    assert not report.losses


def test_scopes_of_a_beach_capability_become_requirements_on_the_schemes() -> None:
    document = {**BEACH, "capabilities": [{**BEACH["capabilities"][0], "requiredScopes": ["tides:read"]}]}
    newer, report = converted(document, "beach-1.0", "a2a-1.0")

    assert newer["skills"][0]["securityRequirements"] == [{"schemes": {"api-key": {"list": ["tides:read"]}}}]
    assert not report.losses
    open_to_all = {**document, "transports": [{"protocol": "a2a", "endpoint": "https://a.example.com"}]}
    assert lost(converted(open_to_all, "beach-1.0", "a2a-1.0")[1]) == ["/capabilities/0/requiredScopes"]


def test_an_authentication_type_unknown_to_a2a_stays_required() -> None:
    transport = {**BEACH["transports"][0], "auth": {"type": "hmac-signed", "keyId": "k1"}}
    newer, report = converted({**BEACH, "transports": [transport]}, "beach-1.0", "a2a-1.0")

    assert newer["securitySchemes"] == {"hmac-signed": {"httpAuthSecurityScheme": {"scheme": "hmac-signed"}}}
    assert newer["securityRequirements"] == [{"schemes": {"hmac-signed": {"list": []}}}]
    assert "/securitySchemes/hmac-signed/httpAuthSecurityScheme/scheme" in assumed(report)
    assert lost(report) == ["/transports/0/auth/keyId"]


def test_input_schemas_of_beach_and_mcp_go_into_a_declared_extension() -> None:
    schema = {"type": "object", "properties": {"port": {"type": "string"}}}
    document = {**BEACH, "capabilities": [{**BEACH["capabilities"][0], "inputSchema": schema}]}
    newer, report = converted(document, "beach-1.0", "a2a-1.0")

    by_uri = {one["uri"]: one for one in newer["capabilities"]["extensions"]}
    assert by_uri[SCHEMAS_URI]["params"] == {"skills": {"tides": {"inputSchema": schema}}}
    assert by_uri[SCHEMAS_URI]["required"] is False
    assert by_uri[BEACH_EXTENSION_URI]["params"]["id"] == "tide-table"
    assert not report.losses
    tool = converted(document, "beach-1.0", "mcp-2024-11-05")[0]["skills"][0]
    assert tool["inputSchema"] == schema


def test_the_mcp_protocol_date_is_only_in_the_extension() -> None:
    document = {
        "name": "exa",
        "description": "Exa",
        "protocol": "mcp",
        "protocolVersion": "2024-11-05",
        "url": "https://mcp.example.com",
        "capabilities": {"tools": {"listChanged": True}, "resources": None},
        "skills": [{"id": "search", "name": "search", "description": "Searches.", "inputSchema": {}}],
    }
    newer, _ = converted(document, "mcp-2024-11-05", "a2a-1.0")

    extension = next(one for one in newer["capabilities"]["extensions"] if one["uri"] == MCP_URI)
    assert extension["params"]["protocolVersion"] == "2024-11-05"
    assert extension["params"]["capabilities"] == document["capabilities"]
    del newer["capabilities"]
    assert "2024-11-05" not in json.dumps(newer)


def test_signatures_are_dropped_and_reported() -> None:
    document = {**OLDER, "signatures": [{"protected": "e30", "signature": "AA"}]}
    newer, report = converted(document, "a2a-0.3", "a2a-1.0")

    assert "signatures" not in newer
    assert [(loss.pointer, loss.kind) for loss in report.losses] == [("/signatures", "array")]
    assert "sign the converted card" in report.losses[0].why


def test_unknown_fields_are_kept_unless_they_have_another_meaning() -> None:
    document = {**OLDER, "author": "Ada", "skills": [{**COMMON["skills"][0], "x-cost": 3}]}
    newer, report = converted(document, "a2a-0.3", "a2a-1.0")

    assert newer["author"] == "Ada"
    assert newer["skills"][0]["x-cost"] == 3
    assert not report.losses
    # In Beach `id` has a meaning, so the stranger of that name cannot keep it.
    assert "/id" in lost(converted({**document, "id": "x"}, "a2a-0.3", "beach-1.0")[1])


def test_explicit_nulls_are_left_out_and_listed() -> None:
    document = {**OLDEST, "description": None, "provider": None, "x-unknown": None}
    newer, report = converted(document, "a2a-0.1", "a2a-1.0")

    assert "provider" not in newer
    assert newer["x-unknown"] is None
    assert [(loss.pointer, loss.kind) for loss in report.losses] == [
        ("/description", "null"),
        ("/provider", "null"),
    ]


def test_an_older_version_gets_the_interfaces_that_support_it() -> None:
    two = [
        {"url": "https://new.example.com", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
        {"url": "https://old.example.com", "protocolBinding": "GRPC", "protocolVersion": "0.3"},
    ]
    older, report = converted({**NEWER, "supportedInterfaces": two}, "a2a-1.0", "a2a-0.3")

    assert (older["url"], older["preferredTransport"]) == ("https://old.example.com", "GRPC")
    assert "additionalInterfaces" not in older
    assert "/supportedInterfaces/0" in lost(report)
    assert not report.assumptions


def test_without_a_supporting_interface_all_are_used_with_an_assumption_each() -> None:
    two = [
        {"url": "https://a.example.com", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
        {"url": "https://b.example.com", "protocolBinding": "GRPC", "protocolVersion": "1.0"},
    ]
    older, report = converted({**NEWER, "supportedInterfaces": two}, "a2a-1.0", "a2a-0.3")

    assert older["url"] == "https://a.example.com"
    assert [one["url"] for one in older["additionalInterfaces"]] == [
        "https://a.example.com",
        "https://b.example.com",
    ]
    assert assumed(report) == {
        "/url": "https://a.example.com",
        "/additionalInterfaces/1": "https://b.example.com",
    }


def test_an_invalid_card_is_converted_as_far_as_possible() -> None:
    document = {**OLDER, "skills": {"tides": 1}, "securitySchemes": ["x"], "capabilities": "streaming"}
    card = Card.from_document(document)
    newer, report = convert(card)

    assert newer.document["skills"] == {"tides": 1}
    assert newer.document["capabilities"] == "streaming"
    assert newer.document["securitySchemes"] == ["x"]
    assert report.violations == card.violations
    assert not newer.valid


def test_a_security_in_the_older_shape_on_a_newer_card_is_read() -> None:
    document = {
        **NEWER,
        "securitySchemes": {"k": {"type": "http", "scheme": "bearer"}},
        "security": [{"k": []}],
    }
    older, _ = converted(document, "a2a-1.0", "a2a-0.3")

    assert older["securitySchemes"] == document["securitySchemes"]
    assert older["security"] == [{"k": []}]


def test_a_bearer_token_and_a_beach_authorization_key_convert_into_each_other() -> None:
    document: Json = {
        **NEWER,
        "securitySchemes": {"token": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}},
        "securityRequirements": [{"schemes": {"token": {"list": []}}}],
    }
    beach, report = converted(document, "a2a-1.0", "beach-1.0")

    assert beach["transports"][0]["auth"] == {"type": "api-key", "header": "Authorization"}
    assert assumed(report)["/transports/0/auth/header"] == "Authorization"
    back = converted(beach, "beach-1.0", "a2a-1.0")[0]
    assert list(back["securitySchemes"].values()) == list(document["securitySchemes"].values())


def test_a_card_in_its_own_dialect_is_the_card_itself() -> None:
    card = Card.from_document(OLDER)
    same, report = convert(card, to="a2a-0.3", carry=True)

    assert same is card
    assert report.lossless
    assert not report.assumptions


KEY: Json = {"apiKeySecurityScheme": {"location": "header", "name": "X-Key"}}
QUERY: Json = {"apiKeySecurityScheme": {"location": "query", "name": "key"}}
OPEN_ID: Json = {"openIdConnectSecurityScheme": {"openIdConnectUrl": "https://id.example.com/"}}


def requirement(*names: str) -> Json:
    return {"schemes": {name: {"list": []} for name in names}}


@pytest.mark.parametrize("target", ["a2a-0.3", "a2a-0.2", "a2a-hybrid"])
def test_a_requirement_in_the_older_shape_on_a_newer_card_still_applies(target: str) -> None:
    skill = {**COMMON["skills"][0], "securityRequirements": [{"k": ["read"]}]}
    document = {
        **NEWER,
        "securitySchemes": {"k": KEY},
        "securityRequirements": [{"k": []}, {}],
        "skills": [skill],
    }
    other, _ = converted(document, "a2a-1.0", target)

    assert other["security"] == [{"k": []}, {}]
    if target != "a2a-0.2":
        assert other["skills"][0]["security"] == [{"k": ["read"]}]


def test_a_skill_requirement_in_the_older_shape_still_applies() -> None:
    document = {**NEWER, "skills": [{**COMMON["skills"][0], "security": [{"k": ["read"]}]}]}

    assert converted(document, "a2a-1.0", "a2a-0.3")[0]["skills"] == document["skills"]


def test_a_scheme_in_the_older_shape_is_required_in_beach() -> None:
    document = {
        **NEWER,
        "securitySchemes": {"k": {"type": "apiKey", "in": "header", "name": "X-Key"}},
        "securityRequirements": [requirement("k")],
    }
    beach, _ = converted(document, "a2a-1.0", "beach-1.0")

    assert beach["transports"][0]["auth"] == {"type": "api-key", "header": "X-Key"}


@pytest.mark.parametrize("nothing", [None, {}])
def test_schemes_of_0_1_apply_beside_empty_newer_ones(nothing: Json) -> None:
    document = {**OLDER, "authentication": {"schemes": ["bearer"]}, "securitySchemes": nothing}
    newer, _ = converted(document, "a2a-0.3", "a2a-1.0")

    assert newer["securityRequirements"] == [requirement("bearer")]


@pytest.mark.parametrize(
    ("requirements", "auth"),
    [
        ([requirement("query")], {"type": "api-key"}),
        ([requirement("id")], {"type": "api-key", "header": "Authorization"}),
        ([requirement("nowhere")], {"type": "nowhere"}),
        (["key"], {"type": "unknown"}),
        ([requirement("query"), requirement("key")], {"type": "api-key", "header": "X-Key"}),
        ([requirement("id", "query"), requirement("key")], {"type": "api-key", "header": "X-Key"}),
        ([requirement("query", "key")], {"type": "api-key", "header": "X-Key"}),
    ],
)
def test_a_requirement_beach_cannot_express_never_makes_an_agent_public(
    requirements: Json, auth: Json
) -> None:
    schemes = {"key": KEY, "query": QUERY, "id": OPEN_ID}
    document = {**NEWER, "securitySchemes": schemes, "securityRequirements": requirements}
    beach, report = converted(document, "a2a-1.0", "beach-1.0")

    assert beach["transports"][0]["auth"] == auth
    assert "header" in auth or "/transports/0/auth" in assumed(report)


@pytest.mark.parametrize("requirements", [[], [{}], [requirement("query"), {"schemes": {}}]])
def test_a_public_agent_stays_public_in_beach(requirements: Json) -> None:
    document = {**NEWER, "securitySchemes": {"query": QUERY}, "securityRequirements": requirements}

    assert "auth" not in converted(document, "a2a-1.0", "beach-1.0")[0]["transports"][0]


def test_a_required_undeclared_scheme_is_named_in_0_1() -> None:
    oldest, _ = converted({**NEWER, "securityRequirements": [requirement("key")]}, "a2a-1.0", "a2a-0.1")

    assert oldest["authentication"] == {"schemes": ["key"]}


def test_requirements_of_some_transports_come_before_no_requirement() -> None:
    open_transport = {"protocol": "a2a", "version": "1.0", "endpoint": "https://open.example.com"}
    document = {**BEACH, "transports": [open_transport, *BEACH["transports"]]}
    newer, report = converted(document, "beach-1.0", "a2a-1.0")

    alternatives = [{"schemes": {"api-key": {"list": []}}}, {"schemes": {}}]
    assert newer["securityRequirements"] == alternatives
    assert assumed(report)["/securityRequirements"] == alternatives


def test_an_authentication_that_no_version_defines_is_kept_as_it_is() -> None:
    newer, report = converted({**OLDER, "authentication": {"type": "bearer"}}, "a2a-0.3", "a2a-1.0")

    assert newer["authentication"] == {"type": "bearer"}
    assert not report.losses


def test_the_version_of_an_interface_of_mcp_is_an_assumption() -> None:
    card = Card.from_document({**OLDER, "preferredTransport": "MCP"})

    report = convert(card, to="a2a-1.0")[1]

    assert [one.pointer for one in report.assumptions] == ["/supportedInterfaces/0/protocolVersion"]
