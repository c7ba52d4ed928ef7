"""`python -m docs.sitegen`: generate the reference pages and pictures, or build the site.

reference            write docs/pages/reference, which is not in git
pictures [--check]   write docs/pages/pictures, or fail with a diff if a picture is stale
site                 write the reference pages and build dist/site; every warning and broken link is an error
public               build dist/public: the site, the schemas at the paths of their $ids, and the conformance kit
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Final

from codegen.emit import differences, write
from docs.sitegen.all_pictures import all_pictures
from docs.sitegen.public import ForeignTree, build_public
from docs.sitegen.site import SiteFailed, build_site

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = ROOT / "docs"
REFERENCE: Final = DOCS / "pages" / "reference"
PICTURES: Final = DOCS / "pages" / "pictures"
DIFF_LINES: Final = 200
FAULT_LINES: Final = 40


def main(arguments: list[str] | None = None) -> int:
    """Run one of the commands; return 0, or 1 with what is wrong printed."""
    parser = argparse.ArgumentParser(
        prog="python -m docs.sitegen",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=("reference", "pictures", "site", "public"))
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail with a diff if a picture is stale"
    )
    options = parser.parse_args(arguments)
    if options.command == "pictures":
        return _pictures(check=options.check)
    # The pages need more libraries than the pictures, which `make generate` writes.
    from docs.sitegen.reference import reference_pages

    write(reference_pages(), REFERENCE)
    if options.command == "reference":
        return 0
    return _site() or (_public() if options.command == "public" else 0)


def _pictures(*, check: bool) -> int:
    if not check:
        write(all_pictures(), PICTURES)
        return 0
    report = differences(all_pictures(), PICTURES)
    print("\n".join(report[:DIFF_LINES]))
    if report:
        print("docs/pages/pictures is stale: run `make generate` and commit it", file=sys.stderr)
    return 1 if report else 0


def _site() -> int:
    started = time.monotonic()
    try:
        pages = build_site(
            DOCS / "pages", DOCS / "zensical.toml", ROOT / "dist" / "docs", ROOT / "dist" / "site"
        )
    except SiteFailed as error:
        faults = str(error).splitlines()
        print("\n".join(faults[:FAULT_LINES]), file=sys.stderr)
        if len(faults) > FAULT_LINES:
            print(f"… {len(faults) - FAULT_LINES} more", file=sys.stderr)
        return 1
    print(f"dist/site: {pages} pages in {time.monotonic() - started:.1f} s; open dist/site/index.html")
    return 0


def _public() -> int:
    try:
        count = build_public(ROOT, ROOT / "dist" / "site", ROOT / "dist" / "public")
    except (ForeignTree, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"dist/public: {count:,} files for any static host")
    return 0


if __name__ == "__main__":
    sys.exit(main())
