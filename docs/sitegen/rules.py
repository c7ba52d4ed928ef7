"""Reference pages of the rules: one for each rule, and the list of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardwright.explanations import area_titles, explain, rule_ids
from docs.sitegen.markdown import NOTICE, page, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.explanations import Explanation

_INTRODUCTION: Final = """
Every finding that cardwright reports names a rule. An **error** breaks the schema or a MUST of the specification; a
**warning** breaks a SHOULD, or is a common mistake that the specification does not forbid. `cardwright explain RULE`
prints the page of a rule in the terminal.
"""


def rule_pages() -> Iterator[tuple[str, str]]:
    """Yield the path and text of the page of each rule and of the index."""
    explanations = [explain(rule) for rule in rule_ids()]
    for explanation in explanations:
        yield f"rules/{explanation.rule}.md", f"{NOTICE}\n\n{explanation.markdown()}"
    yield "rules/index.md", page("Rules", _INTRODUCTION, *_areas(explanations))


def _areas(explanations: list[Explanation]) -> Iterator[str]:
    for area, title in sorted(area_titles().items(), key=lambda pair: pair[1].lower()):
        rows = [_row(one) for one in explanations if one.rule.startswith(f"{area}/")]
        yield f"## {title}"
        yield table(("rule", "severity", "problem"), rows)


def _row(explanation: Explanation) -> tuple[str, str, str]:
    severities = sorted({use.severity or "error or warning" for use in explanation.uses})
    rule = explanation.rule
    return f"[`{rule}`]({rule}.md)", " or ".join(severities), explanation.title
