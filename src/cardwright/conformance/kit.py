"""The conformance kit: its cases, read from a folder or from the archive that `python -m conformance.build` builds."""

from __future__ import annotations

import json
import tarfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadConfiguration
from cardwright.regular_file import read_regular_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardwright_runtime.violation import JsonObject

OPERATIONS: Final = (
    "decode",
    "detect",
    "validate",
    "convert",
    "diff",
    "canonical",
    "sign",
    "verify",
    "serve",
)
# What a case holds an implementation to: MUST and SHOULD of a specification (RFC 2119), or a decision of this project.
LEVELS: Final = ("MUST", "SHOULD", "project decision")
ARCHIVES: Final = "cardwright-conformance-*.tar.gz"
MANIFEST: Final = "kit.json"
# A kit is far smaller: an archive must not fill the memory (project decision).
MAX_BYTES: Final = 256 * 2**20


@dataclass(frozen=True, slots=True)
class Case:
    """One question to an implementation, and the answer that the specification demands.

    Attributes:
        id: Its name, unique in the kit: operation, file and description.
        operation: One of `OPERATIONS`.
        description: What the case shows, in one sentence.
        requirements: The ids of the requirements that it holds.
        spec: The sections of specifications that they come from.
        level: One of `LEVELS`.
        input: What the program is given.
        expect: What its answer is compared with; the program does not see it.
    """

    id: str
    operation: str
    description: str
    requirements: tuple[str, ...]
    spec: tuple[str, ...]
    level: str
    input: JsonObject
    expect: JsonObject


@dataclass(frozen=True, slots=True)
class Kit:
    """The cases of one version of the kit, sorted by id."""

    version: str
    cases: tuple[Case, ...]

    def selected(
        self,
        *,
        operations: tuple[str, ...] = (),
        levels: tuple[str, ...] = (),
        patterns: tuple[str, ...] = (),
    ) -> tuple[Case, ...]:
        """Return the cases of some operations and levels whose id has one of the patterns; without any, all.

        Args:
            operations: Some of `OPERATIONS`.
            levels: Some of `LEVELS`.
            patterns: Shell patterns of ids, such as `validate/a2a-1.0/*`.
        """
        from fnmatch import fnmatchcase

        return tuple(
            case
            for case in self.cases
            if (not operations or case.operation in operations)
            and (not levels or case.level in levels)
            and (not patterns or any(fnmatchcase(case.id, pattern) for pattern in patterns))
        )


def find_kit(folder: Path) -> Path | None:
    """Return the kit of a folder: the folder itself, if it is an unpacked kit, or the newest archive in it or in `dist`."""
    if (folder / MANIFEST).is_file() and (folder / "cases").is_dir():
        return folder
    archives = [*folder.glob(ARCHIVES), *(folder / "dist").glob(ARCHIVES)]
    return max(archives, key=lambda path: path.stat().st_mtime_ns, default=None)


def read_kit(path: Path) -> Kit:
    """Return the kit at a path: an unpacked folder, or an archive.

    Raises:
        BadConfiguration: If it is not a kit, or a case of it is not one.
    """
    try:
        files = dict(_in_folder(path) if path.is_dir() else _in_archive(path))
        if MANIFEST not in files:
            raise BadConfiguration(str(path), f"is not a conformance kit: it has no {MANIFEST}")
        # Cases have values that the decoder of this package refuses.
        manifest, *parts = map(json.loads, (files.pop(MANIFEST), *files.values()))  # noqa: TID251 - see above
        cases = [_case(case) for part in parts for case in part["cases"]]
    except OSError as error:
        raise BadConfiguration(str(path), f"cannot be read: {error.strerror or error}") from None
    except (tarfile.TarError, EOFError):
        raise BadConfiguration(
            str(path), "is not a tar archive: name a kit that `python -m conformance.build` built"
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadConfiguration(str(path), f"a case file is not valid: {error}") from None
    return Kit(str(manifest["version"]), tuple(sorted(cases, key=lambda case: case.id)))


def _case(given: dict[str, Any]) -> Case:
    if given["operation"] not in OPERATIONS or given["level"] not in LEVELS:
        raise ValueError(f"{given['id']}: unknown operation or level")
    return Case(
        str(given["id"]),
        given["operation"],
        str(given["description"]),
        tuple(given["requirements"]),
        tuple(given["spec"]),
        given["level"],
        given["input"],
        given["expect"],
    )


def _in_folder(path: Path) -> Iterator[tuple[str, bytes]]:
    for file in (path / MANIFEST, *sorted((path / "cases").rglob("*.json"))):
        if file.is_file():
            yield file.relative_to(path).as_posix(), read_regular_file(file, MAX_BYTES)


def _in_archive(path: Path) -> Iterator[tuple[str, bytes]]:
    left = MAX_BYTES
    with tarfile.open(path, "r:gz") as archive:
        for member in archive:
            # Files that are skipped are decompressed, too.
            left -= member.size
            if left < 0:
                raise BadConfiguration(str(path), f"has more than {MAX_BYTES // 2**20} MiB of files")
            # Every kit has one folder at its top.
            name = member.name.partition("/")[2]
            is_case = name.startswith("cases/") and name.endswith(".json")
            if not member.isfile() or not (is_case or name == MANIFEST):
                continue
            file = archive.extractfile(member)
            if file is not None:
                yield name, file.read()
