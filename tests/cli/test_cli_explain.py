"""`cardwright explain`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.command_line import Run


def test_a_rule_is_explained_as_markdown(run: Run) -> None:
    done = run("explain", "url/https")

    assert done.exit_code == 0
    assert done.stdout.startswith("# url/https\n")
    assert "## How to fix it" in done.stdout


def test_a_rule_is_explained_for_programs(run: Run) -> None:
    done = run("explain", "url/https", "--format", "json")

    explanation = json.loads(done.stdout)
    assert explanation["rule"] == "url/https"
    assert explanation["violation"]["rule"] == "url/https"
    assert explanation["url"].endswith("/rules/url/https/")


def test_without_a_rule_all_are_listed(run: Run) -> None:
    done = run("explain")

    assert "url/https" in done.stdout
    assert done.exit_code == 0


def test_an_unknown_rule_is_refused_with_the_nearest(run: Run) -> None:
    done = run("explain", "url/htps")

    assert done.exit_code == 2
    assert "did you mean url/https" in done.stderr
