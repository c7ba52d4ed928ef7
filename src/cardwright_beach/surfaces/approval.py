"""The surface by which a person approves a tool call (Beach protocol seed, Built-in approval surface template)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import orjson

from cardwright_beach.surfaces.catalogues import BASIC_CATALOGUE
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cardwright_beach.approvals.answers import Decision

# Beach protocol seed, Built-in approval surface template.
APPROVAL_KIND: Final = "approval-request"
# What a person reads before a decision (ours); the rest is in the data, and the surface says so.
_MOST_CHARACTERS: Final = 300
_MOST_ARGUMENTS: Final = 20
# A2UI 0.9, Text: simple Markdown is rendered. What begins some, wherever it stands, or first on a line; an
# underscore within a word is none (CommonMark 0.31 §6.2).
_MARKDOWN: Final = re.compile(r"[\\`*~\[\]<>&|$]|(?<!\w)_|_(?!\w)|^\s*(?:[#+=-]|\d+(?=[.)]))")


def approval_surface(data: Mapping[str, Any], _context: object = None) -> list[dict[str, Any]]:
    """Return the messages that show an approval request, with a button for either decision.

    Only primitives of the basic catalogue are used. The surface's id follows from the approval's, and each
    button tells the agent `approval.respond` with the `approvalId` and a `decision` (`granted` or `denied`).

    Args:
        data: An approval request, as its part has it.
    """
    surface_id = f"approval-{data['approvalId']}"
    told = list(_texts(data))
    body = [f"told-{index}" for index in range(len(told))]
    components = [
        _component("root", "Card", child="body"),
        _component("body", "Column", children=["title", *body, "decisions"]),
        _component("title", "Text", text="Approval needed", variant="h3"),
        *(_component(name, "Text", text=text) for name, text in zip(body, told, strict=True)),
        _component("decisions", "Row", children=["approve", "deny"]),
        *_button("approve", "Approve", "granted", data["approvalId"]),
        *_button("deny", "Deny", "denied", data["approvalId"]),
    ]
    surface = {"surfaceId": surface_id}
    return [
        {"version": "v0.9", "createSurface": {**surface, "catalogId": BASIC_CATALOGUE}},
        {"version": "v0.9", "updateComponents": {**surface, "components": components}},
    ]


def plain(text: str, most: int = _MOST_CHARACTERS) -> str:
    """Return text that a renderer of Markdown shows as it is: short, on one line, with nothing unseen."""
    left = len(text) - most
    shown = _MARKDOWN.sub(_unmarked, escaped(text[:most]))
    return f"{shown} … ({left:,} more characters)" if left > 0 else shown


def _texts(data: Mapping[str, Any]) -> Iterator[str]:
    yield f"Tool: {plain(data['toolName'])}"
    yield f"Asked by: {plain(data['handler'])}"
    arguments: Mapping[str, Any] = data["args"]
    if not arguments:
        yield "Arguments: none"
    for name in list(arguments)[:_MOST_ARGUMENTS]:
        # Said to be one, so that none passes for the tool's name or the time.
        yield f"Argument {plain(name, 60)}: {plain(_written(arguments[name]))}"
    if len(arguments) > _MOST_ARGUMENTS:
        yield f"and {len(arguments) - _MOST_ARGUMENTS:,} more arguments"
    if "expiresAt" in data:
        yield f"Answer by {plain(data['expiresAt'], 60)}; no answer means no."


def _written(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _unmarked(match: re.Match[str]) -> str:
    mark = match[0]
    # Before a number a backslash means nothing: its dot is what makes a list of it.
    return f"{mark}\\" if mark[-1].isdecimal() else f"{mark[:-1]}\\{mark[-1]}"


def _button(name: str, label: str, decision: Decision, approval_id: str) -> Iterator[dict[str, Any]]:
    # Here, since the room of approvals brings asyncio along, which no other surface needs.
    from cardwright_beach.approvals.actions import ui_action

    yield _component(
        name, "Button", child=f"{name}-label", action={"event": ui_action(approval_id, decision)}
    )
    yield _component(f"{name}-label", "Text", text=label)


def _component(name: str, kind: str, **members: Any) -> dict[str, Any]:
    return {"id": name, "component": kind, **members}
