"""The playground says what the command line says, within its limits, with and without a script."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from cardwright import Card
from cardwright.checks import ADVISORY_CHECKS
from cardwright.http.problem import HttpError
from cardwright.page import CONTENT_SECURITY_POLICY
from cardwright.playground import MAX_BODY_BYTES, Playground
from cardwright.playground.actions import MAX_CARD_BYTES
from cardwright.serve import well_known_agent_card
from tests.gateway.gateways import gateway
from tests.serve.client import call

if TYPE_CHECKING:
    from cardwright.http.response import Response


EXAMPLES = Path(__file__).parents[2] / "examples"
FORM = "application/x-www-form-urlencoded"
WRONG = '{\n  "name": "Tides",\n  "supportedInterfaces": [],\n  "capabilities": {"streaming": "yes"}\n}'


def example(name: str) -> str:
    return (EXAMPLES / f"{name}.card.json").read_text(encoding="utf-8")


async def run_action(action: str, text: str, **more: Any) -> dict[str, Any]:
    """Return the result of a request in JSON."""
    body = json.dumps({"action": action, "text": text, **more}).encode()
    response = await Playground().answer("application/json", body)
    assert (response.status, header(response, b"cache-control")) == (200, b"no-store")
    result: dict[str, Any] = json.loads(response.body)
    return result


def header(response: Response, name: bytes) -> bytes:
    return dict(response.headers)[name]


@pytest.mark.parametrize(
    "name", ["a2a-0.1", "a2a-0.3", "a2a-1.0", "a2a-hybrid", "beach-1.0", "mcp-2024-11-05"]
)
async def test_a_card_is_validated_as_by_check(name: str) -> None:
    text = example(name)
    card = Card.from_bytes(text.encode(), checks=ADVISORY_CHECKS)
    result = await run_action("check", text)

    assert (result["dialect"], result["valid"]) == (str(card.dialect), card.valid)
    found = {(one["rule"], one["pointer"]) for one in result["violations"]}
    assert found == {(one.rule, one.pointer) for one in card.violations}


async def test_findings_have_places_and_fixes() -> None:
    result = await run_action("check", WRONG)

    (streaming,) = [one for one in result["violations"] if one["pointer"] == "/capabilities/streaming"]
    assert (streaming["line"], streaming["column"]) == (4, 20)
    assert streaming["fix"] == "replaces the string by true or false"
    assert [one["severity"] for one in result["violations"]] == sorted(
        one["severity"] for one in result["violations"]
    )


async def test_a_card_is_fixed_and_what_remains_is_listed() -> None:
    result = await run_action("fix", WRONG)

    assert json.loads(result["card"])["capabilities"] == {"streaming": True}
    assert "/capabilities/streaming" in {one["pointer"] for one in result["fixes"]}
    assert "/capabilities/streaming" not in {one["pointer"] for one in result["violations"]}


async def test_guesses_are_applied_only_if_selected() -> None:
    document = json.loads(example("a2a-1.0"))
    document["skills"].append({**document["skills"][0], "name": "Another"})
    text = json.dumps(document)

    careful, guessed = [await run_action("fix", text, guesses=guesses) for guesses in (False, True)]

    assert not careful["valid"]
    assert guessed["valid"]


async def test_a_card_is_converted_with_its_losses() -> None:
    result = await run_action("convert", example("a2a-1.0"), to="a2a-0.3")

    assert result["dialect"] == "a2a-0.3"
    assert json.loads(result["card"])["protocolVersion"].startswith("0.3")
    assert result["losses"] == [] or result["losses"][0]["why"]


async def test_two_cards_are_compared() -> None:
    document = json.loads(example("a2a-1.0"))
    newer = {**document, "skills": document["skills"][1:]}
    result = await run_action("diff", json.dumps(document), other=json.dumps(newer))

    assert result["bump"] == "major"
    assert result["changes"][0]["kind"] == "skill-removed"
    missing = await run_action("diff", json.dumps(document))
    assert missing["error"]["message"].startswith("the newer card: ")


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("", "paste a card", None),
        ('{\n  "name": oops\n}', "not JSON", 2),
        ("[1]", "not an agent card", None),
        ('{"a": "' + "x" * MAX_CARD_BYTES + '"}', "larger than", None),
        ("[" * 1000, "", 1),
        ('{"name": "\\ud800"}', "", 1),
    ],
)
async def test_a_text_that_is_no_card_has_a_message_with_its_place(
    text: str, message: str, line: int | None
) -> None:
    for action in ("check", "fix", "convert", "diff"):
        error = (await run_action(action, text))["error"]
        assert message in error["message"]
        assert error["line"] == line


async def test_a_dialect_may_be_given() -> None:
    assert (await run_action("check", '{"name": "A"}', dialect="a2a-1.0"))["dialect"] == "a2a-1.0"


async def test_the_page_of_a_card_is_the_usual_one() -> None:
    body = json.dumps({"action": "page", "text": example("beach-1.0")}).encode()
    response = await Playground().answer("application/json", body)

    assert header(response, b"content-security-policy") == CONTENT_SECURITY_POLICY.encode()
    assert b"OrchardPlanner" in response.body


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("text/plain", b"{}", 415),
        ("application/json", b"{", 400),
        ("application/json", b"[]", 400),
        ("application/json", b'{"action": "run"}', 400),
        ("application/json", b'{"action": "convert", "to": "pdf"}', 400),
        ("application/json", b'{"action": "check", "dialect": "pdf"}', 400),
        ("application/json", b'{"action": "check", "text": 7}', 400),
        ("application/json", b'{"action": "fix", "guesses": "yes"}', 400),
        (FORM, b"\xff=1", 400),
        (FORM, b"&".join([b"a=1"] * 9), 400),
        ("application/json", b"x" * (MAX_BODY_BYTES + 1), 413),
    ],
)
async def test_a_wrong_request_is_refused(kind: str, body: bytes, status: int) -> None:
    with pytest.raises(HttpError) as refused:
        await Playground().answer(kind, body)
    assert refused.value.problem.error_code.status == status


async def test_concurrent_requests_wait_or_are_refused() -> None:
    playground = Playground()
    body = json.dumps({"action": "check", "text": example("a2a-1.0")}).encode()
    results = await asyncio.gather(
        *(playground.answer("application/json", body) for _ in range(40)), return_exceptions=True
    )

    refused = [one for one in results if isinstance(one, HttpError)]
    assert {one.problem.error_code.status for one in refused} == {429}
    assert 0 < len(refused) < 40
    assert (await playground.answer("application/json", body)).status == 200


@pytest.mark.parametrize("action", ["check", "fix", "convert", "diff"])
async def test_a_form_gets_a_page_with_the_result(action: str) -> None:
    fields = {"action": action, "text": WRONG.replace("\n", "\r\n"), "other": WRONG, "to": "a2a-0.3"}
    response = await Playground().answer(FORM, urlencode(fields).encode())

    assert response.body.startswith(b"<!doctype html>")
    expected = {"check": b"4:20", "fix": b"replaces the string", "convert": b"a2a-0.3", "diff": b"0 changes"}
    assert expected[action] in response.body
    broken = await Playground().answer(FORM, urlencode({"action": action, "text": "<script>"}).encode())
    assert b'<p class="bad"' in broken.body
    assert b"&lt;script&gt;</textarea>" in broken.body


async def test_the_card_server_has_the_playground_only_if_enabled() -> None:
    card = Card.from_bytes(example("a2a-1.0").encode())
    plain = well_known_agent_card(card, index_path="/")
    playing = well_known_agent_card(card, index_path="/", playground_path="/playground")
    json_type = {"Content-Type": "application/json"}
    body = json.dumps({"action": "check", "text": WRONG}).encode()

    assert (await call(plain, "GET", "/playground")).status == 404
    assert b"Playground" not in (await call(plain, "GET", "/", {"Accept": "text/html"})).body
    assert b'href="playground"' in (await call(playing, "GET", "/", {"Accept": "text/html"})).body
    assert (await call(playing, "GET", "/playground")).status == 200
    assert (await call(playing, "HEAD", "/playground")).body == b""
    assert (
        json.loads((await call(playing, "POST", "/playground", json_type, body=body)).body)["valid"] is False
    )
    assert (await call(playing, "PUT", "/playground")).status == 405
    large = b"x" * (MAX_BODY_BYTES + 1)
    assert (await call(playing, "POST", "/playground", json_type, body=large)).status == 413


async def test_the_gateway_has_the_playground_only_if_enabled() -> None:
    json_type = {"Content-Type": "application/json"}
    body = json.dumps({"action": "check", "text": WRONG}).encode()
    async with gateway() as ask:
        assert (await ask("POST", "/playground", json_type, body)).status == 404
    async with gateway(pages={"playground": True}) as ask:
        assert (await ask("GET", "/playground")).status == 200
        assert b'href="playground"' in (await ask("GET", "/")).body
        assert json.loads((await ask("POST", "/playground", json_type, body)).body)["valid"] is False
        assert (await ask("POST", "/playground", json_type, b"x" * (MAX_BODY_BYTES + 1))).status == 413
        evil = {**json_type, "Origin": "https://evil.example"}
        assert (await ask("POST", "/playground", evil, body)).status == 403
