"""One interface of A2A, asked by operation: what was said is told the same way for every binding and version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import quote

import orjson

from cardwright.canonical import DEFAULT_LIMITS, decode
from cardwright.discovery.probe.client import EVENTS
from cardwright.discovery.probe.requests import Operation, method_of, params_of, path_of
from cardwright.errors import MalformedDocument

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.discovery.interfaces import Interface
    from cardwright.discovery.probe.client import Heard, ProbeClient

TASK_NOT_FOUND: Final = -32001
PUSH_NOT_SUPPORTED: Final = -32003
UNSUPPORTED: Final = -32004
NOT_CONFIGURED: Final = -32007
VERSION_NOT_SUPPORTED: Final = -32009
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
# A2A 1.0 §5.4: what HTTP+JSON names its errors.
_REASONS: Final = {
    "TASK_NOT_FOUND": TASK_NOT_FOUND,
    "TASK_NOT_CANCELABLE": -32002,
    "PUSH_NOTIFICATION_NOT_SUPPORTED": PUSH_NOT_SUPPORTED,
    "UNSUPPORTED_OPERATION": UNSUPPORTED,
    "CONTENT_TYPE_NOT_SUPPORTED": -32005,
    "INVALID_AGENT_RESPONSE": -32006,
    "EXTENDED_AGENT_CARD_NOT_CONFIGURED": NOT_CONFIGURED,
    "EXTENSION_SUPPORT_REQUIRED": -32008,
    "VERSION_NOT_SUPPORTED": VERSION_NOT_SUPPORTED,
    "METHOD_NOT_FOUND": METHOD_NOT_FOUND,
    "INVALID_PARAMS": INVALID_PARAMS,
}
_NAMES: Final = {code: name for name, code in _REASONS.items()}
_INFO: Final = "type.googleapis.com/google.rpc.ErrorInfo"

Form = Literal["result", "error", "stream", "denied", "other"]


@dataclass(frozen=True, slots=True)
class Said:
    """What an interface said to one operation.

    Attributes:
        heard: The answer.
        form: `error` and `result` of the binding, a `stream` of events, `denied` for 401 and 403, or `other`
            for what the binding has no such answer for.
        code: The error's number in JSON-RPC, whatever the binding; None where it names none.
        result: What was answered, a JSON value.
        detailed: Whether the error says its reason in an ErrorInfo.
        details_form: Whether the details, where there are any, are an array of objects with `@type`.
    """

    heard: Heard
    form: Form
    code: int | None = None
    result: Any = None
    detailed: bool = False
    details_form: bool = True

    def __str__(self) -> str:
        """Say it in words of ours."""
        status = f"HTTP {self.heard.status}"
        match self.form:
            case "error":
                name = _NAMES.get(self.code, "") if self.code is not None else ""
                named = (
                    "an error" if self.code is None else f"error {self.code}{f' ({name})' if name else ''}"
                )
                return f"it answers {named}, {status}"
            case "result":
                return f"it answers with a result, {status}"
            case "stream":
                events = "a stream of events" if self.heard.body else "a stream in which no event comes"
                return f"it opens {events}, {status}"
            case "denied":
                return f"it answers {self.heard.status}"
            case _:
                return f"it answers {status} with nothing that the binding knows"


class Wire:
    """Asks one interface.

    Args:
        asker: What asks.
        one: The interface; over JSON-RPC or HTTP+JSON.
        new_id: Gives ids that nobody has.
        url: Where it is, as it is dialled.
    """

    def __init__(self, asker: ProbeClient, one: Interface, new_id: Callable[[], str], url: str) -> None:
        self.one = one
        self.url = url
        self.rest = one.binding == "HTTP+JSON"
        self.version = one.version
        self._asker = asker
        self._new_id = new_id

    @property
    def has_credentials(self) -> bool:
        """Whether the given headers go along."""
        return self._asker.has_credentials(self.url)

    def knows(self, operation: Operation) -> bool:
        """Whether the interface's version and binding have an operation."""
        if self.rest:
            return path_of(self.version, operation) is not None
        return method_of(self.version, operation, "") is not None

    async def ask(
        self,
        operation: Operation,
        *,
        version: str | None = None,
        named: str | None = None,
        anonymous: bool = False,
    ) -> Said:
        """Return what is said to an operation.

        Args:
            operation: One that the version knows.
            version: Whose names and paths are spoken; the interface's own where not given.
            named: What A2A-Version says where it is not that version; "" for no such field.
            anonymous: Whether the given headers stay at home.

        Raises:
            Spent: If nothing more may be asked.
            CardError: As the client.
        """
        spoken = version or self.version
        fields = _fields(spoken, named, streams=operation in ("stream", "subscribe"))
        if self.rest:
            place = path_of(spoken, operation)
            assert place is not None  # noqa: S101 - `knows` says so
            method, path = place
            content = None
            if method == "POST":
                fields["Content-Type"] = "application/a2a+json" if spoken == "1.0" else "application/json"
                content = orjson.dumps(params_of(spoken, operation, self._new_id, None))
            url = f"{self._base(spoken)}{path.format(id=self._new_id())}"
        else:
            method, url = "POST", self.url
            fields["Content-Type"] = "application/json"
            content = orjson.dumps(self._call(spoken, operation))
        heard = await self._asker.ask(method, url, fields, content=content, anonymous=anonymous)
        return (said_by_rest if self.rest else said_by_rpc)(heard, spoken)

    def _base(self, version: str) -> str:
        tenant = self.one.tenant if version == "1.0" else None
        return self.url.partition("?")[0].rstrip("/") + (f"/{quote(tenant, safe='')}" if tenant else "")

    def _call(self, version: str, operation: Operation) -> dict[str, Any]:
        call_id = self._new_id()
        call: dict[str, Any] = {"jsonrpc": "2.0", "id": call_id}
        call["method"] = method_of(version, operation, call_id)
        params = params_of(version, operation, self._new_id, self.one.tenant)
        return call if params is None else {**call, "params": params}


def _fields(version: str, named: str | None, *, streams: bool) -> dict[str, str]:
    kinds = "application/json" if version != "1.0" else "application/json, application/a2a+json"
    fields = {"Accept": f"{kinds}, {EVENTS}" if streams else kinds}
    said = version if named is None else named
    # Before 0.3 nobody sent it, and 0.3's clients need not (A2A 1.0 §3.6.1).
    if said not in ("", "0.1", "0.2"):
        fields["A2A-Version"] = said
    return fields


def said_by_rpc(heard: Heard, _: str) -> Said:
    """Return what an answer says by JSON-RPC (JSON-RPC 2.0 §5)."""
    if heard.denied:
        return Said(heard, "denied")
    value = _object(heard)
    if value.get("jsonrpc") == "2.0":
        error = value.get("error")
        if type(error) is dict and type(error.get("code")) is int:
            data = error.get("data")
            return Said(heard, "error", error["code"], None, bool(_reason(data)), _is_array(data))
        if "result" in value:
            form: Form = "stream" if heard.media_type == EVENTS else "result"
            return Said(heard, form, result=value["result"])
    return Said(heard, "stream" if heard.media_type == EVENTS and not heard.body else "other")


def said_by_rest(heard: Heard, version: str) -> Said:
    """Return what an answer says by HTTP+JSON (A2A 1.0 §11.6, §6.4)."""
    if heard.denied:
        return Said(heard, "denied")
    value = _object(heard)
    if heard.media_type == EVENTS and "error" not in value:
        return Said(heard, "stream", result=value)
    if heard.status < 300 and "error" not in value:
        return Said(heard, "result" if value else "other", result=value)
    error = value.get("error")
    if type(error) is dict:
        details = error.get("details")
        reason = _reason(details)
        code = _REASONS.get(reason, _bare(error, heard))
        return Said(heard, "error", code, None, bool(reason), _is_array(details))
    if heard.media_type == "application/problem+json" or type(value.get("type")) is str:
        # A2A 1.0 §6.4 shows problem details instead.
        name = str(value.get("type")).rpartition("/")[2].upper().replace("-", "_").removesuffix("_ERROR")
        code = VERSION_NOT_SUPPORTED if "supportedVersions" in value else _REASONS.get(name, _bare({}, heard))
        return Said(heard, "error", code, None, name in _REASONS)
    # A2A 0.3 says nothing of the form; its SDK answered with a message alone.
    if version != "1.0" and ("message" in value or "code" in value):
        return Said(heard, "error", _bare(value, heard), detailed=True)
    return Said(heard, "other")


def _bare(error: dict[str, Any], heard: Heard) -> int | None:
    """Return an error's number where only the status or a number tells it."""
    code = error.get("code")
    if type(code) is int and code < 0:
        return code
    return {404: TASK_NOT_FOUND}.get(heard.status)


def _reason(details: Any) -> str:
    for one in details if type(details) is list else ():
        if type(one) is dict and one.get("@type") == _INFO and type(one.get("reason")) is str:
            return str(one["reason"])
    return ""


def _is_array(details: Any) -> bool:
    # A2A 1.0 §9.5: each says of which type it is.
    return details is None or (
        type(details) is list and all(type(one) is dict and "@type" in one for one in details)
    )


def _object(heard: Heard) -> dict[str, Any]:
    try:
        value = decode(heard.body, DEFAULT_LIMITS)
    except MalformedDocument:
        return {}
    return value if type(value) is dict else {}
