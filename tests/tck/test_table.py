"""The documentation page of the kit has the stored results, and these meet the gateway's promises."""

from __future__ import annotations

import pytest

from tests.tck.kit import Kit, KitResult, read_report
from tests.tck.setups import SETUPS, setups_of
from tests.tck.table import PAGE, Branch, kept, page, reason_of

BRANCHES = kept()


def test_the_page_has_the_stored_results_of_the_runs() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(BRANCHES)


@pytest.mark.parametrize("name", ["0.3.x", "1.0-dev"])
def test_kit_tests_that_pass_on_a2a_sdk_servers_pass_on_the_gateway(name: str) -> None:
    setups = setups_of(name[:3])
    lost = {setup: BRANCHES[name].lost[setup] for setup in setups if SETUPS[setup].tasks is not None}
    # a2a-sdk 0.3 ignores the id of a push configuration, and reads a message without a role.
    older = lost.pop("gateway, own tasks, a2a-sdk 0.3", [])
    assert [test.rpartition(".")[2] for test in older] == (
        ["test_get_push_notification_config", "test_reference_task_ids_valid"] if name == "0.3.x" else []
    )
    assert {setup: [] for setup in lost} == lost
    assert list(BRANCHES[name].counts) == setups


def test_no_mandatory_kit_test_for_0_3_fails_on_the_gateway() -> None:
    """In pass mode the errors are the agent's: a2a-sdk 0.3 reports invalid params over REST as an internal error."""
    failed = BRANCHES["0.3.x"].failed
    mandatory = {
        test.rpartition(".")[2]: {setup for setup in setups if SETUPS[setup].tasks is not None}
        for test, setups in failed.items()
        if test.startswith("mandatory")
    }
    assert {test: setups for test, setups in mandatory.items() if setups} == {
        "test_message_send_invalid_params": {"gateway, a2a-sdk 0.3"}
    }


@pytest.mark.parametrize("name", ["0.3.x", "1.0-dev"])
def test_each_kit_failure_and_difference_has_a_reason(name: str) -> None:
    lost = (test for tests in BRANCHES[name].lost.values() for test in tests)
    found = [*BRANCHES[name].failed, *lost, *BRANCHES[name].differences]
    assert [one for one in found if not reason_of(name, one)] == []


def test_sets_of_passed_tests_are_compared_and_not_their_counts() -> None:
    passed, failed, skipped = KitResult("passed"), KitResult("failed", "why"), KitResult("skipped")
    one, *others = setups_of("1.0")
    results = {
        one: {"a": passed, "b": failed, "c": passed},
        **{setup: {"a": passed, "b": passed, "c": skipped} for setup in others},
    }
    branch = Branch.of(Kit(PAGE, PAGE, "1.0-dev", "0"), results, ["b", "a", "b"])
    assert branch.lost == {setup: ["c"] for setup in others}
    assert (branch.failed, branch.differences) == ({"b": [one]}, ["a", "b"])
    assert branch.counts[others[0]] == {"passed": 2, "failed": 0, "skipped": 1}


def test_an_xfail_that_fails_is_a_failure_in_a_report() -> None:
    report = """<testsuites><testsuite>
      <testcase classname="tests.a" name="one"/>
      <testcase classname="tests.a" name="two"><failure message="at 127.0.0.1:4321"/></testcase>
      <testcase classname="tests.a" name="three"><skipped type="pytest.skip" message="no gRPC"/></testcase>
      <testcase classname="tests.a" name="four"><skipped type="pytest.xfail" message="SHOULD"/></testcase>
      <testcase classname="tests.a" name="five"><error message="broken"/></testcase>
      <testcase classname="tests.a" name="six"><system-out>told</system-out></testcase>
    </testsuite></testsuites>"""
    assert read_report(report) == {
        "a.one": KitResult("passed"),
        "a.two": KitResult("failed", "at 127.0.0.1"),
        "a.three": KitResult("skipped", "no gRPC"),
        "a.four": KitResult("failed", "SHOULD"),
        "a.five": KitResult("failed", "broken"),
        "a.six": KitResult("passed"),
    }
