"""The first calls that a page offers to copy: they are programs that work, whatever the card says."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final

import pytest

from cardwright.card import Card
from cardwright.outline import outline
from cardwright.page.credentials import credentials_of
from cardwright.page.snippets import snippets
from cardwright.testing import LoopbackAgent
from tests.page.cards import CARDS

if TYPE_CHECKING:
    from cardwright.page.snippets import Snippet

# A text that each language quotes differently.
TEXT: Final = 'It\'s "high" water: $HOME `id` \\n {x} %s </script> é 😀'
RUNNERS: Final = {"curl": "bash", "Python": sys.executable, "JavaScript": "node"}


def card_of(url: str, version: str, binding: str = "JSONRPC", **more: Any) -> Card:
    card = {
        **CARDS["a2a-1.0"],
        "supportedInterfaces": [{"url": url, "protocolBinding": binding, "protocolVersion": version}],
        "skills": [{**CARDS["a2a-1.0"]["skills"][0], "examples": [TEXT]}],
        "securitySchemes": {},
        "securityRequirements": [],
        **more,
    }
    return Card.from_document(card, dialect="a2a-1.0")


def programs(card: Card) -> dict[str, Snippet]:
    summary = outline(card)
    (interface,) = summary.interfaces
    return {one.language: one for one in snippets(interface, summary, credentials_of(card))}


@pytest.mark.process
@pytest.mark.parametrize("version", ["1.0", "0.3"])
@pytest.mark.parametrize("language", RUNNERS)
def test_a_program_sends_the_first_example_and_prints_the_reply(language: str, version: str) -> None:
    runner = shutil.which(RUNNERS[language])
    if runner is None or (language == "curl" and shutil.which("curl") is None):
        pytest.skip(f"{RUNNERS[language]} or curl is not installed")
    with LoopbackAgent(replies=["It is at 14:20."]) as agent:
        source = programs(card_of(agent.url, version))[language].source
        if language == "JavaScript":
            # Browsers' consoles and modules of node have await at the top.
            command = [runner, "--input-type=module", "--eval", source]
        else:
            command = [runner, "-c", source]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)

    assert "It is at 14:20." in json.dumps(json.loads(ran.stdout))
    (part,) = agent.received[0]["message"]["parts"]
    assert part["text"] == TEXT
    assert part.get("kind") == (None if version == "1.0" else "text")


@pytest.mark.parametrize(
    ("version", "path"),
    [("1.0", "/message:send"), ("0.3", "/v1/message:send"), ("0.3.0", "/v1/message:send")],
)
def test_rest_has_the_path_of_its_version(version: str, path: str) -> None:
    source = programs(card_of("https://example.com/a2a/", version, "HTTP+JSON"))["curl"].source

    assert f"https://example.com/a2a{path} " in source
    assert ("A2A-Version: 1.0" in source) == (version == "1.0")
    assert "jsonrpc" not in source


@pytest.mark.parametrize(
    ("url", "binding"),
    [
        ("https://example.com", "GRPC"),
        ("grpc://example.com", "JSONRPC"),
        ("javascript:alert(1)", "JSONRPC"),
        ("", "JSONRPC"),
    ],
)
def test_an_agent_without_http_calls_has_no_example_program(url: str, binding: str) -> None:
    assert programs(card_of(url, "1.0", binding)) == {}


def key(location: str, name: str = "X-Key") -> dict[str, Any]:
    return {"apiKeySecurityScheme": {"location": location, "name": name}}


BEARER: Final[dict[str, Any]] = {"httpAuthSecurityScheme": {"scheme": "Bearer"}}
OAUTH: Final[dict[str, Any]] = {"oauth2SecurityScheme": {"flows": {}}}


@pytest.mark.parametrize(
    ("schemes", "requirements", "expected"),
    [
        ({}, [], []),
        ({"k": key("header")}, [["k"]], ["X-Key: "]),
        ({"k": key("query")}, [["k"]], None),
        ({"k": key("header", "a b")}, [["k"]], None),
        ({"b": BEARER}, [["b"]], ["Authorization: Bearer "]),
        ({"o": OAUTH}, [["o"]], None),
        ({"o": OAUTH, "k": key("header")}, [["o"], ["k"]], ["X-Key: "]),
        ({"o": OAUTH, "k": key("header")}, [["o", "k"]], None),
        ({"b": BEARER, "k": key("header")}, [["b", "k"]], ["Authorization: Bearer ", "X-Key: "]),
        ({"b": BEARER, "c": BEARER}, [["b", "c"]], None),
        ({}, [["unknown"]], None),
        ({"k": key("header")}, [[], ["k"]], []),
    ],
)
def test_the_headers_are_those_of_the_first_requirement_that_headers_satisfy(
    schemes: Any, requirements: list[list[str]], expected: list[str] | None
) -> None:
    needed: list[dict[str, Any]] = [
        {"schemes": {name: {"list": []} for name in names}} for names in requirements
    ]
    card = card_of("https://example.com", "1.0", securitySchemes=schemes, securityRequirements=needed)
    found = credentials_of(card)

    assert (found if found is None else [f"{one.header}: {one.prefix}" for one in found]) == expected
    if found:
        assert all(f"{one.header}: {one.prefix}YOUR_" in programs(card)["curl"].source for one in found)
