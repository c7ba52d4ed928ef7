"""Served cards, read by the SDKs: resolved over HTTP, and used to create a client."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import threading
from functools import cache
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped] # it has no stubs
from granian.constants import Interfaces
from granian.server.embed import Server

from benchmarks.load import free_port
from cardwright import Card, convert
from cardwright.serve import well_known_agent_card
from tests.oracles.card_facts import newer, older
from tests.oracles.signers import JS, peer
from tests.oracles.test_js_sdk_conversion import LISTED as JS_LISTED
from tests.oracles.test_js_sdk_conversion import as_resolved
from tests.oracles.test_published import agree
from tests.oracles.test_sdk_conversion import corpus, differences, examples
from tests.serve.client import CARD_PATH
from tests.shared import SHARED, shared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from a2a.types import AgentCard

ORIGIN = "https://cards.example.com"
FORMS = ("a2a-1.0", "a2a-0.3", "a2a-0.2", "a2a-0.1", "a2a-hybrid")
# The requested version, and the dialect that is served for it.
FORM_OF_VERSION = {"": "a2a-hybrid", "1.0": "a2a-1.0", "0.3": "a2a-0.3"}
# What the resolver of @a2a-js/sdk requests by default.
OWN = "1.0"
BINDINGS = ["JSONRPC", "HTTP+JSON"]


@cache
def names() -> dict[str, str]:
    """Return the files of all cards that can be served in every form, by the ids that they are served by."""
    return {name: file for name, (file, _) in published().items()}


@cache
def published() -> dict[str, tuple[str, Card]]:
    real = corpus() if (SHARED / "corpus").exists() else ()
    cards = [(file, card) for file, card in (*examples(), *real) if card.valid and _has_every_form(card)]
    return {f"card-{number}": pair for number, pair in enumerate(cards)}


def _has_every_form(card: Card) -> bool:
    return all(convert(card, to=form)[0].valid for form in FORMS)


@cache
def application() -> Any:
    """Serve each card in each form, below an id for the form: `card-1-a2a-0.3`."""
    cards = {
        f"{name}-{form}": convert(card, to=form)[0]
        for name, (_, card) in published().items()
        for form in FORMS
    }
    return well_known_agent_card(cards, default="as-written", publish_sensitive="all")


def client() -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=application()))


def form_of(version: str) -> str:
    return f"a2a-{version}" if version else "a2a-hybrid"


def headers(version: str) -> dict[str, str]:
    return {"A2A-Version": version} if version else {}


@cache
def served(version: str) -> dict[str, Any]:
    """Return every card as it is served."""

    async def fetched() -> dict[str, Any]:
        async with client() as http:
            replies = {
                name: await http.get(
                    f"{ORIGIN}/{name}-{form_of(version)}{CARD_PATH}", headers=headers(version)
                )
                for name in names()
            }
        assert {reply.status_code for reply in replies.values()} == {200}
        return {name: reply.json() for name, reply in replies.items()}

    return asyncio.run(fetched())


def resolved(version: str) -> dict[str, AgentCard]:
    """Return what a2a-sdk's resolver makes of every card."""

    async def fetched() -> dict[str, AgentCard]:
        async with client() as http:
            return {
                name: await A2ACardResolver(http, f"{ORIGIN}/{name}-{form_of(version)}").get_agent_card(
                    http_kwargs={"headers": headers(version)}
                )
                for name in names()
            }

    return asyncio.run(fetched())


def seen_otherwise(document: dict[str, Any], card: dict[str, Any], to: str) -> list[str]:
    """Return in which fields a reader sees something else than a document says."""
    if to == "a2a-0.3":
        different = differences(as_resolved(older(document)), as_resolved(newer(card)))
    else:
        different = differences(newer(document), newer(card))
    return sorted({one.partition(":")[0] for one in different})


def test_enough_cards_are_served() -> None:
    assert len(names()) >= (105 if (SHARED / "corpus").exists() else 8)


@pytest.mark.parametrize(("version", "to"), FORM_OF_VERSION.items())
@pytest.mark.process
def test_the_python_sdk_reads_the_served_cards(version: str, to: str) -> None:
    documents = served(version)
    cards = {name: MessageToDict(card) for name, card in resolved(version).items()}

    found = {name: seen_otherwise(documents[name], card, to) for name, card in cards.items()}
    assert {names()[name]: different for name, different in found.items() if different} == {}


@pytest.mark.parametrize(("version", "to"), FORM_OF_VERSION.items())
def test_the_python_sdk_creates_a_client_of_a_served_card(version: str, to: str) -> None:
    cards = resolved(version)

    async def made() -> dict[str, str]:
        async with client() as http:
            factory = ClientFactory(ClientConfig(httpx_client=http, supported_protocol_bindings=BINDINGS))
            refused: dict[str, str] = {}
            for name, card in cards.items():
                try:
                    factory.create(card)
                except ValueError as error:
                    refused[name] = str(error)
        return refused

    refused = asyncio.run(made())
    speaking = {name for name, document in served(version).items() if speaks(document, to)}
    assert {names()[name]: why for name, why in refused.items() if name in speaking} == {}


def speaks(document: dict[str, Any], to: str) -> bool:
    """Whether a card has an interface that the SDKs have a client for: their range begins at 0.3."""
    facts = older(document) if to == "a2a-0.3" else newer(document)
    return any(
        binding in BINDINGS and version.startswith(("0.3", "1.0"))
        for _, binding, version, _ in facts.interfaces
    )


@pytest.mark.parametrize("version", ["0.2", "0.1"])
def test_the_older_forms_are_valid_cards_of_their_version(version: str) -> None:
    for name, document in served(version).items():
        card = Card.from_bytes(json.dumps(document).encode(), dialect=f"a2a-{version}")
        assert card.valid, (names()[name], card.violations)


@pytest.mark.parametrize("version", ["0.3", "0.2", "0.1"])
def test_the_older_forms_are_valid_in_the_published_schema(version: str) -> None:
    shared("spec")
    for document in served(version).values():
        agree(f"a2a-{version}", document)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Serve all cards over loopback."""
    peer()
    place = free_port()
    logging.getLogger("_granian").setLevel(logging.ERROR)
    server = Server(application(), port=place, interface=Interfaces.ASGI, websockets=False, log_enabled=False)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=_serve, args=(loop, server))
    thread.start()
    yield place
    loop.call_soon_threadsafe(server.stop)
    thread.join(60)
    assert not thread.is_alive()


def _serve(loop: asyncio.AbstractEventLoop, server: Server) -> None:
    asyncio.set_event_loop(loop)
    loop.run_until_complete(server.serve())
    loop.close()


@pytest.mark.parametrize(("version", "to"), [(None, "a2a-1.0"), *FORM_OF_VERSION.items()])
@pytest.mark.process
def test_the_javascript_sdk_reads_the_served_cards(port: int, version: str | None, to: str) -> None:
    bases = [f"http://127.0.0.1:{port}/{name}-{to}/" for name in names()]
    job = {"bases": bases, "headers": None if version is None else headers(version)}
    done = subprocess.run(
        ["node", "resolve.mjs"], cwd=JS, input=json.dumps(job).encode(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    results = dict(zip(names(), json.loads(done.stdout), strict=True))

    documents = served(OWN if version is None else version)
    assert {names()[name]: one["refused"] for name, one in results.items() if "refused" in one} == {}
    found = {name: seen_otherwise(documents[name], one["seen"], to) for name, one in results.items()}
    assert {names()[name]: fields for name, fields in found.items() if fields} == {
        file: row[to] for file, row in JS_LISTED.items() if to in row and file in names().values()
    }
    for name, one in results.items():
        assert one["client"] or not speaks(documents[name], to), (names()[name], one)
