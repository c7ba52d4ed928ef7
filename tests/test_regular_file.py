"""Only regular files are opened: a pipe or a device that takes the place of a file is refused."""

from __future__ import annotations

import ast
import os
import socket
import sys
from pathlib import Path

import pytest

from cardwright.regular_file import NotAFile, read_regular_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pipes among files there")


def test_a_file_and_a_link_to_one_are_read_up_to_a_maximum(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    (tmp_path / "link").symlink_to(tmp_path / "a")

    assert read_regular_file(tmp_path / "link", 3) == b"123"
    assert read_regular_file(str(tmp_path / "a"), 9) == b"12345"
    with pytest.raises(FileNotFoundError):
        read_regular_file(tmp_path / "none", 1)


@pytest.mark.parametrize("kind", ["a pipe", "a socket", "a folder", "a device"])
def test_anything_else_is_named_and_never_opened(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "/dev/zero" if kind == "a device" else str(tmp_path / "x")
    server = socket.socket(socket.AF_UNIX)
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a socket":
        monkeypatch.chdir(tmp_path)
        server.bind("x")
    elif kind == "a folder":
        os.mkdir(path)  # noqa: PTH102 - a path of any kind
    monkeypatch.setattr(os, "open", lambda *_: pytest.fail("it was opened"))

    with server, pytest.raises(NotAFile, match=f"found {kind}"):
        read_regular_file(path, 1)


def test_a_pipe_that_replaces_the_file_is_refused_without_blocking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"{}")
    status = path.stat()
    path.unlink()
    os.mkfifo(path)
    monkeypatch.setattr(os, "stat", lambda *_: status)

    with pytest.raises(NotAFile, match="found a pipe"):
        read_regular_file(path, 1)


# Files of the packages themselves, of the kernel, and what is written.
READ_BY_THEMSELVES = {
    "cardwright/cli/catalog.py": "creates a file",
    "cardwright/cli/option_groups.py": "a file of the package",
    "cardwright/lazy.py": "a file of the package",
    "cardwright/page/render.py": "a file of the package",
    "cardwright/serve/signatures.py": "creates a file",
    "cardwright/settings_file.py": "an operator may name a pipe",
    "cardwright_beach/artifacts.py": "creates a file",
    "cardwright_gateway/cluster/heartbeat.py": "a file of the kernel",
    "cardwright_runtime/disguises.py": "a file of the package",
    "cardwright_runtime/engine.py": "a file of the package",
    "cardwright_runtime/signs.py": "a file of the package",
}


def test_every_other_file_is_read_by_one_function() -> None:
    """ruff refuses the function `open` (PTH123); this finds the methods of paths."""
    source = Path(__file__).parents[1] / "src"
    found = {
        file.relative_to(source).as_posix()
        for file in source.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (
            node.func.attr in ("read_bytes", "read_text")
            or (
                node.func.attr == "open"
                and node.args
                and ast.unparse(node.args[0]).strip("'") in ("rb", "r", "xb", "wb")
            )
        )
    }
    assert found == READ_BY_THEMSELVES.keys()
