"""Sample A2UI messages, and a reference renderer."""

from __future__ import annotations

import copy
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from cardwright_beach.surfaces import BASIC_CATALOGUE

Message = dict[str, Any]


def create(name: str = "berths", catalogue: str = BASIC_CATALOGUE) -> Message:
    return {"version": "v0.9", "createSurface": {"surfaceId": name, "catalogId": catalogue}}


def components(*listed: Message, name: str = "berths") -> Message:
    return {"version": "v0.9", "updateComponents": {"surfaceId": name, "components": list(listed)}}


def text(name: str = "root", content: str = "Hello") -> Message:
    return {"id": name, "component": "Text", "text": content}


def data(path: str | None = None, *, name: str = "berths", **value: Any) -> Message:
    place = {} if path is None else {"path": path}
    return {"version": "v0.9", "updateDataModel": {"surfaceId": name, **place, **value}}


def delete(name: str = "berths") -> Message:
    return {"version": "v0.9", "deleteSurface": {"surfaceId": name}}


def rendered(messages: list[Message], before: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the state of a renderer after messages: components and data of each surface."""
    held: dict[str, Any] = copy.deepcopy(before or {})
    for message in messages:
        ((kind, body),) = ((name, value) for name, value in message.items() if name != "version")
        name = body["surfaceId"]
        if kind == "createSurface" and name not in held:
            held[name] = {"components": {}, "data": {}}
        elif kind == "deleteSurface":
            held.pop(name, None)
        elif kind == "updateComponents" and name in held:
            held[name]["components"].update({one["id"]: one for one in body["components"]})
        elif kind == "updateDataModel" and name in held:
            _set(held[name], [step for step in body.get("path", "/").split("/") if step], body)
    return held


def _set(surface: dict[str, Any], steps: list[str], body: Message) -> None:
    """Set a value as renderers do: missing parents become objects, or arrays before a number."""
    if not steps:
        surface["data"] = copy.deepcopy(body.get("value", {}))
        return
    holder: Any = surface["data"]
    if not isinstance(holder, (dict, list)):
        return
    for step, following in pairwise(steps):
        if isinstance(holder, list) and not step.isdecimal():
            return
        inside = _get(holder, step)
        if inside is None:
            inside = [] if following.isdecimal() else {}
            if "value" not in body and isinstance(holder, dict):
                return
            _put(holder, step, inside)
        if not isinstance(inside, (dict, list)):
            return
        holder = inside
    if isinstance(holder, list) and not steps[-1].isdecimal():
        return
    if "value" in body:
        _put(holder, steps[-1], copy.deepcopy(body["value"]))
    elif isinstance(holder, dict):
        holder.pop(steps[-1], None)
    else:
        _put(holder, steps[-1], None)


def _get(holder: Any, step: str) -> Any:
    if isinstance(holder, dict):
        return holder.get(step)
    return holder[int(step)] if int(step) < len(holder) else None


def _put(holder: Any, step: str, value: Any) -> None:
    if isinstance(holder, list):
        holder.extend([None] * (int(step) + 1 - len(holder)))
        holder[int(step)] = value
    else:
        holder[step] = value


NAMES = st.sampled_from(["berths", "quay"])
STEPS = st.sampled_from(["a", "b", "0", "1"])
VALUES = st.recursive(
    st.none() | st.integers(0, 3) | st.text("xy", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STEPS, inner, max_size=3),
    max_leaves=6,
)
PATHS = st.none() | st.lists(STEPS, max_size=3).map(lambda steps: "/" + "/".join(steps))
MESSAGES = st.lists(
    st.one_of(
        st.builds(create, NAMES),
        st.builds(delete, NAMES),
        st.builds(
            lambda name, listed: components(*listed, name=name),
            NAMES,
            st.lists(
                st.builds(text, st.sampled_from(["root", "a", "b"]), st.text("xy", max_size=2)), min_size=1
            ),
        ),
        st.builds(lambda name, path, value: data(path, name=name, value=value), NAMES, PATHS, VALUES),
        st.builds(lambda name, path: data(path, name=name), NAMES, PATHS),
    ),
    max_size=14,
)
