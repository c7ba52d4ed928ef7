"""The JSON report of `check`. Its shape is a contract: fields are added, never changed."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cardwright.cli.check_run import summarize
from cardwright.cli.terminal import legible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.cli.check_run import Row
    from cardwright_runtime.violation import Violation


def contract(rows: Sequence[Row]) -> dict[str, Any]:
    """Return `{"results": […], "summary": {…}}`: a result for each input, in the order given."""
    return {"results": [_result(row) for row in rows], "summary": asdict(summarize(rows))}


def violation_of(violation: Violation) -> dict[str, Any]:
    """Return a violation as a JSON object; `fix`, with an RFC 6902 patch, only if there is one."""
    result = violation.to_json()
    if violation.fix:
        result["fix"] = {
            "safe": violation.fix.safe,
            "description": violation.fix.description,
            "patch": [dict(operation) for operation in violation.fix.patch],
        }
    return result


def _result(row: Row) -> dict[str, Any]:
    return {
        "source": legible(row.source),
        "dialect": row.dialect,
        "sure": row.sure,
        "evidence": list(row.evidence),
        "errorsAs": dict(row.errors_as),
        "valid": row.valid,
        "violations": [{**violation_of(violation), **_place(row, violation)} for violation in row.violations],
    }


def _place(row: Row, violation: Violation) -> dict[str, int]:
    place = row.places.get(violation.pointer)
    return {"line": place.line, "column": place.column} if place else {}
