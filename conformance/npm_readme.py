"""`python -m conformance.npm_readme FOLDER`: write the README of the npm package, with the cases that its validators cover counted."""

from __future__ import annotations

import sys
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, Final

import jsonschema_rs

from codegen.lint import sound_tree
from codegen.npm_source import npm_source
from conformance.sources import ROOT, all_cases

if TYPE_CHECKING:
    from collections.abc import Mapping

README: Final = ROOT / "npm" / "README.md"


def npm_readme(files: Mapping[str, Any]) -> str:
    """Return the README; a case is covered if the schema alone tells what the kit expects: valid or not."""
    schemas = {
        path.removeprefix("schemas/").removesuffix(".schema.json"): jsonschema_rs.Draft202012Validator(schema)
        for path, schema in files.items()
        if path.startswith("schemas/")
    }
    covered = [
        schemas[dialect].is_valid(case["input"]["document"]) is case["expect"]["valid"]
        for cases in all_cases().values()
        for case in cases
        if case["operation"] == "validate" and (dialect := case["input"]["dialect"]) in schemas
    ]
    figures = {"CASES": f"{len(covered):,}", "COVERED": f"{sum(covered):,}"}
    return Template(README.read_text(encoding="utf-8")).substitute(figures)


if __name__ == "__main__":
    target = Path(sys.argv[1], "README.md")
    target.write_text(npm_readme(npm_source(sound_tree(ROOT / "schemas"))), encoding="utf-8")
