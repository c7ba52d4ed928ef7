"""Inventory of an MCP server: all pages, within limits, without unusable entries."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from cardwright.canonical import checked_copy
from cardwright_gateway.catalog.mcp_card import a2a_card, mcp_card
from cardwright_gateway.errors import SessionNotReady
from cardwright_gateway.upstream.mcp import inventory
from tests.gateway.upstream.mcp.sessions import Changes, raw, session, text, until

SCHEMA: dict[str, Any] = {"type": "object"}


def tool(name: Any, **more: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": SCHEMA, **more}


async def test_every_page_is_read() -> None:
    async with session(raw(pages=[[tool("a")], [], [tool("b"), tool("c")]])) as made:
        assert [one["name"] for one in (await made.started()).tools] == ["a", "b", "c"]


async def test_only_lists_of_declared_capabilities_are_requested() -> None:
    # It answers neither list of resources: a method that is not found is an empty list.
    async with session(raw(capabilities={"resources": {}})) as made:
        found = await made.started()
        assert (found.tools, found.resources, found.resource_templates) == ((), (), ())
        assert found.capabilities == {"resources": {}}
        assert found.notes == (
            "it has no tools, so its A2A card has no skills and is not valid (A2A 1.0 §5.7)",
        )


@pytest.mark.parametrize(("cursor", "names"), [("1", ["a", "b"]), ("0", ["a"]), (7, ["a"])])
async def test_a_cursor_that_repeats_or_is_invalid_ends_the_list_and_is_logged_once(
    caplog: pytest.LogCaptureFixture, cursor: Any, names: list[str]
) -> None:
    async with session(raw(pages=[[tool("a")], [tool("b")], []], ring=cursor)) as made:
        assert [one["name"] for one in (await made.started()).tools] == names
        await made.refresh()
    assert caplog.text.count("tools/list: the list ends at a cursor") == 1


async def test_a_hostile_tool_is_left_out_with_a_note_and_the_others_stay() -> None:
    bad: list[Any] = [
        7, {"inputSchema": SCHEMA}, tool(7), tool(""), {"name": "list", "inputSchema": []}, {"name": "none"},
        {"name": "null", "inputSchema": None}, tool("deep", description="a\0b"), tool("big", annotations={"n": 2**70}),
        tool("good"), tool("good", description="the second"),
        tool("half", description=7, outputSchema=[], annotations=None, title="Half", icons=[1], x={"kept": 1}),
    ]  # fmt: skip
    async with session(raw(pages=[bad])) as made:
        found = await made.started()
        assert found.tools[:2] == (tool("none"), tool("null"))
        assert found.tools[2:] == (tool("good"), tool("half", title="Half", icons=[1], x={"kept": 1}))
        notes = "\n".join(found.notes)
        assert "number 1 of a page was left out: it has no name" in notes
        assert '"list" was left out: its inputSchema is not an object' in notes
        assert '"good" was left out: its name is a duplicate' in notes
        assert '"half": its description was left out' in notes
        assert '"none": it has no inputSchema; it takes any object' in notes
        assert len(found.notes) == 12
        assert mcp_card("a", found).valid
        assert a2a_card("a", found, "https://gateway.example/a").valid


async def test_two_megabytes_of_tools_are_read_and_the_limit_is_reported() -> None:
    many = [tool(f"tool-{i}", description="a") for i in range(1_000)]
    async with session(raw(pages=[many], copies=2_000)) as made:
        found = await made.started()
        assert len(found.tools) == 1_000
        assert found.tools[0]["description"] == "a" * 2_000
    async with session(raw(pages=[many], copies=2_000), max_bytes=1_000_000) as made:
        with pytest.raises(SessionNotReady, match="exceed 1,000,000 bytes"):
            await made.started()


async def test_large_lists_are_validated_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    where: set[bool] = set()

    def seen(value: Any, limits: Any) -> Any:
        where.add(threading.current_thread() is threading.main_thread())
        return checked_copy(value, limits)

    many = [tool(f"tool-{i}", description="a") for i in range(30)]
    for copies in (1, 10_000):
        where.clear()
        async with session(raw(pages=[many], copies=copies)) as made:
            await made.started()
            monkeypatch.setattr(inventory, "_readable", dict)
            monkeypatch.setattr(inventory, "checked_copy", seen)
            await made.refresh()
            monkeypatch.undo()
            assert where == {copies == 1}


async def test_tools_beyond_the_maximum_are_not_validated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inventory, "MAX_ITEMS", 3)
    validated: list[Any] = []

    def seen(value: Any, limits: Any) -> Any:
        validated.append(value)
        return checked_copy(value, limits)

    monkeypatch.setattr(inventory, "checked_copy", seen)
    async with session(raw(pages=[[tool(f"tool-{i}") for i in range(50)]])) as made:
        with pytest.raises(SessionNotReady, match="lists more than 3 tools"):
            await made.started()
    assert [one["name"] for one in validated] == ["tool-0", "tool-1", "tool-2", "tool-3"]


async def test_a_server_with_a_handshake_sends_change_notifications() -> None:
    changes = Changes()
    async with session(raw(pages=[[tool("grow")]]), on_change=changes) as made:
        assert await text(made, "grow") == "grown"
        await until(made, changes, lambda made: bool(made.inventory and made.inventory.tool("grown")))


async def test_a_refresh_without_changes_notifies_no_subscriber() -> None:
    changes = Changes()
    async with session(raw(), on_change=changes) as made:
        first = await made.started()
        await made.refresh()
        assert made.inventory == first
        assert changes.count == 1
