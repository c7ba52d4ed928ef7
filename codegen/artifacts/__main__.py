"""`python -m codegen.artifacts`: write the schemas for publication, and one archive of them."""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codegen.artifacts.archive import archive
from codegen.artifacts.files import artifact_files
from codegen.artifacts.folder import ForeignFiles, fill
from codegen.lint import sound_tree
from codegen.sources import BrokenTree

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT: Final = Path(__file__).resolve().parents[2]
OK, BROKEN, USAGE = 0, 1, 2


def main(arguments: list[str] | None = None, environ: Mapping[str, str] = os.environ) -> int:
    """Write the folder and the archive; return 1 if the tree is broken and 2 for a usage error."""
    parser = argparse.ArgumentParser(prog="python -m codegen.artifacts", description=__doc__)
    parser.add_argument(
        "--out", type=Path, help="Write to this folder (default: dist/schemas) and the archive beside it."
    )
    parser.add_argument(
        "--root",
        type=Path,
        default=ROOT,
        help="Use this project folder, which holds schemas/ and pyproject.toml.",
    )
    options = parser.parse_args(arguments)
    out: Path = options.out or options.root / "dist" / "schemas"
    try:
        version = project_version(options.root)
        mtime = source_date(environ)
        files = artifact_files(sound_tree(options.root / "schemas"), version)
        fill(out, files)
    except BrokenTree as broken:
        print(f"{len(broken.problems)} problems in schemas/:", file=sys.stderr)
        print(broken, file=sys.stderr)
        return BROKEN
    except (ForeignFiles, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return USAGE
    name = f"cardwright-schemas-{version}"
    packed = out.parent / f"{name}.tar.gz"
    packed.write_bytes(archive(files, name, mtime))
    print(f"{len(files)} files in {out}, and {packed}")
    return OK


def project_version(root: Path) -> str:
    """Return the version in pyproject.toml.

    Raises:
        ValueError: If it has no version.
    """
    path = root / "pyproject.toml"
    try:
        return str(tomllib.loads(path.read_text(encoding="utf-8"))["project"]["version"])
    except (OSError, KeyError, ValueError) as error:
        msg = f"{path} has no project.version: {error}"
        raise ValueError(msg) from error


def source_date(environ: Mapping[str, str]) -> int:
    """Return SOURCE_DATE_EPOCH (reproducible-builds.org), in seconds since 1970; 0 if it is not set.

    Raises:
        ValueError: If it is not a number of seconds that an archive can hold.
    """
    text = environ.get("SOURCE_DATE_EPOCH", "0")
    # The archive's header has room for eleven octal digits.
    if not text.isdecimal() or int(text) >= 8**11:
        msg = f"SOURCE_DATE_EPOCH is {text!r}; set it to a number of seconds since 1970"
        raise ValueError(msg)
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
