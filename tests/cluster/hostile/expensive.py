"""The most expensive accepted requests of each kind."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

VERSIONS: Final = ("1.0", "0.3")
_MEBIBYTE: Final = 1024 * 1024
# A little less than `max_body_values`.
_VALUES: Final = 4_950


class Posted(NamedTuple):
    """A request with a body: the kind for reports, the path, the header fields, and the body."""

    kind: str
    path: str
    headers: Mapping[str, str]
    body: bytes


def expensive_requests(key: str) -> Iterator[Posted]:
    """Yield a request of each kind, with the key of the agent `keyed`."""
    credentials = {"X-Agent-API-Key": key}
    yield Posted("nested arrays, no such agent", "/agents/nobody", {}, _rpc({"x": ""}, nested(8)))
    yield Posted("nested arrays, no key", "/agents/keyed", {}, _rpc({"x": ""}, nested(8)))
    yield Posted("nested arrays, with a key", "/agents/keyed", credentials, _rpc({"x": ""}, nested(8)))
    for version in VERSIONS:
        headers = {"A2A-Version": version, **credentials}
        for kind, parts in _messages():
            # A2A 0.3 has the same parts with a kind.
            body = _sent([_of(version, part) for part in [{"text": "a"}, *parts]], version)
            yield Posted(f"{version}: {kind}", "/agents/keyed", headers, body)
    yield Posted(
        "1.0: REST, objects in data",
        "/agents/keyed/message:send",
        credentials,
        _dumped(_message([{"text": "a"}, {"data": _objects(_VALUES // 3 - 20)}], "1.0")),
    )
    content = [{"text": "a"}, {"data": {"data": {"value": _objects(_VALUES // 3 - 20)}}}]
    message = {"messageId": "m", "role": "ROLE_USER", "content": content}
    yield Posted(
        "0.3: REST, objects in data",
        "/agents/keyed/v1/message:send",
        credentials,
        _dumped({"message": message}),
    )
    text = "a" * (_MEBIBYTE - 1_000)
    yield Posted("invoke: a text of 1 MB", "/agents/keyed/v1/invoke", credentials, _dumped({"message": text}))
    yield Posted(
        "invoke: a text of 7.9 MB",
        "/agents/keyed/v1/invoke",
        credentials,
        _dumped({"message": "a" * 7_900_000}),
    )
    yield Posted(
        "ListTasks of large tasks", "/agents/keyed", credentials, _rpc({"pageSize": 100}, method="ListTasks")
    )
    yield Posted("1.0: a long extension", "/agents/keyed", credentials, _with_extensions(["a" * 7_900_000]))
    yield Posted(
        "1.0: many extensions", "/agents/keyed", credentials, _with_extensions(["a" * 100] * (_VALUES - 50))
    )
    mcp = {"Accept": "application/json, text/event-stream", **credentials}
    for name, arguments in (("a text of 7.9 MB", {"text": "a" * 7_900_000}), ("nested arrays", {"x": ""})):
        params = {"name": "answer", "arguments": arguments}
        yield Posted(f"MCP: {name}", "/agents/keyed/mcp", mcp, _rpc(params, nested(8), method="tools/call"))
    yield Posted(
        "MCP: objects in arguments",
        "/agents/keyed/mcp",
        mcp,
        _rpc(
            {"name": "answer", "arguments": {"text": "", "x": _objects(_VALUES // 3 - 20)}},
            method="tools/call",
        ),
    )


def nested(mebibytes: int) -> bytes:
    """Return an array of nested arrays, which are the values with the fewest bytes."""
    one = b"[" * 55 + b"]" * 55 + b","
    return b"[" + one * ((mebibytes * _MEBIBYTE - 2_000) // len(one)) + b"0]"


def _messages() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    yield "objects in data", [{"data": _objects(_VALUES // 3 - 20)}]
    yield "one object in data", [{"data": {f"f{number}": number for number in range(_VALUES // 2 - 50)}}]
    yield "empty arrays in data", [{"data": [[] for _ in range(_VALUES // 2 - 50)]}]
    yield "numbers in data", [{"data": [number + 0.1 for number in range(_VALUES - 50)]}]
    yield "texts in data", [{"data": ["a" * 200 for _ in range(_VALUES - 50)]}]
    yield "many parts", [{"text": "a"} for _ in range(_VALUES // 3 - 50)]
    yield "many parts of data", [{"data": {}} for _ in range(_VALUES // 4 - 50)]
    yield "a text of 1 MB", [{"text": "a" * (_MEBIBYTE - 1_000)}]
    yield "a text of emoji", [{"text": "\N{GRINNING FACE}" * (_MEBIBYTE // 2)}]
    yield "a text of 7.9 MB", [{"text": "a" * 7_900_000}]
    yield "a file of 7.9 MB", [{"raw": "QUJD" * (2 * _MEBIBYTE - 30_000)}]


def _objects(count: int) -> list[Any]:
    return [{"a": 0} for _ in range(count)]


def _of(version: str, part: dict[str, Any]) -> dict[str, Any]:
    if version == "1.0":
        return part
    if "text" in part:
        return {"kind": "text", **part}
    if "raw" in part:
        return {"kind": "file", "file": {"bytes": part["raw"]}}
    data = part["data"]
    return {"kind": "data", "data": data if isinstance(data, dict) else {"value": data}}


def _message(parts: list[dict[str, Any]], version: str) -> dict[str, Any]:
    own = {"role": "ROLE_USER"} if version == "1.0" else {"role": "user", "kind": "message"}
    return {"message": {"messageId": "m", "parts": parts, **own}}


def _sent(parts: list[dict[str, Any]], version: str) -> bytes:
    method = "SendMessage" if version == "1.0" else "message/send"
    return _rpc(_message(parts, version), method=method)


def _with_extensions(extensions: list[str]) -> bytes:
    message = {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "a"}], "extensions": extensions}
    return _rpc({"message": message})


def _rpc(params: Any, inner: bytes = b"", method: str = "SendMessage") -> bytes:
    call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return _dumped(call).replace(b'"x":""', b'"x":' + inner)


def _dumped(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
