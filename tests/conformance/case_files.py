"""The case files as values, and the results of this implementation."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from cardwright.card import Document
from cardwright.checks import Checks
from cardwright.errors import UnknownDialect
from cardwright_rules import ROWS

HERE = Path(__file__).parent
RULES = HERE.parents[1] / "schemas" / "rules"
UNKNOWN = "dialect/unknown"

# A violation as a case states it: (pointer, rule), in the order in which they are reported.
Place = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Case:
    """One card and its expected result."""

    file: str
    dialect: str | None
    description: str
    near: tuple[str, ...]
    card: Any
    found_at: str
    valid: bool
    violations: tuple[Place, ...]

    def __str__(self) -> str:
        return f"{self.file}: {self.description}"


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of a card, in the terms of a case."""

    dialect: str | None
    valid: bool
    violations: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Body:
    """Bytes, and the rule that refuses them: None where they are read."""

    description: str
    body: bytes
    rule: str | None
    pointer: str | None

    def __str__(self) -> str:
        return self.description


@cache
def cases() -> tuple[Case, ...]:
    """Return every case, file by file."""
    files = sorted((HERE / "cases").rglob("*.json"))
    return tuple(case for file in files for case in _cases_of(file))


@cache
def bodies() -> tuple[Body, ...]:
    """Return every malformed document, and those that come near to one."""
    files = sorted((HERE / "malformed").glob("*.json"))
    return tuple(
        Body(entry["description"], bytes_of(entry), entry["rule"], entry.get("pointer"))
        for file in files
        for entry in json.loads(file.read_text(encoding="utf-8"))
    )


@cache
def rule_ids() -> dict[str, set[str]]:
    """Return the rule ids of each dialect, as its index lists them."""
    return {name: set(import_module(f"{row.package}.validators").RULES) for name, row in ROWS.items()}


@cache
def prose_rules() -> frozenset[str]:
    """Return the rules about what a text says: their wording changes, so few cases hold them."""
    return frozenset(
        rule["id"]
        for file in RULES.glob("*.rules.json")
        for rules in [json.loads(file.read_text(encoding="utf-8"))]
        if rules.get("phase") == "text"
        for rule in rules["rules"]
    )


def result_of(case: Case, body: bytes | None = None) -> CaseResult:
    """Validate a case's card, or another serialization of it."""
    try:
        card = (
            Document.from_document(case.card, checks=Checks(rules=("text",)), found_at=case.found_at)
            if body is None
            else Document.from_bytes(body, checks=Checks(rules=("text",)), found_at=case.found_at)
        )
    except UnknownDialect:
        return CaseResult(None, valid=False, violations=(("", UNKNOWN),))
    found = tuple((violation.pointer, violation.rule) for violation in card.violations)
    return CaseResult(str(card.dialect), valid=card.valid, violations=found)


def expected(case: Case) -> CaseResult:
    """Return the result that a case states."""
    return CaseResult(case.dialect, valid=case.valid, violations=case.violations)


def _cases_of(file: Path) -> list[Case]:
    document = json.loads(file.read_text(encoding="utf-8"))
    return [
        Case(
            file=file.relative_to(HERE).as_posix(),
            dialect=document["dialect"],
            description=test["description"],
            near=tuple(test.get("near", ())),
            card=test["card"],
            found_at=test.get("foundAt", ""),
            valid=test["valid"],
            violations=tuple((violation["pointer"], violation["rule"]) for violation in test["violations"]),
        )
        for test in document["tests"]
    ]


def bytes_of(entry: dict[str, Any]) -> bytes:
    """Return the bytes of a malformed document."""
    if "base64" in entry:
        return base64.b64decode(entry["base64"], validate=True)
    text: str = entry["text"] if "text" in entry else "".join(run * times for run, times in entry["runs"])
    return text.encode()
