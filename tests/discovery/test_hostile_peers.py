"""Many hostile peers and a few good ones in one refresh: the good cards are stored, and no hostile text is."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import socket
import struct
import threading
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import AgentRegistry, Card
from cardwright.discovery.card_lookup import CardQuery, find
from cardwright.errors import AccessDenied, PeerTimeout
from cardwright.guard import Guard, GuardedClient, Response, Timeouts
from tests.discovery.test_card_lookup import CARD
from tests.discovery.test_registry import BEACH, Clock, with_id
from tests.guard.recorded_connections import ADDRESSES, block, bracketed
from tests.peers import raw_peer

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.discovery.events import Event
    from cardwright.discovery.refreshing import RefreshResult
    from tests.peers import Peer

LOOPBACK = ("127.0.0.0/8",)
SHORT = Timeouts(connect=5, first_byte=1.5, total=2)
LONG = Timeouts(connect=30, first_byte=30, total=30)
# Is in everything that a hostile peer sends, and must be nowhere else.
CANARY = "kanarie"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Kanarie: kanarie\r\n"


def says(answer: bytes, *, then: str = "close") -> Any:
    """Return a server that answers everything by the same bytes."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return
        writer.write(answer)
        await writer.drain()
        if then == "wait":
            await asyncio.Event().wait()
        if then == "reset":
            raw: Any = writer.get_extra_info("socket")
            await asyncio.sleep(0.02)
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()

    return serve


def endless(head: bytes, piece: bytes, pause: float = 0.0) -> Any:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(head)
        while True:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)

    return serve


def whole(body: bytes | Any, *fields: str, status: str = "200 OK") -> bytes:
    """Return an answer with a body; with anything but bytes, that as JSON."""
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    text = "".join(f"{field}\r\n" for field in fields).encode("latin-1")
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nConnection: close\r\n".encode()
    return head + text + f"Content-Length: {len(body)}\r\n\r\n".encode() + body


HOSTILE: dict[str, tuple[Any, str]] = {
    "drips": (endless(OK, b"X", 0.01), "fetch/timeout"),
    "hangs": (says(b"", then="wait"), "fetch/timeout"),
    "swells": (endless(OK + b"\r\n{", b"kanarie" * 9999), "fetch/too-large"),
    "interim": (endless(b"", b"HTTP/1.1 100 kanarie\r\n\r\n"), "fetch/unreachable"),
    "headers": (endless(OK, b"X-K: kanarie\r\n" * 99), "fetch/unreachable"),
    "resets": (says(OK + b"Content-Length: 99\r\n\r\n{kanarie", then="reset"), "fetch/unreachable"),
    "bombs": (
        says(whole(gzip.compress(b"{" + b"kanarie " * 9_000_000), "Content-Encoding: gzip")), "fetch/too-large",
    ),
    "codes": (says(whole(b"kanarie", "Content-Encoding: kanarie")), "fetch/encoding"),
    "rings": (says(whole(b"kanarie", "Location: /kanarie", status="302 kanarie")), "fetch/redirects"),
    "leads home": (says(whole(b"", "Location: http://169.254.169.254/kanarie", status="307 Go")), "guard/address"),
    "leads astray": (says(whole(b"", "Location: kanarie://kanarie/", status="307 Go")), "guard/scheme"),
    "asks who": (says(whole(b"kanarie", "WWW-Authenticate: kanarie, Basic realm=kanarie", status="401 kanarie")), "fetch/denied"),
    "fails": (says(whole(b"kanarie", "Retry-After: kanarie", status="599 kanarie")), "fetch/status"),
    "has none": (says(whole(b"kanarie", status="404 kanarie")), "fetch/not-found"),
    "is a page": (says(whole(b"<html>kanarie")), "fetch/not-a-card"),
    "talks SSH": (says(b"SSH-2.0-kanarie\r\n"), "fetch/unreachable"),
    "says twice": (says(whole(b'{"kanarie": 1, "kanarie": 2}')), "decode/duplicate-member"),
    "breaks off": (says(whole(b'{"kanarie": [')), "decode/not-json"),
    "nests": (says(whole(b'{"kanarie":' * 9999 + b"1" + b"}" * 9999)), "decode/too-deep"),
    "says NUL": (says(whole(b'{"kanarie": "\\u0000"}')), "decode/nul"),
    "halves": (says(whole(b'{"kanarie": "\\ud800"}')), "decode/lone-surrogate"),
    "is no UTF-8": (says(whole(b'{"kanarie": "\xff"}')), "decode/encoding"),
    "is not a card": (says(whole({"kanarie": "kanarie"})), "dialect/unknown"),
    "closes": (says(b""), "fetch/unreachable"),
}  # fmt: skip


def good(number: int) -> Any:
    return says(whole(with_id(f"good-{number}", name=f"Good {number}")))


async def refreshed(
    stack: AsyncExitStack,
    servers: dict[str, Any],
    store: Path | str = ":memory:",
    *,
    timeouts: Timeouts = LONG,
    **given: Any,
) -> tuple[AgentRegistry, dict[str, Peer]]:
    """Start servers, each at a host of its own, and create a registry of them; no request is sent yet."""
    peers = {
        name: await stack.enter_async_context(raw_peer(serve, host=f"127.0.1.{number}"))
        for number, (name, serve) in enumerate(servers.items(), 1)
    }
    client = await stack.enter_async_context(GuardedClient(Guard(allow=LOOPBACK), timeouts=timeouts))
    registry = AgentRegistry(
        [one.origin for one in peers.values()], client=client, store=store, random=lambda: 0.5, **given
    )
    await stack.enter_async_context(registry)
    return registry, peers


def test_among_hostile_peers_the_good_ones_are_stored_and_nothing_of_the_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    place = tmp_path / "peers.sqlite"
    events: list[Event] = []

    async def scene() -> None:
        servers = {name: serve for name, (serve, _) in HOSTILE.items()}
        servers |= {f"good {number}": good(number) for number in range(5)}
        async with AsyncExitStack() as stack:
            registry, peers = await refreshed(stack, servers, place, timeouts=SHORT, on_event=events.append)
            done = await registry.refresh()
            assert done.outcomes == {"failed": len(HOSTILE), "new": 5}
            assert {registry.by_id(f"good-{number}") is not None for number in range(5)} == {True}
            rules = {
                name: found.record.error_rule
                for name in HOSTILE
                if (found := registry.by_url(peers[name].origin))
            }
            assert rules == {name: rule for name, (_, rule) in HOSTILE.items()}
            output = json.dumps([*done.failures.values(), *(event.to_json() for event in events)])
            assert CANARY not in output.lower()
            assert "169.254.169.254" not in output

    asyncio.run(scene())
    assert CANARY not in caplog.text.lower()
    for file in tmp_path.iterdir():
        assert CANARY.encode() not in file.read_bytes().lower()


def watching(*answers: bytes, **given: Any) -> list[RefreshResult]:
    """Refresh once for each answer of one peer that changes; return what each came to."""
    requests: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        requests.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(answers[min(len(requests), len(answers)) - 1])
        await writer.drain()

    async def scene() -> list[RefreshResult]:
        async with AsyncExitStack() as stack:
            registry, _ = await refreshed(stack, {"one": serve}, **given)
            return [await registry.refresh(force=True) for _ in answers]

    return asyncio.run(scene())


FIELDS = {
    "a greatest age past all": ["Cache-Control: max-age=99999999999999999999"],
    "an age of many digits": ["Cache-Control: max-age=" + "9" * 900],
    "an invalid age": ["Cache-Control: max-age=kanarie", "Age: kanarie", "Date: kanarie"],
    "an age of before": ["Cache-Control: max-age=-1", "Age: -99999999999999999999"],
    "a date past all": ["Date: Fri, 31 Dec 9999 23:59:59 GMT", "Expires: Fri, 31 Dec 9999 23:59:59 GMT"],
    "a date before all": ["Date: Mon, 01 Jan 0001 00:00:00 GMT", "Expires: Mon, 01 Jan 0001 00:00:00 GMT"],
    "no date at all": ["Date: 0", "Expires: 0", "Last-Modified: 0"],
    "directives without sense": ['Cache-Control: ,,=,"";max-age="', "Cache-Control: " + "no-cache=a," * 90],
    "varies on all": ["Vary: *"],
    "varies on a thousand": ["Vary: " + ",".join(f"x-{number}" for number in range(1000))],
    "varies on nothing": ["Vary: ,,,"],
    "a tag of 8 KB": ['ETag: "' + "a" * 8000 + '"', 'ETag: "b"'],
    "a tag past ASCII": ['ETag: "\xff\xfe"', "Last-Modified: \xff"],
    "a tag with a tab": ['ETag: "a\tb"'],
    "a tag without quotes": ['ETag: a"b, *, W/'],
    "many tags": [f'ETag: "{number}"' for number in range(90)],
    "a type past ASCII": ["Content-Type: \xe9", "Content-Location: \xe9"],
    "fields of its connection": ["Connection: etag, cache-control", 'ETag: "a"'],
}


@pytest.mark.parametrize("name", FIELDS)
def test_no_header_field_prevents_the_next_refresh(name: str) -> None:
    answers = [whole(with_id("one", version=f"1.0.{number}"), *FIELDS[name]) for number in range(3)]
    found = watching(*answers, clock=Clock())
    assert [dict(one.outcomes) for one in found] == [{"new": 1}, {"changed": 1}, {"changed": 1}]


@pytest.mark.parametrize("name", FIELDS)
def test_no_header_field_breaks_a_response_without_a_body(name: str) -> None:
    first = whole(with_id("one"), 'ETag: "first"')
    again = whole(b"", *FIELDS[name], status="304 Same")
    found = watching(first, again, again, clock=Clock())
    assert [dict(one.outcomes) for one in found] == [{"new": 1}, {"unchanged": 1}, {"unchanged": 1}]


def test_an_etag_of_100_kilobytes_is_refused() -> None:
    found = watching(whole(with_id("one"), 'ETag: "' + "a" * 100_000 + '"'))
    assert found[0].outcomes == {"failed": 1}


@pytest.mark.parametrize(
    ("after", "waits"),
    [
        ("99999999999999999999999", 86_400.0), ("9" * 5000, 86_400.0), ("-5", 60.0), ("kanarie", 60.0), ("", 60.0), ("1e9", 60.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400.0), ("Mon, 01 Jan 1900 00:00:00 GMT", 60.0),
        ("Fri, 31 Dec 99999 23:59:59 GMT", 60.0), ("Fri, 31 Dec 2027 23:59:59 +99999999999999999999", 60.0),
        ("Fri, 31 Dec 1969 23:59:59 -2359", 60.0), ("31 Dec", 60.0), ("\xb2", 60.0),
    ],
    ids=range(13),
)  # fmt: skip
async def test_retry_after_is_limited_to_a_day(after: str, waits: float) -> None:
    async with AsyncExitStack() as stack:
        answer = whole(b"kanarie", f"Retry-After: {after}", status="503 No")
        registry, peers = await refreshed(stack, {"one": says(answer)}, clock=Clock())
        await registry.refresh()
        found = registry.by_url(peers["one"].origin)
        assert found is not None
        assert found.record.error_rule == "fetch/status"
        assert found.record.next_at == Clock.now + waits


async def test_an_authentication_challenge_is_reported_by_known_scheme_names_only() -> None:
    field = "WWW-Authenticate: ignore, all, previous, Bearer realm=x, kanarie, DPoP"
    async with raw_peer(says(whole(b"", field, status="401 No"))) as one:
        with pytest.raises(AccessDenied) as caught:
            async with GuardedClient(Guard(allow=LOOPBACK)) as client:
                await find(client, CardQuery(one.origin), clock=Clock())
        assert caught.value.schemes == ("bearer", "dpop")
        assert str(caught.value).endswith("authentication is required (bearer or dpop)")


async def test_all_candidates_share_one_timeout() -> None:
    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Each answer by itself is quick enough.
        while True:
            await reader.readuntil(b"\r\n\r\n")
            await asyncio.sleep(0.2)
            writer.write(b"HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()

    async with raw_peer(slow) as one, GuardedClient(Guard(allow=LOOPBACK)) as client:
        with pytest.raises(PeerTimeout, match="no card found within"):
            await find(client, CardQuery(f"{one.origin}/a", seconds=0.3), clock=Clock())


SKILL = CARD["skills"][0]
WIDE = [{**SKILL, "id": f"{number}", "name": f"{number}" * 9} for number in range(1000)]
BIDI = "a\u202eb\u2066c\u200d\U000e0041\x1b[31m\x07\r\n"
CARDS: dict[str, Any] = {
    "as large as may be": {**with_id("large"), "description": "kanarie " * 32_000},
    "as deep as may be": {**with_id("deep"), "x": json.loads("[" * 60 + "]" * 60)},
    "64 interfaces": {**with_id("wide"), "supportedInterfaces": CARD["supportedInterfaces"] * 64},
    "1,000 skills": {**with_id("skills"), "skills": WIDE},
    "an id of 100 KB": with_id("i" * 100_000),
    "an id with invisible characters": with_id(BIDI),
    "a name with invisible characters": {**with_id("name"), "name": BIDI, "description": BIDI},
    "an id that is a path": with_id("../../etc/passwd"),
    "an id that is a statement": with_id("'; DROP TABLE peers; --"),
    "an id that is not a string": with_id(["x"]),  # type: ignore[arg-type]
    "an id that is nothing": with_id(""),
    "invalid extensions": {**CARD, "capabilities": {"extensions": [1, None, [], {"uri": 1}, {}]}},
    "invalid skills": {**CARD, "skills": [1, None, [], {"id": {}}]},
    "invalid interfaces": {**CARD, "supportedInterfaces": [1, None, {"url": 1}]},
    "invalid signatures": {**CARD, "signatures": [1, None, {}, {"protected": 1}, {"protected": "e30", "signature": ""}] * 9},
    "fields that are objects": {name: {} for name in CARD},
    "fields that are lists": {name: [] for name in CARD},
    "fields that are numbers": dict.fromkeys(CARD, -1e+308),
    "a date in its place": {**with_id("date"), "generatedAt": "9999-99-99"},
}  # fmt: skip


async def test_any_card_is_stored_or_refused_without_harm_to_others(caplog: pytest.LogCaptureFixture) -> None:
    servers = {name: says(whole(card)) for name, card in CARDS.items()} | {"good": good(1)}
    async with AsyncExitStack() as stack:
        # These peers are quick, but this process is not while it reads their cards.
        registry, peers = await refreshed(stack, servers)
        done = await registry.refresh()
        for name in CARDS:
            found = registry.by_url(peers[name].origin)
            assert found is not None
            assert (name, found.record.error_rule) in {(name, ""), (name, "dialect/unknown")}
            assert found.id is None or 0 < len(found.id) <= 256
        assert registry.by_id("good-1") is not None
        assert done.outcomes["new"] + done.outcomes["failed"] == len(servers)
        # The stored cards can be listed, searched and refreshed.
        assert len(list(registry.all())) == len(servers)
        assert registry.search("kanarie").hits
        again = await registry.refresh(force=True)
        assert again.outcomes["unchanged"] == done.outcomes["new"]
    assert "could not be looked at" not in caplog.text


async def test_a_claimed_id_of_another_peer_is_refused() -> None:
    async with AsyncExitStack() as stack:
        servers = {"first": good(1), "thief": good(1), "second thief": good(1)}
        registry, peers = await refreshed(stack, servers)
        await registry.refresh()
        kept = registry.by_id("good-1")
        assert kept is not None
        assert kept.url == peers["first"].origin
        assert {one.url for one in registry.conflicts} == {
            peers["thief"].origin, peers["second thief"].origin,
        }  # fmt: skip


async def test_a_change_of_everything_is_reported_briefly() -> None:
    many = {**with_id("one"), "skills": [{**SKILL, "id": f"a{number}"} for number in range(900)]}
    other = {**with_id("one"), "skills": [{**SKILL, "id": f"b{number}"} for number in range(900)]}

    async with AsyncExitStack() as stack:
        answers = [whole(many), whole(other)]

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answers.pop(0))
            await writer.drain()

        registry, peers = await refreshed(stack, {"one": serve})
        await registry.refresh()
        done = await registry.refresh(force=True)
        assert done.outcomes == {"changed": 1}
        version = registry.versions(peers["one"].origin)[0]
        kept = json.loads(version.change)
        assert len(kept["changes"]) == 50
        assert kept["more"] == 900 - 50
        event = done.events[0]
        assert (len(event.changes), event.bump) == (50, kept["bump"])
        assert event.detail == "850 more changes are not listed"


async def test_concurrent_refreshes_do_not_share_connections() -> None:
    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        begun.set()
        await go_on.wait()
        writer.write(whole(with_id("slow")))
        await writer.drain()

    begun, go_on = asyncio.Event(), asyncio.Event()

    async with (
        raw_peer(slow, host="127.0.1.1") as late,
        raw_peer(good(1), host="127.0.1.2") as quick,
        AgentRegistry([late.origin], allow=LOOPBACK) as registry,
    ):
        first = asyncio.create_task(registry.refresh())
        await begun.wait()
        registry.add(quick.origin)
        assert (await registry.refresh(quick.origin)).outcomes == {"new": 1}
        go_on.set()
        assert (await first).outcomes == {"new": 1}


async def test_a_large_card_is_validated_in_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    beside: dict[bool, set[bool]] = {}
    really = Card.from_bytes

    def from_bytes(body: bytes, **given: Any) -> Card:
        heavy = len(body) > 16 * 1024
        beside.setdefault(heavy, set()).add(threading.current_thread() is not threading.main_thread())
        return really(body, **given)

    monkeypatch.setattr(Card, "from_bytes", from_bytes)

    async with AsyncExitStack() as stack:
        heavy = whole({**with_id("heavy"), "skills": WIDE})
        registry, _ = await refreshed(stack, {"heavy": says(heavy), "good": good(1)})
        assert (await registry.refresh()).outcomes == {"new": 2}
    assert beside == {True: {True}, False: {False}}


def test_a_card_that_alternates_is_stored_each_time() -> None:
    one, other = whole(with_id("one", name="A")), whole(with_id("one", name="B"))
    found = watching(*[one, other] * 5)
    assert [dict(each.outcomes) for each in found] == [{"new": 1}, *[{"changed": 1}] * 9]


async def test_no_referenced_schema_is_requested_at_a_forbidden_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    places = [f"https://{bracketed(one)}/{CANARY}.json" for one in ADDRESSES]
    skills = [
        {"id": f"s{at}", "description": "d", "inputSchema": {"$ref": url}} for at, url in enumerate(places)
    ]
    servers = {f"refers {at}": says(whole({**BEACH, "id": f"b{at}", "capabilities": skills[at : at + 8]})) for at in range(0, len(skills), 8)}  # fmt: skip

    connections = block(monkeypatch, *(f"127.0.1.{number}" for number in range(1, 250)))
    async with AsyncExitStack() as stack:
        # Each peer may only be connected to itself, whatever the others refer to.
        peers = [
            await stack.enter_async_context(raw_peer(serve, host=f"127.0.1.{number}"))
            for number, serve in enumerate(servers.values(), 1)
        ]
        client = await stack.enter_async_context(GuardedClient(Guard(allow=("127.0.1.0/24",))))
        registry = AgentRegistry([one.origin for one in peers], client=client)
        await stack.enter_async_context(registry)
        wanted: list[str] = []
        really = client.get

        async def get(url: str, **given: Any) -> Response:
            wanted.append(url)
            return await really(url, **given)

        monkeypatch.setattr(client, "get", get)
        assert (await registry.refresh()).outcomes == {"new": len(servers)}
        # All of them were referenced, and no connection was opened to any.
        assert sum(CANARY in url for url in wanted) == len(places)
    assert connections.forbidden == []
