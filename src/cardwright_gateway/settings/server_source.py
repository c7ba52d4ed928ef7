"""The connection to an MCP server that a `server.json` or a server card of the operator describes.

A remote is preferred: then nothing is started. A package is started by its runner only if the file has no remote; the file is
the operator's own, never a fetched document, because it names a command.

Sources: MCP registry 2025-12-11 (`server.json`, Package and Input); MCP Server Card v1 (Remote).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cardwright.card import ServerCard
from cardwright.errors import BadConfiguration, MalformedDocument, UnknownDialect
from cardwright.regular_file import read_regular_file

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAX_BYTES: Final = 1024 * 1024
_VARIABLE: Final = re.compile(r"\{([^{}\s]{1,100})\}")
# The runner of each registry, its arguments before the package, and how it takes a version.
_RUNNERS: Final = {
    "npm": ("npx", ("--yes",), "{identifier}@{version}"),
    "pypi": ("uvx", (), "{identifier}@{version}"),
    "nuget": ("dnx", ("--yes",), "{identifier}@{version}"),
    "oci": ("docker", ("run", "-i", "--rm"), "{identifier}"),
}
_FIELDS: Final = ("server_json", "server_card")


def transport_of(source: Mapping[str, Any], at: str) -> dict[str, Any]:
    """Return the `transport` of an agent whose settings have a `source`.

    Args:
        source: `server_json` or `server_card`, the absolute path of the file, and `inputs`, the values that it asks for.
        at: The pointer of `source`, for messages.

    Raises:
        BadConfiguration: If the file cannot be read, is invalid, names no server that can be reached, or asks for an input
            that is missing.
    """
    name = next(name for name in _FIELDS if name in source)
    at = f"{at}/{name}"
    document = _read(source[name], at).document
    inputs = _Inputs(source.get("inputs", {}), at)
    remotes, packages = document.get("remotes") or (), document.get("packages") or ()
    if remotes:
        return _remote(remotes[0], inputs)
    package = next((one for one in packages if one["transport"]["type"] == "stdio"), None)
    if package is None:
        raise BadConfiguration(
            "",
            f"{at}: the file names neither a remote nor a package with the transport stdio; give `url` or `command`"
            " instead of `source`",
        )
    return _package(package, inputs, at)


def _read(path: str, at: str) -> ServerCard:
    try:
        server = ServerCard.from_bytes(read_regular_file(path, _MAX_BYTES))
    except OSError as error:
        raise BadConfiguration("", f"{at}: {Path(path).name}: {error.strerror or error}") from None
    except (MalformedDocument, UnknownDialect) as error:
        raise BadConfiguration("", f"{at}: {Path(path).name}: {error}") from None
    if server.errors:
        first = server.errors[0]
        raise BadConfiguration(
            "",
            f"{at}: {Path(path).name}: {first.pointer}: {first.message}; cardwright check lists all errors",
        )
    if str(server.dialect) == "mcp-server-card-1649":
        raise BadConfiguration(
            "",
            f"{at}: {Path(path).name} is an older server card; convert it with cardwright convert --to mcp-server-card-1",
        )
    return server


def _remote(remote: Mapping[str, Any], inputs: _Inputs) -> dict[str, Any]:
    headers: dict[str, str] = {}
    for header in remote.get("headers") or ():
        value = inputs.value(header, header["name"])
        if value is not None:
            headers[header["name"]] = value
    kind = "sse" if remote["type"] == "sse" else "http"
    url = inputs.filled(remote["url"], remote.get("variables") or {})
    return {"type": kind, "url": url, **({"headers": headers} if headers else {})}


def _package(package: Mapping[str, Any], inputs: _Inputs, at: str) -> dict[str, Any]:
    """Return the command that runs a package."""
    kind = package["registryType"]
    if kind not in _RUNNERS:
        known = ", ".join(sorted(_RUNNERS))
        raise BadConfiguration(
            "", f"{at}: packages of the registry {kind!r} are not started: give `command` (known: {known})"
        )
    runner, before, form = _RUNNERS[kind]
    version = package.get("version")
    name = (
        form.format(identifier=package["identifier"], version=version) if version else package["identifier"]
    )
    environment: dict[str, str] = {}
    for variable in package.get("environmentVariables") or ():
        value = inputs.value(variable, variable["name"])
        if value is not None:
            environment[variable["name"]] = value
    passed = [word for each in environment for word in ("-e", each)] if kind == "oci" else []
    own = _arguments(package.get("runtimeArguments"), inputs)
    arguments = [*(word for word in before if word not in own), *passed, *own, name]
    arguments += _arguments(package.get("packageArguments"), inputs)
    return {"type": "stdio", "command": runner, "args": arguments, "env": environment}


def _arguments(items: Any, inputs: _Inputs) -> list[str]:
    words: list[str] = []
    for item in items or ():
        if item["type"] == "named":
            value = inputs.value(item, item["name"], is_flag=True)
            words += [] if value is None else [item["name"]] if value == "" else [item["name"], value]
        else:
            value = inputs.value(item, item.get("valueHint", ""))
            words += [] if value is None else [value]
    return words


class _Inputs:
    """The values that the operator gives for what a description asks for."""

    def __init__(self, given: Mapping[str, str], at: str) -> None:
        self._given = given
        self._at = at

    def value(self, wanted: Mapping[str, Any], name: str, *, is_flag: bool = False) -> str | None:
        """Return the value of a header, a variable or an argument; None if it is optional and not given.

        Raises:
            BadConfiguration: If it is required and missing, or is not one of the choices.
        """
        if name in self._given:
            return self._chosen(wanted, name, self._given[name])
        fixed = wanted.get("value")
        if fixed is not None:
            return self.filled(fixed, wanted.get("variables") or {})
        if wanted.get("default") is not None:
            return str(wanted["default"])
        if wanted.get("isRequired"):
            self._missing(name)
        return "" if is_flag and not wanted.get("placeholder") and "format" not in wanted else None

    def filled(self, text: str, variables: Mapping[str, Any]) -> str:
        """Return a text with each `{name}` replaced.

        Raises:
            BadConfiguration: If a value is missing.
        """

        def replaced(match: re.Match[str]) -> str:
            name = match[1]
            value = self.value({**variables.get(name, {}), "isRequired": True}, name)
            return "" if value is None else value

        return _VARIABLE.sub(replaced, text)

    def _chosen(self, wanted: Mapping[str, Any], name: str, value: str) -> str:
        choices = wanted.get("choices")
        if choices and value not in choices:
            raise BadConfiguration("", f"{self._at}: inputs/{name} must be one of {', '.join(choices)}")
        return value

    def _missing(self, name: str) -> None:
        raise BadConfiguration(
            "",
            f'{self._at}: the server needs a value for "{name}": add it to `inputs`, a secret as ${{NAME}}',
        )
