"""Upstream errors as they are returned to callers: rebuilt from the fields that A2A defines, within size limits.

Text that names the agent's internal network is replaced: callers cannot use it and must not see it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import ConnectionDenied
from cardwright.guard import target_of
from cardwright.http.representation import json_bytes
from cardwright_gateway.upstream.urls import Bases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

REPLACED: Final = "the agent's error message names its internal network, so the gateway withholds it"
# Size limits of a returned error (project decision).
_MAX_CHARACTERS: Final = 1_000
_MAX_DATA_BYTES: Final = 16 * 1024
_MAX_DETAILS: Final = 32
_URL: Final = re.compile(r"(?i)[a-z][a-z0-9+.-]{0,31}://[^\s\"'<>()`|{}]+")
# String fields of a flat error: a2a-sdk 0.3, and problem+json (RFC 9457 §3.1, without `instance`, which is a URL).
_STRING_FIELDS: Final = ("message", "title", "detail", "reason", "type")
# google.rpc.ErrorInfo and BadRequest (A2A 1.0 §11.6).
_DETAIL_FIELDS: Final = ("@type", "reason", "domain")


@dataclass(frozen=True, slots=True)
class Hidden:
    """The upstream addresses of an agent, which no response may reveal.

    Attributes:
        bases: The agent's public and upstream base URLs.
        names: Its upstream hosts with ports, and the hosts alone if they contain a dot or a colon.
    """

    bases: Bases
    names: frozenset[str]

    @classmethod
    def of(cls, public: str, backend: str, routes: Iterable[str]) -> Self:
        """Return the addresses to hide for an agent at `backend` and `routes` that is published at `public`."""
        bases = Bases.of(public, backend)
        names: set[str] = set()
        for url in (backend, *routes):
            try:
                target = target_of(url)
            except ConnectionDenied:
                continue
            names.add(f"{target.host}:{target.port}")
            if target.host != bases.public.host and ("." in target.host or ":" in target.host):
                names.add(target.host)
        return cls(bases, frozenset(names - {f"{bases.public.host}:{bases.public.port}"}))

    def within(self, value: Any) -> bool:
        """Return whether a JSON value contains one of them."""
        return any(self._named_in(text) for text in _texts(value))

    def _named_in(self, text: str) -> bool:
        lowered = text.lower()
        return any(name in lowered for name in self.names) or any(
            self.bases.bypasses_gateway(url) for url in _URL.findall(text)
        )


def rpc_error(error: Any, hidden: Hidden) -> dict[str, Any] | None:
    """Return a JSON-RPC error for the caller (JSON-RPC 2.0 §5.1); None if the value is not one."""
    if type(error) is not dict or type(error.get("code")) is not int or type(error.get("message")) is not str:
        return None
    returned = {"code": error["code"], "message": error["message"][:_MAX_CHARACTERS]}
    data = error.get("data")
    if hidden.within([error["message"], data]):
        return {**returned, "message": REPLACED}
    return (
        {**returned, "data": data}
        if "data" in error and len(json_bytes(data)) <= _MAX_DATA_BYTES
        else returned
    )


def rest_error(value: Any, hidden: Hidden) -> dict[str, Any] | None:
    """Return a REST error for the caller (A2A 1.0 §11.6, or a flat one); None if the value is not one."""
    if type(value) is not dict:
        return None
    if "error" not in value:
        return _flat(value, hidden) or None
    error = value["error"]
    if type(error) is not dict:
        return None
    flat = _flat(error, hidden)
    return {"error": flat} if flat else None


def _flat(error: dict[str, Any], hidden: Hidden) -> dict[str, Any]:
    returned: dict[str, Any] = {}
    for name, value in error.items():
        if (name in ("code", "status") and type(value) is int) or (
            name in (*_STRING_FIELDS, "code", "status") and type(value) is str
        ):
            returned[name] = value[:_MAX_CHARACTERS] if type(value) is str else value
        elif name == "details" and type(value) is list:
            returned[name] = [_detail(detail) for detail in value[:_MAX_DETAILS] if type(detail) is dict]
    if len(json_bytes(returned.get("details", []))) > _MAX_DATA_BYTES:
        del returned["details"]
    if not hidden.within(error):
        return returned
    safe = {
        name: value
        for name, value in returned.items()
        if name in ("code", "status") and not hidden.within(value)
    }
    return {**safe, "message": REPLACED}


def _detail(detail: dict[str, Any]) -> dict[str, Any]:
    returned = {name: detail[name] for name in _DETAIL_FIELDS if type(detail.get(name)) is str}
    metadata, violations = detail.get("metadata"), detail.get("fieldViolations")
    if type(metadata) is dict:
        # a2a-sdk 1.3 puts lists in it; google.rpc allows only strings.
        returned["metadata"] = metadata
    if type(violations) is list:
        returned["fieldViolations"] = [
            {name: violation[name] for name in ("field", "description") if type(violation.get(name)) is str}
            for violation in violations[:_MAX_DETAILS]
            if type(violation) is dict
        ]
    return returned


def _texts(value: Any) -> Iterator[str]:
    if type(value) is str:
        yield value
    elif type(value) is dict:
        for name, inner in value.items():
            yield name
            yield from _texts(inner)
    elif type(value) is list:
        for inner in value:
            yield from _texts(inner)
