"""Explanations of rules: what each rule means, why it exists, how to fix a card, with a failing and a passing example."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from cardwright.card import Document
from cardwright.checks import Checks
from cardwright.errors import UnknownRule
from cardwright_rules import DIALECTS, ROWS
from cardwright_runtime.engine import load
from cardwright_runtime.violation import steps_of

if TYPE_CHECKING:
    from cardwright_runtime.violation import Severity, Violation

__all__ = ["Explanation", "FixSummary", "RuleUse", "explain", "page_of", "rule_ids"]

# Where the documentation site has a page for each rule.
RULE_PAGES: Final = "https://cardwright.dev/reference/rules/"
# No id is longer.
MAX_ID_CHARACTERS: Final = 60
_EXAMPLE_CHECKS: Final = Checks(rules=("text",))
# The dialects of the two forms of a hybrid card.
HALVES: Final = DIALECTS["a2a-hybrid"].halves
_Entry: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RuleUse:
    """One use of a rule.

    Attributes:
        dialect: The dialect that has the rule; None for a rule that does not validate a card's fields.
        severity: `error` or `warning`; None where it depends on what was found.
        spec: The specification and section that the rule comes from, or `project decision` with the reason.
    """

    dialect: str | None
    severity: Severity | None
    spec: str


@dataclass(frozen=True, slots=True)
class FixSummary:
    """One fix that `cardwright fix` has for a rule.

    Attributes:
        description: What the fix does.
        safe: Whether it keeps the meaning; otherwise it is a guess.
        at: The JSON Pointers that it applies to, with `*` for every item; empty for all places of the rule.
    """

    description: str
    safe: bool
    at: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a rule means.

    Attributes:
        rule: The rule's id, such as `url/https`.
        title: The problem in a few words.
        why: What goes wrong where the rule is broken, as CommonMark.
        how: How to fix it by hand, as CommonMark.
        uses: The dialects that have the rule, with its severity and source in each.
        fixes: What `cardwright fix` can do.
        fails: An example that breaks the rule, as text.
        passes: The same example, corrected.
        at: The JSON Pointer of the example in its card; None where it is no part of a card.
        violation: The violation that cardwright reports for the failing example; None where it is no part of a card.
    """

    rule: str
    title: str
    why: str
    how: str
    uses: tuple[RuleUse, ...]
    fixes: tuple[FixSummary, ...]
    fails: str
    passes: str
    at: str | None
    violation: Violation | None

    @property
    def url(self) -> str:
        """The rule's page on the documentation site."""
        return page_of(self.rule)

    def markdown(self) -> str:
        """Return the page of the rule as CommonMark."""
        parts = [f"# {self.rule}", f"**{self.title}**", self.why, "## How to fix it", self.how]
        if self.fixes:
            parts.append("\n".join(["What `cardwright fix` does:", "", *_fix_lines(self.fixes)]))
        parts += ["## Example", *self._example(), "## Where it applies", "\n".join(_use_lines(self.uses))]
        return "\n\n".join(parts) + "\n"

    def _example(self) -> list[str]:
        language = "text" if self.at is None else "json"
        place = f" (at `{self.at}`)" if self.at else ""
        parts = [f"Fails{place}:", f"```{language}\n{self.fails}\n```"]
        if self.violation:
            reported = f"{self.violation.pointer or '(root)'}: {self.violation.message}"
            parts += ["cardwright reports:", f"```text\n{reported}\n```"]
        return [*parts, "Passes:", f"```{language}\n{self.passes}\n```"]


def explain(rule: str) -> Explanation:
    """Return the explanation of a rule.

    Args:
        rule: A rule's id, such as `url/https`; the part after the slash is enough where one rule alone has it.

    >>> explain("url/https").title
    'The URL uses plain http'

    Raises:
        UnknownRule: If no rule has that id; the message names the nearest ids.
    """
    rules = _table()["rules"]
    # A URL of the rule's page is accepted, too, and upper case.
    wanted = rule.strip().removeprefix(RULE_PAGES).strip("/").lower()
    matches = [name for name in rules if name.lower() == wanted] or [
        name for name in rules if name.partition("/")[2].lower() == wanted
    ]
    if len(matches) != 1:
        raise UnknownRule(
            rule, matches or get_close_matches(wanted[:MAX_ID_CHARACTERS], rules, n=3, cutoff=0.5)
        )
    return _explanation(matches[0], rules[matches[0]])


def page_of(rule: str) -> str:
    """Return the URL of a rule's page on the documentation site."""
    return f"{RULE_PAGES}{rule}/"


def spec_of(rule: str) -> str:
    """Return the source of a rule that does not validate a card's fields; `project decision` for an unknown rule."""
    return str(_table()["rules"].get(rule, {}).get("spec", "project decision"))


def rule_ids() -> dict[str, str]:
    """Return the title of each rule by its id, sorted by id."""
    return {rule: entry["title"] for rule, entry in sorted(_table()["rules"].items())}


def area_titles() -> dict[str, str]:
    """Return the title of each area of rules (the part of an id before the slash) by its name."""
    return dict(_table()["areas"])


def _table() -> Any:
    return load("cardwright_rules", "explanations.json")


def _explanation(rule: str, entry: _Entry) -> Explanation:
    example = entry["example"]
    dialect = example.get("dialect")
    violation = None
    if dialect is None:
        fails, passes = example["fails"], example["passes"]
    else:
        card = _table()["cards"][dialect]
        fails, passes = (_excerpt(card, example, form) for form in ("fails", "passes"))
        violation = _violation(rule, dialect, changed(card, example, "fails"))
    uses = _uses(rule) or (RuleUse(None, entry.get("severity"), entry["spec"]),)
    return Explanation(
        rule=rule,
        title=entry["title"],
        why=entry["why"],
        how=entry["how"],
        uses=uses,
        fixes=_fixes(rule),
        fails=fails,
        passes=passes,
        at=None if dialect is None else example["at"],
        violation=violation,
    )


def changed(card: Any, example: _Entry, form: str) -> Any:
    """Return an example's card: the base card with the value of `form` at the example's pointer, or without the field."""
    steps = steps_of(example["at"])
    if not steps:
        return example[form]
    return _with(card, steps, example[form]) if form in example else _with(card, steps)


def _with(value: Any, steps: list[str], *new: Any) -> Any:
    """Return a copy of a JSON value with another value at a path, or without it."""
    first, *rest = steps
    if type(value) is list:
        items = list(value)
        index = int(first) if first != "-" else len(items)
        items[index : index + 1] = [_with(items[index], rest, *new)] if rest else list(new)
        return items
    fields = dict(value)
    if rest:
        fields[first] = _with(fields.get(first, {}), rest, *new)
    elif new:
        fields[first] = new[0]
    else:
        fields.pop(first, None)
    return fields


def _excerpt(card: Any, example: _Entry, form: str) -> str:
    """Return the part of an example's card that the example is about: a field with its name, an item, or an object."""
    *path, last = steps_of(example["at"]) or [""]
    absent = not {"fails", "passes"} <= set(example)
    if absent and not path and last:
        return _written({last: example[form]}) if form in example else f'{{\n  … no "{last}" …\n}}'
    parent = changed(card, example, form)
    for step in path:
        parent = parent[int(step)] if type(parent) is list else parent[step]
    if absent or not last:
        return _written(parent)
    return _written(example[form] if type(parent) is list else {last: example[form]})


def _written(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _violation(rule: str, dialect: str, document: Any) -> Violation | None:
    card = Document.from_document(document, dialect=dialect, checks=_EXAMPLE_CHECKS)
    return next((violation for violation in card.violations if violation.rule == rule), None)


@cache
def _uses(rule: str) -> tuple[RuleUse, ...]:
    uses: list[RuleUse] = []
    for row in ROWS.values():
        entry = import_module(f"{row.package}.validators").RULES.get(rule)
        if entry is not None:
            uses.append(RuleUse(row.name, entry.severity, entry.spec))
    return tuple(uses)


@cache
def _fixes(rule: str) -> tuple[FixSummary, ...]:
    fixes = (fix for row in ROWS.values() for fix in load(row.package, "fixes.json").get(rule, ()))
    by_text: dict[tuple[str, bool], dict[str, None]] = {}
    for fix in fixes:
        places = by_text.setdefault((fix["description"], fix["safe"]), {})
        places.update(dict.fromkeys(fix.get("at", ())))
    return tuple(FixSummary(text, safe, tuple(places)) for (text, safe), places in by_text.items())


def _fix_lines(fixes: tuple[FixSummary, ...]) -> list[str]:
    lines: list[str] = []
    for fix in fixes:
        kind = "safe" if fix.safe else "guess"
        places = f" at {', '.join(f'`{place}`' for place in fix.at)}" if fix.at else ""
        lines.append(f"- {fix.description}{places} ({kind})")
    return lines


def _use_lines(uses: tuple[RuleUse, ...]) -> list[str]:
    if uses[0].dialect is None:
        severity = [f"Severity: {uses[0].severity or 'error or warning, by what was found'}.", ""]
        return [*severity, f"Source: {uses[0].spec.rstrip('.')}."]
    rows = [f"| `{use.dialect}` | {use.severity} | {use.spec} |" for use in uses]
    if not any(use.dialect == "a2a-hybrid" for use in uses) and any(use.dialect in HALVES for use in uses):
        rows += ["", "It also applies to the two forms of a hybrid card (`a2a-hybrid`)."]
    return ["| dialect | severity | source |", "| --- | --- | --- |", *rows]
