"""cardwright: every operation."""

from __future__ import annotations

import base64
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from adapter import answer_lines, serve_command
from cardwright_signing import canonical, signed, verified

from cardwright import Card, Checks, Document, ProtocolMessage, __version__, convert, convert_message, detect
from cardwright.canonical import decode
from cardwright.difference import compare
from cardwright.errors import MalformedDocument, UnknownDialect


def decoded(given: dict[str, Any]) -> dict[str, Any]:
    try:
        decode(base64.b64decode(given["base64"]))
    except MalformedDocument as error:
        return {"accepted": False, "rule": error.rule}
    return {"accepted": True}


def detected(given: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"dialect": str(detect(given["document"], found_at=given.get("foundAt", "")).dialect)}
    except UnknownDialect:
        return {"dialect": None}


def validated(given: dict[str, Any]) -> dict[str, Any]:
    checks = Checks(rules=tuple(given.get("rules", ())))
    card = Document.from_document(
        given["document"], dialect=given["dialect"], checks=checks, found_at=given.get("foundAt", "")
    )
    return {
        "valid": card.valid,
        "violations": [{"rule": v.rule, "pointer": v.pointer} for v in card.violations],
    }


def converted(given: dict[str, Any]) -> dict[str, Any]:
    card = Document.from_document(given["document"], dialect=given["from"])
    into = convert_message if isinstance(card, ProtocolMessage) else convert
    card, report = into(card, to=given["to"])
    return {"document": card.document, "lost": [loss.pointer for loss in report.losses]}


def compared(given: dict[str, Any]) -> dict[str, Any]:
    found = compare(Card.from_document(given["before"]), Card.from_document(given["after"]))
    return {"bump": found.bump, "kinds": [change.kind for change in found.changes]}


def served(given: dict[str, Any]) -> dict[str, Any]:
    file = Path(FOLDER, "served.card.json")
    file.write_text(json.dumps(given["document"]), encoding="utf-8")
    return serve_command(sys.executable, "-m", "cardwright", "serve", "--port", "PORT", str(file))


OPERATIONS = {
    "decode": decoded,
    "detect": detected,
    "validate": validated,
    "convert": converted,
    "diff": compared,
    "canonical": canonical,
    "sign": signed,
    "verify": verified,
    "serve": served,
}

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as FOLDER:
        answer_lines("cardwright", __version__, OPERATIONS)
