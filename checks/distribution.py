"""Build the distribution and check it: `python -m checks.distribution [--twice]`.

With `--twice` the wheel and the source distribution must be equal byte for byte in two builds. They must have valid
metadata, and the wheel must run from a new environment. `dist/` then has them, their checksums and a bill of materials of what `pip install` brings.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any, Final

from packaging.metadata import Metadata

ROOT: Final = Path(__file__).parent.parent
DIST: Final = ROOT / "dist"
UV: Final = Path(sys.executable).parent / "uv"
CARD: Final = ROOT / "examples" / "a2a-1.0.card.json"
# The folders of the other distributions, whose wheels are built from the checkout.
OTHERS: Final = ("generated", "src/cardwright_beach", "src/cardwright_gateway")
MAX_MODELS_BYTES: Final = 150_000
OLDEST_PYDANTIC: Final = "pydantic==2.12.2"
# The name and version of a line of a requirements file.
_PINNED: Final = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^\]]*\])?==(?P<version>\S+)", re.MULTILINE)
_HASH: Final = re.compile(r"--hash=sha256:(?P<digest>[0-9a-f]{64})")


def main(arguments: list[str]) -> int:
    """Build, check and write `dist/`."""
    with tempfile.TemporaryDirectory() as folder:
        first = _built(Path(folder) / "first")
        if "--twice" in arguments:
            second = _built(Path(folder) / "second")
            for name, body in first.items():
                assert second.get(name) == body, f"two builds of {name} differ"
        DIST.mkdir(exist_ok=True)
        for old in (*DIST.glob("cardwright*.whl"), *DIST.glob("cardwright-*.tar.gz")):
            old.unlink()
        for name, body in first.items():
            (DIST / name).write_bytes(body)
    named = {name.partition("-")[0] + Path(name).suffix: DIST / name for name in first}
    wheel, source = named["cardwright.whl"], named["cardwright.gz"]
    _check_models(named["cardwright_models.whl"])
    for package in ("cardwright_beach", "cardwright_gateway"):
        _check_other(named[f"{package}.whl"], package)
    _check(wheel, source)
    bill = DIST / "cardwright.cdx.json"
    bill.write_text(json.dumps(_bill_of_materials(wheel), indent=2) + "\n", encoding="utf-8")
    files = sorted((*named.values(), bill))
    sums = "".join(f"{_digest(file)}  {file.name}\n" for file in files)
    (DIST / "SHA256SUMS").write_text(sums, encoding="utf-8")
    sys.stdout.write(sums)
    return 0


def _built(folder: Path) -> dict[str, bytes]:
    """Return the files of a build, from a copy of what git tracks, in a folder of another name."""
    source, at = folder / "source", "0"
    if (ROOT / ".git").exists():
        tracked = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT).decode().split("\0")
        for name in tracked:
            if name and (ROOT / name).is_file():
                (source / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, source / name)
        at = subprocess.check_output(["git", "log", "-1", "--format=%ct"], cwd=ROOT, text=True).strip()
    else:
        source = ROOT
    shared = ("build", "--no-build-isolation", "--out-dir", folder / "dist", "--python", sys.executable)
    for other in OTHERS:
        _uv(*shared, "--wheel", source / other, time=at)
    _uv(*shared, source, time=at)
    return {
        file.name: file.read_bytes()
        for file in sorted((folder / "dist").iterdir())
        if file.name != ".gitignore"
    }


def _check_models(wheel: Path) -> None:
    """Check the wheel of the models: its size, and that they need pydantic alone, the oldest and the newest."""
    assert wheel.stat().st_size <= MAX_MODELS_BYTES, f"{wheel.name} has {wheel.stat().st_size} bytes"
    script = "from cardwright_models.a2a_v1_0 import AgentCard; print(AgentCard.model_json_schema()['title'])"
    for pydantic in OLDEST_PYDANTIC, "pydantic":
        run = ("run", "--isolated", "--no-project", "--python", sys.executable, "--with", wheel)
        assert _uv(*run, "--with", pydantic, "python", "-c", script) == "AgentCard\n"


def _check_other(wheel: Path, package: str) -> None:
    """Check that a wheel has one package, with its types, and requires the toolkit of the same version."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(name for name in names if name.endswith(".dist-info/METADATA")))
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {package}
    assert f"{package}/py.typed" in names
    assert not [name for name in names if name.endswith((".md", ".toml"))]
    parsed = Metadata.from_email(metadata, validate=True)
    required = {str(one).partition("[")[0].partition("==")[0] for one in parsed.requires_dist or []}
    assert "cardwright" in required, required


def _check(wheel: Path, source: Path) -> None:
    """Check the contents and the metadata, and run the wheel from a new environment."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(name for name in names if name.endswith(".dist-info/METADATA")))
    parsed = Metadata.from_email(metadata, validate=True)
    assert parsed.name == "cardwright"
    assert parsed.description_content_type == "text/markdown"
    assert parsed.license_expression == "Apache-2.0"
    assert f"cardwright-models=={parsed.version}" in map(str, parsed.requires_dist or [])
    packages = {name.partition("/")[0] for name in names if ".dist-info/" not in name}
    assert packages == {
        "cardwright", "cardwright_gateway_models", "cardwright_rules", "cardwright_runtime",
    }, packages  # fmt: skip
    assert all(f"{package}/py.typed" in names for package in packages)
    with tarfile.open(source) as archive:
        members = {member.name.partition("/")[2] for member in archive.getmembers()}
    # What the tests and the generator need is there.
    assert {"LICENSE", "Makefile", "schemas/README.md", "codegen/__main__.py", "tests/__init__.py"} <= members
    # A wheel of the source distribution is the same wheel.
    with tempfile.TemporaryDirectory() as folder:
        build = ("build", "--wheel", "--no-build-isolation", "--out-dir", folder)
        _uv(*build, "--python", sys.executable, source)
        (again,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(again) as archive:
            assert sorted(archive.namelist()) == sorted(names)
    run = ("tool", "run", "--isolated", "--python", sys.executable, "--find-links", DIST, "--from", wheel)
    output = _uv(*run, "cardwright", "check", CARD)
    assert "1 valid" in output, output


def _bill_of_materials(wheel: Path) -> dict[str, Any]:
    """Return what the gateway's install brings, pinned in `requirements/run.txt`, as CycloneDX 1.6."""
    pinned = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")
    version = wheel.name.split("-")[1]
    blocks = re.split(r"\n(?=\S)", pinned)
    components = []
    for block in blocks:
        match = _PINNED.match(block)
        if match is None:
            continue
        purl = f"pkg:pypi/{match['name'].lower()}@{match['version']}"
        components.append({
            "type": "library",
            "bom-ref": purl,
            "name": match["name"],
            "version": match["version"],
            "purl": purl,
            "properties": [
                {"name": "cardwright:sha256", "value": one["digest"]} for one in _HASH.finditer(block)
            ],
        })  # fmt: skip
    root = f"pkg:pypi/cardwright@{version}"
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application", "bom-ref": root, "name": "cardwright", "version": version, "purl": root,
                "hashes": [{"alg": "SHA-256", "content": _digest(wheel)}],
            }
        },
        "components": components,
    }  # fmt: skip


def _uv(*arguments: str | Path, time: str = "0") -> str:
    """Run uv, and return what it printed."""
    command = [str(UV), "--quiet", *map(str, arguments)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": time, "CARDWRIGHT_RELEASE": "1"}
    return subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, text=True).stdout


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
