"""Every lint rule has a tree that breaks it, and is reported with its file and pointer; all at once."""

import copy
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import getitem, setitem
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
MANIFEST = "toy/7.1/dialect.json"
RULES = "toy/7.1/toy.rules.json"
TEXTS = "toy/7.1/toy-text.rules.json"
MATERIALS = "vocabulary/materials.json"
# This exists only in the project's own tree.
COMMON = "rules/a2a-common.rules.json"
PINS = "PINNED.json"


@dataclass(frozen=True)
class Case:
    """One fault: the file it is put into, the path and the value, and where it is to be found, with words of the message."""

    claim: str
    file: str
    pointer: str
    says: str
    # One of these is a path of steps; a value ends that of `put` and `add`.
    put: Sequence[Any] = ()
    drop: Sequence[Any] = ()
    add: Sequence[Any] = ()
    # The file of the problem, if it is not the changed one.
    problem_file: str | None = None
    pinned: bool = True

    def change(self, document: Json) -> None:
        if self.drop:
            *steps, name = self.drop
            del at(document, steps)[name]
        elif self.add:
            *steps, value = self.add
            at(document, steps).append(copy.deepcopy(value))
        else:
            put(*self.put)(document)


def at(document: Json, steps: list[Any]) -> Json:
    """Return what is at a path of steps."""
    return reduce(getitem, steps, document)


def put(*path_and_value: Any) -> Callable[[Json], object]:
    """Return a change that sets the value at a path of steps."""
    *steps, name, value = path_and_value
    return lambda document: setitem(at(document, steps), name, copy.deepcopy(value))


CASES = [Case(**one) for one in json.loads((Path(__file__).parent / "lint-cases.json").read_bytes())]


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
    edit(toy, MANIFEST, lambda document: document["rules"].append("toy-other.rules.json"))

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
