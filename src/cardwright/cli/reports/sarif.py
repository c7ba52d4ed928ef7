"""SARIF 2.1.0 (OASIS), which code hosts and editors show beside the line."""

from __future__ import annotations

import os
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from cardwright.cli.fetch_options import is_url
from cardwright.cli.inputs import STDIN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.cli.check_run import Row
    from cardwright_runtime.violation import Violation

# RFC 3986 §2.2, and what is percent-encoded already.
_URL_SAFE: Final = "%:/?#[]@!$&'()*+,;="
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(rows: Sequence[Row]) -> dict[str, Any]:
    """Return a log of one run: a result for each violation, a rule for each that was broken."""
    broken = {violation.rule: violation for row in rows for violation in row.violations}
    index = {rule: place for place, rule in enumerate(sorted(broken))}
    run = {
        "tool": {
            "driver": {
                "name": "cardwright",
                "version": version("cardwright"),
                "rules": [_rule(broken[rule]) for rule in sorted(broken)],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": all(row.readable for row in rows)}],
        "results": [_result(row, v, index[v.rule]) for row in rows for v in row.violations],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(violation: Violation) -> dict[str, Any]:
    """Describe a rule by its own name, in words; its source stands with each result."""
    group, _, name = violation.rule.partition("/")
    words = f"{group}: {name.replace('-', ' ')}"
    return {
        "id": violation.rule,
        "shortDescription": {"text": words},
        "defaultConfiguration": {"level": violation.severity},
    }


def _result(row: Row, violation: Violation, index: int) -> dict[str, Any]:
    return {
        "ruleId": violation.rule,
        "ruleIndex": index,
        "level": violation.severity,
        "message": {"text": violation.message},
        "locations": [_location(row, violation)],
        "properties": {"spec": violation.spec},
    }


def _location(row: Row, violation: Violation) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(row.source)}}
    if place := row.places.get(violation.pointer):
        physical["region"] = {"startLine": place.line, "startColumn": place.column}
    return {
        "physicalLocation": physical,
        "logicalLocations": [{"fullyQualifiedName": violation.pointer}],
    }


def _uri(source: str) -> str:
    """Return a path as a URI reference (RFC 3986 §4.1): relative stays relative, and a URL what it is."""
    if source == STDIN:
        return "stdin"
    if is_url(source):
        return quote(source, safe=_URL_SAFE)
    path = Path(source)
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
