"""A whole private cache around `plan` and `settle`, so that tests of HTTP caches can be run on them (RFC 9111)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from secrets import token_bytes
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import urljoin, urlsplit

from cardwright.discovery.caching.decisions import plan, settle
from cardwright.discovery.caching.fields import combined, directives, same, varies_on
from cardwright.discovery.caching.freshness import age
from cardwright.discovery.caching.values import CREDENTIALS, Headers, Plan, StoredResponse, digested
from tests.oracles.cache_conditions import satisfied

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

# RFC 9110 §9.2.1
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_CONDITIONS: Final = frozenset({"if-none-match", "if-modified-since"})
# The maximum number of stored responses to one URL that differ by Vary (project decision).
_MOST_VARIANTS: Final = 16


@dataclass(frozen=True, slots=True)
class Request:
    """A request to an origin."""

    url: str
    method: str = "GET"
    headers: Headers = ()
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response of an origin, with its whole body."""

    status: int
    headers: Headers = ()
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """A response from the cache, or from the origin.

    Attributes:
        status: The status; 504 for only-if-cached without a stored response.
        headers: The fields; a stored response has lower-case names and Age.
        body: The body.
        from_cache: Whether the body is from the cache.
        revalidated: Whether the origin confirmed the stored response (304).
    """

    status: int
    headers: Headers
    body: bytes
    from_cache: bool = False
    revalidated: bool = False


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer that is kept.

    Attributes:
        kept: What is known of it.
        body: Its body.
        caller: The credentials that it was given to, as digests.
    """

    kept: StoredResponse
    body: bytes
    caller: Headers = ()


class AnswerStore(Protocol):
    """Storage of responses: those to one URL under one key, newest first."""

    async def get(self, key: str) -> tuple[StoredAnswer, ...]:
        """Return the answers of a key; none if it has none."""
        ...

    async def put(self, key: str, answers: tuple[StoredAnswer, ...]) -> None:
        """Put these in the place of all that a key has."""
        ...

    async def delete(self, key: str) -> None:
        """Forget a key, whether it is there or not."""
        ...


@dataclass(slots=True)
class MemoryAnswers:
    """Answers in memory, without a bound: for few URLs, or for tests."""

    _answers: dict[str, tuple[StoredAnswer, ...]] = field(default_factory=dict)

    async def get(self, key: str) -> tuple[StoredAnswer, ...]:
        """Return the answers of a key; none if it has none."""
        return self._answers.get(key, ())

    async def put(self, key: str, answers: tuple[StoredAnswer, ...]) -> None:
        """Put these in the place of all that a key has."""
        self._answers[key] = answers

    async def delete(self, key: str) -> None:
        """Forget a key, whether it is there or not."""
        self._answers.pop(key, None)


class CachedFetcher:
    """A private HTTP cache in front of a given fetch function.

    What one caller was answered is never given to another: credentials are part of the key, whatever Vary says.

    Args:
        send: Sends a request, follows no redirect, and raises a PeerError if no answer comes.
        store: Where answers are kept.
        clock: Returns seconds since 1970.
        salt: What credentials are digested with; by default one that no other fetcher has, so that
            after a restart nothing is found that was kept for a caller with a credential.
        credentials: The names of fields that say who is asking, in lower case.
        heuristic_seconds: The most that freshness may be guessed by Last-Modified; 0: nothing is guessed.
    """

    def __init__(
        self,
        send: Callable[[Request], Awaitable[Answer]],
        store: AnswerStore,
        *,
        clock: Callable[[], float],
        salt: bytes | None = None,
        credentials: frozenset[str] = CREDENTIALS,
        heuristic_seconds: float = 0.0,
    ) -> None:
        self._send = send
        self._store = store
        self._clock = clock
        self._salt = token_bytes(32) if salt is None else salt
        self._credentials = credentials | CREDENTIALS
        self._heuristic_seconds = heuristic_seconds

    async def get(self, url: str, *, headers: Headers = ()) -> CachedAnswer:
        """Return the response to a GET.

        Raises:
            PeerError: If the origin must be requested and sends no response.
        """
        return await self.ask(Request(url, headers=headers))

    async def ask(self, request: Request) -> CachedAnswer:
        """Return the response to a request, stored or from the origin.

        Only a GET is answered from the cache, and a HEAD from a GET's answer. What changes something
        makes what is kept of it invalid (RFC 9111 §4.4). A request for a range passes through.

        Raises:
            PeerError: If the origin must be requested and sends no response.
        """
        if request.method not in _SAFE:
            return await self._changed(request)
        if request.method not in {"GET", "HEAD"} or combined(request.headers, "range") is not None:
            return _passed(await self._send(request))
        headers = digested(request.headers, salt=self._salt, credentials=self._credentials)
        answers = await self._store.get(request.url)
        chosen = self._chosen(answers, headers)
        planned = plan(
            chosen.kept if chosen else None,
            request_headers=headers,
            now=self._clock(),
            heuristic_seconds=self._heuristic_seconds,
        )
        if chosen and planned.action == "use":
            return _served(chosen, request, self._clock())
        if "only-if-cached" in directives(combined(headers, "cache-control")):
            return CachedAnswer(504, (), b"")
        if request.method == "HEAD":
            return await self._headed(request, chosen, answers)
        return await self._fetched(
            request, headers, chosen if planned.action == "revalidate" else None, planned
        )

    def _chosen(self, answers: tuple[StoredAnswer, ...], headers: Headers) -> StoredAnswer | None:
        """Return the newest answer that was given to this caller for such a request (RFC 9111 §4.1)."""
        own = [answer for answer in answers if answer.caller == self._caller(headers)]
        fitting = (answer for answer in own if _fits(answer, headers))
        return next(fitting, own[0] if own else None)

    def _caller(self, headers: Headers) -> Headers:
        return tuple(sorted(pair for pair in headers if pair[0] in self._credentials))

    async def _fetched(
        self, request: Request, headers: Headers, chosen: StoredAnswer | None, planned: Plan
    ) -> CachedAnswer:
        requested_at = self._clock()
        answer = await self._send(_conditional(request, planned) if chosen else request)
        received_at = self._clock()
        if chosen and answer.status >= 500:
            # RFC 9111 §4.3.3: what is kept waits for a better day.
            return _passed(answer)
        settled = settle(
            chosen.kept if chosen else None,
            request_headers=headers,
            status=answer.status,
            headers=answer.headers,
            requested_at=requested_at,
            received_at=received_at,
        )
        body = answer.body if settled.modified or chosen is None else chosen.body
        stored = StoredAnswer(settled.stored, body, self._caller(headers)) if settled.stored else None
        await self._replace(request.url, headers, stored)
        if settled.modified or chosen is None:
            return _passed(answer)
        used = stored or StoredAnswer(replace(chosen.kept, headers=settled.headers), body)
        return replace(_served(used, request, received_at), revalidated=True)

    async def _replace(self, url: str, headers: Headers, stored: StoredAnswer | None) -> None:
        """Replace the responses stored for the same caller and such a request."""
        answers = await self._store.get(url)
        own = self._caller(headers)
        others = tuple(answer for answer in answers if answer.caller != own or not _fits(answer, headers))
        left = ((stored, *others) if stored else others)[:_MOST_VARIANTS]
        if left:
            await self._store.put(url, left)
        elif answers:
            await self._store.delete(url)

    async def _headed(
        self, request: Request, chosen: StoredAnswer | None, answers: tuple[StoredAnswer, ...]
    ) -> CachedAnswer:
        """Pass a HEAD on; what is kept goes if it shows to be another document (RFC 9111 §4.3.5)."""
        answer = await self._send(request)
        if chosen and answer.status == 200 and _differs(chosen.kept.headers, answer.headers):
            left = tuple(other for other in answers if other is not chosen)
            await self._store.put(request.url, left)
        return _passed(answer)

    async def _changed(self, request: Request) -> CachedAnswer:
        """Send what changes something, and forget what it changed (RFC 9111 §4.4)."""
        answer = await self._send(request)
        if 200 <= answer.status < 400:
            for url in {request.url, *_named(request.url, answer.headers)}:
                await self._store.delete(url)
        return _passed(answer)


def _fits(answer: StoredAnswer, headers: Headers) -> bool:
    return same(answer.kept.request_headers, headers, varies_on(answer.kept.headers))


def _named(url: str, headers: Headers) -> Iterator[str]:
    """Yield the URLs of the same origin that an answer names; another's answers are not its to forget."""
    for name in ("location", "content-location"):
        try:
            to = urljoin(url, combined(headers, name) or "")
            if urlsplit(to)[:2] == urlsplit(url)[:2]:
                yield to
        except ValueError:
            # It is not a URL, so that nothing is kept of it.
            continue


def _conditional(request: Request, planned: Plan) -> Request:
    """Return the request with our conditions in the place of the caller's."""
    own = tuple(pair for pair in request.headers if pair[0].lower() not in _CONDITIONS)
    return replace(request, headers=own + planned.headers)


def _served(stored: StoredAnswer, request: Request, now: float) -> CachedAnswer:
    """Return a stored response with its age (RFC 9111 §5.1), without a body for a caller that has it."""
    kept = stored.kept
    old = min(age(kept, now), 2**31)
    headers = (*(pair for pair in kept.headers if pair[0] != "age"), ("age", str(int(old))))
    if kept.status == 200 and satisfied(request.headers, kept):
        return CachedAnswer(304, headers, b"", from_cache=True)
    body = b"" if request.method == "HEAD" else stored.body
    return CachedAnswer(kept.status, headers, body, from_cache=True)


def _passed(answer: Answer) -> CachedAnswer:
    return CachedAnswer(answer.status, answer.headers, answer.body)


def _differs(kept: Headers, updated: Headers) -> bool:
    return any(
        (new := combined(updated, name)) is not None and new != combined(kept, name)
        for name in ("etag", "last-modified", "content-length")
    )
