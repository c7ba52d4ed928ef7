"""`python -m codegen`: generate `generated/` from `schemas/`, or check it."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any, Final

from codegen.emit import differences, write
from codegen.mapping_defaults import with_defaults
from codegen.render import render_tree
from codegen.sources import SCHEMA_SUFFIX, BrokenTree, Problem, read_tree

ROOT: Final = Path(__file__).resolve().parents[1]
DIFF_LINES: Final = 200


def main(arguments: list[str] | None = None) -> int:
    """Run the generator; return 0 on success, and 1 after printing every problem."""
    parser = argparse.ArgumentParser(prog="python -m codegen", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="Write nothing; fail with a diff if generated/ is out of date."
    )
    parser.add_argument(
        "--pin", action="store_true", help="Write the hashes of the schema files into PINNED.json first."
    )
    parser.add_argument(
        "--root",
        type=Path,
        default=ROOT,
        help="Use this project folder, which holds schemas/ and generated/.",
    )
    options = parser.parse_args(arguments)
    schemas, target = options.root / "schemas", options.root / "generated"
    try:
        if options.pin:
            pin(schemas)
        files = render_tree(schemas)
    except BrokenTree as broken:
        print(f"{len(broken.problems)} problems in {schemas.name}/:", file=sys.stderr)
        print(broken, file=sys.stderr)
        return 1
    if not options.check:
        changes = write(files, target)
        print("\n".join(f"{target.name}/{change}" for change in changes) or f"{target.name}/ is up to date")
        for default in with_defaults(read_tree(schemas))[1]:
            print(f"default mapping: {default}")
        return 0
    report = differences(files, target)
    print("\n".join(report[:DIFF_LINES]))
    if len(report) > DIFF_LINES:
        print(f"… {len(report) - DIFF_LINES} more lines")
    if report:
        message = "the generated files are out of date: run `make generate` and commit the result"
        print(message, file=sys.stderr)
    return 1 if report else 0


def pin(schemas: Path) -> None:
    """Write each schema file's sha256 into PINNED.json; its origin is written by hand.

    Raises:
        BrokenTree: If PINNED.json cannot be read.
    """
    pinned = schemas / "PINNED.json"
    document: Any = {"files": {}}
    if pinned.is_file():
        document = _decoded(pinned)
    entries = document["files"]
    for file in sorted(schemas.rglob(f"*{SCHEMA_SUFFIX}")):
        path = file.relative_to(schemas).as_posix()
        entry = entries.setdefault(path, {"version": "", "origin": "cardwright"})
        entry["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
    document["files"] = dict(sorted(entries.items()))
    pinned.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _decoded(pinned: Path) -> Any:
    try:
        document = json.loads(pinned.read_bytes())
        if type(document["files"]) is dict:
            return document
    except (ValueError, KeyError, TypeError) as error:
        raise BrokenTree(
            [Problem(pinned.name, "", f"must be JSON with an object `files`: {error}")]
        ) from error
    raise BrokenTree([Problem(pinned.name, "/files", "must be an object")])


if __name__ == "__main__":
    sys.exit(main())
