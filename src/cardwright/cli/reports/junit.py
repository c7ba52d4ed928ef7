"""JUnit XML, which build servers show as tests: a case for each document."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from cardwright.cli.reports import words
from cardwright.cli.verdicts import summed
from cardwright_models.violation import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.cli.verdicts import Row


def junit(rows: Sequence[Row]) -> bytes:
    """Return the document; whatever XML 1.0 §2.2 forbids in text is written as an escape."""
    summary = summed(rows)
    counts = {
        "name": "cardwright",
        "tests": str(summary.documents),
        "failures": str(summary.invalid),
        "errors": str(summary.unreadable),
    }
    root = Element("testsuites", counts)
    suite = SubElement(root, "testsuite", counts)
    for row in rows:
        _case(suite, row)
    indent(root)
    return bytes(tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _case(suite: Element, row: Row) -> None:
    case = SubElement(suite, "testcase", {"classname": words.dialect_of(row), "name": words.source_of(row)})
    found = words.by_severity(row)
    if not found:
        return
    told = "\n".join(
        f"{v.severity}: {escaped(v.pointer) or '(root)'}: {escaped(v.message)} [{v.rule}] ({escaped(v.spec)})"
        for v in found
    )
    if row.valid:
        SubElement(case, "system-out").text = told
    else:
        kind = "failure" if row.readable else "error"
        SubElement(case, kind, {"type": found[0].rule, "message": escaped(found[0].message)}).text = told
