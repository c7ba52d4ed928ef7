"""Routing of paths to agents; no path reaches another agent."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import MagicMock
from urllib.parse import unquote

import pytest
from starlette.routing import Match, Mount, Router

from cardwright_gateway.api.routes import routed_path, router_of

if TYPE_CHECKING:
    from cardwright_gateway.api.exchange import Endpoint


class Target(NamedTuple):
    """The target of a path."""

    kind: str
    agent_id: str
    rest: str = ""
    version: str = ""


def target_of(scope: dict[str, Any], *, root: bool) -> Target | None:
    """Return the target of a request path by the routes; None if it belongs to no agent."""
    api = MagicMock()
    api.agents.get.return_value = None
    routed: dict[str, Any] = {"type": "http", "method": "POST", "path": routed_path(scope)}
    endpoint = endpoint_of(router_of(api, "root" if root else None), routed)
    if endpoint is None or not endpoint.of_agent:
        return None
    rest = routed["path"].removeprefix(routed.get("root_path", "")).strip("/").replace(" ", "%20")
    return Target(
        endpoint.kind,
        routed["path_params"].get("agent", ""),
        rest if endpoint.kind in ("rest", "work") else "",
        endpoint.handler.keywords["version"]
        if isinstance(endpoint.handler, partial) and endpoint.kind == "rest"
        else "",
    )


def endpoint_of(router: Router, scope: dict[str, Any]) -> Endpoint | None:
    """Return the endpoint that Starlette would call."""
    for route in router.routes:
        match, child = route.matches(scope)
        if match is Match.FULL:
            scope.update(child)
            inner: Any = route.app if isinstance(route, Mount) else None
            return endpoint_of(inner, scope) if inner else child["endpoint"]
    return None


def scope(path: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "http",
        "method": "GET",
        "path": unquote(path),
        "raw_path": path.encode(),
        "headers": [],
        **more,
    }


@pytest.mark.parametrize(
    ("path", "leads"),
    [
        ("/agents/a", Target("jsonrpc", "a")), ("/agents/a/", Target("jsonrpc", "a")), ("/a", Target("jsonrpc", "a")),
        ("/a/", Target("jsonrpc", "a")), ("/agents/a/.well-known/agent-card.json", Target("card", "a")),
        ("/a/.well-known/agent-card.json", Target("card", "a")),
        ("/agents/a/.well-known/agent.json", Target("legacy", "a")), ("/agents/a/report", Target("report", "a")),
        ("/agents/a/queue", Target("work", "a", "queue")),
        ("/agents/a/queue/7/result", Target("work", "a", "queue/7/result")),
        ("/agents/a/message:send", Target("rest", "a", "message:send", "1.0")),
        ("/agents/a/message%3Asend", Target("rest", "a", "message:send", "1.0")),
        ("/agents/a/tenant-7/message:stream", Target("rest", "a", "tenant-7/message:stream", "1.0")),
        ("/agents/a/tasks/9:cancel", Target("rest", "a", "tasks/9:cancel", "1.0")),
        ("/agents/a/tasks/a%20b/pushNotificationConfigs/c", Target("rest", "a", "tasks/a%20b/pushNotificationConfigs/c", "1.0")),
        ("/agents/a/v1/message:send", Target("rest", "a", "v1/message:send", "0.3")),
        ("/a/v1/tasks/9", Target("rest", "a", "v1/tasks/9", "0.3")),
        ("/agents/a/v1/card", Target("rest", "a", "v1/card", "0.3")),
        ("/agents/a/extendedAgentCard", Target("rest", "a", "extendedAgentCard", "1.0")),
        ("/agents/a/b/c/message:send", None), ("/agents/a/nothing", None), ("/agents", None), ("/agents/", None),
        ("/agents/-a", None), ("/agents/%61", None),
    ],
)  # fmt: skip
def test_paths_are_those_of_the_specification(path: str, leads: Target | None) -> None:
    assert target_of(scope(path), root=False) == leads


def test_the_root_agent_has_its_paths_at_the_root() -> None:
    assert target_of(scope("/"), root=True) == Target("jsonrpc", "")
    assert target_of(scope("/"), root=False) is None
    assert target_of(scope("/message:send"), root=True) == Target("rest", "", "message:send", "1.0")
    assert target_of(scope("/v1/message:send"), root=True) == Target("rest", "", "v1/message:send", "0.3")
    assert target_of(scope("/agents/a/message:send"), root=True) == Target("rest", "a", "message:send", "1.0")
    assert target_of(scope("/a"), root=True) == Target("jsonrpc", "a")


def test_the_mount_path_does_not_change_routing() -> None:
    mounted = scope("/gw/agents/a/message:send", root_path="/gw")
    assert target_of(mounted, root=False) == Target("rest", "a", "message:send", "1.0")


def payloads() -> list[str]:
    """Path segments that another parser might read differently."""
    bad = ["..", ".", "%2e%2e", "%2E%2e", "..%2f", "%2f..", "..%5c", "%5c..%5c", "%00", "%0d%0aX-A: b", "%0a", "%0d", "%09",
           "%c0%ae%c0%ae", "%ff", "%25%32%65", "%252e%252e", "a%2fb", "a%5cb", "%3f", "%23", "a?b", "", "%20%0d%0a", "%e2%80%ae",
           "%e2%80%a8", "\\..\\", "..;", "%2e%2e;", "a%3Fb%23c", "%7f", "%1f", "%85", "%c2%85"]  # fmt: skip
    chance = random.Random(8)  # noqa: S311 - a test that is the same each time
    frames = ["/agents/a/{}/message:send", "/agents/{}/message:send", "/agents/a/tasks/{}", "/agents/a/v1/tasks/{}:cancel",
              "/agents/a/tasks/x/pushNotificationConfigs/{}", "/a/{}/tasks", "/{}/.well-known/agent-card.json"]  # fmt: skip
    made = [frame.format(step) for frame in frames for step in bad]
    return made + ["/agents/a/tasks/" + "".join(chance.choices(bad, k=2)) for _ in range(40)]


@pytest.mark.bulk
def test_no_path_reaches_another_agent_or_another_route() -> None:
    tried = payloads()
    assert len(tried) >= 200
    for path in tried:
        found = target_of(scope(path), root=False)
        if found is None:
            continue
        assert found.agent_id == "a" or found.agent_id.isalnum(), path
        for step in found.rest.split("/") if found.rest else ():
            # A forwarded segment is unchanged, and no parser finds another one in it.
            again = unquote(step)
            assert again not in ("", ".", ".."), path
            assert not set(again) & set("/\\?#%\r\n\t\x00"), path
            assert again.isprintable(), path
