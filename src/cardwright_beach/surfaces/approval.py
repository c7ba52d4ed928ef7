"""Built-in surface for approval requests (Beach protocol seed, Built-in approval surface template)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import orjson

from cardwright_beach.surfaces.catalogues import BASIC_CATALOGUE
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cardwright_beach.approvals.approval_parts import Decision

# Beach protocol seed, Built-in approval surface template.
APPROVAL_KIND: Final = "approval-request"
# Limits for readability (project decision); the surface says how much is left out.
_MAX_CHARACTERS: Final = 300
_MAX_ARGUMENTS: Final = 20
# A2UI 0.9, Text: simple Markdown is rendered. Characters that start Markdown anywhere or at the start of a line;
# an underscore inside a word does not (CommonMark 0.31 §6.2).
_MARKDOWN: Final = re.compile(r"[\\`*~\[\]<>&|$]|(?<!\w)_|_(?!\w)|^\s*(?:[#+=-]|\d+(?=[.)]))")


def approval_surface(data: Mapping[str, Any], _context: object = None) -> list[dict[str, Any]]:
    """Return the A2UI messages that show an approval request with two buttons.

    Uses only the basic catalogue. The surface id is derived from the approval id. Each button sends the action
    `approval.respond` with the `approvalId` and a `decision` (`granted` or `denied`).

    Args:
        data: The data of an approval-request part.
    """
    surface_id = f"approval-{data['approvalId']}"
    texts = list(_texts(data))
    body = [f"text-{index}" for index in range(len(texts))]
    components = [
        _component("root", "Card", child="body"),
        _component("body", "Column", children=["title", *body, "decisions"]),
        _component("title", "Text", text="Approval needed", variant="h3"),
        *(_component(name, "Text", text=text) for name, text in zip(body, texts, strict=True)),
        _component("decisions", "Row", children=["approve", "deny"]),
        *_button("approve", "Approve", "granted", data["approvalId"]),
        *_button("deny", "Deny", "denied", data["approvalId"]),
    ]
    surface = {"surfaceId": surface_id}
    return [
        {"version": "v0.9", "createSurface": {**surface, "catalogId": BASIC_CATALOGUE}},
        {"version": "v0.9", "updateComponents": {**surface, "components": components}},
    ]


def plain(text: str, max_length: int = _MAX_CHARACTERS) -> str:
    """Escape Markdown and invisible characters, and shorten a text to one line."""
    left = len(text) - max_length
    plain_text = _MARKDOWN.sub(_backslashed, escaped(text[:max_length]))
    return f"{plain_text} … ({left:,} more characters)" if left > 0 else plain_text


def _texts(data: Mapping[str, Any]) -> Iterator[str]:
    yield f"Tool: {plain(data['toolName'])}"
    yield f"Requested by: {plain(data['handler'])}"
    arguments: Mapping[str, Any] = data["args"]
    if not arguments:
        yield "Arguments: none"
    for name in list(arguments)[:_MAX_ARGUMENTS]:
        # Labelled, so that an argument cannot be mistaken for the tool name or the expiry time.
        yield f"Argument {plain(name, 60)}: {plain(_as_text(arguments[name]))}"
    if len(arguments) > _MAX_ARGUMENTS:
        yield f"and {len(arguments) - _MAX_ARGUMENTS:,} more arguments"
    if "expiresAt" in data:
        yield f"Respond by {plain(data['expiresAt'], 60)}; without a response the request is denied."


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _backslashed(match: re.Match[str]) -> str:
    mark = match[0]
    # A backslash before a digit has no effect; escape the dot after a number, which makes a list item.
    return f"{mark}\\" if mark[-1].isdecimal() else f"{mark[:-1]}\\{mark[-1]}"


def _button(name: str, label: str, decision: Decision, approval_id: str) -> Iterator[dict[str, Any]]:
    # Imported here, because `approvals` imports asyncio, which other surfaces do not need.
    from cardwright_beach.approvals.actions import ui_action

    yield _component(
        name, "Button", child=f"{name}-label", action={"event": ui_action(approval_id, decision)}
    )
    yield _component(f"{name}-label", "Text", text=label)


def _component(name: str, kind: str, **properties: Any) -> dict[str, Any]:
    return {"id": name, "component": kind, **properties}
