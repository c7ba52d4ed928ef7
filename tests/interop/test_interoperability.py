"""The interoperability page has the stored results, and these meet the project's promises."""

from __future__ import annotations

import asyncio

import pytest

from tests.interop.peers.steps import ABSENT, YES, Steps, expect, no, short
from tests.interop.table import (
    NOT_INSTALLED,
    PAGE,
    PROBE_ERRORS,
    SECTIONS,
    Table,
    differences,
    page,
    probe_errors,
    stored,
)
from tests.serve.cards import DIALECTS

TABLES = stored()


def test_the_page_has_the_stored_results() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(TABLES)
    assert TABLES.keys() == {*SECTIONS}


@pytest.mark.parametrize("name", SECTIONS)
def test_every_row_was_run_and_every_cell_has_a_result(name: str) -> None:
    for row in TABLES[name].rows.values():
        assert NOT_INSTALLED not in row.values()
        assert {*row} == {*TABLES[name].columns[1:]}


def test_every_dialect_passes_every_part() -> None:
    table = TABLES["round trip"]
    assert tuple(table.rows) == DIALECTS
    for row in table.rows.values():
        assert {row[one] for one in table.columns[1:] if one not in ("dialect", "read as")} == {YES}


def test_a2a_sdks_have_all_their_features_through_the_gateway() -> None:
    rows = {
        name: row
        for name, row in TABLES["A2A clients"].rows.items()
        if name.startswith(("cardwright ", "a2a-sdk ", "@a2a-js/sdk "))
    }
    assert len(rows) == 8
    for row in rows.values():
        assert {*row.values()} <= {YES, ABSENT}


def test_every_part_is_exact_over_json_rpc_and_in_a2a_1_0() -> None:
    exact = [row for name, row in TABLES["parts"].rows.items() if "JSONRPC" in name or "A2A 1.0" in name]
    assert len(exact) == 10
    assert {cell for row in exact for cell in row.values()} == {YES, ABSENT}


def test_a_valid_card_comes_back_from_our_types_in_every_way_that_keeps_nulls() -> None:
    table = TABLES["typed models"]
    rows = [row for name, row in table.rows.items() if name.startswith("cardwright")]
    assert [row["A2A"] for row in rows] == ["0.2", "0.3", "1.0"]
    for row in rows:
        counts = {row[one] for one in table.columns[2:] if one not in ("exclude_none", "MessageToDict")}
        assert counts == {row["valid cards"]}


def test_every_error_that_probe_found_has_its_reason() -> None:
    found = [*probe_errors(TABLES["A2A servers"])]
    assert {*found} == PROBE_ERRORS


@pytest.mark.parametrize("name", ["cardwright", "a2a-sdk", "@a2a-js/sdk", "google-adk", "an A2A 0.1 agent"])
def test_mcp_servers_work_directly_and_through_the_gateway(name: str) -> None:
    table = TABLES["A2A servers"]
    rows = [row for label, row in table.rows.items() if label.startswith(name)]
    assert rows
    for row in rows:
        results = {row[one] for one in table.columns[1:] if one not in ("read as", "discover", "probe")}
        assert results <= {YES, ABSENT}


async def test_a_step_that_raises_or_times_out_is_a_no_with_its_reason() -> None:
    steps = Steps()

    async def right() -> None:
        expect(1, 1)

    async def wrong() -> None:
        expect(1, 2)

    async def slow() -> None:
        await asyncio.Event().wait()

    async def broken() -> None:
        raise ExceptionGroup("several", [ValueError("at 127.0.0.1:4321 |x|")])

    for step in (right, wrong, slow, broken):
        await steps.run(step.__name__, step, 0.2)
    steps.absent("other")
    assert steps.cells == {
        "right": YES,
        "wrong": "no: 2 expected, 1 found",
        "slow": "no: TimeoutError",
        "broken": "no: ValueError: at 127.0.0.1 /x/",
        "other": ABSENT,
    }


def test_a_reason_is_one_short_line() -> None:
    assert len(short("word " * 100)) <= 160
    assert no(AssertionError()) == "no: AssertionError"


def test_rows_that_were_not_run_are_not_compared() -> None:
    old = Table(("client", "version", "send"), {"a": {"version": "1", "send": YES}, "b": {"version": "1"}})
    new = Table(
        ("client", "version", "send"),
        {"a": {"version": "1", "send": "no: late"}, "b": {"version": NOT_INSTALLED}},
    )
    assert differences(new, old) == ["a, send: no: late; stored: yes"]
    assert differences(old, old) == []


def test_a_reason_is_listed_once_below_the_table() -> None:
    table = Table(
        ("client", "send", "get"), {"a": {"send": "no: late", "get": "no: late"}, "b": {"get": YES}}
    )
    assert table.to_markdown() == (
        "| client | send | get |\n| --- | --- | --- |\n| a | no (1) | no (1) |\n| b | – | yes |\n\n1. `late`\n"
    )
