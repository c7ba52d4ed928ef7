"""The guarded client: requests, redirects, limits and timeouts."""

from __future__ import annotations

import asyncio
import gzip
import threading

import pytest

from cardwright.errors import BadResponse, ConnectionDenied, PeerTimeout
from cardwright.guard import Guard, GuardedClient, Timeouts
from tests.peers import RecordedRequest, Reply, peer

pytestmark = pytest.mark.usefixtures("both_ways")
LOOPBACK = Guard(allow=("127.0.0.0/8",))


async def test_a_plain_get_requests_identity_encoding_and_has_a_user_agent() -> None:
    async with peer(lambda _: Reply(body=b"hello")) as one, GuardedClient(LOOPBACK) as client:
        answer = await client.get(f"{one.origin}/a?b=c", headers={"Accept": "text/plain"})
        assert (answer.status, answer.body, answer.url) == (200, b"hello", f"{one.origin}/a?b=c")
        assert one.requests[0].headers["accept-encoding"] == "identity"
        assert one.requests[0].headers["user-agent"] == "cardwright"
        assert one.requests[0].path == "/a?b=c"


async def test_loopback_is_denied_by_default() -> None:
    async with peer(lambda _: Reply()) as one, GuardedClient() as client:
        with pytest.raises(ConnectionDenied, match=r"^refused: .*this machine") as caught:
            await client.get(one.origin)
        assert caught.value.rule == "guard/address"
        assert one.requests == []


async def test_an_allowed_origin_is_connected_to_and_its_redirect_elsewhere_is_not() -> None:
    async with peer(lambda _: Reply(body=b"secret")) as other:

        def answer(request: RecordedRequest) -> Reply:
            to = {"/away": other.origin, "/home": "/here"}.get(request.path)
            return Reply(302, headers={"Location": to}) if to else Reply(body=b"here")

        async with peer(answer) as one, GuardedClient() as client:
            assert (await client.get(f"{one.origin}/home", configured=one.origin)).body == b"here"
            with pytest.raises(ConnectionDenied):
                await client.get(f"{one.origin}/away", configured=one.origin)
            # No other request may use the open connection.
            with pytest.raises(ConnectionDenied):
                await client.get(f"{one.origin}/home")
            with pytest.raises(ConnectionDenied):
                await client.get(f"{one.origin}/home", configured=other.origin)
        assert other.requests == []


async def test_credentials_are_dropped_on_a_redirect_and_not_sent_after_it() -> None:
    places: list[str] = []

    def there(_: RecordedRequest) -> Reply:
        return Reply(302, headers={"Location": f"{places[0]}/end"})

    async with peer(there) as away:

        def answer(request: RecordedRequest) -> Reply:
            return Reply(302, headers={"Location": away.origin}) if request.path == "/" else Reply()

        async with peer(answer) as first_site, GuardedClient(LOOPBACK) as client:
            places.append(first_site.origin)
            answered = await client.get(
                first_site.origin, headers={"X-Open": "1"}, credentials={"X-Key": "k"}
            )
            assert [("x-key" in one.headers, "x-open" in one.headers) for one in first_site.requests] == [
                (True, True),
                (False, True),
            ]
            assert "x-key" not in away.requests[0].headers
            assert answered.hops == (f"{first_site.origin}/", f"{away.origin}/")


async def test_a_redirect_loop_ends_at_the_third_redirect() -> None:
    async with (
        peer(lambda _: Reply(302, headers={"Location": "/"})) as one,
        GuardedClient(LOOPBACK) as client,
    ):
        with pytest.raises(BadResponse) as caught:
            await client.get(one.origin)
        assert caught.value.kind == "redirects"
        assert len(one.requests) == 4


@pytest.mark.parametrize("announced", [True, False])
async def test_a_body_over_the_size_limit_is_refused(*, announced: bool) -> None:
    body, headers = b"x" * 5000, {}
    if not announced:
        body, headers = gzip.compress(b"x" * 10_000_000), {"Content-Encoding": "gzip"}
    async with (
        peer(lambda _: Reply(body=body, headers=headers)) as one,
        GuardedClient(LOOPBACK) as client,
    ):
        with pytest.raises(BadResponse) as caught:
            await client.get(one.origin, max_bytes=4999 if announced else 20_000)
        assert caught.value.kind == "too-large"


async def test_unrequested_gzip_is_decompressed_within_the_limit() -> None:
    reply = Reply(body=gzip.compress(b"y" * 300_000), headers={"Content-Encoding": "gzip"})
    async with peer(lambda _: reply) as one, GuardedClient(LOOPBACK) as client:
        assert (await client.get(one.origin, max_bytes=300_000)).body == b"y" * 300_000


async def test_a_silent_peer_ends_with_a_timeout() -> None:
    async def never(_: RecordedRequest) -> Reply:
        await asyncio.Event().wait()
        return Reply()

    times = Timeouts(first_byte=5, total=0.05)
    async with peer(never) as one, GuardedClient(LOOPBACK, timeouts=times) as client:
        with pytest.raises(PeerTimeout, match=r"no complete response within 0\.05 seconds"):
            await client.get(one.origin)


async def test_a_stream_gives_its_head_before_its_body_ends() -> None:
    async with peer(lambda request: Reply(body=request.body)) as one, GuardedClient(LOOPBACK) as client:
        async with client.stream("POST", one.origin, content=b"ping") as answer:
            assert answer.status == 200
            assert b"".join([piece async for piece in answer.chunks()]) == b"ping"
        assert one.requests[0].method == "POST"


@pytest.mark.parametrize("status", [204, 304])
async def test_responses_without_a_body_end_every_time(status: int) -> None:
    # aiohttp shares one reader between them, whose second reader saw chunks without end.
    async with peer(lambda _: Reply(status)) as one, GuardedClient(LOOPBACK) as client:
        for _ in range(3):
            assert (await client.get(one.origin)).body == b""
        async with client.stream("HEAD", one.origin) as answer:
            assert [piece async for piece in answer.chunks()] == []


async def test_a_closed_client_leaves_no_resolver_thread() -> None:
    def looking_up() -> list[threading.Thread]:
        return [one for one in threading.enumerate() if one.name.startswith("cardwright-names")]

    client = GuardedClient()
    with pytest.raises(ConnectionDenied):
        await client.get("http://localhost/")
    threads = looking_up()
    assert threads
    await client.close()
    for thread in threads:
        await asyncio.to_thread(thread.join, 30)
    assert looking_up() == []
