"""One static tree for any host, `dist/public`: the documentation, the schemas at the paths of their `$id`s, and the kit.

Every schema is also at a path of the version of this project, which never changes; `schemas/versions.json` lists them.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Final

from codegen.artifacts.__main__ import project_version
from codegen.artifacts.archive import archive
from codegen.artifacts.files import artifact_files
from codegen.artifacts.published import published
from codegen.lint import sound_tree
from codegen.sources import ID_BASE
from conformance.build import kit_files

if TYPE_CHECKING:
    from pathlib import Path

# The files of a tree that this command wrote: another folder is not replaced.
MARK: Final = "schemas/versions.json"


class ForeignTree(Exception):
    """The target is a folder that this command did not write."""


def build_public(root: Path, documentation: Path, target: Path) -> int:
    """Replace the tree and return how many files it has.

    Args:
        root: The project's folder.
        documentation: The built documentation.
        target: The folder of the tree.

    Raises:
        ForeignTree: If the target has files that this command did not write.
    """
    if target.exists() and any(target.iterdir()) and not (target / MARK).is_file():
        raise ForeignTree(f"{target} has files of something else: remove it first")
    files = public_files(root)
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(documentation, target)
    for path, body in files.items():
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)
    return sum(path.is_file() for path in target.rglob("*"))


def public_files(root: Path) -> dict[str, bytes]:
    """Return the files beside the documentation by path."""
    version = project_version(root)
    schemas = artifact_files(sound_tree(root / "schemas"), version)
    record = published(root)
    versions = {
        "latest": version,
        "versions": {
            version: {
                f"{ID_BASE}{path}": {"url": f"{ID_BASE}{version}/{path}", "sha256": digest}
                for path, digest in record["files"].items()
            }
        },
    }
    name = f"cardwright-conformance-{version}"
    kit = kit_files()
    return {
        **{f"schemas/{path}": body for path, body in schemas.items()},
        **{f"schemas/{version}/{path}": body for path, body in schemas.items() if path in record["files"]},
        MARK: (json.dumps(versions, indent=2) + "\n").encode(),
        f"schemas/cardwright-schemas-{version}.tar.gz": archive(schemas, f"cardwright-schemas-{version}", 0),
        **{f"conformance/{version}/{path}": body for path, body in kit.items()},
        f"conformance/{name}.tar.gz": archive(kit, name, 0),
        # The schema of case files is at the path of its $id.
        "schemas/conformance/v1/cases.schema.json": kit["cases.schema.json"],
    }
