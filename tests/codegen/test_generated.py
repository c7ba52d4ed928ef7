"""The generated package: what it imports, and that its models say exactly what was on the wire."""

import json
import subprocess
import sys
import sysconfig
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from pydantic.json_schema import models_json_schema

import cardwright_models
from cardwright.card import Card
from cardwright_models.a2a_v0_1.models import AgentCard as AgentCard01
from cardwright_models.a2a_v1_0 import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentSkill,
    HTTPAuthSecurityScheme,
    SecurityScheme,
)
from cardwright_models.base import WireModel
from cardwright_models.beach_envelope_v1_0 import models as envelope_models
from cardwright_models.mcp_registry_v2025_12_11 import ServerJson
from cardwright_rules import DIALECTS, ROWS, SERVERS

REPOSITORY = Path(__file__).resolve().parents[2]
GENERATED = REPOSITORY / "generated"
SOURCE = GENERATED.parent / "src"
SCHEMAS = REPOSITORY / "schemas"

Json = Any

# Users do not build these: SuperX's fields are validated beside an A2A card, vocabularies belong to the generator.
WITHOUT_MODEL = {
    # Its names are in snake_case: the models of the newest edition serve, after conversion.
    "mcp-registry/2025-07-09/server.schema.json",
    # Read as JSON: the toolkit starts without pydantic.
    "settings/agents.schema.json",
    "settings/project.schema.json",
    # It has one of another kind (below).
    "settings/gateway.schema.json",
    # A list, a union and a map: read inside what holds them.
    "beach/1.0/a2ui-surface.schema.json",
    "beach/1.0/envelope-part.schema.json",
    "beach/1.0/set-state.schema.json",
    "extensions/carried-params.schema.json",
    "extensions/mcp-params.schema.json",
    "extensions/provenance-params.schema.json",
    "extensions/skill-schemas-params.schema.json",
    "superx/1.0/agent-card-extra.schema.json",
    "vocabulary/vocabulary.schema.json",
}

SKILL: Json = {"id": "berths", "name": "Berths", "description": "Finds a berth.", "tags": ["harbour"]}
CARD: Json = {
    "name": "Harbour",
    "description": "Finds and holds berths.",
    "version": "1.0.0",
    "supportedInterfaces": [
        {"url": "https://harbour.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    ],
    "capabilities": {},
    "defaultInputModes": ["text/plain"],
    "defaultOutputModes": ["text/plain"],
    "skills": [SKILL],
}


def test_the_tested_package_is_that_of_this_repository() -> None:
    assert Path(cardwright_models.__file__).parents[1] == GENERATED


# What it imports

PACKAGES = ("cardwright_gateway_models", "cardwright_models", "cardwright_rules")
# What pydantic brings itself.
PYDANTIC = ("pydantic", "pydantic_core", "typing_extensions", "typing_inspection", "annotated_types")
ALLOWED = (*PACKAGES, *PYDANTIC, "cardwright_runtime", "jsonschema_rs")

# Run in an interpreter that has the standard library, one site folder and nothing else of this machine.
ALONE = """
import collections, importlib.abc, json, pkgutil, sys
generated, source, site, allowed = *sys.argv[1:4], set(json.loads(sys.argv[4]))
sys.path[:] = [*sys.path, generated, source, site]

class Refuse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        # The platform's own build data is the standard library's, though not in its list of names.
        if top not in allowed | sys.stdlib_module_names and not top.startswith("_sysconfigdata"):
            raise ModuleNotFoundError(f"no {name} in an empty environment", name=name)
        return None

sys.meta_path.insert(0, Refuse())
"""

LIGHT = """
import cardwright_models, cardwright_rules
assert cardwright_models.__file__.startswith(generated)
heavy = {name.partition(".")[0] for name in sys.modules} & (allowed - {"cardwright_models", "cardwright_rules"})
print(json.dumps(sorted(heavy)))
"""

VALIDATION_SCRIPT = """
import cardwright_rules
names = collections.defaultdict(frozenset)
violations = cardwright_rules.DIALECTS["a2a-1.0"].validator().violations({"name": 5}, names)
print(json.dumps([sorted({v.pointer for v in violations}), "pydantic" in sys.modules]))
"""

MODULES = """
modules = []
for package in map(importlib.import_module, sorted(name for name in allowed if name.startswith("cardwright_") and name[-1] == "s")):
    modules += [package.__name__, *(m.name for m in pkgutil.walk_packages(package.__path__, f"{package.__name__}."))]
# The extra `proto` has what it needs.
modules.remove("cardwright_models.proto")
for name in modules:
    importlib.import_module(name)
"""
EVERYTHING = (
    MODULES
    + """
import cardwright_rules
names = collections.defaultdict(frozenset)
counts = {row.name: len(row.validator().violations({"name": 5}, names)) for row in cardwright_rules.DIALECTS.values()}
print(json.dumps([modules, counts]))
"""
)


def alone(script: str, allowed: tuple[str, ...] = ALLOWED) -> Json:
    """Run a script with the generated package and the allowed packages alone; return what it prints."""
    site = sysconfig.get_path("platlib")
    command = [sys.executable, "-I", "-S", "-B", "-W", "error", "-c", ALONE + "import importlib\n" + script]
    run = subprocess.run(
        [*command, str(GENERATED), str(SOURCE), site, json.dumps(allowed)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_every_module_imports_and_validates_in_an_empty_environment() -> None:
    modules, counts = alone(EVERYTHING)

    here = {".".join(file.relative_to(GENERATED).with_suffix("").parts) for file in GENERATED.rglob("*.py")}
    assert set(modules) == {name.removesuffix(".__init__") for name in here} - {"cardwright_models.proto"}
    assert set(counts) == set(DIALECTS)
    assert counts["a2a-1.0"] > 5


def test_the_models_need_pydantic_alone() -> None:
    modules = alone(MODULES + "print(json.dumps(modules))", ("cardwright_models", *PYDANTIC))

    assert "cardwright_models.a2a_v1_0.models" in modules
    assert "cardwright_models.base" in modules


def test_an_import_outside_the_list_would_be_refused() -> None:
    message = alone(
        "try:\n    import jinja2\nexcept ImportError as error:\n    print(json.dumps(str(error)))"
    )

    assert message == "no jinja2 in an empty environment"


def test_the_index_alone_imports_nothing_but_the_standard_library() -> None:
    assert alone(LIGHT) == []


def test_validating_needs_no_pydantic() -> None:
    pointers, pydantic = alone(
        VALIDATION_SCRIPT, ("cardwright_models", "cardwright_rules", "cardwright_runtime", "jsonschema_rs")
    )

    assert "/name" in pointers
    assert pydantic is False


# The models say what was on the wire


def models_of_schemas() -> list[tuple[str, type[WireModel]]]:
    """Return (schema's path, model) of every schema file that has one: it is called by the schema's title."""
    found: list[tuple[str, type[WireModel]]] = []
    for row in ROWS.values():
        # Messages have models of their parts; those of an edition without models would repeat the newest.
        if row.schema_id is None or (row.model is None and row.name in SERVERS):
            continue
        module = import_module(str(row.schema_package))
        folder = SCHEMAS / row.schema_id.removeprefix("https://cardwright.dev/schemas/")
        for file in sorted(folder.parent.glob("*.schema.json")):
            title = json.loads(file.read_bytes())["title"]
            model = getattr(module, title, None) or getattr(envelope_models, title)
            if issubclass(model, WireModel):
                found.append((file.relative_to(SCHEMAS).as_posix(), model))
    return found


MODELS = models_of_schemas()


def test_every_schema_that_users_build_has_a_model() -> None:
    every = {file.relative_to(SCHEMAS).as_posix() for file in SCHEMAS.rglob("*.schema.json")}

    assert every - {path for path, _ in MODELS} == WITHOUT_MODEL


GATEWAY = json.loads((SCHEMAS / "settings/gateway.schema.json").read_bytes())
API = json.loads((SCHEMAS / "api/gateway.openapi.json").read_bytes())


def test_a_model_of_settings_has_the_schemas_fields_and_defaults() -> None:
    from cardwright_gateway_models.settings import gateway

    definitions = {"GatewayFile": GATEWAY, **GATEWAY["$defs"]}
    checked = 0
    for name, definition in definitions.items():
        model = getattr(gateway, name, None)
        if model is None:
            assert "properties" not in definition, name
            continue
        properties = {key: value for key, value in definition["properties"].items() if key[0] != "$"}
        assert {field.alias or key for key, field in model.model_fields.items()} == set(properties)
        for field_name, field in model.model_fields.items():
            stated = properties[field.alias or field_name]
            referred = GATEWAY["$defs"].get(stated.get("$ref", "").rpartition("/")[2], {})
            default = stated.get("default", referred.get("default"))
            assert field.is_required() == (field_name in definition.get("required", ())), field_name
            assert field.is_required() or field.default == default, field_name
            checked += default is not None
    assert checked >= 40


def test_the_examples_of_the_settings_are_read() -> None:
    from cardwright_gateway_models.settings.gateway import GatewayFile

    for example in GATEWAY["examples"]:
        read = GatewayFile.from_wire(example)
        assert read.model_dump(mode="json", by_alias=True, exclude_unset=True) == example
        assert "MY_AGENT_TOKEN" not in repr(read)


def test_every_component_of_the_api_has_a_model_of_its_fields() -> None:
    from cardwright_gateway_models.api import gateway

    components = API["components"]["schemas"]
    for name, component in components.items():
        model = getattr(gateway, name)
        parts = [
            components.get(one.get("$ref", "").rpartition("/")[2], one)
            for one in component.get("allOf", [component])
        ]
        fields = {key: key in one.get("required", ()) for one in parts for key in one["properties"]}
        assert {key: field.is_required() for key, field in model.model_fields.items()} == fields, name


@pytest.mark.parametrize(("path", "model"), MODELS, ids=[path for path, _ in MODELS])
def test_the_examples_of_a_schema_come_back_exactly(path: str, model: type[WireModel]) -> None:
    for example in json.loads((SCHEMAS / path).read_bytes())["examples"]:
        for document in (example, {**example, "x-unknown": {"nested": [None, 1.0, "é"], "icon_url": None}}):
            read = model.from_wire(document)

            assert read.to_wire() == document
            assert json.loads(read.model_dump_json()) == document
            assert model.from_wire(read.to_wire()) == read


def test_an_absent_flag_is_none_and_a_set_one_is_written() -> None:
    read = AgentCard.from_wire(CARD)

    assert read.capabilities.streaming is None
    assert read.capabilities.model_dump() == {}
    assert AgentCapabilities(streaming=False).to_wire() == {"streaming": False}
    assert AgentCapabilities(streaming=None).to_wire() == {}
    assert "streaming" not in read.model_copy(update={"name": "B"}).model_dump_json()


# The keywords that a model has from its schema.
CONSTRAINTS = (
    "default", "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties",
    "minimum", "pattern",
)  # fmt: skip
# The keywords that a model does not have, with the reason: only validation against the schema checks them.
GAPS = {
    "format": "pydantic would rewrite URLs and times",
    "oneOf": "a union of Python takes a value that fits two of its arms",
}
# Keywords that the type of a field expresses, and notes for readers.
TYPED = {
    "additionalProperties", "anyOf", "const", "enum", "items", "properties", "propertyNames", "required", "type",
}  # fmt: skip
NOTES = {"$comment", "$defs", "$id", "$ref", "$schema", "deprecated", "description", "examples", "title"}


def keywords_in(schema: Json) -> set[str]:
    """Return the keywords of a schema and its subschemas."""
    found = set(schema)
    for keyword, value in schema.items():
        inner = (
            value.values()
            if keyword in {"$defs", "properties"}
            else value
            if isinstance(value, list)
            else [value]
        )
        if keyword not in {"const", "default", "enum", "examples"}:
            found |= {one for item in inner if isinstance(item, dict) for one in keywords_in(item)}
    return found


def constraints_of(schema: Json) -> dict[str, Json]:
    """Return the constraints of a schema, of its definitions and of their fields, by place."""
    holders = {"": schema, **{f"/$defs/{name}": one for name, one in schema.get("$defs", {}).items()}}
    places = {
        f"{place}{below}": one
        for place, holder in holders.items()
        for below, one in [("", holder), *((f"/{n}", f) for n, f in holder.get("properties", {}).items())]
    }
    return {
        f"{place}/{keyword}": one[keyword]
        for place, one in places.items()
        for keyword in CONSTRAINTS
        if keyword in one
    }


@pytest.mark.parametrize(("path", "model"), MODELS, ids=[path for path, _ in MODELS])
def test_a_model_has_the_constraints_of_its_schema(path: str, model: type[WireModel]) -> None:
    stated = constraints_of(json.loads((SCHEMAS / path).read_bytes()))
    module = vars(import_module(model.__module__)).values()
    classes = [one for one in module if isinstance(one, type) and one.__module__ == model.__module__]
    models = [(one, "serialization") for one in classes if issubclass(one, WireModel)]
    _, definitions = models_json_schema(models)  # type: ignore[arg-type] # a list is invariant
    modelled = constraints_of(definitions) | constraints_of(model.model_json_schema(mode="serialization"))

    assert {place: modelled.get(place) for place in stated} == stated


def test_a_keyword_that_no_model_has_is_a_listed_gap() -> None:
    used = {one for path, _ in MODELS for one in keywords_in(json.loads((SCHEMAS / path).read_bytes()))}

    assert {one for one in used if not one.startswith("x-")} - {*CONSTRAINTS, *TYPED, *NOTES} == set(GAPS)


def test_a_gap_is_a_document_that_the_model_takes_and_the_schema_refuses() -> None:
    document = {**CARD, "iconUrl": "no URL"}

    assert AgentCard.from_wire(document).to_wire() == document
    assert Card.from_document(document).violations


@pytest.mark.parametrize(
    "kinds", [{}, {"httpAuthSecurityScheme": {"scheme": "Bearer"}, "mtlsSecurityScheme": {}}]
)
def test_a_model_of_a_choice_refuses_none_and_two(kinds: Json) -> None:
    with pytest.raises(ValidationError, match="exactly one of apiKeySecurityScheme"):
        AgentCard.from_wire({**CARD, "securitySchemes": {"both": kinds}})
    assert SecurityScheme(http_auth_security_scheme=HTTPAuthSecurityScheme(scheme="Bearer")).to_wire() == {
        "httpAuthSecurityScheme": {"scheme": "Bearer"}
    }


def test_a_model_refuses_values_that_break_a_constraint() -> None:
    with pytest.raises(ValidationError, match="skills"):
        AgentCard.from_wire({**CARD, "skills": []})


def test_null_stays_null_where_the_schema_allows_it() -> None:
    document: Json = {
        "name": "A",
        "url": "u",
        "version": "1",
        "capabilities": {},
        "skills": [],
        "description": None,
    }

    read = AgentCard01.from_wire(document)

    assert read.description is None
    assert read.provider is None
    assert read.to_wire() == document
    read.provider = None
    assert read.to_wire() == {**document, "provider": None}


def test_a_null_that_the_schema_refuses_is_read_as_absent() -> None:
    assert AgentCard.from_wire({**CARD, "iconUrl": None}).to_wire() == CARD
    with pytest.raises(ValidationError, match="name"):
        AgentCard.from_wire({**CARD, "name": None})


def test_unknown_fields_survive_at_every_depth() -> None:
    document = {
        **CARD,
        "skills": [{**SKILL, "price": {"amount": 5, "per": None}}],
        "capabilities": {"telepathy": True},
    }

    read = AgentCard.from_wire(document)

    assert read.to_wire() == document
    assert read.skills[0].model_extra == {"price": {"amount": 5, "per": None}}


@pytest.mark.parametrize(
    "url", ["HTTP://EXAMPLE.com", "https://example.com:443/a/../b", "https://exämple.com", "::"]
)
def test_a_url_is_never_rewritten(url: str) -> None:
    read = AgentCard.from_wire({**CARD, "iconUrl": url, "documentationUrl": url})

    assert (read.to_wire()["iconUrl"], read.to_wire()["documentationUrl"]) == (url, url)
    assert json.loads(read.model_dump_json())["iconUrl"] == url


@pytest.mark.parametrize("time", ["2026-04-20T09:50:00+00:00", "2026-04-20t09:50:00.000z", "2026-04-20"])
def test_a_time_is_never_rewritten(time: str) -> None:
    document = {
        "schemaVersion": "1.0", "id": "a", "name": "A", "description": "A.", "version": "1.0.0",
        "capabilities": [], "transports": [], "generatedAt": time,
    }  # fmt: skip

    assert DIALECTS["beach-1.0"].model_class().from_wire(document).to_wire() == document


def test_values_of_another_type_are_refused_and_not_converted() -> None:
    for streaming in ("true", 1, "yes"):
        with pytest.raises(ValidationError):
            AgentCapabilities.from_wire({"streaming": streaming})
    with pytest.raises(ValidationError):
        AgentSkill.from_wire({**SKILL, "name": 5})


# Python names build, wire names read


def built(**more: Any) -> AgentCard:
    arguments: dict[str, Any] = {
        "name": "Harbour",
        "description": "Finds and holds berths.",
        "version": "1.0.0",
        "supported_interfaces": [
            AgentInterface(
                url="https://harbour.example/a2a", protocol_binding="JSONRPC", protocol_version="1.0"
            )
        ],
        "capabilities": AgentCapabilities(),
        "default_input_modes": ["text/plain"],
        "default_output_modes": ["text/plain"],
        "skills": [AgentSkill(id="berths", name="Berths", description="Finds a berth.", tags=["harbour"])],
    }
    return AgentCard(**arguments, **more)


def test_a_card_built_by_python_names_is_the_card_read_by_wire_names() -> None:
    assert built().to_wire() == CARD
    assert built() == AgentCard.from_wire(CARD)


def test_a_misspelt_keyword_is_refused_and_an_unknown_one_is_an_unknown_field() -> None:
    with pytest.raises(TypeError, match="AgentCard has no field 'icon_ulr'; did you mean 'icon_url'"):
        built(icon_ulr="x")
    assert built(price=5).to_wire() == {**CARD, "price": 5}
    assert AgentCard(**CARD).to_wire() == CARD


def test_a_field_can_be_assigned_and_an_unknown_attribute_cannot() -> None:
    card = built()

    card.icon_url = "https://harbour.example/i.png"

    assert card.to_wire()["iconUrl"] == "https://harbour.example/i.png"
    with pytest.raises(AttributeError, match="AgentCard has no field 'icon_ulr'; did you mean 'icon_url'"):
        card.icon_ulr = "x"  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="AgentCard has no field 'iconURL'; did you mean 'icon_url'"):
        card.iconURL = "x"  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="AgentCard has no field 'icon_rul'; did you mean 'icon_url'"):
        assert card.icon_rul  # type: ignore[attr-defined]


def test_an_unknown_field_that_was_read_can_be_assigned_and_shows() -> None:
    card: Any = AgentCard.from_wire({**CARD, "price": 5, "note": None})

    card.price = 6

    assert card.to_wire() == {**CARD, "price": 6, "note": None}
    assert "note=None" in repr(card)
    assert "icon_url" not in repr(card)


def test_a_wire_name_with_an_underscore_is_no_private_attribute() -> None:
    document = {"name": "com.example/a", "description": "A.", "version": "1.0.0", "_meta": {"a": {}}}
    server: Any = ServerJson.from_wire(document)

    with pytest.raises(AttributeError, match="ServerJson has no field '_meta'; did you mean 'field_meta'"):
        server._meta = {}
    assert server.to_wire() == document


def test_a_python_name_on_the_wire_is_an_unknown_field() -> None:
    document = {**CARD, "icon_url": "not-an-icon", "skills": [{**SKILL, "input_modes": 5}]}

    read = AgentCard.from_wire(document)

    assert read.icon_url is None
    assert read.skills[0].input_modes is None
    assert read.model_extra == {"icon_url": "not-an-icon"}
    assert read.to_wire() == document


def test_a_python_name_and_its_wire_name_are_two_fields() -> None:
    document = {**CARD, "icon_url": "unknown", "iconUrl": "known"}

    read = AgentCard.from_wire(document)

    assert read.icon_url == "known"
    assert read.to_wire() == document
    assert json.loads(read.model_dump_json()) == document


def test_a_missing_required_field_has_its_wire_name_in_the_error() -> None:
    without = {name: value for name, value in CARD.items() if name != "supportedInterfaces"}

    with pytest.raises(ValidationError) as caught:
        AgentCard.from_wire(without)

    assert [error["loc"] for error in caught.value.errors()] == [("supportedInterfaces",)]
