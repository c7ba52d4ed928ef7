"""A first call to an interface of a card, as commands and programs to copy: curl, Python and JavaScript."""

from __future__ import annotations

import json
from dataclasses import dataclass
from shlex import quote as shell_quoted
from typing import TYPE_CHECKING, Any, Final

from cardwright.page.links import web

if TYPE_CHECKING:
    from cardwright.outline import Interface, Outline
    from cardwright.page.credentials import Credential

# The text if no skill has an example.
HELLO: Final = "Hello"
_MAX_TEXT: Final = 500
_ID: Final = "5f0c9a52-1"
# A2A 0.3 §3.2.3, A2A 1.0 §11.3: the path of the operation that sends a message.
_REST_PATHS: Final = {"0.3": "/v1/message:send", "1.0": "/message:send"}


@dataclass(frozen=True, slots=True)
class Snippet:
    """A program for one call; `language` is its name for people."""

    language: str
    source: str


@dataclass(frozen=True, slots=True)
class _Call:
    url: str
    headers: dict[str, str]
    body: dict[str, Any]


def snippets(
    interface: Interface, outline: Outline, credentials: tuple[Credential, ...] | None
) -> tuple[Snippet, ...]:
    """Return programs that send a message to an interface; none for a binding that plain HTTP requests cannot use.

    Args:
        interface: The interface.
        outline: The card, whose first example is sent.
        credentials: The headers that a caller must send; None if no header is enough.
    """
    call = _call(interface, _text(outline), credentials or ())
    if call is None:
        return ()
    return (
        Snippet("curl", _curl(call)),
        Snippet("Python", _python(call)),
        Snippet("JavaScript", _javascript(call)),
    )


def _text(outline: Outline) -> str:
    examples = (example for skill in outline.skills for example in skill.examples)
    text = next(examples, HELLO)
    return text if len(text) <= _MAX_TEXT else HELLO


def _call(interface: Interface, text: str, credentials: tuple[Credential, ...]) -> _Call | None:
    """Return the request of a binding of A2A (A2A 1.0 §9.4.1, §11.3.1; A2A 0.3 §7.1; A2A 0.1 `tasks/send`)."""
    version = ".".join(interface.version.split(".")[:2])
    if not web(interface.url):
        return None
    headers = {"Content-Type": "application/json"}
    if version == "1.0":
        # A2A 1.0 §3.6.1.
        headers["A2A-Version"] = version
    headers |= {one.header: f"{one.prefix}YOUR_{one.word}" for one in credentials}
    params = _params(version, text)
    if interface.binding == "HTTP+JSON" and version in _REST_PATHS:
        return _Call(interface.url.rstrip("/") + _REST_PATHS[version], headers, params)
    if interface.binding not in ("JSONRPC", ""):
        return None
    method = {"1.0": "SendMessage", "0.1": "tasks/send"}.get(version, "message/send")
    return _Call(interface.url, headers, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


def _params(version: str, text: str) -> dict[str, Any]:
    if version == "1.0":
        return {"message": {"messageId": _ID, "role": "ROLE_USER", "parts": [{"text": text}]}}
    if version == "0.1":
        return {"id": _ID, "message": {"role": "user", "parts": [{"type": "text", "text": text}]}}
    return {"message": {"messageId": _ID, "role": "user", "parts": [{"kind": "text", "text": text}]}}


def _json(call: _Call) -> tuple[str, ...]:
    return tuple(
        json.dumps(value, indent=2, ensure_ascii=False) for value in (call.url, call.headers, call.body)
    )


def _curl(call: _Call) -> str:
    headers = "".join(
        f" \\\n  --header {shell_quoted(f'{name}: {value}')}" for name, value in call.headers.items()
    )
    body = json.dumps(call.body, indent=2, ensure_ascii=False)
    return f"curl --silent {shell_quoted(call.url)}{headers} \\\n  --data {shell_quoted(body)}"


def _python(call: _Call) -> str:
    # Texts, numbers, arrays and objects are written in Python as in JSON.
    url, headers, body = _json(call)
    return (
        "import json\nfrom urllib.request import Request, urlopen\n\n"
        f"body = {body}\nheaders = {headers}\n"
        f"request = Request({url}, json.dumps(body).encode(), headers)\n"
        "with urlopen(request) as response:\n    print(json.dumps(json.load(response), indent=2))"
    )


def _javascript(call: _Call) -> str:
    url, headers, body = _json(call)
    return (
        f"const headers = {headers};\nconst body = {body};\n"
        f'const response = await fetch({url}, {{ method: "POST", headers, body: JSON.stringify(body) }});\n'
        "console.log(JSON.stringify(await response.json(), null, 2));"
    )
