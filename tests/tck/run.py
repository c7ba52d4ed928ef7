"""`python -m tests.tck.run PATH`: run the A2A compatibility kit at PATH against the agent in three setups.

Exits with 1 where what comes of it is not what `docs/pages/explanation/compatibility-kit.md` says; with `--write` it is written there.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.tck.kit import Kit
from tests.tck.setups import SETUPS, set_up, setups_of
from tests.tck.table import PAGE, Branch, keep, kept, page, reason_of
from tests.tck.traffic import differences


def main() -> int:
    """Run the kit, print what came of it, and compare or write it."""
    parser = argparse.ArgumentParser(prog="python -m tests.tck.run", description=__doc__)
    parser.add_argument("path", type=Path, help="a checkout of a2aproject/a2a-tck, branch 0.3.x or 1.0-dev")
    parser.add_argument(
        "--python", type=Path, help="the interpreter with what the kit needs; its own .venv if not given"
    )
    parser.add_argument(
        "--write", action="store_true", help="write docs/pages/explanation/compatibility-kit.md"
    )
    arguments = parser.parse_args()
    kit = Kit.at(arguments.path, arguments.python)
    results = {}
    with TemporaryDirectory(prefix="cardwright-tck-") as folder:
        record = Path(folder) / "json-rpc"
        for setup in setups_of(kit.version):
            _say(f"{kit.branch} ({kit.commit}): {setup}")
            with set_up(setup, kit.version, record) as url:
                results[setup] = kit.run(url, grpc=SETUPS[setup].grpc)
        branch = Branch.of(kit, results, differences(record))
    sys.stdout.write(page({kit.branch: branch}))
    reasons = {test: results[setups[0]][test].reason for test, setups in branch.failed.items()}
    for found in (*branch.failed, *branch.differences):
        if not reason_of(kit.branch, found):
            _say(f"no reason yet: {found}: {reasons.get(found, '')}")
    known = kept()
    if arguments.write:
        keep({**known, kit.branch: branch})
        return 0
    if known.get(kit.branch) != branch:
        _say(f"{PAGE.name} says otherwise: run it with --write, and look at what changed")
        return 1
    return 0


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
