"""The A2A methods and routes that the gateway supports, from the generated table of operations."""

from __future__ import annotations

import re
from typing import Final

from cardwright_rules.a2a_operations import OPERATIONS


def methods(version: str) -> frozenset[str]:
    """Return the JSON-RPC methods of a version."""
    return frozenset(row.method for (of, _), row in OPERATIONS.items() if of == version and row.method)


OLD: Final = methods("0.3")
NEW: Final = methods("1.0")
# Names that clients use instead of those of 0.3.
ALIASES: Final = {alias: row.method for row in OPERATIONS.values() if row.method for alias in row.also_called}
# Methods that are forwarded to upstream agents, including those of A2A 0.1 and 0.2.
KNOWN: Final = frozenset(
    name for row in OPERATIONS.values() for name in (row.method, *row.also_called) if name is not None
)
STREAMING: Final = frozenset(row.method for row in OPERATIONS.values() if row.method and row.streams)
# Methods that change nothing: HTTP+JSON has GET for them (RFC 9110 §9.2.1).
_READ_NAMES: Final = frozenset(row.name for row in OPERATIONS.values() if "GET" in row.verbs)
READS: Final = frozenset(
    name
    for row in OPERATIONS.values()
    if row.name in _READ_NAMES
    for name in (row.method, *row.also_called)
    if name is not None
)
# Methods that begin work: those that send a message, in any version.
_STARTS: Final = [row for row in OPERATIONS.values() if row.name in ("send_message", "stream_message")]
STARTS: Final = frozenset(
    name for row in _STARTS for name in (row.method, *row.also_called) if name is not None
)
# The interfaces of agents that the gateway answers for, in the order of preference.
ANSWERED: Final = (("JSONRPC", "1.0"), ("HTTP+JSON", "1.0"), ("JSONRPC", "0.3"), ("HTTP+JSON", "0.3"))
# The maximum length of a string as the id of a JSON-RPC call (project decision).
MAX_ID_CHARACTERS: Final = 256


def answered_interfaces(public: str) -> list[dict[str, str]]:
    """Return the interfaces in the A2A 1.0 card of an agent that the gateway answers for, at its public URL."""
    return [
        {"url": public, "protocolBinding": binding, "protocolVersion": version}
        for binding, version in ANSWERED
    ]


def _allow(verb: str) -> tuple[bool, str]:
    """Return the sort key of an HTTP method in the field Allow: GET first."""
    return verb != "GET", verb


_STARTING_PATHS: Final = frozenset(row.path.rpartition("/")[2] for row in _STARTS if row.path)
_PATHS: Final = [(row.path.removeprefix("/v1"), row.verbs) for row in OPERATIONS.values() if row.path]
# The HTTP methods of each HTTP+JSON route. A prefix is the version, or a tenant (A2A 1.0 §11.3). The longest route
# is matched first, because an id may end like a custom verb.
_ROUTES: Final = tuple(
    (
        re.compile("(?:.*/)?" + re.sub(r"\\{\w+\\}", "[^/]+", re.escape(route[1:]))),
        tuple(sorted({verb for path, verbs in _PATHS if path == route for verb in verbs}, key=_allow)),
    )
    for route in sorted({path for path, _ in _PATHS}, key=len, reverse=True)
)


def starts_work(path: str) -> bool:
    """Return whether an HTTP+JSON route sends a message.

    >>> starts_work("v1/message:send"), starts_work("acme/message:stream"), starts_work("tasks/t-1")
    (True, True, False)
    """
    return path.rpartition("/")[2] in _STARTING_PATHS


def allowed_methods(path: str) -> tuple[str, ...]:
    """Return the HTTP methods that an HTTP+JSON route allows.

    >>> allowed_methods("v1/tasks/t-1:cancel"), allowed_methods("acme/tasks")
    (('POST',), ('GET',))
    """
    return next((verbs for route, verbs in _ROUTES if route.fullmatch(path)), ("GET",))
