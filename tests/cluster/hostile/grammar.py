"""Random hostile requests: content, encoding, and timing on the wire."""

from __future__ import annotations

import gzip
import itertools
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

AGENTS: Final = ("open", "keyed", "queued", "behind", "broken", "nobody", "..", "%2e%2e", "a%00b", "a" * 300)
_METHODS: Final = (
    "GET", "HEAD", "POST", "POST", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get", "A" * 40,
)  # fmt: skip
_CALLED: Final = ("", "", "", "/message:send", "/message:stream", "/v1/message:send", "/v1/invoke", "/mcp")
_PATHS: Final = (
    "", "/", "/message:send", "/message:stream", "/v1/message:send", "/v1/message:stream", "/v1/invoke", "/mcp",
    "/tasks", "/tasks/x", "/tasks/x:cancel", "/tasks/x:subscribe", "/v1/tasks/x", "/v1/card", "/extendedAgentCard",
    "/tasks/x/pushNotificationConfigs", "/.well-known/agent-card.json", "/.well-known/agent.json", "/queue", "/queue/x",
    "//", "/../../etc/passwd", "/%2e%2e/", "/\x7f", "/%ff%fe",
)  # fmt: skip
_ELSEWHERE: Final = (
    "/", "/rpc", "/healthz", "/readyz", "/metrics", "/api/v1/agents", "/api/v1/agents/keyed", "/api/v1/openapi.json",
    "/api/v1/agents/keyed/keys", "/api/v1/agents/keyed/files", "/.well-known/ai-catalog.json", "/x", "*", "http://x/",
    "/.well-known/agent-card.json", "/api/v1/tasks", "/agents", "/agents/",
)  # fmt: skip
_RPC_METHODS: Final = (
    "SendMessage", "SendMessage", "SendStreamingMessage", "GetTask", "ListTasks", "CancelTask", "SubscribeToTask",
    "CreateTaskPushNotificationConfig", "ListTaskPushNotificationConfigs", "GetExtendedAgentCard", "message/send",
    "message/stream", "tasks/get", "tasks/cancel", "tasks/resubscribe", "tasks/pushNotificationConfig/set",
    "agent/getAuthenticatedExtendedCard", "initialize", "tools/list", "tools/call", "ping", "agents/list", "", "a" * 500,
    "__proto__", 5, None,
)  # fmt: skip
_TEXTS: Final = (
    "", "a", "two words", "\x00", "\x1b[2J", "\u202e", "\ud800", "a" * 513, "a" * 70_000, "../../x", "' OR 1=1 --",
    "{{7*7}}", "<script>", "http://169.254.169.254/", "http://127.0.0.1:5432/", "file:///etc/passwd", "${HOME}", "%s%n",
    "\N{GRINNING FACE}" * 2_000, "TASK_STATE_WORKING", "2026-02-30T25:61:00Z", "ROLE_USER", "agent", "\ufeff", "-1", "NaN",
)  # fmt: skip
_NUMBERS: Final = (0, -1, 1.5, 2**31, 2**53, 2**63, -(2**63), 10**40, 1e308, 5e-324)
_FIELDS: Final = (
    "message", "messageId", "role", "parts", "text", "data", "raw", "url", "taskId", "contextId", "metadata", "kind",
    "configuration", "historyLength", "returnImmediately", "acceptedOutputModes", "id", "status", "pageSize", "pageToken",
    "tenant", "extensions", "referenceTaskIds", "taskPushNotificationConfig", "file", "bytes", "content", "name",
    "arguments", "attachments", "context_id", "card", "agent", "headers", "bearer",
)  # fmt: skip
_NEW_MESSAGE: Final = (
    b'{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER",'
    b'"parts":[{"text":"a"},{"data":%b}]}}}'
)
_OLD_MESSAGE: Final = (
    b'{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"messageId":"m","role":"user",'
    b'"kind":"message","parts":[{"kind":"text","text":"a"},{"kind":"data","data":{"a":%b}}]}}}'
)


@dataclass(frozen=True, slots=True)
class Sent:
    """A request on the wire.

    Attributes:
        name: What it is, for reports.
        pieces: What is sent, with the seconds to wait before each piece.
        read: Whether the answer is read; otherwise the connection stays open for that many seconds.
        ends: Whether a complete request was sent, so that an answer has to come.
    """

    name: str
    pieces: tuple[tuple[float, bytes], ...]
    read: bool = True
    ends: bool = True


class Grammar:
    """A source of hostile requests.

    Args:
        random: Decides everything.
        key: A key of the agent `keyed`, which some requests have.
    """

    def __init__(self, random: Random, key: str) -> None:
        self._random = random
        self._key = key

    def request(self) -> Sent:
        """Return the next one."""
        if self._random.random() < 0.03:
            return self._noise()
        target = self._target()
        method = "POST" if target.startswith("/agents/") and self._likely(0.8) else self._one(_METHODS)
        body = self._body() if method not in ("GET", "HEAD") or self._likely(0.1) else b""
        headers = self._headers(target)
        name = f"{method} {target[:80]} {len(body)} bytes {body[:60]!r}"
        return self._wire(name, method, target, headers, body)

    def _one(self, values: Any) -> Any:
        return self._random.choice(values)

    def _likely(self, share: float) -> bool:
        return self._random.random() < share

    def _target(self) -> str:
        if self._likely(0.15):
            target: str = self._one(_ELSEWHERE)
        else:
            path = self._one(_CALLED if self._likely(0.7) else _PATHS)
            target = f"/agents/{self._one(AGENTS[:5] if self._likely(0.9) else AGENTS)}{path}"
        if self._likely(0.1):
            target += "?" + "&".join(
                f"{self._one(_FIELDS)}={self._one(('', 'x', '-1', '9' * 30, '%00', '%zz', 'a' * 3_000))}"
                for _ in range(self._one((1, 2, 40)))
            )
        return "".join(target.splitlines())

    def _headers(self, target: str) -> list[tuple[str, str]]:
        headers = [
            ("Host", "127.0.0.1" if self._likely(0.97) else self._one(("", "evil.example", "a b", "[::1]")))
        ]
        if self._likely(0.9):
            headers.append(("Content-Type", "application/json"))
        if self._likely(0.8):
            headers.append(
                ("A2A-Version", self._one(("1.0", "1.0", "0.3", "0.3", "9.9", "", "1.0, 0.3", "x" * 500)))
            )
        if self._likely(0.6 if "keyed" in target else 0.1):
            headers.append(("X-Agent-API-Key", self._key if self._likely(0.9) else self._one(_KEYS)))
        for name, values in _MORE.items():
            if self._likely(0.04):
                headers.append((name, self._one(values)))
        return headers

    def _body(self) -> bytes:
        makers: tuple[tuple[float, Callable[[], bytes]], ...] = (
            (0.55, self._call),
            (0.15, lambda: self._dumped(self._params())),
            (0.10, lambda: self._dumped(self._value(4))),
            (0.08, self._large),
            (0.12, self._broken),
        )
        drawn = self._random.random()
        for share, make in makers:
            drawn -= share
            if drawn < 0:
                return make()
        return b""

    def _call(self) -> bytes:
        call = {
            "jsonrpc": "2.0",
            "id": self._one((1, "a", None, 2**70, 1.5, "a" * 600, [])),
            "method": self._one(_RPC_METHODS),
        }
        call["params"] = self._params() if self._likely(0.95) else self._value(3)
        if self._likely(0.05):
            call.pop(self._one(list(call)))
        return self._dumped([call] * self._one((0, 1, 50)) if self._likely(0.03) else call)

    def _params(self) -> Any:
        message: dict[str, Any] = {
            "messageId": self._one(("m", "m", self._one(_TEXTS))),
            "role": self._one(("ROLE_USER", "user", "user", self._one(_TEXTS))),
            "parts": [self._part() for _ in range(self._one((1, 1, 1, 2, 0, 60)))],
        }
        params: dict[str, Any] = {"message": message}
        for _ in range(self._one((0, 0, 0, 1, 3))):
            place = params if self._likely(0.5) else message
            place[self._one(_FIELDS)] = self._value(3)
        return params if self._likely(0.8) else {self._one(_FIELDS): self._value(3) for _ in range(3)}

    def _part(self) -> Any:
        return self._one(
            (
                {"text": "two words"},
                {"kind": "text", "text": "two words"},
                {"text": self._one(_TEXTS)},
                {"data": self._value(4)},
                {"kind": "data", "data": {"x": self._value(4)}},
                {"raw": self._one(("QUJD", "not base64!", "QUJD" * 5_000)), "mediaType": self._one(_TEXTS)},
                {"url": self._one(_TEXTS)},
                {"kind": "file", "file": {"bytes": self._one(_TEXTS), "name": self._one(_TEXTS)}},
                self._value(2),
            )
        )

    def _value(self, depth: int) -> Any:
        """Return a random JSON value of at most so many levels."""
        if depth == 0 or self._likely(0.4):
            # Each list around it repeats it: long texts in all of them would take more memory than there is.
            texts = _TEXTS if depth > 1 else [text for text in _TEXTS if len(text) < 99]
            return self._one((self._one(texts), self._one(_NUMBERS), None, True, {}, []))
        count = self._one((0, 1, 2, 5, 16))
        if self._likely(0.5):
            return [self._value(depth - 1)] * count
        return {self._one((*_FIELDS, *_TEXTS[:7])): self._value(depth - 1) for _ in range(count)}

    def _dumped(self, value: Any) -> bytes:
        # A lone surrogate and a number beyond JSON's usual range are written as Python writes them.
        text = json.dumps(value, ensure_ascii=self._likely(0.7), separators=(",", ":"))
        return text.encode(errors="surrogatepass")

    def _large(self) -> bytes:
        """Return one of the bodies that cost most for their size."""
        size = int(10 ** self._random.uniform(3, 6.9))
        kinds: tuple[Callable[[int], bytes], ...] = (
            lambda size: b"[" * (size // 2) + b"]" * (size // 2),
            lambda size: b"[" + (b"[" * 50 + b"]" * 50 + b",") * (size // 101) + b"0]",
            lambda size: b"[" + b'{"a":0},' * (size // 8) + b"0]",
            lambda size: b"[" + b"0," * (size // 2) + b"0]",
            lambda size: b"[" + b'"",' * (size // 3) + b"0]",
            lambda size: b"{" + b",".join(b'"%d":0' % number for number in range(size // 9)) + b"}",
            lambda size: b'"' + b"a" * size + b'"',
            lambda size: b'"' + b"\\u0041" * (size // 6) + b'"',
            lambda size: b'"' + b"\\" * (size // 2 * 2) + b'"',
            lambda size: b" " * size + b"0",
            lambda size: b"1" * size,
            lambda size: b"0." + b"1" * size,
        )
        inner = self._one(kinds)(size)
        wrapped = (_NEW_MESSAGE, _OLD_MESSAGE, b'{"message":%b}', b"%b")
        body: bytes = self._one(wrapped) % inner
        return body

    def _broken(self) -> bytes:
        sound = self._call()
        place = self._random.randrange(len(sound) + 1)
        body: bytes = self._one(
            (
                sound[:place],
                sound[:place] + self._random.randbytes(3) + sound[place:],
                self._random.randbytes(self._one((1, 100, 5_000))),
                gzip.compress(sound),
                sound.decode(errors="replace").encode("utf-16"),
                b"\xef\xbb\xbf" + sound,
                sound + sound,
                sound.replace(b'"params"', b'"id":2,"params"'),
            )
        )
        return body

    # How it comes over the wire

    def _wire(self, name: str, method: str, target: str, headers: list[tuple[str, str]], body: bytes) -> Sent:
        delivery = self._random.choices(
            (
                "whole",
                "chunked",
                "bad chunks",
                "pieces",
                "dripped",
                "cut",
                "wrong length",
                "pipelined",
                "unread",
            ),
            (60, 8, 8, 8, 2, 6, 4, 6, 3),
        )[0]
        if delivery == "chunked":
            head = _head(method, target, [*headers, ("Transfer-Encoding", "chunked")])
            size = self._one((1 + len(body) // 20, 65_536, 1_000_000))
            parts = [body[at : at + size] for at in range(0, len(body), size)]
            chunks = tuple((0.0, b"%x\r\n%b\r\n" % (len(part), part)) for part in parts)
            return Sent(f"{delivery} {name}", ((0.0, head), *chunks, (0.0, b"0\r\n\r\n")))
        if delivery == "bad chunks":
            head = _head(
                method, target, [*headers, ("Transfer-Encoding", self._one(("chunked",) * 9 + _ENCODINGS))]
            )
            sent = [b"%x\r\n%b\r\n" % (len(body), body)] * bool(body) + [b"0\r\n\r\n"]
            for _ in range(self._one((1, 1, 3))):
                sent.insert(self._random.randrange(len(sent) + 1), self._one(_BAD_CHUNKS))
            chunks = tuple((self._one((0.0, 0.0, 0.05)), chunk) for chunk in sent)
            return Sent(f"{delivery} {[one[:30] for one in sent]} {name}", ((0.0, head), *chunks), ends=False)
        length = len(body)
        if delivery == "wrong length":
            length = self._one((length + 7, max(0, length - 7), 0, 10**6, 10**12, -1))
        head = _head(
            method, target, [*headers, ("Content-Length", str(length))] if body or length else headers
        )
        if delivery == "pieces":
            cut = sorted(self._random.randrange(len(body) + 1) for _ in range(3))
            edges = [0, *cut, len(body)]
            pieces = tuple((0.01, body[one:other]) for one, other in itertools.pairwise(edges))
            return Sent(f"{delivery} {name}", ((0.0, head), *pieces))
        if delivery == "dripped":
            # Slower than the least speed, until it is cut off.
            drips = tuple((0.5, body[at : at + 1]) for at in range(min(30, len(body))))
            return Sent(f"{delivery} {name}", ((0.0, head), *drips), ends=False)
        if delivery == "cut":
            whole = head + body
            return Sent(
                f"{delivery} {name}",
                ((0.0, whole[: self._random.randrange(len(whole))]),),
                read=False,
                ends=False,
            )
        if delivery == "pipelined":
            return Sent(
                f"{delivery} {name}",
                ((0.0, (head + body) * self._one((2, 20))),) if len(body) < 20_000 else ((0.0, head + body),),
            )
        if delivery == "unread":
            return Sent(
                f"{delivery} {name}",
                ((0.0, (head + body) * (50 if len(body) < 20_000 else 1)),),
                read=False,
                ends=False,
            )
        return Sent(f"{delivery} {name}", ((0.0, head + body),), ends=delivery == "whole")

    def _noise(self) -> Sent:
        """Return bytes that are no request of HTTP/1.1."""
        name, noise = self._one((
            ("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + self._random.randbytes(200)),
            ("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + self._random.randbytes(30)),
            ("HTTP/1.0", b"POST /agents/open HTTP/1.0\r\n\r\n{}"),
            ("bare LF", b"GET /healthz HTTP/1.1\nHost: x\n\n"),
            ("two lengths", b"POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
            ("smuggling", b"POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG"),
            ("upgrade", b"GET /agents/open HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"),
            ("many fields", b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"a%d: x\r\n" % one for one in range(500)) + b"\r\n"),
            ("long field", b"GET / HTTP/1.1\r\nHost: x\r\nCookie: " + b"a" * 100_000 + b"\r\n\r\n"),
            ("bad chunk", b"POST /rpc HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"),
            ("half a head", b"GET / HTTP/1.1\r\nHost: "),
            ("nothing", b""),
            ("random", self._random.randbytes(2_000)),
        ))  # fmt: skip
        return Sent(name, ((0.0, noise),), read=self._likely(0.5), ends=False)


_ENCODINGS: Final = ("gzip, chunked", "chunked, chunked", "identity", "Chunked", "chunked;x", "x", "")
# Sizes, ends, extensions and trailers that RFC 9112 §7.1 does not have, or that are too long; all else is a chunk.
_BAD_CHUNKS: Final = (
    b"x\r\n", b"-1\r\n", b"+1\r\na\r\n", b"0x1\r\na\r\n", b"1_0\r\n", b" 1\r\na\r\n", b"1 \r\na\r\n", b"\r\n", b"f" * 17 + b"\r\n",
    b"7fffffffffffffff\r\na", b"ffffffff\r\na", b"0" * 70_000 + b"1\r\na\r\n", b"1\na\n", b"1\ra\r", b"1\r\nab\r\n", b"2\r\na\r\n", b"1\r\na",
    b"1;" + b"x" * 70_000 + b"\r\na\r\n", b"1;a=b;c\r\na\r\n", b"1;\n\r\na\r\n", b"0\r\nContent-Length: 5\r\n\r\n", b"0\r\nx\r\n\r\n",
    b"0\r\n" + b"a: b\r\n" * 5_000 + b"\r\n", b"0\r\nA: " + b"b" * 70_000 + b"\r\n\r\n", b"0\r\n\r\n0\r\n\r\n", b"0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    b"1\r\na\r\n" * 5_000, b"\xd9\xa1\r\na\r\n", b"1\x00\r\na\r\n", b"0", b"0\r\n", b"",
)  # fmt: skip
_KEYS: Final = ("", "x", "aak_" + "0" * 60, "a" * 8_000, "\xff")
_MORE: Final[Mapping[str, tuple[str, ...]]] = {
    "Authorization": ("Bearer x", "Bearer " + "a.b.c" * 900, "Basic Og==", "Bearer", ""),
    "Accept": ("text/html", "text/event-stream", "application/json, text/event-stream", "*/*;q=2", "x" * 3_000),
    "Content-Type": ("text/plain", "application/json; charset=utf-16", "", "multipart/form-data"),
    "Content-Encoding": ("gzip", "br"), "Origin": ("null", "http://evil.example", "http://127.0.0.1"),
    "Expect": ("100-continue", "x"), "Connection": ("close", "keep-alive, x", "upgrade"),
    "If-None-Match": ("*", '"x"', 'W/"' + "x" * 4_000 + '"'), "Range": ("bytes=0-0", "bytes=-1"),
    "X-Forwarded-For": ("127.0.0.1", "a" * 500), "CDN-Loop": ("x", "a, b, c"), "Mcp-Session-Id": ("x", "a" * 600),
    "MCP-Protocol-Version": ("2025-06-18", "x"), "A2A-Extensions": ("x" * 4_000, "http://a, http://b"),
    "Last-Event-ID": ("1", "-1", "x"), "traceparent": ("00-" + "0" * 32 + "-" + "0" * 16 + "-01", "x"),
}  # fmt: skip


def _head(method: str, target: str, headers: list[tuple[str, str]]) -> bytes:
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"{method} {target} HTTP/1.1\r\n{fields}\r\n".encode("latin-1", errors="replace")
