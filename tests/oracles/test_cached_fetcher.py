"""A fetcher with a cache, before an origin that answers what the tests say."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Final

import pytest

from cardwright.errors import PeerUnreachable
from tests.discovery.test_caching import DATE, TAG, T, value
from tests.oracles.cached_fetcher import Answer, CachedAnswer, CachedFetcher, MemoryAnswers, Request

URL: Final = "https://mill.example.com/.well-known/jwks.json"


@dataclass
class Origin:
    """An origin that sends its responses in turn, the last for ever, and records the requests."""

    answers: list[Answer | PeerUnreachable]
    now: float = T
    requests: list[Request] = field(default_factory=list)

    async def send(self, request: Request) -> Answer:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, PeerUnreachable):
            raise answer
        return answer


def fetcher(*answers: Answer | PeerUnreachable) -> tuple[Origin, CachedFetcher]:
    origin = Origin(list(answers))
    return origin, CachedFetcher(origin.send, MemoryAnswers(), clock=lambda: origin.now, salt=b"salt")


def get(cache: CachedFetcher, *headers: tuple[str, str], url: str = URL) -> CachedAnswer:
    return asyncio.run(cache.get(url, headers=headers))


FRESH: Final = Answer(200, (("Cache-Control", "max-age=60"), TAG, DATE), b"keys")


def test_a_fresh_response_is_not_requested_again() -> None:
    origin, cache = fetcher(FRESH)
    get(cache)
    origin.now += 30.9

    answer = get(cache)

    assert (answer.body, answer.from_cache, answer.revalidated) == (b"keys", True, False)
    assert value(answer.headers, "age") == "30"
    assert len(origin.requests) == 1


def test_a_304_moves_no_body() -> None:
    origin, cache = fetcher(FRESH, Answer(304, (TAG,)))
    get(cache)
    origin.now += 61

    answer = get(cache)

    assert (answer.status, answer.body, answer.from_cache, answer.revalidated) == (200, b"keys", True, True)
    assert origin.requests[1].headers == (("If-None-Match", TAG[1]),)
    get(cache)
    assert len(origin.requests) == 2


def test_a_304_with_no_store_is_used_once() -> None:
    origin, cache = fetcher(FRESH, Answer(304, (("Cache-Control", "no-store"),)), FRESH)
    get(cache)
    origin.now += 61

    assert get(cache).body == b"keys"
    assert not get(cache).from_cache
    assert origin.requests[2].headers == ()


def test_a_response_for_one_caller_is_never_given_to_another() -> None:
    origin, cache = fetcher(FRESH)
    for name, secret in (
        ("Authorization", "Bearer a"),
        ("authorization", "Bearer b"),
        ("X-API-Key", "Bearer a"),
    ):
        assert not get(cache, (name, secret)).from_cache
    assert not get(cache).from_cache

    assert get(cache, ("AUTHORIZATION", "Bearer a")).from_cache
    assert get(cache).from_cache
    assert len(origin.requests) == 4


def test_no_credential_is_stored() -> None:
    origin = Origin(
        [Answer(200, (("Cache-Control", "max-age=60"), ("Vary", "Authorization, X-Team")), b"keys")]
    )
    store = MemoryAnswers()
    cache = CachedFetcher(
        origin.send, store, clock=lambda: origin.now, salt=b"salt", credentials=frozenset({"x-team"})
    )
    get(cache, ("Authorization", "Bearer secret"), ("X-Team", "secret"))

    assert get(cache, ("Authorization", "Bearer secret"), ("X-Team", "secret")).from_cache
    assert "secret" not in repr(store)


def test_responses_that_vary_are_stored_side_by_side() -> None:
    plain = (("Cache-Control", "max-age=60"), ("Vary", "Accept"))
    _, cache = fetcher(Answer(200, plain, b"a"), Answer(200, plain, b"b"), Answer(500))
    get(cache, ("Accept", "text/a"))
    get(cache, ("Accept", "text/b"))

    assert get(cache, ("Accept", "text/a")).body == b"a"
    assert get(cache, ("Accept", "text/b")).body == b"b"


@pytest.mark.parametrize("directive", ["must-revalidate", "proxy-revalidate", "no-cache", "s-maxage=2"])
def test_a_must_revalidate_response_does_not_replace_a_missing_one(directive: str) -> None:
    lost = PeerUnreachable(URL, "it closed the connection")
    origin, cache = fetcher(Answer(200, (("Cache-Control", f"max-age=2, {directive}"),), b"keys"), lost)
    get(cache)
    origin.now += 3

    with pytest.raises(PeerUnreachable):
        get(cache)


def test_an_error_keeps_the_stored_response_for_revalidation() -> None:
    origin, cache = fetcher(FRESH, Answer(503, (), b"later"), Answer(304))
    get(cache)
    origin.now += 61

    assert get(cache).status == 503
    assert get(cache).body == b"keys"


def test_only_if_cached_sends_no_request() -> None:
    origin, cache = fetcher(FRESH)

    assert get(cache, ("Cache-Control", "only-if-cached")).status == 504
    get(cache)
    assert get(cache, ("Cache-Control", "only-if-cached")).body == b"keys"
    assert len(origin.requests) == 1


@pytest.mark.parametrize(
    ("named", "url", "gone"),
    [
        (URL, URL, True),
        ("/.well-known/jwks.json", "https://mill.example.com/keys", True),
        (URL, "https://other.example.com/keys", False),
        ("http://[", "https://mill.example.com/keys", False),
    ],
)
def test_an_unsafe_method_invalidates_the_urls_it_names(named: str, url: str, gone: bool) -> None:  # noqa: FBT001 # a row of the table
    origin, cache = fetcher(FRESH, Answer(201, (("Location", named),)), FRESH)
    get(cache)
    asyncio.run(cache.ask(Request(url, method="POST", body=b"{}")))

    assert get(cache).from_cache != gone
    assert len(origin.requests) == (3 if gone else 2)


def test_a_failed_unsafe_method_invalidates_nothing() -> None:
    _, cache = fetcher(FRESH, Answer(409))
    get(cache)
    asyncio.run(cache.ask(Request(URL, method="DELETE")))

    assert get(cache).from_cache


def test_a_head_gets_the_stored_get_response_without_its_body() -> None:
    origin, cache = fetcher(FRESH)
    get(cache)

    answer = asyncio.run(cache.ask(Request(URL, method="HEAD")))

    assert (answer.status, answer.body, value(answer.headers, "etag")) == (200, b"", TAG[1])
    assert len(origin.requests) == 1


@pytest.mark.parametrize(("etag", "left"), [(TAG[1], True), ('"tide-2"', False)])
def test_a_head_with_another_etag_removes_the_stored_response(etag: str, left: bool) -> None:  # noqa: FBT001 # likewise
    origin, cache = fetcher(FRESH, Answer(200, (("ETag", etag),)), FRESH)
    get(cache)
    origin.now += 61
    asyncio.run(cache.ask(Request(URL, method="HEAD")))
    get(cache)

    assert (origin.requests[2].headers != ()) == left


def test_a_range_request_bypasses_the_cache() -> None:
    origin, cache = fetcher(FRESH, Answer(206, (("Cache-Control", "max-age=60"),), b"ey"))
    get(cache)

    assert get(cache, ("Range", "bytes=1-2")).body == b"ey"
    assert get(cache).body == b"keys"
    assert len(origin.requests) == 2


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        (("If-None-Match", '"x", W/"tide-1"'), 304),
        (("If-None-Match", "*"), 304),
        (("If-None-Match", '"x"'), 200),
        (("If-Modified-Since", DATE[1]), 304),
        (("If-Modified-Since", "Tue, 10 Nov 2026 09:59:59 GMT"), 200),
        (("If-Modified-Since", "yesterday"), 200),
    ],
)
def test_a_matching_conditional_request_gets_no_body(condition: tuple[str, str], status: int) -> None:
    _, cache = fetcher(FRESH)
    get(cache)

    answer = get(cache, condition)

    assert (answer.status, answer.body) == (status, b"keys" if status == 200 else b"")
