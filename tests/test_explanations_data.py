"""The explanations of the rules: their examples, their texts and their completeness."""

from __future__ import annotations

import copy
import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cardwright import Card, Checks, Document
from cardwright.canonical import decode
from cardwright.dialect import detect
from cardwright.discovery.contracts import UNUSABLE, input_violations
from cardwright.discovery.probe.rules import RULES as PROBE_RULES
from cardwright.errors import ConnectionDenied, MalformedDocument, UnknownDialect
from cardwright.guard import Guard, target_of
from tests.conformance.case_files import cases, rule_ids

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "schemas" / "explanations"
BASES: dict[str, Any] = json.loads((FOLDER / "bases.json").read_text(encoding="utf-8"))
FILES: dict[str, Any] = {
    file.stem: json.loads(file.read_text(encoding="utf-8"))
    for file in sorted(FOLDER.glob("*.json"))
    if file.stem != "bases"
}
EXPLANATIONS: dict[str, Any] = {
    rule: entry for explained in FILES.values() for rule, entry in explained["rules"].items()
}
TEXT = Checks(rules=("text",))
SPELT_OUT = "(bytes) "
ABSENT = object()

ON_CARDS = sorted(rule for rule, entry in EXPLANATIONS.items() if "at" in entry["example"])
# The command line raises these for a file, and canonical JSON for a Python value: no bytes show them.
NOT_OF_BYTES = {"decode/missing", "decode/no-canonical-form", "decode/no-documents", "decode/unreadable"}
ON_BYTES = sorted(rule for rule in EXPLANATIONS if rule.startswith("decode/") and rule not in NOT_OF_BYTES)
ON_DATA = sorted(
    rule for rule, entry in EXPLANATIONS.items() if str(entry["example"].get("fails")).startswith("schema: ")
)
# What is too long for a page, so that the example describes it in words.
DESCRIBED: dict[str, tuple[bytes, bytes]] = {
    "decode/too-large": (b"{}".ljust(262_145), b"{}".ljust(262_144)),
    "decode/too-many-members": (
        json.dumps(dict.fromkeys(map(str, range(4_097)), 0)).encode(),
        json.dumps(dict.fromkeys(map(str, range(4_096)), 0)).encode(),
    ),
    "decode/too-many-values": (b"[" + b"0," * 9_999 + b"0]", b"[" + b"0," * 9_998 + b"0]"),
}
# Words that the glossary of the project replaces.
AVOIDED = re.compile(
    r"\b(?:ours|judg\w*|members?|speaks?|spoken|dial(?:s|led)?|mend\w*|whoever)\b", re.IGNORECASE
)


@cache
def _rules_of_cards() -> frozenset[str]:
    """Return every id of `schemas/rules`, as the generated validators list them."""
    return frozenset().union(*rule_ids().values())


def _with(base: Any, pointer: str, value: Any) -> Any:
    """Return a copy of a card with a value at a pointer, or without one there."""
    if pointer == "":
        return value
    card: Any = copy.deepcopy(base)
    *way, last = [step.replace("~1", "/").replace("~0", "~") for step in pointer[1:].split("/")]
    node: Any = card
    for step in way:
        node = node[int(step)] if isinstance(node, list) else node[step]
    key: Any = int(last) if isinstance(node, list) else last
    if value is not ABSENT:
        node[key] = value
    elif key in node:
        del node[key]
    return card


def _violations(rule: str, part: str) -> list[str]:
    """Return the rules that one half of an example breaks."""
    example = EXPLANATIONS[rule]["example"]
    card = _with(BASES[example["dialect"]], example["at"], example.get(part, ABSENT))
    found = Document.from_document(card, dialect=example["dialect"], checks=TEXT).violations
    return [violation.rule for violation in found]


def _bytes(rule: str, part: str) -> bytes:
    """Return the document that one half of an example shows or describes."""
    text: str = EXPLANATIONS[rule]["example"][part]
    if rule in DESCRIBED:
        return DESCRIBED[rule][part == "passes"]
    return bytes.fromhex(text.removeprefix(SPELT_OUT)) if text.startswith(SPELT_OUT) else text.encode()


def test_a_base_card_has_its_dialect_and_no_violation() -> None:
    cards = {dialect: Document.from_document(base, checks=TEXT) for dialect, base in BASES.items()}

    assert {dialect: (str(card.dialect), card.violations) for dialect, card in cards.items()} == {
        dialect: (dialect, ()) for dialect in BASES
    }


def test_an_example_breaks_its_rule_alone_and_then_none() -> None:
    found = {rule: (_violations(rule, "fails"), _violations(rule, "passes")) for rule in ON_CARDS}

    assert {rule: halves for rule, halves in found.items() if halves != ([rule], [])} == {}


def test_bytes_of_an_example_are_refused_by_their_rule_and_then_read() -> None:
    refused = {rule: _refused_by(_bytes(rule, "fails")) for rule in ON_BYTES}

    assert refused == {rule: rule for rule in ON_BYTES}
    for rule in ON_BYTES:
        decode(_bytes(rule, "passes"))


def _refused_by(body: bytes) -> str:
    try:
        Card.from_bytes(body)
    except MalformedDocument as error:
        return error.rule
    return ""


def test_the_example_of_an_unknown_dialect_is_recognised_only_when_it_passes() -> None:
    example = EXPLANATIONS["dialect/unknown"]["example"]

    with pytest.raises(UnknownDialect):
        detect(json.loads(example["fails"]))
    assert str(detect(json.loads(example["passes"])).dialect) == "a2a-0.3"


def test_data_of_an_example_breaks_its_contract_and_then_keeps_it() -> None:
    broken = {
        rule: (_contract_violations(rule, "fails"), _contract_violations(rule, "passes")) for rule in ON_DATA
    }

    assert broken == {rule: ([rule], []) for rule in ON_DATA}


def _contract_violations(rule: str, part: str) -> list[str]:
    schema, data = EXPLANATIONS[rule]["example"][part].removeprefix("schema: ").split("\ndata: ")
    skill = {"id": "tide", "name": "tide", "inputSchema": json.loads(schema)}
    card = Card.from_document({**BASES["mcp-2024-11-05"], "skills": [skill]})
    return [violation.rule for violation in input_violations(card, "tide", json.loads(data)) or ()]


def test_the_url_of_an_example_is_refused_by_its_rule_and_then_allowed() -> None:
    rules = sorted(set(FILES["guard"]["rules"]) - {"guard/downgrade"})
    refused = {rule: _denied_by(EXPLANATIONS[rule]["example"]["fails"]) for rule in rules}

    assert refused == {rule: rule for rule in rules}
    for rule in rules:
        Guard().check(target_of(EXPLANATIONS[rule]["example"]["passes"]))


def _denied_by(url: str) -> str:
    try:
        Guard().check(target_of(url))
    except ConnectionDenied as error:
        return error.rule
    return ""


@pytest.mark.parametrize(
    ("rule", "field", "most"),
    [("limits/skills", "skills", 1_024), ("limits/interfaces", "supportedInterfaces", 64)],
)
def test_a_limit_is_what_its_explanation_says(rule: str, field: str, most: int) -> None:
    base = BASES["a2a-1.0"]

    def broken(count: int) -> set[str]:
        return {one.rule for one in Card.from_document({**base, field: base[field] * count}).violations}

    assert f"{most + 1:,} " in EXPLANATIONS[rule]["example"]["fails"]
    assert f"{most:,} " in EXPLANATIONS[rule]["example"]["passes"]
    assert rule in broken(most + 1)
    assert rule not in broken(most)


def test_the_report_of_a_card_stops_where_its_explanation_says() -> None:
    base = BASES["a2a-1.0"]

    def broken(count: int) -> set[str]:
        return {one.rule for one in Card.from_document({**base, "skills": ["tides"] * count}).violations}

    assert "limits/violations" in broken(1_001)
    assert "limits/violations" not in broken(1_000)


def test_each_rule_about_cards_is_explained_and_no_other() -> None:
    areas = {rule.partition("/")[0] for rule in _rules_of_cards()}
    explained = {rule for rule in EXPLANATIONS if rule.partition("/")[0] in areas}

    assert explained == _rules_of_cards() | {"limits/violations"}


def test_each_keyword_by_which_a_schema_refuses_is_explained() -> None:
    keywords = {rule for case in cases() for _, rule in case.violations if rule.startswith("schema/")}

    assert keywords == {rule for rule in EXPLANATIONS if rule.startswith("schema/")}


def test_each_rule_about_reading_that_the_source_names_is_explained() -> None:
    sources = (ROOT / "src" / "cardwright").rglob("*.py")
    named = {
        rule
        for source in sources
        for rule in re.findall(r'"(decode/[a-z][a-z-]*)"', source.read_text(encoding="utf-8"))
    }

    assert named == {rule for rule in EXPLANATIONS if rule.startswith("decode/")}


def test_each_rule_about_connections_that_the_source_names_is_explained() -> None:
    named = {
        rule
        for source in (ROOT / "src" / "cardwright" / "guard").glob("*.py")
        for rule in re.findall(r'"(guard/[a-z-]+)"', source.read_text(encoding="utf-8"))
    }

    assert named == set(FILES["guard"]["rules"])


def test_each_rule_of_the_probe_is_explained_and_no_other() -> None:
    assert set(FILES["probe"]["rules"]) == set(PROBE_RULES)


def test_each_way_in_which_a_contract_cannot_be_used_is_explained() -> None:
    assert set(FILES["contract"]["rules"]) >= UNUSABLE


def test_a_file_holds_the_rules_of_its_area() -> None:
    for area, explained in FILES.items():
        assert set(explained) == {"title", "rules"}, area
        assert {rule.partition("/")[0] for rule in explained["rules"]} == {area}


def test_an_explanation_is_whole_and_in_plain_words() -> None:
    assert [fault for rule in sorted(EXPLANATIONS) for fault in _text_faults(rule)] == []


def _text_faults(rule: str) -> Iterator[str]:
    entry = EXPLANATIONS[rule]
    example = entry["example"]
    own = (
        set()
        if rule in _rules_of_cards()
        else {"check", "spec"}
        if rule in PROBE_RULES
        else {"severity", "spec"}
    )
    if set(entry) != {"title", "why", "how", "example", *own}:
        yield f"{rule} has the fields {', '.join(entry)}"
    if entry.get("severity", "error") not in ("error", "warning"):
        yield f"{rule}: severity {entry['severity']}"
    if entry["title"].endswith("."):
        yield f"{rule}: the title ends with a full stop"
    for text in (entry["why"], entry["how"]):
        if not text.endswith(".") or text.count("`") % 2:
            yield f"{rule}: no full stop, or an open code span: {text}"
    for text in (entry["title"], entry["why"], entry["how"], entry.get("spec", "")):
        if AVOIDED.search(re.sub("`[^`]*`", "", text)):
            yield f"{rule}: a word that the glossary replaces: {text}"
    if not set(example) <= ({"dialect", "at", "fails", "passes"} if "at" in example else {"fails", "passes"}):
        yield f"{rule}: the example has the fields {', '.join(example)}"
    if "at" in example and example["dialect"] not in BASES:
        yield f"{rule}: no base card of {example['dialect']}"
