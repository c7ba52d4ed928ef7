"""Checks of owners and token issuers that JSON Schema cannot express."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.errors import BadConfiguration

if TYPE_CHECKING:
    from collections.abc import Mapping


def owners_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the owners of a settings file, each with its subject and, if issuers are configured, its issuer.

    Raises:
        BadConfiguration: If an issuer is unknown or repeated, or two owners have the same subject.
    """
    issuers = [issuer["issuer"] for issuer in settings.get("jwt", ())]
    for index, issuer in enumerate(issuers):
        if issuer in issuers[:index]:
            raise BadConfiguration(
                "", f"/jwt: the issuer {issuer!r} is listed twice; remove one of the entries"
            )
    owners = {
        name: _owner(name, definition, issuers) for name, definition in settings.get("owners", {}).items()
    }
    known: dict[tuple[Any, Any], str] = {}
    for name, owner in owners.items():
        other = known.setdefault((owner.get("issuer"), owner["subject"]), name)
        if other != name:
            raise BadConfiguration(
                "", f"/owners/{name}: the owner {other} has the same subject; subjects must be unique"
            )
    return owners


def _owner(name: str, definition: Mapping[str, Any], issuers: list[str]) -> dict[str, Any]:
    owner = {"subject": name, **definition}
    if "issuer" in owner and owner["issuer"] not in issuers:
        raise BadConfiguration("", f"/owners/{name}/issuer: unknown issuer; add it to `jwt`")
    if "issuer" not in owner and len(issuers) > 1:
        raise BadConfiguration(
            "", f"/owners/{name}: issuer is missing; it is required because several issuers are trusted"
        )
    return owner if "issuer" in owner or not issuers else {**owner, "issuer": issuers[0]}
