"""Rewrite the 0.x fields and the 1.0 fields of an A2A card, and keep both halves of a hybrid consistent.

Readers of both halves of a hybrid must find the same endpoints. A half without an interface that the gateway
supports is removed, and the card gets the dialect of the other half.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion.interfaces import FULL_VERSIONS
from cardwright.conversion.notes import Notes, below
from cardwright.conversion.security import requirements_from_hub, requirements_to_hub
from cardwright.errors import ConnectionDenied
from cardwright.guard.target import target_of
from cardwright.view.interfaces import major_minor
from cardwright_models.a2a_facts import DEFAULT_TRANSPORT, OLDER_FIELDS

if TYPE_CHECKING:
    from cardwright_gateway.catalog.rewriting.passage import Passage

_LISTED: Final = "additionalInterfaces"
_NEWER: Final = "supportedInterfaces"


def a2a(document: dict[str, Any], passage: Passage) -> tuple[bool, bool]:
    """Rewrite the interfaces of an A2A card's document in place.

    Returns:
        Whether only one half of a hybrid is left, and whether an interface is left.
    """
    hybrid = _NEWER in document and any(document.get(name) is not None for name in ("url", _LISTED))
    newer, older = _newer(document, passage), _older(document, passage)
    if not hybrid:
        return False, newer or older
    if newer and older:
        if passage.removed:
            _agree(document, passage)
        return False, True
    if older:
        _drop_newer(document, passage)
    else:
        _drop_older(document, passage)
    return True, newer or older


def _newer(document: dict[str, Any], passage: Passage) -> bool:
    """Rewrite `supportedInterfaces`; return whether one is left."""
    if _NEWER not in document:
        return False
    items = document[_NEWER]
    if type(items) is not list:
        passage.note(f"/{_NEWER}", "removed: it is not a list of interfaces")
        passage.removed = True
        items = []
    document[_NEWER] = passage.listed(items, _NEWER)
    return bool(document[_NEWER])


def _older(document: dict[str, Any], passage: Passage) -> bool:
    """Rewrite `url` and its companions; return whether an interface is left."""
    main = passage.url("/url", "/url") if document.get("url") is not None else None
    items = document.get(_LISTED)
    if items is not None and type(items) is not list:
        passage.note(f"/{_LISTED}", "removed: it is not a list of interfaces")
        passage.removed = True
    interfaces = passage.listed(items, _LISTED) if type(items) is list else []
    if items is not None:
        # An empty list stays, because it identifies the dialect of a card without a version.
        document[_LISTED] = interfaces
    if main is not None:
        document["url"] = main
    elif "url" in document:
        _promote(document, interfaces, passage)
    if interfaces and "url" in document:
        _list_main(document, interfaces, passage)
    return main is not None or bool(interfaces)


def _promote(document: dict[str, Any], interfaces: list[Any], passage: Passage) -> None:
    """Replace an unsupported main interface by the first additional interface (A2A 0.3 §5.6.1)."""
    if not interfaces:
        document.pop("preferredTransport", None)
        del document["url"]
        return
    document["url"] = interfaces[0]["url"]
    document["preferredTransport"] = interfaces[0].get("transport", DEFAULT_TRANSPORT)
    passage.note("/url", "replaced by the first additional interface that the gateway supports")


def _list_main(document: dict[str, Any], interfaces: list[Any], passage: Passage) -> None:
    """List the main interface too if others have its URL: readers would assume its transport (0.3 §5.6.4)."""
    url, preferred = document["url"], document.get("preferredTransport")
    transport = preferred if type(preferred) is str else DEFAULT_TRANSPORT
    transports = [entry.get("transport") for entry in interfaces if entry["url"] == url]
    if transports and transport not in transports:
        document[_LISTED] = [{"url": url, "transport": transport}, *interfaces]
        passage.note(f"/{_LISTED}", "the main interface is listed too, because others have the same URL now")


def _agree(document: dict[str, Any], passage: Passage) -> None:
    """Make both halves list the same interfaces, after some were removed from one of them."""
    listed = [("", document, "preferredTransport")] if "url" in document else []
    listed += [
        (f"/{_LISTED}/{at}", entry, "transport") for at, entry in enumerate(document.get(_LISTED) or ())
    ]
    older = {_key(entry, name): (entry, name) for _, entry, name in listed}
    agreed: list[Any] = []
    for entry in document[_NEWER]:
        declared = entry.get("protocolVersion")
        if (
            type(declared) is str
            and declared.startswith("0.")
            and _key(entry, "protocolBinding") not in older
        ):
            passage.note(f"/{_NEWER}", "removed: this 0.x interface was removed from the older half")
        else:
            agreed.append(entry)
    newer = {_key(entry, "protocolBinding") for entry in agreed}
    version = passage.older_version
    for key, (entry, name) in older.items():
        if key not in newer:
            binding = entry.get(name, DEFAULT_TRANSPORT)
            agreed.append({"url": entry["url"], "protocolBinding": binding, "protocolVersion": version})
            passage.note(f"/{_NEWER}", "added: an interface of the older half was missing here")
    document[_NEWER] = agreed


def _key(entry: dict[str, Any], name: str) -> tuple[str, str]:
    url = str(entry["url"])
    # Equivalent URLs are one interface; an invalid URL is compared as text.
    with suppress(ConnectionDenied):
        url = target_of(url).url
    return url, str(entry.get(name, DEFAULT_TRANSPORT)).casefold()


def _drop_newer(document: dict[str, Any], passage: Passage) -> None:
    """Remove the 1.0 half, and copy its security requirements to the older half if that has none."""
    passage.note(
        f"/{_NEWER}", "removed: no interface of the 1.0 half is left, so the card is an A2A 0.x card"
    )
    capabilities = document.get("capabilities")
    if type(capabilities) is dict and type(capabilities.get("extendedAgentCard")) is bool:
        document.setdefault("supportsAuthenticatedExtendedCard", capabilities["extendedAgentCard"])
    del document[_NEWER]
    _requirements(document, "securityRequirements", "security")
    declared = major_minor(document.get("protocolVersion"))
    if declared is not None and not declared.startswith("0."):
        document["protocolVersion"] = FULL_VERSIONS[passage.older_version]


def _drop_older(document: dict[str, Any], passage: Passage) -> None:
    """Remove the older half, and copy its security requirements to the 1.0 half if that has none."""
    # A hybrid may lack any one of these fields.
    first = next((name for name in OLDER_FIELDS if name in passage.card.document), "")
    passage.note(
        f"/{first}" if first else "",
        "removed: no interface of the older half is left, so the card is an A2A 1.0 card",
    )
    capabilities, flag = document.get("capabilities"), document.get("supportsAuthenticatedExtendedCard")
    if type(capabilities) is dict and type(flag) is bool:
        document["capabilities"] = {"extendedAgentCard": flag, **capabilities}
    _requirements(document, "security", "securityRequirements")
    for name in OLDER_FIELDS:
        document.pop(name, None)


def _requirements(document: dict[str, Any], old: str, new: str) -> None:
    """Convert the security requirements of the card and of each skill from one half to the other."""
    _convert_requirements(document, old, new)
    skills = document.get("skills")
    if type(skills) is not list or not any(type(skill) is dict and old in skill for skill in skills):
        return
    document["skills"] = [dict(skill) if type(skill) is dict else skill for skill in skills]
    for index, skill in enumerate(document["skills"]):
        if type(skill) is dict:
            _convert_requirements(skill, old, new, below("/skills", index))


def _convert_requirements(holder: dict[str, Any], old: str, new: str, at: str = "") -> None:
    if old not in holder:
        return
    requirements = holder.pop(old)
    if new not in holder and type(requirements) is list:
        to_hub = new == "securityRequirements"
        holder[new] = (
            requirements_to_hub(requirements) if to_hub else requirements_from_hub(requirements, at, Notes())
        )
