"""Every form of a forbidden address, at every place where a stranger can name one: no connection is opened (SSRF)."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import pytest

from cardwright import Card
from cardwright.discovery.signatures import Verifier
from cardwright.errors import CardError, ConnectionDenied, PeerError, PeerUnreachable
from cardwright.guard import PRIVATE, Guard, GuardedClient, target_of
from cardwright.signing import KeySet, Policy
from tests.discovery.test_card_lookup import CARD
from tests.guard.recorded_connections import ADDRESSES, FORMS, NAMES, Answers, block, bracketed
from tests.peers import raw_peer

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.usefixtures("both_ways")
URLS: list[dict[str, str]] = FORMS["urls"]
# The peer that may be connected to; no form names it.
HOME = "127.0.0.77"
LEAVE = Guard(allow=(f"{HOME}/32",))


def one_line(error: ConnectionDenied) -> bool:
    message = str(error)
    return message.startswith("refused: ") and "\n" not in message and message.endswith(f"[{error.rule}]")


def refusal(client: GuardedClient, url: str) -> ConnectionDenied:
    """Return how a GET is refused, and a POST as well."""

    async def streamed() -> None:
        async with client.stream("POST", url, content=b"{}"):
            raise AssertionError(url)

    async def both() -> ConnectionDenied:
        async with client:
            with pytest.raises(ConnectionDenied) as caught:
                await client.get(url)
            with pytest.raises(ConnectionDenied) as again:
                await streamed()
        assert str(again.value) == str(caught.value)
        return caught.value

    return asyncio.run(both())


def test_there_are_enough_forms() -> None:
    assert len(URLS) + len(ADDRESSES) >= 120
    assert len({one["url"] for one in URLS}) == len(URLS)


def test_no_forbidden_url_is_connected_to_and_each_refusal_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connections = block(monkeypatch)
    client = GuardedClient(resolver=Answers(NAMES))
    for form in URLS:
        error = refusal(client, form["url"])
        assert (form["url"], error.rule, one_line(error)) == (form["url"], form["rule"], True)
    assert connections.hosts == []


def test_no_forbidden_address_is_connected_to_in_any_spelling(monkeypatch: pytest.MonkeyPatch) -> None:
    connections = block(monkeypatch)
    client = GuardedClient()
    for address in ADDRESSES:
        for port in ("", ":443", ":22"):
            error = refusal(client, f"http://{bracketed(address)}{port}/")
            assert (address, error.rule, one_line(error)) == (address, "guard/address", True)
    assert connections.hosts == []


def test_no_name_that_resolves_to_a_forbidden_address_is_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connections = block(monkeypatch)
    for address in (*ADDRESSES, "fe80::1%eth0", "::1%1"):
        client = GuardedClient(resolver=Answers({"agent.example": address}))
        error = refusal(client, "https://agent.example/card.json")
        assert (address, error.rule) == (address, "guard/address")
        # The error does not say which address the name has.
        assert address.partition("%")[0] not in str(error)
    assert connections.hosts == []


def redirected(location: str, client: GuardedClient) -> CardError:
    """Return the result of a redirect from an allowed peer."""
    field = location.encode("utf-8", "surrogateescape")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 307 Go\r\nContent-Length: 0\r\nLocation: " + field + b"\r\n\r\n")
        await writer.drain()

    async def scene() -> CardError:
        async with raw_peer(serve, host=HOME) as one, client:
            with pytest.raises(CardError) as caught:
                await client.get(f"{one.origin}/card.json")
            message = str(caught.value)
            assert f"{one.origin}/card.json (redirect target): " in message or isinstance(
                caught.value, PeerError
            )
            return caught.value

    return asyncio.run(scene())


# What no header field can hold, or no field of such a length: there the answer itself is refused.
UNSENDABLE = ("\x00", "\n", "\x01", "\x7f")


def test_no_redirect_to_a_forbidden_address_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    connections = block(monkeypatch, HOME)
    for form in URLS:
        error = redirected(form["url"], GuardedClient(LEAVE, resolver=Answers(NAMES)))
        if not any(sign in form["url"] for sign in UNSENDABLE) and len(form["url"]) < 8000:
            assert (form["url"], type(error)) == (form["url"], ConnectionDenied)
            assert isinstance(error, ConnectionDenied)
            assert one_line(error)
        else:
            assert isinstance(error, (ConnectionDenied, PeerUnreachable))
    for address in ADDRESSES:
        error = redirected(f"//{bracketed(address)}/", GuardedClient(LEAVE))
        assert (address, getattr(error, "rule", "")) == (address, "guard/address")
    assert connections.forbidden == []


def test_no_message_quotes_the_location_of_a_redirect() -> None:
    for location in (
        "http://10.0.0.1/kanarie", "kanarie://x/", "http://kanarie@x/", "http://1.2/kanarie", "//10.9.8.7/",
    ):  # fmt: skip
        message = str(redirected(location, GuardedClient(LEAVE)))
        assert "kanarie" not in message
        assert "10.9.8.7" not in message


def signed_with(jku: str) -> Card:
    """Return a card whose signature names a key set; it holds by no key."""
    header = json.dumps({"alg": "ES256", "kid": "k", "jku": jku}).encode()
    protected = base64.urlsafe_b64encode(header).decode().rstrip("=")
    signature = base64.urlsafe_b64encode(b"\1" * 64).decode().rstrip("=")
    return Card.from_document({**CARD, "signatures": [{"protected": protected, "signature": signature}]})


class Credulous(Policy):
    """A policy that trusts the key set of any origin, so that only the guard denies the address."""

    def follows(self, jku: str, store: frozenset[str]) -> str:
        del store
        return jku


@pytest.mark.parametrize("policy", [Credulous, Policy])
async def test_no_key_set_is_requested_at_a_forbidden_address(
    policy: Callable[[], Policy], monkeypatch: pytest.MonkeyPatch
) -> None:
    connections = block(monkeypatch)
    places = [form["url"] for form in URLS]
    places += [url.replace("http:", "https:") for url in places]
    places += [f"https://{bracketed(address)}/jwks.json" for address in ADDRESSES]

    states: list[str] = []
    async with GuardedClient(resolver=Answers(NAMES)) as client:
        for jku in places:
            verifier = Verifier(client, keys=KeySet(), policy=policy(), clock=lambda: 0.0)
            held = await verifier.signatures(signed_with(jku), "https://agent.example/card.json")
            states.append(held.state)
    assert states == ["unverified"] * len(places)
    assert connections.hosts == []


@pytest.mark.parametrize("secret", ["169.254.169.254", "fd00:ec2::254", "168.63.129.16", "fe80::a9fe:a9fe"])
def test_cloud_metadata_addresses_stay_denied_when_private_ones_are_allowed(secret: str) -> None:
    for allow in (PRIVATE, ("0.0.0.0/0", "::/0")):
        guard = Guard(allow=allow)
        for spelling in (secret, *((f"::ffff:{secret}", f"64:ff9b::{secret}") if "." in secret else ())):
            with pytest.raises(ConnectionDenied):
                guard.check(target_of(f"http://{bracketed(spelling)}/"))
    length = 128 if ":" in secret else 32
    Guard(allow=(f"{secret}/{length}",)).check(target_of(f"http://{bracketed(secret)}/"))


def test_a_redirect_location_is_parsed_as_strictly_as_a_url() -> None:
    here = target_of("https://agent.example/a/b")
    for location, to in (("c", "/a/c"), ("/d?e", "/d?e"), ("//other.example/", "/"), ("?q", "/a/b?q")):
        assert here.joined(location).path == to
        assert here.joined(location).url == urljoin(here.url, location)
    for location in ("https:c", "https:/c", "a\tb", "\\c", " /c", "/é"):
        with pytest.raises(ConnectionDenied) as caught:
            here.joined(location)
        assert caught.value.rule == "guard/url"


def dns(*addresses: str) -> Any:
    return Answers(otherwise=addresses)


def test_one_forbidden_address_refuses_the_whole_dns_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    connections = block(monkeypatch)
    for bad in ("127.0.0.1", "::1", "169.254.169.254", "no address"):
        for answers in (("1.1.1.1", bad), (bad, "1.1.1.1"), ("1.1.1.1", "2606:4700::1", bad)):
            error = refusal(GuardedClient(resolver=dns(*answers)), "https://agent.example/")
            assert error.rule == "guard/address"
    assert connections.hosts == []
