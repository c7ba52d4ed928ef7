"""Explanations of rules: every rule has one, and its examples do what they claim."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardwright import CardError
from cardwright.discovery.probe.rules import RULES as PROBE_RULES
from cardwright.errors import UnknownRule
from cardwright.explanations import explain, rule_ids
from cardwright_rules import ROWS
from tests.conformance.case_files import cases
from tests.conformance.case_files import rule_ids as rules_by_dialect

SOURCE = Path(__file__).parents[1] / "src"


def test_a_page_has_an_example_and_the_finding_that_it_gives() -> None:
    assert [rule for rule in rule_ids() if not _has_example(rule)] == []


def _has_example(rule: str) -> bool:
    explanation = explain(rule)
    page = explanation.markdown()
    shown = explanation.violation is not None and explanation.violation.message in page
    whole = page.startswith(f"# {rule}\n") and explanation.fails != explanation.passes and explanation.uses
    return bool(whole) and (explanation.at is None or shown)


def test_every_rule_that_a_card_can_break_is_explained() -> None:
    broken = {rule for case in cases() for _, rule in case.violations}
    own = set().union(*(rules_by_dialect()[name] for name in ROWS))

    assert broken | own <= set(rule_ids())


def test_the_pages_of_the_probe_are_those_of_its_rules() -> None:
    pages = {rule for rule in rule_ids() if rule.startswith("probe/")}

    assert pages == set(PROBE_RULES)
    for rule in pages:
        assert explain(rule).uses[0].spec == PROBE_RULES[rule].spec, rule


def test_the_part_after_the_slash_is_enough_where_one_rule_has_it() -> None:
    assert explain("loopback-host").rule == "url/loopback-host"


def test_an_unknown_rule_names_the_nearest_ones() -> None:
    with pytest.raises(UnknownRule, match='unknown rule "url/htps"; did you mean url/https') as caught:
        explain("url/htps")

    assert isinstance(caught.value, CardError)
    assert "url/https" in caught.value.candidates


def test_a_name_that_several_rules_have_names_them_all() -> None:
    with pytest.raises(UnknownRule) as caught:
        explain("unique-id")

    assert set(caught.value.candidates) == {"capabilities/unique-id", "skills/unique-id"}


def test_the_fixes_of_a_rule_are_listed() -> None:
    fixes = explain("schema/type").fixes

    assert any(fix.safe and "true or false" in fix.description for fix in fixes)


def test_a_rule_of_dialects_lists_its_severity_and_source_in_each() -> None:
    uses = {use.dialect: use for use in explain("url/https").uses}

    assert uses["a2a-0.3"].severity == "warning"
    assert uses["a2a-0.3"].spec == "A2A 0.3 §5.5"


@pytest.mark.parametrize("written", ["URL/HTTPS", " url/https/", explain("url/https").url])
def test_case_slashes_and_the_url_of_a_page_do_not_matter(written: str) -> None:
    assert explain(written).rule == "url/https"


def test_a_long_name_is_not_repeated_whole() -> None:
    with pytest.raises(UnknownRule) as caught:
        explain("x" * 100_000)

    assert len(str(caught.value)) < 200


def test_every_rule_that_the_source_reports_is_explained() -> None:
    """Rules of messages that are no card are left out: envelopes, surfaces, work of queues, rows of a store."""
    sources = (
        file for name in ("cardwright", "cardwright_gateway") for file in (SOURCE / name).rglob("*.py")
    )
    text = "\n".join(file.read_text(encoding="utf-8") for file in sources)
    reported = set(
        re.findall(r'\b(?:Violation|MalformedDocument|refuse|malformed)\(\s*"([a-z-]+/[A-Za-z-]+)"', text)
    )

    assert {rule for rule in reported if rule.partition("/")[0] not in ("store", "work")} <= set(rule_ids())
