"""`LoopbackAgent`: discovered, called and probed by the parts of cardwright and by the client of a2a-sdk."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

import pytest

from cardwright import Card, call_agent
from cardwright.testing import LoopbackAgent, assert_valid_card
from tests.cli.command_line import EXAMPLES

pytestmark = pytest.mark.process
LOOPBACK = ("127.0.0.0/8",)


def fetched(url: str) -> bytes:
    with urllib.request.urlopen(url) as response:  # noqa: S310 - an agent of the test
        return bytes(response.read())


def test_the_card_of_a_scripted_agent_is_valid_and_names_it() -> None:
    with LoopbackAgent(replies=["Good day"]) as agent:
        card = assert_valid_card(fetched(agent.card_url), dialect="a2a-1.0")
        assert card.document["supportedInterfaces"][0]["url"] == agent.url


@pytest.mark.parametrize("version", ["1.0", "0.3"])
async def test_call_agent_gets_the_replies_in_order(version: str) -> None:
    with LoopbackAgent(replies=["one", "two"]) as agent:
        document = json.loads(fetched(agent.card_url))
        kept = [one for one in document["supportedInterfaces"] if one["protocolVersion"] == version]
        card = Card.from_document({**document, "supportedInterfaces": kept}, dialect="a2a-1.0")
        replies = [(await call_agent(card, "hi", allow=LOOPBACK)).text for _ in range(3)]
        assert [one["message"]["parts"][0]["text"] for one in agent.received] == ["hi"] * 3
    assert replies == ["one", "two", "two"]


async def test_a_function_replies_to_the_text() -> None:
    with LoopbackAgent(replies=str.upper) as agent:
        assert (
            await call_agent(Card.from_bytes(fetched(agent.card_url)), "quiet", allow=LOOPBACK)
        ).text == "QUIET"


def test_a_given_card_is_served_as_it_is() -> None:
    body = (EXAMPLES / "a2a-0.3.card.json").read_bytes()
    for given in (body, json.loads(body), Card.from_bytes(body)):
        with LoopbackAgent(given) as agent:
            assert json.loads(fetched(agent.card_url)) == json.loads(body)


@pytest.mark.parametrize(("body", "status"), [(b"{", 400), (b"[]", 200), (b'{"method": "SendMessage"}', 200)])
def test_a_wrong_call_gets_an_error(body: bytes, status: int) -> None:
    with LoopbackAgent(replies=["x"]) as agent:
        try:
            with urllib.request.urlopen(agent.url, body) as response:  # noqa: S310 - an agent of the test
                answer = json.loads(response.read())
        except urllib.error.HTTPError as error:
            assert error.code == status
        else:
            assert (status, answer["error"]["code"]) == (200, -32601)
