"""JUnit XML for build servers: a test case for each document, or for each check of a probe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from cardwright.cli.reports import words
from cardwright_runtime.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.cli.check_run import Row


@dataclass(frozen=True, slots=True)
class Case:
    """One test case.

    Attributes:
        group: The group of the case.
        name: The document or check.
        outcome: `pass`, `failure`, `error` or `skipped`.
        kind: The rule that decides the outcome.
        message: Why it did not pass.
        text: The details.
    """

    group: str
    name: str
    outcome: Literal["pass", "failure", "error", "skipped"]
    kind: str = ""
    message: str = ""
    text: str = ""


def junit(rows: Sequence[Row]) -> bytes:
    """Return the report of `check`."""
    return document([_of_row(row) for row in rows])


def document(cases: Sequence[Case]) -> bytes:
    """Return a document of test cases; characters that XML 1.0 §2.2 forbids are escaped."""
    counts = {"name": "cardwright", "tests": str(len(cases))}
    for name, outcome in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        count = sum(case.outcome == outcome for case in cases)
        # `check` skips nothing.
        if count or outcome != "skipped":
            counts[name] = str(count)
    root = Element("testsuites", counts)
    suite = SubElement(root, "testsuite", counts)
    for case in cases:
        _put(suite, case)
    indent(root)
    return bytes(tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _put(suite: Element, case: Case) -> None:
    element = SubElement(suite, "testcase", {"classname": escaped(case.group), "name": escaped(case.name)})
    if case.outcome == "pass":
        if case.text:
            SubElement(element, "system-out").text = _lines(case.text)
        return
    attributes = {"type": case.kind, "message": escaped(case.message)}
    if case.outcome == "skipped":
        del attributes["type"]
    SubElement(element, case.outcome, attributes).text = _lines(case.text) or None


def _lines(text: str) -> str:
    return "\n".join(map(escaped, text.split("\n")))


def _of_row(row: Row) -> Case:
    violations = words.by_severity(row)
    text = "\n".join(
        f"{v.severity}: {escaped(v.pointer) or '(root)'}: {escaped(v.message)} [{v.rule}] ({escaped(v.spec)})"
        for v in violations
    )
    group, name = words.dialect_of(row), words.source_of(row)
    if row.valid:
        return Case(group, name, "pass", text=text)
    outcome: Literal["failure", "error"] = "failure" if row.readable else "error"
    return Case(group, name, outcome, violations[0].rule, violations[0].message, text)
