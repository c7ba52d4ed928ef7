"""`authentication` of A2A 0.1: its scheme names, and the JSON text with their details."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cardwright.card import Card
from cardwright.conversion import convert
from tests.conversion.test_known_errors import LOGIN, OLDER, OLDEST, Json, assumed, converted, lost

# The details of the example in A2A 0.1 §5.6.
ROUTES: Json = {
    "authorizationUrl": "https://auth.examplegeoservices.com/authorize",
    "tokenUrl": "https://auth.examplegeoservices.com/token",
    "scopes": {"route:plan": "Allows planning new routes."},
}
CODE: Json = {"authorizationCode": ROUTES}
# Of A2A 0.1 §5.5.2: the scheme name, its details, and the scheme since A2A 0.2.
DETAILS: Json = [
    ("OAuth2", ROUTES, {"type": "oauth2", "flows": CODE}),
    (
        "OAuth2",
        {"tokenUrl": "https://a.example/t", "scopes": {}},
        {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://a.example/t", "scopes": {}}}},
    ),
    (
        "OAuth2",
        {"authorizationUrl": "https://a.example/a", "scopes": {}},
        {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "https://a.example/a", "scopes": {}}}},
    ),
    ("OAuth2", {"flows": LOGIN["flows"]}, LOGIN),
    (
        "ApiKey",
        {"in": "header", "name": "X-Custom-API-Key"},
        {"type": "apiKey", "in": "header", "name": "X-Custom-API-Key"},
    ),
    (
        "openIdConnect",
        {"openIdConnectUrl": "https://a.example/o"},
        {"type": "openIdConnect", "openIdConnectUrl": "https://a.example/o"},
    ),
    ("Bearer", {"bearerFormat": "JWT"}, {"type": "http", "scheme": "Bearer", "bearerFormat": "JWT"}),
]


def requiring(*schemes: str, **credentials: Any) -> Json:
    text = {"credentials": json.dumps(credentials)} if credentials else {}
    return {**OLDEST, "authentication": {"schemes": list(schemes), **text}}


@pytest.mark.parametrize(("name", "details", "scheme"), DETAILS)
@pytest.mark.parametrize("to", ["a2a-0.2", "a2a-0.3", "a2a-1.0", "a2a-hybrid"])
def test_credential_details_survive_a_round_trip(name: str, details: Json, scheme: Json, to: str) -> None:
    source = requiring(name, **details)
    result, report = converted(source, "a2a-0.1", to)

    assert Card.from_document(result, dialect=to).valid
    if to in ("a2a-0.2", "a2a-0.3"):
        assert result["securitySchemes"] == {name: scheme}
    # A2A 1.0 has one flow per scheme, so that two flows become two schemes there.
    if name != "OAuth2" or "flows" not in details or to == "a2a-0.3":
        assert not lost(report)
        assert converted(result, to, "a2a-0.1")[0]["authentication"] == source["authentication"]


def test_another_layout_of_the_same_credentials_is_no_loss() -> None:
    authentication = {"schemes": ["OAuth2"], "credentials": json.dumps(ROUTES, indent=2, sort_keys=True)}
    newer, report = converted({**OLDEST, "authentication": authentication}, "a2a-0.1", "a2a-0.3")

    assert newer["securitySchemes"]["OAuth2"]["flows"] == CODE
    assert not lost(report)


def test_credential_details_without_a_field_are_a_loss() -> None:
    _, report = converted(requiring("OAuth2", **ROUTES, audience="maps"), "a2a-0.1", "a2a-1.0")

    assert "/authentication/credentials" in lost(report)


@pytest.mark.parametrize("name", ["OAuth2", "oauth", "openIdConnect", "oidc"])
@pytest.mark.parametrize("to", ["a2a-0.2", "a2a-0.3", "a2a-1.0", "a2a-hybrid", "beach-1.0"])
def test_an_oauth2_scheme_without_urls_becomes_a_bearer_token(name: str, to: str) -> None:
    newer, report = converted(requiring(name), "a2a-0.1", to)

    assert Card.from_document(newer, dialect=to).valid
    if to == "beach-1.0":
        assert newer["transports"][0]["auth"] == {"type": "api-key", "header": "Authorization"}
    else:
        assert assumed(report)[f"/securitySchemes/{name}"] == "Bearer"
        assert newer["security" if to != "a2a-1.0" else "securityRequirements"]
        assert converted(newer, to, "a2a-0.1")[0]["authentication"] == {"schemes": [name]}


@pytest.mark.parametrize("to", ["a2a-0.2", "a2a-1.0", "a2a-hybrid"])
def test_empty_oauth_flows_are_not_written(to: str) -> None:
    schemes = {"login": {"type": "oauth2", "flows": {}}}
    source = {**OLDER, "securitySchemes": schemes, "security": [{"login": []}]}
    result, report = converted(source, "a2a-0.3", to)

    assert '"flows": {}' not in json.dumps(result)
    assert Card.from_document(result, dialect=to).valid
    assert "/securitySchemes/login/type" in lost(report)
    carrying, _ = convert(Card.from_document(source), to=to, carry=True)
    assert convert(carrying, to="a2a-0.3")[0].document == source


def test_authentication_that_a2a_0_1_does_not_have_is_lost() -> None:
    older, report = converted({**OLDER, "authentication": {"type": "bearer"}}, "a2a-0.3", "a2a-0.1")

    assert "authentication" not in older
    assert "/authentication" in lost(report)


@pytest.mark.parametrize("source", ["a2a-0.2", "a2a-0.3", "a2a-1.0", "a2a-hybrid"])
def test_a2a_0_1_has_no_protocol_version(source: str) -> None:
    document = {**converted(OLDER, "a2a-0.3", source)[0], "protocolVersion": "1.0.0"}
    older, report = converted(document, source, "a2a-0.1")

    assert "protocolVersion" not in older
    assert source != "a2a-1.0" or "/protocolVersion" in lost(report)


@pytest.mark.parametrize("transport", ["MCP", "mcp"])
def test_the_version_of_another_protocol_is_an_assumption(transport: str) -> None:
    additional = [{"url": "https://tides.example.com/mcp", "transport": transport}]
    _, primary = converted({**OLDER, "preferredTransport": transport}, "a2a-0.3", "a2a-1.0")
    _, second = converted({**OLDER, "additionalInterfaces": additional}, "a2a-0.3", "a2a-1.0")
    _, none = converted({**OLDER, "preferredTransport": "GRPC"}, "a2a-0.3", "a2a-1.0")

    assert list(assumed(primary)) == ["/supportedInterfaces/0/protocolVersion"]
    assert list(assumed(second)) == ["/supportedInterfaces/1/protocolVersion"]
    assert not none.assumptions


def test_additional_interfaces_of_another_version_are_no_loss() -> None:
    additional = [
        {"url": OLDER["url"], "transport": "JSONRPC"},
        {"url": "https://tides.example.com:443", "transport": "GRPC"},
    ]
    for order in (additional, additional[::-1]):
        source = {**OLDER, "additionalInterfaces": order}
        older, report = converted(source, "a2a-0.3", "a2a-0.2")

        assert {item["url"] for item in older["additionalInterfaces"]} == {item["url"] for item in additional}
        assert lost(report) == ["/protocolVersion"]


def test_an_older_scheme_on_a_newer_card_is_no_loss_where_it_stays_as_it_is() -> None:
    scheme = {"type": "apiKey", "in": "header", "name": "X-Key"}
    newer = {**converted(OLDER, "a2a-0.3", "a2a-1.0")[0], "securitySchemes": {"k": scheme}}
    older, report = converted(newer, "a2a-1.0", "a2a-0.3")

    assert older["securitySchemes"] == {"k": scheme}
    assert not [pointer for pointer in lost(report) if pointer.startswith("/securitySchemes")]


@pytest.mark.parametrize("dialect", ["a2a-0.1", "a2a-0.2", "a2a-0.3"])
def test_schemes_that_the_result_has_are_no_losses(dialect: str) -> None:
    document: Json = {**OLDER, "authentication": {"schemes": ["Bearer", "none"]}}
    newer, report = converted(document, dialect, "a2a-1.0")

    assert newer["securitySchemes"] == {"Bearer": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}}
    assert [pointer for pointer in lost(report) if "auth" in pointer] == ["/authentication/schemes/1"]


def test_schemes_beside_the_newer_form_are_lost_only_if_that_lacks_them() -> None:
    document: Json = {
        **OLDER,
        "authentication": {"schemes": ["Bearer", "Basic"]},
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        "security": [{"token": []}],
    }
    _, report = converted(document, "a2a-0.3", "a2a-1.0")
    assert lost(report) == ["/authentication/schemes/1"]
