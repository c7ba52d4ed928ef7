"""Which methods and routes of A2A the gateway answers or passes on, from the generated table of operations."""

from __future__ import annotations

import re
from typing import Final

from cardwright_models.a2a_operations import OPERATIONS


def methods(version: str) -> frozenset[str]:
    """Return the JSON-RPC methods of a version."""
    return frozenset(row.method for (of, _), row in OPERATIONS.items() if of == version and row.method)


OLD: Final = methods("0.3")
NEW: Final = methods("1.0")
# Names that clients send instead of those of 0.3.
ALIASES: Final = {alias: row.method for row in OPERATIONS.values() if row.method for alias in row.also_called}
# What is passed on to an agent that answers by itself: those of A2A 0.1 and 0.2, too.
KNOWN: Final = frozenset(
    name for row in OPERATIONS.values() for name in (row.method, *row.also_called) if name is not None
)
STREAMING: Final = frozenset(row.method for row in OPERATIONS.values() if row.method and row.streams)
# What the id of a call may be: text and whole numbers, as JSON-RPC's own server in a2a-sdk has it; longer texts
# name nothing (ours).
LONGEST_ID: Final = 256


def _allow(verb: str) -> tuple[bool, str]:
    """Return where a verb stands in the field Allow: GET first."""
    return verb != "GET", verb


_PATHS: Final = [(row.path.removeprefix("/v1"), row.verbs) for row in OPERATIONS.values() if row.path]
# The HTTP verbs of each route of HTTP+JSON. Whatever stands before it is the version, or a tenant (A2A 1.0 §11.3);
# the longest goes first, since an id may end like a verb of its own.
_ROUTES: Final = tuple(
    (
        re.compile("(?:.*/)?" + re.sub(r"\\{\w+\\}", "[^/]+", re.escape(route[1:]))),
        tuple(sorted({verb for path, verbs in _PATHS if path == route for verb in verbs}, key=_allow)),
    )
    for route in sorted({path for path, _ in _PATHS}, key=len, reverse=True)
)


def taken(path: str) -> tuple[str, ...]:
    """Return the HTTP verbs that a route of HTTP+JSON takes.

    >>> taken("v1/tasks/t-1:cancel"), taken("acme/tasks")
    (('POST',), ('GET',))
    """
    return next((verbs for route, verbs in _ROUTES if route.fullmatch(path)), ("GET",))
