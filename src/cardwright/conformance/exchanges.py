"""HTTP exchanges with the server that a program started for one card."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from cardwright.canonical import decode
from cardwright.conformance.comparison import same
from cardwright.errors import CardError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.conformance.kit import Case

# Names are not resolved: what localhost is, another may decide.
_LOCAL: Final = ("127.0.0.1", "::1")
_MAX_BODY: Final = 2**20


@dataclass(frozen=True, slots=True)
class _Response:
    status: int
    headers: Mapping[str, str]
    body: bytes


def server_fault(case: Case, url: object, seconds: float) -> str:
    """Return why a server is wrong; "" if each of its responses is right.

    Args:
        case: A case of the operation `serve`.
        url: The address that the program answered: only loopback is requested.
        seconds: How long a response may take, in seconds.
    """
    parts = urlsplit(url) if isinstance(url, str) else None
    if parts is None or parts.scheme != "http" or parts.hostname not in _LOCAL or parts.port is None:
        return "the answer has no url of a server on a loopback address, such as http://127.0.0.1:8000"
    responses: list[_Response] = []
    for exchange in case.expect["exchanges"]:
        request = exchange["request"]
        headers = {**request.get("headers", {}), **_sent(request.get("send", {}), responses)}
        try:
            response = _request(parts.hostname, parts.port, request, headers, seconds)
        except (OSError, HTTPException) as error:
            return f"{request['method']} {request['path']}: no response: {error or type(error).__name__}"
        responses.append(response)
        fault = _fault(exchange["expect"], responses, case.input["document"])
        if fault:
            return f"{request['method']} {request['path']}: {fault}"
    return ""


def _request(
    host: str, port: int, request: Mapping[str, Any], headers: Mapping[str, str], seconds: float
) -> _Response:
    connection = HTTPConnection(host, port, timeout=seconds)
    try:
        connection.request(request["method"], request["path"], headers={"Connection": "close", **headers})
        response = connection.getresponse()
        fields = {name.lower(): value for name, value in response.getheaders()}
        return _Response(response.status, fields, response.read(_MAX_BODY))
    finally:
        connection.close()


def _sent(send: Mapping[str, Any], responses: Sequence[_Response]) -> dict[str, str]:
    """Return the header fields that repeat those of earlier responses."""
    return {name: _repeated(source, responses) for name, source in send.items()}


def _repeated(source: Mapping[str, Any], responses: Sequence[_Response]) -> str:
    value = responses[source["exchange"]].headers.get(source["header"], "")
    form: str = source.get("as", "{value}")
    return form.replace("{value}", value).replace("{strong}", value.removeprefix("W/"))


def _fault(expect: Mapping[str, Any], responses: Sequence[_Response], document: Any) -> str:
    response = responses[-1]
    if response.status not in expect["status"]:
        return f"status {response.status} instead of {' or '.join(map(str, expect['status']))}"
    for name, rule in expect.get("headers", {}).items():
        value = response.headers.get(name)
        if value is None:
            return f"there is no header {name}"
        if "matches" in rule and not re.search(rule["matches"], value):
            return f"{name} is {value!r}, which does not match {rule['matches']}"
        if "equals" in rule and value.removeprefix("W/") != _repeated(rule["equals"], responses).removeprefix(
            "W/"
        ):
            return f"{name} is {value!r}, which is not that of the first response"
    body = expect.get("body")
    if body == "empty" and response.body:
        return f"the response has {len(response.body)} bytes of content"
    if body == "same" and response.body != responses[0].body:
        return "the content is not that of the first response"
    if body == "card":
        found: Any = None
        with suppress(CardError):
            found = decode(response.body)
        if not isinstance(found, dict):
            return "the content is not a JSON object"
        for name, value in document.items():
            if name not in found or not _contains(found[name], value):
                return f"the content has not the card's {name}"
    return ""


def _contains(found: Any, wanted: Any) -> bool:
    """Return whether a value is another one, apart from further fields of its objects: ProtoJSON may write defaults."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        return all(name in found and _contains(found[name], value) for name, value in wanted.items())
    if isinstance(found, list) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(_contains, found, wanted))
    return same(found, wanted)
