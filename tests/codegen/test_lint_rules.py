"""Every lint rule has a tree that breaks it, and is reported with its file and pointer; all at once."""

import copy
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main, pin
from codegen.lint import problems_of
from codegen.render import rules_of
from codegen.sources import read_available
from codegen.structural import KINDS, calls

Json = Any
Edit = Callable[[Path, str, Callable[[Json], object]], None]
Find = Callable[[Path], dict[tuple[str, str], str]]

CARD = "toy/7.1/toy-card.schema.json"
MAKER = "toy/7.1/maker.schema.json"
MANIFEST = "toy/7.1/dialect.json"
RULES = "toy/7.1/toy.rules.json"
TEXTS = "toy/7.1/toy-text.rules.json"
MATERIALS = "vocabulary/materials.json"
EXPLANATIONS = "explanations/toy.json"
# These exist only in the project's own tree.
HYBRID = "a2a/hybrid/dialect.json"
COMMON = "rules/a2a-common.rules.json"
PARTS = "vocabulary/part-types.json"
TRANSPORTS = "vocabulary/transports.json"
OPERATIONS = "a2a/operations.json"
PINS = "PINNED.json"
DESCRIBED = {"description": "Something.", "x-spec": "ours"}


@dataclass(frozen=True)
class Case:
    """One fault: the file it is put into, how, and where it is to be found, with words of the message."""

    claim: str
    file: str
    change: Callable[[Json], object]
    pointer: str
    says: str
    # The file of the problem, if it is not the changed one.
    problem_file: str | None = None
    pinned: bool = True


def put(*path_and_value: Any) -> Callable[[Json], object]:
    """Return a change that sets the value at a path of steps."""
    *steps, name, value = path_and_value

    def change(document: Json) -> None:
        for step in steps:
            document = document[step]
        document[name] = copy.deepcopy(value)

    return change


def drop(*path: Any) -> Callable[[Json], object]:
    """Return a change that removes the field at a path of steps."""
    *steps, name = path

    def change(document: Json) -> None:
        for step in steps:
            document = document[step]
        del document[name]

    return change


def add(*path_and_value: Any) -> Callable[[Json], object]:
    """Return a change that puts a value at the end of the array at a path of steps."""
    *steps, value = path_and_value

    def change(document: Json) -> None:
        for step in steps:
            document = document[step]
        document.append(copy.deepcopy(value))

    return change


def repeat_first_rule(document: Json) -> None:
    document["rules"].append(copy.deepcopy(document["rules"][0]))


def prop(value: Json) -> Callable[[Json], object]:
    return put("properties", "extra", DESCRIBED | value)


def rule(number: int, *path_and_value: Any) -> Callable[[Json], object]:
    return put("rules", number, *path_and_value)


def sign(condition: Json) -> Callable[[Json], object]:
    return put("detection", 0, "when", condition)


SCHEMA_CASES = [
    Case("another $schema", CARD, put("$schema", "http://json-schema.org/draft-07/schema#"), "/$schema", "2020-12"),
    Case("a wrong $id", CARD, put("$id", "https://example.com/card"), "/$id", "must be https://cardwright.dev/schemas/"),
    Case("no title", CARD, drop("title"), "/title", "the root must have a title"),
    Case("a title that is no class", CARD, put("title", "agent card"), "/title", "PascalCase"),
    Case("a numbered title", CARD, put("title", "AgentCard2"), "/title", "ends in a letter"),
    Case("no description", CARD, drop("description"), "/description", "the root must have a description"),
    Case("no x-spec", CARD, drop("x-spec"), "/x-spec", "the root must have a x-spec"),
    Case("an x-spec that is not a string", CARD, put("x-spec", 3), "/x-spec", "as text"),
    Case("no examples", CARD, drop("examples"), "/examples", "at least one example"),
    Case("an empty list of examples", CARD, put("examples", []), "/examples", "at least one example"),
    Case("a wrong example", CARD, put("examples", 0, "minimumAge", "5"), "/examples/0/minimumAge", "is not of type 'integer'"),
    Case("a wrong part of an example", CARD, put("examples", 0, "partList", 1, "partId", 1), "/examples/0/partList/1/partId", "string"),
    Case("a wrong example by another file", CARD, put("examples", 0, "toyMaker", "makerName", 1), "/examples/0/toyMaker/makerName", "string"),
    Case("a property without description", CARD, drop("properties", "toyVersion", "description"), "/properties/toyVersion", "no description"),
    Case("a property with an empty description", CARD, put("properties", "toyVersion", "description", " "), "/properties/toyVersion", "no description"),
    Case("a property without x-spec", CARD, drop("$defs", "Part", "properties", "partId", "x-spec"), "/$defs/Part/properties/partId", "no x-spec"),
    Case("a property that is a boolean", CARD, put("properties", "extra", True), "/properties/extra", "no description"),  # noqa: FBT003 - a JSON value
    Case("a definition without description", CARD, drop("$defs", "Part", "description"), "/$defs/Part", "no description"),
    Case("a definition that is a boolean", CARD, put("$defs", "Anything", True), "/$defs/Anything", "no description"),  # noqa: FBT003 - a JSON value
    Case("a numbered definition", CARD, put("$defs", "Flow2", {"description": "A flow."}), "/$defs/Flow2", "ends in a letter"),
    Case("a definition in camelCase", CARD, put("$defs", "someFlow", {"description": "A flow."}), "/$defs/someFlow", "PascalCase"),
    Case("an inline object", CARD, prop({"type": "object", "properties": {}}), "/properties/extra", "named definition"),
    Case("an inline object in an array", CARD, prop({"items": {"properties": {}}}), "/properties/extra/items", "named definition"),
    Case("an inline object in a map", CARD, prop({"additionalProperties": {"properties": {}}}), "/properties/extra/additionalProperties", "named definition"),
    Case("an inline object in allOf", CARD, put("allOf", [{"properties": {}}]), "/allOf/0", "named definition"),
    Case("an anonymous union arm", CARD, prop({"anyOf": [{"$ref": "#/$defs/Part"}, {"type": "string"}]}), "/properties/extra/anyOf/1", "union arm"),
    Case("a union arm that is a boolean", CARD, prop({"oneOf": [True]}), "/properties/extra/oneOf/0", "union arm"),
    Case("a closed root", MAKER, put("additionalProperties", False), "/additionalProperties", "always allowed"),  # noqa: FBT003 - a JSON value
    Case("a closed definition", CARD, put("$defs", "Nothing", "unevaluatedProperties", False), "/$defs/Nothing/unevaluatedProperties", "always allowed"),  # noqa: FBT003 - a JSON value
    Case("a closed condition", CARD, put("then", {"additionalProperties": False}), "/then/additionalProperties", "always allowed"),
    Case("an unknown x-registry", CARD, prop({"type": "string", "x-registry": "flavours"}), "/properties/extra/x-registry", "vocabulary of the tree"),
    Case("an x-registry that is no name", CARD, prop({"type": "string", "x-registry": ["materials"]}), "/properties/extra/x-registry", "vocabulary of the tree"),
    Case("an enum beside x-registry", CARD, prop({"type": "string", "x-registry": "materials", "enum": ["a"]}), "/properties/extra/enum", "must not be an enum"),
    Case("an x-registry on a number", CARD, prop({"type": "integer", "x-registry": "materials"}), "/properties/extra/type", "must be a string"),
    Case("an unknown x-presence", CARD, put("properties", "toyVersion", "x-presence", "mandatory"), "/properties/toyVersion/x-presence", "implicit, optional, required"),
    Case("a $ref to nowhere", CARD, prop({"$ref": "#/$defs/Nowhere"}), "/properties/extra/$ref", "#/$defs/Nowhere does not resolve"),
    Case("a $ref to no file", CARD, prop({"$ref": "nowhere.schema.json"}), "/properties/extra/$ref", "nowhere.schema.json does not resolve"),
    Case("a $ref to the network", CARD, prop({"$ref": "https://json-schema.org/draft/2020-12/schema"}), "/properties/extra/$ref", "does not resolve"),
    Case("a $ref in a condition", CARD, put("if", {"$ref": "#/$defs/Nowhere"}), "/if/$ref", "does not resolve"),
    Case("a $ref to itself", CARD, put("$defs", "Ring", {"description": "A ring.", "$ref": "#/$defs/Ring"}), "/$defs/Ring/$ref", "refers to itself"),
    Case("a schema with itself in allOf", CARD, put("$defs", "Part", {"description": "A part.", "allOf": [{"$ref": "#/$defs/Part"}]}), "/examples/0", "refers to itself"),
    Case("a bad pattern", CARD, prop({"type": "string", "pattern": "("}), "/properties/extra/pattern", "is not a valid pattern"),
    Case("a pattern of one engine only", CARD, prop({"type": "string", "pattern": "(?<=a)b"}), "/properties/extra/pattern", "both Python and jsonschema-rs"),
    Case("a bad pattern for names", CARD, prop({"patternProperties": {"a/(": {}}}), "/properties/extra/patternProperties/a~1(", "is not a valid pattern"),
    Case("no JSON Schema", CARD, put("properties", "toyVersion", "type", "text"), "/properties/toyVersion/type", "is not valid under any"),
    Case("properties in an array", CARD, put("$defs", "Part", "properties", []), "/$defs/Part/properties", "is not of type 'object'"),
]  # fmt: skip

PIN_CASES = [
    Case("a stale hash", CARD, put("$comment", "new"), "/files/toy~17.1~1toy-card.schema.json/sha256", "does not match the file", PINS, pinned=False),
    Case("an unpinned file", PINS, drop("files", CARD), "/files/toy~17.1~1toy-card.schema.json", "has no entry", pinned=False),
    Case("a pin without a file", PINS, put("files", "gone.schema.json", {"version": "1", "origin": "cardwright", "sha256": "0" * 64}), "/files/gone.schema.json", "does not exist"),
    Case("a pin without an origin", PINS, drop("files", CARD, "origin"), "/files/toy~17.1~1toy-card.schema.json/origin", "missing"),
    Case("an origin that is unknown", PINS, put("files", CARD, "origin", "found"), "/files/toy~17.1~1toy-card.schema.json/origin", "is not one of"),
]  # fmt: skip

MANIFEST_CASES = [
    *[Case(f"no {name}", MANIFEST, drop(name), f"/{name}", "missing") for name in ("name", "family", "version", "title", "package")],
    Case("an unknown field", MANIFEST, put("rule", []), "/rule", "unknown field rule"),
    Case("a package that is no name", MANIFEST, put("package", "a2a-v1"), "/package", "snake_case"),
    Case("a package of Python's", MANIFEST, put("package", "import"), "/package", "Python keyword"),
    Case("a package of the project", MANIFEST, put("package", "detection"), "/package", "a module of the package"),
    Case("a title that would end a docstring", MANIFEST, put("title", 'A """ card'), "/title", "one line"),
    Case("a schema that is not there", MANIFEST, put("schema", "card.schema.json"), "/schema", "there is no toy/7.1/card.schema.json"),
    Case("neither schema nor halves", MANIFEST, drop("schema"), "/schema", "a schema, or halves"),
    Case("a half that is not there", HYBRID, add("halves", "a2a-2.0"), "/halves/2", "no other dialect a2a-2.0"),
    Case("a half that is itself", HYBRID, add("halves", "a2a-hybrid"), "/halves/2", "no other dialect"),
    Case("rules that are not there", MANIFEST, add("rules", "../gone.rules.json"), "/rules/2", "there is no toy/gone.rules.json"),
    Case("a further schema that is not there", MANIFEST, put("also", ["x.schema.json"]), "/also/0", "there is no"),
    Case("a silence about no rule", HYBRID, put("silences", 0, "members/nothing"), "/silences/0", "have a rule members/nothing"),
    Case("an order that is not a number", MANIFEST, put("detection", 0, "order", "first"), "/detection/0/order", "is not of type 'integer'"),
    Case("a sign without evidence", MANIFEST, drop("detection", 0, "evidence"), "/detection/0/evidence", "missing"),
    Case("signs that the evidence does not name", MANIFEST, put("detection", 0, "evidence", "toyMaker"), "/detection/0/evidence", "{found}"),
    Case("a sign that is no field", MANIFEST, put("detection", 0, "signs", ["a/b/c"]), "/detection/0/signs/0", "outer/inner"),
    Case("a sign without a name", MANIFEST, put("detection", 0, "signs", [{"when": {"has": "name"}}]), "/detection/0/signs/0", "name and when"),
    Case("an unknown dialect left open", MANIFEST, put("detection", 0, "leavesOpen", ["a2a-9.9"]), "/detection/0/leavesOpen/0", "no other dialect a2a-9.9"),
    Case("an unknown condition", MANIFEST, sign({"all": [{"has": "name"}, {"hash": "name"}]}), "/detection/0/when/all/1/hash", "unknown condition hash"),
    Case("a condition of two fields", MANIFEST, sign({"has": "name", "lacks": "url"}), "/detection/0/when", "exactly one field"),
    Case("an empty list of conditions", MANIFEST, sign({"any": []}), "/detection/0/when/any", "array of conditions"),
    Case("a condition about a number", MANIFEST, sign({"not": {"has": 5}}), "/detection/0/when/not/has", "must be a string"),
    Case("a condition with too few operands", MANIFEST, sign({"is": ["name"]}), "/detection/0/when/is", "path, type"),
    Case("a condition with an unknown type", MANIFEST, sign({"is": ["name", "text"]}), "/detection/0/when/is/1", "one of array"),
    Case("a condition too deep", MANIFEST, sign({"has": "a/b/c"}), "/detection/0/when/has", "outer/inner"),
    Case("a condition with a bad pattern", MANIFEST, sign({"matches": ["name", "("]}), "/detection/0/when/matches/1", "regular expression"),
]  # fmt: skip

RULE_CASES = [
    *[Case(f"a rule without {name}", RULES, drop("rules", 0, name), f"/rules/0/{name}", "missing") for name in ("id", "severity", "spec", "at", "message")],
    Case("a rule without kind", RULES, drop("rules", 0, "kind"), "/rules/0/kind", "missing; must be one of"),
    Case("no list of rules", RULES, drop("rules"), "/rules", "missing"),
    Case("an unknown phase", RULES, put("phase", "later"), "/phase", "is not one of"),
    Case("an unknown field of a rule", RULES, rule(0, "mesage", "x"), "/rules/0/mesage", "unknown field mesage"),
    Case("an id in another form", RULES, rule(0, "id", "Toy.VersionForm"), "/rules/0/id", "area/name"),
    Case("an id twice in a file", RULES, repeat_first_rule, "/rules/4/id", "duplicate id in this file"),
    Case("an unknown severity", RULES, rule(0, "severity", "fatal"), "/rules/0/severity", "is not one of"),
    Case("an unknown kind", RULES, rule(0, "kind", "regex"), "/rules/0/kind", "declared"),
    Case("a place that is no pointer", RULES, rule(0, "at", 0, "toyVersion"), "/rules/0/at/0", "JSON Pointer"),
    Case("every value below, in the middle", RULES, rule(0, "at", 0, "/**/id"), "/rules/0/at/0", "only allowed at the end"),
    Case("an exception to a few places", RULES, rule(0, "except", ["/name"]), "/rules/0/except", "only allowed in a rule whose `at`"),
    Case("every value below, for a check of the project", RULES, rule(2, "at", 0, "/**"), "/rules/2/at/0", "any pointer without **"),
    Case("a place too deep for its kind", RULES, rule(1, "at", 0, "/partList/*/fits/*"), "/rules/1/at/0", "/a, /a/b or /a/*/b"),
    Case("a place that starts anywhere", RULES, rule(1, "at", 0, "/*/partList"), "/rules/1/at/0", "/a, /a/b or /a/*/b"),
    Case("unique by a string", RULES, rule(1, "by", "id"), "/rules/1/by", "is not of type 'array'"),
    Case("unique by nothing", RULES, drop("rules", 1, "by"), "/rules/1/by", "of kind unique requires by"),
    Case("declared in nothing", RULES, put("rules", 2, {"id": "toy/declared", "severity": "error", "spec": "ours", "kind": "declared", "at": ["/x"], "message": "m"}), "/rules/2/in", "of kind declared requires in"),
    Case("a schema rule without schema", RULES, drop("rules", 0, "schema"), "/rules/0/schema", "of kind schema requires schema"),
    Case("a rule with a bad pattern", RULES, rule(0, "schema", {"pattern": "["}), "/rules/0/schema/pattern", 'is not a "regex"'),
    Case("a rule with a pattern that could be slow", RULES, rule(0, "schema", {"pattern": "(a)\\1"}), "/rules/0/schema/pattern", 'is not a "regex"'),
    Case("a rule with a bad schema", RULES, rule(0, "schema", {"maxItems": "many"}), "/rules/0/schema/maxItems", "integer"),
    Case("a rule with a $ref", RULES, rule(0, "schema", {"$ref": "https://example.com/"}), "/rules/0/schema", "cannot fetch"),
    Case("a rule that uses no schema file", RULES, rule(0, "schema", {"allOf": [{"x-use": "a/b.schema.json"}]}), "/rules/0/schema/allOf/0/x-use", "no schema a/b.schema.json"),
    Case("a message with an unknown word", RULES, rule(0, "message", "{value} is not {expected}"), "/rules/0/message", "unknown placeholder {expected}; use value, fault"),
    Case("a message with a lone brace", RULES, rule(0, "message", "write {"), "/rules/0/message", "write {{ and }}"),
    Case("an unknown vocabulary", RULES, rule(2, "vocabulary", "flavours"), "/rules/2/vocabulary", "no vocabulary flavours"),
    Case("a section for none of its dialects", RULES, rule(0, "spec", {"toy-7.0": "§1"}), "/rules/0/spec/toy-7.1", "no section for toy-7.1"),
    Case("a presence anywhere", RULES, rule(3, "at", 0, "/partList/*/batteries"), "/rules/3/at/0", "accepts one field"),
    Case("a presence of the whole", RULES, rule(3, "at", 0, ""), "/rules/3/at/0", "accepts one field"),
    Case("signs outside the phase text", RULES, put("rules", 3, {"id": "toy/spelling", "severity": "warning", "spec": "ours", "kind": "signs", "at": ["/name"], "least": 1, "signs": {"a": ["b"]}, "message": "m"}), "/rules/3/kind", "need each other"),
    Case("a choice among missing items", RULES, rule(2, "where", {"uri": "u"}), "/rules/2/at/0", "selects items"),
    Case("a choice by a kind that makes none", RULES, rule(1, "where", {"uri": "u"}), "/rules/1/where", "only allowed in a rule of kind registered"),
    Case("a text rule with an anchor", TEXTS, rule(0, "schema", {"not": {"type": "string", "pattern": "a$"}}), "/rules/0/schema", "must have the form"),
    Case("a text rule that says more", TEXTS, rule(0, "schema", {"minLength": 3}), "/rules/0/schema", "must have the form"),
    Case("a text rule of booleans", TEXTS, rule(0, "schema", {"not": {"type": "string", "anyOf": [True]}}), "/rules/0/schema", "must have the form"),
    Case("half a filter of texts", TEXTS, drop("escapes"), "/escapes", "need each other"),
    Case("the other half", TEXTS, drop("beyond"), "/beyond", "need each other"),
    Case("a filter that is no pattern", TEXTS, put("beyond", "["), "/beyond", 'is not a "regex"'),
    Case("a fix that replaces by nothing", RULES, drop("rules", 0, "fix", "table"), "/rules/0/fix/table", "missing"),
    Case("an unknown way to fix", RULES, rule(0, "fix", "op", "copy"), "/rules/0/fix/op", "is not one of"),
    Case("fixes that move nothing", RULES, rule(0, "fix", {"safe": True, "description": "d", "op": "move"}), "/rules/0/fix", "is not valid"),
    Case("a fix that adds nothing", RULES, rule(0, "fix", {"safe": True, "description": "d", "op": "add"}), "/rules/0/fix/from", "missing"),
    Case("a fix with an unknown function", RULES, rule(0, "fix", {"safe": True, "description": "d", "op": "replace", "make": "gold"}), "/rules/0/fix/make", "must be one of"),
    Case("a fix beside a rule that fixes another", RULES, rule(0, "fix", "of", "toy/unique-part"), "/rules/0/fix/of", "always fixes that rule"),
    Case("several fixes beside a rule, one wrong", RULES, rule(0, "fix", [{"safe": True, "description": "d", "op": "remove"}, {"safe": True, "description": "d", "op": "rewrite", "make": "gold"}]), "/rules/0/fix/1/make", "must be one of"),
    Case("a fix of an unknown rule", RULES, put("fixes", [{"of": "toy/unknown", "at": ["/toyVersion"], "safe": True, "description": "d", "op": "remove"}]), "/fixes/0/of", "there is no rule toy/unknown"),
    Case("a fix of nothing in particular", RULES, put("fixes", [{"of": "schema/type", "safe": True, "description": "d", "op": "remove"}]), "/fixes/0/at", "missing"),
    Case("a fix that writes to more items than it fixes", RULES, put("fixes", [{"of": "schema/type", "at": ["/partList/*"], "safe": True, "description": "d", "op": "remove", "path": "/partList/*/fits/*"}]), "/fixes/0/path", "more * than"),
    Case("a fix that reads more items than it fixes", RULES, put("fixes", [{"of": "schema/type", "at": ["/partList"], "safe": True, "description": "d", "op": "move", "from": ["/partList/*"]}]), "/fixes/0/from/0", "more * than"),
]  # fmt: skip

OPERATION_CASES = [
    Case(
        "an operation without a spec",
        OPERATIONS,
        drop("operations", 0, "versions", "1.0", "spec"),
        "/operations/0/versions/1.0/spec",
        "missing",
    ),
    Case(
        "an unknown HTTP verb",
        OPERATIONS,
        put("operations", 0, "versions", "1.0", "http", "verbs", ["FETCH"]),
        "/operations/0/versions/1.0/http/verbs/0",
        "FETCH",
    ),
]
VOCABULARY_CASES = [
    Case("a vocabulary without entries", MATERIALS, put("entries", []), "/entries", "non-empty"),
    Case("a vocabulary of another name", MATERIALS, put("name", "stuff"), "/name", "must match the file name"),
    Case("a vocabulary of two lines", MATERIALS, put("title", "a\nb"), "/title", "one line"),
    Case("an entry without a name", MATERIALS, drop("entries", 0, "name"), "/entries/0/name", "missing"),
    Case("a rule without an explanation", EXPLANATIONS, drop("rules", "toy/skull"), "/rules/0/id", "toy/skull has no explanation", problem_file=TEXTS),
    Case("an explanation of another area", EXPLANATIONS, put("rules", "url/https", {"title": "t", "why": "w", "how": "h", "example": {"fails": "a", "passes": "b"}}), "/rules/url~1https", "explains the rules of the area toy"),
    Case("an example of a dialect without a card", EXPLANATIONS, put("rules", "toy/skull", "example", {"dialect": "toy-7.1", "at": "/name"}), "/rules/toy~1skull/example/dialect", "has no card of toy-7.1"),
    Case("an explanation without a reason", EXPLANATIONS, drop("rules", "toy/skull", "why"), "/rules/toy~1skull/why", "missing"),
    Case("an entry twice", MATERIALS, put("entries", 1, "name", "wood"), "/entries/1/name", "duplicate entry"),
    Case("a part type without delivery rules", PARTS, drop("entries", 0, "deliveryRules"), "/entries/0/deliveryRules", "missing"),
    Case("an entry against the vocabularies' schema", TRANSPORTS, drop("entries", 0, "spec"), "/entries/0", "'spec' is a required property"),
]  # fmt: skip

CASES = [*SCHEMA_CASES, *PIN_CASES, *MANIFEST_CASES, *RULE_CASES, *OPERATION_CASES, *VOCABULARY_CASES]


@pytest.fixture
def spoilt(toy: Path, schemas: Path, edit: Edit) -> Callable[..., Path]:
    """Return a function that puts faults into the toy's tree, or into the project's where they need it."""

    def spoilt(*cases: Case) -> Path:
        root = toy if all((toy / case.file).is_file() for case in cases) else schemas
        for case in cases:
            edit(root, case.file, case.change)
        if all(case.pinned for case in cases):
            pin(root)
        return root

    return spoilt


def test_the_projects_own_tree_breaks_no_rule(found: Find, schemas: Path) -> None:
    assert found(schemas) == {}


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.claim).replace(" ", "-"))
def test_a_broken_rule_is_reported_at_its_place(case: Case, spoilt: Callable[..., Path], found: Find) -> None:
    problems = found(spoilt(case))

    place = (case.problem_file or case.file, case.pointer)
    assert place in problems, problems
    assert case.says in problems[place]
    assert list(problems) == [place]


# Files that cannot be read


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("{", "not JSON: Expecting"),
        ('{"name": "a", "name": "b"}', "duplicate field 'name'"),
        ('{"a": {"b": 1, "b": 1}}', "duplicate field 'b'"),
        ('{"order": NaN}', "NaN is not a JSON number"),
        ("[" * 100_000, "not JSON"),
        ("\xff", "not JSON"),
        ("[]", "must be a JSON object"),
        ("null", "must be a JSON object"),
    ],
)
@pytest.mark.parametrize("file", [CARD, MANIFEST, RULES, MATERIALS, PINS])
def test_a_file_that_cannot_be_read_is_reported_alone(
    toy: Path, found: Find, file: str, body: str, says: str
) -> None:
    (toy / file).write_bytes(body.encode("latin-1"))

    problems = found(toy)

    assert says in problems[file, ""]
    assert list(problems) == [(file, "")]


def test_a_folder_without_a_dialect_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "generated").mkdir()
    (tmp_path / "generated" / "precious.py").write_text("")

    assert main(["--root", str(tmp_path)]) == 1

    assert "there is no dialect.json" in capsys.readouterr().err
    assert (tmp_path / "generated" / "precious.py").exists()


@pytest.mark.parametrize("body", ["{", "[]", "{}", '{"files": []}'])
def test_pins_that_cannot_be_read_are_not_overwritten(
    schemas: Path, body: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (schemas / PINS).write_text(body)

    assert main(["--root", str(schemas.parent), "--pin"]) == 1

    assert "PINNED.json#" in capsys.readouterr().err
    assert (schemas / PINS).read_text() == body


# Problems between files


def test_a_rule_in_two_files_of_one_dialect_is_reported(schemas: Path, edit: Edit, found: Find) -> None:
    edit(schemas, "rules/a2a-1.0.rules.json", lambda d: d["rules"][0].update(id="skills/unique-id"))

    named = [message for (file, _), message in found(schemas).items() if file == "a2a/1.0/dialect.json"]

    assert "both define skills/unique-id" in " ".join(named)


@pytest.mark.parametrize("field", ["name", "package"])
def test_two_dialects_with_one_name_are_both_reported(
    schemas: Path, edit: Edit, found: Find, field: str
) -> None:
    other_value = json.loads((schemas / "mcp/2024-11-05/dialect.json").read_text())[field]
    edit(schemas, "beach/1.0/dialect.json", put(field, other_value))

    problems = found(schemas)

    assert problems["beach/1.0/dialect.json", f"/{field}"] == "another dialect has the same"
    assert problems["mcp/2024-11-05/dialect.json", f"/{field}"] == "another dialect has the same"


def test_two_dialects_that_claim_one_file_name_are_both_reported(
    schemas: Path, edit: Edit, found: Find
) -> None:
    edit(schemas, "beach/1.0/dialect.json", put("fileMatch", ["agent-card.json"]))

    assert set(found(schemas)) == {
        ("beach/1.0/dialect.json", "/fileMatch/0"),
        ("a2a/1.0/dialect.json", "/fileMatch/0"),
    }


def test_two_detection_rules_of_one_order_are_both_reported(schemas: Path, edit: Edit, found: Find) -> None:
    other_order = json.loads((schemas / "beach/1.0/dialect.json").read_text())["detection"][0]["order"]
    edit(schemas, "mcp/2024-11-05/dialect.json", put("detection", 0, "order", other_order))

    found_there = found(schemas)

    places = {
        ("beach/1.0/dialect.json", "/detection/0/order"),
        ("mcp/2024-11-05/dialect.json", "/detection/0/order"),
    }
    assert set(found_there) == places


def test_rules_that_no_dialect_uses_are_reported(schemas: Path, found: Find) -> None:
    shutil.copy(schemas / COMMON, schemas / "rules" / "orphan.rules.json")

    assert found(schemas) == {("rules/orphan.rules.json", ""): "no dialect uses this file"}


def test_a_schema_of_the_name_of_a_bundled_form_is_reported(toy: Path, found: Find) -> None:
    body = (
        (toy / "toy/7.1/maker.schema.json")
        .read_text()
        .replace("/maker.schema.json", "/m.bundled.schema.json")
    )
    (toy / "toy/7.1/m.bundled.schema.json").write_text(body)
    pin(toy)

    assert list(found(toy)) == [("toy/7.1/m.bundled.schema.json", "")]


@pytest.mark.parametrize("pattern", ["a\\sb", "a[^b]c", "\\n", 'say "x"', "(?s)a.b", "C:\\\\"])
def test_a_pattern_for_what_json_escapes_needs_a_filter_of_its_own(
    toy: Path, edit: Edit, found: Find, pattern: str
) -> None:
    def look_for(document: Json) -> None:
        document["rules"][0]["schema"]["not"]["pattern"] = pattern
        del document["escapes"], document["beyond"]

    edit(toy, TEXTS, look_for)

    problems = found(toy)

    assert list(problems) == [(TEXTS, "/rules/0/schema")]
    assert "never matches a document's text" in problems[TEXTS, "/rules/0/schema"]


def test_a_filter_of_texts_in_another_phase_is_reported(toy: Path, edit: Edit, found: Find) -> None:
    edit(toy, RULES, lambda document: document.update(escapes="a", beyond="b"))

    assert set(found(toy)) == {(RULES, "/escapes"), (RULES, "/beyond")}


def test_two_files_that_would_share_a_filter_are_reported(toy: Path, edit: Edit, found: Find) -> None:
    other = "toy/7.1/toy-other.rules.json"
    shutil.copy(toy / TEXTS, toy / other)
    edit(toy, other, lambda document: document["rules"][0].update(id="toy/bone"))
    edit(toy, MANIFEST, add("rules", "toy-other.rules.json"))

    problems = found(toy)

    assert list(problems) == [(MANIFEST, "/rules/2")]
    assert "share the phase unicode and its only filter" in problems[MANIFEST, "/rules/2"]


# All at once


def test_faults_in_every_kind_of_file_are_all_reported_at_once(
    spoilt: Callable[..., Path], found: Find, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = {
        "a wrong $id", "a property without description", "an inline object", "a closed root", "a numbered definition",
        "an unknown condition", "an unknown kind", "unique by a string", "an unknown vocabulary", "an entry twice",
    }  # fmt: skip
    cases = [case for case in CASES if case.claim in claims]
    root = spoilt(*cases)
    assert root.parent.name == "toy"
    (root / "toy" / "broken.rules.json").write_text("{")

    problems = found(root)

    assert len(cases) == len(claims)
    assert set(problems) == {(case.file, case.pointer) for case in cases} | {("toy/broken.rules.json", "")}
    assert main(["--root", str(root.parent)]) == 1
    stderr = capsys.readouterr().err
    assert stderr.startswith(f"{len(problems)} problems in schemas/:")
    assert all(f"{file}#{pointer}: " in stderr for file, pointer in problems)


def test_a_rule_with_four_faults_has_all_four_reported(toy: Path, edit: Edit, found: Find) -> None:
    def spoil(document: Json) -> None:
        document["rules"][1] = {
            "id": "toy/unique-part",
            "severity": "loud",
            "spec": "ours",
            "kind": "unique",
            "at": ["/x/*"],
        }

    edit(toy, RULES, spoil)

    assert set(found(toy)) == {
        (RULES, f"/rules/1/{place}") for place in ("severity", "at/0", "by", "message")
    }


# Nothing in a file crashes the generator

ODD: list[Json] = [None, 3, "", "(", [], [None], {}, {"x": None}, True]


def places_of(node: Json, steps: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    pairs = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for step, value in pairs:
        yield (*steps, step)
        yield from places_of(value, (*steps, step))


@pytest.mark.parametrize(
    "file",
    [
        "toy/7.1/dialect.json",
        "toy/7.1/toy.rules.json",
        TEXTS,
        "vocabulary/materials.json",
        PINS,
        "toy/7.1/toy-card.schema.json",
    ],
)
def test_no_value_crashes_the_generator(toy: Path, file: str) -> None:
    whole = json.loads((toy / file).read_bytes())
    refused = 0
    for index, steps in enumerate(places_of(whole)):
        # Values of examples go to the validator, which accepts any.
        if "examples" in steps[:-1]:
            continue
        # A third of the odd values for each place, and another third for the next place.
        for odd in ODD[index % 3 :: 3]:
            document = copy.deepcopy(whole)
            put(*steps, odd)(document)
            (toy / file).write_text(json.dumps(document))
            tree = read_available(toy)
            problems = problems_of(tree)
            refused += bool(problems)
            assert all(type(problem.message) is str and problem.message for problem in problems)
            for dialect in () if problems else tree.dialects:
                rules = rules_of(tree, dialect)
                lines = [line for _, r in rules if r["kind"] in KINDS for line in calls(r, tree.vocabularies)]
                compile("\n".join(lines), file, "exec")
    assert refused > 10
