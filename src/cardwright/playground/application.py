"""The page of the playground and its requests, for the card server and the gateway."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl

import orjson

from cardwright.errors import CardError
from cardwright.http.problem import BAD_QUERY, BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, ErrorCode, refuse
from cardwright.http.response import Response
from cardwright.page import CONTENT_SECURITY_POLICY, Home
from cardwright.page.render import header_policy, rendered, text_file
from cardwright.playground.actions import MAX_CARD_BYTES, NotACard, checked, compared, converted, fixed, shown
from cardwright_rules import DIALECTS

if TYPE_CHECKING:
    from cardwright.http.response import Header

# Two cards, and what their encoding adds.
MAX_BODY_BYTES: Final = 4 * MAX_CARD_BYTES
# Cards that are read at the same time, and requests that wait; each takes up to some seconds (project decision).
_CONCURRENT: Final = 2
_WAITING: Final = 16
_BUSY: Final = ErrorCode(429, "PLAYGROUND_BUSY")
_FORM: Final = "application/x-www-form-urlencoded"
_JSON: Final = "application/json"
_ACTIONS: Final = ("check", "fix", "convert", "diff", "page")
# The dialects that a card can be converted to, newest first.
_TARGETS: Final = tuple(
    name
    for name in ("a2a-1.0", "a2a-0.3", "a2a-0.2", "a2a-0.1", "a2a-hybrid", "beach-1.0")
    if name in DIALECTS
)
_PACKAGE: Final = "cardwright.playground"
_SCRIPT: Final = text_file("playground.js", _PACKAGE)
_POLICY: Final = header_policy(_SCRIPT)
_EXAMPLE: Final = text_file("example.json", _PACKAGE)


@dataclass(frozen=True, slots=True)
class _Form:
    """A request: the card as text and its dialect, the newer card for `diff`, the new dialect for `convert`."""

    action: str = ""
    text: str = ""
    dialect: str = ""
    other: str = ""
    to: str = _TARGETS[0]
    guesses: bool = False


class Playground:
    """The playground.

    Args:
        home: The list of agents, linked at the top; None for no link.
    """

    def __init__(self, home: Home | None = None) -> None:
        self._home = home
        self._running = asyncio.Semaphore(_CONCURRENT)
        self._waiting = 0

    def page(self) -> Response:
        """Return the empty page."""
        return self._page(_Form(text=_EXAMPLE), {})

    async def answer(self, content_type: str, body: bytes) -> Response:
        """Return the result of a request: JSON for JSON, a page for a form.

        Raises:
            HttpError: If the request cannot be read, or too many are waiting.
        """
        if len(body) > MAX_BODY_BYTES:
            raise refuse(BODY_TOO_LARGE, f"the body is larger than {MAX_BODY_BYTES:,} bytes")
        kind = content_type.partition(";")[0].strip().lower()
        form = _read(kind, body)
        if self._waiting >= _WAITING:
            raise refuse(_BUSY, "too many cards are being read; try again", headers=((b"retry-after", b"1"),))
        self._waiting += 1
        try:
            async with self._running:
                return await asyncio.to_thread(self._answer, form, as_json=kind == _JSON)
        finally:
            self._waiting -= 1

    def _answer(self, form: _Form, *, as_json: bool) -> Response:
        try:
            if form.action == "page":
                return _html(shown(form.text, form.dialect), CONTENT_SECURITY_POLICY)
            result = _result(form)
        except NotACard as error:
            result = {"error": {"message": str(error), "line": error.line, "column": error.column}}
        except CardError as error:
            result = {"error": {"message": str(error), "line": None, "column": None}}
        return _response(orjson.dumps(result), _JSON.encode()) if as_json else self._page(form, result)

    def _page(self, form: _Form, result: dict[str, Any]) -> Response:
        body = rendered(
            "playground.html.jinja",
            package=_PACKAGE,
            script=_SCRIPT,
            referrer="same-origin",
            home=self._home,
            form=form,
            result=result,
            dialects=list(DIALECTS),
            targets=_TARGETS,
            max_bytes=MAX_CARD_BYTES,
        )
        return _html(body, _POLICY)


def _result(form: _Form) -> dict[str, Any]:
    """Return the result of an action.

    Raises:
        NotACard: If a text cannot be read.
        CardError: If the card cannot be converted.
    """
    match form.action:
        case "fix":
            return fixed(form.text, form.dialect, guesses=form.guesses)
        case "convert":
            return converted(form.text, form.to, form.dialect)
        case "diff":
            return compared(form.text, form.other)
        case _:
            return checked(form.text, form.dialect)


def _read(kind: str, body: bytes) -> _Form:
    """Return the request in a body.

    Raises:
        HttpError: If it is neither JSON nor a form, or a field is wrong.
    """
    try:
        if kind == _JSON:
            fields = orjson.loads(body)  # noqa: TID251 - a text may be what `decode` refuses; the body has a maximum size
        elif kind == _FORM:
            fields = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=8, errors="strict"))
            # Browsers send the line ends of forms as CRLF (WHATWG HTML §4.10.22.4).
            fields = {name: value.replace("\r\n", "\n") for name, value in fields.items()}
            fields["guesses"] = fields.get("guesses", "") != ""
        else:
            raise refuse(UNSUPPORTED_MEDIA_TYPE, f"expected {_JSON} or {_FORM}")
    except ValueError as error:
        raise refuse(BAD_QUERY, f"the body cannot be read: expected {kind}") from error
    if type(fields) is not dict:
        raise refuse(BAD_QUERY, "expected a JSON object")
    known = {name: fields[name] for name in _Form.__slots__ if name in fields}
    guesses = known.pop("guesses", False)
    if type(guesses) is not bool or not all(type(value) is str for value in known.values()):
        raise refuse(BAD_QUERY, "expected strings, and true or false for guesses")
    form = _Form(**known, guesses=guesses)
    if form.action not in _ACTIONS or form.to not in _TARGETS or form.dialect not in ("", *DIALECTS):
        raise refuse(
            BAD_QUERY, f"unknown action or dialect; known: {', '.join(_ACTIONS)}; {', '.join(_TARGETS)}"
        )
    return form


def _html(body: bytes, policy: str) -> Response:
    referrer = b"no-referrer" if policy is CONTENT_SECURITY_POLICY else b"same-origin"
    return _response(
        body,
        b"text/html; charset=utf-8",
        (b"content-security-policy", policy.encode()),
        (b"referrer-policy", referrer),
    )


def _response(body: bytes, kind: bytes, *more: Header) -> Response:
    fields = (
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    )
    return Response(200, (*fields, *more), body)
