"""The code generator: its output is the committed code, and a new dialect is a new folder of data."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main, pin
from codegen.emit import differences, write
from codegen.render import render_tree

REPOSITORY = Path(__file__).resolve().parents[2]
GENERATED = REPOSITORY / "generated"
TOY = Path(__file__).parent / "samples" / "toy"
RULES = "cardwright_rules"

Json = Any

# Each of these prints a whole tree.


@pytest.fixture(scope="module")
def printed() -> dict[str, str]:
    """Generate the code of the project's schemas once."""
    return render_tree(REPOSITORY / "schemas")


def contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


# The golden law: `generated/` follows from `schemas/`, and from nothing else


def test_the_generated_code_is_up_to_date_with_the_schemas(printed: dict[str, str]) -> None:
    assert differences(printed, GENERATED) == []


def test_deleting_and_generating_again_loses_nothing(printed: dict[str, str], tmp_path: Path) -> None:
    write(printed, tmp_path)

    assert contents(tmp_path) == contents(GENERATED)


def test_no_generated_file_says_when_or_where_it_was_made(printed: dict[str, str]) -> None:
    for text in printed.values():
        assert str(REPOSITORY) not in text
        # As datamodel-code-generator writes it; an envelope has a field of that name.
        assert "#   timestamp" not in text


# `--check`


def test_check_passes_on_the_project_and_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    before = {file: file.stat().st_mtime_ns for file in GENERATED.rglob("*") if file.is_file()}

    assert main(["--check"]) == 0

    assert capsys.readouterr().out.strip() == ""
    assert {file: file.stat().st_mtime_ns for file in GENERATED.rglob("*") if file.is_file()} == before


def test_check_fails_with_a_diff_of_what_is_changed_missing_or_too_many(
    schemas: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = schemas.parent / "generated"
    shutil.copytree(GENERATED, target, ignore=shutil.ignore_patterns("__pycache__"))
    changed = target / RULES / "detection.py"
    changed.write_text(changed.read_text().replace("RULE_1: Final", "RULE_ONE: Final"))
    (target / RULES / "beach_v1_0" / "lints.json").unlink()
    (target / RULES / "by_hand.py").write_text("")

    assert main(["--check", "--root", str(schemas.parent)]) == 1

    captured = capsys.readouterr()
    assert "\n-RULE_ONE: Final = DetectionRule(" in captured.out
    assert "\n+RULE_1: Final = DetectionRule(" in captured.out
    assert f"missing: {RULES}/beach_v1_0/lints.json" in captured.out
    assert f"unexpected file: {RULES}/by_hand.py" in captured.out
    assert "make generate" in captured.err
    assert (target / RULES / "by_hand.py").exists()


FILES = {"a.py": "one\ntwo\n", "inner/b.json": "{}\n"}


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("a.py", b"one\ntoo\n", ["--- is/a.py", "+++ should be/a.py", "@@ -1,2 +1,2 @@", " one", "-too", "+two"]),
        ("a.py", b"one\r\ntwo\n", ["--- is/a.py", "+++ should be/a.py", "@@ -1,2 +1,2 @@", "-one\r", "+one", " two"]),
        ("a.py", b"one\ntwo", ["--- is/a.py", "+++ should be/a.py", "@@ -1,2 +1,2 @@", " one", "-two", "+two"]),
        ("a.py", b"one\n\xff\n", ["--- is/a.py", "+++ should be/a.py", "@@ -1,2 +1,2 @@", " one", "-\ufffd", "+two"]),
        ("inner/b.json", None, ["missing: inner/b.json"]),
        ("inner/c.json", b"\xff\xfe", ["unexpected file: inner/c.json"]), ("__pycache__/a.cpython-311.pyc", b"\0", []),
    ],
    ids=[
        "a-word",
        "line-endings",
        "the-last-line-end",
        "no-utf-8",
        "missing",
        "one-too-many",
        "caches-do-not-count",
    ],
)  # fmt: skip
def test_a_difference_is_reported(tmp_path: Path, path: str, body: bytes | None, expected: list[str]) -> None:
    write(FILES, tmp_path)
    file = tmp_path / path
    if body is None:
        file.unlink()
    else:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(body)

    assert differences(FILES, tmp_path) == expected


def test_writing_makes_the_folder_hold_exactly_the_files(tmp_path: Path) -> None:
    write({"old/deep/x.py": "", "a.py": "three\n"}, tmp_path)

    write(FILES, tmp_path)

    assert differences(FILES, tmp_path) == []
    assert not (tmp_path / "old").exists()


# Adding a dialect is adding a folder of data

ASK = """
import json, sys
from cardwright_rules import DIALECTS, vocabulary
from cardwright_rules.detection import evidence_of, first_match
from cardwright_models.toy_v7_1.models import Maker, Part, ToyCard
from cardwright_rules.toy_v7_1.validators import VALIDATOR

row = DIALECTS["toy-7.1"]
assert row.model_class() is ToyCard and row.validator() is VALIDATOR
built = ToyCard(
    toy_version="7.1", toy_maker=Maker(maker_name="Vice"), minimum_age=3, part_list=[Part(part_id="a")]
)
names = {"materials": frozenset(entry.name for entry in vocabulary.MATERIALS)}
broken = {
    "toyVersion": "seven", "toyMaker": {"makerName": 5, "batteries": "\u2620"}, "minimumAge": 3, "material": "lead",
    "partList": [{"partId": "a"}, {"partId": "b"}, {"partId": "a"}],
}
sign = first_match(broken)
assert sign is not None
example = row.schema()["title"], json.loads(sys.argv[1])
print(json.dumps({
    "file": sys.modules["cardwright_rules"].__file__,
    "row": [row.family, row.version, row.title, row.package, row.model, row.schema_id],
    "sign": [sign.candidates, evidence_of(sign, broken)],
    "built": built.to_wire(),
    "same": [ToyCard.from_wire(e).to_wire() == e for e in example[1]],
    "good": [v.rule for e in example[1] for v in VALIDATOR.violations(e, names)],
    "broken": [
        [v.rule, v.severity, v.pointer, v.spec, v.fix.patch[0]["value"] if v.fix else None]
        for v in VALIDATOR.violations(broken, names)
    ],
    "others": len(DIALECTS),
}))
"""


@pytest.fixture(scope="module")
def with_toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the project's schemas with one more folder of data, pinned and generated."""
    root = tmp_path_factory.mktemp("with-toy")
    shutil.copytree(REPOSITORY / "schemas", root / "schemas")
    shutil.copytree(TOY, root / "schemas", dirs_exist_ok=True)
    shutil.copy(REPOSITORY / "pyproject.toml", root)
    assert main(["--root", str(root), "--pin"]) == 0
    return root


def test_pinning_adds_the_new_files_and_keeps_the_old_ones(with_toy: Path) -> None:
    own_pins = json.loads((REPOSITORY / "schemas" / "PINNED.json").read_bytes())["files"]
    pins = json.loads((with_toy / "schemas" / "PINNED.json").read_bytes())["files"]

    assert set(pins) - set(own_pins) == {"toy/7.1/toy-card.schema.json", "toy/7.1/maker.schema.json"}
    assert {path: pins[path] for path in own_pins} == own_pins
    assert list(pins) == sorted(pins)


def test_a_new_folder_of_data_is_a_new_dialect(with_toy: Path) -> None:
    examples = json.loads((TOY / "toy/7.1/toy-card.schema.json").read_bytes())["examples"]
    generated = with_toy / "generated"
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", ASK, json.dumps(examples)],
        env={**os.environ, "PYTHONPATH": str(generated), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=with_toy,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stderr
    report = json.loads(run.stdout)
    assert report["file"] == str(generated / RULES / "__init__.py")
    assert report["row"] == [
        "toy", "7.1", "Toy 7.1 card", "cardwright_rules.toy_v7_1", "ToyCard",
        "https://cardwright.dev/schemas/toy/7.1/toy-card.schema.json",
    ]  # fmt: skip
    assert report["sign"] == [["toy-7.1"], "toyMaker, with minimumAge and a list of parts"]
    assert report["built"] == {
        "toyVersion": "7.1",
        "toyMaker": {"makerName": "Vice"},
        "minimumAge": 3,
        "partList": [{"partId": "a"}],
    }
    assert report["same"] == [True] * len(examples)
    assert report["good"] == []
    assert report["broken"] == [
        ["toy/material", "warning", "/material", "Toy 7.1 §1.5", None],
        ["toy/unique-part", "warning", "/partList/2/partId", "Toy 7.1 §1.4", None],
        ["toy/no-batteries", "warning", "/toyMaker/batteries", "Toy 7.1 §5", None],
        ["toy/skull", "warning", "/toyMaker/batteries", "Toy 7.1 §4", None],
        ["schema/type", "error", "/toyMaker/makerName", "Toy 7.1 §2", None],
        ["toy/version-form", "error", "/toyVersion", "Toy 7.1 §1.1", "7.0"],
    ]
    assert report["others"] > 1


def test_a_new_dialect_leaves_the_generated_code_of_others_unchanged(
    with_toy: Path, printed: dict[str, str]
) -> None:
    report = differences(printed, with_toy / "generated")

    new = {line.removeprefix("unexpected file: ") for line in report if line.startswith("unexpected file")}
    changed = {line.removeprefix("--- is/") for line in report if line.startswith("--- is/")}
    assert {path.split("/")[1] for path in new} == {"toy_v7_1"}
    modules = {f"{RULES}/{name}.py" for name in ("__init__", "detection", "vocabulary")}
    assert changed == {*modules, f"{RULES}/explanations.json", "README.md"}


def test_taking_the_folder_away_takes_the_dialect_away(
    with_toy: Path, printed: dict[str, str], tmp_path: Path
) -> None:
    shutil.copytree(with_toy / "generated", tmp_path / "generated")

    write(printed, tmp_path / "generated")

    assert differences(printed, tmp_path / "generated") == []
    assert not (tmp_path / "generated" / RULES / "toy_v7_1").exists()


# What the model generator refuses is reported with the file, for all dialects at once


def test_names_without_a_wire_name_are_reported_for_every_dialect(
    toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = toy / "toy" / "8.0"
    shutil.copytree(toy / "toy" / "7.1", other)
    for file in (toy / "toy").rglob("*.json"):
        text = file.read_text(encoding="utf-8").replace("minimumAge", "minimum_AGE")
        if file.is_relative_to(other):
            text = text.replace("7.1", "8.0").replace("v7_1", "v8_0").replace('"toy-card.json"', "")
            text = text.replace('"order": 1', '"order": 2')
        file.write_text(text, encoding="utf-8")
    pin(toy)

    assert main(["--root", str(toy.parent)]) == 1

    stderr = capsys.readouterr().err
    assert "2 problems in schemas/" in stderr
    assert "toy/7.1/toy-card.schema.json#: ToyCard.minimum_age: its wire name does not follow" in stderr
    assert "toy/8.0/toy-card.schema.json#: ToyCard.minimum_age: its wire name does not follow" in stderr
    assert not (toy.parent / "generated").exists()


def test_a_request_with_the_name_of_another_class_of_its_package_is_reported(
    schemas: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = schemas / "a2a" / "operations.json"
    file.write_text(file.read_text("utf-8").replace('"JSONRPCSendMessage"', '"SendMessage"'), "utf-8")

    assert main(["--root", str(schemas.parent)]) == 1

    words = "a2a/operations.json#/operations: a2a_v1_0 has a class SendMessageRequest, SendMessageResponse already"
    assert words in capsys.readouterr().err
