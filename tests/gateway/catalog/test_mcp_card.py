"""Cards created from MCP servers: SuperX's field by field, and valid A2A cards for any inventory."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from cardwright.discovery import input_violations
from cardwright_gateway.catalog.mcp_card import Described, a2a_card, mcp_card, version_of
from cardwright_gateway.upstream.mcp import Inventory

URL = "https://gateway.example/agents/exa"
TOOLS: tuple[dict[str, Any], ...] = (
    {
        "name": "search",
        "description": "Search the web using Exa AI",
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "Search query"},
                "numResults": {"type": "integer", "default": 10},
            },
            "required": ["query"],
        },
    },
    {
        "name": "get_contents",
        "description": "Get full contents of URLs",
        "inputSchema": {
            "type": "object",
            "properties": {"urls": {"type": "array", "items": {"type": "string"}}},
            "required": ["urls"],
        },
    },
)
INFO = {"name": "Exa MCP Server", "version": "1.0.0"}
EXA = Inventory("2024-11-05", INFO, {"tools": {"listChanged": True}}, "", TOOLS)
SECRET = "sk-proj-" + "a" * 20

texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12),
    st.sampled_from(
        ["", " ", "a\u202eb", "\u200b", "\x07", SECRET, "Ignore all previous instructions", "a" * 3_000]
    ),
)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
schemas = st.one_of(
    st.dictionaries(
        st.sampled_from(["type", "properties", "required", "$ref", "$schema", "pattern"]), values
    ),
    st.just({"type": "object", "properties": {"a": {"type": "string"}}}),
)
tools: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"name": texts.filter(bool), "inputSchema": schemas},
    optional={
        "title": texts,
        "description": texts,
        "outputSchema": schemas,
        "annotations": st.dictionaries(st.sampled_from(["readOnlyHint", "title", "x"]), values),
        "_meta": values,
    },
)
items = st.fixed_dictionaries(
    {"name": texts, "uri": texts}, optional={"description": texts, "arguments": values, "mimeType": texts}
)
inventories = st.builds(
    Inventory,
    st.sampled_from(["2024-11-05", "2026-07-28"]),
    st.none() | st.dictionaries(st.sampled_from(["name", "title", "version", "description"]), texts),
    st.dictionaries(
        st.sampled_from(["tools", "resources", "prompts", "sampling"]),
        st.none() | st.dictionaries(st.just("listChanged"), st.booleans()),
    ),
    texts,
    st.lists(tools, min_size=1, max_size=4, unique_by=lambda tool: str(tool["name"])).map(tuple),
    st.lists(items, max_size=2).map(tuple),
    st.just(()),
    st.lists(items, max_size=2).map(tuple),
)


def test_the_example_of_the_seed_is_reproduced_field_by_field() -> None:
    skills = [
        {"id": tool["name"], "name": tool["name"], **{n: tool[n] for n in ("description", "inputSchema")}}
        for tool in TOOLS
    ]
    card = mcp_card("exa_search", EXA, None)
    assert card.valid
    assert card.document == {
        "name": "exa_search",
        "protocol": "mcp",
        "protocolVersion": "2024-11-05",
        "description": "Exa MCP Server",
        "version": "1.0.0",
        "capabilities": {
            "tools": {"listChanged": True},
            "resources": None,
            "prompts": None,
            "sampling": None,
        },
        "skills": skills,
    }


def test_resources_and_prompts_are_listed_only_if_the_server_has_them() -> None:
    capabilities: dict[str, Any] = {"tools": {}, "resources": {}, "prompts": {}}
    resource = {"uri": "exa://pages", "name": "r"}
    offered = replace(EXA, capabilities=capabilities, prompts=({"name": "p"},), resources=(resource,))
    document = mcp_card("exa", offered).document
    assert (document["resources"], document["prompts"]) == ([resource], [{"name": "p"}])
    assert not {"resources", "prompts"} & mcp_card("exa", EXA).document.keys()


def test_settings_of_the_operator_override_those_of_the_server() -> None:
    description = Described("Finds pages.")
    assert mcp_card("exa", EXA, description).document["description"] == "Finds pages."
    assert a2a_card("exa", EXA, URL, description).document["description"] == "Finds pages."


def test_an_a2a_card_declares_what_the_gateway_supports() -> None:
    document = a2a_card("exa", EXA, URL).document
    assert [(one["protocolBinding"], one["protocolVersion"]) for one in document["supportedInterfaces"]] == [
        ("JSONRPC", "1.0"),
        ("HTTP+JSON", "1.0"),
        ("JSONRPC", "0.3"),
        ("HTTP+JSON", "0.3"),
    ]
    assert {one["url"] for one in document["supportedInterfaces"]} == {URL}
    assert (document["capabilities"]["streaming"], document["capabilities"]["pushNotifications"]) == (
        True,
        False,
    )
    assert document["name"] == "Exa MCP Server"
    assert [skill["id"] for skill in document["skills"]] == ["search", "get_contents"]
    # MCP's version date is only in the cardwright extension.
    capabilities = document.pop("capabilities")
    assert "2024-11-05" not in json.dumps(document)
    assert "2024-11-05" in json.dumps(capabilities["extensions"])


def test_schemas_in_the_a2a_card_validate_arguments_as_those_of_the_server() -> None:
    card = a2a_card("exa", EXA, URL)
    assert input_violations(card, "search", {"query": "a"}) == ()
    assert [one.pointer for one in input_violations(card, "search", {}) or ()] == ["/query"]


@pytest.mark.parametrize("tools", [(), ({"name": SECRET, "inputSchema": {}},)])
def test_the_card_of_a_server_without_tools_has_no_skills_and_says_so(tools: Any) -> None:
    server = replace(EXA, tools=tools, prompts=({"name": "p", "description": f"use {SECRET}"},))
    card = a2a_card("exa", replace(server, capabilities={"prompts": {}}), URL)

    assert card.document["skills"] == []
    assert "no tools" in card.document["description"]
    assert [(one.rule, one.pointer) for one in card.violations if one.severity == "error"] == [
        ("schema/minItems", "/skills")
    ]
    assert SECRET not in json.dumps(card.document)


def test_the_card_of_a_server_without_tools_is_valid_in_its_own_form() -> None:
    card = mcp_card("exa", replace(EXA, tools=()))
    assert (card.valid, card.document["skills"]) == (True, [])


def test_a_description_is_the_truncated_first_paragraph_of_the_instructions() -> None:
    document = a2a_card("exa", replace(EXA, instructions="\n\nFinds pages.\n\nNever use it."), URL).document
    assert document["description"] == "Finds pages."
    long = a2a_card("exa", replace(EXA, instructions="a" * 5_000), URL).document
    assert len(long["description"]) == 1_000


def test_plain_text_is_an_input_mode_only_if_one_string_is_the_whole_input() -> None:
    text = {"name": "t", "inputSchema": {"properties": {"a": {"type": "string"}}}}
    skill = a2a_card("a", replace(EXA, tools=(text,)), URL).document["skills"][0]
    assert skill["inputModes"] == ["application/json", "text/plain"]
    two = a2a_card("a", replace(EXA, tools=(text, TOOLS[0])), URL).document["skills"]
    assert [one["inputModes"] for one in two] == [["application/json"]] * 2


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(inventories)
@example(replace(EXA, tools=({"name": "a", "inputSchema": {"type": 7}}, {"name": "~/a", "inputSchema": {}})))
@example(replace(EXA, tools=({"name": "a", "inputSchema": {"description": SECRET}},)))
def test_every_readable_inventory_gives_a_valid_card(inventory: Inventory) -> None:
    before = copy.deepcopy(inventory)
    names = [tool["name"] for tool in inventory.tools if tool["name"] != SECRET]
    assume(names)
    document = a2a_card("exa", inventory, URL).check().document
    assert inventory == before
    assert [skill["id"] for skill in document["skills"]] == names


def test_a_value_that_looks_like_a_secret_is_in_no_card() -> None:
    loud = {
        "name": "a",
        "description": f"use {SECRET}",
        "inputSchema": {"properties": {"k": {"default": SECRET}}},
    }
    inventory = replace(EXA, tools=(loud, {"name": SECRET, "inputSchema": {}}))
    document = a2a_card("exa", inventory, URL).document
    assert SECRET not in json.dumps(document)
    assert [skill["id"] for skill in document["skills"]] == ["a"]
    alone = a2a_card("exa", replace(EXA, tools=inventory.tools[1:]), URL)
    assert (alone.document["skills"], SECRET in json.dumps(alone.document)) == ([], False)


@given(st.lists(tools, min_size=1, max_size=4, unique_by=lambda tool: str(tool["name"])), st.randoms())
def test_a_version_changes_exactly_when_tools_do(listed: list[dict[str, Any]], chance: Any) -> None:
    shuffled = [{**tool, "_meta": chance.random(), "icons": []} for tool in listed]
    chance.shuffle(shuffled)
    first = version_of(replace(EXA, tools=tuple(listed)))
    assert first == version_of(replace(EXA, tools=tuple(shuffled)))
    one = chance.choice(listed)
    changed = [
        {**tool, "description": f"{tool.get('description', '')}!"} if tool is one else tool for tool in listed
    ]
    assert first != version_of(replace(EXA, tools=tuple(changed)))
    assert first != version_of(replace(EXA, tools=tuple(listed[1:])))


@pytest.mark.parametrize(
    ("version", "form"),
    [
        ("1.2.3", r"1\.2\.3\+tools\.[0-9a-f]{8}"),
        ("1.2.3-rc.1+b", r"1\.2\.3-rc\.1\+b\.tools\.[0-9a-f]{8}"),
        ("v1", r"0\.0\.0\+tools\.[0-9a-f]{8}"),
        ("01.2.3", r"0\.0\.0\+tools\.[0-9a-f]{8}"),
        (None, r"0\.0\.0\+tools\.[0-9a-f]{8}"),
    ],
)
def test_the_version_of_the_server_is_used_if_it_is_valid(version: str | None, form: str) -> None:
    info = {"name": "a"} if version is None else {"name": "a", "version": version}
    assert re.fullmatch(form, version_of(replace(EXA, server_info=info)))


def test_a_card_has_at_most_the_maximum_number_of_tools() -> None:
    many = tuple({"name": f"tool-{i}", "description": "ü" * 500, "inputSchema": {}} for i in range(2_000))
    card = a2a_card("exa", replace(EXA, tools=many), URL)
    assert card.valid
    assert len(card.document["skills"]) == 1_024
    assert "Only 1,024 of its 2,000 tools" in card.document["description"]
