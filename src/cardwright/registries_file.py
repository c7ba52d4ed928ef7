"""The open registries as a file: the names of an application, read by every command.

A file for `--registries`, or the settings of a project (`project_file`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.errors import BadConfiguration, CardError
from cardwright.project_file import ProjectFile, find_project, read_project
from cardwright.registries import Registries

if TYPE_CHECKING:
    import os


def read_registries(path: str | os.PathLike[str]) -> Registries:
    """Return the registries of a file: the canonical cores and the names in the file.

    Args:
        path: A TOML, JSON or YAML file (`.toml`, `.json`, any other suffix); of a `pyproject.toml`, its table
            `[tool.cardwright]`.

    Raises:
        BadConfiguration: If it cannot be read, or has faults; each is named with its JSON Pointer.
    """
    return registries_in(read_project(path))


def find_registries(folder: str | os.PathLike[str]) -> Registries | None:
    """Return the registries of the nearest settings file, in a folder or above it; None without one.

    Raises:
        BadConfiguration: If that file has faults.
    """
    file = find_project(folder)
    return None if file is None else registries_in(file)


def registries_in(file: ProjectFile) -> Registries:
    """Return the registries of a project: the canonical cores and the names in its file.

    Raises:
        BadConfiguration: If a name exists already.
    """
    value, pointer, source = file.value, file.pointer, file.source
    registries = Registries()
    at = pointer
    try:
        for name, entry in value.get("transports", {}).items():
            at = f"{pointer}/transports/{name}"
            registries.transports.register(
                name, **_plain(entry), delivery_class=entry.get("deliveryClass", "buffered")
            )
        for name, entry in value.get("authTypes", {}).items():
            at = f"{pointer}/authTypes/{name}"
            registries.auth_types.register(name, **_plain(entry))
        for name, entry in value.get("partTypes", {}).items():
            at = f"{pointer}/partTypes/{name}"
            registries.part_types.register(
                name,
                **entry["deliveryRules"],
                description=entry.get("description", ""),
                a2a_kind=entry.get("a2aKind", "data"),
                allowed_transports=entry.get("allowedTransports"),
                requires_peer_consumes=entry.get("requiresPeerConsumes", False),
            )
        for name, entry in value.get("conversationStates", {}).items():
            at = f"{pointer}/conversationStates/{name}"
            registries.conversation_states.register(name, **_plain(entry))
    except CardError as error:
        # The schema knows the form of a name, not which names exist already.
        raise BadConfiguration(source, f"{at}: {error}") from None
    return registries


def _plain(entry: Any) -> dict[str, Any]:
    return {"description": entry.get("description", ""), "requires": entry.get("requires", ())}
