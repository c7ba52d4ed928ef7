"""SARIF 2.1.0 (OASIS), which code hosts and editors show next to the line."""

from __future__ import annotations

import os
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from cardwright.cli.fetch_options import is_url
from cardwright.cli.inputs import STDIN
from cardwright.explanations import page_of, rule_ids

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.cli.check_run import Row
    from cardwright_runtime.violation import Violation

# RFC 3986 §2.2, and % for characters that are already percent-encoded.
_URL_SAFE: Final = "%:/?#[]@!$&'()*+,;="
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(rows: Sequence[Row]) -> dict[str, Any]:
    """Return a log of one run: a result for each violation, and the rules of these violations."""
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
        "artifacts": [_artifact(row) for row in rows],
        "invocations": [{"executionSuccessful": all(row.readable for row in rows)}],
        "results": [_result(row, v, index[v.rule]) for row in rows for v in row.violations],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _artifact(row: Row) -> dict[str, Any]:
    return {
        "location": {"uri": _uri(row.source)},
        "properties": {"dialect": row.dialect, "sure": row.sure, "errorsAs": dict(row.errors_as)},
    }


def _rule(violation: Violation) -> dict[str, Any]:
    """Return the description of a rule; its specification is in each result."""
    return {
        "id": violation.rule,
        "shortDescription": {"text": rule_ids().get(violation.rule, violation.rule)},
        "helpUri": page_of(violation.rule),
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
    return {"physicalLocation": physical, "logicalLocations": [{"fullyQualifiedName": violation.pointer}]}


def _uri(source: str) -> str:
    """Return a path as a URI reference (RFC 3986 §4.1): a relative path stays relative, a URL unchanged."""
    if source == STDIN:
        return "stdin"
    if is_url(source):
        return quote(source, safe=_URL_SAFE)
    path = Path(source)
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
