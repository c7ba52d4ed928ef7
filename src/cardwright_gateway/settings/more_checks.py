"""Checks of owners, token issuers and webhooks that JSON Schema cannot express."""

from __future__ import annotations

import base64
import binascii
import ipaddress
from typing import TYPE_CHECKING, Any, Final

from cardwright.errors import BadConfiguration

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEY_BYTES: Final = 32


def checked_webhooks(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the webhook settings, with the encryption key in base64url.

    Raises:
        BadConfiguration: If a network or the key is invalid.
    """
    for index, network in enumerate(settings.get("allow", ())):
        try:
            ipaddress.ip_network(network, strict=False)
        except ValueError:
            raise BadConfiguration(
                "", f"/webhooks/allow/{index}: not a network; write a network such as 10.0.0.0/8"
            ) from None
    if "encryption_key" in settings:
        return {**settings, "encryption_key": _key(settings["encryption_key"])}
    return dict(settings)


def _key(text: str) -> str:
    try:
        # openssl writes base64, not base64url (RFC 4648 §4).
        key = base64.b64decode(
            text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), validate=True
        )
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != _KEY_BYTES:
        raise BadConfiguration(
            "",
            "/webhooks/encryption_key: expected 32 bytes in base64 or base64url;"
            " create a key with `openssl rand -base64 32`",
        )
    return base64.urlsafe_b64encode(key).decode()


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
