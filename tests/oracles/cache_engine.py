"""The client and the origin of http-cache-tests in one process, on a clock of its own instead of pauses.

Both follow the package's client/test.mjs and server/handle-test.mjs assertion by assertion, and node's http
module where those rely on it (Date, Connection and Keep-Alive are added, field values are trimmed).
"""

from __future__ import annotations

import asyncio
import re
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from cardwright.dates import imf_fixdate
from cardwright.errors import PeerUnreachable
from tests.oracles.cached_fetcher import (
    Answer,
    AnswerStore,
    CachedAnswer,
    CachedFetcher,
    MemoryAnswers,
    Request,
)

UUID: Final = "7d5c1f0a-4a53-4b0a-8f3e-2f0d3c1b9e77"
BASE: Final = "http://origin.test"
# Saturday, half a second into a second, because no clock is at a full one.
START: Final = 1_790_000_000.5
PAUSE: Final = 3.0
# What a request takes.
DELAY: Final = 0.004
HEURISTIC: Final = 86_400.0
DATES: Final = ("date", "expires", "last-modified", "if-modified-since", "if-unmodified-since")
NO_BODY: Final = (204, 304)


class Failed(Exception):
    """An assertion of the engine does not hold; `setup` if the test asks nothing of the kind."""

    def __init__(self, message: str, *, setup: bool) -> None:
        super().__init__(message)
        self.setup = setup


def check(condition: bool, message: str, *, setup: bool) -> None:  # noqa: FBT001 # as the engine's assert
    if not condition:
        raise Failed(message, setup=setup)


@dataclass
class Seen:
    """A request as the origin received it, and its response."""

    number: int
    method: str
    headers: dict[str, str]
    answered: list[tuple[str, str]]


@dataclass
class Bench:
    """One test's clock, origin and cache."""

    test: dict[str, Any]
    now: float = START
    seen: list[Seen] = field(default_factory=list)

    async def send(self, request: Request) -> Answer:
        """Answer as server/handle-test.mjs does."""
        self.now += DELAY
        headers: dict[str, str] = {}
        for name, value in request.headers:
            key, text = name.lower(), value.strip()
            headers[key] = f"{headers[key]}, {text}" if key in headers else text
        number = int(headers["req-num"])
        config = self.test["requests"][number - 1]
        status = self._status(config, number, headers)
        path = request.url.removeprefix(BASE)
        fields = [
            ("Server-Base-Url", path),
            ("Server-Request-Count", str(len(self.seen) + 1)),
            ("Client-Request-Count", str(number)),
            ("Server-Now", str(int(self.now * 1000))),
            ("Capability-Seen", headers.get("surrogate-capability", "")),
        ]
        saved: dict[str, str] = {}
        for header in config.get("response_headers", []):
            name, value = header[0], fixed(header, self.now, path, config)
            header[1] = value
            fields.append((name, value.strip()))
            if len(header) < 3 or header[2] is True:
                saved[name] = ", ".join(v for n, v in fields if n.lower() == name.lower())
        names = {name.lower() for name, _ in fields}
        added = (
            ("Content-Type", "text/plain"),
            ("Date", imf_fixdate(datetime.fromtimestamp(self.now, UTC))),
            ("Connection", "keep-alive"),
            ("Keep-Alive", "timeout=5"),
        )
        fields += [pair for pair in added if pair[0].lower() not in names]
        self.seen.append(Seen(number, request.method, headers, list(saved.items())))
        fields.append(("Request-Numbers", " ".join(str(seen.number) for seen in self.seen)))
        self.now += DELAY
        if config.get("disconnect"):
            raise PeerUnreachable(BASE, "it closed the connection")
        body = (
            b""
            if status in NO_BODY or request.method == "HEAD"
            else (config.get("response_body") or UUID).encode()
        )
        return Answer(status, tuple(fields), body)

    def _status(self, config: dict[str, Any], number: int, headers: dict[str, str]) -> int:
        status: int = config.get("response_status", [200])[0]
        if not config.get("expected_type", "").endswith("validated"):
            return status
        before = self.test["requests"][number - 2].get("response_headers", [])
        validators = (("Last-Modified", "if-modified-since"), ("ETag", "if-none-match"))
        for name, condition in validators:
            last = [value for key, value, *_ in before if key.lower() == name.lower()]
            if last and last[-1] and headers.get(condition) == last[-1]:
                return 304
        return 999


def fixed(header: list[Any], now: float, path: str, config: dict[str, Any]) -> str:
    """Return a value as lib/header-fixup.mjs makes it."""
    name, value = header[0].lower(), header[1]
    if name in DATES and type(value) is int:
        moment = datetime.fromtimestamp(int(now) + value, UTC)
        if name in config.get("rfc850date", ()):
            return moment.strftime("%A, %d-%b-%y %H:%M:%S GMT")
        return imf_fixdate(moment)
    if name in {"location", "content-location"} and config.get("magic_locations"):
        return f"{path}/{value}" if value else path
    return str(value)


def outcome(test: dict[str, Any], store: AnswerStore | None = None) -> str:
    """Return `pass`, or why a test fails: what the engine says, `setup: ` before it where it says so."""
    try:
        asyncio.run(_run(Bench(deepcopy(test)), store or MemoryAnswers()))
    except Failed as failed:
        return f"setup: {failed}" if failed.setup else str(failed)
    except PeerUnreachable:
        return "no answer"
    return "pass"


async def _run(bench: Bench, store: AnswerStore) -> None:
    cache = CachedFetcher(
        bench.send, store, clock=lambda: bench.now, salt=b"salt", heuristic_seconds=HEURISTIC
    )
    answers: list[CachedAnswer] = []
    for index, config in enumerate(bench.test["requests"]):
        answer = await cache.ask(_request(bench, index, config, answers))
        answers.append(answer)
        _check_answer(config, index + 1, answer)
        if "pause_after" in config:
            bench.now += PAUSE
    _check_origin(bench, answers)


def _request(bench: Bench, index: int, config: dict[str, Any], answers: list[CachedAnswer]) -> Request:
    url = f"{BASE}/test/{UUID}"
    url += f"/{config['filename']}" if "filename" in config else ""
    url += f"?{config['query_arg']}" if "query_arg" in config else ""
    headers = config.get("request_headers")
    if headers is None:
        headers = [["Pragma", "foo"], ["Cache-Control", "nothing-to-see-here"]]
    if config.get("cache") == "no-cache":
        # What a browser makes of that mode of fetch().
        headers = [["Cache-Control", "max-age=0"]]
    sent: list[tuple[str, str]] = []
    for header in headers:
        name, value = header
        if config.get("magic_ims") and name.lower() == "if-modified-since":
            server_now = int(field_of(answers[index - 1], "Server-Now") or "0") / 1000
            value = fixed(header, server_now, "", config)
        sent.append((name, str(value)))
    own = (("Test-ID", bench.test["id"]), ("Req-Num", str(index + 1)))
    return Request(
        url,
        method=config.get("request_method", "GET"),
        headers=(*sent, *own),
        body=config.get("request_body", "").encode(),
    )


def field_of(answer: CachedAnswer, name: str) -> str | None:
    """Return a field as fetch() gives it."""
    lines = [value for key, value in answer.headers if key.lower() == name.lower()]
    return ", ".join(lines) if lines else None


def integer(text: str | None) -> int | None:
    """Return what parseInt does."""
    match = re.match(r"\s*([+-]?\d+)", text or "")
    return int(match[1]) if match else None


def _is_setup(config: dict[str, Any], name: str) -> bool:
    return config.get("setup") is True or name in config.get("setup_tests", ())


def _check_answer(config: dict[str, Any], number: int, answer: CachedAnswer) -> None:
    """Check as checkResponse() does."""
    count = integer(field_of(answer, "Server-Request-Count"))
    numbers = (field_of(answer, "Request-Numbers") or "").split()
    check(len(numbers) == len(set(numbers)), "retry", setup=True)
    setup = _is_setup(config, "expected_type")
    expected = config.get("expected_type")
    if expected == "cached" and not (answer.status == 304 and count is None):
        check(
            count is not None and count < number, f"response {number} does not come from cache", setup=setup
        )
    if expected == "not_cached":
        check(count == number, f"response {number} comes from cache", setup=setup)
    _check_status(config, number, answer)
    for header in config.get("expected_response_headers", []):
        _check_expected(header, config, number, answer)
    for header in config.get("expected_response_headers_missing", []):
        # The engine looks at a listed value in a way that never finds one; here the field may not be there at all.
        name = header if isinstance(header, str) else header[0]
        missing = _is_setup(config, "expected_response_headers_missing")
        value = field_of(answer, name)
        gone = value is None or (not isinstance(header, str) and str(header[1]) not in value)
        check(gone, f"response {number} includes {name}", setup=missing)
    _check_body(config, number, answer)


def _check_status(config: dict[str, Any], number: int, answer: CachedAnswer) -> None:
    claim = f"response {number} status is {answer.status}"
    if "expected_status" in config:
        check(answer.status == config["expected_status"], claim, setup=_is_setup(config, "expected_status"))
    elif "response_status" in config:
        check(answer.status == config["response_status"][0], claim, setup=True)
    elif answer.status == 999:
        raise Failed(f"request {number} is not conditional", setup=_is_setup(config, "expected_type"))
    else:
        check(answer.status == 200, claim, setup=True)


def _check_expected(header: Any, config: dict[str, Any], number: int, answer: CachedAnswer) -> None:
    setup = _is_setup(config, "expected_response_headers")
    name = header if isinstance(header, str) else header[0]
    value = field_of(answer, name)
    claim = f"response {number} header {name} is {value}"
    if isinstance(header, str):
        check(value is not None, claim, setup=setup)
    elif len(header) > 2:
        check(value is not None, claim, setup=setup)
        if header[1] == "=":
            check(value == field_of(answer, header[2]), claim, setup=setup)
        else:
            assert header[1] == ">"
            check((integer(value) or 0) > header[2], claim, setup=setup)
    else:
        server_now = int(field_of(answer, "Server-Now") or "0") / 1000
        path = field_of(answer, "Server-Base-Url") or ""
        wanted = fixed(header, server_now, path, config)
        check(value == wanted, f"{claim}, not {wanted}", setup=setup)


def _check_body(config: dict[str, Any], number: int, answer: CachedAnswer) -> None:
    body, claim = answer.body.decode(), f"response {number} has another body"
    if config.get("check_body") is False:
        return
    if "expected_response_text" in config:
        wanted = config["expected_response_text"]
        check(wanted is None or body == wanted, claim, setup=_is_setup(config, "expected_response_text"))
    elif config.get("response_body") is not None:
        check(body == config["response_body"], claim, setup=True)
    elif answer.status not in NO_BODY and config.get("request_method") != "HEAD":
        check(body == UUID, claim, setup=True)


def _check_origin(bench: Bench, answers: list[CachedAnswer]) -> None:
    """Check as checkServerRequests() does."""
    index = 0
    for number, (config, answer) in enumerate(zip(bench.test["requests"], answers, strict=True), 1):
        expected = config.get("expected_type")
        if expected == "cached":
            continue
        seen = bench.seen[index] if index < len(bench.seen) else None
        index += 1
        setup = _is_setup(config, "expected_type")
        if expected == "not_cached":
            check(
                seen is not None and seen.number == number, f"response {number} comes from cache", setup=setup
            )
        condition = {"etag_validated": "if-none-match", "lm_validated": "if-modified-since"}.get(
            expected or ""
        )
        if condition:
            check(
                seen is not None and condition in seen.headers,
                f"request {number} has no {condition}",
                setup=setup,
            )
        _check_seen(config, number, seen, answer)


def _check_seen(config: dict[str, Any], number: int, seen: Seen | None, answer: CachedAnswer) -> None:
    headers = seen.headers if seen else {}
    for header in config.get("expected_request_headers", []):
        name = header if isinstance(header, str) else header[0]
        value = headers.get(name.lower())
        right = value is not None if isinstance(header, str) else value == header[1]
        setup = _is_setup(config, "expected_request_headers")
        check(right, f"request {number} header {name} is {value}", setup=setup)
    for name, value in seen.answered if seen else ():
        if name.lower() != "date":
            got = field_of(answer, name)
            check(got == value, f"response {number} header {name} is {got}, not {value}", setup=True)
    if "expected_method" in config:
        method = seen.method if seen else None
        right = method == config["expected_method"]
        check(right, f"request {number} had method {method}", setup=_is_setup(config, "expected_method"))
