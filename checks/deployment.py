"""`python -m checks.deployment [--wheel FOLDER]`: check the files of `deploy/`.

Lints the Dockerfile, validates the Kubernetes manifests, and runs the commands of the Dockerfile. With a wheel in FOLDER,
that is installed instead of one that the commands build.

The commands run in a fresh folder with this Python, since few machines have a container engine: the environment, the wheel,
the start command with the health check. The paths of the image become paths of the folder.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cardwright.serve.listening import free_port
from checks.installs import wheel_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT: Final = Path(__file__).parent.parent
TOOLS: Final = ROOT / ".venv-deploy/bin"
DOCKERFILE: Final = ROOT / "deploy/Dockerfile"
MANIFESTS: Final = sorted((ROOT / "deploy/kubernetes").glob("*.yaml"))
SETTINGS: Final = """
base_url: https://gateway.example.com
store: ":memory:"
agents:
  kept: {card: {name: Kept, description: A card., version: 1.0.0, capabilities: {}, defaultInputModes: [text/plain],
    defaultOutputModes: [text/plain], skills: [{id: a, name: A, description: A., tags: [a]}],
    supportedInterfaces: [{url: "https://a.example.com", protocolBinding: JSONRPC, protocolVersion: "1.0"}]}}
"""


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """Yield the instructions of a Dockerfile, each with its arguments in one line."""
    lines = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    for line in re.sub(r"\\\n\s*", " ", lines).split("\n"):
        name, _, arguments = line.partition(" ")
        if name:
            yield name, arguments.strip()


def run(command: list[str], folder: Path, environment: Mapping[str, str]) -> None:
    """Run a command, and fail with its output."""
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{shlex.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")


def check_files() -> None:
    """Lint the Dockerfile, and validate the manifests."""
    environment = dict(os.environ)
    run([str(TOOLS / "hadolint"), str(DOCKERFILE)], ROOT, environment)
    print("hadolint: no findings")
    assert MANIFESTS
    for manifest in MANIFESTS:
        run([str(TOOLS / "kubernetes-validate"), "--strict", str(manifest)], ROOT, environment)
        print(f"kubernetes-validate: {manifest.relative_to(ROOT)} is valid")


def with_wheel(command: str, wheel: Path | None) -> str:
    """Return a command that copies the wheels of a folder where it would build them."""
    if wheel is None:
        return command
    copy = f"cp {wheel.parent.resolve()}/cardwright*.whl"
    return re.sub(
        r"\S+/python -m pip wheel .*?--wheel-dir (\S+)( \S+){4}", rf"mkdir \1 && {copy} \1", command
    )


def run_commands(folder: Path, wheel: Path | None) -> None:
    """Run each RUN and COPY of the build stage, then the start command, and its health check until it succeeds."""
    work, environment = folder / "build", dict(os.environ)
    work.mkdir()
    (folder / "bin").mkdir()
    for name in ("python", "python3"):
        (folder / "bin" / name).symlink_to(getattr(sys, "_base_executable", sys.executable))
    environment["PATH"] = f"{folder / 'bin'}{os.pathsep}{environment['PATH']}"
    stage, start, health = 0, "", ""
    for name, arguments in instructions(DOCKERFILE.read_text(encoding="utf-8")):
        moved = arguments.replace("/opt/", f"{folder}/opt/")
        if name == "FROM":
            stage += 1
        elif name == "RUN":
            # The environment of the tools only builds the wheel.
            if wheel is not None and "venv /opt/tools" in arguments:
                continue
            began = time.monotonic()
            run(["sh", "-ec", with_wheel(moved, wheel)], work, environment)
            print(f"RUN {arguments[:60]} …: {time.monotonic() - began:.0f} s")
        elif name == "COPY" and stage == 1:
            *sources, target = arguments.split()
            for source in sources:
                place = work / target / (source if len(sources) > 1 else "")
                if (ROOT / source).is_dir():
                    shutil.copytree(ROOT / source, place, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    shutil.copy(ROOT / source, place)
        elif name == "CMD":
            start = arguments
        elif name == "HEALTHCHECK":
            health = arguments.partition("CMD ")[2]
    assert stage == 2
    check_start(folder, start, health)


def check_start(folder: Path, start: str, health: str) -> None:
    """Start the gateway as the image does, and run the health check until it succeeds."""
    settings, port = folder / "gateway.yml", str(free_port("127.0.0.1", 0))
    settings.write_text(SETTINGS, encoding="utf-8")
    environment = {"PATH": f"{folder}/opt/cardwright/bin{os.pathsep}/usr/bin:/bin"}

    def command(text: str) -> list[str]:
        moved = text.replace("/etc/cardwright/gateway.yml", str(settings)).replace("0.0.0.0", "127.0.0.1")
        return [str(part) for part in json.loads(moved.replace("4000", port))]

    gateway = subprocess.Popen(
        command(start),
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        deadline = time.monotonic() + 60
        while True:
            probe = subprocess.run(command(health), env=environment, capture_output=True, check=False)
            if probe.returncode == 0:
                break
            if gateway.poll() is not None or time.monotonic() > deadline:
                gateway.kill()
                sys.exit(f"the gateway is not healthy:\n{gateway.communicate()[0]}")
            time.sleep(0.5)
        print("CMD: started, and HEALTHCHECK succeeded")
    finally:
        gateway.terminate()
        gateway.wait(30)


def main() -> None:
    """Run all checks."""
    parser = argparse.ArgumentParser(prog="python -m checks.deployment")
    parser.add_argument("--wheel", type=Path, metavar="FOLDER", help="a folder with the wheel to install")
    options = parser.parse_args()
    check_files()
    with tempfile.TemporaryDirectory() as folder:
        run_commands(Path(folder), wheel_of(options.wheel) if options.wheel else None)


if __name__ == "__main__":
    main()
