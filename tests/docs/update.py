"""`python -m tests.docs.update PAGE…`: write the real outputs of commands into pages, where they differ."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.docs.page_sessions import MACHINE_PATH, Session, agrees


def updated(page: str) -> str:
    """Return a page with the output that each of its commands prints now."""
    with tempfile.TemporaryDirectory() as folder, Session(page, Path(folder)) as session:
        mismatches = list(session.mismatches())
    for mismatch in reversed(mismatches):
        block = mismatch.block
        if MACHINE_PATH.search(mismatch.actual):
            print(f"not written, it names a folder of this machine:\n{mismatch}", file=sys.stderr)
            continue
        if mismatch.command == "python":
            print(f"a python block fails:\n{mismatch.actual}", file=sys.stderr)
            continue
        end = block.start + len(block.text)
        old = f"$ {mismatch.command}\n{mismatch.shown}"
        at = page.index(old, block.start)
        if at < end:
            actual = _with_ellipses(mismatch.actual.rstrip().splitlines(), mismatch.shown.splitlines())
            page = page[:at] + f"$ {mismatch.command}\n{actual}" + page[at + len(old) :]
    return page


def _with_ellipses(actual: list[str], shown: list[str]) -> str:
    """Return an output in which each line that the page shows with `…`, and that still agrees, stays as it is."""
    patterns = [line for line in shown if "…" in line and line.strip() != "…"]
    kept = [next((one for one in patterns if agrees(one, line)), line) for line in actual]
    return "".join(f"{line}\n" for line in kept)


def main(paths: list[str]) -> None:
    """Update the pages that are named."""
    for path in map(Path, paths):
        text = path.read_text(encoding="utf-8")
        new = updated(text)
        if new != text:
            path.write_text(new, encoding="utf-8")
            print(f"updated {path}")


if __name__ == "__main__":
    main(sys.argv[1:])
