"""Errors of agents, as they go back to callers: made anew of the members that A2A names, in bounds.

What names the agent's own network is replaced: callers cannot use it, and are not to know it.
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

REPLACED: Final = "the agent's own words name its network, and are not passed on"
# What of an error goes back (ours).
_MOST_CHARACTERS: Final = 1_000
_MOST_DATA_BYTES: Final = 16 * 1024
_MOST_DETAILS: Final = 32
_URL: Final = re.compile(r"(?i)[a-z][a-z0-9+.-]{0,31}://[^\s\"'<>()`|{}]+")
# The members of an error that is flat: of a2a-sdk 0.3, and problem+json (RFC 9457 §3.1; `instance` is a URL of its own).
_TEXTS: Final = ("message", "title", "detail", "reason", "type")
# google.rpc.ErrorInfo and BadRequest (A2A 1.0 §11.6).
_OF_DETAILS: Final = ("@type", "reason", "domain")


@dataclass(frozen=True, slots=True)
class Hidden:
    """What no answer names: where an agent really is.

    Attributes:
        bases: Its two places.
        names: Its hosts with their ports, and its hosts alone where they read like no word.
    """

    bases: Bases
    names: frozenset[str]

    @classmethod
    def of(cls, public: str, backend: str, routes: Iterable[str]) -> Self:
        """Return what is hidden of an agent at `backend` and `routes` that everyone finds at `public`."""
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
        """Whether a JSON value names any of it."""
        return any(self._named_in(text) for text in _texts(value))

    def _named_in(self, text: str) -> bool:
        lowered = text.lower()
        return any(name in lowered for name in self.names) or any(
            self.bases.betrays(url) for url in _URL.findall(text)
        )


def rpc_error(error: Any, hidden: Hidden) -> dict[str, Any] | None:
    """Return an error of JSON-RPC as it goes back (JSON-RPC 2.0 §5.1); None where it is none."""
    if type(error) is not dict or type(error.get("code")) is not int or type(error.get("message")) is not str:
        return None
    told = {"code": error["code"], "message": error["message"][:_MOST_CHARACTERS]}
    data = error.get("data")
    if hidden.within([error["message"], data]):
        return {**told, "message": REPLACED}
    return {**told, "data": data} if "data" in error and len(json_bytes(data)) <= _MOST_DATA_BYTES else told


def rest_error(value: Any, hidden: Hidden) -> dict[str, Any] | None:
    """Return an error of REST as it goes back (A2A 1.0 §11.6, and the flat ones); None where it is none."""
    if type(value) is not dict:
        return None
    if "error" not in value:
        return _flat(value, hidden) or None
    error = value["error"]
    if type(error) is not dict:
        return None
    told = _flat(error, hidden)
    return {"error": told} if told else None


def _flat(error: dict[str, Any], hidden: Hidden) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name, value in error.items():
        if (name in ("code", "status") and type(value) is int) or (
            name in (*_TEXTS, "code", "status") and type(value) is str
        ):
            told[name] = value[:_MOST_CHARACTERS] if type(value) is str else value
        elif name == "details" and type(value) is list:
            told[name] = [_detail(one) for one in value[:_MOST_DETAILS] if type(one) is dict]
    if len(json_bytes(told.get("details", []))) > _MOST_DATA_BYTES:
        del told["details"]
    if not hidden.within(error):
        return told
    safe = {
        name: value for name, value in told.items() if name in ("code", "status") and not hidden.within(value)
    }
    return {**safe, "message": REPLACED}


def _detail(said: dict[str, Any]) -> dict[str, Any]:
    told = {name: said[name] for name in _OF_DETAILS if type(said.get(name)) is str}
    metadata, faults = said.get("metadata"), said.get("fieldViolations")
    if type(metadata) is dict:
        # a2a-sdk 1.3 has lists in it, where google.rpc has texts alone.
        told["metadata"] = metadata
    if type(faults) is list:
        told["fieldViolations"] = [
            {name: one[name] for name in ("field", "description") if type(one.get(name)) is str}
            for one in faults[:_MOST_DETAILS]
            if type(one) is dict
        ]
    return told


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
