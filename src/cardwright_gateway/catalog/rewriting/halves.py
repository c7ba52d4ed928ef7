"""The older members of an A2A card and the 1.0 ones: each half rewritten, and both of a hybrid agreeing.

A hybrid has two readers, and each must find the same endpoints; a half in which the gateway carries
nothing goes as a whole, and the card is one of the other half's dialect.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from cardwright.conversion.interfaces import DEFAULT_TRANSPORT, FULL_VERSIONS, major_minor
from cardwright.conversion.notes import Notes, below
from cardwright.conversion.security import requirements_from_hub, requirements_to_hub
from cardwright.errors import ConnectionDenied
from cardwright_gateway.upstream.urls import read

if TYPE_CHECKING:
    from cardwright_gateway.catalog.rewriting.passage import Passage

_LISTED: Final = "additionalInterfaces"
_NEWER: Final = "supportedInterfaces"
# What only the older half says at the root.
_OLDER: Final = (
    "url",
    "preferredTransport",
    _LISTED,
    "protocolVersion",
    "security",
    "supportsAuthenticatedExtendedCard",
)


def a2a(document: dict[str, Any], passage: Passage) -> tuple[bool, bool]:
    """Rewrite the interfaces of an A2A card's document in place.

    Returns:
        Whether one of a hybrid's halves is left alone, and whether an interface is left.
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
        passage.note(f"/{_NEWER}", "removed: it is no list of interfaces, so nobody reads any there")
        passage.removed = True
        items = []
    document[_NEWER] = passage.listed(items, _NEWER)
    return bool(document[_NEWER])


def _older(document: dict[str, Any], passage: Passage) -> bool:
    """Rewrite `url` and its companions; return whether an interface is left."""
    main = passage.url("/url", "/url") if document.get("url") is not None else None
    items = document.get(_LISTED)
    if items is not None and type(items) is not list:
        passage.note(f"/{_LISTED}", "removed: it is no list of interfaces, so nobody reads any there")
        passage.removed = True
    kept = passage.listed(items, _LISTED) if type(items) is list else []
    if items is not None:
        # An empty list stays, since it also tells the dialect of a card that says no version.
        document[_LISTED] = kept
    if main is not None:
        document["url"] = main
    elif "url" in document:
        _promote(document, kept, passage)
    if kept and "url" in document:
        _list_main(document, kept, passage)
    return main is not None or bool(kept)


def _promote(document: dict[str, Any], kept: list[Any], passage: Passage) -> None:
    """Make the first additional interface the main one, which is not carried (A2A 0.3 §5.6.1)."""
    if not kept:
        document.pop("preferredTransport", None)
        del document["url"]
        return
    document["url"] = kept[0]["url"]
    document["preferredTransport"] = kept[0].get("transport", DEFAULT_TRANSPORT)
    passage.note("/url", "the first additional interface that the gateway carries is the main one instead")


def _list_main(document: dict[str, Any], kept: list[Any], passage: Passage) -> None:
    """List the main interface beside others at its URL, or readers take its transport for theirs (0.3 §5.6.4)."""
    url, preferred = document["url"], document.get("preferredTransport")
    transport = preferred if type(preferred) is str else DEFAULT_TRANSPORT
    beside = [entry.get("transport") for entry in kept if entry["url"] == url]
    if beside and transport not in beside:
        document[_LISTED] = [{"url": url, "transport": transport}, *kept]
        passage.note(f"/{_LISTED}", "the main interface is listed too, since the others are at its URL now")


def _agree(document: dict[str, Any], passage: Passage) -> None:
    """Let both halves name the same interfaces again, after one of them lost some."""
    listed = [("", document, "preferredTransport")] if "url" in document else []
    listed += [
        (f"/{_LISTED}/{at}", entry, "transport") for at, entry in enumerate(document.get(_LISTED) or ())
    ]
    older = {_key(entry, name): (entry, name) for _, entry, name in listed}
    kept: list[Any] = []
    for entry in document[_NEWER]:
        spoken = entry.get("protocolVersion")
        if type(spoken) is str and spoken.startswith("0.") and _key(entry, "protocolBinding") not in older:
            passage.note(f"/{_NEWER}", "removed: the older half does not name an interface of 0.x any more")
        else:
            kept.append(entry)
    newer = {_key(entry, "protocolBinding") for entry in kept}
    version = passage.older_version
    for key, (entry, name) in older.items():
        if key not in newer:
            binding = entry.get(name, DEFAULT_TRANSPORT)
            kept.append({"url": entry["url"], "protocolBinding": binding, "protocolVersion": version})
            passage.note(f"/{_NEWER}", "an interface of the older half is named here, as it no longer was")
    document[_NEWER] = kept


def _key(entry: dict[str, Any], name: str) -> tuple[str, str]:
    url = str(entry["url"])
    # Two spellings of one URL are one interface; what cannot be read is compared as it stands.
    with suppress(ConnectionDenied):
        url = read(url).url
    return url, str(entry.get(name, DEFAULT_TRANSPORT)).casefold()


def _drop_newer(document: dict[str, Any], passage: Passage) -> None:
    """Leave the older half alone, and let it ask for what the other asked for where it is silent."""
    passage.note(f"/{_NEWER}", "the 1.0 half went with its last interface: the card is one of A2A 0.x")
    capabilities = document.get("capabilities")
    if type(capabilities) is dict and type(capabilities.get("extendedAgentCard")) is bool:
        document.setdefault("supportsAuthenticatedExtendedCard", capabilities["extendedAgentCard"])
    del document[_NEWER]
    _requirements(document, "securityRequirements", "security")
    spoken = major_minor(document.get("protocolVersion"))
    if spoken is not None and not spoken.startswith("0."):
        document["protocolVersion"] = FULL_VERSIONS[passage.older_version]


def _drop_older(document: dict[str, Any], passage: Passage) -> None:
    """Leave the 1.0 half alone, and let it ask for what the other asked for where it is silent."""
    passage.note("/url", "the older half went with its last interface: the card is one of A2A 1.0")
    capabilities, flag = document.get("capabilities"), document.get("supportsAuthenticatedExtendedCard")
    if type(capabilities) is dict and type(flag) is bool:
        document["capabilities"] = {"extendedAgentCard": flag, **capabilities}
    _requirements(document, "security", "securityRequirements")
    for name in _OLDER:
        document.pop(name, None)


def _requirements(document: dict[str, Any], old: str, new: str) -> None:
    """Take the requirements of one half, of the card and of each skill, for those of the other."""
    _asked(document, old, new)
    skills = document.get("skills")
    if type(skills) is not list or not any(type(skill) is dict and old in skill for skill in skills):
        return
    document["skills"] = [dict(skill) if type(skill) is dict else skill for skill in skills]
    for index, skill in enumerate(document["skills"]):
        if type(skill) is dict:
            _asked(skill, old, new, below("/skills", index))


def _asked(holder: dict[str, Any], old: str, new: str, at: str = "") -> None:
    if old not in holder:
        return
    asked = holder.pop(old)
    if new not in holder and type(asked) is list:
        to_hub = new == "securityRequirements"
        turned = requirements_to_hub(asked) if to_hub else requirements_from_hub(asked, at, Notes())
        holder[new] = turned
