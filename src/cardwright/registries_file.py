"""The open registries as a file: the names of an application, read by every command.

A file for `--registries`, or the table `[tool.cardwright]` of `pyproject.toml`; the schema is
`schemas/settings/registries.schema.json`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadConfiguration, CardError
from cardwright.registries import Registries
from cardwright.settings_file import faults, read_settings
from cardwright_runtime.engine import compile_schema, load

if TYPE_CHECKING:
    import os

    from jsonschema_rs import Validator

PROJECT_FILE: Final = "pyproject.toml"
TABLE: Final = "tool.cardwright"


def read_registries(path: str | os.PathLike[str]) -> Registries:
    """Return the registries of a file: the canonical cores and the names in the file.

    Args:
        path: A TOML, JSON or YAML file (`.toml`, `.json`, any other suffix); of a `pyproject.toml`, its table
            `[tool.cardwright]`.

    Raises:
        BadConfiguration: If it cannot be read, or has faults; each is named with its JSON Pointer.
    """
    file = Path(path)
    value = read_settings(file)
    if file.name != PROJECT_FILE:
        return _registries(value, str(file))
    table = _project_table(value)
    if table is None:
        raise BadConfiguration(str(file), f"it has no table [{TABLE}]")
    return _registries(table, str(file), f"/{TABLE.replace('.', '/')}")


def find_registries(folder: str | os.PathLike[str]) -> Registries | None:
    """Return the registries of the nearest `pyproject.toml`, in a folder or above it; None if it names none.

    Raises:
        BadConfiguration: If that file is not valid TOML, or its table `[tool.cardwright]` has faults.
    """
    start = Path(folder).absolute()
    file = next((at for one in (start, *start.parents) if (at := one / PROJECT_FILE).is_file()), None)
    table = _project_table(read_settings(file)) if file else None
    return None if table is None else _registries(table, str(file), f"/{TABLE.replace('.', '/')}")


def _project_table(value: Any) -> Any:
    for name in TABLE.split("."):
        value = value.get(name) if type(value) is dict else None
    return value


def _registries(value: Any, source: str, pointer: str = "") -> Registries:
    if violations := faults(value, _validator(), _schema()):
        raise BadConfiguration(source, *(_below(pointer, violation) for violation in violations))
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


def _below(pointer: str, violation: str) -> str:
    """Return a violation with its JSON Pointer below another one."""
    return (
        f"{pointer}{violation.removeprefix('/')}"
        if pointer and violation[:2] == "/:"
        else pointer + violation
    )


def _plain(entry: Any) -> dict[str, Any]:
    return {"description": entry.get("description", ""), "requires": entry.get("requires", ())}


def _schema() -> Any:
    return load("cardwright_models.settings", "registries.json")


@cache
def _validator() -> Validator:
    return compile_schema(_schema())
