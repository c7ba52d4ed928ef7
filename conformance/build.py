"""`python -m conformance.build`: build the conformance kit, `dist/cardwright-conformance-VERSION.tar.gz`.

The same sources give the same bytes.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final

import jsonschema

from cardwright.version import __version__
from cardwright_rules import ROWS
from codegen.artifacts.archive import archive
from codegen.public_form import public_form
from conformance.acts import acts_document
from conformance.sources import ROOT, all_cases

HERE: Final = Path(__file__).parent
SCHEMA: Final = HERE / "cases.schema.json"
# Files of the folder that come with the kit.
SHIPPED: Final = ("README.md", "cases.schema.json", "adapters", "reports", "expected")


def kit_files() -> dict[str, bytes]:
    """Return the files of the kit by their path in it.

    Raises:
        jsonschema.ValidationError: If a case does not have the form that `cases.schema.json` describes.
    """
    files: dict[str, bytes] = {}
    for name in SHIPPED:
        for file in sorted([HERE / name] if (HERE / name).is_file() else (HERE / name).rglob("*")):
            if file.is_file() and not {"__pycache__", "node_modules"} & set(file.parts):
                files[file.relative_to(HERE).as_posix()] = file.read_bytes()
    files["LICENSE"] = (ROOT / "LICENSE").read_bytes()
    for dialect, row in ROWS.items():
        schema = ROOT / "generated" / str(row.schema_package).replace(".", "/") / "schema.json"
        if schema.exists():
            files[f"schemas/{dialect}.schema.json"] = _text(public_form(json.loads(schema.read_bytes())))
    cases = all_cases()
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    for path, found in cases.items():
        depth = path.count("/") + 1
        document = {"$schema": "../" * depth + "cases.schema.json", "cases": found}
        validator.validate(document)
        files[f"cases/{path}.json"] = _text(document)
    every = [case for found in cases.values() for case in found]
    files["acts/agent-cards.acts.yaml"] = acts_document(every, __version__)
    files["kit.json"] = _text(
        {
            "version": __version__,
            "cases": len(every),
            "operations": Counter(case["operation"] for case in every),
            "levels": Counter(case["level"] for case in every),
        }
    )
    return dict(sorted(files.items()))


def build(target: Path) -> Path:
    """Write the archive into a folder and return its path."""
    name = f"cardwright-conformance-{__version__}"
    target.mkdir(parents=True, exist_ok=True)
    file = target / f"{name}.tar.gz"
    file.write_bytes(archive(kit_files(), name, 0))
    return file


def _text(value: Any) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


if __name__ == "__main__":
    built = build(ROOT / "dist")
    sys.stdout.write(f"{built.relative_to(ROOT)}: {built.stat().st_size // 1024} KiB\n")
