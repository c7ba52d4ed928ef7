"""The text of generated files: their header, templates, copies, JSON, and Python as ruff formats it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import jinja2

if TYPE_CHECKING:
    from codegen.sources import Tree

COMMAND: Final = "make generate"
HERE: Final = Path(__file__).parent


def copied(module: str, package: str) -> str:
    """Return the text of a module of this package as one of a generated package."""
    text = (HERE / f"{module}.py").read_text(encoding="utf-8")
    note = f"Generated from codegen/{module}.py\nby `{COMMAND}`. Do not edit: change it and generate again."
    return text.replace('\n"""\n', f'\n\n{note}\n"""\n', 1).replace("from codegen.", f"from {package}.")


def header_of(tree: Tree, path: str | None = None) -> str:
    """Return the header of a generated file: its source and command; no date, path or version that changes."""
    source = f"schemas/{path}" if path else "schemas/"
    pin = tree.schemas[path].sha256 if path in tree.schemas else None
    hashed = f" (sha256 {pin})" if pin else ""
    return f"Generated from {source}{hashed}\nby `{COMMAND}`. Do not edit: change the schemas and generate again."


def json_text(value: Any) -> str:
    """Return the text of a generated JSON file."""
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def from_template(name: str, **context: Any) -> str:
    """Return the text of a file from one of `templates/`."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        undefined=_Undefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - writes Python, not HTML
    )
    environment.filters["tojson_py"] = _python
    return environment.get_template(name).render(**context)


class _Undefined(jinja2.StrictUndefined):
    """A missing field of a data file: false in an `if`, and an error in output."""

    def __bool__(self) -> bool:  # type: ignore[override]  # jinja's own always raises
        return False


def _python(value: Any) -> str:
    if isinstance(value, jinja2.Undefined):
        return str(value)  # raises an error that names the missing field
    return repr(tuple(value)) if isinstance(value, list) else repr(value)


def formatted(files: dict[str, str]) -> dict[str, str]:
    """Return the files with the Python files formatted by ruff, in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            if path.endswith(".py"):
                target = Path(folder, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
        ruff = [sys.executable, "-m", "ruff"]
        shared = ["--isolated", "--quiet", "--target-version", "py311", "--line-length", "110"]
        imports = [*ruff, "check", *shared, "--no-cache", "--select", "I,F401,UP", "--fix", folder]
        for command in (imports, [*ruff, "format", *shared, "--no-cache", folder]):
            subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own arguments
        return {
            path: Path(folder, path).read_text(encoding="utf-8") if path.endswith(".py") else text
            for path, text in files.items()
        }
