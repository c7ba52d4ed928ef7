"""One validity from every engine: jsonschema-rs, jsonschema, and Ajv, also in its strict mode, and with formats asserted."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest

from codegen.artifacts.files import artifact_files
from codegen.lint import sound_tree
from codegen.npm_source import npm_source
from conformance.build import kit_files
from conformance.npm_readme import npm_readme
from conformance.sources import all_cases

ROOT = Path(__file__).parents[2]
NPM = ROOT / "npm"
PRINTED = """
import { readFileSync } from "node:fs";
import { dialects, validate } from "cardwright-schemas";
import rules from "cardwright-schemas/rules.json" with { type: "json" };
import schema from "cardwright-schemas/schemas/a2a-1.0.schema.json" with { type: "json" };
if (!rules["a2a-1.0"].length || schema.title !== "AgentCard") process.exit(3);
const documents = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify({ dialects, valid: documents.map(([dialect, one]) => validate(dialect, one).valid) }));
"""
# The options are those of Ajv itself. Schemas of one group refer to each other by their `$id`s.
STRICT = """
import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";
import formats from "ajv-formats";
const { groups, documents } = JSON.parse(readFileSync(0, "utf8"));
const refused = [];
for (const schemas of groups) {
  const ajv = formats(new Ajv2020({ logger: false }));
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name);
  for (const name of Object.keys(schemas)) {
    try { ajv.getSchema(name); } catch (error) { refused.push(`${name}: ${error.message}`); }
  }
  for (const [dialect, document] of schemas === groups[0] ? documents : [])
    if (!ajv.validate(dialect, document)) refused.push(`${dialect}: ${ajv.errorsText()}`);
}
console.log(JSON.stringify(refused));
"""
TYPED = """
import { validate, type Documents } from "cardwright-schemas";
import type { AgentCard } from "cardwright-schemas/types/a2a-1.0";
import type { Message, Task } from "cardwright-schemas/types/a2a-messages-1.0";
const card: AgentCard = CARD;
const same: Documents["a2a-1.0"] = card;
const message: Message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "Hi" }] };
const task: Task = { id: "t", status: { state: "TASK_STATE_WORKING", message } };
export const any: Documents["a2a-messages-1.0"] = task;
export const valid: boolean = validate("a2a-1.0", same).valid;
"""

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def schemas() -> dict[str, Any]:
    files = npm_source(sound_tree(ROOT / "schemas"))
    return {
        path.removeprefix("schemas/").removesuffix(".schema.json"): value
        for path, value in files.items()
        if path.startswith("schemas/")
    }


@pytest.fixture(scope="module")
def documents(schemas: dict[str, Any]) -> list[tuple[str, Any, bool]]:
    """Return the documents of every case of `validate`, each with a dialect that has a schema, and whether it is valid."""
    return [
        (case["input"]["dialect"], case["input"]["document"], case["expect"]["valid"])
        for cases in all_cases().values()
        for case in cases
        if case["operation"] == "validate" and case["input"]["dialect"] in schemas
    ]


def needs_node() -> None:
    if shutil.which("node") is None or not (NPM / "node_modules").is_dir():
        pytest.skip("the npm package is built with node; `make peers` installs the rest")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the package is installed from its archive, as `make npm` builds it."""
    needs_node()
    folder = tmp_path_factory.mktemp("npm")
    source, built = folder / "source", folder / "built"
    files = npm_source(sound_tree(ROOT / "schemas"))
    for path, value in files.items():
        file = source / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value), encoding="utf-8")
    (source / "README.md").write_text(npm_readme(files), encoding="utf-8")
    run("node", str(NPM / "build.mjs"), "1.2.3", str(source), str(built), cwd=folder)
    run("npm", "pack", "--silent", "--pack-destination", str(folder), cwd=built)
    (folder / "package.json").write_text('{"type": "module"}')
    run(
        "npm",
        "install",
        "--silent",
        "--offline",
        "--no-audit",
        str(folder / "cardwright-schemas-1.2.3.tgz"),
        cwd=folder,
    )
    return folder


def run(*command: str, cwd: Path, stdin: str = "") -> str:
    done = subprocess.run(
        command, cwd=cwd, input=stdin, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def test_both_python_engines_give_the_same_validity(
    schemas: dict[str, Any], documents: list[tuple[str, Any, bool]]
) -> None:
    fast = {name: jsonschema_rs.Draft202012Validator(schema) for name, schema in schemas.items()}
    plain = {name: jsonschema.Draft202012Validator(schema) for name, schema in schemas.items()}

    differing = [
        document
        for dialect, document, _ in documents
        if fast[dialect].is_valid(document) != plain[dialect].is_valid(document)
    ]

    assert len(documents) >= 1000
    assert differing == []


def test_valid_documents_pass_with_formats_asserted(
    schemas: dict[str, Any], documents: list[tuple[str, Any, bool]]
) -> None:
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
    fast = {
        key: jsonschema_rs.Draft202012Validator(one, validate_formats=True) for key, one in schemas.items()
    }
    plain = {
        key: jsonschema.Draft202012Validator(one, format_checker=checker) for key, one in schemas.items()
    }

    refused = [
        error.message
        for dialect, document, valid in documents
        if valid
        for error in (*fast[dialect].iter_errors(document), *plain[dialect].iter_errors(document))
    ]

    assert refused == []


def test_ajv_compiles_every_published_schema_in_strict_mode_and_takes_the_valid_documents(
    schemas: dict[str, Any], documents: list[tuple[str, Any, bool]]
) -> None:
    needs_node()
    files = (artifact_files(sound_tree(ROOT / "schemas"), "1.2.3"), kit_files())
    published = [
        {path: json.loads(body) for path, body in one.items() if path.endswith(".schema.json")}
        for one in files
    ]
    given = json.dumps({"groups": [schemas, *published], "documents": [one for one in documents if one[2]]})

    refused = run("node", "--input-type=module", "-e", STRICT, cwd=NPM, stdin=given)

    assert json.loads(refused) == []


def test_the_npm_package_gives_the_same_validity_as_python(
    schemas: dict[str, Any], documents: list[tuple[str, Any, bool]], project: Path
) -> None:
    (project / "verdicts.mjs").write_text(PRINTED)

    report = json.loads(run("node", "verdicts.mjs", cwd=project, stdin=json.dumps(documents)))

    fast = {name: jsonschema_rs.Draft202012Validator(schema) for name, schema in schemas.items()}
    wanted = [fast[dialect].is_valid(document) for dialect, document, _ in documents]
    assert report["dialects"] == sorted(schemas)
    assert report["valid"] == wanted
    assert {True, False} == set(wanted)
    stated = [valid for _, _, valid in documents]
    covered = sum(one is other for one, other in zip(wanted, stated, strict=True))
    readme = (project / "node_modules" / "cardwright-schemas" / "README.md").read_text("utf-8")
    assert f"in {covered:,} of the {len(documents):,} cases" in readme


def test_the_npm_package_is_small_and_names_an_unknown_dialect(project: Path) -> None:
    script = "import { validate } from 'cardwright-schemas'; try { validate('a2a-9', {}) } catch (e) { console.log(`${e}`) }"

    error = run("node", "--input-type=module", "-e", script, cwd=project)

    assert error.startswith("RangeError: unknown dialect a2a-9; known dialects: a2a-0.1, ")
    assert (project / "cardwright-schemas-1.2.3.tgz").stat().st_size <= 200 * 1024


def test_the_types_of_the_npm_package_describe_a_valid_card(project: Path) -> None:
    card = (ROOT / "examples" / "a2a-1.0.card.json").read_text(encoding="utf-8")
    compiler = str(NPM / "node_modules" / "typescript" / "bin" / "tsc")
    options = ("--noEmit", "--strict", "--module", "nodenext", "--target", "es2022")
    (project / "good.ts").write_text(TYPED.replace("CARD", card))
    (project / "bad.ts").write_text(TYPED.replace("CARD", "{ name: 7 }"))

    run("node", compiler, *options, "good.ts", cwd=project)
    bad = subprocess.run(
        ["node", compiler, *options, "bad.ts"], cwd=project, capture_output=True, text=True, check=False
    )

    assert bad.returncode != 0
    assert "Type 'number' is not assignable to type 'string'" in bad.stdout
