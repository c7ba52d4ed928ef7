"""`build_agent_card`: the cards that it builds, A2A and Beach."""

import copy
import json
from datetime import UTC, datetime, timedelta, timezone
from types import MappingProxyType
from typing import Any

import pytest

from cardwright import BEACH_EXTENSION_URI, Card, Checks, convert
from cardwright.builder import capability, skill
from cardwright.conversion.extensions import SCHEMAS_URI
from cardwright.errors import BadArgument
from cardwright.registries import Registries
from cardwright_models.a2a_v1_0 import models as a2a
from cardwright_models.beach_v1_0 import models as beach
from tests.builder.functions import BEACH, REQUIRED, SKILL, build, find_berths, high_water
from tests.cli.command_line import EXAMPLES

NOON = datetime(2026, 5, 4, 12, 30, 15, 999_999, tzinfo=UTC)


def built(**given: Any) -> dict[str, Any]:
    card = build(**{**REQUIRED, "skills": [SKILL], **given})
    assert card.valid
    return card.document


def built_beach(**given: Any) -> dict[str, Any]:
    card = build(**{**BEACH, **given})
    assert (str(card.dialect), card.valid) == ("beach-1.0", True)
    return card.document


def extension(document: dict[str, Any], uri: str) -> Any:
    found = [one for one in document["capabilities"]["extensions"] if one["uri"] == uri]
    assert len(found) == 1
    return found[0]["params"]


# A2A


def test_a_minimal_card_has_only_the_required_fields() -> None:
    assert built() == {
        "name": "Harbour",
        "description": "Finds and holds berths.",
        "version": "1.0.0",
        "supportedInterfaces": [
            {"url": "https://harbour.example.com/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
        ],
        "capabilities": {},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [SKILL],
    }


def test_every_argument_has_its_field() -> None:
    document = built(
        provider=a2a.AgentProvider(organization="Port", url="https://port.example.com"),
        documentation_url="https://harbour.example.com/docs",
        icon_url="https://harbour.example.com/icon.png",
        input_modes=["application/json"],
        output_modes=("image/png",),
        streaming=True,
        push_notifications=False,
        extended_agent_card=True,
        extensions=[a2a.AgentExtension(uri="https://harbour.example.com/x", params={"snake_case": 1})],
        security_schemes={
            "key": a2a.APIKeySecurityScheme(location="header", name="X-Key"),
            "tls": {"mtlsSecurityScheme": {}},
        },
        security=[{"key": []}, a2a.SecurityRequirement(schemes={"tls": a2a.StringList(list_=[])})],
    )

    assert document["provider"] == {"organization": "Port", "url": "https://port.example.com"}
    assert document["documentationUrl"] == "https://harbour.example.com/docs"
    assert document["iconUrl"] == "https://harbour.example.com/icon.png"
    assert (document["defaultInputModes"], document["defaultOutputModes"]) == (
        ["application/json"],
        ["image/png"],
    )
    assert document["capabilities"] == {
        "streaming": True,
        "pushNotifications": False,
        "extendedAgentCard": True,
        "extensions": [{"uri": "https://harbour.example.com/x", "params": {"snake_case": 1}}],
    }
    assert document["securitySchemes"] == {
        "key": {"apiKeySecurityScheme": {"location": "header", "name": "X-Key"}},
        "tls": {"mtlsSecurityScheme": {}},
    }
    assert document["securityRequirements"] == [{"schemes": {"key": {}}}, {"schemes": {"tls": {"list": []}}}]


def test_scopes_are_written_beside_their_scheme() -> None:
    flow = {"tokenUrl": "https://login.example.com/token", "scopes": {"read": "Reads."}}
    scheme = {"oauth2SecurityScheme": {"flows": {"clientCredentials": flow}}}

    document = built(security_schemes={"oauth": scheme}, security=[{"oauth": ["read"]}])

    assert document["securityRequirements"] == [{"schemes": {"oauth": {"list": ["read"]}}}]


def test_a_url_has_an_interface_for_each_named_version() -> None:
    document = built(binding="HTTP+JSON", protocol_versions=["1.0", "0.3"])

    assert [(one["protocolBinding"], one["protocolVersion"]) for one in document["supportedInterfaces"]] == [
        ("HTTP+JSON", "1.0"),
        ("HTTP+JSON", "0.3"),
    ]


def test_interfaces_are_models_or_mappings_with_names_of_either_kind() -> None:
    url = "https://harbour.example.com/rest"
    whole = {"url": url, "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}

    document = built(
        url=None,
        interfaces=[
            a2a.AgentInterface(url=url, protocol_binding="HTTP+JSON", protocol_version="1.0"),
            MappingProxyType({"url": url, "protocol_binding": "GRPC", "protocol_version": "1.0"}),
        ],
    )

    assert document["supportedInterfaces"] == [whole, {**whole, "protocolBinding": "GRPC"}]


def test_skills_are_models_mappings_functions_and_descriptions() -> None:
    model = a2a.AgentSkill(id="model", name="Model", description="A model.", tags=["m"], input_modes=["a/b"])
    snake = {**SKILL, "input_modes": ["text/plain"], "security_requirements": [], "x_own": 1}

    document = built(skills=(one for one in [model, snake, find_berths, skill(high_water, tags=["sea"])]))

    assert [one["id"] for one in document["skills"]] == ["model", "times", "find-berths", "high-water"]
    assert document["skills"][0]["inputModes"] == ["a/b"]
    assert document["skills"][1] == {
        **SKILL,
        "inputModes": ["text/plain"],
        "securityRequirements": [],
        "x_own": 1,
    }


def test_input_and_output_schemas_of_functions_are_only_in_the_extension() -> None:
    document = built(skills=[find_berths, {**SKILL, "input_schema": {"type": "object"}}])

    kept = extension(document, SCHEMAS_URI)["skills"]
    assert set(kept) == {"find-berths", "times"}
    assert kept["times"] == {"inputSchema": {"type": "object"}}
    assert kept["find-berths"]["inputSchema"]["required"] == ["port"]
    assert not any("Schema" in name for one in document["skills"] for name in one)


def test_the_schemas_of_functions_survive_on_the_way_to_beach() -> None:
    card = build(**REQUIRED, skills=[find_berths])

    there, _ = convert(card, to="beach-1.0")

    assert there.document["capabilities"][0]["outputSchema"]["type"] == "array"


def test_the_beach_extension_is_declared_on_request() -> None:
    assert "extensions" not in built(clock=lambda: NOON)["capabilities"]
    assert extension(built(beach={}), BEACH_EXTENSION_URI) == {}

    params = {"envelope_parts": ["domain-data"], "turnStates": ["complete"]}
    assert extension(built(beach=params, clock=lambda: NOON), BEACH_EXTENSION_URI) == {
        "envelopeParts": ["domain-data"],
        "turnStates": ["complete"],
        "generatedAt": "2026-05-04T12:30:15Z",
    }
    model = beach.BeachExtensionParams(id="harbour", display_name="The Harbour")
    assert extension(built(beach=model), BEACH_EXTENSION_URI) == {
        "id": "harbour",
        "displayName": "The Harbour",
    }


def test_a_part_type_that_the_application_registered_is_known() -> None:
    registries = Registries()
    registries.part_types.register("harbour.berth-plan", streaming="once", buffered="once")

    card = build(
        **REQUIRED,
        skills=[SKILL],
        beach={"envelope_parts": ["harbour.berth-plan"]},
        checks=Checks(registries=registries),
    )

    assert card.violations == ()


# Beach


def test_the_example_of_the_seed_can_be_built() -> None:
    whole = json.loads((EXAMPLES / "beach-1.0.card.json").read_bytes())
    registries = Registries()
    registries.part_types.register("orchard.block-map", streaming="once", buffered="once")

    card = build(
        id=whole["id"],
        name=whole["name"],
        display_name=whole["displayName"],
        description=whole["description"],
        version=whole["version"],
        provider=whole["provider"],
        capabilities=whole["capabilities"],
        transports=whole["transports"],
        envelope=whole["envelope"],
        beach=whole["extensions"]["beach"],
        contact=whole["contact"],
        clock=lambda: datetime.fromisoformat(whole["generatedAt"]),
        checks=Checks(registries=registries),
    )

    assert card.document == whole
    assert card.digest == Card.from_document(whole).digest


def test_capabilities_are_models_mappings_functions_and_descriptions() -> None:
    model = beach.Capability(id="model", description="A model.", required_scopes=["a"])
    described = capability(high_water, required_scopes=["b"])

    document = built_beach(
        capabilities=[model, {"id": "m", "description": "M.", "required_scopes": []}, described, find_berths]
    )

    assert [one["id"] for one in document["capabilities"]] == ["model", "m", "high-water", "find-berths"]
    assert [one.get("requiredScopes") for one in document["capabilities"]] == [["a"], [], ["b"], None]
    assert document["capabilities"][2]["inputSchema"]["required"] == ["port"]


def test_a_beach_card_keeps_other_blocks_under_their_names() -> None:
    document = built_beach(
        extensions={"harbour": {"vhf_channel": 12}},
        beach=beach.BeachExtension(version="1.0"),
        schema_version="1.1",
        transports=[beach.Transport(protocol="a2a", endpoint="https://h.example.com", required_scopes=[])],
    )

    assert document["extensions"] == {"beach": {"version": "1.0"}, "harbour": {"vhf_channel": 12}}
    assert document["schemaVersion"] == "1.1"
    assert document["transports"][0]["requiredScopes"] == []


# The clock


def test_without_a_clock_a_card_has_no_timestamp() -> None:
    assert "generatedAt" not in built_beach()


@pytest.mark.parametrize(
    ("now", "written"),
    [
        (NOON, "2026-05-04T12:30:15Z"),
        (NOON.astimezone(timezone(timedelta(hours=5, minutes=45))), "2026-05-04T12:30:15Z"),
        (datetime(1, 1, 1, tzinfo=UTC), "0001-01-01T00:00:00Z"),
    ],
)
def test_a_time_is_written_in_utc_to_the_second(now: datetime, written: str) -> None:
    assert built_beach(clock=lambda: now)["generatedAt"] == written


@pytest.mark.parametrize(
    ("clock", "says"),
    [
        (lambda: NOON.replace(tzinfo=None), "must return a time with a time zone"),
        (lambda: "2026-05-04T12:30:15Z", "must return a datetime, not str"),
        (NOON, "must be a function that returns a datetime, not datetime"),
        (lambda: datetime.max.replace(tzinfo=timezone(timedelta(hours=-1))), "out of range in UTC"),
    ],
)
def test_a_clock_that_returns_no_datetime_is_refused(clock: Any, says: str) -> None:
    with pytest.raises(BadArgument, match=says):
        built_beach(clock=clock)


def test_a_timestamp_and_a_clock_together_are_refused() -> None:
    with pytest.raises(BadArgument, match="clock: beach= already has generated_at"):
        built(beach={"generated_at": "2026-05-04T12:30:15Z"}, clock=lambda: NOON)


# What is given is left alone


def test_arguments_are_neither_changed_nor_kept() -> None:
    given: dict[str, Any] = {"skills": [copy.deepcopy(SKILL)], "beach": {"envelope_parts": ["domain-data"]}}
    before = copy.deepcopy(given)

    document = built(**given)
    given["skills"][0]["tags"].append("later")

    assert document["skills"][0]["tags"] == ["sea"]
    given["skills"][0]["tags"].pop()
    assert given == before
