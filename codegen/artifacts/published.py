"""`python -m codegen.artifacts.published`: compare the schemas with those that the version of the project published.

What is published at an `$id` stays as it is: `schemas/PUBLISHED.json` has the checksum of each file of the last version that was
published. A release records its schemas with `--write`; from then on another content needs another version.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any, Final

from codegen.artifacts.__main__ import ROOT, project_version
from codegen.artifacts.files import artifact_files
from codegen.lint import sound_tree
from codegen.sources import SCHEMA_SUFFIX

RECORD: Final = "PUBLISHED.json"


def published(root: Path) -> dict[str, Any]:
    """Return what a record of the schemas below a project folder contains."""
    version = project_version(root)
    files = artifact_files(sound_tree(root / "schemas"), version)
    return {
        "version": version,
        "files": {
            path: hashlib.sha256(body).hexdigest()
            for path, body in files.items()
            if path.endswith(SCHEMA_SUFFIX)
        },
    }


def changes(recorded: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Return what changed at a published path although the version is the same, a sentence each."""
    if recorded["version"] != now["version"]:
        return []
    before, after = recorded["files"], now["files"]
    return [
        *(f"{path}: removed" for path in sorted(before.keys() - after.keys())),
        *(f"{path}: changed" for path in sorted(before) if path in after and before[path] != after[path]),
        *(f"{path}: added" for path in sorted(after.keys() - before.keys())),
    ]


def main(arguments: list[str] | None = None) -> int:
    """Compare or write the record; return 1 if a published schema changed."""
    parser = argparse.ArgumentParser(prog="python -m codegen.artifacts.published", description=__doc__)
    parser.add_argument(
        "--write", action="store_true", help=f"record the schemas of a published version in {RECORD}"
    )
    parser.add_argument("--root", type=Path, default=ROOT, help="use this project folder")
    options = parser.parse_args(arguments)
    file = options.root / "schemas" / RECORD
    now = published(options.root)
    if options.write:
        file.write_text(json.dumps(now, indent=2) + "\n", encoding="utf-8")
        return 0
    found = changes(json.loads(file.read_text(encoding="utf-8")), now)
    if found:
        sys.stderr.write(
            "\n".join(found) + "\n"
            f"the schemas differ from those that version {now['version']} published: raise the version in pyproject.toml\n"
        )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
