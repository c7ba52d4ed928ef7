"""No secret gets into an image or a commit: what `.dockerignore`, `.gitignore` and the Dockerfile let in."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Final

import pytest
import yaml

ROOT: Final = Path(__file__).parents[2]
DOCKERFILE: Final = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8")
SECRET: Final = (
    "deploy/.env", ".env", ".env.production", "gateway.db", "gateway.db-wal", "examples/gateway/gateway.db", "x.jwk",
    "deploy/x.jwk", "agents.sqlite", "agents.sqlite3-shm", "tls.pem", "deploy/tls.key",
)  # fmt: skip
UNSEEN: Final = (
    *SECRET, ".git/config", ".venv/bin/python", "tests/conftest.py", "deploy/gateway.yml", "notes.txt", "src/x.jwk",
    "src/cardwright/.env", "generated/cards.db", "src/cardwright/__pycache__/card.cpython-313.pyc",
)  # fmt: skip
NEEDED: Final = (
    "pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "requirements/image.txt", "requirements/build.txt",
    "src/cardwright/__init__.py", "src/cardwright/page/templates/card.html.jinja",
    "src/cardwright_gateway/cli/run.py", "generated/cardwright_models/__init__.py",
)  # fmt: skip


def _matches(pattern: str, path: str) -> bool:
    """Return whether a pattern of `.dockerignore` matches a path or a folder that holds it.

    Patterns are relative to the root of the context, as in Docker's reference of `.dockerignore`.
    """
    places = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?|\[[^]]+\])", pattern.strip("/"))
    expression = "".join(
        places.get(part, part if part.startswith("[") else re.escape(part)) for part in parts
    )
    return re.fullmatch(f"{expression}(?:/.*)?", path) is not None


def in_context(path: str) -> bool:
    """Return whether Docker sends a path to the build: the last pattern that matches it decides."""
    sent = True
    for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#") and _matches(line.strip().lstrip("!"), path):
            sent = line.startswith("!")
    return sent


@pytest.mark.parametrize("path", UNSEEN)
def test_the_build_context_excludes(path: str) -> None:
    assert not in_context(path)


@pytest.mark.parametrize("path", NEEDED)
def test_the_build_context_includes(path: str) -> None:
    assert (ROOT / path).is_file()
    assert in_context(path)


def test_each_path_that_the_dockerfile_copies_is_in_the_build_context() -> None:
    copied = re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE)
    paths = [path for line in copied for path in line.split()[:-1]]
    assert paths
    assert "." not in paths
    for path in paths:
        assert (ROOT / path).exists()
        assert in_context(path), path


def test_the_build_context_has_nothing_that_the_dockerfile_does_not_copy() -> None:
    copied = re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE)
    paths = {path for line in copied for path in line.split()[:-1]}
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert {line.removeprefix("!") for line in ignored if line.startswith("!")} == paths


def test_the_build_context_has_everything_that_pyproject_puts_into_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    build = project["tool"]["hatch"]["build"]
    packages = build["targets"]["wheel"]["packages"]
    named = [*packages, project["project"]["readme"], *project["project"]["license-files"]]
    assert all(in_context(path) and (ROOT / path).exists() for path in named)
    assert {*build, *build["targets"]} == {"dev-mode-dirs", "targets", "sdist", "wheel"}
    assert {*build["targets"]["wheel"]} == {"packages", "exclude"}


def test_compose_builds_with_the_dockerfile_and_the_root_as_its_context() -> None:
    compose = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text(encoding="utf-8"))
    for name in ("gateway-1", "gateway-2"):
        assert compose["services"][name]["build"] == {"context": "..", "dockerfile": "deploy/Dockerfile"}


def test_everything_in_the_image_is_pinned() -> None:
    image = r"python:3\.\d+\.\d+-[a-z-]+@sha256:[0-9a-f]{64}"
    assert re.search(rf"^ARG PYTHON_IMAGE={image}$", DOCKERFILE, re.MULTILINE)
    assert set(re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)) == {"${PYTHON_IMAGE}"}
    installed = re.findall(r"pip --python \S+ install (.*?)(?: \\)?$", DOCKERFILE, re.MULTILINE)
    assert installed
    for arguments in installed:
        assert "--require-hashes -r requirements/" in arguments or "--no-deps --no-index" in arguments


@pytest.mark.parametrize("name", ["image", "build"])
def test_requirements_of_the_image_are_those_that_the_tests_have(name: str) -> None:
    pinned = re.compile(r"^([\w.-]+(?:\[[\w,-]+\])?)==(\S+)", re.MULTILINE)
    tested = dict(pinned.findall((ROOT / "requirements/dev.txt").read_text(encoding="utf-8")))
    text = (ROOT / f"requirements/{name}.txt").read_text(encoding="utf-8")
    found = dict(pinned.findall(text))
    assert found.items() <= tested.items()
    assert text.count("--hash=sha256:") >= len(found)
    assert "index-url" not in text


@pytest.mark.process
def test_git_keeps_secrets_out_and_ignores_no_committed_file() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this is no Git checkout")
    git = ["git", "-C", str(ROOT)]
    ignored = subprocess.run([*git, "check-ignore", *SECRET], capture_output=True, text=True, check=False)
    assert ignored.stdout.split() == list(SECRET)
    committed = subprocess.run(
        [*git, "ls-files", "-ci", "--exclude-standard"], capture_output=True, text=True, check=True
    )
    assert committed.stdout == ""
