"""The settings that hold for each input: options of the command line, and the nearest settings file of a project."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright.checks import DEFAULT_CHECKS, Checks
from cardwright.cli.fetch_options import is_url
from cardwright.cli.inputs import STDIN
from cardwright.cli.rule_selection import Selection, unknown
from cardwright.cli.terminal import fail
from cardwright.errors import BadConfiguration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.checks import RuleSet
    from cardwright.cli.folder_search import Patterns
    from cardwright.cli.inputs import Source
    from cardwright.cli.options import Given
    from cardwright.project_file import ProjectFile
    from cardwright.registries import Registries


@dataclass(frozen=True, slots=True)
class Effective:
    """The settings for one input.

    Attributes:
        dialect: The dialect to validate against; None to detect it.
        checks: The limits, registries and rule sets.
        strict: Whether warnings are errors.
        selection: The rules to report.
    """

    dialect: str | None = None
    checks: Checks = DEFAULT_CHECKS
    strict: bool = False
    selection: Selection = field(default_factory=Selection)


class Project:
    """The options of a command, over the settings file nearest to each input.

    An option replaces a setting, except that --ignore and --exclude add to it. For standard input and URLs, the
    settings file is that of the working folder.

    Args:
        given: The limits and the file of registries.
        dialect: The value of --dialect.
        strict: Whether --strict is given.
        rules: The value of --rules.
        select: The values of --select; each may have several, separated by commas.
        ignore: Those of --ignore.
        exclude: Those of --exclude.
    """

    def __init__(
        self,
        given: Given,
        *,
        dialect: str | None = None,
        strict: bool = False,
        rules: RuleSet | None = None,
        select: Sequence[str] = (),
        ignore: Sequence[str] = (),
        exclude: Sequence[str] = (),
    ) -> None:
        self._given = given
        self._dialect = dialect
        self._strict = strict
        self._rules = (rules,) if rules else ()
        self._select = _split("--select", select)
        self._ignore = _split("--ignore", ignore)
        self._exclude = tuple(exclude)
        self._files: dict[str, ProjectFile | None] = {}
        self._of_files: dict[str, Effective] = {}
        self._registries: Registries | None = None
        if given.registries is not None:
            from cardwright.cli.options import registries_of

            self._registries = registries_of(given.registries)

    def of(self, source: Source) -> Effective:
        """Return the settings for an input; end the command if the settings file has faults."""
        named = source.name == STDIN or is_url(source.name)
        file = self._file("." if named else os.path.dirname(source.name) or ".")  # noqa: PTH120 - a path as given
        key = file.source if file else ""
        if key not in self._of_files:
            self._of_files[key] = self._effective(file)
        effective = self._of_files[key]
        ignores = file.value.get("per-file-ignores", {}) if file and not named else {}
        if not ignores or file is None:
            return effective
        path = os.path.abspath(source.name)  # noqa: PTH100 - links are not resolved
        ignored = [
            selector
            for pattern, selectors in ignores.items()
            if _patterns(file, "per-file-ignores", [pattern]).matches(path)
            for selector in selectors
        ]
        selection = effective.selection.without(ignored)
        return Effective(effective.dialect, effective.checks, effective.strict, selection)

    def excluded(self, folder: str) -> Sequence[Patterns]:
        """Return what is left out in a folder."""
        from cardwright.cli.folder_search import Patterns as Compiled

        found: list[Patterns] = []
        if self._exclude:
            try:
                found.append(Compiled.of(".", self._exclude))
            except ValueError as error:
                fail(f"--exclude: {error}")
        file = self._file(folder)
        if file and "exclude" in file.value:
            found.append(_patterns(file, "exclude", file.value["exclude"]))
        return found

    def _file(self, folder: str) -> ProjectFile | None:
        from cardwright.project_file import find_project

        if folder not in self._files:
            try:
                self._files[folder] = find_project(folder)
            except BadConfiguration as error:
                fail(str(error))
        return self._files[folder]

    def _effective(self, file: ProjectFile | None) -> Effective:
        value: Any = file.value if file else {}
        names = [*value.get("select", ()), *value.get("ignore", ())]
        names += [name for ignored in value.get("per-file-ignores", {}).values() for name in ignored]
        if file and (wrong := unknown(names)):
            fail(f"{file.source}: {_unknown(wrong)}")
        return Effective(
            self._dialect or value.get("dialect"),
            Checks(
                limits=self._given.limits,
                registries=self._registries or _registries(file),
                rules=self._rules or tuple(value.get("rules", ())),
            ),
            self._strict or value.get("strict", False),
            Selection(
                self._select or tuple(value.get("select", ("ALL",))),
                (*value.get("ignore", ()), *self._ignore),
            ),
        )


def _registries(file: ProjectFile | None) -> Registries | None:
    from cardwright.registries_file import registries_in

    try:
        return registries_in(file) if file else None
    except BadConfiguration as error:
        fail(str(error))


def _patterns(file: ProjectFile, setting: str, patterns: Sequence[str]) -> Patterns:
    from cardwright.cli.folder_search import Patterns as Compiled

    try:
        return Compiled.of(file.folder, patterns)
    except ValueError as error:
        fail(f"{file.source}: {setting}: {error}")


def _split(option: str, values: Sequence[str]) -> tuple[str, ...]:
    """Return the selectors of an option; end the command if one names no rule."""
    names = tuple(name.strip() for value in values for name in value.split(",") if name.strip())
    if wrong := unknown(names):
        fail(f"{option}: {_unknown(wrong)}")
    return names


def _unknown(names: Sequence[str]) -> str:
    return f"unknown rule or area {names[0]!r}; `cardwright explain` lists the rules"
