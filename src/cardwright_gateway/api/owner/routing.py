"""Which path of the owners' API leads to what, and by which methods."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote_to_bytes

from cardwright.http.problem import METHOD_NOT_ALLOWED, HttpError, Problem
from cardwright_gateway.api.owner import agents, deliveries, instances, keys, uploads
from cardwright_gateway.api.owner import audit as changes
from cardwright_gateway.api.owner import openapi as describing
from cardwright_gateway.api.owner.request import NOTHING_HERE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from cardwright_gateway.a2a.responses import Reply
    from cardwright_gateway.api.owner.request import Asked

    Handler = Callable[[Asked], Awaitable[Reply]]

_LONGEST: Final = 2048
_LONGEST_STEP: Final = 256


@dataclass(frozen=True)
class Route:
    """A path, and what its methods do.

    Attributes:
        path: The path; what stands in groups are names.
        methods: What answers, by method; GET answers HEAD, too.
        by_user: Whether a user's token is asked for before anything else.
    """

    path: re.Pattern[str]
    methods: Mapping[str, Handler]
    by_user: bool = True

    @property
    def allowed(self) -> str:
        """The methods as the field Allow has them."""
        own = [*self.methods, *(["HEAD"] if "GET" in self.methods else []), "OPTIONS"]
        return ", ".join(own)


@dataclass(frozen=True)
class Found:
    """Where a request leads.

    Attributes:
        route: The route.
        steps: What the path names.
    """

    route: Route
    steps: Mapping[str, str]

    def handler(self, method: str) -> Handler:
        """Return what answers a method.

        Raises:
            HttpError: If nothing does.
        """
        found = self.route.methods.get("GET" if method == "HEAD" else method)
        if found is None:
            allowed = self.route.allowed
            raise HttpError(
                Problem(METHOD_NOT_ALLOWED, f"use one of {allowed}", headers=((b"allow", allowed.encode()),))
            )
        return found


def _route(path: str, *, by_user: bool = True, **methods: Handler) -> Route:
    pattern = re.sub(r"\{([a-z]+)\}", r"(?P<\1>[^/]+)", path)
    return Route(re.compile(pattern), {name.upper(): handler for name, handler in methods.items()}, by_user)


_DELIVERIES: Final = "/agents/{agent}/tasks/{task}/webhooks/{webhook}/deliveries"
ROUTES: Final = (
    _route("/agents", get=agents.listed, post=agents.added),
    _route(
        "/agents/{agent}", get=agents.one, put=agents.changed, patch=agents.shown_to, delete=agents.removed
    ),
    _route("/agents/{agent}/keys", get=keys.listed, post=keys.issued),
    _route("/agents/{agent}/keys/{key}", delete=keys.revoked),
    _route("/agents/{agent}/keys/{key}/rotate", post=keys.rotated),
    _route(_DELIVERIES, get=deliveries.listed),
    _route(f"{_DELIVERIES}/{{delivery}}/redeliver", post=deliveries.redelivered),
    _route("/instances", get=instances.listed),
    _route("/audit", get=changes.listed),
    _route("/files", post=uploads.uploaded, by_user=False),
    _route("/openapi\\.json", get=describing.described, by_user=False),
)


def found(path: str) -> Found:
    """Return where a path leads.

    Args:
        path: Below `/api/v1`, as it was sent, percent-encoded.

    Raises:
        HttpError: If it leads nowhere.
    """
    below = path.removesuffix("/")
    if len(below) <= _LONGEST:
        for route in ROUTES:
            match = route.path.fullmatch(below)
            if match is not None:
                return Found(route, {name: _step(step) for name, step in match.groupdict().items()})
    raise HttpError(NOTHING_HERE)


def _step(quoted: str) -> str:
    """Return a name out of a path.

    Raises:
        HttpError: If two readers might see two paths in it.
    """
    try:
        step = unquote_to_bytes(quoted).decode("utf-8")
    except UnicodeDecodeError:
        raise HttpError(NOTHING_HERE) from None
    if (
        len(step) > _LONGEST_STEP
        or step.partition(";")[0] in ("", ".", "..")
        or any(c in "/\\%?#" or not c.isprintable() for c in step)
    ):
        raise HttpError(NOTHING_HERE)
    return step
