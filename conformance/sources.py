"""The cases of the conformance kit, made of the data of the tests: ids, requirements, specification sections, levels."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cardwright.card import Card, Document
from cardwright.signing import canonical_form
from cardwright_rules import ROWS
from conformance.schema_cases import schema_cases
from tests.conformance.case_files import bytes_of
from tests.difference.patched_pairs import Pairing, dialect_pairings, pairings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT: Final = Path(__file__).parents[1]
CASES: Final = ROOT / "tests" / "conformance"
REQUIREMENTS: Final = ROOT / "tests" / "requirements"
MUST: Final = "MUST"
SHOULD: Final = "SHOULD"
PROJECT_DECISION: Final = "project decision"
UNKNOWN: Final = "dialect/unknown"
# The tests of each kind of case in the list of requirements.
_MALFORMED: Final = "tests/conformance/test_malformed.py"
_SIGNATURE_TEST: Final = "tests/conformance/test_signing.py::test_a_signature_gets_the_result_of_its_vector"
_FORM: Final = "tests/conformance/test_signing.py::test_a_document_has_the_canonical_bytes_of_its_vector"
_SIGNED: Final = (
    "tests/conformance/test_signing.py::test_a_deterministic_signature_is_reproduced_byte_for_byte"
)
_PAIR: Final = "tests/difference/test_pairs.py::test_a_pair_requires_the_bump_of_its_reasons"
# The algorithm of each test key that signs the cards of `sign`.
_ALGORITHMS: Final = {"es256": "ES256", "es384": "ES384", "eddsa": "EdDSA", "rsa": "RS256"}
_PUBLIC: Final = ("kty", "crv", "kid", "x", "y", "n", "e")
_TEXT_RULES: Final = ("text/", "secrets/")


@dataclass(frozen=True, slots=True)
class Requirement:
    """A requirement of `tests/requirements`."""

    id: str
    source: str
    rules: frozenset[str]
    tests: frozenset[str]


def all_cases() -> dict[str, list[dict[str, Any]]]:
    """Return the cases of the kit by the path of their file below `cases/`.

    Raises:
        ValueError: If two cases have one id, or a case has no requirement or section.
    """
    files: dict[str, list[dict[str, Any]]] = {}
    known: set[str] = set()
    for path, case in (
        *_validated(),
        *_of_schemas(),
        *_gaps(),
        *_decoded(),
        *_signing(),
        *_differences(),
        *_own(),
    ):
        if case["id"] in known:
            # Descriptions that differ in capitals or signs alone.
            case["id"] += f"-{hashlib.sha256(case['description'].encode()).hexdigest()[:4]}"
        if case["id"] in known or not case["requirements"] or not case["spec"]:
            raise ValueError(f"{case['id']}: the id is used twice, or there is no requirement or section")
        known.add(case["id"])
        files.setdefault(path, []).append(case)
    return dict(sorted(files.items()))


def _case(
    folder: str,
    description: str,
    *,
    requirements: Iterable[Requirement],
    spec: Iterable[str],
    given: dict[str, Any],
    expect: dict[str, Any],
    level: str = MUST,
    name: str = "",
) -> tuple[str, dict[str, Any]]:
    operation = folder.partition("/")[0]
    found = sorted(requirements, key=lambda one: one.id)
    sections = sorted({_section(one) for one in set(spec) or {one.source for one in found}})
    return folder, {
        "id": f"{folder}/{name or _slug(description)}",
        "operation": operation,
        "description": description,
        "requirements": [one.id for one in found],
        "spec": sections,
        "level": PROJECT_DECISION if sections and all(map(_is_project_decision, sections)) else level,
        "input": given,
        "expect": expect,
    }


def _validated() -> Iterator[tuple[str, dict[str, Any]]]:
    for file in sorted((CASES / "cases").rglob("*.json")):
        path = file.relative_to(ROOT).as_posix()
        document = json.loads(file.read_text(encoding="utf-8"))
        dialect, name = document["dialect"], file.relative_to(CASES / "cases").with_suffix("").as_posix()
        for test in document["tests"]:
            given = {"document": test["card"]} | ({"foundAt": test["foundAt"]} if "foundAt" in test else {})
            if dialect is None or file.stem == "detection":
                expected = {"dialect": dialect}
                yield _case(
                    f"detect/{name}",
                    test["description"],
                    requirements=_held(path, ()),
                    spec=["project decision: detection"],
                    given=given,
                    expect=expected,
                )
            if dialect is None:
                continue
            rules = {violation["rule"] for violation in test["violations"]}
            errors = {rule for rule in rules if _severity(dialect, rule) == "error"}
            near = set(test.get("near", ()))
            deciding = errors or rules or near
            sections = _sections(dialect, test, deciding)
            given = {"dialect": dialect, **given}
            if any(rule.startswith(_TEXT_RULES) for rule in rules | near):
                given["rules"] = ["text"]
            yield _case(
                f"validate/{name}",
                test["description"],
                requirements=_held(path, deciding, sections),
                spec=sections,
                given=given,
                expect={"valid": test["valid"], "violations": test["violations"]},
                level=_level(dialect, rules, errors, sections),
            )


def _of_schemas() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what follows from each schema, with the requirements of the dialect's cases about its shape."""
    for dialect in ROWS:
        folder = f"tests/conformance/cases/{dialect}"
        path = f"{folder}/schema.json" if (ROOT / folder / "schema.json").exists() else f"{folder}/rules.json"
        for case in schema_cases(dialect, ROOT / "schemas"):
            rules = {case.violation[1]} if case.violation else set()
            sections = set(case.spec.split("; "))
            found = [{"pointer": case.violation[0], "rule": case.violation[1]}] if case.violation else []
            yield _case(
                f"validate/{dialect}/of-the-schema",
                case.description,
                requirements=_held(path, rules, sections),
                spec=[case.spec],
                given={"dialect": dialect, "document": case.document},
                expect={"valid": not found} | ({"includes": found} if found else {}),
                level=_level(dialect, rules, rules, sections),
            )


def _level(dialect: str, rules: set[str], errors: set[str], sections: set[str]) -> str:
    """Return the level of a result; what an extension or a neighbour of A2A requires is no duty of a reader of A2A."""
    if dialect.startswith("a2a") and sections and not any(one.startswith(("A2A", "RFC")) for one in sections):
        return PROJECT_DECISION
    # To find a secret in a text is what a careful reader does.
    found = errors or rules
    is_advice = bool(rules) and (not errors or all(rule.startswith("secrets/") for rule in found))
    return SHOULD if is_advice else MUST


def _sections(dialect: str, test: dict[str, Any], rules: set[str]) -> set[str]:
    """Return the sections of the rules that decide a case; a violation of a schema names that of its field."""
    found = {_spec(dialect, rule) for rule in rules if not rule.startswith("schema/")}
    if any(rule.startswith("schema/") for rule in rules):
        card = Document.from_document(test["card"], dialect=dialect)
        found |= {one.spec for one in card.violations if one.rule in rules}
    return found


def _gaps() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a case for each requirement that this project does not check: its expected failures."""
    for gap in json.loads((REQUIREMENTS / "gaps.json").read_text(encoding="utf-8")):
        requirement = Requirement(gap["id"], gap["source"], frozenset(), frozenset())
        common: dict[str, Any] = {"requirements": [requirement], "spec": [gap["source"]], "name": gap["id"]}
        if "text" in gap:
            given = {"base64": base64.b64encode(gap["text"].encode()).decode()}
            yield _case("decode/gaps", gap["sentence"], given=given, expect={"accepted": False}, **common)
        elif "pointer" in gap:
            yield _case(
                "validate/gaps",
                gap["sentence"],
                given={"dialect": gap["dialect"], "document": gap["card"]},
                expect={"valid": True, "violations": [{"pointer": gap["pointer"]}]},
                level=SHOULD,
                **common,
            )


def _decoded() -> Iterator[tuple[str, dict[str, Any]]]:
    for file in sorted((CASES / "malformed").glob("*.json")):
        for entry in json.loads(file.read_text(encoding="utf-8")):
            rule = entry["rule"]
            expect: dict[str, Any] = {"accepted": rule is None}
            if rule is not None:
                expect |= {name: entry[name] for name in ("rule", "pointer") if entry.get(name) is not None}
            requirements = [
                one
                for one in _requirements()
                if any(test.startswith(_MALFORMED) for test in one.tests)
                and (rule in one.rules if rule else one.id == "RFC8259-2-1")
            ]
            yield _case(
                f"decode/{file.stem}",
                entry["description"],
                requirements=requirements,
                spec=(),
                given={"base64": base64.b64encode(bytes_of(entry)).decode()},
                expect=expect,
            )


def _signing() -> Iterator[tuple[str, dict[str, Any]]]:
    signed: set[str] = set()
    for file in sorted((CASES / "signing").glob("*.json")):
        for vector in json.loads(file.read_text(encoding="utf-8")).get("vectors", ()):
            source, expect = vector["source"], vector["expect"]
            common: dict[str, Any] = {"spec": [source], "name": vector["id"], "expect": expect}
            if "document" in vector:
                given = {name: vector[name] for name in ("dialect", "document", "profile")}
                requirements = _tested(_FORM, source)
                # What an SDK signs is not the specification's form.
                level = PROJECT_DECISION if vector["profile"] == "sdk" or "ours" in source else MUST
                yield _case(
                    "canonical/forms",
                    vector["sentence"],
                    requirements=requirements,
                    given=given,
                    level=level,
                    **common,
                )
                continue
            names = ("dialect", "card", "card_text", "keys", "policy")
            given = {"dialect": "a2a-1.0"} | {name: vector[name] for name in names if name in vector}
            yield _case(
                f"verify/{file.stem}",
                vector["sentence"],
                requirements=_tested(_SIGNATURE_TEST, source),
                given=given,
                level=PROJECT_DECISION if "ours" in source or not _is_of_spec(expect) else MUST,
                **common,
            )
            if any(result.get("profile") == "spec" for result in expect.get("signatures", ())):
                yield from _to_sign(vector, signed)


def _is_of_spec(expect: dict[str, Any]) -> bool:
    """Return whether a card verifies by its specification, or not at all: the other profiles are of this project."""
    profiles = {result["profile"] for result in expect.get("signatures", ()) if result["verified"]}
    return not profiles or "spec" in profiles


def _to_sign(vector: dict[str, Any], signed: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield cases that sign the card of a signature that is valid for its bytes, each card once and in all algorithms."""
    plain = {name: value for name, value in vector["card"].items() if name != "signatures"}
    card = Card.from_document(plain)
    text = json.dumps(plain, sort_keys=True)
    if text in signed or not card.valid or str(card.dialect) != "a2a-1.0":
        return
    signed.add(text)
    keys = json.loads((CASES / "signing" / "keys.json").read_text(encoding="utf-8"))["keys"]
    for key in keys:
        alg = _ALGORITHMS.get(key["kid"])
        if alg is None:
            continue
        yield _case(
            "sign/cards",
            vector["sentence"],
            requirements=_tested(_SIGNED, ""),
            spec=["A2A 1.0 §8.4.1", "A2A 1.0 §8.4.2"],
            given={"dialect": "a2a-1.0", "document": plain, "key": key, "kid": key["kid"], "alg": alg},
            expect={
                "payload": canonical_form(card, profile="spec").decode(),
                "alg": alg,
                "kid": key["kid"],
                "key": {name: value for name, value in key.items() if name in _PUBLIC},
            },
            name=f"{vector['id'].removeprefix('accept-')}-by-{key['kid']}",
        )


def _differences() -> Iterator[tuple[str, dict[str, Any]]]:
    rows: list[tuple[str, Pairing]] = [("a2a-1.0", pair) for pair in pairings()]
    rows += [("dialects", pair) for pair in dialect_pairings()]
    for name, pair in rows:
        expect: dict[str, Any] = {"bump": pair.bump} | (
            {"kinds": pair.kinds} if pair.kinds is not None else {}
        )
        yield _case(
            f"diff/{name}",
            pair.name,
            requirements=_tested(_PAIR, ""),
            spec=["project decision; Beach Agent Card, Versioning"],
            given={"before": pair.old, "after": pair.new},
            expect=expect,
        )


def _own() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the cases of `convert` and `serve`, which are written as the kit has them."""
    for operation in ("convert", "serve"):
        for file in sorted((CASES / operation).glob("*.json")):
            document = json.loads(file.read_text(encoding="utf-8"))
            cards = document.get("cards", {})
            for case in document["cases"]:
                given = dict(case["input"])
                if "card" in given:
                    given["document"] = cards[given.pop("card")]
                yield _case(
                    f"{operation}/{file.stem}",
                    case["description"],
                    requirements=[_named(identifier) for identifier in case["requirements"]],
                    spec=case["spec"],
                    given=given,
                    expect=case["expect"],
                    level=case["level"],
                )


@cache
def _requirements() -> tuple[Requirement, ...]:
    rows = json.loads((REQUIREMENTS / "requirements.json").read_text(encoding="utf-8"))
    return tuple(
        Requirement(row["id"], row["source"], frozenset(row["rules"]), frozenset(row["tests"]))
        for row in rows
    )


def _named(identifier: str) -> Requirement:
    return next(one for one in _requirements() if one.id == identifier)


def _tested(test: str, source: str) -> list[Requirement]:
    """Return the requirements that a test holds; of several, those with a section that a source names."""
    found = [one for one in _requirements() if test in one.tests]
    sections = source.split("; ")
    documents = {section.partition(" §")[0] for section in sections}
    return (
        [one for one in found if set(sections) & set(one.source.split("; "))]
        or [one for one in found if any(one.source.startswith(document) for document in documents)]
        or found
    )


def _held(path: str, rules: Iterable[str], sections: Iterable[str] = ()) -> list[Requirement]:
    """Return the requirements of a case file for some rules; of several, those with one of the sections.

    A hybrid card also breaks rules of other dialects' files. A case without a rule holds the requirements that name none.
    """
    rules = set(rules)
    named = {rule for rule in rules if not rule.startswith("schema/")}
    here = [one for one in _requirements() if path in one.tests]
    found = (
        [one for one in here if one.rules & rules]
        or [one for one in _requirements() if one.rules & named]
        or [one for one in here if not one.rules]
        or [one for one in here if any(rule.startswith("schema/") for rule in one.rules)]
        or here
    )
    return [one for one in found if set(sections) & set(one.source.split("; "))] or found


@cache
def _rules(dialect: str) -> dict[str, Any]:
    return dict(import_module(f"{ROWS[dialect].package}.validators").RULES)


def _rule(dialect: str, rule: str) -> Any:
    """Return a rule of a dialect; a hybrid card also breaks rules of the older version that it contains."""
    return next(rules[rule] for rules in map(_rules, (dialect, *ROWS)) if rule in rules)


def _severity(dialect: str, rule: str) -> str:
    return "error" if rule.startswith("schema/") else str(_rule(dialect, rule).severity)


def _spec(dialect: str, rule: str) -> str:
    return str(_rule(dialect, rule).spec)


def _is_project_decision(section: str) -> bool:
    return section.startswith(PROJECT_DECISION)


def _section(source: str) -> str:
    """Return a source in the words of the kit.

    >>> _section("ours; A2A 1.0 §8.4.3")
    'project decision; A2A 1.0 §8.4.3'
    """
    return re.sub(r"\bours\b", PROJECT_DECISION, source)


def _slug(text: str) -> str:
    """Return a description as a part of an id.

    >>> _slug("A card without `url` (0.3), §5.5")
    'a-card-without-url-0-3-5-5'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
